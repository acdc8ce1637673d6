public import CoreTypes

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
public enum WideKeyword: UInt8, Hashable, Sendable { case initial, inherit, unset, revert, revertLayer }

/// The specified value of a longhand.
public enum PropertyValue: Sendable {
  case wide(WideKeyword)
  /// The same for every element: in the property's computed type already.
  case computed(StoredValue)
  /// Valid, but relative to the element (font-relative units, `currentcolor` in a mixture…): parsed again when computed.
  case relative(RawValue)
  /// Contains `var()`, `env()` or `attr()`: parsed once that is substituted.
  case pending(PendingSubstitution)
  /// A custom property; nil is the guaranteed-invalid value.
  case custom(Name, RawValue)
  case customWide(Name, WideKeyword)
}

/// A value kept as tokens.
public final class RawValue: Sendable {
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
public final class PendingSubstitution: Sendable {
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
public struct Declaration: Sendable {
  public var property: PropertyID
  public var value: PropertyValue
  public var important: Bool
  /// Parsed with the measures of one element.
  var isElementBound = false
  public init(property: PropertyID, value: PropertyValue, important: Bool) {
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
public struct CascadedDeclaration: Sendable {
  public var declaration: Declaration
  /// 0 user agent, 1 user, 2 presentational hints, 3 author.
  public var origin: UInt8
  /// The cascade layer's rank within its origin.
  public var layer: UInt32
  public init(declaration: Declaration, origin: UInt8, layer: UInt32) {
    self.declaration = declaration
    self.origin = origin
    self.layer = layer
  }
}

/// The names of a document, shared by all that intern while its style sheets are parsed. Used by one thread.
public final class NameInterner: @unchecked Sendable {
  public var table: NameTable
  public init(table: NameTable) { self.table = table }
}

/// What the meaning of a value depends on besides its tokens.
public struct ParserContext: Sendable {
  public var quirks: Bool
  public var baseURL: String
  public var names: NameInterner
  public init(quirks: Bool = false, baseURL: String = "", names: NameInterner) {
    self.quirks = quirks
    self.baseURL = baseURL
    self.names = names
  }
}

/// A computed value in the type of its property's field.
public class StoredValue: @unchecked Sendable {
  init() {}
  /// Writes the value to `group`, which holds the property's field at `offset`.
  func store(to group: UnsafeMutableRawPointer, offset: Int) {}
}

/// A value of a property that is one stored field.
final class FieldValue<Value>: StoredValue, @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
  override func store(to group: UnsafeMutableRawPointer, offset: Int) {
    (group + offset).assumingMemoryBound(to: Value.self).pointee = value
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
  override func store(to group: UnsafeMutableRawPointer, offset: Int) {
    set(&group.assumingMemoryBound(to: Group.self).pointee, value)
  }
}
