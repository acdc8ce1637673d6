internal import OffprintCSS
internal import OffprintCoreTypes

/// The state shared by the fragments of a table: its rows and captions, with their sizes without fragmentation.
final class FragmentedTable {
  let rows: TableRows
  let layout: TableLayout
  let captions: [TableFormattingContext.CaptionResult]
  /// The inline size of the grid.
  let inlineSize: LayoutUnit
  /// The specified block size of the grid; nil for that of its rows.
  let blockSize: LayoutUnit?
  let unfragmentedGridSize: LogicalSize
  /// The block sizes of the sections without fragmentation.
  let sectionSizes: [LayoutUnit]
  /// The positions of the rows in the grid without fragmentation.
  let rowStarts: [LayoutUnit]
  let rowNumbers: [BoxID: Int]
  /// The collapsed borders in the grid without fragmentation, by the row that they are in or above. The last entry is below all rows.
  let borders: [[CollapsedBorders.Segment]]
  /// The positions of rows, by the fragments of their sections.
  var rowParts: [FragmentID: [TableFragmentation.RowPart]] = [:]
  private var textCells: [BoxID: Bool] = [:]
  /// Repeated headers and footers, once laid out.
  var repeatedHeader: LayoutResult?
  var repeatedFooter: LayoutResult?

  init(
    _ rows: TableRows, captions: [TableFormattingContext.CaptionResult], inlineSize: LayoutUnit, blockSize: LayoutUnit?
  ) {
    let table = rows.table
    self.rows = rows; layout = table; self.captions = captions; self.inlineSize = inlineSize; self.blockSize = blockSize
    let size = LogicalSize(inline: inlineSize, block: rows.gridBlockSize(blockSize))
    unfragmentedGridSize = size
    sectionSizes = table.grid.sections.indices.map { rows.block(ofSection: $0) }
    var starts = Array(repeating: LayoutUnit.zero, count: rows.heights.count)
    for (section, start) in zip(table.grid.sections, rows.sectionOffsets().starts) {
      var offset = start
      for row in section.rows {
        starts[row] = offset
        offset += rows.heights[row] + (rows.isCollapsed[row] ? .zero : table.spacing.block)
      }
    }
    rowStarts = starts
    rowNumbers = Dictionary(
      table.grid.rows.indices.map { (table.grid.rows[$0].box, $0) }, uniquingKeysWith: { first, _ in first })
    borders = table.collapsed.map { Self.byRow(rows.segments($0, size: table.direction.physical(size)), size, starts, table) } ?? []
  }

  private static func byRow(
    _ borders: CollapsedBorders, _ size: LogicalSize, _ starts: [LayoutUnit], _ table: TableLayout
  ) -> [[CollapsedBorders.Segment]] {
    var result = Array(repeating: [CollapsedBorders.Segment](), count: starts.count + 1)
    let outer = table.direction.physical(size)
    for segment in borders.segments {
      let offset = table.direction.logical(segment.rect.origin, outer: outer, inner: segment.rect.size).block
      let middle = offset + table.direction.logical(segment.rect.size).block / 2
      let isLine = segment.isHorizontal == table.direction.isHorizontal
      let next = starts.partitioningIndex { $0 > middle + (isLine ? LayoutUnit(1) : .zero) }
      // The last line is below all rows.
      let isEnd = isLine && next == starts.count && starts.last.map { middle > $0 + LayoutUnit(1) } ?? true
      result[isEnd ? starts.count : max(0, next - 1)].append(segment)
    }
    return result
  }

  /// Whether a cell contains only text.
  func isText(_ cell: BoxID, _ engine: LayoutEngine) -> Bool {
    if let cached = textCells[cell] { return cached }
    let isText = engine.isTextCell(cell)
    textCells[cell] = isText
    return isText
  }

}

extension Array where Element == LayoutUnit {
  /// Binary search: the first index from which on a condition holds.
  func partitioningIndex(where isAfter: (LayoutUnit) -> Bool) -> Int {
    var low = startIndex, high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension TableRows {
  /// The border-box block size of the grid without fragmentation.
  ///
  /// - Parameter specified: nil for that of its rows.
  func gridBlockSize(_ specified: LayoutUnit?) -> LayoutUnit {
    let content = sectionOffsets().end + (table.grid.sections.isEmpty ? .zero : table.spacing.block) + table.edges.blockEnd
    return max(specified ?? .zero, content)
  }
}
