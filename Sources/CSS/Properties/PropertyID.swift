import OffprintCoreTypes

/// The index of a longhand in `PropertyTable`.
@frozen public struct PropertyID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Any custom property; the name is stored with the value.
  @inlinable public static var custom: PropertyID { PropertyID(rawValue: 0) }
  /// The shorthand `all` with a CSS-wide keyword. The cascade applies it to each longhand except `direction` and `unicode-bidi`.
  @inlinable public static var all: PropertyID { PropertyID(rawValue: 1) }
}
