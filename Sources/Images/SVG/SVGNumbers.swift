/// The numbers in a text, with the units behind them.
struct SVGNumbers: Sequence, IteratorProtocol {
  struct Number {
    var value: Double
    var unit: String

    /// Pixels a unit; of a percentage a hundredth of `whole`.
    func unitSize(_ em: Double, _ whole: Double) -> Double {
      switch unit {
      case "%": whole / 100
      case "em", "rem", "ch": em
      case "ex": em / 2
      case "pt": 96.0 / 72
      case "pc": 16
      case "in": 96
      case "cm": 96 / 2.54
      case "mm": 96 / 25.4
      default: 1
      }
    }
  }

  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  mutating func next() -> Number? {
    func isDigit(_ c: UInt8) -> Bool { 0x30...0x39 ~= c }
    while let first = rest.first, !isDigit(first), first != 0x2E { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var end = rest.startIndex, hasPoint = false
    while end < rest.endIndex, isDigit(rest[end]) || (rest[end] == 0x2E && !hasPoint) {
      if rest[end] == 0x2E { hasPoint = true }
      end = rest.index(after: end)
    }
    if end < rest.endIndex, rest[end] | 0x20 == 0x65 {
      var exponent = rest.index(after: end)
      if exponent < rest.endIndex, rest[exponent] == 0x2B || rest[exponent] == 0x2D { exponent = rest.index(after: exponent) }
      if exponent < rest.endIndex, isDigit(rest[exponent]) {
        while exponent < rest.endIndex, isDigit(rest[exponent]) { exponent = rest.index(after: exponent) }
        end = exponent
      }
    }
    // A lone point is no number; one that is too large for a Double is infinite.
    let value = Double(String(Substring(rest[..<end]))) ?? 0
    var unitEnd = end
    while unitEnd < rest.endIndex, rest[unitEnd] == 0x25 || 0x61...0x7A ~= rest[unitEnd] | 0x20 { unitEnd = rest.index(after: unitEnd) }
    let unit = Substring(rest[end..<unitEnd]).lowercased()
    rest = rest[end...]
    return Number(value: value, unit: unit)
  }
}
