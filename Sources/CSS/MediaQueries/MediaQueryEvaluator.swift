import OffprintCoreTypes
import OffprintDOM

/// Evaluates media query lists. https://drafts.csswg.org/mediaqueries-4/#mq-syntax
struct MediaQueryEvaluator {
  let list: TokenList
  let environment: MediaEnvironment

  static func matches(_ text: String, _ environment: MediaEnvironment) -> Bool {
    let list = TokenList(Tokenizer.tokenize(text))
    return MediaQueryEvaluator(list: list, environment: environment).matches(0..<list.count)
  }

  /// Whether any query of a list matches. An empty list matches.
  func matches(_ range: Range<Int>) -> Bool {
    if list.trimmed(range).isEmpty { return true }
    return list.split(range, at: .comma).contains { query(list.trimmed($0)) }
  }

  private func query(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return false }
    var index = range.lowerBound
    var isNegated = false
    if list.kind(index) == .ident {
      let next = list.skipWhitespace(index + 1)
      let hasModifier = next < range.upperBound && list.kind(next) == .ident && !list.isIdent(next, "and")
      if list.isIdent(index, "not") || list.isIdent(index, "only"), hasModifier {
        isNegated = list.isIdent(index, "not")
        index = next
      }
      if isNegated || !list.isIdent(index, "not") { return typed(index, range.upperBound).map { $0 != isNegated } ?? false }
    }
    return condition(range, allowsOr: true) ?? false
  }

  /// A media type, optionally followed by `and` and a condition; nil if invalid or unknown, which does not match even if negated.
  private func typed(_ index: Int, _ end: Int) -> Bool? {
    let type = list.lowercased(index)
    if ["only", "not", "and", "or", "layer"].contains(type) { return nil }
    var result: Bool? = type == "all" || type == (environment.type == .screen ? "screen" : "print")
    let rest = list.skipWhitespace(index + 1)
    if rest < end {
      let start = list.skipWhitespace(rest + 1)
      guard list.isIdent(rest, "and"), start < end,
        list.kind(start) == .openParen || list.kind(start) == .function || list.isIdent(start, "not")
      else { return nil }
      result = ConditionParser.and(result, condition((rest + 1)..<end, allowsOr: false))
    }
    return result
  }

  /// Whether a `<media-condition>` is true. https://drafts.csswg.org/mediaqueries-4/#typedef-media-condition
  func matchesCondition(_ range: Range<Int>) -> Bool { condition(range, allowsOr: true) ?? false }

  private func condition(_ range: Range<Int>, allowsOr: Bool) -> Bool? {
    let features = FeatureEvaluator(list: list) { environment.feature($0) }
    return ConditionParser(list: list, parenthesized: { features.evaluate($0) }, function: { _ in nil }).evaluate(range, allowsOr: allowsOr)
  }
}

/// Evaluates features such as `(width >= 600px)`, `(min-width: 600px)` and `(hover)`.
///
/// https://drafts.csswg.org/mediaqueries-4/#mq-features
struct FeatureEvaluator {
  let list: TokenList
  let value: (String) -> FeatureValue?
  init(list: TokenList, value: @escaping (String) -> FeatureValue?) {
    self.list = list
    self.value = value
  }

  private enum Comparison {
    case less, lessOrEqual, equal, greaterOrEqual, greater
    var flipped: Comparison {
      switch self {
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .equal: .equal
      case .greaterOrEqual: .lessOrEqual
      case .greater: .less
      }
    }
  }

  /// Nil if the feature or its value is unknown.
  func evaluate(_ range: Range<Int>) -> Bool? {
    guard !range.isEmpty else { return nil }
    if list.kind(range.lowerBound) == .ident {
      let name = list.lowercased(range.lowerBound)
      let next = list.skipWhitespace(range.lowerBound + 1)
      if next >= range.upperBound { return value(name)?.isTrue }
      if list.kind(next) == .colon { return plain(name, list.trimmed((next + 1)..<range.upperBound)) }
    }
    return comparison(range)
  }

  private func plain(_ name: String, _ range: Range<Int>) -> Bool? {
    if let actual = value(name) { return compare(actual, .equal, range) }
    let isWebkit = name.hasPrefix("-webkit-")
    let base = isWebkit ? name.dropFirst(8) : name[...]
    let comparison: Comparison = base.hasPrefix("min-") ? .greaterOrEqual : .lessOrEqual
    guard base.hasPrefix("min-") || base.hasPrefix("max-") else { return nil }
    guard let actual = value((isWebkit ? "-webkit-" : "") + base.dropFirst(4)) else { return nil }
    switch actual {
    case .keyword, .keywords, .preference: return nil
    default: return compare(actual, comparison, range)
    }
  }

  /// Evaluates `name op value`, `value op name` or `value op name op value`.
  private func comparison(_ range: Range<Int>) -> Bool? {
    var operands: [Range<Int>] = []
    var operators: [Comparison] = []
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      if let (comparison, length) = comparisonOperator(index) {
        operands.append(list.trimmed(start..<index))
        operators.append(comparison)
        index += length
        start = index
      } else {
        index = list.skip(index)
      }
    }
    operands.append(list.trimmed(start..<max(range.upperBound, start)))
    switch operators.count {
    case 1:
      if let actual = feature(operands[0]) { return compare(actual, operators[0], operands[1]) }
      return feature(operands[1]).flatMap { compare($0, operators[0].flipped, operands[0]) }
    case 2:
      guard operators[0] != .equal, operators[1] != .equal, let actual = feature(operands[1]) else { return nil }
      let isAscending = [.less, .lessOrEqual].contains(operators[0])
      guard isAscending == [.less, .lessOrEqual].contains(operators[1]) else { return nil }
      return ConditionParser.and(compare(actual, operators[0].flipped, operands[0]), compare(actual, operators[1], operands[2]))
    default: return nil
    }
  }

  private func feature(_ range: Range<Int>) -> FeatureValue? {
    range.count == 1 && list.kind(range.lowerBound) == .ident ? value(list.lowercased(range.lowerBound)) : nil
  }

  private func comparisonOperator(_ index: Int) -> (Comparison, Int)? {
    let hasEqual = list.isDelimiter(index + 1, "=")
    if list.isDelimiter(index, "<") { return hasEqual ? (.lessOrEqual, 2) : (.less, 1) }
    if list.isDelimiter(index, ">") { return hasEqual ? (.greaterOrEqual, 2) : (.greater, 1) }
    return list.isDelimiter(index, "=") ? (.equal, 1) : nil
  }

  private func compare(_ actual: FeatureValue, _ comparison: Comparison, _ range: Range<Int>) -> Bool? {
    let numbers = MediaValue(list: list)
    switch actual {
    case .length(let px): return numbers.length(range).map { Self.holds(px, comparison, $0) }
    case .number(let number): return numbers.number(range).map { Self.holds(number, comparison, $0) }
    case .resolution(let dppx): return numbers.resolution(range).map { Self.holds(dppx, comparison, $0) }
    case .ratio(let a, let b): return numbers.ratio(range).map { Self.holds(a * $0.1, comparison, b * $0.0) }
    case .keyword(let keyword), .preference(let keyword): return keywordMatches([keyword], comparison, range)
    case .keywords(let keywords): return keywordMatches(keywords, comparison, range)
    }
  }

  private func keywordMatches(_ keywords: [String], _ comparison: Comparison, _ range: Range<Int>) -> Bool? {
    guard comparison == .equal, range.count == 1, list.kind(range.lowerBound) == .ident else { return nil }
    let word = list.lowercased(range.lowerBound)
    // Keywords of no feature are unknown, so that their negation does not match either.
    // https://drafts.csswg.org/mediaqueries-4/#error-handling
    return Self.words.contains(word) ? keywords.contains(word) : nil
  }

  private static let words: Set<ByteString> = [
    "srgb", "p3", "rec2020", "hover", "none", "fine", "coarse", "fast", "slow", "scroll", "paged", "optional-paged", "progressive",
    "interlace", "standard", "high", "browser", "standalone", "minimal-ui", "fullscreen", "window-controls-overlay", "picture-in-picture",
    "dark", "light", "no-preference", "reduce", "more", "less", "custom", "active", "inverted", "portrait", "landscape", "enabled",
    "initial-only",
  ]

  private static func holds(_ a: Double, _ comparison: Comparison, _ b: Double) -> Bool {
    switch comparison {
    case .less: a < b
    case .lessOrEqual: a <= b
    case .equal: abs(a - b) < 1e-6
    case .greaterOrEqual: a >= b
    case .greater: a > b
    }
  }
}
