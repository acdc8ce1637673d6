import OffprintCoreTypes
import OffprintDOM

/// The style sheets of one tree that an element may match, and in what part.
struct TreeContext {
  /// The number of the shadow tree's sheet; -1 is the document.
  var sheet: Int
  /// The rules that are asked: those about the tree's own elements, its host, what is slotted, or parts.
  var reach: SelectorReach
  var shadow: ShadowContext
}

/// What the styles of a document with shadow trees are found by.
///
/// https://drafts.csswg.org/css-scoping-1/#shadow-dom
struct ShadowStyles {
  let flat: FlatTree
  let sheets: ShadowSheets
  let names: NameInterner
  /// By sheet.
  let matchers: [SelectorMatcher]
  /// The numbers of source sets by their contexts.
  var sourceSets: [[UInt32]: Int] = [:]
  /// By source set.
  var keyframes: [[ByteString: KeyframesRule]]
  /// Where in the sources at hand the element's own tree is.
  var ownSource = 0
  /// Trees in trees, and slots in slots, that are looked at.
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

  /// The trees with rules for an element, the innermost first: their normal declarations win in this order.
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

  /// The slot that an element is assigned to, the one that this is assigned to, and so on.
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

  /// The names that the parts of a shadow tree have outside the tree around. https://drafts.csswg.org/css-shadow-parts-1/#exportparts
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
