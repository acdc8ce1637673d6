import OffprintDOM

/// Memoizes expensive results of a matcher. Each table is cleared when it exceeds its capacity.
struct MatchCache {
  /// Maximum number of results of each kind.
  private static let capacity = 1 << 20
  /// Comparisons with attribute values longer than this are memoized.
  static let longValue = 256
  static let maximumMarks = 256

  /// Whether an element matches a selector list.
  struct ListKey: Hashable {
    var list: UInt32
    var element: UInt32
    var anchor: UInt32
    var scope: UInt32
  }
  /// The comparison of an attribute value, identified by its address in the document.
  struct AttributeKey: Hashable {
    var test: UInt32
    var element: UInt32
    var value: UnsafePointer<UInt8>?
  }
  struct CountKey: Hashable {
    var pattern: UInt32
    var element: UInt32
    var scope: UInt32
  }
  /// Whether children of an element match a part of a selector.
  struct SiblingKey: Hashable {
    var part: Int
    var parent: UInt32
    var anchor: UInt32
    var scope: UInt32
  }
  /// The result of a backward search through the siblings, starting at `index`.
  struct SiblingSearch {
    var index: UInt32
    var outcome: SelectorMatcher.Outcome
    /// Shorter searches are not memoized.
    static let threshold = 16
  }
  /// Whether an element is a root of a `@scope` rule.
  struct RootKey: Hashable {
    var rule: Int
    var element: UInt32
  }

  private var answers: [ListKey: Bool] = [:]
  private var comparisons: [AttributeKey: Bool] = [:]
  private var siblingSearches: [SiblingKey: SiblingSearch] = [:]
  private var roots: [RootKey: Bool] = [:]
  /// The positions of elements among their counted siblings.
  var counts: [CountKey: Int] = [:]
  /// The number of elements tested against a relative selector, by selector.
  var relativeChecks: [UInt32: Int] = [:]
  /// For each relative selector, the elements that match it.
  var relativeMarks: [UInt32: [Bool]] = [:]

  func answer(_ key: ListKey) -> Bool? { answers[key] }
  func answer(_ key: AttributeKey) -> Bool? { comparisons[key] }
  func answer(_ key: RootKey) -> Bool? { roots[key] }
  func siblingSearch(_ key: SiblingKey) -> SiblingSearch? { siblingSearches[key] }

  mutating func remember(_ key: ListKey, _ answer: Bool) { Self.insert(answer, key, &answers) }
  mutating func remember(_ key: AttributeKey, _ answer: Bool) { Self.insert(answer, key, &comparisons) }
  mutating func remember(_ key: RootKey, _ answer: Bool) { Self.insert(answer, key, &roots) }
  mutating func remember(_ key: SiblingKey, _ search: SiblingSearch) { Self.insert(search, key, &siblingSearches) }

  mutating func makeRoomForCounts() { if counts.count >= Self.capacity { counts.removeAll() } }

  private static func insert<Key: Hashable, Value>(_ value: Value, _ key: Key, _ table: inout [Key: Value]) {
    if table.count >= capacity { table.removeAll(keepingCapacity: true) }
    table[key] = value
  }
}
