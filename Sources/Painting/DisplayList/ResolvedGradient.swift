public import OffprintCSS
public import OffprintCoreTypes

/// A gradient with lengths in device pixels relative to the top left corner of its tile, and its color line split into segments.
///
/// https://drafts.csswg.org/css-images-4/#gradients
public struct ResolvedGradient: Hashable, Sendable {
  public enum Geometry: Hashable, Sendable {
    case linear(from: DisplayPoint, to: DisplayPoint)
    case radial(center: DisplayPoint, rx: Double, ry: Double)
    /// From an inner circle to the circle around it.
    case conical(focus: DisplayPoint, focalRadius: Double, center: DisplayPoint, radius: Double)
    /// `start` in radians, clockwise from the top.
    case conic(center: DisplayPoint, start: Double)
  }
  /// A color stop; the color is not premultiplied.
  public struct Stop: Hashable, Sendable {
    public var offset: Float
    public var color: Color
    public init(offset: Float, color: Color) { self.offset = offset; self.color = color }
  }
  struct Segment: Hashable, Sendable {
    var start: Float
    var end: Float
    /// In the interpolation space, premultiplied except for the hue.
    var from: SIMD4<Float>
    var to: SIMD4<Float>
  }

  public var geometry: Geometry
  public private(set) var stops: [Stop]
  public private(set) var isRepeating: Bool
  let space: GradientColorSpace
  private(set) var segments: [Segment] = []
  /// Whether colors are interpolated premultiplied, as in CSS, or unpremultiplied, as in SVG.
  private let isPremultiplied: Bool

  /// - Parameter stops: In ascending order of offsets.
  public init(
    geometry: Geometry, stops: [Stop], isRepeating: Bool = false, interpolation: Gradient.Interpolation = .srgb,
    hue: Gradient.HueInterpolation = .shorter, isPremultiplied: Bool = true
  ) {
    self.isPremultiplied = isPremultiplied

    self.geometry = geometry
    self.stops = stops
    space = GradientColorSpace(interpolation)
    let first = stops.first?.offset ?? 0, last = stops.last?.offset ?? 1
    self.isRepeating = isRepeating && last - first > 1e-6
    for (a, b) in zip(stops, stops.dropFirst()) where b.offset > a.offset {
      let (from, to) = isPremultiplied ? space.endpoints(a.color, b.color, hue: hue) : space.plainEndpoints(a.color, b.color)
      segments.append(Segment(start: a.offset, end: b.offset, from: from, to: to))
    }
    // A repeating gradient of zero length is its average color; the last color approximates it if all stops coincide.
    if isRepeating, !self.isRepeating, let color = stops.last?.color { self.stops = [Stop(offset: 0, color: color)] }
  }

  /// The color at an offset on the gradient line: premultiplied red, green, blue, alpha.
  public func color(at offset: Float) -> SIMD4<Float> {
    guard let first = stops.first, let last = stops.last else { return .zero }
    var t = offset.isNaN ? first.offset : offset
    if isRepeating {
      let length = last.offset - first.offset
      t = first.offset + (t - first.offset) - ((t - first.offset) / length).rounded(.down) * length
    }
    if t < first.offset { return GradientColorSpace.premultiplied(first.color) }
    if t >= last.offset { return GradientColorSpace.premultiplied(last.color) }
    for segment in segments where t < segment.end {
      let part = (t - segment.start) / (segment.end - segment.start)
      let mixed = segment.from + (segment.to - segment.from) * part
      return isPremultiplied ? space.premultipliedSRGB(mixed) : space.premultipliedSRGB(plain: mixed)
    }
    return GradientColorSpace.premultiplied(last.color)
  }

  /// Offsets at which the color changes abruptly.
  var jumps: [Float] {
    var result: [Float] = []
    for (a, b) in zip(stops, stops.dropFirst()) where b.offset <= a.offset && a.color != b.color { result.append(a.offset) }
    if isRepeating, let a = stops.first, let b = stops.last, a.color != b.color {
      result.append(a.offset)
      result.append(b.offset)
    }
    return result
  }

  /// Whether every color of the gradient is opaque.
  public var isOpaque: Bool { stops.allSatisfy { $0.color.isOpaque } }
}

/// The color space of an interpolation. https://drafts.csswg.org/css-color-4/#interpolation
enum GradientColorSpace: Hashable, Sendable {
  case srgb, srgbLinear, lab, oklab, lch, oklch, hsl, hwb, xyz

  init(_ interpolation: Gradient.Interpolation) {
    switch interpolation {
    case .srgb: self = .srgb
    case .srgbLinear: self = .srgbLinear
    case .lab: self = .lab
    case .oklab: self = .oklab
    case .lch: self = .lch
    case .oklch: self = .oklch
    case .hsl: self = .hsl
    case .hwb: self = .hwb
    case .xyz: self = .xyz
    }
  }

  static func premultiplied(_ color: Color) -> SIMD4<Float> {
    let a = min(max(color.alpha, 0), 1)
    func part(_ value: Float) -> Float { (value > 0 ? min(value, 1) : 0) * a }
    return SIMD4(part(color.red), part(color.green), part(color.blue), a)
  }

  /// The index of the hue component; nil in rectangular spaces.
  private var hueIndex: Int? {
    switch self {
    case .hsl, .hwb: 0
    case .lch, .oklch: 2
    default: nil
    }
  }

  /// Two colors converted for interpolation. https://drafts.csswg.org/css-color-4/#hue-interpolation
  func endpoints(_ a: Color, _ b: Color, hue: Gradient.HueInterpolation) -> (SIMD4<Float>, SIMD4<Float>) {
    if self == .srgb { return (Self.premultiplied(a), Self.premultiplied(b)) }
    var (x, powerlessX) = components(a), (y, powerlessY) = components(b)
    if let h = hueIndex {
      if powerlessX { x[h] = y[h] } else if powerlessY { y[h] = x[h] }
      let difference = y[h] - x[h]
      switch hue {
      case .shorter:
        if difference > 180 { x[h] += 360 } else if difference < -180 { y[h] += 360 }
      case .longer:
        if difference > 0, difference < 180 { x[h] += 360 } else if difference > -180, difference <= 0 { y[h] += 360 }
      case .increasing: if difference < 0 { y[h] += 360 }
      case .decreasing: if difference > 0 { x[h] += 360 }
      }
    }
    return (premultiply(x), premultiply(y))
  }

  /// Two colors converted for unpremultiplied interpolation in sRGB or linear light.
  func plainEndpoints(_ a: Color, _ b: Color) -> (SIMD4<Float>, SIMD4<Float>) { (components(a).0, components(b).0) }

  func premultipliedSRGB(plain c: SIMD4<Float>) -> SIMD4<Float> {
    let rgb = srgb(c)
    return Self.premultiplied(Color(red: rgb.x, green: rgb.y, blue: rgb.z, alpha: c.w))
  }

  private func premultiply(_ c: SIMD4<Float>) -> SIMD4<Float> {
    var result = c * c.w
    result.w = c.w
    if let h = hueIndex { result[h] = c[h] }
    return result
  }

  func premultipliedSRGB(_ mixed: SIMD4<Float>) -> SIMD4<Float> {
    if self == .srgb { return mixed }
    let alpha = mixed.w
    guard alpha > 0 else { return .zero }
    var c = mixed / alpha
    if let h = hueIndex { c[h] = mixed[h] }
    let rgb = srgb(c)
    return Self.premultiplied(Color(red: rgb.x, green: rgb.y, blue: rgb.z, alpha: alpha))
  }

  /// The components in this space with alpha, and whether the hue is powerless.
  private func components(_ color: Color) -> (SIMD4<Float>, Bool) {
    let rgb = SIMD3(color.red, color.green, color.blue), alpha = min(max(color.alpha, 0), 1)
    switch self {
    case .srgb: return (SIMD4(rgb, alpha), false)
    case .srgbLinear: return (SIMD4(ColorMath.linear(rgb), alpha), false)
    case .xyz: return (SIMD4(ColorMath.xyz(ColorMath.linear(rgb)), alpha), false)
    case .lab: return (SIMD4(ColorMath.lab(ColorMath.linear(rgb)), alpha), false)
    case .oklab: return (SIMD4(ColorMath.oklab(ColorMath.linear(rgb)), alpha), false)
    case .lch:
      let lch = ColorMath.polar(ColorMath.lab(ColorMath.linear(rgb)))
      return (SIMD4(lch, alpha), lch.y < 0.0015)
    case .oklch:
      let lch = ColorMath.polar(ColorMath.oklab(ColorMath.linear(rgb)))
      return (SIMD4(lch, alpha), lch.y < 0.000004)
    case .hsl:
      let hsl = ColorMath.hsl(rgb)
      return (SIMD4(hsl, alpha), hsl.y < 0.00001)
    case .hwb:
      let hwb = SIMD3(ColorMath.hsl(rgb).x, rgb.min(), 1 - rgb.max())
      return (SIMD4(hwb, alpha), hwb.y + hwb.z > 0.99999)
    }
  }

  private func srgb(_ c: SIMD4<Float>) -> SIMD3<Float> {
    let v = SIMD3(c.x, c.y, c.z)
    switch self {
    case .srgb: return v
    case .srgbLinear: return ColorMath.encoded(v)
    case .xyz: return ColorMath.encoded(ColorMath.linearFromXYZ(v))
    case .lab: return ColorMath.encoded(ColorMath.linearFromLab(v))
    case .oklab: return ColorMath.encoded(ColorMath.linearFromOklab(v))
    case .lch: return ColorMath.encoded(ColorMath.linearFromLab(ColorMath.rectangular(v)))
    case .oklch: return ColorMath.encoded(ColorMath.linearFromOklab(ColorMath.rectangular(v)))
    case .hsl: return ColorMath.rgb(hue: v.x, saturation: v.y, lightness: v.z)
    case .hwb:
      if v.y + v.z >= 1 { return SIMD3(repeating: v.y / (v.y + v.z)) }
      return ColorMath.rgb(hue: v.x, saturation: 1, lightness: 0.5) * (1 - v.y - v.z) + SIMD3(repeating: v.y)
    }
  }
}
