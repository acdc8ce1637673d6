import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/#the-details-and-summary-elements
extension BoxTreeBuilder {
  /// Generates the first `summary` child, or a default one, and the remaining contents if the element is open.
  mutating func generateDetails(_ node: NodeID, style: ComputedStyle, into children: inout [PendingBox], parent: Box) {
    let isOpen = isSet(.open, node)
    var summary = document[node].firstChild
    while !summary.isNone, !isHTML(summary, .summary) { summary = document[summary].nextSibling }
    if summary.isNone {
      children.append(defaultSummary(of: node, style: style, isOpen: isOpen))
    } else {
      generate(summary, into: &children, parent: parent)
    }
    generateContent(of: node, except: summary, into: &children, parent: parent)
  }

  /// Generates `::details-content`, without children while its contents are skipped.
  /// https://drafts.csswg.org/css-pseudo-4/#details-content-pseudo
  private mutating func generateContent(
    of node: NodeID, except summary: NodeID, into children: inout [PendingBox], parent: Box
  ) {
    guard let own = styled.style(of: node, .detailsContent), own.box.display != .none else { return }
    let style = itemStyle(own, parent: parent)
    if style.box.display == .contents { return generateAll(of: node, except: summary, into: &children, parent: parent) }
    counters.enter(style, node: node, styled)
    defer { counters.leave() }
    var content = PendingBox(principalBox(style, node: node, pseudo: .detailsContent))
    if !style.box.contentVisibilityHidden { generateAll(of: node, except: summary, into: &content.children, parent: content.box) }
    generateFirstLetter(of: node, .detailsFirstLetter, in: &content)
    finish(&content)
    children.append(content)
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
    generateMarker(node, style: item, into: &summary.children, of: .detailsContent)
    appendText("Details".utf8, node: .none, style: item, into: &summary.children)
    finish(&summary)
    return summary
  }

  func isHTML(_ node: NodeID, _ name: Name) -> Bool {
    !node.isNone && document[node].kind == .element && document[node].namespace == .html && document[node].name == name
  }
}
