import OffprintCoreTypes

// https://drafts.csswg.org/css-color-4/#color-syntax

extension ValueParser {
  mutating func color() -> ColorValue? {
    guard let token = peek() else { return nil }
    switch token.kind {
    case .hash:
      guard let color = Self.hexColor(buffer.bytes(token.value)) else { return nil }
      advance()
      return .color(color)
    case .ident:
      let word = buffer.bytes(token.value)
      if let color = colorKeyword(word) {
        advance()
        return color
      }
      return hashlessColor(token)
    case .number, .dimension: return hashlessColor(token)
    case .function: return attempt { $0.colorFunction() }
    default: return nil
    }
  }

  /// Whether the color scheme is dark. Marks the value as dependent on the color scheme.
  mutating func isDark() -> Bool {
    if let isDarkScheme {
      dependsOnScheme = true
      return isDarkScheme
    }
    isRelative = true
    return element?.isDark ?? false
  }

  private mutating func colorKeyword(_ word: ArraySlice<UInt8>) -> ColorValue? {
    if word.equalsIgnoringCase("currentcolor") { return .currentColor }
    if word.equalsIgnoringCase("transparent") { return .color(.transparent) }
    if let color = NamedColors.lookup(word) { return .color(color) }
    guard let color = NamedColors.system(word, isDark: isDark()) else { return nil }
    return .color(color)
  }

  static func hexColor(_ digits: ArraySlice<UInt8>) -> Color? {
    var values: [UInt8] = []
    for byte in digits {
      guard let digit = hexDigit(byte), values.count < 8 else { return nil }
      values.append(digit)
    }
    switch values.count {
    case 3, 4: return Color(r: values[0] * 17, g: values[1] * 17, b: values[2] * 17, a: values.count == 4 ? values[3] * 17 : 255)
    case 6, 8:
      return Color(
        r: values[0] << 4 | values[1], g: values[2] << 4 | values[3], b: values[4] << 4 | values[5],
        a: values.count == 8 ? values[6] << 4 | values[7] : 255)
    default: return nil
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// https://quirks.spec.whatwg.org/#the-hashless-hex-color-quirk
  private mutating func hashlessColor(_ token: Token) -> ColorValue? {
    guard quirks, allowsHashlessColor else { return nil }
    var digits: [UInt8]
    switch token.kind {
    case .ident: digits = Array(buffer.bytes(token.value))
    case .number, .dimension:
      digits = Array(buffer.bytes(token.source))
      while token.isIntegerOrID, digits.count < 6, token.kind == .number || digits.count != 3 { digits.insert(0x30, at: 0) }
    default: return nil
    }
    guard digits.count == 3 || digits.count == 6, let color = Self.hexColor(digits[...]) else { return nil }
    advance()
    return .color(color)
  }

  /// Parses any `<color>` and keeps its color space.
  mutating func spacedColor() -> SpacedColor? {
    if let name = peekFunction(), !name.equalsIgnoringCase("light-dark") {
      return attempt { $0.colorFunctionInSpace() }
    }
    return color().map { SpacedColor(resolved($0)) }
  }

  /// The color as a concrete value; `currentcolor` makes the parsed value relative to the element.
  mutating func resolved(_ value: ColorValue) -> Color {
    if case .currentColor = value {
      isRelative = true
      usesCurrentColor = true
    }
    return value.resolve(currentColor ?? element?.color ?? .black)
  }

  private mutating func colorFunction() -> ColorValue? {
    if peekFunction()?.equalsIgnoringCase("light-dark") == true {
      return function("light-dark") { parser in
        guard let light = parser.color(), parser.comma(), let dark = parser.color() else { return nil }
        return parser.isDark() ? dark : light
      }
    }
    return functionalColor()
  }

  mutating func colorFunctionInSpace() -> SpacedColor? {
    guard let name = peekFunction() else { return nil }
    for (candidate, kind) in Self.colorFunctions where name.equalsIgnoringCase(candidate) {
      return block { parser in
        switch kind {
        case .mix:
          parser.sawModernColor = true
          return parser.colorMix()
        case .contrast: return parser.contrastColor()
        case .alpha: return parser.alphaFunction()
        case .rgb: return parser.rgb()
        case .hsl, .hwb: return parser.hueFunction(kind)
        case .color:
          parser.sawModernColor = true
          return parser.colorInNamedSpace()
        case .lab, .lch, .oklab, .oklch:
          parser.sawModernColor = true
          return parser.labFunction(kind)
        }
      }
    }
    return nil
  }

  enum ColorFunction: UInt8 { case rgb, hsl, hwb, lab, lch, oklab, oklch, color, mix, contrast, alpha }

  private static let colorFunctions: [(StaticString, ColorFunction)] = [
    ("rgb", .rgb), ("rgba", .rgb), ("hsl", .hsl), ("hsla", .hsl), ("hwb", .hwb), ("lab", .lab), ("lch", .lch), ("oklab", .oklab),
    ("oklch", .oklch), ("color", .color), ("color-mix", .mix), ("contrast-color", .contrast), ("alpha", .alpha),
  ]

  // MARK: Components

  /// Parses a component: a number in the scale of the color space, a percentage of `percent`, or `none`.
  private mutating func component(percent: Double?, allowsNumber: Bool = true) -> Double?? {
    if keyword("none") { return .some(nil) }
    if let token = peek(), token.kind == .ident {
      for (name, value) in channels where buffer.bytes(token.value).equalsIgnoringCase(name) {
        advance()
        return value
      }
      return nil
    }
    if allowsNumber, let value = number() { return value }
    if let percent, let value = percentage() { return value / 100 * percent }
    return nil
  }

  private mutating func hue() -> Double?? {
    if let value = angle() { return value }
    return component(percent: nil)
  }

  /// Parses `/ alpha`. If omitted, the result is 1 or the alpha of the origin color.
  private mutating func alpha(default fallback: Double?) -> Double?? {
    guard delimiter("/") else { return .some(fallback) }
    guard let value = component(percent: 1) else { return nil }
    return .some(value.map { Swift.min(Swift.max($0, 0), 1) })
  }

  /// Parses `from <color>` and makes the channels of the origin color in `space` available. Nil if the origin color is invalid.
  ///
  /// https://drafts.csswg.org/css-color-5/#relative-colors
  private mutating func origin(_ space: ColorSpace, names: [StaticString], scale: Double = 1) -> SpacedColor?? {
    guard keyword("from") else { return .some(nil) }
    guard let color = spacedColor() else { return nil }
    let converted = color.converted(to: space)
    let values = converted.values
    sawModernColor = true
    channels = [
      (names[0], values.x * scale), (names[1], values.y * scale), (names[2], values.z * scale), ("alpha", color.alpha ?? 0),
    ]
    return converted
  }

  /// Parses `alpha(from <color> / alpha)`. https://drafts.csswg.org/css-color-5/#relative-alpha
  private mutating func alphaFunction() -> SpacedColor? {
    let outer = channels
    defer { channels = outer }
    guard keyword("from"), var color = spacedColor() else { return nil }
    sawModernColor = true
    channels = [("alpha", color.alpha ?? 0)]
    guard let alpha = alpha(default: color.alpha) else { return nil }
    color.alpha = alpha
    return color
  }

  private mutating func rgb() -> SpacedColor? {
    let outer = channels
    defer { channels = outer }
    guard let from = origin(.srgb, names: ["r", "g", "b"], scale: 255) else { return nil }
    if let from {
      guard let r = component(percent: 255), let g = component(percent: 255), let b = component(percent: 255),
        let alpha = alpha(default: from.alpha)
      else { return nil }
      return SpacedColor(.srgb, r.map { $0 / 255 }, g.map { $0 / 255 }, b.map { $0 / 255 }, alpha: alpha)
    }
    if let legacy = attempt({ $0.legacyRGB() }) { return legacy }
    guard let r = component(percent: 255), let g = component(percent: 255), let b = component(percent: 255), let alpha = alpha(default: 1)
    else { return nil }
    return SpacedColor(.srgb, r.map(Self.byteFraction), g.map(Self.byteFraction), b.map(Self.byteFraction), alpha: alpha)
  }

  /// Legacy colors have 8 bits per component.
  private static func byteFraction(_ value: Double) -> Double {
    value.isNaN ? 0 : Swift.min(Swift.max(value, 0), 255).rounded() / 255
  }

  /// https://drafts.csswg.org/css-color-4/#typedef-legacy-rgb-syntax
  private mutating func legacyRGB() -> SpacedColor? {
    let isPercentage = peek()?.kind == .percentage
    var values: [Double] = []
    for index in 0..<3 {
      guard index == 0 || comma(), let value = isPercentage ? percentage().map({ $0 * 2.55 }) : number() else { return nil }
      values.append(value)
    }
    guard isAtEnd() || peek()?.kind == .comma else { return nil }
    guard let alpha = legacyAlpha() else { return nil }
    return SpacedColor(.srgb, Self.byteFraction(values[0]), Self.byteFraction(values[1]), Self.byteFraction(values[2]), alpha: alpha)
  }

  private mutating func legacyAlpha() -> Double? {
    guard comma() else { return 1 }
    return numberOrPercentage().map { Swift.min(Swift.max($0, 0), 1) }
  }

  private mutating func hueFunction(_ kind: ColorFunction) -> SpacedColor? {
    let space: ColorSpace = kind == .hsl ? .hsl : .hwb
    let outer = channels
    defer { channels = outer }
    guard let from = origin(space, names: kind == .hsl ? ["h", "s", "l"] : ["h", "w", "b"]) else { return nil }
    if let from {
      guard let h = hue(), let a = component(percent: 100), let b = component(percent: 100), let alpha = alpha(default: from.alpha) else {
        return nil
      }
      return SpacedColor(space, h, a.map { Swift.max($0, 0) }, b, alpha: alpha)
    }
    if kind == .hsl, let legacy = attempt({ $0.legacyHSL() }) { return legacy }
    guard let h = hue(), let a = component(percent: 100), let b = component(percent: 100), let alpha = alpha(default: 1) else { return nil }
    if h == nil || a == nil || b == nil || alpha == nil { return SpacedColor(space, h, a, b, alpha: alpha) }
    return legacy(space, h ?? 0, a ?? 0, b ?? 0, alpha: alpha ?? 0)
  }

  private mutating func legacyHSL() -> SpacedColor? {
    guard let hue = angle() ?? number(), comma(), let saturation = percentage(), comma(), let lightness = percentage(),
      isAtEnd() || peek()?.kind == .comma, let alpha = legacyAlpha()
    else { return nil }
    return legacy(.hsl, hue, saturation, lightness, alpha: alpha)
  }

  private func legacy(_ space: ColorSpace, _ hue: Double, _ a: Double, _ b: Double, alpha: Double) -> SpacedColor {
    func clamp(_ value: Double) -> Double { Swift.min(Swift.max(value, 0), 100) }
    let rgb = space.toSRGB(Vector(hue, clamp(a), clamp(b))).map { Self.byteFraction($0 * 255) }
    return SpacedColor(.srgb, rgb.x, rgb.y, rgb.z, alpha: alpha)
  }

  private mutating func labFunction(_ kind: ColorFunction) -> SpacedColor? {
    let space: ColorSpace = kind == .lab ? .lab : kind == .lch ? .lch : kind == .oklab ? .oklab : .oklch
    let isOk = kind == .oklab || kind == .oklch
    let isPolar = kind == .lch || kind == .oklch
    let lightnessLimit: Double = isOk ? 1 : 100
    let outer = channels
    defer { channels = outer }
    guard let from = origin(space, names: isPolar ? ["l", "c", "h"] : ["l", "a", "b"]),
      let lightness = component(percent: lightnessLimit),
      let second = component(percent: isOk ? 0.4 : isPolar ? 150 : 125),
      let third = isPolar ? hue() : component(percent: isOk ? 0.4 : 125),
      let alpha = alpha(default: from.map { $0.alpha } ?? 1)
    else { return nil }
    return SpacedColor(
      space, lightness.map { Swift.min(Swift.max($0, 0), lightnessLimit) }, isPolar ? second.map { Swift.max($0, 0) } : second, third,
      alpha: alpha)
  }

  private mutating func colorInNamedSpace() -> SpacedColor? {
    let outer = channels
    defer { channels = outer }
    var originColor: SpacedColor?
    if keyword("from") {
      guard let color = spacedColor() else { return nil }
      originColor = color
    }
    guard let space = keyword(of: ColorSpace.names) else { return nil }
    if let originColor {
      let values = originColor.converted(to: space).values
      let isXYZ = space == .xyzD50 || space == .xyzD65
      channels = [
        (isXYZ ? "x" : "r", values.x), (isXYZ ? "y" : "g", values.y), (isXYZ ? "z" : "b", values.z), ("alpha", originColor.alpha ?? 0),
      ]
    }
    guard let a = component(percent: 1), let b = component(percent: 1), let c = component(percent: 1),
      let alpha = alpha(default: originColor.map { $0.alpha } ?? 1)
    else { return nil }
    return SpacedColor(space, a, b, c, alpha: alpha)
  }
}
