import OffprintDOM

extension BoxTreeBuilder {
  /// Whether an element is disabled, by itself or by an enclosing `fieldset` outside its legend.
  /// https://html.spec.whatwg.org/#concept-fe-disabled
  func isDisabled(_ node: NodeID) -> Bool {
    if isSet(.disabled, node) { return true }
    var child = node, parent = document[node].parent
    while !parent.isNone {
      if document[parent].kind == .element, document.isHTMLElement(parent, .fieldset), isSet(.disabled, parent),
        !isFirstLegend(child, of: parent)
      {
        return true
      }
      (child, parent) = (parent, document[parent].parent)
    }
    return false
  }

  private func isFirstLegend(_ child: NodeID, of fieldset: NodeID) -> Bool {
    var element = document[fieldset].firstChild
    while !element.isNone {
      if document.isHTMLElement(element, .legend) { return element == child }
      element = document[element].nextSibling
    }
    return false
  }
}
