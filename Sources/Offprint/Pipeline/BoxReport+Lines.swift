import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

extension BoxReport {
  /// The pieces of text, line by line.
  var lines: [PageLayout.TextLine] {
    let places = siblingIndexes
    return texts.compactMap { id, origin -> PageLayout.TextLine? in
      let fragment = page.fragments[id]
      guard page.fragments.texts.indices.contains(Int(fragment.payload)) else { return nil }
      let text = page.fragments.texts[Int(fragment.payload)]
      let isHorizontal = fragment.style.text.writingMode == .horizontalTb
      let baseline = isHorizontal ? origin.y + text.ascent : origin.x + fragment.size.width - text.ascent
      return PageLayout.TextLine(
        path: path(of: element(of: fragment.box), places), text: String(decoding: text.text, as: UTF8.self), x: origin.x.double,
        y: origin.y.double, width: fragment.size.width.double, height: fragment.size.height.double, baseline: baseline.double)
    }
  }

  /// The element that a box belongs to, or the nearest around it.
  private func element(of box: BoxID) -> NodeID {
    guard !box.isNone else { return .none }
    var node = page.tree[box].node
    while !node.isNone, page.styled.document[node].kind != .element { node = page.styled.document[node].parent }
    return node
  }

  /// By node: which child element of its parent it is.
  private var siblingIndexes: [Int32] {
    let document = page.styled.nodeTree
    var indexes = [Int32](repeating: 0, count: document.nodes.count), counts = indexes
    for index in document.nodes.indices where document.nodes[index].kind == .element {
      // Nodes are in document order, in which siblings follow one another.
      let parent = document.nodes[index].parent
      guard !parent.isNone, counts.indices.contains(parent.index) else { continue }
      indexes[index] = counts[parent.index]
      counts[parent.index] += 1
    }
    return indexes
  }

  private func path(of node: NodeID, _ places: [Int32]) -> [Int] {
    let document = page.styled.nodeTree
    var path: [Int] = [], node = node
    while !node.isNone, document[node].kind == .element, places.indices.contains(node.index) {
      path.append(Int(places[node.index]))
      node = document[node].parent
    }
    return path.reversed()
  }
}
