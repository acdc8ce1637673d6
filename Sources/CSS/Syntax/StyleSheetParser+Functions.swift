import OffprintCoreTypes

// https://drafts.csswg.org/css-mixins-1/#function-rule
extension StyleSheetParser {
  mutating func consumeFunction(_ prelude: Range<Int>, _ open: Int) {
    guard let start = prelude.first, list.kind(start) == .function, list.value(start).starts(with: [0x2D, 0x2D]),
      let parameters = parameters(list.trimmed(list.contents(start))), let returns = returnType(list.skip(start)..<prelude.upperBound)
    else { return report(.invalidAtRule, "The rule is not valid", prelude) }
    var function = CustomFunction(parameters: parameters, returns: returns.isEmpty ? nil : Self.typed(returns))
    readBody(list.contents(open), &function, depth: 0)
    builder.functions[context.names.table.intern(list.value(start))] = function
  }

  /// Parses comma-separated parameters `--name <type>?: default?`; nil if invalid.
  private func parameters(_ range: Range<Int>) -> [CustomFunction.Parameter]? {
    guard !range.isEmpty else { return [] }
    var result: [CustomFunction.Parameter] = []
    for part in list.split(range, at: .comma) {
      let part = list.trimmed(part)
      guard let first = part.first, list.kind(first) == .ident, list.value(first).starts(with: [0x2D, 0x2D]) else { return nil }
      let colon = list.next(.colon, part), type = list.trimmed((first + 1)..<min(colon, part.upperBound))
      let name = context.names.table.intern(list.value(first))
      guard !result.contains(where: { $0.name == name }) else { return nil }
      let value = colon < part.upperBound ? raw(list.trimmed((colon + 1)..<part.upperBound)) : nil
      result.append(.init(name: name, syntax: type.isEmpty ? nil : Self.typed(syntax(type)), defaultValue: value))
    }
    return result
  }

  /// Parses `returns <type>`; empty if absent, nil if invalid.
  private func returnType(_ range: Range<Int>) -> String? {
    let range = list.trimmed(range)
    guard let first = range.first else { return "" }
    return list.isIdent(first, "returns") ? syntax(list.trimmed((first + 1)..<range.upperBound)) : nil
  }

  /// The text of `type(<a> | <b>)` or of a single `<a>`.
  private func syntax(_ range: Range<Int>) -> String {
    guard let first = range.first else { return "" }
    let inner = list.isFunction(first, "type") ? list.trimmed(list.contents(first)) : range
    return String(decoding: list.source(inner), as: UTF8.self)
  }

  private static func typed(_ syntax: String) -> RegisteredProperty {
    RegisteredProperty(syntax: syntax, inherits: true, initialValue: nil)
  }

  private func raw(_ range: Range<Int>) -> RawValue {
    RawValue(buffer: list.buffer, tokens: range, quirks: false, baseURL: parserContext.baseURL, hasSubstitutions: true)
  }

  /// Reads declarations, including those in `@media` and `@supports` rules with true conditions.
  private func readBody(_ range: Range<Int>, _ function: inout CustomFunction, depth: Int) {
    guard depth < 32 else { return }
    var index = list.skipWhitespace(range.lowerBound)
    while index < range.upperBound {
      if list.kind(index) == .atKeyword {
        index = readGroup(index, range.upperBound, &function, depth)
      } else {
        let end = min(list.next(.semicolon, index..<range.upperBound), range.upperBound)
        readDeclaration(list.trimmed(index..<end), &function)
        index = end + 1
      }
      index = list.skipWhitespace(index)
    }
  }

  private func readDeclaration(_ range: Range<Int>, _ function: inout CustomFunction) {
    guard let first = range.first, list.kind(first) == .ident else { return }
    let colon = list.skipWhitespace(first + 1)
    guard colon < range.upperBound, list.kind(colon) == .colon else { return }
    let value = raw(list.trimmed((colon + 1)..<range.upperBound))
    guard case .valid = DeclarationParser.scan(value.tokens, value.buffer) else { return }
    if list.isIdent(first, "result") {
      function.result = value
    } else if list.value(first).starts(with: [0x2D, 0x2D]) {
      function.locals[context.names.table.intern(list.value(first))] = value
    }
  }

  /// - Returns: The index of the token after the rule.
  private func readGroup(_ start: Int, _ end: Int, _ function: inout CustomFunction, _ depth: Int) -> Int {
    var open = start + 1
    while open < end, list.kind(open) != .openCurly, list.kind(open) != .semicolon { open = list.skip(open) }
    guard open < end, list.kind(open) == .openCurly else { return open + 1 }
    let prelude = list.trimmed((start + 1)..<open)
    let holds: Bool =
      switch list.lowercased(start) {
      case "media": MediaQueryEvaluator(list: list, environment: context.media).matches(prelude)
      case "supports": supports(prelude)
      default: false
      }
    if holds { readBody(list.contents(open), &function, depth: depth + 1) }
    return list.skip(open)
  }
}
