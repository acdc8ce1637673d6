internal import OffprintCSS
internal import OffprintCoreTypes

// The borders that cells share. https://drafts.csswg.org/css-tables-3/#fragmentation
extension TableFragmentation {
  /// The pieces of border in a fragment of the grid: lines between rows are with the rows that they bound, also where the table is broken
  /// between these.
  ///
  /// - Parameters:
  ///   - borders: Of the grid without breaks.
  ///   - parts: Of rows, from the start of the fragment.
  func sharedBorders(_ borders: CollapsedBorders, _ parts: [RowPart], in size: LayoutSize) -> CollapsedBorders {
    let byRow = Dictionary(parts.map { ($0.row, $0) }, uniquingKeysWith: { first, _ in first })
    let unbroken = direction.physical(table.unbrokenGridSize)
    var result = CollapsedBorders()
    for segment in borders.segments {
      let offset = direction.logical(segment.rect.origin, outer: unbroken, inner: segment.rect.size)
      let extent = direction.logical(segment.rect.size)
      func add(at block: LayoutUnit, size blockSize: LayoutUnit) {
        var piece = segment
        piece.rect.size = direction.physical(LogicalSize(inline: extent.inline, block: blockSize))
        piece.rect.origin = direction.physical(
          LogicalOffset(inline: offset.inline, block: block), outer: size, inner: piece.rect.size)
        result.segments.append(piece)
      }
      let middle = offset.block + extent.block / 2
      if segment.isHorizontal == direction.isHorizontal {
        for line in lines(at: middle, byRow) { add(at: line - extent.block / 2, size: extent.block) }
      } else if let number = row(at: middle), let part = byRow[number] {
        let start = part.start + (offset.block - table.rowStarts[number])
        let below = offset.block + extent.block - table.rowStarts[number] - rows.heights[number]
        let end = part.start + part.size + below.clampedToZero
        add(at: start, size: min(extent.block, (end - start).clampedToZero))
      }
    }
    return result
  }

  /// The last row that begins no later.
  private func row(at place: LayoutUnit) -> Int? {
    var low = 0, high = table.rowStarts.count
    while low < high {
      let middle = (low + high) / 2
      if table.rowStarts[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// Where a line between rows is: at the end of the row before it, and at the start of the one behind it where that is elsewhere.
  private func lines(at place: LayoutUnit, _ parts: [Int: RowPart]) -> [LayoutUnit] {
    let near = LayoutUnit(1)
    func isNear(_ a: LayoutUnit, _ b: LayoutUnit) -> Bool { max(a, b) - min(a, b) <= near }
    var result: [LayoutUnit] = []
    if let above = row(at: place - near), let part = parts[above], part.isLast,
      isNear(table.rowStarts[above] + rows.heights[above], place)
    {
      result.append(part.start + part.size)
    }
    if let below = row(at: place + near), let part = parts[below], isNear(table.rowStarts[below], place),
      !result.contains(part.start)
    {
      result.append(part.start)
    }
    return result
  }
}
