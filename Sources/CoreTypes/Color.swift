/// A color in sRGB: components are nominally 0 to 1, alpha is 0 to 1 and not premultiplied. Colors outside the sRGB gamut keep their
/// out-of-range components until they are painted.
@frozen public struct Color: Hashable, Sendable, BitwiseCopyable {
  public var red: Float
  /// Nominally 0 to 1.
  public var green: Float
  /// Nominally 0 to 1.
  public var blue: Float
  /// 0 is transparent, 1 opaque.
  public var alpha: Float
  /// Whether it is specified in a legacy syntax: a name, hexadecimal digits, `rgb()`, `hsl()` or `hwb()`. Two legacy colors are interpolated
  /// in sRGB, others in Oklab. https://drafts.csswg.org/css-color-4/#interpolation-space
  public var isLegacy = true

  /// Components of 0 to 1.
  @inlinable public init(red: Float, green: Float, blue: Float, alpha: Float = 1) {
    self.red = red; self.green = green; self.blue = blue; self.alpha = alpha
  }

  /// 8-bit components.
  @inlinable public init(r: UInt8, g: UInt8, b: UInt8, a: UInt8 = 255) {
    self.init(red: Float(r) / 255, green: Float(g) / 255, blue: Float(b) / 255, alpha: Float(a) / 255)
  }

  /// Transparent black.
  @inlinable public static var transparent: Color { Color(red: 0, green: 0, blue: 0, alpha: 0) }
  /// Opaque black.
  @inlinable public static var black: Color { Color(red: 0, green: 0, blue: 0) }
  /// Opaque white.
  @inlinable public static var white: Color { Color(red: 1, green: 1, blue: 1) }
  /// Whether it paints nothing.
  @inlinable public var isTransparent: Bool { alpha <= 0 }
  /// Whether it hides everything below it.
  @inlinable public var isOpaque: Bool { alpha >= 1 }

  /// The components as they are painted: clamped and rounded to 8 bits.
  @inlinable public var rgba8: (r: UInt8, g: UInt8, b: UInt8, a: UInt8) {
    (Color.byte(red), Color.byte(green), Color.byte(blue), Color.byte(alpha))
  }

  @inlinable static func byte(_ component: Float) -> UInt8 {
    component > 0 ? UInt8((min(component, 1) * 255).rounded()) : 0  // NaN compares as not greater than 0
  }
}
