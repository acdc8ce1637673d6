import OffprintCoreTypes
import OffprintDOM

/// Matches the selectors of a store against elements of a document.
///
/// https://drafts.csswg.org/selectors-4/#match-a-selector-against-an-element
final class SelectorMatcher {
  let tree: ElementTree
  let store: SelectorStore
  // Raw tables of the tree and the store, to avoid copies and reference counting in hot loops.
  let elements: UnsafeMutableBufferPointer<ElementInfo>
  private let classes: UnsafeMutableBufferPointer<Name>
  let parts: UnsafeMutableBufferPointer<SelectorPart>
  let heads: UnsafeMutableBufferPointer<SelectorHead>
  let lists: UnsafeMutableBufferPointer<Range<UInt32>>
  private let attributeTests: UnsafeMutableBufferPointer<AttributeTest>
  private let text: UnsafeMutableBufferPointer<UInt8>
  /// By selector list: whether results are expensive enough to be memoized.
  private let isCostly: UnsafeMutableBufferPointer<Bool>
  private var memory = MatchCache()
  let meter: WorkMeter
  /// Nesting depth of the current match.
  private var depth = 0
  private static let maximumDepth = 2048
  /// The element that `:scope` matches.
  private(set) var scope: UInt32
  /// The shadow tree of the rules, relative to the current element.
  private(set) var shadow = ShadowContext()
  /// The element that `:scope` matches outside of `@scope` rules.
  private(set) var home: UInt32

  init(tree: ElementTree, store: SelectorStore) {
    self.tree = tree
    self.store = store
    meter = tree.meter
    scope = tree.root
    home = tree.root
    elements = tree.elements
    classes = tree.classes
    parts = Self.copy(store.parts)
    heads = Self.copy(store.heads)
    lists = Self.copy(store.lists.map(\.range))
    attributeTests = Self.copy(store.attributes)
    text = Self.copy(store.text)
    isCostly = Self.copy(store.lists.map { store.isCostly($0.range) })
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return buffer
  }

  deinit {
    attributeTests.deallocate()
    text.deallocate()
    parts.deallocate()
    heads.deallocate()
    lists.deallocate()
    isCostly.deallocate()
  }

  /// Discards memoized results, which are invalid after elements have moved.
  func forget() { memory = MatchCache() }

  /// Selects the tree of the rules.
  func enter(_ shadow: ShadowContext) {
    self.shadow = shadow
    home = shadow.host == ElementInfo.none ? tree.root : shadow.host
    scope = home
  }

  /// Why a match failed, which limits further attempts.
  enum Outcome { case matches, failsLocally, failsAllSiblings, failsCompletely }

  func matches(_ head: SelectorHead, _ element: UInt32, anchor: UInt32 = ElementInfo.none) -> Bool {
    match(Int(head.start), Int(head.end), element, anchor) == .matches
  }

  /// Whether the selector matches if `:scope` is `scope`.
  func matches(_ head: SelectorHead, _ element: UInt32, scope: UInt32) -> Bool {
    scoped(scope) { matches(head, element) }
  }

  func matchesAny(_ list: UInt32, _ element: UInt32, scope: UInt32) -> Bool {
    scoped(scope) { matchesAny(list, element, ElementInfo.none) }
  }

  /// Whether an element is a root of a `@scope` rule. Calls `search` if the result is not memoized.
  func remembered(_ key: MatchCache.RootKey, _ search: () -> Bool) -> Bool {
    if let cached = memory.answer(key) { return cached }
    let answer = search()
    memory.remember(key, answer)
    return answer
  }

  private func scoped(_ scope: UInt32, _ body: () -> Bool) -> Bool {
    self.scope = scope
    defer { self.scope = home }
    return body()
  }

  func match(_ start: Int, _ end: Int, _ element: UInt32, _ anchor: UInt32) -> Outcome {
    guard meter.spend() else { return .failsCompletely }
    var index = start
    var element = element
    while index < end {
      let part = parts[index]
      index += 1
      switch part.kind {
      case .child:
        element = elements[Int(element)].parent
        if element == ElementInfo.none { return matchHost(index, end, anchor) }
      case .nextSibling:
        element = elements[Int(element)].previous
        if element == ElementInfo.none { return .failsAllSiblings }
      case .descendant: return nested { matchAncestors(index, end, element, anchor) }
      case .subsequentSibling: return nested { matchPrevious(index, end, element, anchor) }
      case .slotAssignment:
        element = shadow.slot
        if element == ElementInfo.none { return .failsCompletely }
      case .partOwner:
        element = shadow.partOwner
        if element == shadow.host { return matchHost(index, end, anchor) }
        if element == ElementInfo.none { return .failsCompletely }
      default: if !matches(part, element, anchor) { return .failsLocally }
      }
    }
    return .matches
  }

  /// Selectors nested too deeply do not match.
  @inline(__always) private func nested(_ body: () -> Outcome) -> Outcome {
    guard depth < Self.maximumDepth else { return .failsCompletely }
    depth += 1
    defer { depth -= 1 }
    return body()
  }

  private func matchAncestors(_ next: Int, _ end: Int, _ element: UInt32, _ anchor: UInt32) -> Outcome {
    var parent = elements[Int(element)].parent
    while parent != ElementInfo.none {
      let outcome = match(next, end, parent, anchor)
      if outcome == .matches || outcome == .failsCompletely { return outcome }
      parent = elements[Int(parent)].parent
    }
    return matchHost(next, end, anchor)
  }

  /// Reuses the result of an earlier search once it reaches a sibling that was already tested, so that the total time is linear in the
  /// number of siblings.
  private func matchPrevious(_ next: Int, _ end: Int, _ element: UInt32, _ anchor: UInt32) -> Outcome {
    let key = MatchCache.SiblingKey(part: next, parent: elements[Int(element)].parent, anchor: anchor, scope: scope)
    var previous = elements[Int(element)].previous
    var outcome = Outcome.failsLocally
    var steps = 0
    var known: MatchCache.SiblingSearch?
    while previous != ElementInfo.none, outcome == .failsLocally {
      if steps == MatchCache.SiblingSearch.threshold { known = memory.siblingSearch(key) }
      steps += 1
      if let known, elements[Int(previous)].index <= known.index {
        outcome = known.outcome
      } else {
        outcome = match(next, end, previous, anchor)
        previous = elements[Int(previous)].previous
      }
    }
    if outcome == .failsLocally { outcome = .failsAllSiblings }
    if steps > MatchCache.SiblingSearch.threshold {
      memory.remember(key, MatchCache.SiblingSearch(index: elements[Int(element)].index - 1, outcome: outcome))
    }
    return outcome
  }

  @inline(__always) private func matches(_ part: SelectorPart, _ element: UInt32, _ anchor: UInt32) -> Bool {
    let info = elements[Int(element)]
    switch part.kind {
    case .type:
      return info.name.raw == (info.isHTML ? part.name.raw : part.extra) || !info.isHTML && matchesFolded(part.name, info)
    case .class: return hasClass(info, part.name)
    case .id: return info.hasID && info.id == part.name
    case .namespace: return info.namespace.rawValue == part.flag
    case .attribute: return matchesAttribute(part.extra, element)
    case .never: return false
    case .anchor: return element == anchor
    default: return matchesRare(part, element, anchor)
    }
  }

  private func matchesFolded(_ name: Name, _ info: ElementInfo) -> Bool { tree.document.isHTML && tree.foldedName(info) == name }

  @inline(__always) private func hasClass(_ info: ElementInfo, _ name: Name) -> Bool {
    var index = Int(info.firstClass)
    let end = index + Int(info.classCount)
    while index < end {
      if classes[index] == name { return true }
      index += 1
    }
    return false
  }

  private func matchesRare(_ part: SelectorPart, _ element: UInt32, _ anchor: UInt32) -> Bool {
    let info = elements[Int(element)]
    switch part.kind {
    case .matchesAny: return matchesAny(part.extra, element, anchor)
    case .not: return !matchesAny(part.extra, element, anchor)
    case .has: return matchesHas(part.extra, element)
    case .nth: return matchesNth(part.extra, element)
    case .root: return element == tree.root
    case .scope: return element == scope
    case .firstChild: return info.index == 1
    case .lastChild: return info.indexFromEnd == 1
    case .onlyChild: return info.index == 1 && info.indexFromEnd == 1
    case .firstOfType: return !hasSiblingOfType(element, fromEnd: false)
    case .lastOfType: return !hasSiblingOfType(element, fromEnd: true)
    case .onlyOfType: return !hasSiblingOfType(element, fromEnd: false) && !hasSiblingOfType(element, fromEnd: true)
    case .lang: return ElementStates.matchesLanguage(store.languages[Int(part.extra)], tree, element)
    case .host, .hostContext: return false
    case .part: return shadow.parts.contains(part.name)
    default: return ElementStates.matches(part, tree, element)
    }
  }

  /// Expensive results are memoized, since nested lists test the same elements repeatedly.
  func matchesAny(_ list: UInt32, _ element: UInt32, _ anchor: UInt32) -> Bool {
    guard isCostly[Int(list)] else { return find(in: list, element, anchor) }
    let key = MatchCache.ListKey(list: list, element: element, anchor: anchor, scope: scope)
    if let cached = memory.answer(key) { return cached }
    guard depth < Self.maximumDepth else { return false }
    depth += 1
    let answer = find(in: list, element, anchor)
    depth -= 1
    memory.remember(key, answer)
    return answer
  }

  private func find(in list: UInt32, _ element: UInt32, _ anchor: UInt32) -> Bool {
    let range = lists[Int(list)]
    var index = range.lowerBound
    while index < range.upperBound {
      let head = heads[Int(index)]
      if match(Int(head.start), Int(head.end), element, anchor) == .matches { return true }
      index += 1
    }
    return false
  }

  private func hasSiblingOfType(_ element: UInt32, fromEnd: Bool) -> Bool {
    let info = elements[Int(element)]
    var sibling = fromEnd ? info.next : info.previous
    for _ in 0..<MatchCache.SiblingSearch.threshold {
      if sibling == ElementInfo.none { return false }
      let other = elements[Int(sibling)]
      if other.name == info.name, other.namespace == info.namespace { return true }
      sibling = fromEnd ? other.next : other.previous
    }
    let pattern = NthPattern(step: 0, offset: 1, fromEnd: fromEnd, ofType: true)
    return !matchesCounted(fromEnd ? .max : .max - 1, pattern, element)
  }

  // MARK: Attributes

  private func matchesAttribute(_ number: UInt32, _ element: UInt32) -> Bool {
    let test = attributeTests[Int(number)]
    let isHTML = elements[Int(element)].isHTML
    let name = isHTML ? test.lowerName : test.name
    let range = tree.attributeRange(element)
    var index = range.lowerBound
    while index < range.upperBound {
      let attribute = tree.attributes[index]
      index += 1
      guard attribute.name == name else { continue }
      if let namespace = test.namespace, attribute.namespace != namespace { continue }
      if test.operation == .exists { return true }
      let ignoresCase = test.ignoresCase ?? (isHTML && attribute.namespace == .none && test.isCaseInsensitiveInHTML)
      if compare(tree.bytes(attribute.value), number, element, ignoresCase) { return true }
    }
    return false
  }

  /// Comparisons with long values are memoized, since every descendant may repeat them.
  private func compare(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ number: UInt32, _ element: UInt32, _ ignoresCase: Bool) -> Bool {
    let test = attributeTests[Int(number)]
    let comparison = AttributeComparison(operation: test.operation, ignoresCase: ignoresCase)
    let value = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text)[test.value.range])
    let bytes = UnsafeBufferPointer(rebasing: bytes)
    guard bytes.count > MatchCache.longValue else { return comparison.holds(bytes, value) }
    let key = MatchCache.AttributeKey(test: number, element: element, value: bytes.baseAddress)
    if let cached = memory.answer(key) { return cached }
    guard meter.spend(bytes.count >> 5) else { return false }
    let answer = comparison.holds(bytes, value)
    memory.remember(key, answer)
    return answer
  }

  // MARK: :nth-*()

  private func matchesNth(_ number: UInt32, _ element: UInt32) -> Bool {
    let pattern = store.nths[Int(number)]
    if !pattern.ofType, pattern.list == nil {
      return pattern.matches(Int(pattern.fromEnd ? elements[Int(element)].indexFromEnd : elements[Int(element)].index))
    }
    if let list = pattern.list, !matchesAny(list, element, ElementInfo.none) { return false }
    return matchesCounted(number, pattern, element)
  }

  private func matchesCounted(_ number: UInt32, _ pattern: NthPattern, _ element: UInt32) -> Bool {
    let key = MatchCache.CountKey(pattern: number, element: element, scope: scope)
    if memory.counts[key] == nil { countSiblings(of: element, number, pattern) }
    return memory.counts[key].map { pattern.matches($0) } ?? false
  }

  /// Numbers all siblings at once, so that the total time is linear.
  private func countSiblings(of element: UInt32, _ number: UInt32, _ pattern: NthPattern) {
    memory.makeRoomForCounts()
    var sibling = element
    while true {
      let next = pattern.fromEnd ? elements[Int(sibling)].next : elements[Int(sibling)].previous
      if next == ElementInfo.none { break }
      sibling = next
    }
    var counts: [UInt64: Int] = [:]
    while sibling != ElementInfo.none, meter.spend() {
      let key = MatchCache.CountKey(pattern: number, element: sibling, scope: scope)
      if pattern.ofType {
        let type = UInt64(elements[Int(sibling)].name.raw) << 8 | UInt64(elements[Int(sibling)].namespace.rawValue)
        counts[type, default: 0] += 1
        memory.counts[key] = counts[type]
      } else if let list = pattern.list, matchesAny(list, sibling, ElementInfo.none) {
        counts[0, default: 0] += 1
        memory.counts[key] = counts[0]
      }
      sibling = pattern.fromEnd ? elements[Int(sibling)].previous : elements[Int(sibling)].next
    }
  }

  // MARK: :has()

  /// https://drafts.csswg.org/selectors-4/#relational
  private func matchesHas(_ list: UInt32, _ element: UInt32) -> Bool {
    let key = MatchCache.ListKey(list: list, element: element, anchor: ElementInfo.none, scope: scope)
    if let cached = memory.answer(key) { return cached }
    guard depth < Self.maximumDepth else { return false }
    depth += 1
    let result = lists[Int(list)].contains { matchesRelative($0, element) }
    depth -= 1
    memory.remember(key, result)
    return result
  }

  private func matchesRelative(_ number: UInt32, _ anchor: UInt32) -> Bool {
    let head = heads[Int(number)]
    let combinators = parts[Int(head.start)..<Int(head.end)].lazy.filter(\.isCombinator)
    guard let leftmost = parts[Int(head.start)..<Int(head.end)].last(where: \.isCombinator)?.kind else { return false }
    let isSimple = combinators.dropFirst().isEmpty
    if isSimple, let marked = marks(number, leftmost) { return marked[Int(anchor)] }
    switch leftmost {
    case .nextSibling, .subsequentSibling:
      var sibling = elements[Int(anchor)].next
      while sibling != ElementInfo.none, !meter.hasPassed {
        if check(number, sibling, anchor) { return true }
        if !isSimple, descendants(of: sibling, { check(number, $0, anchor) }) { return true }
        if leftmost == .nextSibling, isSimple { return false }
        sibling = elements[Int(sibling)].next
      }
      return false
    case .child where isSimple:
      var child = elements[Int(anchor)].firstChild
      while child != ElementInfo.none, !meter.hasPassed {
        if check(number, child, anchor) { return true }
        child = elements[Int(child)].next
      }
      return false
    default: return descendants(of: anchor) { check(number, $0, anchor) }
    }
  }

  func check(_ number: UInt32, _ element: UInt32, _ anchor: UInt32) -> Bool {
    memory.relativeChecks[number, default: 0] += 1
    return matches(heads[Int(number)], element, anchor: anchor)
  }

  private func descendants(of root: UInt32, _ body: (UInt32) -> Bool) -> Bool {
    var element = elements[Int(root)].firstChild
    while element != ElementInfo.none, !meter.hasPassed {
      if body(element) { return true }
      element = tree.nextInPreOrder(element, within: root)
    }
    return false
  }

  /// The elements with a descendant or following sibling that matches the single compound selector of a relative selector. Computed for all
  /// elements at once after many individual tests.
  private func marks(_ number: UInt32, _ combinator: SelectorPart.Kind) -> [Bool]? {
    guard scope == tree.root, combinator == .descendant || combinator == .subsequentSibling else { return nil }
    if let cached = memory.relativeMarks[number] { return cached }
    guard memory.relativeChecks[number, default: 0] > elements.count, memory.relativeMarks.count < MatchCache.maximumMarks
    else { return nil }
    var marked = [Bool](repeating: false, count: elements.count)
    let head = heads[Int(number)]
    let compoundEnd = parts[Int(head.start)..<Int(head.end)].firstIndex(where: \.isCombinator) ?? Int(head.end)
    var element = tree.root
    while element != ElementInfo.none, !meter.hasPassed {
      if match(Int(head.start), compoundEnd, element, ElementInfo.none) == .matches {
        let isDescendant = combinator == .descendant
        var owner = isDescendant ? elements[Int(element)].parent : elements[Int(element)].previous
        while owner != ElementInfo.none, !marked[Int(owner)] {
          marked[Int(owner)] = true
          owner = isDescendant ? elements[Int(owner)].parent : elements[Int(owner)].previous
        }
      }
      element = tree.nextInPreOrder(element, within: ElementInfo.none)
    }
    memory.relativeMarks[number] = marked
    return marked
  }
}

/// HTML attributes with case-insensitive values.
///
/// https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors
enum CaseInsensitiveAttributes {
  private static let names: Set<ByteString> = [
    "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear", "codetype", "color", "compact",
    "declare", "defer", "dir", "direction", "disabled", "enctype", "face", "frame", "hreflang", "http-equiv", "lang", "language", "link",
    "media", "method", "multiple", "nohref", "noresize", "noshade", "nowrap", "readonly", "rel", "rev", "rules", "scope", "scrolling",
    "selected", "shape", "target", "text", "type", "valign", "valuetype", "vlink",
  ]
  private static let known: Set<Name> = {
    var table = NameTable.known
    return Set(names.map { table.intern($0.text) }.filter { $0.raw < UInt32(NameTable.known.count) })
  }()
  static func contains(_ name: Name) -> Bool { known.contains(name) }
}
