import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/#the-details-and-summary-elements
extension BoxTreeBuilder {
  /// The first `summary` child, or one that stands in for it, and, where the element is open, everything else.
  mutating func generateDetails(_ node: NodeID, style: ComputedStyle, into children: inout [PendingBox], parent: Box) {
    let isOpen = isSet(.open, node)
    var summary = document[node].firstChild
    while !summary.isNone, !isHTML(summary, .summary) { summary = document[summary].nextSibling }
    if summary.isNone {
      children.append(defaultSummary(of: node, style: style, isOpen: isOpen))
    } else {
      generate(summary, into: &children, parent: parent)
    }
    if isOpen { generateAll(of: node, except: summary, into: &children, parent: parent) }
  }

  private mutating func defaultSummary(of node: NodeID, style: ComputedStyle, isOpen: Bool) -> PendingBox {
    let item = arena.modified(arena.anonymousStyle(inheriting: style, display: .listItem)) {
      var text = style.text
      text.listStyleType = .counterStyle(isOpen ? "disclosure-open" : "disclosure-closed")
      text.listStylePosition = .inside
      $0.text = arena.allocate(text)
    }
    var box = Box(kind: .blockContainer, style: item)
    box.isAnonymous = true
    box.isListItem = true
    var summary = PendingBox(box)
    generateMarker(node, style: item, into: &summary.children, isPseudo: true)
    appendText("Details".utf8, node: .none, style: item, into: &summary.children)
    finish(&summary)
    return summary
  }

  func isHTML(_ node: NodeID, _ name: Name) -> Bool {
    !node.isNone && document[node].kind == .element && document[node].namespace == .html && document[node].name == name
  }
}
