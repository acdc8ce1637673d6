import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

extension BoxReport {
  /// The pieces of text, line by line.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func lines(_ budget: inout ReportBudget) throws -> [PageLayout.TextLine] {
    let places = page.styled.nodeTree.siblingIndexes
    return try texts.compactMap { id, origin throws -> PageLayout.TextLine? in
      let fragment = page.fragments[id]
      guard page.fragments.texts.indices.contains(Int(fragment.payload)) else { return nil }
      let text = page.fragments.texts[Int(fragment.payload)]
      let isHorizontal = fragment.style.text.writingMode == .horizontalTb
      let baseline = isHorizontal ? origin.y + text.ascent : origin.x + fragment.size.width - text.ascent
      let path = page.styled.nodeTree.elementPath(of: element(of: fragment.box), places)
      try budget.spend(path.count * 8 + text.text.count + 96)
      return PageLayout.TextLine(
        path: path, text: String(decoding: text.text, as: UTF8.self), x: origin.x.double,
        y: origin.y.double, width: fragment.size.width.double, height: fragment.size.height.double, baseline: baseline.double)
    }
  }

  /// The element that a box belongs to, or its nearest ancestor element.
  private func element(of box: BoxID) -> NodeID {
    guard !box.isNone else { return .none }
    var node = page.tree[box].node
    while !node.isNone, page.styled.document[node].kind != .element { node = page.styled.document[node].parent }
    return node
  }

}

extension Document {
  /// The index of each element among its parent's child elements, by node.
  var siblingIndexes: [Int32] {
    var indexes = [Int32](repeating: 0, count: nodes.count), counts = indexes
    for index in nodes.indices where nodes[index].kind == .element {
      // Nodes are in document order, so siblings follow one another.
      let parent = nodes[index].parent
      guard !parent.isNone, counts.indices.contains(parent.index) else { continue }
      indexes[index] = counts[parent.index]
      counts[parent.index] += 1
    }
    return indexes
  }

  /// The child-element indexes from the root.
  ///
  /// - Parameter places: The `siblingIndexes` of the tree.
  func elementPath(of node: NodeID, _ places: [Int32]) -> [Int] {
    var path: [Int] = [], node = node
    while !node.isNone, self[node].kind == .element, places.indices.contains(node.index) {
      path.append(Int(places[node.index]))
      node = self[node].parent
    }
    return path.reversed()
  }
}
