/// A length in 1/64 CSS px, the unit of all layout.
///
/// Arithmetic saturates at ±33 554 431 px, so no input can overflow it, and the same page gives the same boxes on every machine.
@frozen
public struct LayoutUnit: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The value in 1/64 px.
  public var raw: Int32

  @inlinable public init(raw: Int32) { self.raw = raw }

  /// The nearest representable value to `raw` 1/64 px.
  @inlinable init(saturating raw: Int64) {
    self.raw = raw > Int64(Int32.max) ? .max : raw < Int64(Int32.min) ? .min : Int32(truncatingIfNeeded: raw)
  }

  /// `px` whole pixels, saturating.
  @inlinable public init(_ px: Int) {
    let (product, overflow) = px.multipliedReportingOverflow(by: 64)
    self.init(saturating: overflow ? (px < 0 ? Int64.min : Int64.max) : Int64(product))
  }

  /// `px` truncated toward zero to 1/64, as Chromium's `LayoutUnit` does with lengths from styles; NaN becomes 0.
  @inlinable public init(_ px: Double) { self.init(scaled: (px * 64).rounded(.towardZero)) }

  /// `px` truncated toward zero to 1/64; NaN becomes 0.
  @inlinable public init(_ px: Float) { self.init(Double(px)) }

  /// `px` rounded up to the next 1/64. Used for text widths, so that text fits in the box sized for it.
  @inlinable public init(ceiling px: Double) { self.init(scaled: (px * 64).rounded(.up)) }

  /// `px` rounded to the nearest 1/64.
  @inlinable public init(rounding px: Double) { self.init(scaled: (px * 64).rounded(.toNearestOrAwayFromZero)) }

  @inlinable init(scaled value: Double) {
    if value.isNaN {
      raw = 0
    } else {
      raw = value >= Double(Int32.max) ? .max : value <= Double(Int32.min) ? .min : Int32(value)
    }
  }

  @inlinable public static var zero: LayoutUnit { LayoutUnit(raw: 0) }
  @inlinable public static var max: LayoutUnit { LayoutUnit(raw: .max) }
  @inlinable public static var min: LayoutUnit { LayoutUnit(raw: .min) }
  /// The smallest positive length, 1/64 px.
  @inlinable public static var epsilon: LayoutUnit { LayoutUnit(raw: 1) }

  @inlinable public var double: Double { Double(raw) / 64 }
  @inlinable public var float: Float { Float(raw) / 64 }
  /// The largest whole pixel not above this.
  @inlinable public var floor: Int { Int(raw >> 6) }
  /// The nearest whole pixel, halves upward, like `LayoutUnit::Round` in Chromium.
  @inlinable public var rounded: Int { Int((Int64(raw) + 32) >> 6) }
  @inlinable public var clampedToZero: LayoutUnit { raw < 0 ? .zero : self }

  @inlinable public static func < (a: LayoutUnit, b: LayoutUnit) -> Bool { a.raw < b.raw }
  @inlinable public static func + (a: LayoutUnit, b: LayoutUnit) -> LayoutUnit {
    let (sum, overflow) = a.raw.addingReportingOverflow(b.raw)
    return overflow ? (a.raw < 0 ? .min : .max) : LayoutUnit(raw: sum)
  }
  @inlinable public static func - (a: LayoutUnit, b: LayoutUnit) -> LayoutUnit {
    let (difference, overflow) = a.raw.subtractingReportingOverflow(b.raw)
    return overflow ? (a.raw < 0 ? .min : .max) : LayoutUnit(raw: difference)
  }
  @inlinable public static prefix func - (a: LayoutUnit) -> LayoutUnit { .zero - a }
  @inlinable public static func * (a: LayoutUnit, b: Int) -> LayoutUnit {
    let (product, overflow) = Int64(a.raw).multipliedReportingOverflow(by: Int64(b))
    return LayoutUnit(saturating: overflow ? ((a.raw < 0) == (b < 0) ? .max : .min) : product)
  }
  @inlinable public static func * (a: LayoutUnit, b: Double) -> LayoutUnit {
    LayoutUnit(scaled: (Double(a.raw) * b).rounded(.towardZero))
  }
  /// Division truncating toward zero; division by zero gives zero.
  @inlinable public static func / (a: LayoutUnit, b: Int) -> LayoutUnit {
    b == 0 ? .zero : LayoutUnit(saturating: Int64(a.raw) / Int64(b))
  }
  @inlinable public static func += (a: inout LayoutUnit, b: LayoutUnit) { a = a + b }
  @inlinable public static func -= (a: inout LayoutUnit, b: LayoutUnit) { a = a - b }

  /// This times `numerator / denominator` without intermediate loss; a zero denominator gives zero.
  @inlinable public func multiplied(by numerator: LayoutUnit, over denominator: LayoutUnit) -> LayoutUnit {
    guard denominator.raw != 0 else { return .zero }
    return LayoutUnit(saturating: Int64(raw) * Int64(numerator.raw) / Int64(denominator.raw))
  }
}

extension LayoutUnit: CustomStringConvertible {
  public var description: String { raw & 63 == 0 ? "\(raw >> 6)" : "\(double)" }
}
