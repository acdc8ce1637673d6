internal import OffprintCoreTypes

/// By how much each fragmentainer is too small for the break at its end to be in a later place.
struct Shortages {
  /// What those before it lack is of no interest.
  var first = 0
  private var values: [LayoutUnit] = []

  init(first: Int = 0) { self.first = first }

  var least: LayoutUnit { values.reduce(.max) { min($0, $1) } }

  mutating func note(_ shortage: LayoutUnit, in number: Int) {
    guard number >= first else { return }
    while values.count <= number - first { values.append(.max) }
    values[number - first] = min(values[number - first], shortage)
  }

  /// Like in browsers, one that ends with a forced break, or before an element that spans all columns, lacks nothing.
  mutating func forget(_ number: Int) {
    if number >= first, number - first < values.count { values[number - first] = .max }
  }
}
