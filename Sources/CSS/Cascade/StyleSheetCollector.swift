import OffprintCoreTypes
import OffprintDOM

/// Finds the style sheets of a document in cascade order and parses them.
///
/// https://html.spec.whatwg.org/multipage/semantics.html#the-style-element and #link-type-stylesheet
struct StyleSheetCollector {
  let tree: ElementTree
  let context: StyleSheetContext
  let options: StyleEngine.Options
  private(set) var builder = RuleSetBuilder()
  /// The base URL for the elements visited so far, and finally that of the whole document. A style sheet linked before the `base` element
  /// is fetched before that element is parsed.
  private(set) var baseURL: String
  private var hasBaseElement = false
  /// The title of the first style sheet with a title.
  private var preferredSet: [UInt8]?

  init(tree: ElementTree, context: StyleSheetContext, options: StyleEngine.Options) {
    self.tree = tree
    self.context = context
    self.options = options
    baseURL = options.baseURL
  }

  mutating func collect(_ diagnostics: inout DiagnosticLog) throws {
    try collectProcessingInstructions(&diagnostics)
    try collect(tree: tree.root, &diagnostics)
    for sheet in options.extraSheets { try add(sheet, &diagnostics) }
    reportLimit(&diagnostics)
  }

  /// Collects the style sheets of a shadow tree, given its first element.
  mutating func collect(shadowTree first: UInt32, baseURL: String, _ diagnostics: inout DiagnosticLog) throws {
    self.baseURL = baseURL
    hasBaseElement = true
    try collect(tree: first, &diagnostics)
    reportLimit(&diagnostics)
  }

  private mutating func collect(tree first: UInt32, _ diagnostics: inout DiagnosticLog) throws {
    var element = first
    while element != ElementInfo.none {
      if tree[element].name == .style, tree[element].namespace == .html || tree[element].namespace == .svg {
        try addStyleElement(element, &diagnostics)
      } else if tree.isHTML(element, .link) {
        try addLink(element, &diagnostics)
      } else if tree.isHTML(element, .base) {
        setBase(element)
      }
      element = tree.nextInPreOrder(element, within: ElementInfo.none)
    }
  }

  private func reportLimit(_ diagnostics: inout DiagnosticLog) {
    if builder.isOverLimit {
      diagnostics.report(
        Diagnostic(
          .styleRulesExceeded, .degraded,
          "The page has more style rules than the limit 'styleRules' (\(context.ruleLimit)) allows; the others are ignored."))
    }
  }

  /// Collects the `style` elements of a grafted document.
  mutating func collect(below root: UInt32, _ diagnostics: inout DiagnosticLog) throws {
    var element = root
    while element != ElementInfo.none {
      if tree[element].name == .style, tree[element].namespace == .svg { try addStyleElement(element, &diagnostics) }
      element = tree.nextInPreOrder(element, within: root)
    }
  }

  private mutating func add(_ sheet: StyleSheetSource, _ diagnostics: inout DiagnosticLog) throws {
    try StyleSheetParser.parse(
      sheet, context: context, into: &builder, diagnostics: &diagnostics,
      importChain: sheet.baseURL.isEmpty ? [] : [sheet.name + sheet.baseURL])
  }

  /// Sets the base URL from the first `base` element with `href` outside of shadow trees.
  /// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
  private mutating func setBase(_ element: UInt32) {
    guard !hasBaseElement, let href = tree.attribute(.href, element) else { return }
    hasBaseElement = true
    baseURL = URLReference.resolve(String(decoding: href, as: UTF8.self), against: options.baseURL)
  }

  private func position(_ offset: UInt32) -> SourcePosition? {
    options.source.isEmpty ? nil : Document.position(ofOffset: Int(offset), in: options.source, named: options.sourceName)
  }

  private func mediaMatches(_ element: UInt32) -> Bool {
    guard let media = tree.attribute(.media, element) else { return true }
    return MediaQueryEvaluator.matches(String(decoding: media, as: UTF8.self), context.media)
  }

  /// Whether a style sheet has no title or that of the preferred set, which is the first title.
  /// https://drafts.csswg.org/cssom/#preferred-css-style-sheet-set-name
  private mutating func isOfPreferredSet(_ element: UInt32) -> Bool {
    guard let title = tree.attribute(.title, element), !title.isEmpty else { return true }
    if preferredSet == nil { preferredSet = Array(title) }
    return preferredSet?.elementsEqual(title) == true
  }

  private func isCSS(_ element: UInt32) -> Bool {
    guard let type = tree.attribute(.type, element), !type.isEmpty else { return true }
    return equalsIgnoringCase(type.prefix { $0 != 0x3B && !isHTMLSpace($0) }, "text/css".utf8)
  }

  private mutating func addStyleElement(_ element: UInt32, _ diagnostics: inout DiagnosticLog) throws {
    guard isCSS(element), isOfPreferredSet(element), mediaMatches(element) else { return }
    var bytes: [UInt8] = []
    var start: SourcePosition?
    var child = tree.document.nodes[Int(element)].firstChild
    while !child.isNone {
      let node = tree.document.nodes[child.index]
      if node.kind == .text {
        if bytes.isEmpty { start = position(node.sourceOffset) }
        bytes.append(contentsOf: tree.bytes(node.data))
      }
      child = node.nextSibling
    }
    guard !bytes.isEmpty else { return }
    var sheet = StyleSheetSource(bytes: bytes, baseURL: baseURL, name: options.sourceName, start: start, encoding: "utf-8")
    sheet.ownerParent = tree[element].parent
    try add(sheet, &diagnostics)
  }

  private mutating func addLink(_ element: UInt32, _ diagnostics: inout DiagnosticLog) throws {
    guard let rel = tree.attribute(.rel, element), let href = tree.attribute(.href, element), !href.isEmpty else { return }
    let types = rel.split(whereSeparator: isHTMLSpace)
    guard types.contains(where: { HintValue.isKeyword($0, "stylesheet") }),
      !types.contains(where: { HintValue.isKeyword($0, "alternate") }),
      !tree.hasAttribute(.disabled, element), isCSS(element), isOfPreferredSet(element), mediaMatches(element)
    else { return }
    let charset = tree.attribute(.charset, element).map { String(decoding: $0, as: UTF8.self) }
    let offset = tree.document.nodes[Int(element)].sourceOffset
    try load(String(decoding: href, as: UTF8.self), at: offset, charset, owner: tree[element].parent, &diagnostics)
  }

  private mutating func load(
    _ url: String, at offset: UInt32, _ charset: String?, owner: UInt32 = ElementInfo.none, _ diagnostics: inout DiagnosticLog
  ) throws {
    let request = StyleSheetRequest(url: url, baseURL: baseURL, position: position(offset))
    guard var sheet = context.loader(request) else { return }
    sheet.fallbackEncoding = charset ?? tree.document.encoding
    sheet.ownerParent = owner
    try add(sheet, &diagnostics)
  }

  // MARK: XML

  /// Collects `<?xml-stylesheet href="…"?>` before the root element. https://www.w3.org/TR/xml-stylesheet/
  private mutating func collectProcessingInstructions(_ diagnostics: inout DiagnosticLog) throws {
    let nodes = tree.document.nodes
    var child = nodes.first?.firstChild ?? .none
    while !child.isNone {
      let node = nodes[child.index]
      if node.kind == .processingInstruction, tree.document.names[node.name].elementsEqual("xml-stylesheet".utf8) {
        let data = String(decoding: tree.bytes(node.data), as: UTF8.self)
        let type = Self.pseudoAttribute("type", in: data) ?? "text/css"
        let matches = Self.pseudoAttribute("media", in: data).map { MediaQueryEvaluator.matches($0, context.media) } ?? true
        if type == "text/css", matches, Self.pseudoAttribute("alternate", in: data) != "yes",
          let href = Self.pseudoAttribute("href", in: data)
        {
          try load(href, at: node.sourceOffset, Self.pseudoAttribute("charset", in: data), &diagnostics)
        }
      }
      child = node.nextSibling
    }
  }

  private static func pseudoAttribute(_ name: String, in data: String) -> String? {
    var rest = data[...]
    while let equals = rest.firstIndex(ofByte: "=") {
      let key = rest[..<equals].splitOnASCIIWhitespace().last
      let value = rest.utf8[rest.utf8.index(after: equals)...].drop(while: \.isHTMLSpace)
      guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = value.dropFirst().firstIndex(of: quote)
      else { return nil }
      if key?.hasSameBytes(as: name) == true { return String(Substring(value.dropFirst()[..<end])) }
      rest = Substring(value[value.index(after: end)...])
    }
    return nil
  }
}
