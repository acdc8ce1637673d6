import CSS
public import CoreTypes
public import Layout
public import Typography

/// Makes the display list of laid out fragments, in the order of https://drafts.csswg.org/css2/#elaborate-stacking-contexts.
public final class DisplayListBuilder {
  let fragments: FragmentTree
  let tree: BoxTree
  let images: ImageStore
  let fonts: FontContext?
  let rasterizer: GlyphRasterizer?
  /// Device pixels a CSS px.
  let scale: Double
  /// Device pixels of the page left of and above the picture.
  let originX: Int
  let originY: Int
  let deadline: Deadline

  var list: DisplayList
  var layers: [PaintLayer] = []
  /// The layer of each box that has one, else -1.
  var layerOfBox: [Int32]
  var clipNodes: [ClipNode] = []
  /// The box whose background the canvas shows instead of the box.
  var canvasBox = BoxID.none
  /// Only the shapes of text are drawn, in black: `background-clip: text`.
  var isTextMask = false

  /// Boxes with `transform` around what is painted.
  var openTransforms = 0
  /// The matrix of the three-dimensional rendering context that is open, onto the page, and what of it is in force as `transform`.
  /// https://drafts.csswg.org/css-transforms-2/#3d-rendering-contexts
  var context3D: Context3D?

  struct Context3D {
    var matrix: Matrix4
    var flat: AffineTransform
  }

  // What is open while commands are added.
  private(set) var transform = AffineTransform.identity
  private(set) var clipBounds: PixelRect
  private var scopes: [Scope] = []
  private var steps = 0

  private struct Scope {
    var index: Int
    var transform: AffineTransform
    var clipBounds: PixelRect
  }

  /// - Parameters:
  ///   - size: the picture, in device pixels.
  ///   - origin: where in the page its top left corner lies, in device pixels.
  ///   - rasterizer: gives the outlines that underlines leave free; nil draws them through.
  public static func build(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, size: (width: Int, height: Int), scale: Double,
    origin: (x: Int, y: Int) = (0, 0), fonts: FontContext? = nil, rasterizer: GlyphRasterizer? = nil, deadline: Deadline = .never
  ) throws -> DisplayList {
    let builder = DisplayListBuilder(
      fragments: fragments, tree: tree, images: images, size: size, scale: scale, origin: origin, fonts: fonts, rasterizer: rasterizer,
      deadline: deadline)
    try builder.build()
    return builder.list
  }

  private init(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, size: (width: Int, height: Int), scale: Double, origin: (x: Int, y: Int),
    fonts: FontContext?, rasterizer: GlyphRasterizer?, deadline: Deadline
  ) {
    self.fragments = fragments
    self.tree = tree
    self.images = images
    self.fonts = fonts
    self.rasterizer = rasterizer
    self.scale = scale.isFinite && scale > 0 ? min(scale, 1000) : 1
    originX = max(-100_000_000, min(100_000_000, origin.x))
    originY = max(-100_000_000, min(100_000_000, origin.y))
    self.deadline = deadline
    let bounds = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    list = DisplayList(bounds: bounds)
    clipBounds = bounds
    layerOfBox = Array(repeating: -1, count: tree.boxes.count)
  }

  private func build() throws {
    guard fragments.fragments.indices.contains(fragments.root.index), !list.bounds.isEmpty else { return }
    try collectLayers()
    if !layers.isEmpty { try paintLayer(0, under: -1, depth: 0) }
  }

  /// Called once a fragment: asks for the time now and then.
  func step() throws {
    steps += 1
    if steps & 255 == 0 { try deadline.check() }
  }

  // MARK: Device pixels

  func x(_ value: LayoutUnit) -> Double { value.double * scale - Double(originX) }
  func y(_ value: LayoutUnit) -> Double { value.double * scale - Double(originY) }
  func length(_ value: Float) -> Double { value.isFinite ? Double(value) * scale : 0 }

  /// Edges go to the nearest whole pixel, halves upward, so that boxes that touch still do.
  func snap(_ rect: LayoutRect) -> PixelRect {
    func round(_ v: Double) -> Int { clampedPixel((v + 0.5).rounded(.down)) }
    let left = round(rect.minX.double * scale), top = round(rect.minY.double * scale)
    return PixelRect(
      left: left - originX, top: top - originY, right: max(left, round(rect.maxX.double * scale)) - originX,
      bottom: max(top, round(rect.maxY.double * scale)) - originY)
  }

  /// A border's width: whole pixels, at least one.
  func borderWidth(_ width: LayoutUnit) -> Int {
    guard width > .zero else { return 0 }
    return max(1, clampedPixel((width.double * scale + 1e-6).rounded(.down)))
  }

  // MARK: Commands

  /// Adds a command that touches `bounds`, before transforms; nothing where none of it can be seen.
  func add(_ command: DisplayCommand, _ bounds: PixelRect) {
    let visible = transform.mapBounds(bounds).intersection(clipBounds)
    if !visible.isEmpty { list.items.append(DisplayItem(command: command, bounds: visible)) }
  }

  func fill(_ rect: PixelRect, _ color: Color) {
    if !color.isTransparent, !rect.isEmpty { add(.fillRect(rect, color), rect) }
  }

  func fill(_ shape: RoundedRect, _ color: Color) {
    guard !color.isTransparent, !shape.rect.isEmpty else { return }
    if let rect = shape.pixels { fill(rect, color) } else { add(.fillRoundedRect(shape, color), shape.rect.enclosing) }
  }

  func fillRing(_ outer: RoundedRect, _ inner: RoundedRect, _ color: Color) {
    guard !color.isTransparent, !outer.rect.isEmpty else { return }
    if inner.rect.isEmpty { return fill(outer, color) }
    add(.fillRing(outer: outer, inner: inner, color), outer.rect.enclosing)
  }

  func fill(_ path: VectorPath, _ color: Color) {
    if !color.isTransparent, !path.elements.isEmpty { add(.fillPath(path, color), path.bounds.enclosing) }
  }

  func stroke(_ path: VectorPath, _ stroke: Stroke, _ color: Color) {
    guard !color.isTransparent, stroke.width > 0 else { return }
    let bounds = path.bounds.enclosing.expanded(by: clampedPixel((min(stroke.width, 1e5) * 2).rounded(.up)) + 1)
    add(.strokePath(path, stroke, color), bounds)
  }

  func pushClip(_ shape: ClipShape) {
    let bounds: PixelRect =
      switch shape {
      case .rect(let rect): rect
      case .rounded(let shape): shape.rect.enclosing
      case .path(let path): path.bounds.enclosing
      }
    open(.pushClip(shape))
    clipBounds = clipBounds.intersection(transform.mapBounds(bounds))
  }
  func popClip() { close(.popClip) }

  func pushTransform(_ next: AffineTransform) {
    open(.pushTransform(next))
    transform = transform.concatenating(next)
  }
  func popTransform() { close(.popTransform) }

  func pushGroup(_ group: Group) {
    var group = group
    group.reach = min(group.filters.reduce(0) { $0 + $1.reach }, 16_384)
    open(.pushGroup(group))
    // What lies outside the picture can be blurred into it.
    if group.reach > 0 { clipBounds = clipBounds.expanded(by: group.reach) }
  }
  func popGroup() { close(.popGroup) }

  private func open(_ command: DisplayCommand) {
    scopes.append(Scope(index: list.items.count, transform: transform, clipBounds: clipBounds))
    list.items.append(DisplayItem(command: command, bounds: .empty))
  }

  private func close(_ command: DisplayCommand) {
    guard let scope = scopes.popLast() else { return }
    (transform, clipBounds) = (scope.transform, scope.clipBounds)
    var bounds = content(from: scope.index + 1)
    var isNeeded = list.items.count > scope.index + 1
    if case .pushGroup(var group) = list.items[scope.index].command {
      if group.reach > 0 {
        group.content = bounds
        bounds = bounds.isEmpty ? bounds : bounds.expanded(by: group.reach).intersection(scope.clipBounds)
        list.items[scope.index].command = .pushGroup(group)
      }
      if case .blend = group.operation {
      } else {
        // Acts on all that its surroundings hold.
        bounds = bounds.union(content(from: (scopes.last(where: { isGroup($0.index) })?.index ?? -1) + 1, to: scope.index))
        isNeeded = true
      }
    }
    guard isNeeded, !bounds.isEmpty else {
      list.items.removeSubrange(scope.index...)
      return
    }
    list.items[scope.index].bounds = bounds
    list.items[scope.index].end = list.items.count
    list.items.append(DisplayItem(command: command, bounds: bounds))
  }

  private func isGroup(_ index: Int) -> Bool { if case .pushGroup = list.items[index].command { true } else { false } }

  /// The pixels of the items from `start` on, of those that are nested only the outermost.
  private func content(from start: Int, to end: Int? = nil) -> PixelRect {
    var bounds = PixelRect.empty, index = start
    let end = end ?? list.items.count
    while index < end {
      bounds = bounds.union(list.items[index].bounds)
      index = list.items[index].command.opens && list.items[index].end > index ? list.items[index].end + 1 : index + 1
    }
    return bounds
  }

  /// Raises how far backdrops reach.
  func noteBackdrop(reach: Int) { list.backdropReach = max(list.backdropReach, reach) }
}
