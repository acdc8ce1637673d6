import CSS
import CoreTypes
import DOM

/// The counters in scope at the element whose boxes are being generated.
///
/// https://drafts.csswg.org/css-lists-3/#counters: an element inherits the counters of its parent and its preceding siblings; a reset
/// makes a new one whose scope is the element's siblings and their descendants.
struct CounterScopes {
  private struct Counter {
    var name: ByteString
    var value: Int
    /// The depth of the element that made it; its scope ends when the parent of that element is left.
    var depth: Int
    /// -1 in `<ol reversed>`.
    var step = 1
    /// An outer one has the same name: siblings have that of the parent.
    var isNested = false
  }
  private var counters: [Counter] = []
  private var depth = 0
  /// The elements with style containment that are open: what is counted in them makes counters of its own there.
  ///
  /// https://drafts.csswg.org/css-contain-2/#containment-style
  private var scopes: [(depth: Int, first: Int)] = []
  /// How many elements may be looked at for where reversed counters begin.
  private var reversedBudget = 2_000_000
  let styles: CounterStyles

  init(styles: CounterStyles) { self.styles = styles }

  /// Applies the element's counter properties, in the order reset, increment, set.
  mutating func enter(_ style: ComputedStyle, node: NodeID, _ styled: StyledDocument) {
    depth += 1
    let content = style.content
    for change in content.counterReset { reset(change, node, styled) }
    let isListItem = style.box.display.isListItem
    if isListItem && !content.counterIncrement.contains(where: { $0.name == "list-item" }) {
      let known = counters.lastIndex { $0.name == "list-item" } ?? 0
      increment("list-item", by: known >= firstInScope && counters.indices.contains(known) ? counters[known].step : 1)
    }
    for change in content.counterIncrement { increment(change.name, by: change.value ?? 1) }
    for change in content.counterSet { set(change.name, to: change.value ?? 0) }
    if style.box.contain.contains(.style) { scopes.append((depth, counters.count)) }
  }

  private var firstInScope: Int { min(scopes.last?.first ?? 0, counters.count) }

  mutating func leave() {
    if scopes.last?.depth == depth { scopes.removeLast() }
    counters.removeAll { $0.depth > depth || ($0.depth == depth && $0.isNested) }
    depth -= 1
  }

  private mutating func reset(_ change: CounterChange, _ node: NodeID, _ styled: StyledDocument) {
    // A sibling's counter of the same name is replaced, an ancestor's is nested in.
    counters.removeAll { $0.name == change.name && $0.depth == depth }
    let start = change.reversed ? ReversedCounterStart.value(change.name, at: node, styled, budget: &reversedBudget) : 0
    let isNested = counters.contains { $0.name == change.name && $0.depth < depth }
    counters.append(
      Counter(name: change.name, value: change.value ?? start, depth: depth, step: change.reversed ? -1 : 1, isNested: isNested))
  }

  private mutating func increment(_ name: ByteString, by amount: Int) {
    let index = index(of: name)
    counters[index].value = clamped(counters[index].value, amount)
  }

  private mutating func set(_ name: ByteString, to value: Int) { counters[index(of: name)].value = value }

  private func clamped(_ value: Int, _ amount: Int) -> Int {
    let (sum, overflow) = value.addingReportingOverflow(amount)
    return overflow || sum > Int(Int32.max) || sum < Int(Int32.min) ? value : sum
  }

  private mutating func index(of name: ByteString) -> Int {
    let first = firstInScope
    if let index = counters[first...].lastIndex(where: { $0.name == name }) { return index }
    // In a scope of containment the counter is one of the element that is contained.
    counters.append(Counter(name: name, value: 0, depth: scopes.last.map { $0.depth + 1 } ?? depth))
    return counters.count - 1
  }

  // MARK: Text

  /// `counter()`
  func text(_ name: ByteString, style: ListStyleType) -> String {
    represent(counters.last { $0.name == name }?.value ?? 0, style)
  }

  /// `counters()`
  func text(_ name: ByteString, separator: String, style: ListStyleType) -> String {
    let values = counters.filter { $0.name == name }.map(\.value)
    return (values.isEmpty ? [0] : values).map { represent($0, style) }.joined(separator: separator)
  }

  /// A list item's marker: prefix, representation and suffix.
  func markerText(_ style: ByteString) -> String {
    let value = counters.last { $0.name == "list-item" }?.value ?? 0
    return styles.markerText(value, style: style)
  }

  func markerText(_ rule: CounterStyleRule) -> String {
    styles.markerText(counters.last { $0.name == "list-item" }?.value ?? 0, rule)
  }

  private func represent(_ value: Int, _ style: ListStyleType) -> String {
    switch style {
    case .none: ""
    case .string(let text): text
    case .counterStyle(let name): styles.representation(value, style: name)
    case .symbols(let rule): styles.representation(value, rule)
    }
  }
}
