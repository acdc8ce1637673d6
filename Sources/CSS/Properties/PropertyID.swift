import OffprintCoreTypes

/// The number of a longhand property in `PropertyTable`.
@frozen public struct PropertyID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// All custom properties; which one is in the value.
  @inlinable public static var custom: PropertyID { PropertyID(rawValue: 0) }
  /// The shorthand `all` with a CSS-wide keyword, which the cascade applies to each longhand but `direction` and `unicode-bidi`.
  @inlinable public static var all: PropertyID { PropertyID(rawValue: 1) }
}
