import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// The counters in scope at the element whose boxes are being generated.
///
/// An element inherits the counters of its parent and its preceding siblings. A reset creates a counter whose scope is the element's
/// siblings and their descendants. https://drafts.csswg.org/css-lists-3/#counters
struct CounterScopes {
  private struct Counter {
    /// Increases in order of creation.
    var number: Int
    var value: Int
    /// The depth of the originating element. The scope ends with the parent of that element.
    var depth: Int
    /// -1 in `<ol reversed>`.
    var step = 1
  }
  /// The counters of each name, outermost first, with increasing depths.
  private var counters: [ByteString: [Counter]] = [:]
  /// The counters created at each depth. Those nested in a counter of the same name are removed at the end of their element, all others at
  /// the end of its parent.
  private var made: [(nested: [Made], others: [Made])] = []
  private struct Made {
    var name: ByteString
    var number: Int
  }
  private var nextNumber = 0
  private var depth = 0
  /// The open elements with style containment, and the first counter number in each. Counters from outside are out of scope in them.
  ///
  /// https://drafts.csswg.org/css-contain-2/#containment-style
  private var scopes: [(depth: Int, first: Int)] = []
  /// The number of elements that may be visited to determine the initial values of reversed counters.
  private var reversedBudget = 2_000_000
  let styles: CounterStyles

  init(styles: CounterStyles) { self.styles = styles }

  /// The number of counter changes when an element is entered.
  static func changes(_ style: ComputedStyle) -> Int {
    let content = style.content
    return content.counterReset.count + content.counterIncrement.count + content.counterSet.count
  }

  /// Applies the element's counter properties, in the order reset, increment, set.
  mutating func enter(_ style: ComputedStyle, node: NodeID, _ styled: StyledDocument) {
    depth += 1
    for change in style.content.counterReset { reset(change, node, styled) }
    let isListItem = style.box.display.isListItem
    if isListItem && !style.content.counterIncrement.contains(where: { $0.name == "list-item" }) {
      increment("list-item", by: inScope("list-item")?.step ?? 1)
    }
    for change in style.content.counterIncrement { increment(change.name, by: change.value ?? 1) }
    for change in style.content.counterSet { set(change.name, to: change.value ?? 0) }
    if style.box.containment.contains(.style) { scopes.append((depth, nextNumber)) }
  }

  mutating func leave() {
    if scopes.last?.depth == depth { scopes.removeLast() }
    while made.count > depth + 1, let last = made.popLast() { remove(last.nested + last.others) }
    if made.count > depth {
      remove(made[depth].nested)
      made[depth].nested = []
    }
    depth -= 1
  }

  private mutating func remove(_ list: [Made]) {
    for entry in list.reversed() where counters[entry.name]?.last?.number == entry.number { counters[entry.name]?.removeLast() }
  }

  private mutating func reset(_ change: CounterChange, _ node: NodeID, _ styled: StyledDocument) {
    // A sibling's counter of the same name is replaced; inside an ancestor's, a nested counter is created.
    while counters[change.name]?.last?.depth == depth { counters[change.name]?.removeLast() }
    let start = change.reversed ? ReversedCounterStart.value(change.name, at: node, styled, budget: &reversedBudget) : 0
    let isNested = counters[change.name]?.isEmpty == false
    add(change.name, Counter(number: nextNumber, value: change.value ?? start, depth: depth, step: change.reversed ? -1 : 1), isNested)
  }

  private mutating func add(_ name: ByteString, _ counter: Counter, _ isNested: Bool) {
    nextNumber += 1
    while made.count <= counter.depth { made.append(([], [])) }
    let entry = Made(name: name, number: counter.number)
    if isNested { made[counter.depth].nested.append(entry) } else { made[counter.depth].others.append(entry) }
    counters[name, default: []].append(counter)
  }

  private mutating func increment(_ name: ByteString, by amount: Int) {
    change(name) { counter in
      let (sum, overflow) = counter.value.addingReportingOverflow(amount)
      if !overflow && sum <= Int(Int32.max) && sum >= Int(Int32.min) { counter.value = sum }
    }
  }

  private mutating func set(_ name: ByteString, to value: Int) { change(name) { $0.value = value } }

  private func inScope(_ name: ByteString) -> Counter? {
    counters[name]?.last.flatMap { $0.number >= scopes.last?.first ?? 0 ? $0 : nil }
  }

  private mutating func change(_ name: ByteString, _ body: (inout Counter) -> Void) {
    if inScope(name) == nil {
      // In a scope of style containment the contained element originates the counter.
      add(name, Counter(number: nextNumber, value: 0, depth: scopes.last.map { $0.depth + 1 } ?? depth), false)
    }
    guard let last = counters[name]?.indices.last else { return }
    if var counter = counters[name]?[last] {
      body(&counter)
      counters[name]?[last] = counter
    }
  }

  // MARK: Text

  /// `counter()`
  func text(_ name: ByteString, style: ListStyleType) -> String {
    represent(counters[name]?.last?.value ?? 0, style)
  }

  /// `counters()`
  ///
  /// - Parameter limit: The text is truncated after this number of bytes.
  func text(_ name: ByteString, separator: String, style: ListStyleType, limit: Int) -> String {
    let values = counters[name]?.map(\.value) ?? []
    var text = represent(values.first ?? 0, style)
    for value in values.dropFirst() where text.utf8.count <= limit { text += separator + represent(value, style) }
    return text
  }

  /// The text of a list item's marker: prefix, representation and suffix.
  func markerText(_ style: ByteString) -> String {
    styles.markerText(counters["list-item"]?.last?.value ?? 0, style: style)
  }

  func markerText(_ rule: CounterStyleRule) -> String {
    styles.markerText(counters["list-item"]?.last?.value ?? 0, rule)
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
