public import OffprintCoreTypes

extension Document {
  @inlinable public subscript(node: NodeID) -> Node { _read { yield nodes[node.index] } }

  /// The root element; `none` for an empty document.
  public var documentElement: NodeID { firstElementChild(of: .document) }

  /// The body element or the frameset; `none` without either.
  public var body: NodeID {
    let root = documentElement
    guard !root.isNone else { return .none }
    return elementChildren(of: root).first { isHTMLElement($0, .body) || isHTMLElement($0, .frameset) } ?? .none
  }

  public var head: NodeID {
    let root = documentElement
    guard !root.isNone else { return .none }
    return elementChildren(of: root).first { isHTMLElement($0, .head) } ?? .none
  }

  @inlinable public func isElement(_ node: NodeID) -> Bool { nodes[node.index].kind == .element }

  @inlinable public func isHTMLElement(_ node: NodeID, _ name: Name) -> Bool {
    nodes[node.index].name == name && nodes[node.index].namespace == .html && nodes[node.index].kind == .element
  }

  // MARK: Neighbors

  /// The children in order. The sequence retains the node array, not a copy of the document.
  @inlinable public func children(of node: NodeID) -> ChildSequence { ChildSequence(nodes: nodes, next: nodes[node.index].firstChild) }

  /// The child elements in order.
  @inlinable public func elementChildren(of node: NodeID) -> ElementChildSequence {
    ElementChildSequence(nodes: nodes, next: nodes[node.index].firstChild)
  }

  /// The parent if it is an element, otherwise `none`.
  @inlinable public func parentElement(of node: NodeID) -> NodeID {
    let parent = nodes[node.index].parent
    return !parent.isNone && nodes[parent.index].kind == .element ? parent : .none
  }

  @inlinable public func firstElementChild(of node: NodeID) -> NodeID { element(from: nodes[node.index].firstChild) { $0.nextSibling } }
  @inlinable public func lastElementChild(of node: NodeID) -> NodeID { element(from: nodes[node.index].lastChild) { $0.previousSibling } }

  @inlinable func element(from start: NodeID, _ step: (Node) -> NodeID) -> NodeID {
    var node = start
    while !node.isNone, nodes[node.index].kind != .element { node = step(nodes[node.index]) }
    return node
  }

  /// The node after `node` in document order, below `root` (by default in the whole document); `none` at the end. With `skippingChildren`,
  /// the one after its descendants.
  @inlinable public func nextInPreOrder(
    _ node: NodeID, within root: NodeID = .document, skippingChildren: Bool = false
  ) -> NodeID {
    if !skippingChildren, !nodes[node.index].firstChild.isNone { return nodes[node.index].firstChild }
    var current = node
    while current != root, !current.isNone {
      let next = nodes[current.index].nextSibling
      if !next.isNone { return next }
      current = nodes[current.index].parent
    }
    return .none
  }

  // MARK: Data

  /// The bytes of a text node, comment or processing instruction.
  public func data(of node: NodeID) -> ArraySlice<UInt8> { bytes(nodes[node.index].data) }

  @inlinable public func bytes(_ range: TextRange) -> ArraySlice<UInt8> {
    range.range.upperBound <= text.count ? text[range.range] : []
  }

  /// Calls `body` with the bytes of `range`, without copying or retaining them.
  @inlinable public func withBytes<R>(_ range: TextRange, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try text.withUnsafeBufferPointer { text in
      try body(
        range.range.upperBound <= text.count ? UnsafeBufferPointer(rebasing: text[range.range]) : UnsafeBufferPointer(rebasing: text[..<0]))
    }
  }

  /// The attribute `name` in a namespace, by default none; nil if it is missing.
  @inlinable public func attributeRecord(_ name: Name, _ namespace: Namespace = .none, of node: NodeID) -> Attribute? {
    guard nodes[node.index].kind == .element else { return nil }
    let range = nodes[node.index].attributes
    var index = range.start
    while index < range.end {
      let attribute = attributes[Int(index)]
      if attribute.name == name, attribute.namespace == namespace { return attribute }
      index += 1
    }
    return nil
  }

  /// The value of the attribute `name` in no namespace; nil if it is missing.
  @inlinable public func attribute(_ name: Name, of node: NodeID) -> ArraySlice<UInt8>? {
    attributeRecord(name, of: node).map { bytes($0.value) }
  }

  @inlinable public func attribute(_ name: Name, _ namespace: Namespace, of node: NodeID) -> ArraySlice<UInt8>? {
    attributeRecord(name, namespace, of: node).map { bytes($0.value) }
  }

  @inlinable public func hasAttribute(_ name: Name, of node: NodeID) -> Bool { attributeRecord(name, of: node) != nil }

  /// An element's attributes in source order.
  @inlinable public func attributes(of node: NodeID) -> ArraySlice<Attribute> {
    nodes[node.index].kind == .element ? attributes[nodes[node.index].attributes.range] : []
  }

  /// The concatenated text of all text nodes below `node`.
  ///
  /// https://dom.spec.whatwg.org/#concept-descendant-text-content
  public func textContent(of node: NodeID) -> [UInt8] {
    if nodes[node.index].kind == .text || nodes[node.index].kind == .comment { return Array(data(of: node)) }
    var content: [UInt8] = []
    var next = nextInPreOrder(node, within: node)
    while !next.isNone {
      if nodes[next.index].kind == .text { content.append(contentsOf: data(of: next)) }
      next = nextInPreOrder(next, within: node, skippingChildren: nodes[next.index].kind == .documentFragment)
    }
    return content
  }

  /// A doctype's identifiers; nil if it has none.
  public func doctypeIdentifiers(of node: NodeID) -> (publicID: ArraySlice<UInt8>, systemID: ArraySlice<UInt8>)? {
    guard nodes[node.index].kind == .doctype, let system = attributes[nodes[node.index].attributes.range].first else { return nil }
    return (bytes(nodes[node.index].data), bytes(system.value))
  }
}

/// A node's children in order.
@frozen public struct ChildSequence: Sequence, IteratorProtocol {
  @usableFromInline let nodes: [Node]
  @usableFromInline var nextChild: NodeID
  @inlinable init(nodes: [Node], next: NodeID) {
    self.nodes = nodes
    nextChild = next
  }
  @inlinable public mutating func next() -> NodeID? {
    guard !nextChild.isNone else { return nil }
    defer { nextChild = nodes[nextChild.index].nextSibling }
    return nextChild
  }
}

/// A node's child elements in order.
@frozen public struct ElementChildSequence: Sequence, IteratorProtocol {
  @usableFromInline let nodes: [Node]
  @usableFromInline var nextChild: NodeID
  @inlinable init(nodes: [Node], next: NodeID) {
    self.nodes = nodes
    nextChild = next
  }
  @inlinable public mutating func next() -> NodeID? {
    while !nextChild.isNone {
      let child = nextChild
      nextChild = nodes[child.index].nextSibling
      if nodes[child.index].kind == .element { return child }
    }
    return nil
  }
}
