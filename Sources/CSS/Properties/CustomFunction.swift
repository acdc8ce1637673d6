import OffprintCoreTypes

/// A `@function` rule. https://drafts.csswg.org/css-mixins-1/#function-rule
struct CustomFunction: Sendable {
  struct Parameter: Sendable {
    var name: Name
    /// What arguments must be; nil for anything.
    var syntax: RegisteredProperty?
    /// nil: the argument must be given.
    var defaultValue: RawValue?
  }
  var parameters: [Parameter]
  /// What results must be; nil for anything.
  var returns: RegisteredProperty?
  /// Custom properties that the body declares; later ones win.
  var locals: [Name: RawValue] = [:]
  /// The last `result` of the body.
  var result: RawValue?
}

/// What substitutions ask for beside the element's custom properties. Used by one thread.
final class SubstitutionContext {
  let media: MediaEnvironment
  let parser: ParserContext
  var functions: [Name: CustomFunction] = [:]

  init(media: MediaEnvironment, parser: ParserContext) { self.media = media; self.parser = parser }
}

// https://drafts.csswg.org/css-mixins-1/#evaluating-custom-functions
extension Substitution {
  /// The result of a custom function whose arguments are `tokens`; nil where it is invalid.
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

  /// A local of the function that is evaluated, or a custom property of the element.
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

  /// `{a, b}` is an argument with commas.
  private static func withoutBraces(_ text: [UInt8]) -> [UInt8] {
    guard text.first == 0x7B, text.last == 0x7D, text.count >= 2 else { return text }
    return Array(text[1..<(text.count - 1)])
  }
}

/// The values in the body of a function that is evaluated.
final class FunctionScope {
  /// Of parameters; nil where invalid.
  let values: [Name: [UInt8]?]
  let locals: [Name: RawValue]
  var evaluating: Set<Name> = []

  init(values: [Name: [UInt8]?], locals: [Name: RawValue]) { self.values = values; self.locals = locals }
}
