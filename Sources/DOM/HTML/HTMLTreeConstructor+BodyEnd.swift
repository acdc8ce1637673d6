import OffprintCoreTypes

extension HTMLTreeConstructor {
  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody (end tags)
  mutating func endTagInBody() -> Outcome {
    let name = token.name
    switch Int(name.raw) < endTags.count ? endTags[Int(name.raw)] : .other {
    case .other: endOther()
    case .block:
      guard hasInScope(name) else { return .done }
      generateImpliedEndTags()
      popUntil(name)
    case .formatting:
      if !runAdoptionAgency(for: name) { endOther() }
    case .paragraph:
      if !hasInScope(.p, .buttonScope) { insertElement(.p) }
      closeParagraph()
    case .listItem: endItem(name, .listItemScope)
    case .description: endItem(name, .scope)
    case .heading:
      guard hasInScope(anyOf: .heading) else { return .done }
      generateImpliedEndTags()
      popUntil(anyOf: .heading)
    case .scoped:
      guard hasInScope(name) else { return .done }
      generateImpliedEndTags()
      popUntil(name)
      clearFormattingToMarker()
    case .form: endForm()
    case .lineBreak:
      reconstructFormatting()
      insertElement(.br)
      pop()
      framesetOK = false
    case .template: endTemplate()
    case .body:
      if hasInScope(.body) { mode = .afterBody }
    case .html:
      guard hasInScope(.body) else { return .done }
      mode = .afterBody
      return .reprocess
    }
    return .done
  }

  private mutating func endItem(_ name: Name, _ boundary: ElementTraits) {
    guard hasInScope(name, boundary) else { return }
    generateImpliedEndTags(except: name)
    popUntil(name)
  }

  private mutating func endForm() {
    if isOpen(.template) {
      guard hasInScope(.form) else { return }
      generateImpliedEndTags()
      popUntil(.form)
      return
    }
    let node = form
    form = .none
    guard !node.isNone, hasInScope(node: node) else { return }
    generateImpliedEndTags()
    if let index = stackIndex(of: node) { removeFromStack(at: index) }
  }

  /// "Any other end tag".
  mutating func endOther() {
    for index in open.indices.reversed() {
      let element = open[index]
      if element.namespace == .html, element.name == token.name {
        generateImpliedEndTags(except: element.name)
        pop(downTo: index)
        return
      }
      if element.traits.contains(.special) { return }
    }
  }
}
