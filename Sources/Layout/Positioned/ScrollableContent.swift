internal import OffprintCSS
internal import OffprintCoreTypes

/// What a scroll container can scroll to. https://drafts.csswg.org/css-overflow-3/#scrollable
enum ScrollableContent {
  /// How far its contents can be scrolled, to the right and down.
  static func range(of id: FragmentID, _ fragments: FragmentTree, _ tree: BoxTree) -> LayoutPoint {
    let fragment = fragments[id]
    let origin = LayoutPoint(x: -fragment.border.left, y: -fragment.border.top)
    var extent = LayoutPoint.zero
    for link in fragments.children(of: id) {
      let overflow = TransformedOverflow.rect(of: fragments[link.fragment], tree).offset(by: origin + link.offset)
      extent = LayoutPoint(x: max(extent.x, overflow.maxX), y: max(extent.y, overflow.maxY))
    }
    let port = LayoutRect(origin: .zero, size: fragment.size).inset(by: fragment.border).size
    return LayoutPoint(
      x: (extent.x + fragment.padding.right - port.width).clampedToZero, y: (extent.y + fragment.padding.bottom - port.height).clampedToZero
    )
  }
}
