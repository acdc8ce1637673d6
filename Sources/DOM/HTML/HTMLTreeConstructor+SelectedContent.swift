import OffprintCoreTypes

// A select copies its selected option's contents to its `selectedcontent` element; the parsed document contains that copy.
extension HTMLTreeConstructor {
  /// https://html.spec.whatwg.org/multipage/form-elements.html#the-selectedcontent-element
  mutating func mirrorSelectedOptions() throws(LimitExceeded) {
    for index in 0..<nodes.count where isHTML(NodeID(index), .select) && !hasAttribute(.multiple, NodeID(index)) {
      let select = NodeID(index)
      guard let content = firstDescendant(of: select, where: { isHTML($0, .selectedcontent) }), !isInOption(content, of: select) else {
        continue
      }
      guard let option = selectedOption(of: select) else { continue }
      var child = nodes[content.index].firstChild
      while !child.isNone {
        let next = nodes[child.index].nextSibling
        detach(child)
        child = next
      }
      try cloneChildren(of: option, into: content)
    }
  }

  private func isHTML(_ node: NodeID, _ name: Name) -> Bool {
    nodes[node.index].kind == .element && nodes[node.index].namespace == .html && nodes[node.index].name == name
  }

  private func hasAttribute(_ name: Name, _ node: NodeID) -> Bool { attributeValue(name, in: nodes[node.index].attributes) != nil }

  private func isInOption(_ node: NodeID, of select: NodeID) -> Bool {
    var parent = nodes[node.index].parent
    while !parent.isNone, parent != select {
      if isHTML(parent, .option) { return true }
      parent = nodes[parent.index].parent
    }
    return false
  }

  /// The last option with `selected`, otherwise the first one that is not disabled.
  private func selectedOption(of select: NodeID) -> NodeID? {
    var first: NodeID?
    var selected: NodeID?
    var node = next(after: select, in: select)
    while !node.isNone {
      if isHTML(node, .option) {
        if hasAttribute(.selected, node) { selected = node }
        if first == nil, !hasAttribute(.disabled, node) { first = node }
      }
      node = next(after: node, in: select)
    }
    return selected ?? first
  }

  private func firstDescendant(of root: NodeID, where matches: (NodeID) -> Bool) -> NodeID? {
    var node = next(after: root, in: root)
    while !node.isNone {
      if matches(node) { return node }
      node = next(after: node, in: root)
    }
    return nil
  }

  /// The next node in document order below `root`, without the contents of nested selects.
  private func next(after node: NodeID, in root: NodeID) -> NodeID {
    if !nodes[node.index].firstChild.isNone, node == root || !isHTML(node, .select) { return nodes[node.index].firstChild }
    var node = node
    while node != root, !node.isNone {
      if !nodes[node.index].nextSibling.isNone { return nodes[node.index].nextSibling }
      node = nodes[node.index].parent
    }
    return .none
  }

  private mutating func cloneChildren(of source: NodeID, into target: NodeID) throws(LimitExceeded) {
    var work = [(source, target)]
    while let (from, to) = work.popLast() {
      var child = nodes[from.index].firstChild
      while !child.isNone {
        guard nodes.count < limits.nodes else { throw LimitExceeded(limit: "nodes", allowed: limits.nodes) }
        let copy = makeNode(nodes[child.index].kind)
        let original = nodes[child.index]
        nodes[copy.index].name = original.name
        nodes[copy.index].namespace = original.namespace
        nodes[copy.index].attributes = original.attributes
        nodes[copy.index].data = original.data
        nodes[copy.index].sourceOffset = original.sourceOffset
        append(copy, to: to)
        if !original.firstChild.isNone { work.append((child, copy)) }
        child = original.nextSibling
      }
    }
  }
}
