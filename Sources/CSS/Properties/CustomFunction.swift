import OffprintCoreTypes

/// A `@function` rule. https://drafts.csswg.org/css-mixins-1/#function-rule
struct CustomFunction: Sendable {
  struct Parameter: Sendable {
    var name: Name
    /// The type of arguments; nil for any.
    var syntax: RegisteredProperty?
    /// Nil if the argument is required.
    var defaultValue: RawValue?
  }
  var parameters: [Parameter]
  /// The type of the result; nil for any.
  var returns: RegisteredProperty?
  /// Custom properties declared in the body; the last declaration of a name wins.
  var locals: [Name: RawValue] = [:]
  /// The last `result` descriptor of the body.
  var result: RawValue?
}

/// Inputs of substitutions besides the custom properties of the element. Used by a single thread.
final class SubstitutionContext {
  let media: MediaEnvironment
  let parser: ParserContext
  var functions: [Name: CustomFunction] = [:]

  init(media: MediaEnvironment, parser: ParserContext) { self.media = media; self.parser = parser }
}

// https://drafts.csswg.org/css-mixins-1/#evaluating-custom-functions
extension Substitution {
  /// The result of a custom function called with the arguments in `tokens`; nil if invalid.
  mutating func call(_ name: Name, _ buffer: TokenBuffer, _ tokens: Range<Int>, _ depth: Int) -> [UInt8]? {
    guard depth < Self.depthLimit, let function = context?.functions[name], let result = function.result else { return nil }
    var values: [Name: [UInt8]?] = [:]
    let given = Self.arguments(buffer, tokens)
    guard given.count <= function.parameters.count else { return nil }
    for (index, parameter) in function.parameters.enumerated() {
      var value: [UInt8]?
      if index < given.count { value = substitute(buffer, given[index], depth: depth + 1).map(Self.withoutBraces) }
      if let text = value, let syntax = parameter.syntax, !syntax.accepts(text) { value = nil }
      if value == nil {
        guard let fallback = parameter.defaultValue else { return nil }
        value = substitute(fallback.buffer, fallback.tokens, depth: depth + 1)
      }
      values[parameter.name] = .some(value)
    }
    var body = Substitution(names: names, variable: variable, attribute: attribute, meter: meter, context: context)
    body.scope = FunctionScope(values: values, locals: function.locals)
    guard let text = body.substitute(result.buffer, result.tokens, depth: depth + 1) else { return nil }
    usedAttributes = usedAttributes || body.usedAttributes
    return function.returns.map { $0.accepts(text) } ?? true ? text : nil
  }

  /// A local variable of the function being evaluated, or a custom property of the element.
  mutating func value(of name: Name, depth: Int) -> [UInt8]? {
    guard let scope else { return variable(name) }
    if let local = scope.locals[name], scope.evaluating.insert(name).inserted {
      defer { scope.evaluating.remove(name) }
      return substitute(local.buffer, local.tokens, depth: depth + 1)
    }
    if let value = scope.values[name] { return value }
    return variable(name)
  }

  private static func arguments(_ buffer: TokenBuffer, _ tokens: Range<Int>) -> [Range<Int>] {
    guard !DeclarationParser.trimmed(tokens, buffer).isEmpty else { return [] }
    var parts: [Range<Int>] = []
    var start = tokens.lowerBound, open = 0
    for index in tokens {
      switch buffer.tokens[index].kind {
      case .function, .openParen, .openSquare, .openCurly: open += 1
      case .closeParen, .closeSquare, .closeCurly: open -= 1
      case .comma where open == 0:
        parts.append(DeclarationParser.trimmed(start..<index, buffer))
        start = index + 1
      default: break
      }
    }
    return parts + [DeclarationParser.trimmed(start..<tokens.upperBound, buffer)]
  }

  /// Removes the braces of an argument such as `{a, b}`, which protect commas.
  private static func withoutBraces(_ text: [UInt8]) -> [UInt8] {
    guard text.first == 0x7B, text.last == 0x7D, text.count >= 2 else { return text }
    return Array(text[1..<(text.count - 1)])
  }
}

/// The variables in the body of a function being evaluated.
final class FunctionScope {
  /// The values of parameters; nil if invalid.
  let values: [Name: [UInt8]?]
  let locals: [Name: RawValue]
  var evaluating: Set<Name> = []

  init(values: [Name: [UInt8]?], locals: [Name: RawValue]) { self.values = values; self.locals = locals }
}
