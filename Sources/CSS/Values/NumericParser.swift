import OffprintCoreTypes

// Numeric values. A plain value out of range is invalid; the result of a math function is clamped.
// https://drafts.csswg.org/css-values-4/#calc-range

extension ValueParser {
  static let lengthLimit: Double = 33_554_431

  private mutating func constantMath(_ type: CalcType, _ range: ClosedRange<Double>) -> Double? {
    attempt { parser in
      guard let value = parser.math(percentIsLength: false), value.type == type, let constant = value.constant else { return nil }
      return constant.isNaN
        ? Swift.min(Swift.max(0, range.lowerBound), range.upperBound)
        : Swift.min(Swift.max(constant, range.lowerBound), range.upperBound)
    }
  }

  private func isMath(_ token: Token) -> Bool { token.kind == .function }

  static let anyNumber = -Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude)
  static let nonNegative = 0...Double(Float.greatestFiniteMagnitude)

  mutating func number(_ range: ClosedRange<Double> = anyNumber) -> Double? {
    guard let token = peek() else { return nil }
    if token.kind == .number {
      guard token.number >= range.lowerBound else { return nil }
      guard token.number <= range.upperBound else {
        guard range.upperBound >= Self.anyNumber.upperBound else { return nil }
        advance()
        return range.upperBound
      }
      advance()
      return token.number
    }
    return isMath(token) ? constantMath(.number, range) : nil
  }

  mutating func float(_ range: ClosedRange<Double> = anyNumber) -> Float? { number(range).map { Float($0) } }

  /// Clamped to 32 bits.
  mutating func integer(min minimum: Int? = nil) -> Int? {
    guard let token = peek() else { return nil }
    if token.kind == .number {
      guard token.isIntegerOrID, minimum.map({ token.number >= Double($0) }) ?? true else { return nil }
      advance()
      return Int(Swift.min(Swift.max(token.number, -2_147_483_648), 2_147_483_647))
    }
    guard isMath(token), let value = constantMath(.number, Double(minimum ?? -2_147_483_648)...2_147_483_647) else { return nil }
    return Int((value + 0.5).rounded(.down))
  }

  /// In percent: 50 for 50%.
  mutating func percentage(_ range: ClosedRange<Double> = anyNumber) -> Double? {
    guard let token = peek() else { return nil }
    if token.kind == .percentage {
      guard range.contains(token.number) else { return nil }
      advance()
      return token.number
    }
    return isMath(token) ? constantMath(.percent, range) : nil
  }

  /// A number, or a percentage as a fraction.
  mutating func numberOrPercentage(_ range: ClosedRange<Double> = anyNumber) -> Double? {
    if let value = number(range) { return value }
    return percentage(range.lowerBound * 100...range.upperBound * 100).map { $0 / 100 }
  }

  /// In CSS px.
  mutating func length(_ range: ClosedRange<Double> = -lengthLimit...lengthLimit) -> Float? {
    guard let token = peek() else { return nil }
    if isMath(token) {
      return constantMath(.length, Swift.max(range.lowerBound, -Self.lengthLimit)...Swift.min(range.upperBound, Self.lengthLimit)).map {
        Float($0)
      }
    }
    return plainLength(token, range)
  }

  private mutating func plainLength(_ token: Token, _ range: ClosedRange<Double>) -> Float? {
    var px: Double
    switch token.kind {
    case .dimension:
      guard let unit = unit(token), unit.dimension == .length else { return nil }
      px = canonical(token.number, unit)
    case .number where token.number == 0 || (allowsUnitlessLength && quirks): px = token.number
    default: return nil
    }
    if range.lowerBound >= 0, token.number < 0 { return nil }
    px = Swift.min(Swift.max(px, -Self.lengthLimit), Self.lengthLimit)
    advance()
    return Float(px)
  }

  mutating func nonNegativeLength() -> Float? { length(0...Self.lengthLimit) }

  mutating func lengthPercentage(nonNegative: Bool = false) -> LengthPercentage? {
    guard let token = peek() else { return nil }
    if token.kind == .percentage {
      guard !nonNegative || token.number >= 0 else { return nil }
      advance()
      return .percentage(Float(Swift.min(Swift.max(token.number, -1e9), 1e9)))
    }
    if isMath(token) {
      return attempt { parser in
        guard let value = parser.math(percentIsLength: true), value.type == .length else { return nil }
        return LengthPercentage(value.node, nonNegative: nonNegative)
      }
    }
    if keepsUnits, token.kind == .dimension, let unit = unit(token), unit.dimension == .length, unit.factor == nil {
      guard !nonNegative || token.number >= 0 else { return nil }
      advance()
      return .math(keep(token.number, unit))
    }
    return plainLength(token, nonNegative ? 0...Self.lengthLimit : -Self.lengthLimit...Self.lengthLimit).map { .length($0) }
  }

  /// The unit of a dimension. `__qem` is valid only in the user agent style sheet.
  func unit(_ token: Token) -> Unit? {
    guard let unit = Unit(buffer.bytes(token.value)), unit != .qem || isUserAgent else { return nil }
    return unit
  }

  /// A relative length with its specified unit.
  mutating func keep(_ number: Double, _ unit: Unit) -> MathExpression {
    sawUnit = true
    if unit == .qem { isQuirky = true }
    return .dimension(number, unit)
  }

  /// In degrees.
  mutating func angle(unitlessZero: Bool = false) -> Double? {
    guard let token = peek() else { return nil }
    switch token.kind {
    case .dimension:
      guard let unit = Unit(buffer.bytes(token.value)), unit.dimension == .angle else { return nil }
      advance()
      return canonical(token.number, unit)
    case .number where unitlessZero && token.number == 0:
      advance()
      return 0
    case .function: return constantMath(.angle, Self.anyNumber)
    default: return nil
    }
  }

  mutating func dimension(_ dimension: Unit.Dimension, _ range: ClosedRange<Double> = anyNumber) -> Double? {
    guard let token = peek() else { return nil }
    switch token.kind {
    case .dimension:
      guard let unit = Unit(buffer.bytes(token.value)), unit.dimension == dimension, range.contains(token.number) else { return nil }
      advance()
      return canonical(token.number, unit)
    case .function: return constantMath(CalcType(dimension), range)
    default: return nil
    }
  }
}

extension LengthPercentage {
  /// The simplest equivalent form of a calculation.
  init(_ node: MathExpression, nonNegative: Bool) {
    if let (px, percent) = Self.linear(node) {
      func clamp(_ value: Double) -> Float {
        value.isNaN ? 0 : Float(Swift.min(Swift.max(value, -ValueParser.lengthLimit), ValueParser.lengthLimit))
      }
      switch (px, percent) {
      case (_, nil): self = .length(nonNegative ? Swift.max(clamp(px), 0) : clamp(px))
      case (0, let percent?): self = .percentage(nonNegative ? Swift.max(clamp(percent), 0) : clamp(percent))
      case (_, let percent?):
        let sum = LengthPercentage.sum(px: clamp(px), percent: clamp(percent))
        self = nonNegative && (px < 0 || percent < 0) ? .math(.max([.number(0), .sum([.number(px), .percentage(percent)])])) : sum
      }
    } else {
      self = .math(nonNegative ? .max([.number(0), node]) : node)
    }
  }

  /// The node as a sum; nil if it is not linear. A percentage of zero is kept, since it still makes the value depend on its basis.
  private static func linear(_ node: MathExpression) -> (px: Double, percent: Double?)? {
    switch node {
    case .number(let px): return (px, nil)
    case .percentage(let percent): return (0, percent)
    case .product(let term, let factor):
      guard let (px, percent) = linear(term) else { return nil }
      return (px * factor, percent.map { $0 * factor })
    case .sum(let terms):
      var total: (px: Double, percent: Double?) = (0, nil)
      for term in terms {
        guard let (px, percent) = linear(term) else { return nil }
        total.px += px
        if let percent { total.percent = (total.percent ?? 0) + percent }
      }
      return total
    default: return nil
    }
  }
}
