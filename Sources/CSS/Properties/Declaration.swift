import OffprintCoreTypes

/// https://drafts.csswg.org/css-cascade-5/#defaulting-keywords
enum WideKeyword: UInt8, Hashable, Sendable { case initial, inherit, unset, revert, revertLayer, revertRule }

/// The specified value of a longhand.
enum PropertyValue: Sendable {
  case wide(WideKeyword)
  case specified(StoredValue)
  /// A valid value with several parts, some of them relative to the element; parsed again when computed.
  case relative(RawValue)
  /// A value that contains `var()`, `env()` or `attr()`; parsed after substitution.
  case pending(PendingSubstitution)
  /// The value of a custom property.
  case custom(Name, RawValue)
  case customWide(Name, WideKeyword)
}

/// An unparsed value.
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

/// A value with arbitrary substitution functions, of a longhand or of the shorthand that was written.
///
/// https://drafts.csswg.org/css-variables-1/#variables-in-shorthands
final class PendingSubstitution: Sendable {
  let value: RawValue
  /// The number of the property as written, a longhand or shorthand, in `PropertyTable`.
  let written: UInt16
  init(value: RawValue, written: UInt16) {
    self.value = value
    self.written = written
  }
}

/// A declaration of a longhand or custom property. Shorthands are expanded during parsing.
///
/// https://drafts.csswg.org/css-cascade-5/#declaration
struct Declaration: Sendable {
  var property: PropertyID
  var value: PropertyValue
  var important: Bool
  /// Whether the value was parsed for a specific element and cannot be shared.
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

/// A declaration with the criteria of the cascade.
struct CascadedDeclaration: Sendable {
  var declaration: Declaration
  var origin: CascadeOrigin
  /// The rank of the cascade layer within its origin.
  var layer: UInt32
  /// The number of the matched rule; equal for all declarations of a rule.
  var rule: UInt32
  init(declaration: Declaration, origin: CascadeOrigin, layer: UInt32, rule: UInt32 = 0) {
    self.declaration = declaration
    self.origin = origin
    self.layer = layer
    self.rule = rule
  }

  /// Whether `keyword` in `later` rolls back to this declaration. https://drafts.csswg.org/css-cascade-5/#default
  func isBefore(_ later: CascadedDeclaration, rollingBack keyword: WideKeyword) -> Bool {
    switch keyword {
    case .revert: !origin.isRevertedWith(later.origin)
    case .revertRule: (origin, layer, rule) != (later.origin, later.layer, later.rule)
    default: (origin, layer) != (later.origin, later.layer)
    }
  }
}
