import OffprintDOM

/// What a matcher has found out, so that nothing that takes long is asked twice. Bounded: what grows too large is forgotten.
struct MatchMemory {
  /// Answers kept of one kind.
  private static let capacity = 1 << 20
  /// Attribute values longer than this are not compared twice.
  static let longValue = 256
  static let maximumMarks = 256

  /// A list of selectors, asked of an element.
  struct ListKey: Hashable {
    var list: UInt32
    var element: UInt32
    var anchor: UInt32
    var scope: UInt32
  }
  /// A value is known by its place in the document.
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
  /// A part of a selector, asked of the children of an element.
  struct SiblingKey: Hashable {
    var part: Int
    var parent: UInt32
    var anchor: UInt32
    var scope: UInt32
  }
  /// What a search among the siblings up to number `index`, from the last to the first, found.
  struct SiblingSearch {
    var index: UInt32
    var outcome: SelectorMatcher.Outcome
    /// Searches shorter than this are not worth remembering.
    static let threshold = 16
  }
  /// An element, asked whether it is a root of a `@scope` rule.
  struct RootKey: Hashable {
    var rule: Int
    var element: UInt32
  }

  private var answers: [ListKey: Bool] = [:]
  private var comparisons: [AttributeKey: Bool] = [:]
  private var siblingSearches: [SiblingKey: SiblingSearch] = [:]
  private var roots: [RootKey: Bool] = [:]
  /// The numbers of elements among their siblings.
  var counts: [CountKey: Int] = [:]
  /// How many elements relative selectors were checked on, by number of the selector.
  var relativeChecks: [UInt32: Int] = [:]
  /// By number of the selector, the elements that it is true of.
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
