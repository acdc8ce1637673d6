/// The origin of declarations, in ascending precedence.
///
/// https://drafts.csswg.org/css-cascade-5/#cascading-origins
enum CascadeOrigin: UInt8, Sendable, Comparable {
  case userAgent, user
  /// https://drafts.csswg.org/css-cascade-5/#preshint
  case presentationalHint
  case author

  static func < (a: CascadeOrigin, b: CascadeOrigin) -> Bool { a.rawValue < b.rawValue }

  /// Whether `revert` rolls back both origins together. It treats presentational hints as part of the author origin.
  func isRevertedWith(_ other: CascadeOrigin) -> Bool {
    min(self, .presentationalHint) == min(other, .presentationalHint)
  }
}

/// Facts about the origin of declarations that the computed values do not show.
@frozen public struct StyleOrigins: OptionSet, Hashable, Sendable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The author or user declares a background, which disables the native appearance of controls.
  ///
  /// https://drafts.csswg.org/css-ui-4/#appearance-disabling-properties
  public static let authorBackground = StyleOrigins(rawValue: 1)
  /// The author or user declares a border or a border image.
  public static let authorBorder = StyleOrigins(rawValue: 2)
  /// The author or user declares a corner radius.
  public static let authorBorderRadius = StyleOrigins(rawValue: 4)
  /// The margin on that side comes from the user agent. In quirks mode such margins collapse away at the edges of some boxes.
  ///
  /// https://html.spec.whatwg.org/multipage/rendering.html#margin-collapsing-quirks
  public static let quirkyMarginTop = StyleOrigins(rawValue: 8)
  public static let quirkyMarginRight = StyleOrigins(rawValue: 16)
  public static let quirkyMarginBottom = StyleOrigins(rawValue: 32)
  public static let quirkyMarginLeft = StyleOrigins(rawValue: 64)
}

extension ComputedStyle {
  /// Whether a progress bar or meter has lost its native appearance, by `appearance` or by an author's background or border.
  ///
  /// https://drafts.csswg.org/css-ui-4/#appearance-disabling-properties
  package var isPlainGauge: Bool {
    box.appearance == .none || !origins.isDisjoint(with: [.authorBackground, .authorBorder, .authorBorderRadius])
  }
}
