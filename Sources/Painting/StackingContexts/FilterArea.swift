import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// The area covered by a filtered box and its contents. Chromium uses it as the reference box of `filter` elements.
// https://drafts.fxtf.org/filter-effects/#FilterEffectsRegion
extension StackingContextPainter {
  private static let maximumFragments = 20_000

  func filterArea(_ layer: PaintLayer) -> DisplayRect {
    var left = Self.maximumFragments
    var result: DisplayRect?
    for piece in layer.pieces {
      guard let area = coveredArea(piece.fragment, piece.offset, &left, depth: 0) else { continue }
      result = result?.union(area) ?? area
    }
    return result ?? DisplayRect(x: 0, y: 0, width: 0, height: 0)
  }

  private func coveredArea(_ id: FragmentID, _ offset: LayoutPoint, _ left: inout Int, depth: Int) -> DisplayRect? {
    guard left > 0, context.mayGo(to: depth), fragments.fragments.indices.contains(id.index) else { return nil }
    left -= 1
    let fragment = fragments[id]
    guard !fragment.isOmittedFromPaint else { return nil }
    var result = ownArea(fragment, offset), contents: DisplayRect?
    for link in fragments.links[fragment.children] {
      guard fragments.fragments.indices.contains(link.fragment.index) else { continue }
      let place = offset + link.offset
      guard var area = coveredArea(link.fragment, place, &left, depth: depth + 1) else { continue }
      let child = fragments[link.fragment]
      if child.kind == .box, let flat = flatTransform(child, place) { area = flat.mapRect(area) }
      contents = contents?.union(area) ?? area
    }
    guard let contents else { return result }
    if fragment.kind == .box, overflowClip(fragment, offset) != nil { return result }
    result = result?.union(contents) ?? contents
    return result
  }

  private func ownArea(_ fragment: Fragment, _ offset: LayoutPoint) -> DisplayRect? {
    guard fragment.kind != .line, fragment.size != .zero else { return nil }
    var area = DisplayRect(snap(LayoutRect(origin: offset, size: fragment.size)))
    guard fragment.kind == .box else { return area }
    for shadow in fragment.style.background.boxShadow where !shadow.inset {
      let outset = length(max(0, shadow.spread)) + 2 * length(max(0, shadow.blur))
      let box = DisplayRect(snap(LayoutRect(origin: offset, size: fragment.size))).insetBy(-outset)
      area = area.union(DisplayRect(x: box.x + length(shadow.x), y: box.y + length(shadow.y), width: box.width, height: box.height))
    }
    return area
  }

  private func flatTransform(_ fragment: Fragment, _ offset: LayoutPoint) -> AffineTransform? {
    let number = Int(layerOfBox[fragment.box.index])
    guard number >= 0, let matrix = matrix(layers[number], fragment, offset) else { return nil }
    return flattened(matrix, fragment, offset)
  }
}
