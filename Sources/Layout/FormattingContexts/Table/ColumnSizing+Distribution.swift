import OffprintCoreTypes

// https://drafts.csswg.org/css-tables-3/#width-distribution-algorithm
extension ColumnSizing {
  func distribute(_ target: LayoutUnit) -> [LayoutUnit] {
    isFixed ? fixedWidths(target) : Self.distribute(target, over: columns[...])
  }

  /// - Parameter growsWidths: Whether columns grow beyond their specified widths if no other columns can grow.
  static func distribute(_ target: LayoutUnit, over columns: ArraySlice<Column>, growsWidths: Bool = true) -> [LayoutUnit] {
    let columns = Array(columns)
    let percentSizes = columns.map { column in column.percent.map { column.share(of: target, $0) } }
    let minGuess = columns.map { $0.isMergeable ? .zero : $0.min }
    let percentGuess = columns.indices.map { percentSizes[$0] ?? minGuess[$0] }
    let specifiedGuess = columns.indices.map {
      percentSizes[$0] ?? (columns[$0].isConstrained && !columns[$0].isMergeable ? max(columns[$0].min, columns[$0].max) : minGuess[$0])
    }
    let maxGuess = columns.indices.map {
      percentSizes[$0] ?? (columns[$0].isMergeable ? .zero : max(columns[$0].min, columns[$0].max))
    }
    let guesses = [minGuess, percentGuess, specifiedGuess, maxGuess]
    if target <= sum(minGuess) { return minGuess }
    for index in 1..<guesses.count where target <= sum(guesses[index]) {
      return interpolate(guesses[index - 1], guesses[index], target)
    }
    return grow(maxGuess, columns, target, growsWidths: growsWidths)
  }

  private static func sum(_ sizes: [LayoutUnit]) -> LayoutUnit { sizes.reduce(.zero, +) }

  /// Interpolates between two guesses. Each column grows in proportion to its difference.
  private static func interpolate(_ low: [LayoutUnit], _ high: [LayoutUnit], _ target: LayoutUnit) -> [LayoutUnit] {
    let weights = zip(low, high).map { ($1 - $0).double }
    return share(target - sum(low), by: weights, onto: low)
  }

  /// Distributes space beyond all maximums: to columns without a width, otherwise to those with a length, otherwise to percentages.
  private static func grow(_ sizes: [LayoutUnit], _ columns: [Column], _ target: LayoutUnit, growsWidths: Bool) -> [LayoutUnit] {
    let excess = target - sum(sizes)
    func weights(_ test: (Column) -> Bool, _ weight: (Column) -> Double) -> [Double]? {
      guard columns.contains(where: { !$0.isMergeable && test($0) }) else { return nil }
      let values = columns.map { !$0.isMergeable && test($0) ? weight($0) : 0 }
      return values.contains { $0 > 0 } ? values : columns.map { !$0.isMergeable && test($0) ? 1 : 0 }
    }
    if let auto = weights({ $0.percent == nil && !$0.isConstrained }, { $0.max.double }) { return share(excess, by: auto, onto: sizes) }
    if growsWidths, let widths = weights({ $0.percent == nil && $0.isConstrained }, { $0.max.double }) {
      return share(excess, by: widths, onto: sizes)
    }
    guard let percents = weights({ $0.percent != nil }, { $0.percent ?? 0 }) else { return sizes }
    return share(excess, by: percents, onto: sizes)
  }

  /// Adds `amount` in proportion to `weights`. Rounding errors go to the last column with a weight.
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

  // MARK: Fixed layout

  private enum Kind { case percent, width, zero, auto }

  private func kind(_ column: Column) -> Kind {
    if column.percent != nil { return .percent }
    // A width of zero counts as `auto` unless every column is zero.
    return column.isConstrained ? (column.max == .zero ? .zero : .width) : .auto
  }

  /// Columns with a length get their width, columns with a percentage their share of the total, and the others share the rest equally.
  /// Without others, those with a width grow or shrink.
  ///
  /// https://drafts.csswg.org/css-tables-3/#distributing-width-to-columns in fixed mode
  private func fixedWidths(_ target: LayoutUnit) -> [LayoutUnit] {
    let kinds = columns.map(kind)
    var sizes = columns.indices.map { index -> LayoutUnit in
      switch kinds[index] {
      case .percent: columns[index].share(of: target, columns[index].percent ?? 0)
      case .width: columns[index].max
      case .zero, .auto: .zero
      }
    }
    func sum(_ kind: Kind) -> LayoutUnit { columns.indices.reduce(.zero) { kinds[$1] == kind ? $0 + sizes[$1] : $0 } }
    func scale(_ kind: Kind, to wanted: LayoutUnit) {
      let total = sum(kind)
      guard total > .zero, total != wanted else { return }
      for index in columns.indices where kinds[index] == kind { sizes[index] = sizes[index].multiplied(by: wanted, over: total) }
    }
    let hasAuto = kinds.contains(.auto)
    let beside = (target - sum(.percent)).clampedToZero
    if sum(.width) > target || (sum(.width) < beside && !hasAuto) { scale(.width, to: beside) }
    let left = (target - sum(.width)).clampedToZero
    if sum(.percent) > left || (sum(.percent) < left && !hasAuto) { scale(.percent, to: left) }
    let rest = target - sizes.reduce(.zero, +)
    guard rest > .zero else { return sizes }
    let isAllZero = !kinds.contains { $0 != .zero }
    for candidate in [isAllZero ? Kind.zero : .auto, .percent, .width] where kinds.contains(candidate) {
      return Self.share(rest, by: kinds.map { $0 == candidate ? 1 : 0 }, onto: sizes)
    }
    return sizes
  }
}
