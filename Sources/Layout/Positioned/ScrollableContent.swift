internal import OffprintCSS
internal import OffprintCoreTypes

/// The scrollable overflow of a scroll container. https://drafts.csswg.org/css-overflow-3/#scrollable
enum ScrollableContent {
  /// The maximum scroll offset, toward the ends of the axes: right and down, unless they are flipped.
  static func range(of id: FragmentID, _ fragments: FragmentTree, _ tree: BoxTree) -> LayoutPoint {
    let fragment = fragments[id]
    let origin = LayoutPoint(x: -fragment.border.left, y: -fragment.border.top)
    let port = LayoutRect(origin: .zero, size: fragment.size).inset(by: fragment.border).size
    let axes = ScrollAxes(fragment.style, port)
    var extent = LayoutPoint.zero
    for link in fragments.children(of: id) {
      let overflow = TransformedOverflow.rect(of: fragments[link.fragment], tree).offset(by: origin + link.offset)
      extent = LayoutPoint(x: max(extent.x, axes.x.interval(overflow).end), y: max(extent.y, axes.y.interval(overflow).end))
    }
    return LayoutPoint(
      x: (extent.x + axes.x.sides(fragment.padding).end - port.width).clampedToZero,
      y: (extent.y + axes.y.sides(fragment.padding).end - port.height).clampedToZero)
  }
}

/// An axis of a scrollport, relative to its initial position. A flipped axis scrolls to the left or up.
///
/// https://drafts.csswg.org/css-overflow-3/#scroll-origin
struct ScrollAxis {
  let isHorizontal: Bool
  let isFlipped: Bool
  /// The size of the scrollport.
  let size: LayoutUnit

  /// The start and end of a rectangle given relative to the top left corner of the scrollport.
  func interval(_ rect: LayoutRect) -> (start: LayoutUnit, end: LayoutUnit) {
    let (low, high) = isHorizontal ? (rect.minX, rect.maxX) : (rect.minY, rect.maxY)
    return isFlipped ? (size - high, size - low) : (low, high)
  }

  func sides(_ edges: LayoutEdges) -> (start: LayoutUnit, end: LayoutUnit) {
    let (low, high) = isHorizontal ? (edges.left, edges.right) : (edges.top, edges.bottom)
    return isFlipped ? (high, low) : (low, high)
  }

  /// Converts a distance from the start to a physical one.
  func physical(_ distance: LayoutUnit) -> LayoutUnit { isFlipped ? -distance : distance }
}

struct ScrollAxes {
  let x: ScrollAxis
  let y: ScrollAxis

  init(_ style: ComputedStyle, _ port: LayoutSize) {
    let direction = WritingDirection(style)
    x = ScrollAxis(isHorizontal: true, isFlipped: direction.isFlipped(horizontal: true), size: port.width)
    y = ScrollAxis(isHorizontal: false, isFlipped: direction.isFlipped(horizontal: false), size: port.height)
  }

  func physical(_ distance: LayoutPoint) -> LayoutPoint { LayoutPoint(x: x.physical(distance.x), y: y.physical(distance.y)) }
}
