/// Where declarations come from, in ascending priority.
///
/// https://drafts.csswg.org/css-cascade-5/#cascading-origins
enum CascadeOrigin: UInt8, Sendable, Comparable {
  case userAgent, user
  /// https://drafts.csswg.org/css-cascade-5/#preshint
  case presentationalHint
  case author

  static func < (a: CascadeOrigin, b: CascadeOrigin) -> Bool { a.rawValue < b.rawValue }

  /// Whether `revert` rolls back both at once: presentational hints are of the author's origin there.
  func isRevertedWith(_ other: CascadeOrigin) -> Bool {
    min(self, .presentationalHint) == min(other, .presentationalHint)
  }
}

/// What a style does not say by its values: whose declarations some of them come from.
@frozen public struct StyleOrigins: OptionSet, Hashable, Sendable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A declaration of the author or the user for the background, which takes controls their native appearance.
  ///
  /// https://drafts.csswg.org/css-ui-4/#appearance-disabling-properties
  public static let authorBackground = StyleOrigins(rawValue: 1)
  /// The same for a border or a border image.
  public static let authorBorder = StyleOrigins(rawValue: 2)
  /// The same for the radius of a corner.
  public static let authorBorderRadius = StyleOrigins(rawValue: 4)
  /// The user agent's margin at that side, which collapses away at the edges of some boxes in quirks mode.
  ///
  /// https://html.spec.whatwg.org/multipage/rendering.html#margin-collapsing-quirks
  public static let quirkyMarginTop = StyleOrigins(rawValue: 8)
  public static let quirkyMarginRight = StyleOrigins(rawValue: 16)
  public static let quirkyMarginBottom = StyleOrigins(rawValue: 32)
  public static let quirkyMarginLeft = StyleOrigins(rawValue: 64)
}

extension ComputedStyle {
  /// Gauges have no native look where that is taken from them, also by a background or border of the author's.
  ///
  /// https://drafts.csswg.org/css-ui-4/#appearance-disabling-properties
  package var isPlainGauge: Bool {
    box.appearance == .none || !origins.isDisjoint(with: [.authorBackground, .authorBorder, .authorBorderRadius])
  }
}
