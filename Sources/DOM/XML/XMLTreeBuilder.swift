import COffprintLibXML2
import OffprintCoreTypes

/// Builds a document from libxml2's SAX2 events, which occur during `run`. Must be used by one thread.
final class XMLTreeBuilder {
  private(set) var document: Document
  private(set) var exceedsNodes = false
  /// The first fatal error.
  private(set) var failure: (message: String, offset: Int)?

  private let source: [UInt8]
  private let nodeLimit: Int
  private static let attributeLimit = 5000
  private var parents: [NodeID] = [.document]
  private var context: LibXML2.Context?
  private var library: LibXML2?

  init(source: [UInt8], options: HTMLParserOptions) {
    self.source = source
    nodeLimit = options.limits.nodes
    document = Document(names: options.names)
    document.isHTML = false
    document.text.reserveCapacity(source.count)
  }

  func run(_ library: LibXML2) {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(truncatingIfNeeded: XML_SAX2_MAGIC)
    setEvents(of: &handler)
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard let context = library.createPushParser(&handler, this, nil, 0, nil) else { return }
    defer { library.freeParser(context) }
    self.context = context
    self.library = library
    defer { self.context = nil }
    let options = XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_IGNORE_ENC
    _ = library.useOptions(context, Int32(options))
    source.withUnsafeBytes { source in
      let start = source.bindMemory(to: CChar.self).baseAddress
      var offset = 0
      let end = excessiveTag() ?? source.count
      while offset < end, failure == nil, !exceedsNodes {
        let count = min(end - offset, 1 << 16)
        _ = library.parseChunk(context, start.map { $0 + offset }, Int32(count), 0)
        offset += count
      }
      guard failure == nil, !exceedsNodes else { return }
      _ = library.parseChunk(context, nil, 0, 1)
      if end < source.count { failure = ("a tag with more than \(Self.attributeLimit) attributes", end) }
    }
  }

  /// The start of a tag with so many attributes that libxml2, which compares all pairs of names, would take too long.
  private func excessiveTag() -> Int? {
    var index = 0
    while index < source.count {
      let start = index
      index += 1
      guard source[start] == UInt8(ascii: "<"), index < source.count, source[index].isASCIILetter || source[index] >= 0x80 else { continue }
      var values = 0
      while index < source.count, source[index] != UInt8(ascii: ">"), source[index] != UInt8(ascii: "<") {
        let quote = source[index]
        index += 1
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
        values += 1
        while index < source.count, source[index] != quote, source[index] != UInt8(ascii: "<") { index += 1 }
        if index < source.count, source[index] == quote { index += 1 }
      }
      if values > Self.attributeLimit { return start }
    }
    return nil
  }

  // MARK: Nodes

  func appendNode(_ kind: NodeKind, _ change: (inout Node) -> Void) -> NodeID? {
    guard failure == nil, document.nodes.count < nodeLimit else {
      if failure == nil { stop() }
      return nil
    }
    let parent = parents.last ?? .document
    let id = NodeID(document.nodes.count)
    var node = Node(kind: kind)
    node.parent = parent
    node.previousSibling = document.nodes[parent.index].lastChild
    change(&node)
    document.nodes.append(node)
    if node.previousSibling.isNone {
      document.nodes[parent.index].firstChild = id
    } else {
      document.nodes[node.previousSibling.index].nextSibling = id
    }
    document.nodes[parent.index].lastChild = id
    return id
  }

  private func stop() {
    exceedsNodes = true
    if let context, let library { library.stopParser(context) }
  }

  func startElement(_ name: Name, _ namespace: Namespace, _ attributes: TextRange) {
    let offset = tagStart()
    guard
      let element = appendNode(
        .element,
        {
          $0.name = name
          $0.namespace = namespace
          $0.attributes = attributes
          $0.sourceOffset = offset
        })
    else { return }
    parents.append(element)
    guard namespace == .html, name == .template, let contents = appendNode(.documentFragment, { _ in }) else { return }
    parents.append(contents)
  }

  func endElement() {
    guard failure == nil, parents.count > 1 else { return }
    if let last = parents.last, document.nodes[last.index].kind == .documentFragment { parents.removeLast() }
    if parents.count > 1 { parents.removeLast() }
  }

  func appendText(_ text: UnsafeBufferPointer<UInt8>) {
    guard failure == nil, let parent = parents.last, parent != .document else { return }
    let last = document.nodes[parent.index].lastChild
    if !last.isNone, document.nodes[last.index].kind == .text, Int(document.nodes[last.index].data.end) == document.text.count {
      document.text.append(contentsOf: text)
      document.nodes[last.index].data.end = UInt32(truncatingIfNeeded: document.text.count)
    } else {
      let range = appendBytes(text)
      _ = appendNode(.text) { $0.data = range }
    }
  }

  func appendBytes(_ text: UnsafeBufferPointer<UInt8>) -> TextRange {
    let start = document.text.count
    document.text.append(contentsOf: text)
    return TextRange(from: start, to: document.text.count)
  }

  func appendAttribute(_ name: Name, _ namespace: Namespace, _ value: TextRange) {
    document.attributes.append(Attribute(name: name, namespace: namespace, value: value))
  }

  func intern(_ text: UnsafeBufferPointer<UInt8>) -> Name { document.names.intern(text) }

  var attributeCount: Int { document.attributes.count }

  func report(_ message: String) {
    if failure == nil { failure = (message, consumed) }
  }

  // MARK: Offsets

  private var consumed: Int {
    guard let context, let library else { return 0 }
    return min(max(library.byteConsumed(context), 0), source.count)
  }

  /// The start of the current start tag: the last `<`, because attribute values cannot contain one.
  private func tagStart() -> UInt32 {
    var offset = min(consumed, source.count)
    while offset > 0, source[offset - 1] != UInt8(ascii: "<") { offset -= 1 }
    return UInt32(truncatingIfNeeded: max(offset - 1, 0))
  }
}
