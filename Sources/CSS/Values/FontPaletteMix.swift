public import OffprintCoreTypes

/// A mix of two palettes.
///
/// https://drafts.csswg.org/css-fonts-4/#typedef-font-palette-palette-mix-function
public struct PaletteMixMethod: Hashable, Sendable {
  /// The specified percentages; nil if omitted.
  var first: Double?
  var second: Double?
  var space: ColorSpace
  var hue: Gradient.HueInterpolation

  /// Mixes the colors at an index of both palettes by the rules of `color-mix()`.
  package func mix(_ a: Color, _ b: Color) -> Color {
    let shares = ColorShares(first.map { $0 / 100 }, second.map { $0 / 100 })
    return SpacedColor(a).mixed(with: SpacedColor(b), shares, in: space, hue).color
  }

  /// Both percentages, or neither. A single one determines the other.
  fileprivate var shareTexts: (String, String) {
    guard first != nil || second != nil else { return ("", "") }
    let first = first ?? 100 - (second ?? 50)
    func text(_ share: Double) -> String { " \(ComputedTextWriter.number(share))%" }
    return (text(first), text(second ?? 100 - first))
  }

  fileprivate var methodText: String {
    let name = ColorSpace.interpolationNames.last { $0.1 == space }?.0 ?? "oklab"
    return "in \(name)" + (hue == .shorter ? "" : " \(hue) hue")
  }
}

extension FontStyle.Palette {
  /// The names of the `@font-palette-values` rules that it uses.
  public var names: [ByteString] {
    switch self {
    case .normal, .light, .dark: []
    case .custom(let name): [name]
    case .mix(let a, let b, _): a.names + b.names
    }
  }
}

extension FontStyle.Palette: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    switch self {
    case .normal: return "normal"
    case .light: return "light"
    case .dark: return "dark"
    case .custom(let name): return name.text
    case .mix(let a, let b, let method):
      let shares = method.shareTexts
      return "palette-mix(\(method.methodText), \(a.css(writer))\(shares.0), \(b.css(writer))\(shares.1))"
    }
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-fonts-4/#font-palette-prop
  mutating func fontPalette() -> FontStyle.Palette? {
    if keyword("normal") { return .normal }
    if keyword("light") { return .light }
    if keyword("dark") { return .dark }
    if let mix = function("palette-mix", { $0.paletteMix() }) { return mix }
    guard let name = customIdentifier(), name.text.hasPrefix("--") else { return nil }
    return .custom(name)
  }

  /// A mix of equal palettes is that palette.
  private mutating func paletteMix() -> FontStyle.Palette? {
    guard let (space, hue) = colorInterpolation(), comma(), let first = paletteShare(), comma(), let second = paletteShare() else {
      return nil
    }
    if first.share == 0, second.share == 0 { return nil }
    if first.palette == second.palette { return first.palette }
    return .mix(
      first.palette, second.palette, PaletteMixMethod(first: first.share, second: second.share, space: space, hue: hue))
  }

  private mutating func paletteShare() -> (palette: FontStyle.Palette, share: Double?)? {
    var share = percentage(0...100)
    guard let palette = fontPalette() else { return nil }
    if share == nil { share = percentage(0...100) }
    return (palette, share)
  }
}
