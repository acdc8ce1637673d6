import CoreTypes
import DOM

/// One simple selector or combinator, in a fixed size. What does not fit is in tables of the `SelectorStore`.
struct SelectorPart: BitwiseCopyable {
  enum Kind: UInt8 {
    // Combinators; between two compound selectors.
    case descendant, child, nextSibling, subsequentSibling
    /// `name` is lower case, `extra` the name as written.
    case type
    /// `flag` is the `Namespace`.
    case namespace
    case id, `class`
    /// `extra`: number of the `AttributeTest`.
    case attribute
    /// `extra`: number of the list.
    case matchesAny, not, has
    /// `extra`: number of the `NthPattern`.
    case nth
    /// The element that a relative selector in `:has()` starts at.
    case anchor
    case root, scope, empty, firstChild, lastChild, onlyChild, firstOfType, lastOfType, onlyOfType
    case link, checked, disabled, enabled, required, optional, readOnly, readWrite, placeholderShown, `default`, indeterminate, defined
    case valid, invalid, inRange, outOfRange, open, autofill
    /// `extra`: number of the list of language ranges.
    case lang
    /// `flag`: 0 ltr, 1 rtl.
    case dir
    case never
  }
  var kind: Kind
  var flag: UInt8 = 0
  var name: Name = .empty
  var extra: UInt32 = 0
  init(_ kind: Kind, flag: UInt8 = 0, name: Name = .empty, extra: UInt32 = 0) {
    self.kind = kind
    self.flag = flag
    self.name = name
    self.extra = extra
  }
  var isCombinator: Bool { kind.rawValue <= Kind.subsequentSibling.rawValue }
}

/// https://drafts.csswg.org/selectors-4/#attribute-selectors
struct AttributeTest: BitwiseCopyable {
  enum Operation: UInt8 { case exists, equals, includes, dashMatch, prefix, suffix, substring }
  var name: Name
  /// The name in lower case, for HTML elements in HTML documents.
  var lowerName: Name
  /// nil is any namespace.
  var namespace: Namespace?
  var operation: Operation
  /// Where the value stands in `SelectorStore.text`.
  var value: TextRange = .empty
  /// nil: as the document language says.
  var ignoresCase: Bool?
  /// HTML says that the attribute's values match without regard to case.
  var isCaseInsensitiveInHTML = false
}

/// https://drafts.csswg.org/selectors-4/#the-nth-child-pseudo
struct NthPattern {
  var step: Int
  var offset: Int
  var fromEnd: Bool
  var ofType: Bool
  /// `of S`: number of the list.
  var list: UInt32?

  func matches(_ index: Int) -> Bool {
    let (distance, overflow) = index.subtractingReportingOverflow(offset)
    if overflow { return false }
    if step == 0 { return distance == 0 }
    return distance % step == 0 && distance / step >= 0
  }
}

/// A complex selector: where its parts are, the rightmost compound selector first.
struct SelectorHead: BitwiseCopyable {
  var start: UInt32
  var end: UInt32
  var specificity: Specificity
  /// `PseudoElement.rawValue`, or one of the constants below.
  var pseudo: UInt8 = SelectorHead.noPseudo
  static let noPseudo: UInt8 = 0xFF
  /// A pseudo-element that never has a box, or a state that never is.
  static let neverMatches: UInt8 = 0xFE
  /// Hashes of names that ancestors must have; 0 is none.
  var ancestorHashes: (UInt32, UInt32, UInt32) = (0, 0, 0)
}

/// https://drafts.csswg.org/selectors-4/#specificity-rules
struct Specificity: Comparable, BitwiseCopyable {
  /// Three fields of ten bits.
  var raw: UInt32 = 0
  init(_ a: Int = 0, _ b: Int = 0, _ c: Int = 0) {
    raw = UInt32(min(a, 1023)) << 20 | UInt32(min(b, 1023)) << 10 | UInt32(min(c, 1023))
  }
  static func < (a: Specificity, b: Specificity) -> Bool { a.raw < b.raw }
  static func + (a: Specificity, b: Specificity) -> Specificity {
    Specificity(
      Int(a.raw >> 20) + Int(b.raw >> 20), Int(a.raw >> 10 & 1023) + Int(b.raw >> 10 & 1023), Int(a.raw & 1023) + Int(b.raw & 1023))
  }
}

/// A list of selectors: what `:is()` has in it, or what `&` stands for, which is kept once and referred to.
///
/// https://drafts.csswg.org/css-nesting-1/#nest-selector
struct SelectorList {
  /// Of `SelectorStore.heads`.
  var range: Range<UInt32>
  /// The greatest of its selectors.
  var specificity: Specificity
}

/// The parts and tables of all selectors of some style sheets.
struct SelectorStore {
  var parts: [SelectorPart] = []
  var heads: [SelectorHead] = []
  var lists: [SelectorList] = []
  var attributes: [AttributeTest] = []
  /// The values that attributes are compared with.
  var text: [UInt8] = []
  var nths: [NthPattern] = []
  var languages: [[[UInt8]]] = []

  /// Keeps `heads` as one list.
  mutating func addList(_ heads: [SelectorHead]) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: self.heads.count)
    self.heads.append(contentsOf: heads)
    lists.append(
      SelectorList(
        range: start..<UInt32(truncatingIfNeeded: self.heads.count), specificity: heads.lazy.map(\.specificity).max() ?? Specificity()))
    return UInt32(truncatingIfNeeded: lists.count - 1)
  }

  /// Keeps the value of an attribute selector.
  mutating func addText(_ bytes: ArraySlice<UInt8>) -> TextRange {
    let start = UInt32(truncatingIfNeeded: text.count)
    text.append(contentsOf: bytes)
    return TextRange(start: start, end: UInt32(truncatingIfNeeded: text.count))
  }

  func maximumSpecificity(_ list: UInt32) -> Specificity { lists[Int(list)].specificity }

  /// Whether matching the list looks at other elements, or in other lists.
  func isCostly(_ list: Range<UInt32>) -> Bool {
    list.contains { number in
      let head = heads[Int(number)]
      return parts[Int(head.start)..<Int(head.end)].contains { part in
        switch part.kind {
        case .matchesAny, .not, .has, .lang, .dir, .empty: true
        case .nth: nths[Int(part.extra)].list != nil
        default: part.isCombinator
        }
      }
    }
  }
}

/// A Bloom filter of the ids, classes and types of the ancestors of the element that is matched.
struct AncestorFilter {
  private var counters = [UInt8](repeating: 0, count: 4096)

  static func hash(_ kind: SelectorPart.Kind, _ name: Name) -> UInt32 {
    let mixed = (UInt64(name.raw) << 8 | UInt64(kind.rawValue)) &* 0x9E37_79B9_7F4A_7C15
    return UInt32(truncatingIfNeeded: mixed >> 32) | 1
  }

  mutating func add(_ hash: UInt32) {
    for slot in [Int(hash >> 1 & 4095), Int(hash >> 16 & 4095)] where counters[slot] < 255 { counters[slot] += 1 }
  }

  /// Counters that were full stay so: they have lost count.
  mutating func remove(_ hash: UInt32) {
    for slot in [Int(hash >> 1 & 4095), Int(hash >> 16 & 4095)] where counters[slot] < 255 && counters[slot] > 0 { counters[slot] -= 1 }
  }

  @inline(__always) func mayContain(_ hash: UInt32) -> Bool {
    counters[Int(hash >> 1 & 4095)] != 0 && counters[Int(hash >> 16 & 4095)] != 0
  }

  @inline(__always) func mayMatch(_ head: SelectorHead) -> Bool {
    let (a, b, c) = head.ancestorHashes
    return (a == 0 || mayContain(a)) && (b == 0 || mayContain(b)) && (c == 0 || mayContain(c))
  }
}
