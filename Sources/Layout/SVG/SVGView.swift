import OffprintCSS
package import OffprintCoreTypes
import OffprintDOM

/// The view of an SVG document specified by a URL fragment. https://www.w3.org/TR/SVG2/linking.html#SVGFragmentIdentifiers
public struct SVGView: Sendable {
  package var viewBox: DisplayRect?
  package var aspect: SVGAspect?
  package var transform = AffineTransform.identity

  public init() {}

  /// The same view with `preserveAspectRatio="none"`.
  public var stretched: SVGView {
    var result = self
    result.aspect = SVGAspect("none")
    return result
  }

  /// Parses `svgView(...)`; nil for other fragments.
  init?(_ fragment: String) {
    guard fragment.hasPrefix("svgView("), fragment.hasSuffix(")") else { return nil }
    for part in Self.parts(fragment.dropFirst(8).dropLast()) {
      guard let open = part.firstIndex(ofByte: "("), part.hasSuffix(")") else { continue }
      let value = part[part.index(after: open)...].dropLast()
      switch part[..<open] {
      case "viewBox":
        let numbers = SVGScene.numbers(value.utf8, maximum: 5)
        if numbers.count == 4, numbers[2] > 0, numbers[3] > 0 {
          viewBox = DisplayRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
      case "preserveAspectRatio": aspect = SVGAspect(String(value))
      case "transform": transform = SVGTransformList.parse(value.utf8) ?? .identity
      default: break
      }
    }
  }

  /// Splits at semicolons.
  private static func parts(_ text: Substring) -> [Substring] {
    text.split(byte: ";").prefix(16).map { $0.drop { $0 == " " } }
  }
}

extension SVGScene {
  /// The view of a fragment: `svgView(...)`, or the id of a `view` element. nil for other ids.
  public func view(_ fragment: String) -> SVGView? {
    if let view = SVGView(fragment) { return view }
    guard !fragment.isEmpty, let node = element("#" + fragment), document[node].namespace == .svg,
      document.names[document[node].name].elementsEqual("view".utf8)
    else { return nil }
    var view = SVGView()
    view.viewBox = viewBox(node).flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
    view.aspect = text("preserveAspectRatio", node).map { SVGAspect($0) }
    return view
  }
}
