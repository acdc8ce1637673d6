import OffprintCoreTypes
import Glibc

/// The type of a calculation: the power of each base type.
///
/// https://drafts.csswg.org/css-values-4/#calc-type-checking
struct CalcType: Equatable {
  var length: Int8 = 0
  var angle: Int8 = 0
  var time: Int8 = 0
  var frequency: Int8 = 0
  var resolution: Int8 = 0
  var flex: Int8 = 0
  var percent: Int8 = 0

  static let number = CalcType()
  static let length = CalcType(length: 1)
  static let angle = CalcType(angle: 1)
  static let percent = CalcType(percent: 1)

  init(length: Int8 = 0, angle: Int8 = 0, percent: Int8 = 0) {
    self.length = length
    self.angle = angle
    self.percent = percent
  }

  init(_ dimension: Unit.Dimension) {
    switch dimension {
    case .length: length = 1
    case .angle: angle = 1
    case .time: time = 1
    case .frequency: frequency = 1
    case .resolution: resolution = 1
    case .flex: flex = 1
    }
  }

  func combined(_ other: CalcType, _ operation: (Int8, Int8) -> Int8) -> CalcType {
    var result = CalcType()
    result.length = operation(length, other.length)
    result.angle = operation(angle, other.angle)
    result.time = operation(time, other.time)
    result.frequency = operation(frequency, other.frequency)
    result.resolution = operation(resolution, other.resolution)
    result.flex = operation(flex, other.flex)
    result.percent = operation(percent, other.percent)
    return result
  }
}

/// A calculation in canonical units: a constant, or an expression with percentages of a yet unknown length.
struct CalcValue {
  var type: CalcType
  var node: MathExpression

  var constant: Double? { if case .number(let value) = node { value } else { nil } }

  static func number(_ value: Double) -> CalcValue { CalcValue(type: .number, node: .number(value)) }

  func negated() -> CalcValue { scaled(by: -1) }

  func scaled(by factor: Double) -> CalcValue {
    if let constant { return CalcValue(type: type, node: .number(constant * factor)) }
    if case .percentage(let percent) = node { return CalcValue(type: type, node: .percentage(percent * factor)) }
    return CalcValue(type: type, node: .product(node, factor))
  }

  func multiplied(by other: CalcValue) -> CalcValue? {
    let product = type.combined(other.type) { $0 &+ $1 }
    if let factor = other.constant { return CalcValue(type: product, node: scaled(by: factor).node) }
    if let factor = constant { return CalcValue(type: product, node: other.scaled(by: factor).node) }
    return nil
  }

  func divided(by other: CalcValue) -> CalcValue? {
    guard let divisor = other.constant else { return nil }
    return CalcValue(
      type: type.combined(other.type) { $0 &- $1 }, node: constant.map { .number($0 / divisor) } ?? scaled(by: 1 / divisor).node)
  }

  /// `expression` of `arguments`, evaluated immediately if all are constant.
  static func folded(_ type: CalcType, _ arguments: [CalcValue], _ expression: MathExpression) -> CalcValue {
    let isConstant = arguments.allSatisfy { $0.constant != nil }
    return CalcValue(type: type, node: isConstant ? .number(expression.rawValue(0)) : expression)
  }
}

extension ValueParser {
  enum MathFunction: UInt8 {
    case calc, min, max, clamp, round, mod, rem, abs, sign, sin, cos, tan, asin, acos, atan, atan2, pow, sqrt, hypot, log, exp, progress
    case anchor, anchorSize, siblingIndex, siblingCount, random
  }

  static let mathFunctions: [(StaticString, MathFunction)] = [
    ("calc", .calc), ("min", .min), ("max", .max), ("clamp", .clamp), ("round", .round), ("mod", .mod), ("rem", .rem), ("abs", .abs),
    ("sign", .sign), ("sin", .sin), ("cos", .cos), ("tan", .tan), ("asin", .asin), ("acos", .acos), ("atan", .atan), ("atan2", .atan2),
    ("pow", .pow), ("sqrt", .sqrt), ("hypot", .hypot), ("log", .log), ("exp", .exp), ("progress", .progress), ("-webkit-calc", .calc),
    ("anchor", .anchor), ("anchor-size", .anchorSize),
    ("sibling-index", .siblingIndex), ("sibling-count", .siblingCount), ("random", .random),
  ]

  mutating func peekMathFunction() -> MathFunction? {
    guard let name = peekFunction() else { return nil }
    return Self.mathFunctions.first { name.equalsIgnoringCase($0.0) }?.1
  }

  /// Parses a math function of any type; nil if there is no math function, or it is invalid.
  ///
  /// https://drafts.csswg.org/css-values-4/#math
  mutating func math(percentIsLength: Bool) -> CalcValue? {
    guard let function = peekMathFunction() else { return nil }
    return block { $0.mathBody(function, percentIsLength) }
  }

  private mutating func mathBody(_ function: MathFunction, _ percentIsLength: Bool) -> CalcValue? {
    switch function {
    case .calc: return calcSum(percentIsLength)
    case .min, .max, .hypot: return variadic(function, percentIsLength)
    case .clamp: return clampBody(percentIsLength)
    case .round: return roundBody(percentIsLength)
    case .mod, .rem, .atan2, .pow: return binary(function, percentIsLength)
    case .progress: return progressBody(percentIsLength)
    case .siblingIndex, .siblingCount: return siblingNumber(function)
    case .random: return randomBody(percentIsLength)
    case .anchor, .anchorSize: return percentIsLength ? anchorBody(isSize: function == .anchorSize) : nil
    case .log:
      guard let value = calcNumber() else { return nil }
      guard comma() else { return .number(Glibc.log(value)) }
      guard let base = calcNumber() else { return nil }
      return .number(Glibc.log(value) / Glibc.log(base))
    default: return unary(function, percentIsLength)
    }
  }

  private mutating func calcNumber() -> Double? {
    guard let value = calcSum(false), value.type == .number else { return nil }
    return value.constant
  }

  private mutating func variadic(_ function: MathFunction, _ percentIsLength: Bool) -> CalcValue? {
    guard let arguments = commaList({ $0.calcSum(percentIsLength) }), let first = arguments.first,
      arguments.allSatisfy({ $0.type == first.type })
    else { return nil }
    if function == .hypot {
      let values = arguments.compactMap(\.constant)
      guard values.count == arguments.count else { return nil }
      return CalcValue(type: first.type, node: .number(values.reduce(0) { $0 + $1 * $1 }.squareRoot()))
    }
    let nodes = arguments.map(\.node)
    return .folded(first.type, arguments, function == .min ? .min(nodes) : .max(nodes))
  }

  private mutating func clampBody(_ percentIsLength: Bool) -> CalcValue? {
    func bound(_ parser: inout ValueParser) -> CalcValue?? {
      parser.keyword("none") ? .some(nil) : parser.calcSum(percentIsLength).map { $0 }
    }
    guard let low = bound(&self), comma(), let value = calcSum(percentIsLength), comma(), let high = bound(&self),
      low.map({ $0.type == value.type }) ?? true, high.map({ $0.type == value.type }) ?? true
    else { return nil }
    switch (low, high) {
    case (let low?, let high?): return .folded(value.type, [low, value, high], .clamp(low.node, value.node, high.node))
    case (let low?, nil): return .folded(value.type, [low, value], .max([low.node, value.node]))
    case (nil, let high?): return .folded(value.type, [value, high], .min([value.node, high.node]))
    case (nil, nil): return value
    }
  }

  private mutating func roundBody(_ percentIsLength: Bool) -> CalcValue? {
    var strategy = MathExpression.RoundingStrategy.nearest
    if let chosen = keyword(of: Self.roundingStrategies) {
      strategy = chosen
      guard comma() else { return nil }
    }
    guard let value = calcSum(percentIsLength) else { return nil }
    var step = CalcValue.number(1)
    if comma() {
      guard let given = calcSum(percentIsLength) else { return nil }
      step = given
    } else if value.type != .number {
      return nil
    }
    guard step.type == value.type else { return nil }
    return .folded(value.type, [value, step], .round(strategy, value.node, step.node))
  }

  private static let roundingStrategies: [(StaticString, MathExpression.RoundingStrategy)] = [
    ("nearest", .nearest), ("up", .up), ("down", .down), ("to-zero", .toZero),
  ]

  private mutating func progressBody(_ percentIsLength: Bool) -> CalcValue? {
    guard let value = calcSum(percentIsLength), comma(), let start = calcSum(percentIsLength), comma(), let stop = calcSum(percentIsLength),
      value.type == start.type, start.type == stop.type, let a = value.constant, let b = start.constant, let c = stop.constant
    else { return nil }
    return .number(b == c ? 0 : Swift.min(Swift.max((a - b) / (c - b), 0), 1))
  }

  private mutating func binary(_ function: MathFunction, _ percentIsLength: Bool) -> CalcValue? {
    guard let a = calcSum(percentIsLength), comma(), let b = calcSum(percentIsLength), a.type == b.type else { return nil }
    switch function {
    case .mod: return .folded(a.type, [a, b], .mod(a.node, b.node))
    case .rem: return .folded(a.type, [a, b], .rem(a.node, b.node))
    default:
      guard let x = a.constant, let y = b.constant else { return nil }
      if function == .atan2 { return CalcValue(type: .angle, node: .number(Glibc.atan2(x, y) * 180 / .pi)) }
      return a.type == .number ? .number(Glibc.pow(x, y)) : nil
    }
  }

  private mutating func unary(_ function: MathFunction, _ percentIsLength: Bool) -> CalcValue? {
    guard let argument = calcSum(percentIsLength) else { return nil }
    if function == .abs { return .folded(argument.type, [argument], .abs(argument.node)) }
    if function == .sign { return .folded(.number, [argument], .sign(argument.node)) }
    guard let value = argument.constant else { return nil }
    switch function {
    case .sin, .cos, .tan:
      guard argument.type == .number || argument.type == .angle else { return nil }
      return .number(
        trigonometric(function, argument.type == .angle ? value * .pi / 180 : value, degrees: argument.type == .angle ? value : nil))
    default:
      guard argument.type == .number else { return nil }
      switch function {
      case .asin: return CalcValue(type: .angle, node: .number(Glibc.asin(value) * 180 / .pi))
      case .acos: return CalcValue(type: .angle, node: .number(Glibc.acos(value) * 180 / .pi))
      case .atan: return CalcValue(type: .angle, node: .number(Glibc.atan(value) * 180 / .pi))
      case .sqrt: return .number(value.squareRoot())
      case .exp: return .number(Glibc.exp(value))
      default: return nil
      }
    }
  }

  /// Exact at multiples of 90°.
  private func trigonometric(_ function: MathFunction, _ radians: Double, degrees: Double?) -> Double {
    if let degrees, degrees.isFinite, degrees.truncatingRemainder(dividingBy: 90) == 0 {
      let quarter = ((degrees / 90).truncatingRemainder(dividingBy: 4) + 4).truncatingRemainder(dividingBy: 4)
      let sine: Double = quarter == 1 ? 1 : quarter == 3 ? -1 : 0
      let cosine: Double = quarter == 0 ? 1 : quarter == 2 ? -1 : 0
      return function == .sin ? sine : function == .cos ? cosine : sine / cosine
    }
    return function == .sin ? Glibc.sin(radians) : function == .cos ? Glibc.cos(radians) : Glibc.tan(radians)
  }

  /// https://drafts.csswg.org/css-values-4/#typedef-calc-sum
  mutating func calcSum(_ percentIsLength: Bool) -> CalcValue? {
    guard var sum = calcProduct(percentIsLength) else { return nil }
    var terms: [MathExpression] = []
    while let token = peek(), token.kind == .delim, token.delimiter == 0x2B || token.delimiter == 0x2D {
      guard isAfterWhitespace else { return nil }
      advance()
      guard isAtWhitespace, var term = calcProduct(percentIsLength), term.type == sum.type else { return nil }
      if token.delimiter == 0x2D { term = term.negated() }
      if terms.isEmpty, let a = sum.constant, let b = term.constant {
        sum.node = .number(a + b)
      } else {
        if terms.isEmpty { terms.append(sum.node) }
        terms.append(term.node)
      }
    }
    if !terms.isEmpty { sum.node = .sum(terms) }
    return sum
  }

  private mutating func calcProduct(_ percentIsLength: Bool) -> CalcValue? {
    guard var product = calcTerm(percentIsLength) else { return nil }
    while let token = peek(), token.kind == .delim, token.delimiter == 0x2A || token.delimiter == 0x2F {
      advance()
      guard let factor = calcTerm(percentIsLength),
        let result = token.delimiter == 0x2A ? product.multiplied(by: factor) : product.divided(by: factor)
      else { return nil }
      product = result
    }
    return product
  }

  private mutating func calcTerm(_ percentIsLength: Bool) -> CalcValue? {
    guard let token = peek() else { return nil }
    switch token.kind {
    case .number:
      advance()
      return .number(token.number)
    case .percentage:
      advance()
      return percentIsLength
        ? CalcValue(type: .length, node: .percentage(token.number)) : CalcValue(type: .percent, node: .number(token.number))
    case .dimension:
      guard let unit = unit(token) else { return nil }
      advance()
      let node: MathExpression = keepsUnits && unit.factor == nil ? keep(token.number, unit) : .number(canonical(token.number, unit))
      return CalcValue(type: CalcType(unit.dimension), node: node)
    case .openParen: return block { $0.calcSum(percentIsLength) }
    case .function: return math(percentIsLength: percentIsLength)
    case .ident: return calcConstant()
    default: return nil
    }
  }

  private static let constants: [(StaticString, Double)] = [
    ("e", M_E), ("pi", .pi), ("infinity", .infinity), ("-infinity", -.infinity), ("nan", .nan),
  ]

  private mutating func calcConstant() -> CalcValue? {
    guard let word = peekIdentifier() else { return nil }
    if allowsBasisSize, word.equalsIgnoringCase("size") {
      advance()
      return CalcValue(type: .length, node: .basisSize)
    }
    for (name, value) in channels where word.equalsIgnoringCase(name) {
      advance()
      return .number(value)
    }
    return keyword(of: Self.constants).map { .number($0) }
  }
}
