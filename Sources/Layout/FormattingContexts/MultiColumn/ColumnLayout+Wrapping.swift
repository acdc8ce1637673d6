internal import OffprintCSS
internal import OffprintCoreTypes

// Wrapped rows of columns with a specified height. https://drafts.csswg.org/css-multicol-2/#cwr
//
// The specification does not define the position of spanners. In Chromium they are in the rows: they reduce the height of a row,
// and the content after them has the remainder.
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

  /// Whether the row is full at an offset.
  func isPastRow(_ offset: LayoutUnit) -> Bool {
    guard style.align.wrapsColumns, let rowEnd else { return false }
    return offset > rowStart && offset >= rowEnd
  }

  /// - Parameter end: The end of a spanner.
  func overflowsRow(from start: LayoutUnit, to end: LayoutUnit) -> Bool {
    guard style.align.wrapsColumns, let rowEnd else { return false }
    return start > rowStart && end > rowEnd
  }

  /// Moves to the next row, or past a row that taller content of an earlier row overflows into.
  mutating func startRow(_ margin: inout MarginStrut) {
    guard let size = rowSize, size + rowGap > .zero else { return }
    let step = size + rowGap, passed = max(1, Int((position - rowStart).clampedToZero.raw) / Int(step.raw))
    rowStart += step * passed
    guard position < rowStart else { return }
    rowGaps.append((max(rowStart - rowGap, position), rowStart))
    position = rowStart
    margin = MarginStrut()
  }

  /// Extends a row that ends with columns to its height, at most to the end of the outer fragmentainer.
  mutating func fillRow() {
    guard let rowEnd else { return }
    position = max(position, min(rowEnd, builder?.spaceLeftForChildren ?? rowEnd))
  }
}

extension AlignStyle {
  /// Whether columns that do not fit wrap to a new row. https://drafts.csswg.org/css-multicol-2/#cwr
  var wrapsColumns: Bool { self.columnWrap == .auto ? columnHeight != nil : self.columnWrap == .wrap }
}
