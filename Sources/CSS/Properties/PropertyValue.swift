import CoreTypes

/// The number of a longhand property in `PropertyTable`.
@frozen public struct PropertyID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// All custom properties; which one is in the value.
  @inlinable public static var custom: PropertyID { PropertyID(rawValue: 0) }
  /// The shorthand `all` with a CSS-wide keyword, which the cascade applies to each longhand but `direction` and `unicode-bidi`.
  @inlinable public static var all: PropertyID { PropertyID(rawValue: 1) }
}

/// https://drafts.csswg.org/css-cascade-5/#defaulting-keywords
enum WideKeyword: UInt8, Hashable, Sendable { case initial, inherit, unset, revert, revertLayer }

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
  init(declaration: Declaration, origin: CascadeOrigin, layer: UInt32) {
    self.declaration = declaration
    self.origin = origin
    self.layer = layer
  }
}

/// The names of a document, shared by all that intern while its style sheets are parsed. Used by one thread.
final class NameInterner: @unchecked Sendable {
  var table: NameTable
  init(table: NameTable) { self.table = table }
}

/// What the meaning of a value depends on besides its tokens.
struct ParserContext: Sendable {
  var quirks: Bool
  var baseURL: String
  var names: NameInterner
  /// Whose declarations these are: the user agent's may use what no page may.
  var origin = CascadeOrigin.author
  init(quirks: Bool = false, baseURL: String = "", names: NameInterner) {
    self.quirks = quirks
    self.baseURL = baseURL
    self.names = names
  }
}

/// A specified value.
class StoredValue: @unchecked Sendable {
  /// In `__qem`, the unit of the user agent's margins that collapse away in quirks mode.
  var isQuirky = false
  init() {}
  /// Writes the computed value to `group`, which holds the property's field at `offset`.
  func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {}
}

/// A value of a property that is one stored field.
final class FieldValue<Value>: StoredValue, @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    (group + offset).assumingMemoryBound(to: Value.self).pointee = value
  }
}

/// A value of a property that is one stored field, and relative to the element.
final class RelativeFieldValue<Value>: StoredValue, @unchecked Sendable {
  let compute: @Sendable (ElementContext) -> Value
  init(_ compute: @escaping @Sendable (ElementContext) -> Value) { self.compute = compute }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    (group + offset).assumingMemoryBound(to: Value.self).pointee = compute(element)
  }
}

/// A value of a property that is several fields, and relative to the element.
final class RelativeFieldsValue<Group, Value>: StoredValue, @unchecked Sendable {
  let compute: @Sendable (ElementContext) -> Value
  let set: @Sendable (inout Group, Value) -> Void
  init(_ compute: @escaping @Sendable (ElementContext) -> Value, set: @escaping @Sendable (inout Group, Value) -> Void) {
    self.compute = compute
    self.set = set
  }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    set(&group.assumingMemoryBound(to: Group.self).pointee, compute(element))
  }
}

/// A value of a property that is several fields.
final class FieldsValue<Group, Value>: StoredValue, @unchecked Sendable {
  let value: Value
  let set: @Sendable (inout Group, Value) -> Void
  init(_ value: Value, set: @escaping @Sendable (inout Group, Value) -> Void) {
    self.value = value
    self.set = set
  }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    set(&group.assumingMemoryBound(to: Group.self).pointee, value)
  }
}
