/// `calc-size()`: a calculation based on another size. https://drafts.csswg.org/css-values-5/#calc-size
public struct CalcSize: Hashable, Sendable {
  private let held: [SizeValue]
  /// The expression; the keyword `size` is `basisSize`.
  public let calculation: MathExpression
  /// Whether the basis is `auto`.
  public let isAutoLike: Bool

  public init(basis: SizeValue, calculation: MathExpression, isAutoLike: Bool) {
    held = [basis]
    self.calculation = calculation
    self.isAutoLike = isAutoLike
  }

  public var basis: SizeValue { held.first ?? .auto }

  /// Evaluates the calculation in CSS px, given the size of the basis and the percentage basis, which counts as 0 if unknown.
  public func evaluate(size: Double, percentageBasis: Double?) -> Double {
    let known = calculation.replacingLeaves { if case .basisSize = $0 { .number(size) } else { $0 } }
    return max((known ?? calculation).evaluate(basis: percentageBasis ?? 0), 0)
  }
}

extension ValueParser {
  /// - Parameter initial: `auto`, or `none` for maximum sizes, for which `auto` is not a valid basis.
  mutating func calcSize(_ initial: SizeValue) -> SizeValue? {
    guard let name = peekFunction(), name.equalsIgnoringCase("calc-size") else { return nil }
    return attempt { parser in parser.block { $0.calcSizeBody(initial) } }
  }

  private mutating func calcSizeBody(_ initial: SizeValue) -> SizeValue? {
    let isAny = keyword("any")
    guard let basis = isAny ? .auto : calcSizeBasis(initial), basis != .none, comma() else { return nil }
    let outer = allowsBasisSize
    allowsBasisSize = !isAny
    defer { allowsBasisSize = outer }
    guard let value = calcSum(true), value.type == .length, isAtEnd() else { return nil }
    let calculation = value.node
    if isAny { return .value(LengthPercentage(calculation, nonNegative: true)) }
    return CalcSize.value(of: calculation, on: basis)
  }

  private mutating func calcSizeBasis(_ initial: SizeValue) -> SizeValue? {
    if let value = size(initial) { return value }
    return calcSum(true).flatMap { $0.type == .length ? .value(.math($0.node)) : nil }
  }
}

extension CalcSize {
  /// Merges nested calculations; a calculation based on a length becomes a length.
  static func value(of calculation: MathExpression, on basis: SizeValue) -> SizeValue {
    func put(_ inner: MathExpression) -> MathExpression {
      calculation.replacingLeaves { if case .basisSize = $0 { inner } else { $0 } } ?? calculation
    }
    switch basis {
    case .calcSize(let inner):
      return .calcSize(CalcSize(basis: inner.basis, calculation: put(inner.calculation), isAutoLike: inner.isAutoLike))
    case .value(let length): return .value(LengthPercentage(put(length.expression), nonNegative: true))
    default: return .calcSize(CalcSize(basis: basis, calculation: calculation, isAutoLike: basis.isAuto))
    }
  }
}

extension MathExpression {
  /// Replaces each leaf by the result of `change`; nil if any result is nil.
  func replacingLeaves(_ change: (MathExpression) -> MathExpression?) -> MathExpression? {
    func all(_ terms: [MathExpression]) -> [MathExpression]? {
      let found = terms.compactMap { $0.replacingLeaves(change) }
      return found.count == terms.count ? found : nil
    }
    func two(_ a: MathExpression, _ b: MathExpression) -> (MathExpression, MathExpression)? {
      guard let a = a.replacingLeaves(change), let b = b.replacingLeaves(change) else { return nil }
      return (a, b)
    }
    switch self {
    case .number, .percentage, .dimension, .anchor, .basisSize: return change(self)
    case .sum(let terms): return all(terms).map { .sum($0) }
    case .min(let terms): return all(terms).map { .min($0) }
    case .max(let terms): return all(terms).map { .max($0) }
    case .product(let term, let factor): return term.replacingLeaves(change).map { .product($0, factor) }
    case .abs(let term): return term.replacingLeaves(change).map { .abs($0) }
    case .sign(let term): return term.replacingLeaves(change).map { .sign($0) }
    case .clamp(let a, let b, let c): return all([a, b, c]).map { .clamp($0[0], $0[1], $0[2]) }
    case .round(let strategy, let a, let b): return two(a, b).map { .round(strategy, $0.0, $0.1) }
    case .mod(let a, let b): return two(a, b).map { .mod($0.0, $0.1) }
    case .rem(let a, let b): return two(a, b).map { .rem($0.0, $0.1) }
    }
  }
}
