import OffprintCSS
package import OffprintCoreTypes
package import OffprintDOM
import OffprintTypography

/// The size of the nearest viewport in user units, the basis of percentages. https://www.w3.org/TR/SVG2/coords.html#Units
public struct SVGViewport: Hashable, Sendable {
  public var width: Double
  public var height: Double
  /// CSS px per user unit, averaged over both axes. Chromium lays out text with scaled fonts, whose metrics are rounded.
  var scale = 1.0
  public init(width: Double, height: Double) { self.width = width; self.height = height }

  func scaled(by transform: AffineTransform) -> SVGViewport {
    let squares = transform.a * transform.a + transform.b * transform.b + transform.c * transform.c + transform.d * transform.d
    var result = self
    result.scale *= (squares / 2).squareRoot()
    return result
  }

  /// The same viewport with other units.
  func resized(width: Double, height: Double) -> SVGViewport {
    var result = self
    (result.width, result.height) = (width, height)
    return result
  }

  var diagonal: Double { ((width * width + height * height) / 2).squareRoot() }

  enum Axis { case horizontal, vertical, other }
  func basis(_ axis: Axis) -> Double {
    switch axis {
    case .horizontal: width
    case .vertical: height
    case .other: diagonal
    }
  }
}

/// The length of an attribute: a number of user units, or a percentage.
struct SVGLength {
  var value: Double
  var isPercentage = false

  func resolve(_ basis: Double) -> Double { isPercentage ? value / 100 * basis : value }
}

// Attributes of elements. https://www.w3.org/TR/SVG2/types.html
extension SVGScene {
  func attribute(_ name: String, _ node: NodeID) -> ArraySlice<UInt8>? {
    for attribute in document.attributes(of: node) where attribute.namespace == .none {
      if document.names[attribute.name].elementsEqual(name.utf8) { return document.bytes(attribute.value) }
    }
    return nil
  }

  func text(_ name: String, _ node: NodeID) -> String? {
    attribute(name, node).map { String(decoding: $0.trimmingSpaces, as: UTF8.self) }
  }

  /// The value of `href` or `xlink:href`.
  func href(_ node: NodeID) -> String? {
    let value = document.attribute(.href, of: node) ?? document.attribute(.href, .xlink, of: node)
    return value.map { String(decoding: $0.trimmingSpaces, as: UTF8.self) }
  }

  func number(_ name: String, _ node: NodeID) -> Double? {
    guard let value = attribute(name, node) else { return nil }
    var scanner = SVGNumberScanner(value)
    scanner.skipSpace()
    guard let number = scanner.number() else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? number : nil
  }

  /// Parses numbers separated by white space and commas, up to the first error.
  func numbers(_ name: String, _ node: NodeID, maximum: Int = 100_000) -> [Double]? {
    attribute(name, node).map { Self.numbers($0, maximum: maximum) }
  }

  static func numbers(_ value: some Sequence<UInt8>, maximum: Int = 100_000) -> [Double] {
    var scanner = SVGNumberScanner(value)
    var result: [Double] = []
    scanner.skipSpace()
    while result.count < maximum, let number = scanner.number() {
      result.append(number)
      scanner.skipSpaceAndComma()
    }
    return result
  }

  func length(_ name: String, _ node: NodeID, _ style: ComputedStyle) -> SVGLength? {
    attribute(name, node).flatMap { length($0, style) }
  }

  func length(_ value: ArraySlice<UInt8>, _ style: ComputedStyle) -> SVGLength? {
    var scanner = SVGNumberScanner(value)
    scanner.skipSpace()
    guard let result = length(&scanner, style) else { return nil }
    scanner.skipSpace()
    return scanner.isAtEnd ? result : nil
  }

  func lengths(_ name: String, _ node: NodeID, _ style: ComputedStyle) -> [SVGLength] {
    guard let value = attribute(name, node) else { return [] }
    var scanner = SVGNumberScanner(value)
    var result: [SVGLength] = []
    scanner.skipSpace()
    while result.count < 100_000, let length = length(&scanner, style) {
      result.append(length)
      scanner.skipSpaceAndComma()
    }
    return scanner.isAtEnd ? result : []
  }

  private func length(_ scanner: inout SVGNumberScanner, _ style: ComputedStyle) -> SVGLength? {
    guard let number = scanner.number() else { return nil }
    if scanner.skip(UInt8(ascii: "%")) { return SVGLength(value: number, isPercentage: true) }
    guard let unit = scanner.word() else { return SVGLength(value: number) }
    guard let factor = factor(unit.lowercased(), style) else { return nil }
    return SVGLength(value: number * factor)
  }

  private func factor(_ unit: String, _ style: ComputedStyle) -> Double? {
    switch unit {
    case "px": 1
    case "em": Double(style.font.size)
    case "ex": Double(fonts.metrics(FontDescription(style.font)).xHeight)
    case "ch": Double(fonts.metrics(FontDescription(style.font)).zeroAdvance)
    case "rem": document.documentElement.isNone ? 16 : Double(styled.styles[document.documentElement.index].font.size)
    case "in": 96
    case "cm": 96 / 2.54
    case "mm": 96 / 25.4
    case "q": 96 / 101.6
    case "pt": 4.0 / 3
    case "pc": 16
    case "vw": styled.media.width / 100
    case "vh": styled.media.height / 100
    default: nil
    }
  }

  /// https://www.w3.org/TR/SVG2/coords.html#ViewBoxAttribute
  package func viewBox(_ node: NodeID) -> DisplayRect? {
    guard let values = numbers("viewBox", node, maximum: 5), values.count == 4, values[2] >= 0, values[3] >= 0 else { return nil }
    return DisplayRect(x: values[0], y: values[1], width: values[2], height: values[3])
  }

  package func aspect(_ node: NodeID) -> SVGAspect { SVGAspect(text("preserveAspectRatio", node) ?? "") }

  /// https://www.w3.org/TR/SVG2/struct.html#ConditionalProcessing
  func passesConditions(_ node: NodeID) -> Bool {
    if let extensions = text("requiredExtensions", node) {
      let known = ["http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML"]
      if extensions.isEmpty || extensions.splitOnASCIIWhitespace().contains(where: { !known.contains(String($0)) }) { return false }
    }
    guard let languages = text("systemLanguage", node) else { return true }
    return languages.split(byte: ",").contains { item in
      let tag = item.removingHTMLSpaces.lowercased()
      return tag == "en" || tag.hasPrefix("en-")
    }
  }
}

/// `preserveAspectRatio`. https://www.w3.org/TR/SVG2/coords.html#PreserveAspectRatioAttribute
package struct SVGAspect: Hashable, Sendable {
  package var isNone = false
  package var isSlice = false
  /// 0, 0.5 or 1.
  package var alignX = 0.5
  package var alignY = 0.5

  package init(_ text: String) {
    let words = text.splitOnASCIIWhitespace()
    guard let first = words.first, words.count <= 2 else { return }
    guard words.count == 1 || words[1] == "meet" || words[1] == "slice" else { return }
    if first == "none" { isNone = true; return }
    let places: [Substring: Double] = ["Min": 0, "Mid": 0.5, "Max": 1]
    guard first.utf8.count == 8, first.hasPrefix("x"), let x = places[first.dropFirst().prefix(3)], first.dropFirst(4).hasPrefix("Y"),
      let y = places[first.suffix(3)]
    else { return }
    (alignX, alignY) = (x, y)
    isSlice = words.count == 2 && words[1] == "slice"
  }

  /// The transform from the view box to a rectangle. https://www.w3.org/TR/SVG2/coords.html#ComputingAViewportsTransform
  package func transform(_ box: DisplayRect, to rect: DisplayRect) -> AffineTransform {
    var (sx, sy) = (rect.width / box.width, rect.height / box.height)
    if !isNone {
      let scale = isSlice ? max(sx, sy) : min(sx, sy)
      (sx, sy) = (scale, scale)
    }
    let x = rect.x - box.x * sx + (isNone ? 0 : (rect.width - box.width * sx) * alignX)
    let y = rect.y - box.y * sy + (isNone ? 0 : (rect.height - box.height * sy) * alignY)
    return AffineTransform(a: sx, b: 0, c: 0, d: sy, e: x, f: y)
  }
}
