import OffprintCSS
import OffprintCoreTypes

// Out-of-flow children. https://drafts.csswg.org/css-grid-2/#abspos

extension GridAssembly {
  /// The containing block of a child, relative to the start edges of the border box: its grid area. `auto` lines are the padding edges.
  func area(_ child: BoxID, border: LayoutEdges) -> LogicalRect {
    let align = grid.engine.style(child).align
    let border = grid.direction.logical(border)
    let columns = edges(align.gridColumnStart, align.gridColumnEnd, .columns, border)
    let rows = edges(align.gridRowStart, align.gridRowEnd, .rows, border)
    return LogicalRect(
      offset: LogicalOffset(inline: columns.start, block: rows.start), size: LogicalSize(inline: columns.size, block: rows.size))
  }

  private func edges(_ start: GridLine, _ end: GridLine, _ axis: GridAxis, _ border: LogicalEdges) -> (start: LayoutUnit, size: LayoutUnit)
  {
    let low = border.start(axis), high = size[axis] - border.end(axis)
    guard case .definite(let span) = GridLineResolution.resolve(start, end, grid.template[axis]) else {
      return (low, (high - low).clampedToZero)
    }
    let from = start.isAutomatic && !start.isSpan ? nil : line(span.start, axis, isEnd: false)
    let to = end.isAutomatic && !end.isSpan ? nil : line(span.end, axis, isEnd: true)
    return (from ?? low, ((to ?? high) - (from ?? low)).clampedToZero)
  }

  /// The position of a line; nil if the grid does not have it.
  private func line(_ line: Int, _ axis: GridAxis, isEnd: Bool) -> LayoutUnit? {
    guard let positions = grid.positions[axis] else { return nil }
    let index = line + grid.leading[axis], count = positions.starts.count
    guard index >= 0, index <= count else { return nil }
    let origin = grid.edges.start(axis)
    guard count > 0 else { return origin }
    // Gutters do not belong to the adjacent areas.
    if index == 0 || (index < count && !isEnd) { return origin + positions.starts[index] }
    return origin + positions.starts[index - 1] + positions.sizes[index - 1]
  }

  /// The static position: in the grid area if the container is the containing block, otherwise in the content box, as the only item.
  ///
  /// https://drafts.csswg.org/css-grid-2/#static-position
  func staticCandidate(_ child: BoxID, area: LogicalRect?) -> OutOfFlowCandidate {
    let area =
      area
      ?? LogicalRect(
        offset: LogicalOffset(inline: grid.edges.inlineStart, block: grid.edges.blockStart),
        size: LogicalSize(inline: content(.columns), block: content(.rows)))
    let rectangle = StaticPositionRectangle(area: area, inlineEdge: edge(child, .columns), blockEdge: edge(child, .rows))
    return rectangle.candidate(child, grid.direction, outer: outer)
  }

  private func edge(_ child: BoxID, _ axis: GridAxis) -> OutOfFlowCandidate.Edge {
    let alignment = GridSelfAlignment(
      grid.engine.style(child), axis, container: grid.style, isAnonymous: false, isReplaced: grid.engine.tree.isReplacedForAlignment(child))
    return alignment.staticEdge
  }
}

extension GridLine {
  /// Whether the value does not specify a line.
  var isAutomatic: Bool {
    switch self {
    case .auto, .span, .spanNamed: true
    default: false
    }
  }
  var isSpan: Bool { isAutomatic && self != .auto }

  /// Whether the value exceeds the maximum number of tracks. https://drafts.csswg.org/css-grid-2/#overlarge-grids
  var isOverlarge: Bool {
    switch self {
    case .line(let number), .span(let number), .spanNamed(_, let number): number.magnitude > UInt(ExplicitTracks.maximumTracks)
    case .named(_, let number): (number?.magnitude ?? 0) > UInt(ExplicitTracks.maximumTracks)
    case .auto: false
    }
  }
}
