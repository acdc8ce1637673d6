import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// Where reversed counters begin that do not say so: such that they come to nothing behind the last increment of their scope.
///
/// https://drafts.csswg.org/css-lists-3/#instantiating-counters
struct ReversedCounterStart {
  let styled: StyledDocument
  let name: ByteString
  private var start = 0
  private var lastStep = 0
  private var isDone = false
  /// `<ol reversed>` begins with the number of its items, whatever their values. https://html.spec.whatwg.org/#attr-ol-reversed
  private let ignoresSets: Bool

  private init(_ styled: StyledDocument, _ name: ByteString, at node: NodeID) {
    ignoresSets = name == "list-item" && styled.document.isHTMLElement(node, .ol)
    self.styled = styled
    self.name = name
  }

  /// - Parameter budget: how many elements may be looked at; less what was.
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

  /// The descendants of `node` that are in the scope, without recursion.
  private mutating func visitChildren(of node: NodeID, _ budget: inout Int) {
    var open = [styled.document[node].firstChild]
    while let next = open.popLast(), !isDone {
      guard !next.isNone else { continue }
      // What makes a counter of that name begins a scope that goes on to the end of the siblings.
      guard isOfScope(next, &budget) else { continue }
      open.append(styled.document[next].nextSibling)
      guard let style = style(next) else { continue }
      add(style)
      if !style.box.containment.contains(.style) { open.append(styled.document[next].firstChild) }
    }
  }

  /// - Returns: whether the scope goes on behind `node`.
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

  /// Of an element that takes part in counting.
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

  /// Counters stay in the range of 32-bit integers.
  private static func sum(_ a: Int, _ b: Int) -> Int {
    min(max(a + b, Int(Int32.min)), Int(Int32.max))
  }
}
