public import OffprintCoreTypes

/// A piece of a gap between tracks or items, in which a rule is drawn. https://drafts.csswg.org/css-gaps-1/
public struct GapSegment: Sendable {
  /// From the container's border box's corner: as wide as the gap.
  public var rect: LayoutRect
  /// The rule is one between columns, in the container's axes.
  public var isColumnRule: Bool
  /// The rule runs from top to bottom.
  public var isVertical: Bool
  /// The start of the rule is at its bottom, or its right end.
  public var isReversed: Bool
  /// Of the gap, among those of its axis.
  public var index: Int
  public var count: Int
  /// The sizes of the gaps that the segment meets at its ends; nil where those are the container's edges.
  public var start: LayoutUnit?
  public var end: LayoutUnit?

  public var run: LayoutUnit { isVertical ? rect.size.height : rect.size.width }
}

/// Gaps in the axes of a container, from its content box's start edges, on the way to segments.
struct GapBuilder {
  let direction: WritingDirection
  let edges: LogicalEdges
  let outer: LayoutSize
  private(set) var segments: [GapSegment] = []

  init(_ direction: WritingDirection, _ edges: LogicalEdges, outer: LayoutSize) {
    self.direction = direction; self.edges = edges; self.outer = outer
  }

  /// - Parameters:
  ///   - gap: across the rule.
  ///   - run: along the rule.
  ///   - junctions: the gaps at the ends; nil for the container's edges.
  mutating func add(
    isColumnRule: Bool, gap: (start: LayoutUnit, end: LayoutUnit), run: (start: LayoutUnit, end: LayoutUnit), index: Int, of count: Int,
    junctions: (start: LayoutUnit?, end: LayoutUnit?)
  ) {
    guard run.end > run.start else { return }
    let offset =
      isColumnRule
      ? LogicalOffset(inline: edges.inlineStart + gap.start, block: edges.blockStart + run.start)
      : LogicalOffset(inline: edges.inlineStart + run.start, block: edges.blockStart + gap.start)
    let size =
      isColumnRule
      ? LogicalSize(inline: (gap.end - gap.start).clampedToZero, block: run.end - run.start)
      : LogicalSize(inline: run.end - run.start, block: (gap.end - gap.start).clampedToZero)
    let inner = direction.physical(size)
    let isReversed = isColumnRule ? direction.mode == .verticalRl || direction.mode == .sidewaysRl : direction.isRTL
    segments.append(
      GapSegment(
        rect: LayoutRect(origin: direction.physical(offset, outer: outer, inner: inner), size: inner), isColumnRule: isColumnRule,
        isVertical: isColumnRule == direction.isHorizontal, isReversed: isReversed, index: index, count: count, start: junctions.start,
        end: junctions.end))
  }
}
