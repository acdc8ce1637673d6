import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// Determines the initial values of reversed counters without a specified one, such that the last increment in scope results in zero.
///
/// https://drafts.csswg.org/css-lists-3/#instantiating-counters
struct ReversedCounterStart {
  let styled: StyledDocument
  let name: ByteString
  private var start = 0
  private var lastStep = 0
  private var isDone = false
  /// `<ol reversed>` starts with the number of its items, whatever their values. https://html.spec.whatwg.org/#attr-ol-reversed
  private let ignoresSets: Bool

  private init(_ styled: StyledDocument, _ name: ByteString, at node: NodeID) {
    ignoresSets = name == "list-item" && styled.document.isHTMLElement(node, .ol)
    self.styled = styled
    self.name = name
  }

  /// - Parameter budget: The number of elements that may be visited; reduced by the number visited.
  static func value(_ name: ByteString, at node: NodeID, _ styled: StyledDocument, budget: inout Int)
    -> Int
  {
    var search = ReversedCounterStart(styled, name, at: node)
    search.add(styled.style(of: node))
    search.visitChildren(of: node, &budget)
    var sibling = styled.document[node].nextSibling
    while !sibling.isNone, !search.isDone, search.visit(sibling, &budget) {
      sibling = styled.document[sibling].nextSibling
    }
    return search.start + search.lastStep
  }

  /// Adds the descendants of `node` in the scope, without recursion.
  private mutating func visitChildren(of node: NodeID, _ budget: inout Int) {
    var open = [styled.document[node].firstChild]
    while let next = open.popLast(), !isDone {
      guard !next.isNone else { continue }
      // An element that resets the counter starts a nested scope, which extends to its following siblings.
      guard isOfScope(next, &budget) else { continue }
      open.append(styled.document[next].nextSibling)
      guard let style = style(next) else { continue }
      add(style)
      if !style.box.containment.contains(.style) { open.append(styled.document[next].firstChild) }
    }
  }

  /// - Returns: Whether the scope continues after `node`.
  private mutating func visit(_ node: NodeID, _ budget: inout Int) -> Bool {
    guard isOfScope(node, &budget) else { return false }
    guard let style = style(node) else { return true }
    add(style)
    if !style.box.containment.contains(.style) { visitChildren(of: node, &budget) }
    return true
  }

  private func isOfScope(_ node: NodeID, _ budget: inout Int) -> Bool {
    budget -= 1
    guard budget > 0 else { return false }
    return !(style(node)?.content.counterReset.contains { $0.name == name } ?? false)
  }

  /// The style of an element that changes counters; nil for others.
  private func style(_ node: NodeID) -> ComputedStyle? {
    guard styled.document[node].kind == .element, styled.style(of: node).box.display != .none else {
      return nil
    }
    return styled.style(of: node)
  }

  private mutating func add(_ style: ComputedStyle) {
    var step = 0
    let isListItem = style.box.display.isListItem
    let increments = style.content.counterIncrement.filter { $0.name == name }
    if isListItem, name == "list-item", increments.isEmpty { step = 1 }
    for change in increments { step = Self.sum(step, -(change.value ?? 1)) }
    start = Self.sum(start, step)
    if step != 0 { lastStep = step }
    if !ignoresSets, let set = style.content.counterSet.last(where: { $0.name == name }) {
      start = Self.sum(start, set.value ?? 0)
      isDone = true
    }
  }

  /// Adds two numbers, clamped to the range of 32-bit integers.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    min(max(a + b, Int(Int32.min)), Int(Int32.max))
  }
}
