import OffprintCoreTypes

extension ValueParser {
  static let hueInterpolations: [(StaticString, Gradient.HueInterpolation)] = [
    ("shorter", .shorter), ("longer", .longer), ("increasing", .increasing), ("decreasing", .decreasing),
  ]

  /// https://drafts.csswg.org/css-color-4/#color-interpolation-method
  mutating func colorInterpolation() -> (ColorSpace, Gradient.HueInterpolation)? {
    guard keyword("in"), let space = keyword(of: ColorSpace.interpolationNames) else { return nil }
    guard let hue = keyword(of: Self.hueInterpolations) else { return (space, .shorter) }
    guard space.isPolar, keyword("hue") else { return nil }
    return (space, hue)
  }

  /// https://drafts.csswg.org/css-color-5/#color-mix
  mutating func colorMix() -> SpacedColor? {
    var method: (ColorSpace, Gradient.HueInterpolation) = (.oklab, .shorter)
    if peekIdentifier()?.equalsIgnoringCase("in") == true {
      guard let given = colorInterpolation(), comma() else { return nil }
      method = given
    }
    guard let (first, a) = mixItem(), comma(), let (second, b) = mixItem() else { return nil }
    return first.mixed(with: second, ColorShares(a, b), in: method.0, method.1)
  }

  /// White or black, whichever has more contrast; white if equal. https://drafts.csswg.org/css-color-5/#contrast-color
  mutating func contrastColor() -> SpacedColor? {
    guard let color = spacedColor() else { return nil }
    let luminance = SpacedColor(color.color).converted(to: .xyzD65).values.y
    let onWhite = 1.05 / (luminance + 0.05), onBlack = (luminance + 0.05) / 0.05
    let level = onWhite >= onBlack ? 1.0 : 0
    return SpacedColor(.srgb, level, level, level, alpha: 1)
  }

  private mutating func mixItem() -> (SpacedColor, Double?)? {
    var share = percentage(0...100)
    guard let color = spacedColor() else { return nil }
    if share == nil { share = percentage(0...100) }
    return (color, share.map { $0 / 100 })
  }
}

/// The weights of two colors in a mix, from 0 to 1.
///
/// https://drafts.csswg.org/css-color-5/#color-mix-percent-norm
struct ColorShares {
  private(set) var first = 0.5
  private(set) var second = 0.5
  /// The alpha multiplier: less than 1 if both percentages are specified and their sum is less than 100 %.
  private(set) var alpha = 1.0

  /// - Parameters: The specified percentages; nil if omitted.
  init(_ a: Double?, _ b: Double?) {
    switch (a, b) {
    case (nil, nil): break
    case (let a?, nil): (first, second) = (a, 1 - a)
    case (nil, let b?): (first, second) = (1 - b, b)
    case (let a?, let b?):
      // If both are zero, the result is an equal, transparent mix.
      if a + b > 0 { (first, second) = (a / (a + b), b / (a + b)) }
      alpha = Swift.min(a + b, 1)
    }
  }
}

extension SpacedColor {
  /// https://drafts.csswg.org/css-color-5/#color-mix-result
  func mixed(
    with other: SpacedColor, _ shares: ColorShares, in space: ColorSpace, _ hue: Gradient.HueInterpolation
  ) -> SpacedColor {
    var result = interpolated(with: other, shares.first, shares.second, in: space, hue)
    result.alpha = result.alpha.map { $0 * shares.alpha }
    return result
  }

  /// https://drafts.csswg.org/css-color-4/#interpolation
  func interpolated(
    with other: SpacedColor, _ p1: Double, _ p2: Double, in target: ColorSpace, _ hue: Gradient.HueInterpolation
  ) -> SpacedColor {
    var a = interpolationForm(target)
    var b = other.interpolationForm(target)
    if a.c.0 == nil { a.c.0 = b.c.0 } else if b.c.0 == nil { b.c.0 = a.c.0 }
    if a.c.1 == nil { a.c.1 = b.c.1 } else if b.c.1 == nil { b.c.1 = a.c.1 }
    if a.c.2 == nil { a.c.2 = b.c.2 } else if b.c.2 == nil { b.c.2 = a.c.2 }
    if a.alpha == nil { a.alpha = b.alpha } else if b.alpha == nil { b.alpha = a.alpha }
    let alpha1 = a.alpha ?? 0
    let alpha2 = b.alpha ?? 0
    let isMissing = a.alpha == nil
    let alpha = isMissing ? 1 : alpha1 * p1 + alpha2 * p2
    func mix(_ x: Double?, _ y: Double?, _ index: Int) -> Double? {
      guard let x, let y else { return nil }
      if target.hueIndex == index { return Self.mixHue(x, y, p1, p2, hue) }
      if isMissing { return x * p1 + y * p2 }
      return alpha == 0 ? x * p1 + y * p2 : (x * alpha1 * p1 + y * alpha2 * p2) / alpha
    }
    return SpacedColor(
      target, mix(a.c.0, b.c.0, 0), mix(a.c.1, b.c.1, 1), mix(a.c.2, b.c.2, 2), alpha: isMissing ? nil : alpha)
  }

  /// The color in the space `target`, with powerless hues and analogous components missing.
  private func interpolationForm(_ target: ColorSpace) -> SpacedColor {
    var result = converted(to: target)
    if target != space {
      switch target {
      case .hsl where result.values.y < 0.001: result.c.0 = nil
      case .hwb where result.values.y + result.values.z > 99.999: result.c.0 = nil
      case .lch where result.values.y < 0.0015: result.c.2 = nil
      case .oklch where result.values.y < 0.000004: result.c.2 = nil
      default: break
      }
      if let from = space.hueIndex, let to = target.hueIndex, (from == 0 ? c.0 : c.2) == nil {
        if to == 0 { result.c.0 = nil } else { result.c.2 = nil }
      }
    }
    return result
  }

  private static func mixHue(_ x: Double, _ y: Double, _ p1: Double, _ p2: Double, _ method: Gradient.HueInterpolation) -> Double {
    var a = ColorSpace.positiveRemainder(x, 360)
    var b = ColorSpace.positiveRemainder(y, 360)
    switch method {
    case .shorter:
      if b - a > 180 { a += 360 } else if b - a < -180 { b += 360 }
    case .longer:
      if b - a > 0, b - a < 180 { a += 360 } else if b - a > -180, b - a <= 0 { b += 360 }
    case .increasing: if b < a { b += 360 }
    case .decreasing: if a < b { a += 360 }
    }
    return ColorSpace.positiveRemainder(a * p1 + b * p2, 360)
  }
}
