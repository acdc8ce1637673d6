import CoreTypes
import DOM

/// Matches selectors of one store on the elements of a document.
///
/// https://drafts.csswg.org/selectors-4/#match-a-selector-against-an-element
final class SelectorMatcher {
  let tree: ElementTree
  let store: SelectorStore
  // The tables of the tree and the store, where reading an element copies nothing and counts no references.
  private let elements: UnsafeMutableBufferPointer<ElementInfo>
  private let classes: UnsafeMutableBufferPointer<Name>
  private let parts: UnsafeMutableBufferPointer<SelectorPart>
  private let heads: UnsafeMutableBufferPointer<SelectorHead>
  private let lists: UnsafeMutableBufferPointer<Range<UInt32>>
  private let attributeTests: UnsafeMutableBufferPointer<AttributeTest>
  private let text: UnsafeMutableBufferPointer<UInt8>
  private var nthCache: [NthKey: Int] = [:]
  /// By the part of the selector that is asked for.
  private var siblingSearches: [Int: SiblingSearch] = [:]
  private var hasCache: [HasKey: Bool] = [:]
  /// How many elements `:has()` and `@scope` may still look at.
  private(set) var budget = 4_000_000
  /// What `:scope` matches.
  private var scope: UInt32

  /// What a search among the siblings up to number `index` of `parent`, from the last to the first, found.
  private struct SiblingSearch {
    var parent: UInt32
    var anchor: UInt32
    var scope: UInt32
    var index: UInt32
    var outcome: Outcome
    /// Searches shorter than this are not worth remembering.
    static let threshold = 16

    func isFor(_ parent: UInt32, _ anchor: UInt32, _ scope: UInt32) -> Bool {
      self.parent == parent && self.anchor == anchor && self.scope == scope
    }
  }
  private struct NthKey: Hashable {
    var pattern: UInt32
    var element: UInt32
    var scope: UInt32
  }
  private struct HasKey: Hashable {
    var list: UInt32
    var element: UInt32
    var scope: UInt32
  }

  init(tree: ElementTree, store: SelectorStore) {
    self.tree = tree
    self.store = store
    scope = tree.root
    elements = tree.elements
    classes = tree.classes
    parts = Self.copy(store.parts)
    heads = Self.copy(store.heads)
    lists = Self.copy(store.lists)
    attributeTests = Self.copy(store.attributes)
    text = Self.copy(store.text)
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
  }

  /// Why a match failed, so that what cannot succeed elsewhere either is not tried.
  private enum Outcome { case matches, failsLocally, failsAllSiblings, failsCompletely }

  func matches(_ head: SelectorHead, _ element: UInt32, anchor: UInt32 = ElementInfo.none) -> Bool {
    match(Int(head.start), Int(head.end), element, anchor) == .matches
  }

  /// Whether the selector matches where `:scope` is `scope`.
  func matches(_ head: SelectorHead, _ element: UInt32, scope: UInt32) -> Bool {
    scoped(scope) { matches(head, element) }
  }

  func matchesAny(_ list: UInt32, _ element: UInt32, scope: UInt32) -> Bool {
    scoped(scope) { matchesAny(list, element, ElementInfo.none) }
  }

  private func scoped(_ scope: UInt32, _ body: () -> Bool) -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    self.scope = scope
    defer { self.scope = tree.root }
    return body()
  }

  private func match(_ start: Int, _ end: Int, _ element: UInt32, _ anchor: UInt32) -> Outcome {
    var index = start
    while index < end {
      let part = parts[index]
      if part.isCombinator { return matchCombinator(part.kind, index + 1, end, element, anchor) }
      if !matches(part, element, anchor) { return .failsLocally }
      index += 1
    }
    return .matches
  }

  private func matchCombinator(_ kind: SelectorPart.Kind, _ next: Int, _ end: Int, _ element: UInt32, _ anchor: UInt32) -> Outcome {
    switch kind {
    case .child:
      let parent = elements[Int(element)].parent
      return parent == ElementInfo.none ? .failsCompletely : match(next, end, parent, anchor)
    case .nextSibling:
      let previous = elements[Int(element)].previous
      return previous == ElementInfo.none ? .failsAllSiblings : match(next, end, previous, anchor)
    case .subsequentSibling: return matchPrevious(next, end, element, anchor)
    default:
      var parent = elements[Int(element)].parent
      while parent != ElementInfo.none {
        let outcome = match(next, end, parent, anchor)
        if outcome == .matches || outcome == .failsCompletely { return outcome }
        parent = elements[Int(parent)].parent
      }
      return .failsCompletely
    }
  }

  /// Siblings are asked one after the other only up to the last that was asked the same, so that a long list costs linear time.
  private func matchPrevious(_ next: Int, _ end: Int, _ element: UInt32, _ anchor: UInt32) -> Outcome {
    var previous = elements[Int(element)].previous
    var outcome = Outcome.failsLocally
    var steps = 0
    var known: SiblingSearch?
    while previous != ElementInfo.none, outcome == .failsLocally {
      if steps == SiblingSearch.threshold {
        known = siblingSearches[next].flatMap { $0.isFor(elements[Int(element)].parent, anchor, scope) ? $0 : nil }
      }
      steps += 1
      if let known, elements[Int(previous)].index <= known.index {
        outcome = known.outcome
      } else {
        outcome = match(next, end, previous, anchor)
        previous = elements[Int(previous)].previous
      }
    }
    if outcome == .failsLocally { outcome = .failsAllSiblings }
    if steps > SiblingSearch.threshold {
      siblingSearches[next] = SiblingSearch(
        parent: elements[Int(element)].parent, anchor: anchor, scope: scope, index: elements[Int(element)].index - 1, outcome: outcome)
    }
    return outcome
  }

  @inline(__always) private func matches(_ part: SelectorPart, _ element: UInt32, _ anchor: UInt32) -> Bool {
    let info = elements[Int(element)]
    switch part.kind {
    case .type: return info.name.raw == (info.isHTML ? part.name.raw : part.extra)
    case .class: return hasClass(info, part.name)
    case .id: return info.hasID && info.id == part.name
    case .namespace: return info.namespace.rawValue == part.flag
    case .attribute: return matchesAttribute(attributeTests[Int(part.extra)], element)
    case .never: return false
    case .anchor: return element == anchor
    default: return matchesRare(part, element, anchor)
    }
  }

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
    default: return ElementStates.matches(part, tree, element)
    }
  }

  func matchesAny(_ list: UInt32, _ element: UInt32, _ anchor: UInt32) -> Bool {
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
    for _ in 0..<SiblingSearch.threshold {
      if sibling == ElementInfo.none { return false }
      let other = elements[Int(sibling)]
      if other.name == info.name, other.namespace == info.namespace { return true }
      sibling = fromEnd ? other.next : other.previous
    }
    let pattern = NthPattern(step: 0, offset: 1, fromEnd: fromEnd, ofType: true)
    return !matchesCounted(fromEnd ? .max : .max - 1, pattern, element)
  }

  // MARK: Attributes

  private func matchesAttribute(_ test: AttributeTest, _ element: UInt32) -> Bool {
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
      if compare(tree.bytes(attribute.value), test, ignoresCase) { return true }
    }
    return false
  }

  private func compare(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ test: AttributeTest, _ ignoresCase: Bool) -> Bool {
    let value = text[test.value.range]
    func equal(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      ignoresCase ? equalsIgnoringCase(part, value) : part.elementsEqual(value)
    }
    switch test.operation {
    case .exists: return true
    case .equals: return bytes.count == value.count && equal(bytes)
    case .includes:
      guard !value.isEmpty, !value.contains(where: isHTMLSpace) else { return false }
      return bytes.split(whereSeparator: isHTMLSpace).contains { $0.count == value.count && equal($0) }
    case .dashMatch:
      guard bytes.count >= value.count, equal(bytes.prefix(value.count)) else { return false }
      return bytes.count == value.count || bytes.dropFirst(value.count).first == 0x2D
    case .prefix: return !value.isEmpty && bytes.count >= value.count && equal(bytes.prefix(value.count))
    case .suffix: return !value.isEmpty && bytes.count >= value.count && equal(bytes.suffix(value.count))
    case .substring:
      guard !value.isEmpty, bytes.count >= value.count else { return false }
      for start in 0...(bytes.count - value.count) where equal(bytes.dropFirst(start).prefix(value.count)) { return true }
      return false
    }
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
    let key = NthKey(pattern: number, element: element, scope: scope)
    if nthCache[key] == nil { countSiblings(of: element, number, pattern) }
    return nthCache[key].map { pattern.matches($0) } ?? false
  }

  /// Numbers all siblings at once, so that a long list costs linear time.
  private func countSiblings(of element: UInt32, _ number: UInt32, _ pattern: NthPattern) {
    var sibling = element
    while true {
      let next = pattern.fromEnd ? elements[Int(sibling)].next : elements[Int(sibling)].previous
      if next == ElementInfo.none { break }
      sibling = next
    }
    var counts: [UInt64: Int] = [:]
    while sibling != ElementInfo.none {
      if pattern.ofType {
        let type = UInt64(elements[Int(sibling)].name.raw) << 8 | UInt64(elements[Int(sibling)].namespace.rawValue)
        counts[type, default: 0] += 1
        nthCache[NthKey(pattern: number, element: sibling, scope: scope)] = counts[type]
      } else if let list = pattern.list, matchesAny(list, sibling, ElementInfo.none) {
        counts[0, default: 0] += 1
        nthCache[NthKey(pattern: number, element: sibling, scope: scope)] = counts[0]
      }
      sibling = pattern.fromEnd ? elements[Int(sibling)].previous : elements[Int(sibling)].next
    }
  }

  // MARK: :has()

  /// https://drafts.csswg.org/selectors-4/#relational
  private func matchesHas(_ list: UInt32, _ element: UInt32) -> Bool {
    let key = HasKey(list: list, element: element, scope: scope)
    if let known = hasCache[key] { return known }
    let result = store.lists[Int(list)].contains { matchesRelative(store.heads[Int($0)], element) }
    hasCache[key] = result
    return result
  }

  private func matchesRelative(_ head: SelectorHead, _ anchor: UInt32) -> Bool {
    let combinators = store.parts[Int(head.start)..<Int(head.end)].filter(\.isCombinator)
    guard let leftmost = combinators.last?.kind else { return false }
    let isSimple = combinators.count == 1
    switch leftmost {
    case .nextSibling, .subsequentSibling:
      var sibling = elements[Int(anchor)].next
      while sibling != ElementInfo.none, budget > 0 {
        if check(head, sibling, anchor) { return true }
        if !isSimple, descendants(of: sibling, { check(head, $0, anchor) }) { return true }
        if leftmost == .nextSibling, isSimple { return false }
        sibling = elements[Int(sibling)].next
      }
      return false
    case .child where isSimple:
      var child = elements[Int(anchor)].firstChild
      while child != ElementInfo.none, budget > 0 {
        if check(head, child, anchor) { return true }
        child = elements[Int(child)].next
      }
      return false
    default: return descendants(of: anchor) { check(head, $0, anchor) }
    }
  }

  private func check(_ head: SelectorHead, _ element: UInt32, _ anchor: UInt32) -> Bool {
    guard budget > 0 else { return false }
    budget -= 1
    return matches(head, element, anchor: anchor)
  }

  private func descendants(of root: UInt32, _ body: (UInt32) -> Bool) -> Bool {
    var element = elements[Int(root)].firstChild
    while element != ElementInfo.none, budget > 0 {
      if body(element) { return true }
      element = tree.nextInPreOrder(element, within: root)
    }
    return false
  }
}

/// HTML attributes whose values match without regard to case.
///
/// https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors
enum CaseInsensitiveAttributes {
  private static let names: Set<String> = [
    "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear", "codetype", "color", "compact",
    "declare", "defer", "dir", "direction", "disabled", "enctype", "face", "frame", "hreflang", "http-equiv", "lang", "language", "link",
    "media", "method", "multiple", "nohref", "noresize", "noshade", "nowrap", "readonly", "rel", "rev", "rules", "scope", "scrolling",
    "selected", "shape", "target", "text", "type", "valign", "valuetype", "vlink",
  ]
  private static let known: Set<Name> = {
    var table = NameTable.known
    return Set(names.map { table.intern($0) }.filter { $0.raw < UInt32(NameTable.known.count) })
  }()
  static func contains(_ name: Name) -> Bool { known.contains(name) }
}
