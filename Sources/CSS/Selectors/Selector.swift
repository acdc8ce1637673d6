import OffprintCoreTypes
import OffprintDOM

/// One simple selector or combinator, in a fixed size. What does not fit is in tables of the `SelectorStore`.
struct SelectorPart: BitwiseCopyable {
  enum Kind: UInt8 {
    // Combinators; between two compound selectors.
    case descendant, child, nextSibling, subsequentSibling
    /// From an element to the slot it is assigned to; from a part to the host of the shadow tree that shows it.
    case slotAssignment, partOwner
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
    /// The host of the shadow tree; `extra`: number of the list that it has to match, or `SelectorPart.noList`.
    case host
    /// `extra`: number of the list that the host or an element around it has to match.
    case hostContext
    /// A name in the element's `part`.
    case part
    case root, scope, empty, target, firstChild, lastChild, onlyChild, firstOfType, lastOfType, onlyOfType
    case link, visited, checked, disabled, enabled, required, optional, readOnly, readWrite, placeholderShown, `default`, indeterminate
    case defined, valid, invalid, inRange, outOfRange, open, autofill
    /// A `select` whose computed `appearance` is `base-select`; for the user agent's sheet.
    case baseSelect
    /// `extra`: number of the language.
    case lang
    /// `flag`: 0 ltr, 1 rtl.
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

/// Which elements a selector is about, seen from the tree that its style sheet is in.
struct SelectorReach: OptionSet, BitwiseCopyable {
  let rawValue: UInt8
  /// Those of the tree itself.
  static let own = SelectorReach(rawValue: 1)
  /// The host of the tree.
  static let host = SelectorReach(rawValue: 2)
  /// What is assigned to its slots.
  static let slotted = SelectorReach(rawValue: 4)
  /// What shadow trees in it show as parts.
  static let part = SelectorReach(rawValue: 8)
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
  /// `::column`, which has no box but for its `::scroll-marker`.
  static let column: UInt8 = 0xFD
  var reach = SelectorReach.own
  /// Which of the boxes with the name `pseudo` the selector is about.
  var variant = ScrollPartVariant()
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
