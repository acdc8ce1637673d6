import CoreTypes

extension Document {
  /// Makes elements nested deeper than `limit` siblings of the element at that depth, in document order, as browsers do.
  mutating func limitDepth(_ limit: Int, _ diagnostics: inout DiagnosticLog) {
    let limit = max(limit, 2)
    var depth = 0
    var node = NodeID.document
    var isFlattened = false
    while true {
      if depth >= limit, hoistElements(below: node) { isFlattened = true }
      if !nodes[node.index].firstChild.isNone {
        node = nodes[node.index].firstChild
        depth += 1
        continue
      }
      while !node.isNone, nodes[node.index].nextSibling.isNone {
        node = nodes[node.index].parent
        depth -= 1
      }
      if node.isNone { break }
      node = nodes[node.index].nextSibling
    }
    if isFlattened {
      diagnostics.report(
        Diagnostic(.depthFlattened, .note, "elements nested deeper than \(limit) were made siblings; raise the depth limit to keep them"))
    }
  }

  /// Moves the first child that is not text, and what follows it, behind the node itself.
  private mutating func hoistElements(below node: NodeID) -> Bool {
    var first = nodes[node.index].firstChild
    while !first.isNone, nodes[first.index].kind == .text { first = nodes[first.index].nextSibling }
    guard !first.isNone else { return false }
    if nodes[node.index].kind == .documentFragment || nodes[first.index].kind == .documentFragment {
      nodes[node.index].firstChild = .none  // a template's contents have no place outside it, and are not rendered
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
