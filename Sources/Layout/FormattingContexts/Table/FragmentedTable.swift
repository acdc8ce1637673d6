internal import OffprintCSS
internal import OffprintCoreTypes

/// What the fragments of a table that is broken share: its rows and captions, with the sizes that they have without breaks.
final class FragmentedTable {
  let rows: TableRows
  let captions: [TableFormattingContext.CaptionResult]
  /// Of the grid.
  let inlineSize: LayoutUnit
  /// Of the grid; nil: that of its rows.
  let blockSize: LayoutUnit?
  /// The borders that cells share, and where the rows are, in the grid without breaks.
  let borders: CollapsedBorders?
  let rowStarts: [LayoutUnit]
  /// Where rows are, by the fragments of sections.
  var rowParts: [FragmentID: [TableFragmentation.RowPart]] = [:]
  /// Sections that each fragment repeats, once they have been laid out.
  var repeatedHeader: LayoutResult?
  var repeatedFooter: LayoutResult?

  init(
    _ rows: TableRows, captions: [TableFormattingContext.CaptionResult], inlineSize: LayoutUnit, blockSize: LayoutUnit?
  ) {
    self.rows = rows; self.captions = captions; self.inlineSize = inlineSize; self.blockSize = blockSize
    let table = rows.table, size = LogicalSize(inline: inlineSize, block: rows.gridBlockSize(blockSize))
    borders = table.collapsed.map { rows.segments($0, size: table.direction.physical(size)) }
    var starts = Array(repeating: LayoutUnit.zero, count: rows.heights.count)
    for (section, start) in zip(table.table.sections, rows.sectionOffsets().starts) {
      var offset = start
      for row in section.rows {
        starts[row] = offset
        offset += rows.heights[row] + (rows.isCollapsed[row] ? .zero : table.spacing.block)
      }
    }
    rowStarts = starts
  }

  var table: TableLayout { rows.table }
  var unbrokenGridSize: LogicalSize { LogicalSize(inline: inlineSize, block: rows.gridBlockSize(blockSize)) }
}

extension TableRows {
  /// The border-box block size of the grid without breaks.
  ///
  /// - Parameter specified: nil for that of its rows.
  func gridBlockSize(_ specified: LayoutUnit?) -> LayoutUnit {
    let content = sectionOffsets().end + (table.table.sections.isEmpty ? .zero : table.spacing.block) + table.edges.blockEnd
    return max(specified ?? .zero, content)
  }
}
