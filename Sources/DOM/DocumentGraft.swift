import OffprintCoreTypes

/// Elements of another document that elements of this one refer to. They have no parent in this document, so tree traversals do not visit
/// them.
public struct DocumentGraft: Sendable {
  /// The URL used by elements of this document, without a fragment.
  public var url: String
  public var root: NodeID
  /// The range of its nodes.
  public var nodes: Range<Int>
}

extension Document {
  /// Adds the elements of `other`.
  package mutating func graft(_ other: Document, as url: String) {
    let root = other.documentElement
    guard !root.isNone else { return }
    let firstNode = UInt32(truncatingIfNeeded: nodes.count), firstAttribute = UInt32(truncatingIfNeeded: attributes.count)
    let firstByte = UInt32(truncatingIfNeeded: text.count)
    func moved(_ node: NodeID) -> NodeID { node.isNone ? node : NodeID(raw: node.raw + firstNode) }
    func moved(_ range: TextRange, by first: UInt32) -> TextRange { TextRange(start: range.start + first, end: range.end + first) }
    var interned: [Name: Name] = [:]
    func name(_ name: Name) -> Name {
      if let same = interned[name] { return same }
      let own = names.intern(Array(other.names[name]))
      interned[name] = own
      return own
    }
    text += other.text
    for var attribute in other.attributes {
      attribute.name = name(attribute.name)
      attribute.value = moved(attribute.value, by: firstByte)
      attributes.append(attribute)
    }
    for var node in other.nodes {
      node.name = name(node.name)
      node.attributes = moved(node.attributes, by: firstAttribute)
      node.data = moved(node.data, by: firstByte)
      (node.parent, node.firstChild, node.lastChild) = (moved(node.parent), moved(node.firstChild), moved(node.lastChild))
      (node.previousSibling, node.nextSibling) = (moved(node.previousSibling), moved(node.nextSibling))
      // The other document's document node has no role here.
      if node.kind == .document { node = Node(kind: .comment) }
      nodes.append(node)
    }
    let place = moved(root)
    nodes[place.index].parent = .none
    nodes[place.index].previousSibling = .none
    nodes[place.index].nextSibling = .none
    grafts.append(DocumentGraft(url: url, root: place, nodes: Int(firstNode)..<nodes.count))
  }
}
