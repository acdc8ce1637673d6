import OffprintCoreTypes

// https://drafts.csswg.org/css-values-5/#if-notation
extension Substitution {
  /// The value of the first branch whose condition is true; nil if absent.
  mutating func conditional(_ buffer: TokenBuffer, _ tokens: Range<Int>, _ depth: Int) -> [UInt8]? {
    guard depth < Self.depthLimit else { return nil }
    let list = TokenList(Tokenizer.tokenize(Self.text(buffer, tokens)))
    for branch in list.split(0..<list.count, at: .semicolon) {
      let colon = list.next(.colon, branch)
      guard colon < branch.upperBound else { continue }
      let condition = list.trimmed(branch.lowerBound..<colon)
      guard holds(list, condition, depth) else { continue }
      return substitute(list.buffer, list.trimmed((colon + 1)..<branch.upperBound), depth: depth + 1)
    }
    return nil
  }

  private func holds(_ list: TokenList, _ condition: Range<Int>, _ depth: Int) -> Bool {
    if condition.count == 1, list.isIdent(condition.lowerBound, "else") { return true }
    return ConditionParser(list: list, parenthesized: { _ in nil }, function: { query($0, list, depth) }).evaluate(condition) ?? false
  }

  private func query(_ index: Int, _ list: TokenList, _ depth: Int) -> Bool? {
    let contents = list.trimmed(list.contents(index))
    switch list.lowercased(index) {
    case "style": return style(list, contents, depth)
    case "media": return media(list, contents)
    case "supports": return supports(list, contents)
    default: return nil
    }
  }

  // MARK: media() and supports()

  private func media(_ list: TokenList, _ range: Range<Int>) -> Bool? {
    guard let environment = context?.media, let first = range.first else { return nil }
    let isFeature = range.count > 1 && list.kind(first) != .openParen && !list.isIdent(first, "not") && list.kind(first) != .function
    if isFeature { return FeatureEvaluator(list: list) { environment.feature($0) }.evaluate(range) }
    return MediaQueryEvaluator(list: list, environment: environment).matches(range)
  }

  private func supports(_ list: TokenList, _ range: Range<Int>) -> Bool? {
    guard let parser = context?.parser else { return nil }
    func declaration(_ range: Range<Int>) -> Bool? {
      guard let first = range.first, list.kind(first) == .ident else { return nil }
      let colon = list.skipWhitespace(first + 1)
      guard colon < range.upperBound, list.kind(colon) == .colon else { return nil }
      let name = list.value(first), isCustom = name.starts(with: [0x2D, 0x2D])
      return DeclarationParser.supports(
        name: isCustom ? name : name.map(asciiLowercased)[...], tokens: list.trimmed((colon + 1)..<range.upperBound), in: list.buffer,
        context: parser)
    }
    return declaration(range)
      ?? ConditionParser(list: list, parenthesized: { declaration($0) ?? false }, function: { _ in nil }).evaluate(range)
  }

  // MARK: style()

  /// Evaluates `--name`, `--name: value` or a range. https://drafts.csswg.org/css-conditional-5/#style-container
  private func style(_ list: TokenList, _ range: Range<Int>, _ depth: Int) -> Bool? {
    guard let first = range.first else { return nil }
    if list.kind(first) == .openParen || list.isIdent(first, "not") || range.count > 1 && list.kind(first) == .openParen {
      return ConditionParser(list: list, parenthesized: { style(list, $0, depth) }, function: { _ in nil }).evaluate(range)
    }
    if let comparison = StyleComparison(list, range) { return comparison.holds { operand(list, $0, depth) } }
    guard list.kind(first) == .ident, list.value(first).starts(with: [0x2D, 0x2D]) else { return nil }
    var copy = self
    let value = copy.value(of: names.table.intern(list.value(first)), depth: depth)
    let colon = list.skipWhitespace(first + 1)
    if colon >= range.upperBound { return value != nil }
    guard list.kind(colon) == .colon else { return nil }
    let wanted = copy.substitute(list.buffer, list.trimmed((colon + 1)..<range.upperBound), depth: depth + 1)
    guard let value, let wanted else { return false }
    return Self.normalized(value) == Self.normalized(wanted)
  }

  /// An operand of a comparison, as a number with its type.
  private func operand(_ list: TokenList, _ range: Range<Int>, _ depth: Int) -> CalcValue? {
    var copy = self
    let text: [UInt8]?
    if range.count == 1, list.kind(range.lowerBound) == .ident, list.value(range.lowerBound).starts(with: [0x2D, 0x2D]) {
      text = copy.value(of: names.table.intern(list.value(range.lowerBound)), depth: depth)
    } else {
      text = copy.substitute(list.buffer, range, depth: depth + 1)
    }
    guard let text else { return nil }
    let buffer = Tokenizer.tokenize(Array("calc(".utf8) + text + Array(")".utf8))
    let raw = RawValue(
      buffer: buffer, tokens: 0..<max(buffer.tokens.count - 1, 0), quirks: false, baseURL: "", hasSubstitutions: false)
    var parser = ValueParser(raw, element: nil)
    let value = parser.math(percentIsLength: false)
    return parser.isAtEnd() ? value : nil
  }

  /// Token text without comments, with whitespace collapsed to single spaces.
  private static func normalized(_ text: [UInt8]) -> [UInt8] {
    let buffer = Tokenizer.tokenize(text)
    var result: [UInt8] = []
    for index in DeclarationParser.trimmed(0..<buffer.tokens.count, buffer) {
      let token = buffer.tokens[index]
      if token.kind == .whitespace { result.append(0x20) } else { result += buffer.bytes(token.source) }
    }
    return result
  }

  static func text(_ buffer: TokenBuffer, _ tokens: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    for index in tokens {
      result += buffer.bytes(buffer.tokens[index].source)
      if index + 1 < tokens.upperBound, buffer.tokens[index + 1].source.start > buffer.tokens[index].source.end {
        result += [0x2F, 0x2A, 0x2A, 0x2F]
      }
    }
    return result
  }
}

/// A comparison such as `a < b` or `a < b <= c`. https://drafts.csswg.org/css-conditional-5/#typedef-style-range
struct StyleComparison {
  enum Operator { case less, lessOrEqual, greater, greaterOrEqual, equal }
  private var operands: [Range<Int>] = []
  private var operators: [Operator] = []

  /// Nil if the tokens contain no comparison operator.
  init?(_ list: TokenList, _ range: Range<Int>) {
    var start = range.lowerBound, index = start
    while index < range.upperBound {
      guard let first = Self.sign(list, index) else {
        index = list.skip(index)
        continue
      }
      let isTwo = first != .equal && list.isDelimiter(index + 1, "=")
      operands.append(list.trimmed(start..<index))
      operators.append(isTwo ? (first == .less ? .lessOrEqual : .greaterOrEqual) : first)
      index += isTwo ? 2 : 1
      start = index
    }
    guard (1...2).contains(operators.count) else { return nil }
    operands.append(list.trimmed(start..<range.upperBound))
    guard operands.allSatisfy({ !$0.isEmpty }) else { return nil }
  }

  private static func sign(_ list: TokenList, _ index: Int) -> Operator? {
    list.isDelimiter(index, "<") ? .less : list.isDelimiter(index, ">") ? .greater : list.isDelimiter(index, "=") ? .equal : nil
  }

  func holds(_ value: (Range<Int>) -> CalcValue?) -> Bool {
    let values = operands.map(value)
    return operators.indices.allSatisfy { index in
      guard let a = values[index], let b = values[index + 1], a.type == b.type, let x = a.constant, let y = b.constant else { return false }
      switch operators[index] {
      case .less: return x < y
      case .lessOrEqual: return x <= y
      case .greater: return x > y
      case .greaterOrEqual: return x >= y
      case .equal: return x == y
      }
    }
  }
}
