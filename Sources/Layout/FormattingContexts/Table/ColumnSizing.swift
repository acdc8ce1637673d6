import CSS
import CoreTypes

/// The widths of a table's columns. https://drafts.csswg.org/css-tables-3/#computing-the-table-width
struct ColumnSizing {
  struct Column {
    var min = LayoutUnit.zero
    var max = LayoutUnit.zero
    /// 0…100
    var percent: Double?
    /// Fixed layout: what borders and paddings of the cell that gave the percentage add to it.
    var percentEdges = LayoutUnit.zero
    /// Has a width in px.
    var isConstrained = false
    /// No cell begins here and nothing else gives it a size.
    var isEmpty = true
  }

  var columns: [Column]

  var minSum: LayoutUnit { columns.reduce(.zero) { $0 + $1.min } }
  var maxSum: LayoutUnit { columns.reduce(.zero) { $0 + Swift.max($1.min, $1.max) } }

  /// The grid's max-content size, percentages taken into account: wide enough that each column has its share.
  ///
  /// https://drafts.csswg.org/css-tables-3/#computing-the-table-width
  var maxContent: LayoutUnit {
    var percentSum = 0.0
    var plain = LayoutUnit.zero
    var estimate = LayoutUnit.zero
    for column in columns {
      let size = Swift.max(column.min, column.max)
      if let percent = column.percent, percent > 0 {
        let share = Swift.min(percent, 100 - percentSum)
        percentSum += share
        if share > 0 { estimate = Swift.max(estimate, LayoutUnit(size.double * 100 / share)) }
      } else {
        plain += size
      }
    }
    if plain > .zero && percentSum > 0 {
      estimate = Swift.max(estimate, percentSum < 100 ? LayoutUnit(plain.double * 100 / (100 - percentSum)) : LayoutUnit(1_000_000))
    }
    return Swift.max(maxSum, estimate)
  }

  // MARK: Distribution

  /// https://drafts.csswg.org/css-tables-3/#width-distribution-algorithm
  func distribute(_ target: LayoutUnit) -> [LayoutUnit] {
    Self.distribute(target, over: columns[...])
  }

  static func distribute(_ target: LayoutUnit, over columns: ArraySlice<Column>) -> [LayoutUnit] {
    let columns = Array(columns)
    var percentLeft = 100.0
    let percentSizes = columns.map { column -> LayoutUnit? in
      guard let percent = column.percent else { return nil }
      let share = Swift.min(percent, percentLeft)
      percentLeft -= share
      return Swift.max(column.min, LayoutUnit(target.double * share / 100))
    }
    let minGuess = columns.map(\.min)
    let percentGuess = columns.indices.map { percentSizes[$0] ?? columns[$0].min }
    let specifiedGuess = columns.indices.map {
      percentSizes[$0] ?? (columns[$0].isConstrained ? Swift.max(columns[$0].min, columns[$0].max) : columns[$0].min)
    }
    let maxGuess = columns.indices.map { percentSizes[$0] ?? Swift.max(columns[$0].min, columns[$0].max) }
    let guesses = [minGuess, percentGuess, specifiedGuess, maxGuess]
    if target <= sum(minGuess) { return minGuess }
    for index in 1..<guesses.count where target <= sum(guesses[index]) {
      return interpolate(guesses[index - 1], guesses[index], target)
    }
    return grow(maxGuess, columns, target)
  }

  private static func sum(_ sizes: [LayoutUnit]) -> LayoutUnit { sizes.reduce(.zero, +) }

  /// Between two guesses, each column in proportion to the difference.
  private static func interpolate(_ low: [LayoutUnit], _ high: [LayoutUnit], _ target: LayoutUnit) -> [LayoutUnit] {
    let weights = zip(low, high).map { ($1 - $0).double }
    return share(target - sum(low), by: weights, onto: low)
  }

  /// What is left over beyond all maxima.
  private static func grow(_ sizes: [LayoutUnit], _ columns: [Column], _ target: LayoutUnit) -> [LayoutUnit] {
    let excess = target - sum(sizes)
    func weights(_ weight: (Column) -> Double?) -> [Double]? {
      let values = columns.map { weight($0) ?? 0 }
      return values.contains { $0 > 0 } ? values : nil
    }
    let auto = weights { $0.percent == nil && !$0.isConstrained && !$0.isEmpty ? $0.max.double : nil }
    let constrained = weights { $0.percent == nil && $0.isConstrained ? $0.max.double : nil }
    let percent = weights { $0.percent }
    let chosen =
      auto ?? weights { $0.percent == nil && !$0.isConstrained && !$0.isEmpty ? 1 : nil } ?? constrained ?? percent
      ?? columns.map { _ in 1 }
    return share(excess, by: chosen, onto: sizes)
  }

  /// Adds `amount` in proportion to `weights`; what rounding leaves goes to the last column with a weight.
  static func share(_ amount: LayoutUnit, by weights: [Double], onto sizes: [LayoutUnit]) -> [LayoutUnit] {
    let total = weights.reduce(0, +)
    guard total > 0, amount > .zero else { return sizes }
    var result = sizes
    var left = amount
    var last: Int?
    for index in sizes.indices where weights[index] > 0 {
      let part = Swift.min(left, LayoutUnit(amount.double * weights[index] / total))
      result[index] += part
      left -= part
      last = index
    }
    if let last { result[last] += left }
    return result
  }

  // MARK: Spanning cells

  /// Makes the columns that a cell spans wide enough for it. https://drafts.csswg.org/css-tables-3/#min-content-width-of-a-column-based-on-cells-of-span-up-to-n
  mutating func include(span: Range<Int>, min: LayoutUnit, max: LayoutUnit, percent: Double?, spacing: LayoutUnit) {
    let inner = spacing * (span.count - 1)
    let (min, max) = ((min - inner).clampedToZero, (max - inner).clampedToZero)
    if let percent { sharePercent(percent, span) }
    for index in span { columns[index].isEmpty = false }
    if min > columns[span].reduce(.zero, { $0 + $1.min }) {
      let sizes = Self.distribute(min, over: columns[span])
      for (index, size) in zip(span, sizes) { columns[index].min = Swift.max(columns[index].min, size) }
    }
    for index in span { columns[index].max = Swift.max(columns[index].min, columns[index].max) }
    if max > columns[span].reduce(.zero, { $0 + $1.max }) {
      let sizes = Self.distribute(max, over: columns[span])
      for (index, size) in zip(span, sizes) { columns[index].max = Swift.max(columns[index].max, size) }
    }
  }

  private mutating func sharePercent(_ percent: Double, _ span: Range<Int>) {
    let known = columns[span].reduce(0) { $0 + ($1.percent ?? 0) }
    let open = span.filter { columns[$0].percent == nil }
    guard percent > known, !open.isEmpty else { return }
    let total = open.reduce(0) { $0 + columns[$1].max.double }
    for index in open {
      let part = total > 0 ? columns[index].max.double / total : 1 / Double(open.count)
      columns[index].percent = (percent - known) * part
    }
  }
}
