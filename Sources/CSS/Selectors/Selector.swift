import OffprintCoreTypes
import OffprintDOM

/// A simple selector or combinator of fixed size. Variable-size data is in tables of the `SelectorStore`.
struct SelectorPart: BitwiseCopyable {
  enum Kind: UInt8 {
    // Combinators.
    case descendant, child, nextSibling, subsequentSibling
    /// From an element to its assigned slot; from a part to the host of the shadow tree that exposes it.
    case slotAssignment, partOwner
    /// `name` is in lowercase; `extra` is the name as written.
    case type
    /// `flag`: the raw value of the `Namespace`.
    case namespace
    case id, `class`
    /// `extra`: index of the `AttributeTest`.
    case attribute
    /// `extra`: index of the selector list.
    case matchesAny, not, has
    /// `extra`: index of the `NthPattern`.
    case nth
    /// The anchor element of a relative selector in `:has()`.
    case anchor
    /// The host of the shadow tree; `extra`: index of the selector list it must match, or `SelectorPart.noList`.
    case host
    /// `extra`: index of the selector list that the host or one of its ancestors must match.
    case hostContext
    /// A name in the element's `part` attribute.
    case part
    case root, scope, empty, target, firstChild, lastChild, onlyChild, firstOfType, lastOfType, onlyOfType
    case link, visited, checked, disabled, enabled, required, optional, readOnly, readWrite, placeholderShown, `default`, indeterminate
    case defined, valid, invalid, inRange, outOfRange, open, autofill
    /// A `select` with a computed `appearance` of `base-select`; for the user agent style sheet.
    case baseSelect
    /// `extra`: index of the language.
    case lang
    /// `flag`: 0 for ltr, 1 for rtl.
    case dir
    case never
  }
  static let noList: UInt32 = .max
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
  var isCombinator: Bool { kind.rawValue <= Kind.partOwner.rawValue }
}

/// https://drafts.csswg.org/selectors-4/#attribute-selectors
struct AttributeTest: BitwiseCopyable {
  enum Operation: UInt8 { case exists, equals, includes, dashMatch, prefix, suffix, substring }
  var name: Name
  /// The name in lowercase, for HTML elements in HTML documents.
  var lowerName: Name
  /// Nil for any namespace.
  var namespace: Namespace?
  var operation: Operation
  /// The range of the value in `SelectorStore.text`.
  var value: TextRange = .empty
  /// Nil for the rules of the document language.
  var ignoresCase: Bool?
  /// Whether HTML defines the values of this attribute as case-insensitive.
  var isCaseInsensitiveInHTML = false
}

/// https://drafts.csswg.org/selectors-4/#the-nth-child-pseudo
struct NthPattern {
  var step: Int
  var offset: Int
  var fromEnd: Bool
  var ofType: Bool
  /// `of S`: index of the selector list.
  var list: UInt32?

  func matches(_ index: Int) -> Bool {
    let (distance, overflow) = index.subtractingReportingOverflow(offset)
    if overflow { return false }
    if step == 0 { return distance == 0 }
    return distance % step == 0 && distance / step >= 0
  }
}

/// The elements that a selector can match, relative to the tree of its style sheet.
struct SelectorReach: OptionSet, BitwiseCopyable {
  let rawValue: UInt8
  /// Elements of the tree itself.
  static let own = SelectorReach(rawValue: 1)
  /// The host of the tree.
  static let host = SelectorReach(rawValue: 2)
  /// Elements assigned to slots of the tree.
  static let slotted = SelectorReach(rawValue: 4)
  /// Parts exposed by shadow trees inside the tree.
  static let part = SelectorReach(rawValue: 8)
}

/// A complex selector: the range of its parts, with the rightmost compound selector first.
struct SelectorHead: BitwiseCopyable {
  var start: UInt32
  var end: UInt32
  var specificity: Specificity
  /// `PseudoElement.rawValue`, or one of the constants below.
  var pseudo: UInt8 = SelectorHead.noPseudo
  static let noPseudo: UInt8 = 0xFF
  /// A pseudo-element that never generates a box, or a state that never occurs.
  static let neverMatches: UInt8 = 0xFE
  /// `::column`, which generates no box except for its `::scroll-marker`.
  static let column: UInt8 = 0xFD
  var reach = SelectorReach.own
  /// Restricts `pseudo` to some of the boxes with that name.
  var variant = ScrollPartVariant()
  /// Hashes of names that ancestors must have; 0 if absent.
  var ancestorHashes: (UInt32, UInt32, UInt32) = (0, 0, 0)
}

/// https://drafts.csswg.org/selectors-4/#specificity-rules
struct Specificity: Comparable, BitwiseCopyable {
  /// Three fields of ten bits each.
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
