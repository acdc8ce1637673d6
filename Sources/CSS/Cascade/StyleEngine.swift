public import OffprintCoreTypes
public import OffprintDOM

/// Computes the style of each element of a document.
///
/// https://drafts.csswg.org/css-cascade-5/
public enum StyleEngine {
  public struct Options: Sendable {
    public var media: MediaEnvironment
    /// Author style sheets after those of the document.
    public var extraSheets: [StyleSheetSource] = []
    /// The URL of the document.
    public var baseURL = ""
    /// The source of the document, for positions in diagnostics; may be empty.
    public var source: [UInt8] = []
    public var sourceName = ""
    public var limits = Limits()
    public var deadline = Deadline.never
    /// The content sizes in CSS px of query containers, from an earlier layout.
    public var containerSizes: [NodeID: (width: Float, height: Float)] = [:]
    /// The progress of scroll timelines, from an earlier layout.
    public var timelinePositions: [TimelineSubject: TimelinePositions] = [:]
    /// The time to which animations and transitions are advanced.
    public var time = AnimationTime.start
    /// Computes properties without effect on an image, too, for `computedValues`.
    public var reportsAllProperties = false
    public init(media: MediaEnvironment) { self.media = media }
  }

  /// The style sheets of a document, parsed for a medium. Passes over the same document with the same medium share them.
  public struct ParsedSheets {
    public let media: MediaEnvironment
    fileprivate let names: NameInterner
    let builder: RuleSetBuilder
    let rules: RuleSet
    let baseURL: String
    /// The style sheets of shadow trees; nil if absent.
    let shadows: ShadowSheets?
    fileprivate let diagnostics: DiagnosticLog
  }

  /// Styles `document`.
  ///
  /// - Parameters:
  ///   - loader: Provides the style sheets for `<link>` and `@import`.
  ///   - fontFaces: Receives the `@font-face` rules before any style is computed, so that lengths can be relative to these fonts.
  /// - Throws: `DeadlineExceeded`.
  public static func style(
    _ document: Document, options: Options, fontMetrics: any FontMetricsProvider, loader: StyleSheetLoader = { _ in nil },
    fontFaces: ([FontFaceRule]) -> Void = { _ in }
  ) throws -> StyledDocument {
    var sheets: ParsedSheets?
    return try style(document, options: options, fontMetrics: fontMetrics, sheets: &sheets, loader: loader, fontFaces: fontFaces)
  }

  /// Styles `document` in one of several passes that differ only in the medium and in container sizes.
  ///
  /// - Parameters:
  ///   - sheets: The parsed style sheets of the previous pass. They are replaced if the medium differs.
  ///   - previous: The document styled at another time with the same medium, if `canAdvance`: only what animations can change is styled.
  public static func style(
    _ document: Document, options: Options, fontMetrics: any FontMetricsProvider, sheets: inout ParsedSheets?,
    advancing previous: StyledDocument? = nil, loader: StyleSheetLoader, fontFaces: ([FontFaceRule]) -> Void
  ) throws -> StyledDocument {
    if sheets?.media != options.media { sheets = nil }
    return try withoutActuallyEscaping(loader) { loader in
      let names = sheets?.names ?? NameInterner(table: document.names)
      let meter = WorkMeter(deadline: options.deadline)
      return try ElementTree.with(document, names: names, meter: meter) { tree in
        let quirks = document.quirksMode == .quirks
        let context = StyleSheetContext(
          names: names, quirks: quirks, media: options.media, loader: loader, ruleLimit: max(options.limits.styleRules, 1), meter: meter)
        let parsed = try sheets ?? parse(tree, context, options)
        sheets = parsed
        fontFaces(parsed.builder.fontFaces)
        let computer = StyleComputer(
          arena: previous?.arena ?? StyleArena(), viewport: (Float(options.media.width), Float(options.media.height)),
          fontMetrics: fontMetrics, names: names,
          quirks: quirks, isDark: options.media.isDark, resolution: options.media.resolution,
          registeredProperties: parsed.builder.registeredProperties, meter: meter,
          reportsAll: options.reportsAllProperties)
        computer.pageScheme = pageScheme(document)
        let substitution = SubstitutionContext(media: options.media, parser: ParserContext(quirks: quirks, names: names))
        substitution.functions = parsed.builder.functions
        computer.substitutionContext = substitution
        let resolver = StyleResolver(
          tree: tree, context: context, options: options, sheets: parsed, computer: computer,
          grafts: try document.grafts.map { try rules(below: $0.root, tree, context, options) }, advance: previous.map { StyleAdvance($0) })
        try resolver.run()
        try resolver.styleInstances()
        var diagnostics = parsed.diagnostics
        diagnostics.append(contentsOf: resolver.diagnostics)
        var styled = finish(document, names, resolver, parsed, diagnostics)
        if let advance = resolver.advance {
          styled.restyled = advance.restyled
          styled.animationLengths = advance.previous.animationLengths
        }
        return styled
      }
    }
  }

  /// The color schemes from `<meta name=color-scheme>`. https://html.spec.whatwg.org/#meta-color-scheme
  private static func pageScheme(_ document: Document) -> TextStyle.ColorScheme {
    func isWord(_ bytes: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
      bytes.count == word.utf8CodeUnitCount && String(decoding: bytes, as: UTF8.self).lowercased() == "\(word)"
    }
    for index in document.nodes.indices {
      let node = NodeID(raw: UInt32(truncatingIfNeeded: index))
      guard document[node].kind == .element, document[node].name == .meta, document[node].namespace == .html,
        let name = document.attribute(.name, of: node), isWord(name, "color-scheme"), let content = document.attribute(.content, of: node),
        content.count < 1024
      else { continue }
      var scheme: TextStyle.ColorScheme = []
      for word in content.split(whereSeparator: { $0 <= 0x20 }) {
        if isWord(word, "light") { scheme.insert(.light) }
        if isWord(word, "dark") { scheme.insert(.dark) }
      }
      return scheme
    }
    return []
  }

  private static func parse(_ tree: ElementTree, _ context: StyleSheetContext, _ options: Options) throws -> ParsedSheets {
    var diagnostics = DiagnosticLog()
    var collector = StyleSheetCollector(tree: tree, context: context, options: options)
    try collector.collect(&diagnostics)
    let shadows =
      tree.document.shadowRoots.isEmpty
      ? nil : try ShadowSheets(tree, context, options, baseURL: collector.baseURL, &diagnostics)
    return ParsedSheets(
      media: options.media, names: context.names, builder: collector.builder, rules: RuleSet(collector.builder, meter: context.meter),
      baseURL: collector.baseURL, shadows: shadows, diagnostics: diagnostics)
  }

  /// The rules of a grafted document's own sheets.
  private static func rules(
    below root: NodeID, _ tree: ElementTree, _ context: StyleSheetContext, _ options: Options
  ) throws -> RuleSet {
    var collector = StyleSheetCollector(tree: tree, context: context, options: options)
    var ignored = DiagnosticLog(capacity: 0)
    try collector.collect(below: root.raw, &ignored)
    return RuleSet(collector.builder, meter: context.meter)
  }

  private static func finish(
    _ document: Document, _ names: NameInterner, _ resolver: StyleResolver, _ sheets: ParsedSheets, _ diagnostics: DiagnosticLog
  ) -> StyledDocument {
    let builder = sheets.builder
    var rendered = resolver.collector.shadows?.flat.document ?? document
    rendered.names = names.table
    var styled = StyledDocument(document: rendered, arena: resolver.styler.computer.arena, styles: resolver.styles)
    if let shadows = resolver.collector.shadows {
      styled.nodeTree = document
      styled.nodeTree.names = names.table
      styled.trees = shadows.flat.trees
    }
    styled.pseudoStyles = resolver.pseudoStyles
    styled.animationLengths = resolver.styler.animationLengths
    styled.hasAnchoredBoxes = resolver.styler.hasAnchoredBoxes
    styled.positionTries = resolver.styler.triedStyles
    styled.svgInstances = resolver.svgInstances
    styled.svgUses = resolver.svgUses
    styled.fontFaces = builder.fontFaces
    styled.pageRules = builder.pageRules
    styled.counterStyles = (sheets.shadows?.counterStyles ?? []) + builder.counterStyles
    styled.fontFeatureValues = builder.fontFeatureValues
    let asksForSizes = !builder.containers.isEmpty || resolver.styler.usesContainerUnits || sheets.shadows?.hasContainers ?? false
    styled.queryContainers = asksForSizes ? resolver.queryContainers : []
    styled.timelineElements = resolver.styler.timelineElements
    styled.baseURL = sheets.baseURL
    styled.media = resolver.options.media
    styled.diagnostics = diagnostics
    return styled
  }

  // MARK: Single selectors and values

  /// The elements that match a selector, in document order; nil if the selector is invalid.
  ///
  /// https://dom.spec.whatwg.org/#scope-match-a-selectors-string
  ///
  /// - Throws: `DeadlineExceeded`.
  public static func querySelector(_ selector: String, in document: Document, deadline: Deadline = .never) throws -> [NodeID]? {
    let names = NameInterner(table: document.names)
    let list = TokenList(Tokenizer.tokenize(selector))
    var parser = SelectorParser(list: list, names: names, quirks: document.quirksMode == .quirks, store: SelectorStore())
    let meter = WorkMeter(deadline: deadline)
    parser.meter = meter
    guard let heads = parser.parseList(0..<list.count, mode: .normal) else { return try notTooLate(meter) }
    return try ElementTree.with(document, names: names, meter: meter) { tree in
      let matcher = SelectorMatcher(tree: tree, store: parser.store)
      var matches: [NodeID] = []
      var element = tree.root
      while element != ElementInfo.none {
        if heads.contains(where: { matcher.matches($0, element) }) { matches.append(NodeID(raw: element)) }
        try meter.check()
        element = tree.nextInPreOrder(element, within: ElementInfo.none)
      }
      return matches
    }
  }

  /// Returns nil for an invalid selector. Throws if the selector may be valid but the deadline ended parsing.
  private static func notTooLate(_ meter: WorkMeter) throws -> [NodeID]? {
    try meter.check()
    return nil
  }

  /// Whether `value` is a valid value of `property`.
  public static func supports(property: String, value: String) -> Bool {
    let list = TokenList(Tokenizer.tokenize(value))
    let range = list.trimmed(0..<list.count)
    guard !range.isEmpty, range.allSatisfy({ list.kind($0) != .semicolon && list.kind($0) != .openCurly }) else { return false }
    let context = ParserContext(names: NameInterner(table: .known))
    return DeclarationParser.supports(name: Array(property.lowercased().utf8)[...], tokens: range, in: list.buffer, context: context)
  }

  /// Parses a CSS color; nil if `text` is not a color.
  public static func color(_ text: String, isDark: Bool = false) -> Color? {
    let list = TokenList(Tokenizer.tokenize(text))
    let range = list.trimmed(0..<list.count)
    let wideKeywords = ["inherit", "initial", "unset", "revert", "revert-layer", "revert-rule"]
    guard !range.isEmpty, !(range.count == 1 && wideKeywords.contains(list.lowercased(range.lowerBound))) else { return nil }
    guard !range.contains(where: { list.kind($0) == .function && ["var", "env", "attr"].contains(list.lowercased($0)) }) else { return nil }
    let names = NameInterner(table: .known)
    var declarations: [Declaration] = []
    let isValid = DeclarationParser.parse(
      name: Array("color".utf8)[...], tokens: range, in: list.buffer, context: ParserContext(names: names), important: false,
      into: &declarations)
    guard isValid else { return nil }
    let computer = StyleComputer(
      arena: StyleArena(), viewport: (0, 0), fontMetrics: NoFontMetrics(), names: names, quirks: false, isDark: isDark)
    let cascaded = declarations.map { CascadedDeclaration(declaration: $0, origin: .author, layer: 0) }
    return computer.compute(cascaded, parent: nil, root: nil, isRootElement: true).text.color
  }
}

/// Fallback metrics, for values that do not depend on fonts.
private struct NoFontMetrics: FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size * 0.7, zeroAdvance: font.size / 2, icAdvance: font.size,
      normalLineHeight: font.size * 1.15)
  }
}
