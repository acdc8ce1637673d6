public import CoreTypes

/// The properties of SVG that the cascade decided for an element, as CSS text for the SVG library. They do not inherit here: the library
/// does that itself. https://www.w3.org/TR/SVG2/styling.html#PresentationAttributes
public struct SVGPresentation: Hashable, Sendable {
  public struct Declaration: Hashable, Sendable {
    public var name: String
    public var value: String
  }
  /// In the order of the property table.
  public private(set) var declarations: [Declaration] = []

  /// Nil where no style sheet says it.
  public var strokeWidth: Double? {
    self["stroke-width"].flatMap { Double($0.hasSuffix("px") ? $0.dropLast(2) : $0[...]) }
  }
  public var isStroked: Bool? { self["stroke"].map { $0 != "none" } }

  subscript(name: String) -> String? {
    get { declarations.first { $0.name == name }?.value }
    set {
      declarations.removeAll { $0.name == name }
      guard let newValue else { return }
      declarations.append(Declaration(name: name, value: newValue))
      declarations.sort { $0.name < $1.name }
    }
  }
}

extension ValueParser {
  static let maskModes: [(StaticString, BackgroundLayer.MaskMode)] = [
    ("match-source", .matchSource), ("alpha", .alpha), ("luminance", .luminance),
  ]

  /// A colour as the SVG library reads it.
  mutating func svgColor() -> String? {
    switch color() {
    case nil: nil
    case .currentColor?: "currentColor"
    case .color(let color)?: color.svgText
    }
  }

  /// https://www.w3.org/TR/SVG2/painting.html#SpecifyingPaint
  mutating func svgPaint() -> String? {
    for word in ["none", "context-fill", "context-stroke"] as [StaticString] where keyword(word) { return "\(word)" }
    guard let url = svgURL() else { return svgColor() }
    if isAtEnd() { return url }
    if keyword("none") { return url + " none" }
    return svgColor().map { url + " " + $0 }
  }

  mutating func svgURL() -> String? {
    guard let url = url(), url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x29 && $0 < 0x7F }) else { return nil }
    return "url(\"\(url)\")"
  }

  mutating func svgNumber() -> String? { number().map { "\($0)" } }

  /// A length without a unit is one of px.
  mutating func svgLength() -> String? {
    if let text = svgNumber() { return text }
    switch lengthPercentage() {
    case .length(let px)?: return "\(px)px"
    case .percentage(let percent)?: return "\(percent)%"
    case .sum(let px, _)?: return "\(px)px"
    case .math?, nil: return nil
    }
  }
}

extension Color {
  /// `rgb()` or, where it is not opaque, `rgba()`.
  public var svgText: String {
    let (r, g, b, a) = rgba8
    return a == 255 ? "rgb(\(r),\(g),\(b))" : "rgba(\(r),\(g),\(b),\(Float(a) / 255))"
  }
}
