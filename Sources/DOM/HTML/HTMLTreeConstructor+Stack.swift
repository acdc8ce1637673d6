import OffprintCoreTypes

// https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements
extension HTMLTreeConstructor {
  @inline(__always)
  func htmlTraits(_ name: Name) -> ElementTraits { Int(name.raw) < traits.count ? traits[Int(name.raw)] : [] }

  /// Called before an element is inserted. If the stack is full, pops the current node, so that the element becomes its sibling.
  mutating func limitDepth() {
    if open.count >= openLimit { pop() }
  }

  mutating func push(_ element: OpenElement) {
    open.append(element)
    if element.namespace == .html, Int(element.name.raw) < openCounts.count { openCounts[Int(element.name.raw)] += 1 }
  }

  @inline(__always)
  mutating func pop() {
    if let element = open.popLast() { uncount(element) }
  }

  @inline(__always)
  private mutating func uncount(_ element: OpenElement) {
    let index = Int(element.name.raw)
    if element.namespace == .html, index < openCounts.count, openCounts[index] > 0 { openCounts[index] -= 1 }
  }

  mutating func removeFromStack(at index: Int) { uncount(open.remove(at: index)) }

  mutating func insertInStack(_ element: OpenElement, at index: Int) {
    open.insert(element, at: index)
    let number = Int(element.name.raw)
    if element.namespace == .html, number < openCounts.count { openCounts[number] += 1 }
  }

  @inline(__always)
  func currentIs(_ name: Name) -> Bool { open.last.map { $0.name == name && $0.namespace == .html } ?? false }

  @inline(__always)
  func isOpen(_ name: Name) -> Bool { openCounts[Int(name.raw)] > 0 }

  /// The position of `node` in the stack, searched from the top.
  func stackIndex(of node: NodeID) -> Int? { open.lastIndex { $0.node == node } }

  func stackIndex(of name: Name) -> Int? {
    guard isOpen(name) else { return nil }
    return open.lastIndex { $0.name == name && $0.namespace == .html }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-the-specific-scope
  func hasInScope(_ name: Name, _ boundary: ElementTraits = .scope) -> Bool {
    guard Int(name.raw) >= openCounts.count || isOpen(name) else { return false }
    for element in open.reversed() {
      if element.name == name, element.namespace == .html { return true }
      if !element.traits.isDisjoint(with: boundary) { return false }
    }
    return false
  }

  func hasInScope(anyOf wanted: ElementTraits, _ boundary: ElementTraits = .scope) -> Bool {
    for element in open.reversed() {
      if element.namespace == .html, !element.traits.isDisjoint(with: wanted) { return true }
      if !element.traits.isDisjoint(with: boundary) { return false }
    }
    return false
  }

  func hasInScope(node: NodeID) -> Bool {
    for element in open.reversed() {
      if element.node == node { return true }
      if element.traits.contains(.scope) { return false }
    }
    return false
  }

  /// Pops up to and including the topmost HTML element with this name.
  mutating func popUntil(_ name: Name) {
    while let element = open.last {
      pop()
      if element.name == name, element.namespace == .html { return }
    }
  }

  mutating func popUntil(anyOf wanted: ElementTraits) {
    while let element = open.last {
      pop()
      if element.namespace == .html, !element.traits.isDisjoint(with: wanted) { return }
    }
  }

  mutating func pop(downTo count: Int) {
    while open.count > count { pop() }
  }

  /// Clears the stack back to a table, table body or table row context.
  mutating func clearStack(to context: ElementTraits) {
    while let element = open.last, open.count > 1, element.namespace != .html || element.traits.isDisjoint(with: context) { pop() }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#generate-implied-end-tags
  mutating func generateImpliedEndTags(except name: Name = .empty) {
    while let element = open.last, element.traits.contains(.impliedEndTag), element.name != name { pop() }
  }

  mutating func generateAllImpliedEndTagsThoroughly() {
    while let element = open.last, element.traits.contains(.impliedEndTagThoroughly) { pop() }
  }

  mutating func closeParagraphInButtonScope() {
    if isOpen(.p), hasInScope(.p, .buttonScope) { closeParagraph() }
  }

  mutating func closeParagraph() {
    generateImpliedEndTags(except: .p)
    popUntil(.p)
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#reset-the-insertion-mode-appropriately
  mutating func resetInsertionMode() {
    for index in open.indices.reversed() {
      let isLast = index == 0
      if !isLast, open[index].namespace != .html { continue }
      switch isLast ? context ?? open[index].name : open[index].name {
      case .td where !isLast, .th where !isLast: mode = .inCell
      case .tr: mode = .inRow
      case .tbody, .thead, .tfoot: mode = .inTableBody
      case .caption: mode = .inCaption
      case .colgroup: mode = .inColumnGroup
      case .table: mode = .inTable
      case .template: mode = templateModes.last ?? .inTemplate
      case .head where !isLast: mode = .inHead
      case .body: mode = .inBody
      case .frameset: mode = .inFrameset
      case .html: mode = head.isNone ? .beforeHead : .afterHead
      default:
        guard isLast else { continue }
        mode = .inBody
      }
      return
    }
    mode = .inBody
  }
}
