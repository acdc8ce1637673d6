internal import OffprintCSS
internal import OffprintCoreTypes

// The borders of broken tables that their cells share. https://drafts.csswg.org/css-tables-3/#fragmentation
extension Fragmenter {
  /// A row, or a part of one.
  private struct RowPart {
    /// In the unbroken table.
    var original: ClosedRange<LayoutUnit>
    /// In the part of the table.
    var start: LayoutUnit
    var end: LayoutUnit
  }

  /// The pieces of border in the part of a table that begins at `from`: lines go with the rows that they bound, also where the table is broken
  /// between these.
  ///
  /// - Returns: their number in the fragment tree.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func collapsedBorders(of node: Node, _ whole: Fragment, in number: Int, from: LayoutUnit) throws -> Int32 {
    let all = engine.fragments.collapsedBorders
    guard all.indices.contains(Int(whole.collapsedBorders)) else { return -1 }
    var rows: [RowPart] = []
    try collectRows(of: node, at: .zero, in: number, from: from, &rows)
    var borders = CollapsedBorders()
    for segment in all[Int(whole.collapsedBorders)].segments {
      try engine.tick()
      let rect = segment.rect, middle = rect.origin.y + rect.size.height / 2
      if segment.isHorizontal {
        for place in lines(at: middle, rows) {
          var moved = segment
          moved.rect.origin.y = place - rect.size.height / 2
          borders.segments.append(moved)
        }
      } else if let row = row(at: middle, rows) {
        var moved = segment
        moved.rect.origin.y = row.start + (rect.origin.y - row.original.lowerBound)
        moved.rect.size.height = min(
          rect.size.height, (row.end + (rect.maxY - row.original.upperBound).clampedToZero - moved.rect.origin.y).clampedToZero)
        borders.segments.append(moved)
      }
    }
    engine.fragments.collapsedBorders.append(borders)
    return Int32(clamping: engine.fragments.collapsedBorders.count - 1)
  }

  /// Rows from above, of groups, too.
  private func collectRows(
    of node: Node, at offset: LayoutUnit, in number: Int, from: LayoutUnit, _ rows: inout [RowPart], depth: Int = 0
  ) throws {
    try engine.check()
    let starts = Dictionary(children(of: node.fragment).map { ($0.id, $0) }) { first, _ in first }
    let repeated = try repeatedPieces(of: node, in: number)
    func appendRepeated(_ piece: Piece) {
      guard let original = starts[piece.fragment] else { return }
      let start = offset + original.start
      appendWholeRows(piece.fragment, at: start, shift: piece.offset.block - from - start, &rows)
    }
    // The header is above the other rows in the unbroken table, too, and the footer below them.
    let footer = node.repeated.flatMap { self.repeated[$0].footer }
    repeated.filter { $0.fragment != footer }.forEach(appendRepeated)
    defer { repeated.filter { $0.fragment == footer }.forEach(appendRepeated) }
    for index in node.children {
      try engine.tick()
      guard number >= nodes[index].first, number <= nodes[index].last else { continue }
      let child = nodes[index]
      guard let original = starts[child.fragment] else { continue }
      let start = offset + original.start, fragment = engine.fragments[child.fragment]
      guard fragment.kind == .box else { continue }
      if engine.tree[fragment.box].kind == .tableRow {
        let extent = columns.extent(number)
        let top = max(child.offset, extent.start), bottom = number == child.last ? child.end : min(child.end, extent.end)
        guard start <= start + original.size else { continue }
        rows.append(RowPart(original: start...(start + original.size), start: top - from, end: max(top, bottom) - from))
      } else if depth < 4 {
        if child.isWhole || child.children.isEmpty {
          appendWholeRows(child.fragment, at: start, shift: child.offset - from - start, &rows)
        } else {
          try collectRows(of: child, at: start, in: number, from: from, &rows, depth: depth + 1)
        }
      }
    }
  }

  private func appendWholeRows(_ id: FragmentID, at offset: LayoutUnit, shift: LayoutUnit, _ rows: inout [RowPart]) {
    for child in children(of: id) where engine.fragments[child.id].kind == .box {
      guard engine.tree[engine.fragments[child.id].box].kind == .tableRow, child.size >= .zero else { continue }
      let start = offset + child.start
      rows.append(RowPart(original: start...(start + child.size), start: start + shift, end: start + shift + child.size))
    }
  }

  /// Rows are in order: the last that begins not below `place`.
  private func row(at place: LayoutUnit, _ rows: [RowPart]) -> RowPart? {
    var low = 0, high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].original.lowerBound <= place { low = middle + 1 } else { high = middle }
    }
    guard low > 0, rows[low - 1].original.upperBound >= place else { return nil }
    return rows[low - 1]
  }

  /// Where a line between rows goes: below the row above it, and above the row below it where that is elsewhere.
  private func lines(at place: LayoutUnit, _ rows: [RowPart]) -> [LayoutUnit] {
    let near = LayoutUnit(1)
    var result: [LayoutUnit] = []
    func add(_ line: LayoutUnit) { if !result.contains(line) { result.append(line) } }
    if let above = row(at: place - near, rows), abs(above.original.upperBound, place) <= near { add(above.end) }
    if let below = row(at: place + near, rows), abs(below.original.lowerBound, place) <= near { add(below.start) }
    return result
  }

  private func abs(_ a: LayoutUnit, _ b: LayoutUnit) -> LayoutUnit { a > b ? a - b : b - a }
}
