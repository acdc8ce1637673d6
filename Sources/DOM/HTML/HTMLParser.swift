public import OffprintCoreTypes

/// The options of a parser.
public struct HTMLParserOptions: Sendable {
  public var limits: Limits
  /// The initial name table, which must begin like `NameTable.known`.
  public var names: NameTable
  /// The encoding specified by the transport layer, such as a response's `charset`. A byte order mark takes precedence over it, and it
  /// takes precedence over `<meta>`.
  public var encodingLabel: String?

  public init(limits: Limits = Limits(), names: NameTable = .known, encodingLabel: String? = nil) {
    self.limits = limits
    self.names = names
    self.encodingLabel = encodingLabel
  }
}

extension Diagnostic.Code {
  /// Bytes that are invalid in the page's encoding were replaced by U+FFFD.
  public static let invalidEncoding: Self = "dom.invalid-encoding"
  /// The page declares an unknown encoding.
  public static let unknownEncoding: Self = "dom.unknown-encoding"
  /// Elements nested deeper than the limit became siblings.
  public static let depthFlattened: Self = "dom.depth-flattened"
  /// The XML is not well-formed; the tree ends at the error.
  public static let notWellFormed: Self = "dom.not-well-formed"
}

/// Parses HTML by the standard's algorithm, with scripting disabled.
///
/// https://html.spec.whatwg.org/multipage/parsing.html
public struct HTMLParser {
  /// Parses a page.
  public static func parse(
    _ bytes: [UInt8], options: HTMLParserOptions = HTMLParserOptions(), diagnostics: inout DiagnosticLog
  ) throws(LimitExceeded) -> Document {
    try parse(bytes, context: nil, options, &diagnostics)
  }

  /// Parses a fragment as if it were set as the inner HTML of an element named `context`. The fragment's nodes are the children of the
  /// document node.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#html-fragment-parsing-algorithm
  public static func parseFragment(
    _ bytes: [UInt8], context: Name = .body, options: HTMLParserOptions = HTMLParserOptions(), diagnostics: inout DiagnosticLog
  ) throws(LimitExceeded) -> Document {
    try parse(bytes, context: context, options, &diagnostics)
  }

  private static func parse(
    _ bytes: [UInt8], context: Name?, _ options: HTMLParserOptions, _ diagnostics: inout DiagnosticLog
  ) throws(LimitExceeded) -> Document {
    let input = try DecodedInput(bytes, encodingLabel: options.encodingLabel, limits: options.limits, &diagnostics)
    var document = try input.bytes.withUnsafeBufferPointer { source throws(LimitExceeded) -> Document in
      var constructor = HTMLTreeConstructor(source: source, names: options.names, limits: options.limits)
      if let context { constructor.prepare(context: context) }
      try constructor.run()
      return constructor.finish()
    }
    input.offsets.restoreOffsets(&document)
    document.encoding = input.encoding.name
    document.limitDepth(options.limits.depth, &diagnostics)
    return document
  }
}

extension HTMLTreeConstructor {
  /// https://html.spec.whatwg.org/multipage/parsing.html#html-fragment-parsing-algorithm
  mutating func prepare(context name: Name) {
    context = name
    switch name {
    case .title, .textarea: tokenizer.contentModel = .rcdata
    case .style, .xmp, .iframe, .noembed, .noframes: tokenizer.contentModel = .rawtext
    case .script: tokenizer.contentModel = .scriptData
    case .plaintext: tokenizer.contentModel = .plaintext
    default: break
    }
    insertElement(.html)
    if name == .template { templateModes.append(.inTemplate) }
    resetInsertionMode()
  }

  /// Removes the root element that is only needed while parsing a fragment, and returns the document.
  mutating func finish() -> Document {
    if context != nil, let root = open.first?.node ?? firstElement {
      detach(root)
      moveChildren(of: root, to: .document)
    }
    var document = Document(names: tokenizer.names)
    document.shadowRoots = finishShadowRoots()
    document.nodes = nodes
    document.attributes = tokenizer.attributes
    document.text = tokenizer.text
    document.quirksMode = quirksMode
    return document
  }

  private var firstElement: NodeID? {
    var node = nodes[0].firstChild
    while !node.isNone, nodes[node.index].kind != .element { node = nodes[node.index].nextSibling }
    return node.isNone ? nil : node
  }
}
