import CoreTypes
import DOM

/// The numbers of the at-rules that a style rule is in.
struct RulePlace: Sendable {
  var layer = 0
  /// -1 is none.
  var container = -1
  /// -1 is none.
  var scope = -1
}

/// The declarations of a style rule, or of a part of one between nested rules.
struct StyleRule: Sendable {
  var normal: Range<Int>
  var important: Range<Int>
  var place: RulePlace
  /// Has a declaration of `content`, without which `::before` and `::after` have no box.
  var declaresContent: Bool
}

/// A rule and one of its selectors, ready to be matched. In the order of the cascade by `key`.
struct RuleEntry: BitwiseCopyable {
  var head: SelectorHead
  var rule: UInt32
  /// Layer, specificity, order.
  var key: UInt64
  /// The `@container` rule it is in; -1 is none.
  var container: Int32
  /// The `@scope` rule it is in; -1 is none.
  var scope: Int32
}

/// Style rules in the order of their sheets, indexed by what the rightmost compound selector asks for. Never changed once built.
final class RuleSet: @unchecked Sendable {
  let selectors: SelectorStore
  let rules: [StyleRule]
  let declarations: [Declaration]
  let containers: [ContainerQuery]
  let scopes: [ScopeRule]
  /// Rank of each layer.
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

  /// Incomplete where the time passes.
  init(_ builder: RuleSetBuilder, meter: WorkMeter) {
    selectors = builder.selectors
    rules = builder.rules
    declarations = builder.declarations
    containers = builder.containers
    scopes = builder.scopes
    layerRanks = builder.layers.ranks()
    var entries: [RuleEntry] = []
    entries.reserveCapacity(builder.entries.count)
    var index = RuleIndexer(store: selectors)
    for (number, entry) in builder.entries.enumerated() {
      guard meter.spend(4) else { break }
      let head = selectors.heads[Int(entry.head)]
      guard head.pseudo != SelectorHead.neverMatches, let buckets = index.buckets(of: head) else { continue }
      let rank = UInt64(min(layerRanks[rules[Int(entry.rule)].place.layer], 4095))
      let key = rank << 52 | UInt64(head.specificity.raw) << 22 | UInt64(min(number, 1 << 22 - 1))
      let place = rules[Int(entry.rule)].place
      entries.append(
        RuleEntry(
          head: head, rule: entry.rule, key: key, container: Int32(truncatingIfNeeded: place.container),
          scope: Int32(truncatingIfNeeded: place.scope)))
      buckets.forEach { index.add(UInt32(truncatingIfNeeded: entries.count - 1), to: $0) }
    }
    self.entries = entries
    byID = NameBuckets(index.ids)
    byClass = NameBuckets(index.classes)
    byType = NameBuckets(index.types)
    byAttribute = NameBuckets(index.attributes)
    byValue = ValueBuckets(index.values)
    universal = index.universal
    ofRoot = index.ofRoot
    hasAttributeRules = !index.attributes.isEmpty || !index.values.isEmpty
  }

  /// Calls `body` with the number of each entry that may match `element`; with some more than once.
  @inline(__always) func forEachCandidate(_ tree: ElementTree, _ element: UInt32, _ body: (UInt32) -> Void) {
    let info = tree[element]
    if info.hasID { byID[info.id].forEach(body) }
    for index in Int(info.firstClass)..<Int(info.firstClass + info.classCount) { byClass[tree.classes[index]].forEach(body) }
    byType[info.name].forEach(body)
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

/// Lists of numbers by name, in an array that the name's number indexes.
private struct NameBuckets {
  private var ends: [UInt32] = []
  private var items: [UInt32] = []

  init(_ pairs: [(name: Name, item: UInt32)]) {
    guard let largest = pairs.lazy.map(\.name.raw).max() else { return }
    var counts = [UInt32](repeating: 0, count: Int(largest) + 1)
    for pair in pairs { counts[Int(pair.name.raw)] += 1 }
    var total: UInt32 = 0
    ends = counts.map {
      total += $0
      return total
    }
    var next = ends.indices.map { ends[$0] - counts[$0] }
    items = Array(repeating: 0, count: pairs.count)
    for pair in pairs {
      items[Int(next[Int(pair.name.raw)])] = pair.item
      next[Int(pair.name.raw)] += 1
    }
  }

  subscript(name: Name) -> ArraySlice<UInt32> {
    let index = Int(name.raw)
    guard index < ends.count else { return [] }
    return items[Int(index > 0 ? ends[index - 1] : 0)..<Int(ends[index])]
  }
}

/// Lists of numbers by an attribute's name and value.
private struct ValueBuckets {
  private var numbers = HashTable<UInt32>()
  private var buckets = NameBuckets([])
  /// A bit for each name, by its last six bits.
  private var names: UInt64 = 0

  /// Values match without regard to case by some selectors, so that they are hashed so for all.
  static func hash(_ name: Name, _ value: UnsafeBufferPointer<UInt8>) -> UInt64 {
    value.foldedHash ^ UInt64(name.raw) &* 0x9E37_79B9_7F4A_7C15
  }

  init(_ values: [(name: Name, hash: UInt64, item: UInt32)]) {
    var pairs: [(name: Name, item: UInt32)] = []
    for value in values {
      let number = numbers[value.hash] ?? UInt32(truncatingIfNeeded: pairs.count)
      numbers[value.hash] = number
      names |= 1 << UInt64(value.name.raw & 63)
      pairs.append((Name(raw: number), value.item))
    }
    buckets = NameBuckets(pairs)
  }

  @inline(__always) func mayContain(_ name: Name) -> Bool { names & 1 << UInt64(name.raw & 63) != 0 }

  subscript(name: Name, value: Slice<UnsafeBufferPointer<UInt8>>) -> ArraySlice<UInt32> {
    numbers[Self.hash(name, UnsafeBufferPointer(rebasing: value))].map { buckets[Name(raw: $0)] } ?? []
  }
}

/// Chooses the bucket of a selector: the rarest name that the element must have.
private struct RuleIndexer {
  private static let maximumAlternatives = 64

  enum Bucket {
    case id(Name)
    case `class`(Name)
    case type(Name)
    case attribute(Name)
    /// An attribute that has one value, by `ValueBuckets.hash`.
    case value(Name, UInt64)
    case root
    case universal
  }
  let store: SelectorStore
  var ids: [(name: Name, item: UInt32)] = []
  var classes: [(name: Name, item: UInt32)] = []
  var types: [(name: Name, item: UInt32)] = []
  var attributes: [(name: Name, item: UInt32)] = []
  var values: [(name: Name, hash: UInt64, item: UInt32)] = []
  var universal: [UInt32] = []
  var ofRoot: [UInt32] = []
  /// By list: rules nested in one rule ask for the same.
  private var alternatives: [UInt32: [Bucket]?] = [:]

  init(store: SelectorStore) { self.store = store }

  mutating func add(_ item: UInt32, to bucket: Bucket) {
    switch bucket {
    case .id(let name): ids.append((name, item))
    case .class(let name): classes.append((name, item))
    case .type(let name): types.append((name, item))
    case .attribute(let name): attributes.append((name, item))
    case .value(let name, let hash): values.append((name, hash, item))
    case .root: ofRoot.append(item)
    case .universal: universal.append(item)
    }
  }

  /// nil where the selector cannot match. More than one bucket for `:is()` in the rightmost compound.
  mutating func buckets(of head: SelectorHead, depth: Int = 0) -> [Bucket]? {
    var best: (rank: Int, bucket: Bucket) = (0, .universal)
    var alternatives: UInt32?
    for part in store.parts[Int(head.start)..<Int(head.end)] {
      if part.isCombinator { break }
      let candidate: (rank: Int, bucket: Bucket)
      switch part.kind {
      case .never: return nil
      case .root: candidate = (6, .root)
      case .id: candidate = (5, .id(part.name))
      case .class: candidate = (4, .class(part.name))
      // The lists for the name as written and in lower case differ only in documents that are not HTML.
      case .type: candidate = part.name.raw == part.extra ? (2, .type(part.name)) : (0, .universal)
      case .attribute:
        candidate = bucket(of: store.attributes[Int(part.extra)])
      case .matchesAny:
        alternatives = part.extra
        continue
      default: continue
      }
      if candidate.rank > best.rank { best = candidate }
    }
    if best.rank < 4, let alternatives, depth < 4, let found = self.alternatives(alternatives, depth) { return found }
    return best.rank == 0 ? owners(of: PseudoElement(rawValue: head.pseudo)) : [best.bucket]
  }

  private func bucket(of test: AttributeTest) -> (rank: Int, bucket: Bucket) {
    guard test.name == test.lowerName else { return (0, .universal) }
    guard test.operation == .equals else { return (1, .attribute(test.name)) }
    let hash = store.text.withUnsafeBufferPointer { ValueBuckets.hash(test.name, UnsafeBufferPointer(rebasing: $0[test.value.range])) }
    return (3, .value(test.name, hash))
  }

  /// The elements that can have a pseudo-element; nil for what never has a box.
  private func owners(of pseudo: PseudoElement?) -> [Bucket]? {
    switch pseudo {
    case .placeholder: [.type(.input), .type(.textarea)]
    case .fileSelectorButton: [.type(.input)]
    case .backdrop, .selection: nil
    default: [.universal]
    }
  }

  private mutating func alternatives(_ list: UInt32, _ depth: Int) -> [Bucket]? {
    if let known = alternatives[list] { return known }
    let found = findAlternatives(list, depth)
    alternatives[list] = .some(found)
    return found
  }

  /// nil where any element may match.
  private mutating func findAlternatives(_ list: UInt32, _ depth: Int) -> [Bucket]? {
    var buckets: [Bucket] = []
    for number in store.lists[Int(list)].range {
      guard let found = self.buckets(of: store.heads[Int(number)], depth: depth + 1) else { continue }
      for bucket in found {
        if case .universal = bucket { return nil }
        buckets.append(bucket)
      }
      if buckets.count > Self.maximumAlternatives { return nil }
    }
    return buckets
  }
}

/// Collects the rules of style sheets as they are parsed.
struct RuleSetBuilder {
  /// Rules times selectors.
  private static let maximumEntries = 1 << 20

  var selectors = SelectorStore()
  var rules: [StyleRule] = []
  var declarations: [Declaration] = []
  var entries: [(head: UInt32, rule: UInt32)] = []
  var layers = LayerTree()
  var containers: [ContainerQuery] = []
  var scopes: [ScopeRule] = []
  var fontFaces: [FontFaceRule] = []
  var counterStyles: [CounterStyleRule] = []
  var registeredProperties: [Name: RegisteredProperty] = [:]
  var isOverLimit = false
  /// How many `@import` rules were followed.
  var imports = 0

  /// Makes a rule of the declarations from `start` on, for the selectors `heads`, unless there are too many.
  mutating func addRule(
    _ heads: Range<UInt32>, from start: Int, important: [Declaration], declaresContent: Bool, place: RulePlace, limit: Int
  ) {
    guard !heads.isEmpty, rules.count < limit, entries.count + heads.count < Self.maximumEntries else {
      if !heads.isEmpty { isOverLimit = true }
      declarations.removeSubrange(start...)
      return
    }
    let middle = declarations.count
    declarations.append(contentsOf: important)
    rules.append(
      StyleRule(normal: start..<middle, important: middle..<declarations.count, place: place, declaresContent: declaresContent))
    let rule = UInt32(truncatingIfNeeded: rules.count - 1)
    for head in heads { entries.append((head, rule)) }
  }
}

/// Declarations in order, split by importance.
struct DeclarationBlock: Sendable {
  var normal: [Declaration] = []
  var important: [Declaration] = []
  var declaresContent = false
}
