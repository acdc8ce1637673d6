import OffprintCoreTypes

extension Document {
  /// The tree in the text format of html5lib-tests: one line per node, `| ` and two spaces per level, attributes sorted.
  public func html5libDump() -> String { String(decoding: html5libDumpBytes(), as: UTF8.self) }

  /// The same text as UTF-8 bytes.
  public func html5libDumpBytes() -> [UInt8] { html5libDumpBytes { _ in } }

  /// - Parameter spend: Called with the number of bytes added; an error it throws ends the dump.
  package func html5libDumpBytes(_ spend: (Int) throws -> Void) rethrows -> [UInt8] {
    var dump: [UInt8] = []
    dump.reserveCapacity(text.count + nodes.count * 16)
    var depth = 0
    var node = nodes[0].firstChild
    while !node.isNone {
      let before = dump.count
      dumpNode(node, depth, &dump)
      try spend(dump.count - before)
      if let first = firstDumped(node) {
        node = first
        depth += 1
        continue
      }
      while !node.isNone, nextDumped(node).isNone {
        node = nodes[node.index].parent
        depth -= 1
      }
      if !node.isNone { node = nextDumped(node) }
    }
    if dump.last == 0x0A { dump.removeLast() }
    return dump
  }

  /// A shadow root is listed before its host's children.
  private func firstDumped(_ node: NodeID) -> NodeID? {
    if !shadowRoots.isEmpty, let shadow = shadowRootIndex(of: node) { return shadowRoots[shadow].root }
    return nodes[node.index].firstChild.isNone ? nil : nodes[node.index].firstChild
  }

  private func nextDumped(_ node: NodeID) -> NodeID {
    guard nodes[node.index].kind == .shadowRoot else { return nodes[node.index].nextSibling }
    return nodes[nodes[node.index].parent.index].firstChild
  }

  private func dumpNode(_ id: NodeID, _ depth: Int, _ dump: inout [UInt8]) {
    let node = nodes[id.index]
    dump.append(contentsOf: "| ".utf8)
    dump.append(contentsOf: repeatElement(0x20, count: max(depth, 0) * 2))
    switch node.kind {
    case .element:
      dump.append(contentsOf: "<".utf8)
      if node.namespace == .svg { dump.append(contentsOf: "svg ".utf8) }
      if node.namespace == .mathML { dump.append(contentsOf: "math ".utf8) }
      dump.append(contentsOf: names[node.name])
      dump.append(contentsOf: ">".utf8)
      dumpAttributes(node.attributes, depth + 1, &dump)
    case .text:
      dump.append(contentsOf: "\"".utf8)
      dump.append(contentsOf: bytes(node.data))
      dump.append(contentsOf: "\"".utf8)
    case .comment:
      dump.append(contentsOf: "<!-- ".utf8)
      dump.append(contentsOf: bytes(node.data))
      dump.append(contentsOf: " -->".utf8)
    case .processingInstruction:
      dump.append(contentsOf: "<?".utf8)
      dump.append(contentsOf: names[node.name])
      dump.append(contentsOf: " ".utf8)
      dump.append(contentsOf: bytes(node.data))
      dump.append(contentsOf: ">".utf8)
    case .doctype:
      dump.append(contentsOf: "<!DOCTYPE ".utf8)
      dump.append(contentsOf: names[node.name])
      if let (publicID, systemID) = doctypeIdentifiers(of: id) {
        for identifier in [publicID, systemID] {
          dump.append(contentsOf: " \"".utf8)
          dump.append(contentsOf: identifier)
          dump.append(contentsOf: "\"".utf8)
        }
      }
      dump.append(contentsOf: ">".utf8)
    case .documentFragment: dump.append(contentsOf: "content".utf8)
    case .shadowRoot:
      let isOpen = shadowRootIndex(of: node.parent).map { shadowRoots[$0].isOpen } ?? true
      dump.append(contentsOf: isOpen ? "#shadow-root (open)".utf8 : "#shadow-root (closed)".utf8)
    case .document: dump.append(contentsOf: "#document".utf8)
    }
    dump.append(0x0A)
  }

  private func dumpAttributes(_ range: TextRange, _ depth: Int, _ dump: inout [UInt8]) {
    guard !range.isEmpty else { return }
    let sorted = attributes[range.range].map { (label($0), $0.value) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    for (label, value) in sorted {
      dump.append(contentsOf: "\n| ".utf8)
      dump.append(contentsOf: repeatElement(0x20, count: depth * 2))
      dump.append(contentsOf: label)
      dump.append(contentsOf: "=\"".utf8)
      dump.append(contentsOf: bytes(value))
      dump.append(contentsOf: "\"".utf8)
    }
  }

  private func label(_ attribute: Attribute) -> [UInt8] {
    let prefix: StaticString =
      switch attribute.namespace {
      case .xlink: "xlink "
      case .xml: "xml "
      case .xmlns: "xmlns "
      default: ""
      }
    return Array(UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)) + names[attribute.name]
  }
}
