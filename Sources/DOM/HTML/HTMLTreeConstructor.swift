import OffprintCoreTypes

/// https://html.spec.whatwg.org/multipage/parsing.html#the-insertion-mode
enum InsertionMode: UInt8 {
  case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable, inTableText, inCaption, inColumnGroup
  case inTableBody, inRow, inCell, inTemplate, afterBody, inFrameset, afterFrameset, afterAfterBody, afterAfterFrameset
}

/// An entry of the stack of open elements.
struct OpenElement {
  var node: NodeID
  var name: Name
  /// The name of its end tag. Differs from `name` in foreign content, where the case of names is restored.
  var tagName: Name
  var namespace: Namespace
  var traits: ElementTraits
}

/// An entry of the list of active formatting elements.
struct FormattingEntry {
  var node: NodeID
  /// Equal for elements with equal names and attributes, in any order; collisions are rare.
  var fingerprint: UInt64

  var isMarker: Bool { node.isNone }
  static let marker = FormattingEntry(node: .none, fingerprint: 0)
}

/// The result of processing a token: done, or to be dispatched again with another insertion mode or other text.
enum Outcome { case done, reprocess }

/// The tree construction stage: builds the arena from the tokenizer's tokens.
///
/// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
struct HTMLTreeConstructor {
  var tokenizer: HTMLTokenizer
  var nodes: [Node]
  var open: [OpenElement] = []
  var formatting: [FormattingEntry] = []
  var mode = InsertionMode.initial
  var originalMode = InsertionMode.initial
  var templateModes: [InsertionMode] = []
  var head = NodeID.none
  var form = NodeID.none
  var framesetOK = true
  var fosterParenting = false
  var ignoresLineFeed = false
  var pendingTableText: [TextRange] = []
  var quirksMode = QuirksMode.noQuirks
  var isStopped = false
  /// Whether a `selectedcontent` element was created, so that selects may have to copy their option.
  var hasSelectedContent = false
  /// The name of the context element, for fragments.
  var context: Name?
  /// The end up to which a moved text node can grow in place.
  var textReserves: [NodeID: UInt32] = [:]
  /// The number of open elements of each known name, because most searches in scope find nothing.
  var openCounts: [UInt32]
  var foreignNames: ForeignNames?
  var shadowRoots: [ShadowRoot] = []
  var shadowHosts: Set<NodeID> = []

  let limits: Limits
  let sourceCount: Int
  let traits = ElementTraits.byName
  let startTags = BodyStartTag.byName
  let endTags = BodyEndTag.byName
  /// These limits bound the lists that each token may search, so that parsing takes linear time. Real pages remain far below them. The
  /// depth of the tree is limited separately.
  let openLimit: Int
  static let formattingLimit = 256
  static let mergedAttributesLimit = 256

  init(source: UnsafeBufferPointer<UInt8>, names: NameTable, limits: Limits) {
    tokenizer = HTMLTokenizer(source: source, names: names)
    nodes = [Node(kind: .document)]
    nodes.reserveCapacity(min(source.count / 24 + 16, limits.nodes))
    openCounts = Array(repeating: 0, count: ElementTraits.byName.count)
    self.limits = limits
    sourceCount = source.count
    openLimit = max(limits.depth, 512) * 2
  }

  var token: HTMLToken {
    @inline(__always) get { tokenizer.token }
    @inline(__always) _modify { yield &tokenizer.token }
  }

  /// Parses to the end.
  mutating func run() throws(LimitExceeded) {
    while !isStopped {
      tokenizer.allowsCDATA = open.last.map { $0.namespace != .html } ?? false
      tokenizer.next()
      if ignoresLineFeed {
        ignoresLineFeed = false
        if token.kind == .text, tokenizer.text[Int(token.data.start)] == 0x0A {
          token.data.start += 1
          if token.data.isEmpty { continue }
        }
      }
      while dispatch() == .reprocess {}
      guard nodes.count <= limits.nodes else { throw LimitExceeded(limit: "nodes", allowed: limits.nodes) }
    }
    if hasSelectedContent { try mirrorSelectedOptions() }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction-dispatcher
  private mutating func dispatch() -> Outcome {
    guard let current = open.last, current.namespace != .html, token.kind != .endOfFile else { return processInMode() }
    let isText = token.kind == .text || token.kind == .null
    if current.traits.contains(.mathMLTextIntegrationPoint) {
      if isText || token.kind == .startTag && token.name != .mglyph && token.name != .malignmark { return processInMode() }
    }
    if token.kind == .startTag, token.name == .svg, current.namespace == .mathML, current.name == .annotationXml { return processInMode() }
    if current.traits.contains(.htmlIntegrationPoint), isText || token.kind == .startTag { return processInMode() }
    return inForeignContent()
  }

  mutating func processInMode() -> Outcome {
    switch mode {
    case .inBody: inBody()
    case .text: inText()
    case .inTable: inTable()
    case .inTableText: inTableText()
    case .inTableBody: inTableBody()
    case .inRow: inRow()
    case .inCell: inCell()
    case .inCaption: inCaption()
    case .inColumnGroup: inColumnGroup()
    case .inTemplate: inTemplate()
    case .initial: initial()
    case .beforeHTML: beforeHTML()
    case .beforeHead: beforeHead()
    case .inHead: inHead()
    case .inHeadNoscript: inHeadNoscript()
    case .afterHead: afterHead()
    case .afterBody: afterBody()
    case .inFrameset: inFrameset()
    case .afterFrameset: afterFrameset()
    case .afterAfterBody: afterAfterBody()
    case .afterAfterFrameset: afterAfterFrameset()
    }
  }

  // MARK: Token text

  @inline(__always)
  func isSpace(at index: UInt32) -> Bool { tokenizer.text[Int(index)].isHTMLSpace }

  /// Removes the whitespace at the beginning of the token's text, and returns it.
  mutating func takeLeadingSpace() -> TextRange {
    var end = token.data.start
    while end < token.data.end, isSpace(at: end) { end += 1 }
    let space = TextRange(start: token.data.start, end: end)
    token.data.start = end
    return space
  }

  func isSpace(_ range: TextRange) -> Bool { (range.start..<max(range.start, range.end)).allSatisfy { isSpace(at: $0) } }

  /// Inserts only the whitespace of a text token.
  mutating func insertOnlySpace(_ insert: (inout HTMLTreeConstructor, TextRange) -> Void) {
    while !token.data.isEmpty {
      let space = takeLeadingSpace()
      if !space.isEmpty { insert(&self, space) }
      while !token.data.isEmpty, !isSpace(at: token.data.start) { token.data.start += 1 }
    }
  }

  // MARK: Token attribute values

  func attributeValue(_ name: Name, in range: TextRange) -> ArraySlice<UInt8>? {
    for attribute in tokenizer.attributes[range.range] where attribute.name == name && attribute.namespace == .none {
      return tokenizer.text[attribute.value.range]
    }
    return nil
  }

  func attribute(_ name: Name, in range: TextRange, equals expected: StaticString) -> Bool {
    guard let value = attributeValue(name, in: range), value.count == expected.utf8CodeUnitCount else { return false }
    return zip(value, 0...).allSatisfy { $0.asciiLowercased == expected.utf8Start[$1] }
  }
}
