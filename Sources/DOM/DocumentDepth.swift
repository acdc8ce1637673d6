import OffprintCoreTypes

extension Document {
  /// Makes elements nested deeper than `limit` siblings of the element at that depth, in document order. Chromium's parser does the same at
  /// its own limit of 512.
  mutating func limitDepth(_ limit: Int, _ diagnostics: inout DiagnosticLog) {
    var isFlattened = flatten(.document, at: 0, max(limit, 2))
    for shadow in shadowRoots where flatten(shadow.root, at: depth(of: shadow.host) + 1, max(limit, 2)) { isFlattened = true }
    if isFlattened {
      diagnostics.report(
        Diagnostic(.depthFlattened, .note, "elements nested deeper than \(limit) were made siblings; raise the depth limit to keep them"))
    }
  }

  /// The number of ancestors, including those through shadow roots.
  private func depth(of node: NodeID) -> Int {
    var depth = 0
    var ancestor = nodes[node.index].parent
    while !ancestor.isNone {
      depth += 1
      ancestor = nodes[ancestor.index].parent
    }
    return depth
  }

  /// - Returns: Whether a node below `root` was moved.
  private mutating func flatten(_ root: NodeID, at start: Int, _ limit: Int) -> Bool {
    var depth = start
    var node = root
    var isFlattened = false
    while true {
      if depth >= limit, node != root, hoistElements(below: node) { isFlattened = true }
      if !nodes[node.index].firstChild.isNone {
        node = nodes[node.index].firstChild
        depth += 1
        continue
      }
      while !node.isNone, node != root, nodes[node.index].nextSibling.isNone {
        node = nodes[node.index].parent
        depth -= 1
      }
      if node.isNone || node == root { return isFlattened }
      node = nodes[node.index].nextSibling
    }
  }

  /// Moves the first child that is not text, and everything after it, to after the node itself.
  private mutating func hoistElements(below node: NodeID) -> Bool {
    var first = nodes[node.index].firstChild
    while !first.isNone, nodes[first.index].kind == .text { first = nodes[first.index].nextSibling }
    guard !first.isNone else { return false }
    if nodes[node.index].kind == .documentFragment || nodes[first.index].kind == .documentFragment {
      nodes[node.index].firstChild = .none  // a template's contents cannot be moved out of it, and are not rendered
      nodes[node.index].lastChild = .none
      return true
    }
    let last = nodes[node.index].lastChild
    let kept = nodes[first.index].previousSibling
    let following = nodes[node.index].nextSibling
    let parent = nodes[node.index].parent
    nodes[node.index].lastChild = kept
    if kept.isNone { nodes[node.index].firstChild = .none } else { nodes[kept.index].nextSibling = .none }
    nodes[node.index].nextSibling = first
    nodes[first.index].previousSibling = node
    nodes[last.index].nextSibling = following
    if following.isNone { nodes[parent.index].lastChild = last } else { nodes[following.index].previousSibling = last }
    var child = first
    while child != following {
      nodes[child.index].parent = parent
      child = nodes[child.index].nextSibling
    }
    return true
  }
}
