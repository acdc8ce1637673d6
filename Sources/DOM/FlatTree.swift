import OffprintCoreTypes

/// The flat tree of a document with shadow trees: hosts contain their shadow trees, and slots the nodes assigned to them.
///
/// https://drafts.csswg.org/css-scoping-1/#flat-tree
package struct FlatTree {
  /// The same nodes, linked as in the flat tree, without shadow roots.
  package private(set) var document: Document
  /// The slots that nodes are assigned to.
  package private(set) var slots: [NodeID: NodeID] = [:]
  /// By node: the number of its shadow tree, from 1, or 0 for the document tree.
  package private(set) var trees: [UInt32]

  package init(_ document: Document) {
    self.document = document
    trees = Array(repeating: 0, count: document.nodes.count)
    self.document.shadowRoots = []
    for (number, shadow) in document.shadowRoots.enumerated() {
      let slots = findSlots(in: shadow.root, UInt32(truncatingIfNeeded: number + 1), document)
      assign(document.children(of: shadow.host), to: slots, document)
      link(Array(document.children(of: shadow.root)), to: shadow.host)
    }
  }

  /// The first slot for each name. https://dom.spec.whatwg.org/#find-a-slot
  private mutating func findSlots(in root: NodeID, _ tree: UInt32, _ document: Document) -> [[UInt8]: NodeID] {
    var found: [[UInt8]: NodeID] = [:]
    var node = document.nextInPreOrder(root, within: root)
    while !node.isNone {
      trees[node.index] = tree
      if document.isHTMLElement(node, .slot) {
        let name = document.attribute(.name, of: node).map { Array($0) } ?? []
        if found[name] == nil { found[name] = node }
      }
      node = document.nextInPreOrder(node, within: root, skippingChildren: document[node].kind == .documentFragment)
    }
    return found
  }

  /// Children that are not assigned to a slot are not rendered. https://dom.spec.whatwg.org/#assign-slotables
  private mutating func assign(_ children: ChildSequence, to slots: [[UInt8]: NodeID], _ document: Document) {
    var assigned: [(slot: NodeID, nodes: [NodeID])] = []
    var numbers: [NodeID: Int] = [:]
    for child in children {
      unlink(child)
      guard document[child].kind == .element || document[child].kind == .text else { continue }
      let name = document.attribute(.slot, of: child).map { Array($0) } ?? []
      guard let slot = slots[name] else { continue }
      let number = numbers[slot] ?? assigned.count
      if number == assigned.count { assigned.append((slot, [])) }
      numbers[slot] = number
      assigned[number].nodes.append(child)
      self.slots[child] = slot
    }
    // A slot without assigned nodes keeps its own children as fallback content.
    for (slot, nodes) in assigned { link(nodes, to: slot) }
  }

  private mutating func unlink(_ node: NodeID) {
    document.nodes[node.index].parent = .none
    document.nodes[node.index].previousSibling = .none
    document.nodes[node.index].nextSibling = .none
  }

  /// Makes `children` the children of `parent`.
  private mutating func link(_ children: [NodeID], to parent: NodeID) {
    document.nodes[parent.index].firstChild = children.first ?? .none
    document.nodes[parent.index].lastChild = children.last ?? .none
    for (index, child) in children.enumerated() {
      document.nodes[child.index].parent = parent
      document.nodes[child.index].previousSibling = index > 0 ? children[index - 1] : .none
      document.nodes[child.index].nextSibling = index + 1 < children.count ? children[index + 1] : .none
    }
  }
}
