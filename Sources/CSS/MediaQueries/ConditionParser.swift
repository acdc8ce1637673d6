import OffprintDOM

/// Evaluates the conditions of `@media`, `@supports` and `@container` in three-valued logic: nil is unknown.
///
/// https://drafts.csswg.org/css-conditional-3/ and https://drafts.csswg.org/mediaqueries-4/#evaluating
struct ConditionParser {
  let list: TokenList
  /// Evaluates the contents of parentheses that are not a nested condition.
  let parenthesized: (Range<Int>) -> Bool?
  /// Evaluates a function, given the index of its token.
  let function: (Int) -> Bool?

  private static let maximumDepth = 64

  /// Nil if `range` is unknown or not a condition.
  func evaluate(_ range: Range<Int>, allowsOr: Bool = true, depth: Int = 0) -> Bool? {
    guard depth < Self.maximumDepth else { return nil }
    let range = list.trimmed(range)
    guard !range.isEmpty else { return nil }
    if list.isIdent(range.lowerBound, "not") {
      let operand = list.trimmed((range.lowerBound + 1)..<range.upperBound)
      guard !operand.isEmpty, list.skip(operand.lowerBound) == operand.upperBound else { return nil }
      return inParentheses(operand.lowerBound, depth).map { !$0 }
    }
    return evaluateSequence(range, allowsOr: allowsOr, depth: depth)
  }

  /// Evaluates `a and b and c` or `a or b or c`.
  private func evaluateSequence(_ range: Range<Int>, allowsOr: Bool, depth: Int) -> Bool? {
    var index = range.lowerBound
    var result = inParentheses(index, depth)
    index = list.skipWhitespace(list.skip(index))
    var isOr: Bool?
    while index < range.upperBound {
      let isThisOr = list.isIdent(index, "or")
      guard isThisOr || list.isIdent(index, "and"), isOr == nil || isOr == isThisOr, allowsOr || !isThisOr else { return nil }
      isOr = isThisOr
      index = list.skipWhitespace(index + 1)
      guard index < range.upperBound else { return nil }
      let next = inParentheses(index, depth)
      result = isThisOr ? Self.or(result, next) : Self.and(result, next)
      index = list.skipWhitespace(list.skip(index))
    }
    return result
  }

  private func inParentheses(_ index: Int, _ depth: Int) -> Bool? {
    switch list.kind(index) {
    case .function: return function(index)
    case .openParen:
      let contents = list.trimmed(list.contents(index))
      let first = contents.lowerBound
      let isCondition =
        !contents.isEmpty
        && (list.kind(first) == .openParen || list.kind(first) == .function && !isComparison(contents)
          || list.isIdent(first, "not") && list.kind(list.skipWhitespace(first + 1)) != .colon)
      return isCondition ? evaluate(contents, depth: depth + 1) : parenthesized(contents)
    default: return nil
    }
  }

  /// Whether parentheses start a comparison, as in `calc(1px) < width`, which is a feature.
  private func isComparison(_ range: Range<Int>) -> Bool {
    let index = list.skipWhitespace(list.skip(range.lowerBound))
    return index < range.upperBound && list.kind(index) == .delim
  }

  static func and(_ a: Bool?, _ b: Bool?) -> Bool? {
    if a == false || b == false { return false }
    return a == nil || b == nil ? nil : true
  }

  static func or(_ a: Bool?, _ b: Bool?) -> Bool? {
    if a == true || b == true { return true }
    return a == nil || b == nil ? nil : false
  }
}
