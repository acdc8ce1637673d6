import OffprintCoreTypes
import OffprintDOM

/// Chooses the bucket of a selector: the rarest feature that a matching element must have.
struct RuleIndexer {
  private static let maximumAlternatives = 64

  enum Bucket {
    case id(Name)
    case `class`(Name)
    case type(Name)
    case attribute(Name)
    /// An attribute with a specific value; the hash is that of `ValueBuckets.hash`.
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
  /// By selector list, since all rules nested in one rule share it.
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

  /// The buckets of a selector; nil if it cannot match. There are several for `:is()` in the rightmost compound.
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
      // The name as written and its lowercase form differ only in documents that are not HTML.
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

  /// The elements that can have a pseudo-element; nil if it never generates a box.
  private func owners(of pseudo: PseudoElement?) -> [Bucket]? {
    switch pseudo {
    case .placeholder: [.type(.input), .type(.textarea)]
    case .fileSelectorButton, .sliderTrack, .sliderThumb: [.type(.input)]
    case .progressBar, .progressValue: [.type(.progress)]
    case .detailsContent, .detailsFirstLine, .detailsFirstLetter: [.type(.details)]
    case .pickerIcon: [.type(.select)]
    case .checkmark: [.type(.option)]
    case .meterBar, .meterOptimumValue, .meterSuboptimumValue, .meterPoorValue: [.type(.meter)]
    case .backdrop, .selection: nil
    default: [.universal]
    }
  }

  private mutating func alternatives(_ list: UInt32, _ depth: Int) -> [Bucket]? {
    if let cached = alternatives[list] { return cached }
    let found = findAlternatives(list, depth)
    alternatives[list] = .some(found)
    return found
  }

  /// Nil if any element may match.
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
