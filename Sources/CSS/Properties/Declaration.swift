import OffprintCoreTypes

/// https://drafts.csswg.org/css-cascade-5/#defaulting-keywords
enum WideKeyword: UInt8, Hashable, Sendable { case initial, inherit, unset, revert, revertLayer, revertRule }

/// The specified value of a longhand.
enum PropertyValue: Sendable {
  case wide(WideKeyword)
  case specified(StoredValue)
  /// Valid, and of several parts of which some are relative to the element: parsed again when computed.
  case relative(RawValue)
  /// Contains `var()`, `env()` or `attr()`: parsed once that is substituted.
  case pending(PendingSubstitution)
  /// A custom property; nil is the guaranteed-invalid value.
  case custom(Name, RawValue)
  case customWide(Name, WideKeyword)
}

/// A value kept as tokens.
final class RawValue: Sendable {
  let buffer: TokenBuffer
  let tokens: Range<Int>
  let quirks: Bool
  let baseURL: String
  let hasSubstitutions: Bool
  init(buffer: TokenBuffer, tokens: Range<Int>, quirks: Bool, baseURL: String, hasSubstitutions: Bool) {
    self.buffer = buffer
    self.tokens = tokens
    self.quirks = quirks
    self.baseURL = baseURL
    self.hasSubstitutions = hasSubstitutions
  }
}

/// A value with arbitrary substitution functions, of a longhand or of the shorthand it came from.
///
/// https://drafts.csswg.org/css-variables-1/#variables-in-shorthands
final class PendingSubstitution: Sendable {
  let value: RawValue
  /// The property as it was written: a longhand's or shorthand's place in the table.
  let written: UInt16
  init(value: RawValue, written: UInt16) {
    self.value = value
    self.written = written
  }
}

/// A declaration of one longhand or custom property; shorthands are expanded when parsed.
///
/// https://drafts.csswg.org/css-cascade-5/#declaration
struct Declaration: Sendable {
  var property: PropertyID
  var value: PropertyValue
  var important: Bool
  /// Parsed with the measures of one element.
  var isElementBound = false
  init(property: PropertyID, value: PropertyValue, important: Bool) {
    self.property = property
    self.value = value
    self.important = important
  }
  init(property: PropertyID, value: PropertyValue, important: Bool, isElementBound: Bool) {
    self.init(property: property, value: value, important: important)
    self.isElementBound = isElementBound
  }
}

/// A declaration in the order of the cascade.
struct CascadedDeclaration: Sendable {
  var declaration: Declaration
  var origin: CascadeOrigin
  /// The cascade layer's rank within its origin.
  var layer: UInt32
  /// Which of the rules that match: declarations of one rule have one number.
  var rule: UInt32
  init(declaration: Declaration, origin: CascadeOrigin, layer: UInt32, rule: UInt32 = 0) {
    self.declaration = declaration
    self.origin = origin
    self.layer = layer
    self.rule = rule
  }

  /// Whether a keyword of `later` rolls back to this declaration. https://drafts.csswg.org/css-cascade-5/#default
  func isBefore(_ later: CascadedDeclaration, rollingBack keyword: WideKeyword) -> Bool {
    switch keyword {
    case .revert: !origin.isRevertedWith(later.origin)
    case .revertRule: (origin, layer, rule) != (later.origin, later.layer, later.rule)
    default: (origin, layer) != (later.origin, later.layer)
    }
  }
}
