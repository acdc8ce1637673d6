import OffprintCoreTypes

// https://drafts.csswg.org/css-tables-3/#border-collapsing. The specification leaves joints undefined; these are Chromium's.
extension TableRows {
  /// A crossing of edges: how far they extend into it, and which of them wins.
  private struct Joint {
    /// Half the width of the widest vertical edge.
    var inline = LayoutUnit.zero
    /// Half the width of the widest horizontal edge.
    var block = LayoutUnit.zero
    var winner: Int?
  }

  /// The border segments between cells, in the grid's coordinates.
  func segments(_ collapsed: CollapsedBorderResolver, size: LayoutSize) -> CollapsedBorders {
    var borders = CollapsedBorders()
    let rowOffsets = heights.reduce(into: [table.edges.blockStart]) { $0.append($0[$0.count - 1] + $1) }
    let columnOffsets = widths.reduce(into: [table.edges.inlineStart]) { $0.append($0[$0.count - 1] + $1) }
    func add(_ edge: CollapsedBorderResolver.Edge, _ rect: LogicalRect, isHorizontal: Bool) {
      let physical = table.direction.physical(rect.size)
      let origin = table.direction.physical(rect.offset, outer: size, inner: physical)
      borders.segments.append(
        .init(
          rect: LayoutRect(origin: origin, size: physical), isHorizontal: isHorizontal == table.direction.isHorizontal,
          edge: .init(style: edge.style, width: edge.width, color: edge.color)))
    }
    let rows = min(collapsed.rows, table.grid.rows.count)
    for line in 0...rows {
      for column in 0..<collapsed.columns {
        let edge = collapsed.horizontal[line * collapsed.columns + column]
        guard edge.isPainted else { continue }
        let before = joint(collapsed, line: line, column: column), after = joint(collapsed, line: line, column: column + 1)
        let start = columnOffsets[column] + (before.winner == 1 ? -before.inline : before.inline)
        let end = columnOffsets[column + 1] + (after.winner == 0 ? after.inline : -after.inline)
        add(
          edge,
          LogicalRect(
            offset: LogicalOffset(inline: start, block: rowOffsets[line] - edge.width / 2),
            size: LogicalSize(inline: (end - start).clampedToZero, block: edge.width)), isHorizontal: true)
      }
    }
    for row in 0..<rows {
      for line in 0...collapsed.columns {
        let edge = collapsed.vertical[row * (collapsed.columns + 1) + line]
        guard edge.isPainted else { continue }
        let before = joint(collapsed, line: row, column: line), after = joint(collapsed, line: row + 1, column: line)
        let start = rowOffsets[row] + (before.winner == 3 ? -before.block : before.block)
        let end = rowOffsets[row + 1] + (after.winner == 2 ? after.block : -after.block)
        add(
          edge,
          LogicalRect(
            offset: LogicalOffset(inline: columnOffsets[line] - edge.width / 2, block: start),
            size: LogicalSize(inline: edge.width, block: (end - start).clampedToZero)), isHorizontal: false)
      }
    }
    return borders
  }

  /// The crossing of two grid lines. The winner is an index: 0 for the edge before it along the row, 1 for the one after it, 2 for the edge
  /// above, 3 for the one below. On equal borders that of the first box wins.
  private func joint(_ collapsed: CollapsedBorderResolver, line: Int, column: Int) -> Joint {
    typealias Edge = CollapsedBorderResolver.Edge
    func horizontal(_ at: Int) -> Edge? {
      at >= 0 && at < collapsed.columns ? collapsed.horizontal[line * collapsed.columns + at] : nil
    }
    func vertical(_ at: Int) -> Edge? {
      at >= 0 && at < collapsed.rows ? collapsed.vertical[at * (collapsed.columns + 1) + column] : nil
    }
    let edges = [horizontal(column - 1), horizontal(column), vertical(line - 1), vertical(line)]
    var result = Joint()
    var best: Edge?
    for (index, candidate) in edges.enumerated() {
      guard let edge = candidate, edge.isPainted else { continue }
      if index < 2 { result.block = max(result.block, edge.width / 2) } else { result.inline = max(result.inline, edge.width / 2) }
      if best.map({ isStronger(edge, $0) }) ?? true { (best, result.winner) = (edge, index) }
    }
    return result
  }

  private func isStronger(_ a: CollapsedBorderResolver.Edge, _ b: CollapsedBorderResolver.Edge) -> Bool {
    if a.width != b.width { return a.width > b.width }
    return a.style.rawValue != b.style.rawValue ? a.style.rawValue > b.style.rawValue : a.order < b.order
  }
}
