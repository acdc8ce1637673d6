import OffprintCoreTypes
import OffprintDOM

/// Finds the rules that match an element, in cascade order.
///
/// https://drafts.csswg.org/css-cascade-5/#filtering
final class RuleCollector {
  let tree: ElementTree
  private let context: StyleSheetContext
  /// The rule sources for the current element.
  var sources: [RuleSource]
  /// The sources of the document, then those of each grafted document, then those of combinations of shadow trees.
  var sourceSets: [[RuleSource]]
  /// The index of `sources` in `sourceSets`.
  var sourceSet = 0
  /// The `@keyframes` rules of the current sources.
  var keyframes: [ByteString: KeyframesRule] = [:]
  /// Nil if there are no shadow trees.
  var shadows: ShadowStyles?
  /// The rules found for the current element, followed by those for its pseudo-elements.
  var matches: [MatchedRule] = []
  /// The query containers around the current element.
  private(set) var containers = ContainerStack()
  private(set) var filter = AncestorFilter()

  init(tree: ElementTree, context: StyleSheetContext, author: RuleSet, grafts: [RuleSet]) {
    self.tree = tree
    self.context = context
    var sets: [(RuleSet, CascadeOrigin)] = [(UserAgentSheet.standard(for: tree), .userAgent)]
    if context.quirks { sets.append((UserAgentSheet.quirks, .userAgent)) }
    if author.usesScrollParts { sets.append((UserAgentSheet.scrollParts, .userAgent)) }
    sets.append((author, .author))
    let all = sets.map { RuleSource(rules: $0.0, matcher: SelectorMatcher(tree: tree, store: $0.0.selectors), origin: $0.1) }
    sources = all
    sourceSets =
      [all]
      + grafts.map { all.dropLast() + [RuleSource(rules: $0, matcher: SelectorMatcher(tree: tree, store: $0.selectors), origin: .author)] }
  }

  // MARK: Ancestors

  private func forEachHash(_ element: UInt32, _ body: (UInt32) -> Void) {
    let info = tree[element]
    body(AncestorFilter.hash(.type, info.name))
    let folded = tree.foldedName(info)
    if folded != info.name { body(AncestorFilter.hash(.type, folded)) }
    if info.hasID { body(AncestorFilter.hash(.id, info.id)) }
    for index in Int(info.firstClass)..<Int(info.firstClass + info.classCount) { body(AncestorFilter.hash(.class, tree.classes[index])) }
  }

  /// Pushes `element` as an ancestor of the following elements.
  ///
  /// - Parameter containerSize: The content size from an earlier layout, if the element is a query container of known size.
  func enter(_ element: UInt32, style: ComputedStyle, containerSize: @autoclosure () -> (width: Float, height: Float)?) {
    forEachHash(element) { filter.add($0) }
    guard style.box.containerType != .normal || !style.box.containerNames.isEmpty else { return }
    containers.push(element, size: containerSize(), style: style, allowsSizeContainment: !tree.isShape(element))
  }

  func leave(_ element: UInt32) {
    forEachHash(element) { filter.remove($0) }
    containers.pop(element)
  }

  func forgetAncestors() { filter = AncestorFilter() }

  /// Replaces the ancestors by those of `element` in the document.
  func enterAncestors(of element: UInt32) {
    forgetAncestors()
    var ancestor = tree[element].parent
    while ancestor != ElementInfo.none {
      forEachHash(ancestor) { filter.add($0) }
      ancestor = tree[ancestor].parent
    }
  }

  /// Runs `body` with the element as the root of its tree, since selectors in a `use` shadow tree do not match elements outside.
  /// https://www.w3.org/TR/SVG2/struct.html#UseStyleInheritance
  func withRoot<Value>(_ element: UInt32, _ body: () throws -> Value) rethrows -> Value {
    let links = tree.elements[Int(element)]
    tree.elements[Int(element)].parent = ElementInfo.none
    tree.elements[Int(element)].previous = ElementInfo.none
    tree.elements[Int(element)].next = ElementInfo.none
    (tree.elements[Int(element)].index, tree.elements[Int(element)].indexFromEnd) = (1, 1)
    func forget() { for set in sourceSets { for source in set { source.matcher.forget() } } }
    forget()
    defer {
      tree.elements[Int(element)] = links
      forget()
    }
    return try body()
  }

  // MARK: Matching

  /// Collects the rules that match an element and its pseudo-elements into `matches`.
  ///
  /// - Parameter parent: The parent's style, for style queries without a named container.
  func collect(_ element: UInt32, parent: ComputedStyle?) {
    if sourceSets.count > 1 || shadows != nil {
      chooseSources(element)
      if collectAcrossTrees(element, parent: parent) { return }
    }
    // Local copies avoid exclusivity checks on class properties in this hot loop.
    var found = matches
    matches = []
    found.removeAll(keepingCapacity: true)
    let filter = filter
    for (number, source) in sources.enumerated() {
      source.rules.forEachCandidate(tree, element) { index in
        let entry = source.rules.entries[Int(index)]
        guard filter.mayMatch(entry.head), let distance = distance(entry, source, element) else { return }
        if entry.container >= 0, !containerMatches(Int(entry.container), source.rules, parent) { return }
        found.append(match(entry, distance, source: number))
      }
    }
    finish(&found)
  }

  func finish(_ found: inout [MatchedRule]) {
    context.meter.spend(found.count)
    MatchedRule.sort(&found)
    matches = found
  }

  @inline(__always) func match(_ entry: RuleEntry, _ distance: UInt32, source: Int) -> MatchedRule {
    let pseudo = entry.head.pseudo == SelectorHead.noPseudo ? 0 : entry.head.pseudo + 1
    return MatchedRule(
      key: entry.key, distance: distance, rule: entry.rule, source: UInt8(truncatingIfNeeded: source), pseudo: pseudo,
      variant: entry.head.variant)
  }

  /// Elements of grafted documents are styled by the style sheets of those documents.
  /// https://www.w3.org/TR/SVG2/struct.html#UseStyleInheritance
  private func chooseSources(_ element: UInt32) {
    let graft = tree.document.grafts.firstIndex { $0.nodes.contains(Int(element)) }
    let wanted = graft.map { $0 + 1 } ?? 0
    if shadows != nil, wanted == 0 { return }
    guard wanted != sourceSet, sourceSets.indices.contains(wanted) else { return }
    sourceSet = wanted
    sources = sourceSets[wanted]
  }

  /// The generations between an element and the root of the rule's `@scope`: the maximum value for unscoped rules, nil if the rule does not match.
  @inline(__always) func distance(_ entry: RuleEntry, _ source: RuleSource, _ element: UInt32) -> UInt32? {
    if entry.scope < 0 { return source.matcher.matches(entry.head, element) ? .max : nil }
    return ScopeRule.proximity(Int(entry.scope), source.rules.scopes, entry.head, element, source.matcher)
  }

  /// Whether the conditions of a `@container` rule and of the enclosing ones match.
  func containerMatches(_ number: Int, _ rules: RuleSet, _ parent: ComputedStyle?) -> Bool {
    var query: Int? = number
    while let index = query, context.meter.spend(32) {
      let condition = rules.containers[index]
      guard containers.matches(condition, parent: parent, names: context.names) else { return false }
      query = condition.outer
    }
    return true
  }

  /// Counts work towards the deadline. Returns false once the deadline has passed.
  func spend() -> Bool { context.meter.spend() }
}
