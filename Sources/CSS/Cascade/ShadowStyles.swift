import OffprintCoreTypes
import OffprintDOM

/// The rules of one tree that can match an element.
struct TreeContext {
  /// Index of the shadow tree's style sheet; -1 for the document.
  var sheet: Int
  /// The kinds of rules that apply: those for elements of the tree itself, for its host, for slotted elements, or for parts.
  var reach: SelectorReach
  var shadow: ShadowContext
}

/// Selects the style sheets for elements in documents with shadow trees.
///
/// https://drafts.csswg.org/css-scoping-1/#shadow-dom
struct ShadowStyles {
  let flat: FlatTree
  let sheets: ShadowSheets
  let names: NameInterner
  /// By sheet.
  let matchers: [SelectorMatcher]
  /// Indices of source sets, by their contexts.
  var sourceSets: [[UInt32]: Int] = [:]
  /// By source set.
  var keyframes: [[ByteString: KeyframesRule]]
  /// The index of the element's own tree among the current sources.
  var ownSource = 0
  /// Maximum nesting of trees, and of slots.
  private static let maximumDepth = 64

  init(_ document: Document, _ sheets: ShadowSheets, _ collector: RuleCollector, _ names: NameInterner) {
    flat = FlatTree(document)
    self.sheets = sheets
    self.names = names
    matchers = sheets.sheets.map { SelectorMatcher(tree: collector.tree, store: $0.rules.selectors) }
    // Grafted documents have no keyframes of their own.
    keyframes = Array(repeating: collector.keyframes, count: collector.sourceSets.count)
  }

  private func host(_ tree: UInt32, _ document: Document) -> UInt32 {
    tree == 0 ? ElementInfo.none : document.shadowRoots[Int(tree) - 1].host.raw
  }

  private func context(
    _ number: UInt32, _ reach: SelectorReach, _ document: Document, slot: UInt32 = ElementInfo.none, owner: UInt32 = ElementInfo.none,
    parts: [Name] = []
  ) -> TreeContext {
    TreeContext(
      sheet: number == 0 ? -1 : sheets.numbers[Int(number) - 1], reach: reach,
      shadow: ShadowContext(host: host(number, document), slot: slot, partOwner: owner, parts: parts))
  }

  /// The trees with rules for an element, innermost first. Later ones win among normal declarations.
  ///
  /// https://drafts.csswg.org/css-cascade-5/#cascade-context
  mutating func contexts(of element: UInt32, _ tree: ElementTree) -> [TreeContext] {
    let document = tree.document
    var found: [TreeContext] = []
    if let inner = document.shadowRootIndex(of: NodeID(raw: element)) {
      found.append(context(UInt32(truncatingIfNeeded: inner + 1), .host, document))
    }
    for slot in slots(of: element).reversed() { found.append(context(flat.trees[slot.index], .slotted, document, slot: slot.raw)) }
    ownSource = found.count
    let own = flat.trees[Int(element)]
    var parts = own > 0 ? partNames(element, tree) : []
    let reach: SelectorReach = parts.isEmpty ? .own : [.own, .part]
    found.append(context(own, reach, document, owner: parts.isEmpty ? ElementInfo.none : host(own, document), parts: parts))
    var inner = own
    while inner > 0, !parts.isEmpty, found.count < Self.maximumDepth * 2 {
      let owner = host(inner, document)
      inner = flat.trees[Int(owner)]
      found.append(context(inner, .part, document, owner: owner, parts: parts))
      parts = exported(parts, by: owner, tree)
    }
    return found
  }

  /// The slot to which an element is assigned, the slot to which that is assigned, and so on.
  private func slots(of element: UInt32) -> [NodeID] {
    var slots: [NodeID] = []
    var slot = flat.slots[NodeID(raw: element)]
    while let next = slot, slots.count < Self.maximumDepth {
      slots.append(next)
      slot = flat.slots[next]
    }
    return slots
  }

  // MARK: Parts

  private func partNames(_ element: UInt32, _ tree: ElementTree) -> [Name] {
    guard let value = tree.attribute(.part, element) else { return [] }
    return value.split(whereSeparator: isHTMLSpace).map { names.table.intern(Array($0)) }
  }

  /// The names that parts of a shadow tree have outside of the host's tree. https://drafts.csswg.org/css-shadow-parts-1/#exportparts
  private func exported(_ parts: [Name], by host: UInt32, _ tree: ElementTree) -> [Name] {
    guard let value = tree.attribute(.exportparts, host) else { return [] }
    var outside: [Name] = []
    for mapping in value.split(separator: 0x2C) {
      let sides = mapping.split(separator: 0x3A, omittingEmptySubsequences: false).map { Array($0.trimmingHTMLSpaces) }
      guard let inner = sides.first, !inner.isEmpty, sides.count <= 2, let outer = sides.last, !outer.isEmpty else { continue }
      if parts.contains(names.table.intern(inner)) { outside.append(names.table.intern(outer)) }
    }
    return outside
  }
}
