import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// Filters operate along the axes of user space. If these are rotated or skewed, the content is rasterized upright, filtered, and then transformed.
// https://drafts.fxtf.org/filter-effects/#FilterElement
extension SVGPainter {
  private static let largest = 8192

  /// Whether the axes of user space are not parallel to those of the image.
  var isTurned: Bool {
    let t = recorder.transform
    return abs(t.b) + abs(t.c) > 1e-6 * (abs(t.a) + abs(t.d))
  }

  /// What `body` paints, filtered in user space, as a separate image; nil if the result is empty.
  func filteredApart(
    _ style: ComputedStyle, _ bounds: DisplayRect?, _ viewport: SVGViewport, _ body: (SVGPainter) throws -> Void
  ) throws -> Pattern? {
    let total = recorder.transform
    let scaleX = (total.a * total.a + total.b * total.b).squareRoot(), scaleY = (total.c * total.c + total.d * total.d).squareRoot()
    guard let inverse = total.inverse, scaleX > 1e-6, scaleY > 1e-6, scaleX.isFinite, scaleY.isFinite else { return nil }
    let upright = AffineTransform.scaling(scaleX, scaleY)
    var area = upright.mapRect(inverse.mapRect(DisplayRect(recorder.clipBounds))).enclosing.expanded(by: 2)
    area.right = min(area.right, area.left + Self.largest)
    area.bottom = min(area.bottom, area.top + Self.largest)
    guard !area.isEmpty else { return nil }
    let own = DisplayListRecorder(bounds: area)
    var painter = SVGPainter(context.with(own), scene)
    (painter.active, painter.contextFill, painter.contextStroke) = (active, contextFill, contextStroke)
    let change = upright.concatenating(inverse)
    (painter.host, painter.contextSpace) = (change.concatenating(host), change.concatenating(contextSpace))
    own.pushTransform(upright)
    guard let filters = try painter.filters(style, bounds, viewport) else { return nil }
    var group = Group()
    group.filters = filters
    own.pushGroup(group)
    try body(painter)
    own.popGroup()
    own.popTransform()
    var list = own.list
    guard let used = list.items.first?.bounds.intersection(area), !used.isEmpty else { return nil }
    list.bounds = used.expanded(by: 1)
    let tile = AffineTransform.scaling(1 / scaleX, 1 / scaleY).mapRect(DisplayRect(list.bounds))
    return Pattern(source: .list(list), tile: tile, area: RoundedRect(tile))
  }
}
