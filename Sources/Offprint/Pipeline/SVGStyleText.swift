import CSS
import CoreTypes

/// What the cascade says of an element of SVG, as declarations that the SVG library understands.
enum SVGStyleText {
  static func declarations(_ style: ComputedStyle, _ parent: ComputedStyle?, isRoot: Bool) -> [UInt8] {
    var text: [UInt8] = []
    func add(_ name: String, _ value: String) {
      text += name.utf8
      text.append(UInt8(ascii: ":"))
      text += value.utf8
      text.append(UInt8(ascii: ";"))
    }
    if style.text.color != parent?.text.color { add("color", style.text.color.svgText) }
    for declaration in style.effects.svg.declarations { add(declaration.name, declaration.value) }
    if isRoot || parent == nil { return text + font(style) }
    // The root's own effects are those of its box.
    let effects = style.effects
    if style.box.display == .none { add("display", "none") }
    if style.text.visibility != parent?.text.visibility { add("visibility", style.text.visibility == .visible ? "visible" : "hidden") }
    if effects.opacity < 1 { add("opacity", "\(effects.opacity)") }
    if effects.mixBlendMode != .normal { add("mix-blend-mode", "\(effects.mixBlendMode)".lowercased()) }
    if case .reference(let url) = effects.clipPath, isPlain(url) { add("clip-path", "url(\(url))") }
    if let layer = effects.mask.first, effects.mask.count == 1, case .url(let url) = layer.image, isPlain(url) {
      add("mask", "url(\(url))")
    }
    if let matrix = matrix(effects) { add("transform", matrix) }
    if parent?.font != style.font { text += font(style) }
    return text
  }

  private static func isPlain(_ url: String) -> Bool {
    url.utf8.first == UInt8(ascii: "#") && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()\"';\\".utf8.contains($0) }
  }

  private static func font(_ style: ComputedStyle) -> [UInt8] {
    Array("font-size:\(style.font.size)px;font-weight:\(Int(max(1, min(1000, style.font.weight))));".utf8)
  }

  /// Two-dimensional transforms about an origin in px.
  private static func matrix(_ effects: EffectStyle) -> String? {
    let functions = [effects.translate, effects.rotate, effects.scale].compactMap { $0 } + effects.transform
    guard !functions.isEmpty else { return nil }
    var parts: [String] = []
    for function in functions {
      switch function {
      case .translate(.length(let x), .length(let y), _): parts.append("translate(\(x)px,\(y)px)")
      case .scale(let x, let y, _): parts.append("scale(\(x),\(y))")
      case .rotate(let angle): parts.append("rotate(\(angle)deg)")
      case .skew(let x, let y): parts.append("skewX(\(x)deg) skewY(\(y)deg)")
      case .matrix(let a, let b, let c, let d, let e, let f): parts.append("matrix(\(a),\(b),\(c),\(d),\(e),\(f))")
      default: return nil
      }
    }
    guard case .length(let x) = effects.transformOrigin.x, case .length(let y) = effects.transformOrigin.y else {
      return parts.joined(separator: " ")
    }
    return "translate(\(x)px,\(y)px) " + parts.joined(separator: " ") + " translate(\(-x)px,\(-y)px)"
  }
}
