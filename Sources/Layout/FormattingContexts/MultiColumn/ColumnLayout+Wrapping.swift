internal import OffprintCSS
internal import OffprintCoreTypes

// Rows of columns that have a height, one below the other. https://drafts.csswg.org/css-multicol-2/#cwr
//
// The specification leaves open where elements go that span the columns. In Chromium they are in the rows: they take from the height of one,
// and what is behind them has the rest of it.
extension ColumnLayout {
  /// https://drafts.csswg.org/css-multicol-2/#ch
  var rowSize: LayoutUnit? {
    guard style.align.wrapsColumns || style.align.columnHeight != nil else { return nil }
    return style.align.columnHeight.map { LayoutUnit($0) } ?? definite
  }

  var rowEnd: LayoutUnit? { rowSize.map { rowStart + $0 } }

  private var rowGap: LayoutUnit {
    style.align.rowGap?.resolve(definite ?? .zero).clampedToZero ?? LayoutUnit(style.font.size)
  }

  /// Nothing more has room in the row.
  func isPastRow(_ offset: LayoutUnit) -> Bool {
    guard style.align.wrapsColumns, let rowEnd else { return false }
    return offset > rowStart && offset >= rowEnd
  }

  /// - Parameter end: Of an element that spans the columns.
  func overflowsRow(from start: LayoutUnit, to end: LayoutUnit) -> Bool {
    guard style.align.wrapsColumns, let rowEnd else { return false }
    return start > rowStart && end > rowEnd
  }

  /// Goes to the next row, or to the one that something which was too high for its row reaches into.
  mutating func startRow(_ margin: inout MarginStrut) {
    guard let size = rowSize, size + rowGap > .zero else { return }
    let step = size + rowGap, passed = max(1, Int((position - rowStart).clampedToZero.raw) / Int(step.raw))
    rowStart += step * passed
    guard position < rowStart else { return }
    rowGaps.append((max(rowStart - rowGap, position), rowStart))
    position = rowStart
    margin = MarginStrut()
  }

  /// A row that ends with columns is as high as it may be, up to the end of the fragmentainer around the container.
  mutating func fillRow() {
    guard let rowEnd else { return }
    position = max(position, min(rowEnd, builder?.spaceLeftForChildren ?? rowEnd))
  }
}

extension AlignStyle {
  /// Columns that have no room beside the others go below them. https://drafts.csswg.org/css-multicol-2/#cwr
  var wrapsColumns: Bool { self.columnWrap == .auto ? columnHeight != nil : self.columnWrap == .wrap }
}
