/// Parses the value of a declaration and expands shorthands.
///
/// https://drafts.csswg.org/css-syntax-3/#consume-a-declaration
enum DeclarationParser {
  /// - Parameters:
  ///   - name: In lowercase, except for custom properties.
  ///   - tokens: The value without `!important`.
  /// - Returns: False if the declaration is invalid and has to be ignored.
  static func parse(
    name: ArraySlice<UInt8>, tokens: Range<Int>, in buffer: TokenBuffer, context: ParserContext, important: Bool,
    into declarations: inout [Declaration]
  ) -> Bool {
    let tokens = trimmed(tokens, buffer)
    if name.count > 2, name.starts(with: [0x2D, 0x2D]) {
      return custom(name, tokens, buffer, context, important, &declarations)
    }
    let table = PropertyTable.shared
    let isAll = name.equalsIgnoringCase("all")
    guard let entry = isAll ? .longhand(.all) : table.lookup(name) else { return false }
    if let keyword = wideKeyword(tokens, buffer) {
      append(.wide(keyword), entry, important, &declarations)
      return true
    }
    guard case .valid(let hasSubstitutions) = scan(tokens, buffer), !tokens.isEmpty else { return false }
    let raw = {
      RawValue(buffer: buffer, tokens: tokens, quirks: context.quirks, baseURL: context.baseURL, hasSubstitutions: hasSubstitutions)
    }
    let written: UInt16 =
      switch entry {
      case .longhand(let property): property.rawValue
      case .shorthand(let index): table.number(ofShorthand: index)
      }
    if hasSubstitutions {
      let pending = PendingSubstitution(value: raw(), written: written)
      append(.pending(pending), entry, important, &declarations)
      return true
    }
    if isAll { return false }
    var parser = ValueParser(buffer: buffer, tokens: tokens, quirks: context.quirks, baseURL: context.baseURL, element: nil)
    parser.isUserAgent = context.origin == .userAgent
    return parse(entry, written, parser, raw, important, &declarations)
  }

  /// Appends the same value for each longhand of `entry`.
  private static func append(
    _ value: PropertyValue, _ entry: PropertyTable.Entry, _ important: Bool, _ declarations: inout [Declaration]
  ) {
    PropertyTable.shared.forEachLonghand(of: entry) {
      declarations.append(Declaration(property: $0, value: value, important: important))
    }
  }

  /// https://drafts.csswg.org/css-conditional-3/#support-definition
  static func supports(name: ArraySlice<UInt8>, tokens: Range<Int>, in buffer: TokenBuffer, context: ParserContext) -> Bool {
    var ignored: [Declaration] = []
    return parse(name: name, tokens: tokens, in: buffer, context: context, important: false, into: &ignored)
  }

  /// Parses a value without substitution functions.
  static func parse(
    _ entry: PropertyTable.Entry, _ written: UInt16, _ start: ValueParser, _ raw: () -> RawValue, _ important: Bool,
    _ declarations: inout [Declaration]
  ) -> Bool {
    let table = PropertyTable.shared
    var parser = start
    switch entry {
    case .longhand(let property):
      let row = table[property]
      parser.allowsUnitlessLength = row.allowsUnitlessLength
      parser.allowsHashlessColor = row.allowsHashlessColor
      guard let value = row.kind.parse(&parser), parser.isAtEnd() else { return false }
      declarations.append(
        Declaration(property: property, value: parser.isRelative ? .relative(raw()) : .specified(value), important: important))
    case .shorthand(let index):
      let shorthand = table.shorthands[index]
      var values = ShorthandValues(shorthand: shorthand)
      guard shorthand.parse(&parser, &values), parser.isAtEnd() else { return false }
      if values.isWholeRelative {
        let pending = PendingSubstitution(value: raw(), written: written)
        append(.pending(pending), entry, important, &declarations)
      } else {
        for property in shorthand.longhands {
          declarations.append(Declaration(property: property, value: values[property] ?? .wide(.initial), important: important))
        }
      }
    }
    return true
  }

  // MARK: Custom properties

  private static func custom(
    _ name: ArraySlice<UInt8>, _ tokens: Range<Int>, _ buffer: TokenBuffer, _ context: ParserContext, _ important: Bool,
    _ declarations: inout [Declaration]
  ) -> Bool {
    let name = context.names.table.intern(name)
    if let keyword = wideKeyword(tokens, buffer) {
      declarations.append(Declaration(property: .custom, value: .customWide(name, keyword), important: important))
      return true
    }
    guard case .valid(let hasSubstitutions) = scan(tokens, buffer) else { return false }
    let raw = RawValue(buffer: buffer, tokens: tokens, quirks: false, baseURL: context.baseURL, hasSubstitutions: hasSubstitutions)
    declarations.append(Declaration(property: .custom, value: .custom(name, raw), important: important))
    return true
  }

  static func trimmed(_ tokens: Range<Int>, _ buffer: TokenBuffer) -> Range<Int> {
    var lower = min(max(tokens.lowerBound, 0), buffer.tokens.count)
    var upper = min(max(tokens.upperBound, lower), buffer.tokens.count)
    while lower < upper, buffer.tokens[lower].kind == .whitespace { lower += 1 }
    while lower < upper, buffer.tokens[upper - 1].kind == .whitespace || buffer.tokens[upper - 1].kind == .endOfFile { upper -= 1 }
    return lower..<upper
  }

  static func wideKeyword(_ tokens: Range<Int>, _ buffer: TokenBuffer) -> WideKeyword? {
    guard tokens.count == 1, buffer.tokens[tokens.lowerBound].kind == .ident else { return nil }
    return ValueParser.wideKeyword(buffer.bytes(buffer.tokens[tokens.lowerBound].value))
  }

  enum Scan { case invalid, valid(hasSubstitutions: Bool) }

  /// Whether the tokens are a valid `<declaration-value>`, and whether they contain substitution functions, whose fallbacks are
  /// `<declaration-value>`s as well.
  ///
  /// https://drafts.csswg.org/css-syntax-3/#typedef-declaration-value
  static func scan(_ tokens: Range<Int>, _ buffer: TokenBuffer) -> Scan {
    var open: [OpenBlock] = []
    var hasSubstitutions = false
    for index in tokens {
      let token = buffer.tokens[index]
      switch token.kind {
      case .badString, .badURL: return .invalid
      case .openParen: open.append(OpenBlock(closer: .closeParen))
      case .function:
        let isSubstitution = isSubstitution(buffer.bytes(token.value))
        // The branches of `if()` are separated by semicolons.
        open.append(OpenBlock(closer: .closeParen, isSubstitution: isSubstitution && !isConditional(buffer.bytes(token.value))))
        guard isSubstitution else { continue }
        if equalsIgnoringCase(buffer.bytes(token.value), "var"),
          !startsWithCustomName(index + 1..<max(tokens.upperBound, index + 1), buffer)
        {
          return .invalid
        }
        hasSubstitutions = true
      case .openSquare: open.append(OpenBlock(closer: .closeSquare))
      case .openCurly: open.append(OpenBlock(closer: .closeCurly))
      case .closeParen, .closeSquare, .closeCurly:
        guard open.popLast()?.closer == token.kind else { return .invalid }
      case .semicolon where open.last?.isSubstitution ?? true: return .invalid
      case .delim where token.delimiter == 0x21 && open.last?.isSubstitution ?? true: return .invalid
      default: break
      }
      if open.count > 256 { return .invalid }
    }
    return .valid(hasSubstitutions: hasSubstitutions)
  }

  private struct OpenBlock {
    var closer: Token.Kind
    var isSubstitution = false
  }

  private static func isSubstitution(_ name: ArraySlice<UInt8>) -> Bool {
    if name.count > 4 { return name.starts(with: [0x2D, 0x2D]) }
    return equalsIgnoringCase(name, "var") || equalsIgnoringCase(name, "env") || equalsIgnoringCase(name, "attr") || isConditional(name)
      || name.count > 2 && name.starts(with: [0x2D, 0x2D])
  }

  private static func isConditional(_ name: ArraySlice<UInt8>) -> Bool { equalsIgnoringCase(name, "if") }

  private static func startsWithCustomName(_ tokens: Range<Int>, _ buffer: TokenBuffer) -> Bool {
    guard let index = tokens.first(where: { buffer.tokens[$0].kind != .whitespace }), buffer.tokens[index].kind == .ident else {
      return false
    }
    let name = buffer.bytes(buffer.tokens[index].value)
    guard name.count > 2, name.starts(with: [0x2D, 0x2D]) else { return false }
    guard let next = tokens.first(where: { $0 > index && buffer.tokens[$0].kind != .whitespace }) else { return true }
    return buffer.tokens[next].kind == .comma || buffer.tokens[next].kind == .closeParen
  }
}
