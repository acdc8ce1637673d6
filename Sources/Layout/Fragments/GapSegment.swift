public import OffprintCoreTypes

/// A segment of a gap between tracks or items, in which a rule is painted. https://drafts.csswg.org/css-gaps-1/
public struct GapSegment: Sendable {
  /// The area of the gap, relative to the border box of the container.
  public var rect: LayoutRect
  /// Whether the rule is a column rule, in the container's axes.
  public var isColumnRule: Bool
  /// Whether the rule is vertical.
  public var isVertical: Bool
  /// Whether the rule starts at its bottom or right end.
  public var isReversed: Bool
  /// The index of the gap among those of its axis.
  public var index: Int
  public var count: Int
  /// The sizes of the gaps at the ends of the segment; nil at the container's edges.
  public var start: LayoutUnit?
  public var end: LayoutUnit?

  public var run: LayoutUnit { isVertical ? rect.size.height : rect.size.width }
}

/// Converts gaps in a container's axes, relative to its content box, to segments.
struct GapBuilder {
  let direction: WritingDirection
  let edges: LogicalEdges
  let outer: LayoutSize
  private(set) var segments: [GapSegment] = []

  init(_ direction: WritingDirection, _ edges: LogicalEdges, outer: LayoutSize) {
    self.direction = direction; self.edges = edges; self.outer = outer
  }

  /// - Parameters:
  ///   - gap: The extent across the rule.
  ///   - run: The extent along the rule.
  ///   - junctions: The gaps at the ends; nil for the container's edges.
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
