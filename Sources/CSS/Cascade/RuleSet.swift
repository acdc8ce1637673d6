import OffprintCoreTypes
import OffprintDOM

/// Indices of the at-rules that contain a style rule.
struct EnclosingRules: Sendable {
  var layer = 0
  /// -1 if absent.
  var container = -1
  /// -1 if absent.
  var scope = -1
  /// Whether the rule is in `@starting-style` and applies only at the start of transitions.
  var isStarting = false
}

/// The declarations of a style rule, or of a segment of one between nested rules.
struct StyleRule: Sendable {
  var normal: Range<Int>
  var important: Range<Int>
  var place: EnclosingRules
  /// Whether `content` is declared, without which `::before` and `::after` generate no box.
  var declaresContent: Bool
}

/// A rule with one of its selectors, sorted by `key` in cascade order.
struct RuleEntry: BitwiseCopyable {
  var head: SelectorHead
  var rule: UInt32
  /// Layer, specificity and order, from the most significant bits.
  var key: UInt64
  /// Index of the enclosing `@container` rule; -1 if absent.
  var container: Int32
  /// Index of the enclosing `@scope` rule; -1 if absent.
  var scope: Int32
}

/// Immutable style rules of one or more style sheets, indexed by features of the rightmost compound selector.
final class RuleSet: Sendable {
  let selectors: SelectorStore
  /// Whether a selector contains scroll buttons or markers.
  let usesScrollParts: Bool
  let rules: [StyleRule]
  let declarations: [Declaration]
  let containers: [ContainerQuery]
  let scopes: [ScopeRule]
  /// The rank of each cascade layer.
  let layerRanks: [UInt32]
  let entries: [RuleEntry]
  private let byID: NameBuckets
  private let byClass: NameBuckets
  private let byType: NameBuckets
  private let byAttribute: NameBuckets
  private let byValue: ValueBuckets
  private let universal: [UInt32]
  private let ofRoot: [UInt32]
  let hasAttributeRules: Bool
  /// Entries that match elements outside of the tree of the rules.
  let ofHost: [UInt32]
  let ofSlotted: [UInt32]
  let ofParts: [UInt32]

  /// Incomplete if the deadline passes.
  init(_ builder: RuleSetBuilder, meter: WorkMeter) {
    selectors = builder.selectors
    rules = builder.rules
    declarations = builder.declarations
    containers = builder.containers
    scopes = builder.scopes
    layerRanks = builder.layers.ranks()
    var usesScrollParts = false
    var entries: [RuleEntry] = []
    entries.reserveCapacity(builder.entries.count)
    var index = RuleIndexer(store: selectors)
    var elsewhere: (host: [UInt32], slotted: [UInt32], parts: [UInt32]) = ([], [], [])
    for (number, entry) in builder.entries.enumerated() {
      guard meter.spend(4) else { break }
      let head = selectors.heads[Int(entry.head)]
      guard head.pseudo < SelectorHead.column || head.pseudo == SelectorHead.noPseudo, let buckets = index.buckets(of: head) else {
        continue
      }
      if let pseudo = PseudoElement(rawValue: head.pseudo), pseudo.isScrollPart { usesScrollParts = true }
      let rank = UInt64(min(layerRanks[rules[Int(entry.rule)].place.layer], 4095))
      let key = rank << 52 | UInt64(head.specificity.raw) << 22 | UInt64(min(number, 1 << 22 - 1))
      let place = rules[Int(entry.rule)].place
      entries.append(
        RuleEntry(
          head: head, rule: entry.rule, key: key, container: Int32(truncatingIfNeeded: place.container),
          scope: Int32(truncatingIfNeeded: place.scope)))
      let item = UInt32(truncatingIfNeeded: entries.count - 1)
      if head.reach.contains(.own) { buckets.forEach { index.add(item, to: $0) } }
      if head.reach == .own { continue }
      if head.reach.contains(.host) { elsewhere.host.append(item) }
      if head.reach.contains(.slotted) { elsewhere.slotted.append(item) }
      if head.reach.contains(.part) { elsewhere.parts.append(item) }
    }
    self.entries = entries
    self.usesScrollParts = usesScrollParts
    (ofHost, ofSlotted, ofParts) = elsewhere
    byID = NameBuckets(index.ids)
    byClass = NameBuckets(index.classes)
    byType = NameBuckets(index.types)
    byAttribute = NameBuckets(index.attributes)
    byValue = ValueBuckets(index.values)
    universal = index.universal
    ofRoot = index.ofRoot
    hasAttributeRules = !index.attributes.isEmpty || !index.values.isEmpty
  }

  /// Calls `body` with the index of each entry that may match `element`, possibly repeatedly.
  @inline(__always) func forEachCandidate(_ tree: ElementTree, _ element: UInt32, _ body: (UInt32) -> Void) {
    let info = tree[element]
    if info.hasID { byID[info.id].forEach(body) }
    for index in Int(info.firstClass)..<Int(info.firstClass + info.classCount) { byClass[tree.classes[index]].forEach(body) }
    byType[info.name].forEach(body)
    let folded = tree.foldedName(info)
    if folded != info.name { byType[folded].forEach(body) }
    if hasAttributeRules {
      for attribute in tree.attributes[tree.attributeRange(element)] {
        byAttribute[attribute.name].forEach(body)
        if byValue.mayContain(attribute.name) { byValue[attribute.name, tree.bytes(attribute.value)].forEach(body) }
      }
    }
    universal.forEach(body)
    if element == tree.root { ofRoot.forEach(body) }
  }
}
