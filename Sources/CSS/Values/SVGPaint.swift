public import OffprintCoreTypes

/// `fill` or `stroke`. https://www.w3.org/TR/SVG2/painting.html#SpecifyingPaint
public enum SVGPaint: Hashable, Sendable {
  case none
  case color(ColorValue)
  case contextFill
  case contextStroke
  /// A paint server and its fallback; without a fallback nothing is painted.
  case server(ByteString, fallback: Fallback?)

  public enum Fallback: Hashable, Sendable {
    case none
    case color(ColorValue)
  }
}

/// https://www.w3.org/TR/SVG2/painting.html#PaintOrder
public struct PaintOrder: Hashable, Sendable {
  public enum Part: UInt8, Hashable, Sendable { case fill, stroke, markers }
  public var first = Part.fill
  public var second = Part.stroke
  public var third = Part.markers
  public init() {}
  public var parts: [Part] { [first, second, third] }
}

public enum FillRule: UInt8, Hashable, Sendable { case nonzero, evenodd }
public enum LineCap: UInt8, Hashable, Sendable { case butt, round, square }
public enum LineJoin: UInt8, Hashable, Sendable { case miter, round, bevel }
public enum TextAnchor: UInt8, Hashable, Sendable { case start, middle, end }
public enum ColorInterpolation: UInt8, Hashable, Sendable { case auto, sRGB, linearRGB }
public enum ShapeRendering: UInt8, Hashable, Sendable { case auto, optimizeSpeed, crispEdges, geometricPrecision }
public enum VectorEffect: UInt8, Hashable, Sendable { case none, nonScalingStroke }
public enum MaskType: UInt8, Hashable, Sendable { case luminance, alpha }

/// https://www.w3.org/TR/css-inline-3/#dominant-baseline-property
public enum BaselineKeyword: UInt8, Hashable, Sendable {
  case auto, baseline, alphabetic, ideographic, middle, central, mathematical, hanging, textTop, textBottom, useScript, noChange, resetSize
}

public enum BaselineShift: Hashable, Sendable {
  case baseline, sub, `super`
  case value(LengthPercentage)
}

extension SVGPaint: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .none: "none"
    case .color(let color): color.css(writer)
    case .contextFill: "context-fill"
    case .contextStroke: "context-stroke"
    case .server(let url, nil): "url(\(ComputedTextWriter.quoted(url.text)))"
    case .server(let url, .some(.none)): "url(\(ComputedTextWriter.quoted(url.text))) none"
    case .server(let url, .some(.color(let color))): "url(\(ComputedTextWriter.quoted(url.text))) " + color.css(writer)
    }
  }
}

extension PaintOrder: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    self == PaintOrder() ? "normal" : parts.map { "\($0)" }.joined(separator: " ")
  }
}

extension BaselineShift: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .baseline: "baseline"
    case .sub: "sub"
    case .super: "super"
    case .value(let value): value.css(writer)
    }
  }
}

extension BaselineShift: LengthRelative {
  func computed(_ element: ElementContext) -> BaselineShift {
    if case .value(let value) = self { .value(value.computed(element)) } else { self }
  }
}

extension ValueParser {
  static let maskModes: [(StaticString, BackgroundLayer.MaskMode)] = [
    ("match-source", .matchSource), ("alpha", .alpha), ("luminance", .luminance),
  ]

  mutating func svgPaint() -> SVGPaint? {
    if keyword("none") { return SVGPaint.none }
    if keyword("context-fill") { return .contextFill }
    if keyword("context-stroke") { return .contextStroke }
    guard let url = url() else { return color().map { .color($0) } }
    if isAtEnd() { return .server(url, fallback: nil) }
    if keyword("none") { return .server(url, fallback: SVGPaint.Fallback.none) }
    return color().map { .server(url, fallback: .color($0)) }
  }

  /// Parses a length; unitless numbers are in px.
  mutating func svgLength(nonNegative: Bool = false) -> LengthPercentage? {
    if let number = attempt({ $0.number(nonNegative ? Self.nonNegative : Self.anyNumber) }) { return .length(Float(number)) }
    return lengthPercentage(nonNegative: nonNegative)
  }

  mutating func svgOpacity() -> Float? { numberOrPercentage().map { Float(min(max($0, 0), 1)) } }

  mutating func dashArray() -> [LengthPercentage]? {
    if keyword("none") { return [] }
    var lengths: [LengthPercentage] = []
    while !isAtEnd() {
      guard let length = svgLength(nonNegative: true) else { return nil }
      lengths.append(length)
      _ = comma()
    }
    return lengths.isEmpty ? nil : lengths
  }

  private static let paintParts: [(StaticString, PaintOrder.Part)] = [("fill", .fill), ("stroke", .stroke), ("markers", .markers)]

  mutating func paintOrder() -> PaintOrder? {
    if keyword("normal") { return PaintOrder() }
    var parts: [PaintOrder.Part] = []
    while let part = keyword(of: Self.paintParts) {
      guard !parts.contains(part) else { return nil }
      parts.append(part)
    }
    guard !parts.isEmpty else { return nil }
    for part in [PaintOrder.Part.fill, .stroke, .markers] where !parts.contains(part) { parts.append(part) }
    var order = PaintOrder()
    (order.first, order.second, order.third) = (parts[0], parts[1], parts[2])
    return order
  }
}
