import OffprintDOM

/// Parses values of features. Relative units refer to initial values. https://drafts.csswg.org/mediaqueries-4/#units
struct MediaValue {
  let list: TokenList

  func length(_ range: Range<Int>) -> Double? { sum(range, depth: 0) { lengthTerm($0) } ?? math(range, .length) }

  func number(_ range: Range<Int>) -> Double? {
    sum(range, depth: 0) { list.kind($0) == .number ? list[$0].number : nil } ?? math(range, .number)
  }

  /// Parses other math functions. https://drafts.csswg.org/css-values-4/#math
  private func math(_ range: Range<Int>, _ type: CalcType) -> Double? {
    let range = list.trimmed(range)
    guard let first = range.first, list.kind(first) == .function else { return nil }
    var parser = ValueParser(buffer: list.buffer, tokens: range, quirks: false, baseURL: "", element: nil)
    guard let value = parser.math(percentIsLength: false), value.type == type, parser.isAtEnd() else { return nil }
    return value.constant
  }

  func resolution(_ range: Range<Int>) -> Double? {
    if range.count == 1, list.isIdent(range.lowerBound, "infinite") { return .infinity }
    return sum(range, depth: 0) { index in
      guard list.kind(index) == .dimension else { return nil }
      switch list.lowercased(index) {
      case "dppx", "x": return list[index].number
      case "dpi": return list[index].number / 96
      case "dpcm": return list[index].number * 2.54 / 96
      default: return nil
      }
    }
  }

  func ratio(_ range: Range<Int>) -> (Double, Double)? {
    if let slash = range.first(where: { list.isDelimiter($0, "/") }) {
      guard let a = number(list.trimmed(range.lowerBound..<slash)), let b = number(list.trimmed((slash + 1)..<range.upperBound)) else {
        return nil
      }
      // 0/0 is treated as 1/0.
      return a == 0 && b == 0 ? (1, 0) : (a, b)
    }
    return number(range).map { ($0, 1) }
  }

  private func lengthTerm(_ index: Int) -> Double? {
    let token = list[index]
    if token.kind == .number { return token.number == 0 ? 0 : nil }
    guard token.kind == .dimension else { return nil }
    switch list.lowercased(index) {
    case "px": return token.number
    case "em", "rem", "ic", "ric": return token.number * 16
    case "ex", "rex", "ch", "rch": return token.number * 8
    case "lh", "rlh": return token.number * 18.4
    case "in": return token.number * 96
    case "cm": return token.number * 96 / 2.54
    case "mm": return token.number * 96 / 25.4
    case "q": return token.number * 96 / 101.6
    case "pt": return token.number * 96 / 72
    case "pc": return token.number * 16
    default: return nil
    }
  }

  // MARK: calc()

  /// Parses a single term or a `calc()`. https://drafts.csswg.org/css-values-4/#calc-syntax
  private func sum(_ range: Range<Int>, depth: Int, _ term: (Int) -> Double?) -> Double? {
    let range = list.trimmed(range)
    guard !range.isEmpty, depth < 16, list.skip(range.lowerBound) == range.upperBound else { return nil }
    if let value = term(range.lowerBound) { return value }
    guard list.isFunction(range.lowerBound, "calc") else { return nil }
    return terms(list.contents(range.lowerBound), depth, term)
  }

  private func terms(_ range: Range<Int>, _ depth: Int, _ term: (Int) -> Double?) -> Double? {
    guard depth < 16 else { return nil }
    var total = 0.0
    var sign = 1.0
    var product: Double?
    var isDivision = false
    var index = list.skipWhitespace(range.lowerBound)
    while index < range.upperBound {
      guard let value = factor(index, depth, term) else { return nil }
      product = product.map { isDivision ? $0 / value : $0 * value } ?? value
      index = list.skipWhitespace(list.skip(index))
      guard index < range.upperBound else { break }
      if list.isDelimiter(index, "*") || list.isDelimiter(index, "/") {
        isDivision = list.isDelimiter(index, "/")
      } else if list.isDelimiter(index, "+") || list.isDelimiter(index, "-") {
        total += sign * (product ?? 0)
        product = nil
        sign = list.isDelimiter(index, "-") ? -1 : 1
      } else {
        return nil
      }
      index = list.skipWhitespace(index + 1)
    }
    return product.map { total + sign * $0 }
  }

  private func factor(_ index: Int, _ depth: Int, _ term: (Int) -> Double?) -> Double? {
    if list.kind(index) == .number { return list[index].number }
    if let value = term(index) { return value }
    guard list.kind(index) == .openParen || list.isFunction(index, "calc") else { return mathFactor(index, depth) }
    return terms(list.contents(index), depth + 1, term)
  }

  /// Parses a math function with a number as its result, including `sign()` of a length.
  /// https://drafts.csswg.org/css-values-4/#funcdef-sign
  private func mathFactor(_ index: Int, _ depth: Int) -> Double? {
    if list.isFunction(index, "sign"), let value = terms(list.contents(index), depth + 1, { lengthTerm($0) }) {
      return value > 0 ? 1 : value < 0 ? -1 : value
    }
    return math(index..<list.skip(index), .number)
  }
}
