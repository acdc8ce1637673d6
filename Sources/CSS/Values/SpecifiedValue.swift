import OffprintCoreTypes

/// A specified value: either computed already, or a function of the element.
///
/// https://drafts.csswg.org/css-cascade-5/#specified
enum Specified<Value: Sendable>: Sendable {
  case value(Value)
  /// Relative to the element's font, parent, writing mode or color scheme.
  case relative(@Sendable (ElementContext) -> Value)

  func map<Result: Sendable>(_ change: @escaping @Sendable (Value) -> Result) -> Specified<Result> {
    switch self {
    case .value(let value): .value(change(value))
    case .relative(let compute): .relative { change(compute($0)) }
    }
  }

  func computed(_ element: ElementContext) -> Value {
    switch self {
    case .value(let value): value
    case .relative(let compute): compute(element)
    }
  }
}

extension Specified {
  static func both<A: Sendable, B: Sendable>(_ a: Specified<A>, _ b: Specified<B>) -> Specified<(A, B)> where Value == (A, B) {
    if case .value(let a) = a, case .value(let b) = b { return .value((a, b)) }
    return .relative { (a.computed($0), b.computed($0)) }
  }

  static func list<Item: Sendable>(_ items: [Specified<Item>]) -> Specified<[Item]> where Value == [Item] {
    let values = items.compactMap { if case .value(let value) = $0 { value } else { nil } }
    return values.count == items.count ? .value(values) : .relative { element in items.map { $0.computed(element) } }
  }
}

/// A value that may contain relative lengths while specified.
protocol LengthRelative: Sendable {
  /// The value with all lengths in CSS px.
  func computed(_ element: ElementContext) -> Self
}

extension LengthPercentage: LengthRelative {
  func computed(_ element: ElementContext) -> LengthPercentage {
    guard case .math(let expression) = self else { return self }
    // The form in which non-negative values are stored.
    if case .max(let terms) = expression, terms.count == 2, terms[0] == .number(0) {
      return LengthPercentage(terms[1].computed(element), nonNegative: true)
    }
    return LengthPercentage(expression.computed(element), nonNegative: false)
  }
}

extension MathExpression: LengthRelative {
  func computed(_ element: ElementContext) -> MathExpression {
    let result = withoutUnits(element)
    return result.hasPercentage ? result : .number(result.rawValue(0))
  }

  private func withoutUnits(_ element: ElementContext) -> MathExpression {
    switch self {
    case .number, .percentage, .basisSize: self
    case .dimension(let number, let unit): .number(number * element.px(unit))
    case .sum(let terms): .sum(terms.map { $0.computed(element) })
    case .product(let term, let factor): .product(term.computed(element), factor)
    case .min(let terms): .min(terms.map { $0.computed(element) })
    case .max(let terms): .max(terms.map { $0.computed(element) })
    case .clamp(let low, let value, let high): .clamp(low.computed(element), value.computed(element), high.computed(element))
    case .round(let strategy, let value, let step): .round(strategy, value.computed(element), step.computed(element))
    case .mod(let a, let b): .mod(a.computed(element), b.computed(element))
    case .rem(let a, let b): .rem(a.computed(element), b.computed(element))
    case .abs(let term): .abs(term.computed(element))
    case .anchor(let function, let fallback): .anchor(function, fallback: fallback?.computed(element))
    case .sign(let term): .sign(term.computed(element))
    }
  }

  private var hasPercentage: Bool {
    switch self {
    case .number, .dimension: false
    case .percentage, .anchor, .basisSize: true
    case .sum(let terms), .min(let terms), .max(let terms): terms.contains { $0.hasPercentage }
    case .product(let term, _), .abs(let term), .sign(let term): term.hasPercentage
    case .clamp(let low, let value, let high): low.hasPercentage || value.hasPercentage || high.hasPercentage
    case .round(_, let a, let b), .mod(let a, let b), .rem(let a, let b): a.hasPercentage || b.hasPercentage
    }
  }
}

extension LengthPercentageAuto: LengthRelative {
  func computed(_ element: ElementContext) -> LengthPercentageAuto {
    if case .value(let value) = self { .value(value.computed(element)) } else { self }
  }
}

extension SizeValue: LengthRelative {
  func computed(_ element: ElementContext) -> SizeValue {
    switch self {
    case .value(let value): .value(value.computed(element))
    case .calcSize(let size):
      .calcSize(
        CalcSize(basis: size.basis.computed(element), calculation: size.calculation.computed(element), isAutoLike: size.isAutoLike))
    default: self
    }
  }
}

extension CornerRadius: LengthRelative {
  func computed(_ element: ElementContext) -> CornerRadius {
    CornerRadius(horizontal: horizontal.computed(element), vertical: vertical.computed(element))
  }
}

extension Position: LengthRelative {
  func computed(_ element: ElementContext) -> Position { Position(x: x.computed(element), y: y.computed(element)) }
}

extension TextIndentValue: LengthRelative {
  func computed(_ element: ElementContext) -> TextIndentValue {
    TextIndentValue(length: length.computed(element), hanging: hanging, eachLine: eachLine)
  }
}

extension BorderImage.Width: LengthRelative {
  func computed(_ element: ElementContext) -> BorderImage.Width {
    if case .value(let value) = self { .value(value.computed(element)) } else { self }
  }
}

extension PhysicalSides: LengthRelative where Value: LengthRelative {
  func computed(_ element: ElementContext) -> PhysicalSides<Value> {
    PhysicalSides(
      top: top.computed(element), right: right.computed(element), bottom: bottom.computed(element), left: left.computed(element))
  }
}

extension PhysicalCorners: LengthRelative where Value: LengthRelative {
  func computed(_ element: ElementContext) -> PhysicalCorners<Value> {
    PhysicalCorners(
      topLeft: topLeft.computed(element), topRight: topRight.computed(element), bottomRight: bottomRight.computed(element),
      bottomLeft: bottomLeft.computed(element))
  }
}

extension BackgroundLayer.Size: LengthRelative {
  func computed(_ element: ElementContext) -> BackgroundLayer.Size {
    if case .explicit(let width, let height) = self { .explicit(width.computed(element), height.computed(element)) } else { self }
  }
}

extension TransformFunction: LengthRelative {
  func computed(_ element: ElementContext) -> TransformFunction {
    if case .translate(let x, let y, let z) = self { .translate(x.computed(element), y.computed(element), z) } else { self }
  }
}

extension TrackBreadth: LengthRelative {
  func computed(_ element: ElementContext) -> TrackBreadth {
    if case .value(let value) = self { .value(value.computed(element)) } else { self }
  }
}

extension TrackSize: LengthRelative {
  func computed(_ element: ElementContext) -> TrackSize {
    switch self {
    case .breadth(let breadth): .breadth(breadth.computed(element))
    case .minmax(let minimum, let maximum): .minmax(minimum.computed(element), maximum.computed(element))
    case .fitContent(let limit): .fitContent(limit.computed(element))
    }
  }
}

extension TrackComponent: LengthRelative {
  func computed(_ element: ElementContext) -> TrackComponent {
    switch self {
    case .lineNames: self
    case .track(let size): .track(size.computed(element))
    case .repeat(let count, let components): .repeat(count, components.computed(element))
    }
  }
}

extension GridTemplate: LengthRelative {
  func computed(_ element: ElementContext) -> GridTemplate {
    if case .tracks(let components) = self { .tracks(components.computed(element)) } else { self }
  }
}

extension Array: LengthRelative where Element: LengthRelative {
  func computed(_ element: ElementContext) -> [Element] { map { $0.computed(element) } }
}

extension Optional: LengthRelative where Wrapped: LengthRelative {
  func computed(_ element: ElementContext) -> Wrapped? { map { $0.computed(element) } }
}

// MARK: Parsing

extension ValueParser {
  /// Parses a value, a second time if it depends on the color scheme.
  mutating func specified<Value: Sendable>(_ body: (inout ValueParser) -> Value?) -> Specified<Value>? {
    guard element == nil else { return body(&self).map { .value($0) } }
    let start = remaining.lowerBound
    isDarkScheme = false
    dependsOnScheme = false
    defer { isDarkScheme = nil }
    guard let light = body(&self) else { return nil }
    guard dependsOnScheme else { return .value(light) }
    rewind(to: start)
    isDarkScheme = true
    guard let dark = body(&self) else { return nil }
    return .relative { $0.isDark ? dark : light }
  }

  /// Parses a value and keeps its relative lengths. If a function requires their sizes, the whole value is relative to the element.
  mutating func specifiedLengths<Value: LengthRelative>(_ body: (inout ValueParser) -> Value?) -> Specified<Value>? {
    guard element == nil else { return body(&self).map { .value($0) } }
    let start = remaining.lowerBound
    keepsUnits = true
    sawUnit = false
    let value = body(&self)
    keepsUnits = false
    if let value { return sawUnit ? .relative { value.computed($0) } : .value(value) }
    guard sawUnit else { return nil }
    rewind(to: start)
    return body(&self).map { .value($0) }
  }

  /// In CSS px.
  mutating func specifiedLength(nonNegative: Bool = false) -> Specified<Float>? {
    specifiedLengths { parser -> LengthPercentage? in
      parser.length(nonNegative: nonNegative)
    }?.map { if case .length(let px) = $0 { px } else { 0 } }
  }

  /// Parses a `<length>`, with its unit if units are kept.
  private mutating func length(nonNegative: Bool) -> LengthPercentage? {
    guard keepsUnits, let token = peek() else {
      return length(nonNegative ? 0...Self.lengthLimit : -Self.lengthLimit...Self.lengthLimit).map { .length($0) }
    }
    if token.kind == .percentage { return nil }
    if token.kind == .function {
      return attempt { parser in
        guard let value = parser.math(percentIsLength: false), value.type == .length else { return nil }
        return LengthPercentage(value.node, nonNegative: nonNegative)
      }
    }
    return lengthPercentage(nonNegative: nonNegative)
  }
}
