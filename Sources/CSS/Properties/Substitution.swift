import OffprintCoreTypes

/// Substitutes `var()`, `env()`, `attr()`, `if()` and custom functions in values, on the level of text. Substituted text is separated by
/// empty comments, so that adjacent tokens do not merge.
///
/// https://drafts.csswg.org/css-variables-1/#substitute-a-var
struct Substitution {
  static let depthLimit = 64
  /// Maximum bytes of a value after substitution.
  static let sizeLimit = 1 << 18

  let names: NameInterner
  /// The computed value of a custom property; nil for the guaranteed-invalid value.
  let variable: (Name) -> [UInt8]?
  let attribute: (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  let meter: WorkMeter
  var context: SubstitutionContext?
  /// The variables in the body of a custom function.
  var scope: FunctionScope?
  var usedAttributes = false

  init(
    names: NameInterner, variable: @escaping (Name) -> [UInt8]?, attribute: @escaping (ArraySlice<UInt8>) -> ArraySlice<UInt8>?,
    meter: WorkMeter, context: SubstitutionContext? = nil
  ) {
    self.names = names; self.variable = variable; self.attribute = attribute; self.meter = meter; self.context = context
  }

  /// The text of `tokens` after substitution; nil if invalid.
  mutating func substitute(_ buffer: TokenBuffer, _ tokens: Range<Int>, depth: Int = 0) -> [UInt8]? {
    var result: [UInt8] = []
    guard append(buffer, tokens, depth, &result) else { return nil }
    return result
  }

  private mutating func append(_ buffer: TokenBuffer, _ tokens: Range<Int>, _ depth: Int, _ result: inout [UInt8]) -> Bool {
    guard depth < Self.depthLimit else { return false }
    var index = tokens.lowerBound
    var open: [UInt8] = []
    while index < tokens.upperBound {
      let token = buffer.tokens[index]
      let before = result.count
      if token.kind == .function, let kind = Kind(buffer.bytes(token.value)) {
        let close = Self.close(buffer, index, tokens.upperBound)
        let arguments = index + 1..<max(close, index + 1)
        let value: [UInt8]? =
          switch kind {
          case .conditional: conditional(buffer, arguments, depth + 1)
          case .custom: call(names.table.intern(buffer.bytes(token.value)), buffer, arguments, depth + 1)
          case .variable, .environment, .attribute: replacement(kind, buffer, arguments, depth)
          }
        guard let value else { return false }
        result += [0x2F, 0x2A, 0x2A, 0x2F]
        result += value
        result += [0x2F, 0x2A, 0x2A, 0x2F]
        index = close + 1
      } else {
        Self.track(token.kind, &open)
        result += buffer.bytes(token.source)
        // Comments are not tokens, but the tokens that they separate must stay separate.
        if index + 1 < tokens.upperBound, buffer.tokens[index + 1].source.start > token.source.end { result += [0x2F, 0x2A, 0x2A, 0x2F] }
        index += 1
      }
      guard result.count <= Self.sizeLimit, meter.spend(1 + (result.count - before) >> 4) else { return false }
    }
    result += open.reversed()
    return true
  }

  /// Tracks open blocks, which the end of the style sheet may have closed implicitly.
  private static func track(_ kind: Token.Kind, _ open: inout [UInt8]) {
    switch kind {
    case .function, .openParen: open.append(0x29)
    case .openSquare: open.append(0x5D)
    case .openCurly: open.append(0x7D)
    case .closeParen, .closeSquare, .closeCurly: _ = open.popLast()
    default: break
    }
  }

  enum Kind {
    case variable, environment, attribute, conditional, custom
    init?(_ name: ArraySlice<UInt8>) {
      if name.count > 2, name.starts(with: [0x2D, 0x2D]) {
        self = .custom
      } else if name.equalsIgnoringCase("if") {
        self = .conditional
      } else if name.equalsIgnoringCase("var") {
        self = .variable
      } else if name.equalsIgnoringCase("env") {
        self = .environment
      } else if name
        .equalsIgnoringCase("attr")
      {
        self = .attribute
      } else {
        return nil
      }
    }
  }

  private static func close(_ buffer: TokenBuffer, _ start: Int, _ end: Int) -> Int {
    var open = 0
    for index in start..<end {
      switch buffer.tokens[index].kind {
      case .function, .openParen, .openSquare, .openCurly: open += 1
      case .closeParen, .closeSquare, .closeCurly:
        open -= 1
        if open == 0 { return index }
      default: break
      }
    }
    return end
  }

  /// The replacement of a substitution function with the arguments in `tokens`.
  private mutating func replacement(_ kind: Kind, _ buffer: TokenBuffer, _ tokens: Range<Int>, _ depth: Int) -> [UInt8]? {
    guard let nameIndex = tokens.first(where: { buffer.tokens[$0].kind != .whitespace }), buffer.tokens[nameIndex].kind == .ident else {
      return nil
    }
    let name = buffer.bytes(buffer.tokens[nameIndex].value)
    var open = 0
    let comma = tokens.first { index in
      switch buffer.tokens[index].kind {
      case .function, .openParen, .openSquare, .openCurly: open += 1
      case .closeParen, .closeSquare, .closeCurly: open -= 1
      case .comma: return open == 0
      default: break
      }
      return false
    }
    let fallback = comma.map { $0 + 1..<tokens.upperBound }
    switch kind {
    case .variable: if let value = value(of: names.table.intern(name), depth: depth) { return value }
    case .conditional, .custom: return nil
    case .environment: if let value = Self.environment(name) { return value }
    case .attribute:
      usedAttributes = true
      let type = nameIndex + 1..<(comma ?? tokens.upperBound)
      if let value = attribute(name), let text = Self.attributeText(value, buffer, DeclarationParser.trimmed(type, buffer)) { return text }
      if fallback == nil { return type.contains { buffer.tokens[$0].kind != .whitespace } ? nil : [0x22, 0x22] }
    }
    guard let fallback else { return nil }
    return substitute(buffer, DeclarationParser.trimmed(fallback, buffer), depth: depth + 1)
  }

  /// The value of an environment variable. Safe areas and keyboards have no insets in a static image.
  ///
  /// https://drafts.csswg.org/css-env-1/#safe-area-insets
  private static func environment(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    name.starts(with: Array("safe-area-inset-".utf8)) || name.starts(with: Array("keyboard-inset-".utf8)) ? Array("0px".utf8) : nil
  }

  /// https://drafts.csswg.org/css-values-5/#attr-notation
  private static func attributeText(_ value: ArraySlice<UInt8>, _ buffer: TokenBuffer, _ type: Range<Int>) -> [UInt8]? {
    guard let first = type.first else { return quoted(value) }
    let token = buffer.tokens[first]
    let word = buffer.bytes(token.value)
    if token.kind == .ident, word.equalsIgnoringCase("raw-string") || word.equalsIgnoringCase("string") { return quoted(value) }
    guard value.count < 4096 else { return nil }
    let tokens = Tokenizer.tokenize(Array(value))
    let range = DeclarationParser.trimmed(0..<tokens.tokens.count, tokens)
    guard case .valid(false) = DeclarationParser.scan(range, tokens) else { return nil }
    if token.kind == .function, word.equalsIgnoringCase("type") { return range.isEmpty ? nil : Array(value) }
    // With a unit or `number`, the attribute must be a number.
    guard range.count == 1, tokens.tokens[range.lowerBound].kind == .number else { return nil }
    let number = tokens.bytes(tokens.tokens[range.lowerBound].source)
    if token.kind == .delim, token.delimiter == 0x25 { return Array(number) + [0x25] }
    guard token.kind == .ident else { return nil }
    return word.equalsIgnoringCase("number") ? Array(number) : Unit(word) == nil ? nil : Array(number) + Array(word)
  }

  private static func quoted(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    guard value.count < sizeLimit / 4 else { return nil }
    var result: [UInt8] = [0x22]
    for byte in value {
      switch byte {
      case 0x22, 0x5C: result += [0x5C, byte]
      case 0x0A, 0x0C, 0x0D: result += Array("\\a ".utf8)
      case 0: break
      default: result.append(byte)
      }
    }
    return result + [0x22]
  }
}
