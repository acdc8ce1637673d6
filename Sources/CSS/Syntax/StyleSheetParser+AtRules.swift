import OffprintCoreTypes
import OffprintDOM

extension StyleSheetParser {
  /// At-rules that do not affect a static image, or apply only to other media.
  private static let ignored: Set<ByteString> = [
    "charset", "-moz-keyframes", "-o-keyframes", "-ms-keyframes",
    "view-transition", "viewport", "-ms-viewport", "-o-viewport", "document",
    "-moz-document", "color-profile",
  ]

  /// Maximum number of imports in all style sheets of a page.
  private static let importLimit = 1000

  /// - Returns: The index of the token after the rule. https://drafts.csswg.org/css-syntax-3/#consume-at-rule
  mutating func consumeAtRule(_ start: Int, _ end: Int, _ scope: Scope, isNested: Bool) throws -> Int {
    try context.meter.check(16)
    var index = start + 1
    var open: Int?
    while index < end, open == nil, list.kind(index) != .semicolon {
      if list.kind(index) == .openCurly { open = index } else { index = list.skip(index) }
    }
    index = min(index, end)
    let after = min(open.map { list.skip($0) } ?? index + 1, end)
    let prelude = list.trimmed((start + 1)..<index)
    if let open {
      try consumeBlockRule(list.lowercased(start), start, prelude, open, scope, isNested)
    } else {
      try consumeStatementRule(list.lowercased(start), start, prelude, scope, isNested)
    }
    return after
  }

  private mutating func consumeStatementRule(_ name: String, _ start: Int, _ prelude: Range<Int>, _ scope: Scope, _ isNested: Bool) throws {
    switch name {
    case "import" where allowsImports && !isNested: try consumeImport(prelude, scope)
    case "namespace" where allowsNamespaces && !isNested:
      allowsImports = false
      consumeNamespace(prelude)
    case "layer":
      let paths = list.split(prelude, at: .comma).map { layerPath(list.trimmed($0)) }
      guard !paths.contains(nil) else { return report(.invalidAtRule, "The rule is not valid", start..<prelude.upperBound) }
      paths.forEach { _ = builder.layers.layer($0 ?? [], in: scope.place.layer) }
    case "charset": break
    default:
      allowsImports = false
      report(
        Self.ignored.contains(name) ? .invalidAtRule : .unknownAtRule, "The at-rule is ignored", start..<max(prelude.upperBound, start + 1))
    }
  }

  private mutating func consumeBlockRule(
    _ name: String, _ start: Int, _ prelude: Range<Int>, _ open: Int, _ scope: Scope, _ isNested: Bool
  ) throws {
    allowsImports = false
    allowsNamespaces = false
    var inner = scope
    inner.depth += 1
    switch name {
    case "media":
      guard MediaQueryEvaluator(list: list, environment: context.media).matches(prelude) else { return }
      try parseBlock(open, inner)
    case "supports":
      guard supports(prelude) else { return }
      try parseBlock(open, inner)
    case "layer": try consumeLayerBlock(prelude, open, inner)
    case "starting-style":
      guard prelude.isEmpty else { return report(.invalidAtRule, "The rule is not valid", start..<open) }
      inner.place.isStarting = true
      try parseBlock(open, inner)
    case "container":
      guard let query = containerQuery(prelude, outer: scope.place.container) else {
        return report(.invalidAtRule, "The rule is not valid", start..<open)
      }
      builder.containers.append(query)
      inner.place.container = builder.containers.count - 1
      try parseBlock(open, inner)
    case "scope":
      guard let scope = scoped(prelude, inner) else { return report(.invalidAtRule, "The rule is not valid", start..<open) }
      try parseBlock(open, scope)
    case "font-face": consumeFontFace(open)
    case "page": consumePage(prelude, open)
    case "font-feature-values": consumeFontFeatureValues(prelude, open)
    case "font-palette-values": consumeFontPaletteValues(prelude, open)
    case "counter-style": consumeCounterStyle(prelude, open)
    case "property": consumeProperty(prelude, open)
    case "function": consumeFunction(prelude, open)
    case "keyframes", "-webkit-keyframes": consumeKeyframes(prelude, open)
    case "position-try": consumePositionTry(prelude, open)
    default:
      if !Self.ignored.contains(name) { report(.unknownAtRule, "The at-rule is unknown", start..<open) }
    }
  }

  // MARK: @import and @namespace

  /// https://drafts.csswg.org/css-cascade-5/#at-import
  private mutating func consumeImport(_ prelude: Range<Int>, _ scope: Scope) throws {
    guard let url = url(prelude.lowerBound) else { return report(.invalidAtRule, "The rule is not valid", prelude) }
    var index = list.skipWhitespace(list.skip(prelude.lowerBound))
    var layer = scope.place.layer
    if list.isIdent(index, "layer") {
      layer = builder.layers.anonymousLayer(in: layer)
      index = list.skipWhitespace(index + 1)
    } else if list.isFunction(index, "layer"), let path = layerPath(list.trimmed(list.contents(index))) {
      layer = builder.layers.layer(path, in: layer)
      index = list.skipWhitespace(list.skip(index))
    }
    if list.isFunction(index, "supports") {
      let condition = list.trimmed(list.contents(index))
      guard supportsDeclaration(condition) ?? false || supports(condition) else { return }
      index = list.skipWhitespace(list.skip(index))
    }
    let media = index..<max(prelude.upperBound, index)
    guard MediaQueryEvaluator(list: list, environment: context.media).matches(media) else { return }
    try load(url, at: prelude.lowerBound, layer: layer)
  }

  private mutating func load(_ url: String, at index: Int, layer: Int) throws {
    guard importChain.count < 16, builder.imports < Self.importLimit else { return }
    builder.imports += 1
    let position = positions.position(list[index].source.start, in: list.buffer.text)
    let request = StyleSheetRequest(url: url, baseURL: parserContext.baseURL, position: position)
    guard var source = context.loader(request), !importChain.contains(source.baseURL) || source.baseURL.isEmpty else { return }
    source.fallbackEncoding = encoding
    try StyleSheetParser.parse(
      source, context: context, into: &builder, diagnostics: &diagnostics, layer: layer, importChain: importChain + [source.baseURL])
  }

  /// The URL of a URL token, a string, or `url("…")`.
  private func url(_ index: Int) -> String? {
    switch list.kind(index) {
    case .url, .string: return list.string(index)
    case .function where list.isFunction(index, "url") || list.isFunction(index, "src"):
      let argument = list.trimmed(list.contents(index))
      return argument.count >= 1 && list.kind(argument.lowerBound) == .string ? list.string(argument.lowerBound) : nil
    default: return nil
    }
  }

  private mutating func consumeNamespace(_ prelude: Range<Int>) {
    var index = prelude.lowerBound
    var prefix: [UInt8]?
    if list.kind(index) == .ident {
      prefix = Array(list.value(index))
      index = list.skipWhitespace(index + 1)
    }
    guard index < prelude.upperBound, let url = url(index) else { return report(.invalidAtRule, "The rule is not valid", prelude) }
    let namespace = NamespaceMap.namespace(Array(url.utf8)[...])
    if let prefix { namespaces.prefixes[prefix] = namespace } else { namespaces.defaultNamespace = namespace }
  }

  // MARK: @layer and @container

  /// The names of a layer such as `a.b.c`; nil if invalid.
  private func layerPath(_ range: Range<Int>) -> [[UInt8]]? {
    guard !range.isEmpty, range.count % 2 == 1 else { return nil }
    var path: [[UInt8]] = []
    for (offset, index) in range.enumerated() {
      if offset % 2 == 0 {
        guard list.kind(index) == .ident else { return nil }
        path.append(Array(list.value(index)))
      } else if !list.isDelimiter(index, ".") {
        return nil
      }
    }
    return path
  }

  private mutating func consumeLayerBlock(_ prelude: Range<Int>, _ open: Int, _ scope: Scope) throws {
    var inner = scope
    if prelude.isEmpty {
      inner.place.layer = builder.layers.anonymousLayer(in: scope.place.layer)
    } else if let path = layerPath(prelude) {
      inner.place.layer = builder.layers.layer(path, in: scope.place.layer)
    } else {
      return report(.invalidAtRule, "The rule is not valid", prelude)
    }
    try parseBlock(open, inner)
  }

  private func containerQuery(_ prelude: Range<Int>, outer: Int) -> ContainerQuery? {
    var start = prelude.lowerBound
    var name: [UInt8] = []
    if list.kind(start) == .ident, !list.isIdent(start, "not") {
      name = Array(list.value(start))
      start = list.skipWhitespace(start + 1)
    }
    guard start < prelude.upperBound || !name.isEmpty else { return nil }
    return ContainerQuery(list: list, name: name, condition: start..<max(prelude.upperBound, start), outer: outer >= 0 ? outer : nil)
  }

  /// The scope inside a `@scope` rule; nil if the rule is invalid. https://drafts.csswg.org/css-cascade-6/#scope-syntax
  private mutating func scoped(_ prelude: Range<Int>, _ scope: Scope) -> Scope? {
    var rule = ScopeRule(owner: ownerParent, outer: scope.place.scope)
    var index = prelude.lowerBound
    if list.kind(index) == .openParen {
      guard let start = scopeSelectors(index, mode: scope.isNested ? .nested : .normal, nesting: scope.nesting) else { return nil }
      rule.start = start
      index = list.skipWhitespace(list.skip(index))
    }
    if list.isIdent(index, "to") {
      index = list.skipWhitespace(index + 1)
      guard list.kind(index) == .openParen, let end = scopeSelectors(index, mode: .limit, nesting: nil) else { return nil }
      rule.end = end
      index = list.skipWhitespace(list.skip(index))
    }
    guard index >= prelude.upperBound else { return nil }
    var inner = scope
    inner.nesting = nil
    inner.isNested = true
    builder.scopes.append(rule)
    inner.place.scope = builder.scopes.count - 1
    // Declarations directly in the rule apply to the scoping root.
    builder.selectors.parts.append(SelectorPart(.scope))
    let end = UInt32(truncatingIfNeeded: builder.selectors.parts.count)
    let heads = UInt32(truncatingIfNeeded: builder.selectors.heads.count)
    builder.selectors.heads.append(SelectorHead(start: end - 1, end: end, specificity: Specificity()))
    inner.heads = heads..<(heads + 1)
    return inner
  }

  /// The index of the selector list in the parentheses at `open`; nil if a selector is invalid.
  private mutating func scopeSelectors(_ open: Int, mode: SelectorParser.Mode, nesting: UInt32?) -> UInt32? {
    var parser = SelectorParser(list: list, names: context.names, quirks: context.quirks, store: builder.selectors)
    builder.selectors = SelectorStore()
    defer { builder.selectors = parser.store }
    parser.namespaces = namespaces
    parser.nesting = nesting
    parser.meter = context.meter
    return parser.parseList(list.contents(open), mode: mode).map { parser.store.addList($0) }
  }

  // MARK: @supports

  /// https://drafts.csswg.org/css-conditional-4/#at-supports-ext
  func supports(_ range: Range<Int>) -> Bool {
    ConditionParser(
      list: list, parenthesized: { supportsDeclaration($0) ?? false },
      function: { index in
        let arguments = list.trimmed(list.contents(index))
        switch list.lowercased(index) {
        case "selector": return supportsSelector(arguments)
        case "font-format": return isKeyword(arguments, of: ["collection", "opentype", "truetype", "woff", "woff2"])
        case "font-tech":
          return isKeyword(
            arguments,
            of: [
              "features-opentype", "features-aat", "variations", "color-colrv0", "color-colrv1", "color-cbdt", "color-sbix", "palettes",
            ])
        default: return false
        }
      }
    ).evaluate(range) ?? false
  }

  /// Whether the argument is one of the known keywords. Like Chromium, this accepts only a single keyword.
  /// https://drafts.csswg.org/css-conditional-5/#typedef-supports-font-format-fn
  private func isKeyword(_ range: Range<Int>, of known: [String]) -> Bool {
    range.count == 1 && list.kind(range.lowerBound) == .ident && known.contains(list.lowercased(range.lowerBound))
  }

  /// Nil if the range is not a declaration.
  private func supportsDeclaration(_ range: Range<Int>) -> Bool? {
    guard list.kind(range.lowerBound) == .ident else { return nil }
    let colon = list.skipWhitespace(range.lowerBound + 1)
    guard colon < range.upperBound, list.kind(colon) == .colon else { return nil }
    var value = list.trimmed((colon + 1)..<range.upperBound)
    _ = removeImportant(&value)
    let name = list.value(range.lowerBound)
    let property = name.starts(with: [0x2D, 0x2D]) ? name : name.map(asciiLowercased)[...]
    return DeclarationParser.supports(name: property, tokens: value, in: list.buffer, context: parserContext)
  }

  private func supportsSelector(_ range: Range<Int>) -> Bool {
    var parser = SelectorParser(list: list, names: context.names, quirks: context.quirks, store: SelectorStore())
    parser.namespaces = namespaces
    parser.isForgiving = false
    guard list.split(range, at: .comma).count == 1 else { return false }
    return parser.parseList(range, mode: .normal, allowsPseudoElements: true) != nil
  }
}
