import OffprintCSS
import OffprintCoreTypes

/// The widths of a table's columns. https://drafts.csswg.org/css-tables-3/#computing-the-table-width
struct ColumnSizing {
  /// The sizes that a cell contributes to its column.
  struct Cell {
    var min = LayoutUnit.zero
    var max = LayoutUnit.zero
    /// 0...100
    var percent: Double?
    /// Fixed layout: the borders and paddings of the cell with the percentage, which are added to it.
    var percentEdges = LayoutUnit.zero
    /// Whether the width is a length.
    var isConstrained = false

    /// Adds another cell of the column. The largest specified width takes precedence over the max-content sizes of other cells.
    mutating func include(_ other: Cell) {
      min = Swift.max(min, other.min)
      if isConstrained == other.isConstrained {
        max = Swift.max(max, other.max)
      } else {
        max = isConstrained ? Swift.max(max, other.min) : Swift.max(min, other.max)
      }
      isConstrained = isConstrained || other.isConstrained
      if let percent = other.percent, percent > self.percent ?? -1 {
        self.percent = percent
        percentEdges = other.percentEdges
      }
    }
  }

  struct Column {
    var min = LayoutUnit.zero
    var max = LayoutUnit.zero
    /// Whether `max` is determined, by the column's width or by a cell.
    var hasMaximum = false
    /// 0...100
    var percent: Double?
    /// Fixed layout: the borders and paddings of the cell with the percentage, which are added to it.
    var percentEdges = LayoutUnit.zero
    /// Whether the width is a length.
    var isConstrained = false
    /// Whether no cell starts in the column and nothing specifies its size: it merges with the previous column.
    ///
    /// https://drafts.csswg.org/css-tables-3/#track-merging
    var isMergeable = false

    /// The share of a percentage of `total`, at least the minimum.
    func share(of total: LayoutUnit, _ percent: Double) -> LayoutUnit {
      Swift.max(min, LayoutUnit(total.double * percent / 100) + percentEdges)
    }
  }

  var columns: [Column]
  /// `table-layout: fixed`
  var isFixed = false

  /// The sum of the minimums. In a fixed table these are at least the specified widths.
  var minSum: LayoutUnit {
    columns.reduce(.zero) { $0 + (isFixed && $1.isConstrained && $1.percent == nil ? $1.max : $1.min) }
  }

  /// The grid's max-content size: with percentages, wide enough for each column to get its share.
  ///
  /// https://drafts.csswg.org/css-tables-3/#computing-the-table-width
  func maxContent(percentages: Bool) -> LayoutUnit {
    var percentSum = 0.0
    var sum = LayoutUnit.zero
    var plain = LayoutUnit.zero
    var estimate = LayoutUnit.zero
    for column in columns {
      sum += column.max
      if let percent = column.percent, percent > 0 {
        percentSum += percent
        estimate = max(estimate, LayoutUnit((column.max - column.percentEdges).double * 100 / percent))
      } else {
        plain += column.max
      }
    }
    guard percentages, percentSum > 0 else { return max(sum, minSum) }
    if plain > .zero {
      estimate = max(estimate, percentSum < 100 ? LayoutUnit(plain.double * 100 / (100 - percentSum)) : LayoutUnit(1_000_000))
    }
    return max(sum, estimate, minSum)
  }

  // MARK: Measures

  /// Adds a cell that spans one column.
  mutating func include(_ cell: Cell, column index: Int) {
    var column = columns[index]
    // In a fixed table the width of the column takes precedence.
    if isFixed, column.isConstrained { return }
    column.isMergeable = false
    column.min = max(column.min, cell.min)
    column.max = max(column.max, column.isConstrained && !cell.isConstrained ? cell.min : cell.max, column.min)
    column.hasMaximum = true
    if let percent = cell.percent, percent > column.percent ?? -1 {
      column.percent = percent
      column.percentEdges = cell.percentEdges
    }
    column.isConstrained = column.isConstrained || cell.isConstrained
    columns[index] = column
  }

  /// Limits the sum of percentages to 100 %: those that exceed it are clamped, or in a fixed table all are scaled.
  mutating func limitPercentages() {
    let sum = columns.reduce(0) { $0 + ($1.percent ?? 0) }
    guard sum > 100 else { return }
    var left = 100.0
    for index in columns.indices {
      guard let percent = columns[index].percent else { continue }
      columns[index].percent = isFixed ? percent * 100 / sum : min(percent, left)
      left = max(0, left - percent)
    }
  }

  // MARK: Spanning cells

  /// Adds a cell that spans several columns.
  /// https://drafts.csswg.org/css-tables-3/#min-content-width-of-a-column-based-on-cells-of-span-up-to-n
  mutating func include(_ cell: Cell, columns span: Range<Int>, spacing: LayoutUnit) {
    let used = span.filter { !columns[$0].isMergeable }
    let inner = spacing * Swift.max(0, used.count - 1)
    let (min, max) = ((cell.min - inner).clampedToZero, (cell.max - inner).clampedToZero)
    if isFixed { return includeFixed(cell, max: max, columns: used) }
    if let percent = cell.percent { sharePercent(percent, used) }
    if min > columns[span].reduce(.zero, { $0 + $1.min }) {
      let sizes = Self.distribute(min, over: columns[span])
      for (index, size) in zip(span, sizes) { columns[index].min = Swift.max(columns[index].min, size) }
    }
    for index in span { columns[index].max = Swift.max(columns[index].min, columns[index].max) }
    // Chromium distributes even if the columns are wide enough in total: percentages of the cell may leave more to others.
    let sizes = Self.distribute(max, over: columns[span], growsWidths: cell.isConstrained)
    for (index, size) in zip(span, sizes) { columns[index].max = Swift.max(columns[index].max, size) }
  }

  /// Distributes the cell's sizes equally among the columns that have none.
  private mutating func includeFixed(_ cell: Cell, max: LayoutUnit, columns span: [Int]) {
    guard !span.isEmpty else { return }
    for index in span {
      if !columns[index].hasMaximum {
        columns[index].isConstrained = columns[index].isConstrained || cell.isConstrained
        columns[index].max = max / span.count
        columns[index].hasMaximum = true
      }
      if let percent = cell.percent, columns[index].percent == nil, !columns[index].isConstrained {
        columns[index].percent = percent / Double(span.count)
      }
    }
  }

  private mutating func sharePercent(_ percent: Double, _ span: [Int]) {
    let known = span.reduce(0) { $0 + (columns[$1].percent ?? 0) }
    let open = span.filter { columns[$0].percent == nil }
    guard percent > known, !open.isEmpty else { return }
    let total = open.reduce(0) { $0 + columns[$1].max.double }
    for index in open {
      let part = total > 0 ? columns[index].max.double / total : 1 / Double(open.count)
      columns[index].percent = (percent - known) * part
    }
  }
}
