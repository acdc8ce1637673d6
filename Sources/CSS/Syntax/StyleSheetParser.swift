import OffprintCoreTypes
import OffprintDOM

/// State shared by the parsers of all style sheets of a document.
struct StyleSheetContext {
  let names: NameInterner
  let quirks: Bool
  let media: MediaEnvironment
  let loader: StyleSheetLoader
  let ruleLimit: Int
  let meter: WorkMeter
  var origin = CascadeOrigin.author
}

/// Parses a style sheet into rules. Conditions that do not depend on elements are evaluated during parsing, so that excluded rules have no cost.
///
/// https://drafts.csswg.org/css-syntax-3/#parsing
struct StyleSheetParser {
  let context: StyleSheetContext
  let list: TokenList
  let parserContext: ParserContext
  var builder: RuleSetBuilder
  var diagnostics: DiagnosticLog
  var namespaces = NamespaceMap()
  var positions: SheetPositions
  /// The URLs of the style sheets being imported, outermost first.
  var importChain: [String]
  /// The character encoding of the style sheet, the fallback for imported sheets.
  let encoding: String
  /// The parent of the style sheet's owner node.
  let ownerParent: UInt32
  /// `@import` and `@namespace` are allowed only before other rules.
  var allowsImports = true
  var allowsNamespaces = true
  /// The current rule. A single one suffices, since it is flushed before nested rules are parsed.
  private var openRule = OpenRule()

  /// The state of a rule, in addition to its normal declarations, which are those of the builder from `start` on.
  private struct OpenRule {
    var start = 0
    var important: [Declaration] = []
    var declaresContent = false
  }

  /// The context of a rule.
  struct Scope {
    /// The selectors of the enclosing style rule; nil outside of style rules.
    var heads: Range<UInt32>?
    /// Index of the selector list for `&`.
    var nesting: UInt32?
    /// Whether the list for `&` still has to be created from `heads`. It is needed only for nested rules.
    var needsNesting = false
    /// Whether selectors are relative to `nesting` or to the root of `@scope`.
    var isNested = false
    var place = EnclosingRules()
    var depth = 0
  }

  private static let maximumDepth = 32

  /// Adds the rules of `source` to `builder`.
  static func parse(
    _ source: StyleSheetSource, context: StyleSheetContext, into builder: inout RuleSetBuilder, diagnostics: inout DiagnosticLog,
    layer: Int = 0, importChain: [String] = []
  ) throws {
    try context.meter.check(source.bytes.count >> 4)
    var parser = StyleSheetParser(source, context, builder, diagnostics, importChain)
    builder = RuleSetBuilder()
    diagnostics = DiagnosticLog(capacity: 0)
    defer {
      builder = parser.builder
      diagnostics = parser.diagnostics
    }
    try parser.parseSheet(Scope(place: EnclosingRules(layer: layer)))
  }

  private init(
    _ source: StyleSheetSource, _ context: StyleSheetContext, _ builder: RuleSetBuilder, _ diagnostics: DiagnosticLog,
    _ importChain: [String]
  ) {
    self.context = context
    self.builder = builder
    self.diagnostics = diagnostics
    self.importChain = importChain
    let decoded = source.decoded()
    encoding = decoded.encoding
    ownerParent = source.ownerParent
    list = TokenList(Tokenizer.tokenize(decoded.text))
    var parserContext = ParserContext(quirks: context.quirks, baseURL: source.baseURL, names: context.names)
    parserContext.origin = context.origin
    self.parserContext = parserContext
    positions = SheetPositions(source: source)
  }

  /// Parses the declarations of a `style` attribute.
  static func parseDeclarations(
    _ bytes: [UInt8], context: StyleSheetContext, baseURL: String, position: SourcePosition?,
    diagnostics: inout DiagnosticLog
  ) -> DeclarationBlock {
    let source = StyleSheetSource(bytes: bytes, baseURL: baseURL, start: position, encoding: "utf-8")
    var parser = StyleSheetParser(source, context, RuleSetBuilder(), DiagnosticLog(), [])
    var index = 0
    let end = parser.list.count
    while index < end, context.meter.spend() {
      let kind = parser.list.kind(index)
      if kind == .whitespace || kind == .semicolon {
        index += 1
      } else if kind == .atKeyword {
        index = parser.skipAtRule(index, end)
      } else if kind == .ident, let next = parser.consumeDeclaration(index, end) {
        index = next
      } else {
        parser.reportDropped(index, end)
        index = parser.skipStatement(index, end, stopsAtBlocks: false)
      }
    }
    diagnostics.append(contentsOf: parser.diagnostics)
    return DeclarationBlock(
      normal: parser.builder.declarations, important: parser.openRule.important, declaresContent: parser.openRule.declaresContent)
  }

  // MARK: Rules

  /// https://drafts.csswg.org/css-syntax-3/#consume-stylesheet-contents
  private mutating func parseSheet(_ scope: Scope) throws {
    var index = 0
    let end = list.count
    while index < end {
      switch list.kind(index) {
      case .whitespace, .cdo, .cdc: index += 1
      case .atKeyword: index = try consumeAtRule(index, end, scope, isNested: false)
      default:
        allowsImports = false
        allowsNamespaces = false
        index = try consumeQualifiedRule(index, end, scope, isNested: false)
      }
    }
  }

  /// Parses the contents of the block at `open`. https://drafts.csswg.org/css-syntax-3/#consume-block-contents
  mutating func parseBlock(_ open: Int, _ scope: Scope) throws {
    var scope = scope
    openRule.start = builder.declarations.count
    var index = open + 1
    let end = list.blockEnd(open)
    guard scope.depth < Self.maximumDepth else { return }
    while index < end {
      try context.meter.check()
      switch list.kind(index) {
      case .whitespace, .semicolon: index += 1
      case .atKeyword:
        close(&scope)
        index = try consumeAtRule(index, end, scope, isNested: true)
      default:
        if scope.heads != nil, list.kind(index) == .ident, let next = consumeDeclaration(index, end) {
          index = next
        } else {
          close(&scope)
          index = try consumeQualifiedRule(index, end, scope, isNested: true)
        }
      }
    }
    flush(scope)
  }

  /// Finishes the declarations so far as a rule, before nested rules.
  private mutating func close(_ scope: inout Scope) {
    flush(scope)
    guard scope.needsNesting, let range = scope.heads else { return }
    let heads = builder.selectors.heads[Int(range.lowerBound)..<Int(range.upperBound)]
    scope.nesting = builder.selectors.addList(
      heads.filter { $0.pseudo == SelectorHead.noPseudo && $0.reach.isDisjoint(with: [.slotted, .part]) })
    scope.needsNesting = false
  }

  private mutating func flush(_ scope: Scope) {
    guard let heads = scope.heads, builder.declarations.count > openRule.start || !openRule.important.isEmpty else { return }
    builder.addRule(
      heads, from: openRule.start, important: openRule.important, declaresContent: openRule.declaresContent, place: scope.place,
      limit: context.ruleLimit)
    openRule.start = builder.declarations.count
    if !openRule.important.isEmpty { openRule.important.removeAll(keepingCapacity: true) }
    openRule.declaresContent = false
  }

  /// - Returns: The index of the token after the rule. https://drafts.csswg.org/css-syntax-3/#consume-qualified-rule
  private mutating func consumeQualifiedRule(_ start: Int, _ end: Int, _ scope: Scope, isNested: Bool) throws -> Int {
    var index = start
    while index < end {
      switch list.kind(index) {
      case .semicolon where isNested:
        reportDropped(start, index)
        return index + 1
      case .openCurly:
        let after = min(list.skip(index), end)
        if startsLikeCustomProperty(start) { return isNested ? skipStatement(start, end, stopsAtBlocks: false) : after }
        try consumeStyleRule(start..<index, open: index, scope)
        return after
      default: index = list.skip(index)
      }
    }
    reportDropped(start, end)
    return end
  }

  /// Whether the prelude starts like a misplaced custom property, `--name: {…}`.
  private func startsLikeCustomProperty(_ start: Int) -> Bool {
    let name = list.skipWhitespace(start)
    return list.kind(name) == .ident && list.value(name).starts(with: [0x2D, 0x2D]) && list.kind(list.skipWhitespace(name + 1)) == .colon
  }

  private mutating func consumeStyleRule(_ prelude: Range<Int>, open: Int, _ scope: Scope) throws {
    try context.meter.check(16 + prelude.count)
    guard let heads = parseSelectors(prelude, scope) else {
      if !isForOtherBrowsers(prelude) { report(.invalidSelector, "The selector is not valid", prelude) }
      return
    }
    let first = UInt32(truncatingIfNeeded: builder.selectors.heads.count)
    builder.selectors.heads.append(contentsOf: heads)
    var inner = scope
    inner.heads = first..<(first + UInt32(truncatingIfNeeded: heads.count))
    inner.depth += 1
    inner.isNested = true
    inner.needsNesting = true
    try parseBlock(open, inner)
  }

  private mutating func parseSelectors(_ range: Range<Int>, _ scope: Scope) -> [SelectorHead]? {
    var parser = SelectorParser(list: list, names: context.names, quirks: context.quirks, store: builder.selectors)
    builder.selectors = SelectorStore()
    defer { builder.selectors = parser.store }
    parser.namespaces = namespaces
    parser.nesting = scope.nesting
    parser.meter = context.meter
    return parser.parseList(range, mode: scope.isNested ? .nested : .normal, allowsPseudoElements: true)
  }

  // MARK: Declarations

  /// Adds the declaration at `start` to the block. Nil if it is invalid and may be a rule.
  ///
  /// https://drafts.csswg.org/css-syntax-3/#consume-declaration
  private mutating func consumeDeclaration(_ start: Int, _ end: Int) -> Int? {
    let colon = list.skipWhitespace(start + 1)
    guard colon < end, list.kind(colon) == .colon else { return nil }
    var index = colon + 1
    var hasCurly = false
    while index < end, list.kind(index) != .semicolon {
      if list.kind(index) == .openCurly { hasCurly = true }
      index = list.skip(index)
    }
    index = min(index, end)
    var value = list.trimmed((colon + 1)..<index)
    let name = list.value(start)
    let isCustom = name.count > 2 && name.starts(with: [0x2D, 0x2D])
    if hasCurly, !isCustom { return nil }
    let important = removeImportant(&value)
    guard parse(name, isCustom, value, important) else {
      // An invalid declaration with a block may be a rule; one without cannot.
      if hasCurly { return nil }
      reportInvalid(name, start, index)
      return index
    }
    return index
  }

  /// The declarations of a keyframe; important ones are ignored. https://drafts.csswg.org/css-animations-1/#keyframes
  mutating func keyframeDeclarations(_ open: Int) -> [Declaration] { declarations((open + 1)..<list.blockEnd(open)).normal }

  /// Parses the declarations of a rule without selectors.
  mutating func declarations(_ range: Range<Int>) -> DeclarationBlock {
    let outer = openRule, start = builder.declarations.count
    openRule = OpenRule()
    defer {
      openRule = outer
      builder.declarations.removeSubrange(start...)
    }
    var index = range.lowerBound
    while index < range.upperBound, context.meter.spend() {
      let kind = list.kind(index)
      if kind == .whitespace || kind == .semicolon {
        index += 1
      } else if kind == .ident, let next = consumeDeclaration(index, range.upperBound) {
        index = next
      } else {
        index = skipStatement(index, range.upperBound, stopsAtBlocks: true)
      }
    }
    return DeclarationBlock(normal: Array(builder.declarations[start...]), important: openRule.important)
  }

  private mutating func parse(_ name: ArraySlice<UInt8>, _ isCustom: Bool, _ value: Range<Int>, _ important: Bool) -> Bool {
    let isLower = isCustom || !name.contains { $0 &- 0x41 < 26 }
    let property = isLower ? name : name.map(asciiLowercased)[...]
    let isValid =
      important
      ? DeclarationParser.parse(
        name: property, tokens: value, in: list.buffer, context: parserContext, important: true, into: &openRule.important)
      : DeclarationParser.parse(
        name: property, tokens: value, in: list.buffer, context: parserContext, important: false, into: &builder.declarations)
    guard isValid else { return false }
    if equalsIgnoringCase(property, "content") || equalsIgnoringCase(property, "all") { openRule.declaresContent = true }
    return true
  }

  /// Whether `value` ends with `!important`, which is then removed.
  func removeImportant(_ value: inout Range<Int>) -> Bool {
    guard value.count >= 2, list.isIdent(value.upperBound - 1, "important") else { return false }
    var index = value.upperBound - 2
    while index > value.lowerBound, list.kind(index) == .whitespace { index -= 1 }
    guard index >= value.lowerBound, list.isDelimiter(index, "!") else { return false }
    value = list.trimmed(value.lowerBound..<index)
    return true
  }

  // MARK: Recovery

  /// Skips to after the next semicolon outside of blocks.
  private func skipStatement(_ start: Int, _ end: Int, stopsAtBlocks: Bool) -> Int {
    var index = start
    while index < end {
      let kind = list.kind(index)
      if kind == .semicolon { return index + 1 }
      index = list.skip(index)
      if stopsAtBlocks, kind == .openCurly { break }
    }
    return min(index, end)
  }

  func skipAtRule(_ start: Int, _ end: Int) -> Int { skipStatement(start, end, stopsAtBlocks: true) }

  private mutating func reportDropped(_ start: Int, _ end: Int) {
    let range = list.trimmed(start..<max(min(end, list.count), start))
    guard !range.isEmpty else { return }
    report(.invalidDeclaration, "Neither a declaration nor a rule", range)
  }

  private mutating func reportInvalid(_ name: ArraySlice<UInt8>, _ start: Int, _ end: Int) {
    if isForOtherBrowsers(start..<end) { return }
    let property = String(decoding: name.prefix(40), as: UTF8.self)
    let isKnown = equalsIgnoringCase(name, "all") || PropertyTable.shared.lookup(name) != nil
    let isCustom = name.starts(with: [0x2D, 0x2D])
    let reason = isKnown || isCustom ? "Invalid value of '\(property)'" : "Unknown property '\(property)'"
    report(isKnown || isCustom ? .invalidDeclaration : .unknownProperty, reason, start..<end)
  }

  /// Whether the range contains another browser's vendor prefix. Such rules are not reported, since they are not meant to have an effect here.
  private func isForOtherBrowsers(_ range: Range<Int>) -> Bool {
    range.contains { index in
      let kind = list.kind(index)
      guard kind == .ident || kind == .function else { return false }
      let name = list.value(index)
      return name.first == 0x2D && ["-moz-", "-ms-", "-o-", "-khtml-", "-apple-"].contains { name.starts(with: $0.utf8) }
        || name.starts(with: "mso-".utf8)
    }
  }

  mutating func report(_ code: Diagnostic.Code, _ message: String, _ range: Range<Int>) {
    guard diagnostics.dropped < 1 else { return }
    let range = list.trimmed(range)
    let source = list.source(range)
    let text = String(decoding: source.prefix(120), as: UTF8.self) + (source.count > 120 ? "…" : "")
    let position = positions.position(list[range.lowerBound].source.start, in: list.buffer.text)
    diagnostics.report(Diagnostic(code, .note, "\(message): \(text)", at: position))
  }
}
