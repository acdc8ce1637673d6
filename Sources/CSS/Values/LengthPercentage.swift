public import OffprintCoreTypes

/// A computed `<length-percentage>`, with font-relative and viewport units resolved to px.
///
/// https://drafts.csswg.org/css-values-4/#mixed-percentages
public enum LengthPercentage: Hashable, Sendable {
  case length(Float)
  /// In percent: 50 is 50%.
  case percentage(Float)
  /// The sum `px + percent%`, the result of most `calc()` expressions.
  case sum(px: Float, percent: Float)
  /// A math function that depends nonlinearly on the percentage basis.
  case math(MathExpression)

  public static var zero: LengthPercentage { .length(0) }

  public var hasPercentage: Bool {
    switch self {
    case .length: false
    case .percentage, .sum, .math: true
    }
  }

  /// The used length for a definite `basis`. Never NaN.
  @inlinable public func resolve(_ basis: LayoutUnit) -> LayoutUnit {
    switch self {
    case .length(let px): LayoutUnit(px)
    case .percentage(let percent): LayoutUnit(Double(basis.raw) / 64 * Double(percent) / 100)
    case .sum(let px, let percent): LayoutUnit(Double(px) + Double(basis.raw) / 64 * Double(percent) / 100)
    case .math(let expression): LayoutUnit(expression.evaluate(basis: Double(basis.raw) / 64))
    }
  }

  /// The used length in CSS px for a definite `basis` in CSS px, for painting.
  @inlinable public func resolve(_ basis: Double) -> Double {
    switch self {
    case .length(let px): Double(px)
    case .percentage(let percent): basis * Double(percent) / 100
    case .sum(let px, let percent): Double(px) + basis * Double(percent) / 100
    case .math(let expression): expression.evaluate(basis: basis)
    }
  }

  /// The used length; nil if there is a percentage without a definite basis.
  @inlinable public func resolveIfDefinite(_ basis: LayoutUnit?) -> LayoutUnit? {
    if let basis { return resolve(basis) }
    if case .length(let px) = self { return LayoutUnit(px) }
    return nil
  }
}

/// A math function that cannot be evaluated before layout.
///
/// https://drafts.csswg.org/css-values-4/#calc-computed-value
public indirect enum MathExpression: Hashable, Sendable {
  case number(Double)
  case percentage(Double)
  /// A relative length; only in specified values.
  case dimension(Double, Unit)
  case sum([MathExpression])
  case product(MathExpression, Double)
  case min([MathExpression])
  case max([MathExpression])
  case clamp(MathExpression, MathExpression, MathExpression)
  case round(RoundingStrategy, MathExpression, MathExpression)
  case mod(MathExpression, MathExpression)
  case rem(MathExpression, MathExpression)
  case abs(MathExpression)
  case sign(MathExpression)
  /// A value known only during layout, in insets and sizes of positioned boxes.
  case anchor(AnchorFunction, fallback: MathExpression?)
  /// The keyword `size` in `calc-size()`: the size of its basis.
  case basisSize

  public enum RoundingStrategy: UInt8, Hashable, Sendable { case nearest, up, down, toZero }

  /// The value in CSS px for a percentage basis in CSS px. NaN becomes 0; infinities are clamped to the maximum length.
  public func evaluate(basis: Double) -> Double {
    let value = rawValue(basis)
    return value.isNaN ? 0 : Swift.min(Swift.max(value, -33_554_431), 33_554_431)
  }

  func rawValue(_ basis: Double) -> Double {
    switch self {
    case .number(let value): return value
    case .percentage(let percent): return basis * percent / 100
    case .dimension, .basisSize: return 0
    case .sum(let terms): return terms.reduce(0) { $0 + $1.rawValue(basis) }
    case .product(let term, let factor): return term.rawValue(basis) * factor
    case .min(let terms): return Self.extreme(terms, basis) { $0 < $1 }
    case .max(let terms): return Self.extreme(terms, basis) { $0 > $1 }
    case .clamp(let low, let value, let high):
      let (low, value, high) = (low.rawValue(basis), value.rawValue(basis), high.rawValue(basis))
      return low.isNaN || value.isNaN || high.isNaN ? .nan : Swift.max(low, Swift.min(value, high))
    case .round(let strategy, let value, let step): return strategy.round(value.rawValue(basis), to: step.rawValue(basis))
    case .mod(let a, let b):
      let (a, b) = (a.rawValue(basis), b.rawValue(basis))
      if b.isInfinite, a.isFinite { return (a < 0) == (b < 0) ? a : .nan }
      return a - b * (a / b).rounded(.down)
    case .rem(let a, let b): return a.rawValue(basis).truncatingRemainder(dividingBy: b.rawValue(basis))
    case .abs(let term): return Swift.abs(term.rawValue(basis))
    case .anchor(_, let fallback): return fallback?.rawValue(basis) ?? .nan
    case .sign(let term):
      let value = term.rawValue(basis)
      return value > 0 ? 1 : value < 0 ? -1 : value
    }
  }

  /// NaN if any term is NaN.
  private static func extreme(_ terms: [MathExpression], _ basis: Double, _ isBetter: (Double, Double) -> Bool) -> Double {
    var result: Double?
    for term in terms {
      let value = term.rawValue(basis)
      if value.isNaN { return value }
      if let best = result, !isBetter(value, best) { continue }
      result = value
    }
    return result ?? 0
  }
}

extension MathExpression.RoundingStrategy {
  /// https://drafts.csswg.org/css-values-4/#funcdef-round
  public func round(_ value: Double, to step: Double) -> Double {
    guard step != 0, !(value.isInfinite && step.isInfinite) else { return .nan }
    if value.isInfinite { return value }
    if step.isInfinite {
      switch self {
      case .up where value > 0: return .infinity
      case .down where value < 0: return -.infinity
      default: return 0
      }
    }
    let step = Swift.abs(step)
    let quotient = value / step
    switch self {
    case .nearest: return (quotient + 0.5).rounded(.down) * step
    case .up: return quotient.rounded(.up) * step
    case .down: return quotient.rounded(.down) * step
    case .toZero: return quotient.rounded(.towardZero) * step
    }
  }
}

/// A margin or inset: `auto` or a length-percentage.
public enum LengthPercentageAuto: Hashable, Sendable {
  case auto
  case value(LengthPercentage)
  public static var zero: LengthPercentageAuto { .value(.zero) }
  @inlinable public var isAuto: Bool { if case .auto = self { true } else { false } }
}

/// A computed `width`, `height`, `min-*`, `max-*` or `flex-basis`.
///
/// https://drafts.csswg.org/css-sizing-3/#sizing-properties
public enum SizeValue: Hashable, Sendable {
  /// The initial value of sizes and minimum sizes.
  case auto
  /// The initial value of maximum sizes.
  case none
  case value(LengthPercentage)
  case minContent
  case maxContent
  case fitContent
  case stretch
  case calcSize(CalcSize)
  /// `flex-basis: content`.
  case content
  @inlinable public var isAuto: Bool { if case .auto = self { true } else { false } }
}
