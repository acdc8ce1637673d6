import OffprintCoreTypes
import Glibc

/// A color in a color space; nil components are missing. Hues are in degrees. Lightness is in 0...100 for lab and lch, and in 0...1 for
/// oklab and oklch. Percentages of hsl and hwb are in 0...100.
struct SpacedColor {
  var space: ColorSpace
  var c: (Double?, Double?, Double?)
  var alpha: Double?

  init(_ space: ColorSpace, _ a: Double?, _ b: Double?, _ c: Double?, alpha: Double?) {
    self.space = space
    self.c = (a, b, c)
    self.alpha = alpha
  }

  init(_ color: Color) {
    self.init(.srgb, Double(color.red), Double(color.green), Double(color.blue), alpha: Double(color.alpha))
  }

  var values: Vector { Vector(c.0 ?? 0, c.1 ?? 0, c.2 ?? 0) }

  var color: Color {
    let rgb = converted(to: .srgb).values
    func component(_ value: Double) -> Float { value.isFinite ? Float(Swift.min(Swift.max(value, -8), 8)) : value > 0 ? 1 : 0 }
    return Color(
      red: component(rgb.x), green: component(rgb.y), blue: component(rgb.z), alpha: component(Swift.min(Swift.max(alpha ?? 0, 0), 1)))
  }

  /// https://drafts.csswg.org/css-color-4/#color-conversion
  func converted(to target: ColorSpace) -> SpacedColor {
    if target == space { return self }
    let v = space.isSRGBFamily && target.isSRGBFamily ? target.fromSRGB(space.toSRGB(values)) : target.fromXYZ(space.toXYZ(values))
    return SpacedColor(target, v.x, v.y, v.z, alpha: alpha)
  }
}

struct Vector {
  var x: Double, y: Double, z: Double
  init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
  func map(_ f: (Double) -> Double) -> Vector { Vector(f(x), f(y), f(z)) }
}

struct Matrix {
  var rows: (Vector, Vector, Vector)
  init(_ a: Vector, _ b: Vector, _ c: Vector) { rows = (a, b, c) }

  static func * (m: Matrix, v: Vector) -> Vector {
    func dot(_ r: Vector) -> Double { r.x * v.x + r.y * v.y + r.z * v.z }
    return Vector(dot(m.rows.0), dot(m.rows.1), dot(m.rows.2))
  }

  var inverse: Matrix {
    let (a, b, c) = rows
    let x = b.y * c.z - b.z * c.y
    let y = b.z * c.x - b.x * c.z
    let z = b.x * c.y - b.y * c.x
    let d = 1 / (a.x * x + a.y * y + a.z * z)
    return Matrix(
      Vector(x * d, (a.z * c.y - a.y * c.z) * d, (a.y * b.z - a.z * b.y) * d),
      Vector(y * d, (a.x * c.z - a.z * c.x) * d, (a.z * b.x - a.x * b.z) * d),
      Vector(z * d, (a.y * c.x - a.x * c.y) * d, (a.x * b.y - a.y * b.x) * d))
  }
}

/// https://drafts.csswg.org/css-color-4/#color-conversion-code
enum ColorSpace: UInt8 {
  case srgb, srgbLinear, displayP3, displayP3Linear, a98, prophoto, rec2020, xyzD50, xyzD65, lab, lch, oklab, oklch, hsl, hwb

  var isPolar: Bool { hueIndex != nil }
  var hueIndex: Int? { self == .hsl || self == .hwb ? 0 : self == .lch || self == .oklch ? 2 : nil }
  var isSRGBFamily: Bool { self == .srgb || self == .hsl || self == .hwb || self == .srgbLinear }

  static let names: [(StaticString, ColorSpace)] = [
    ("srgb", .srgb), ("srgb-linear", .srgbLinear), ("display-p3", .displayP3), ("display-p3-linear", .displayP3Linear), ("a98-rgb", .a98),
    ("prophoto-rgb", .prophoto), ("rec2020", .rec2020), ("xyz", .xyzD65), ("xyz-d50", .xyzD50), ("xyz-d65", .xyzD65),
  ]
  static let interpolationNames: [(StaticString, ColorSpace)] =
    names + [("lab", .lab), ("lch", .lch), ("oklab", .oklab), ("oklch", .oklch), ("hsl", .hsl), ("hwb", .hwb)]

  private static let srgbMatrix = Matrix(
    Vector(506752.0 / 1_228_815, 87881.0 / 245_763, 12673.0 / 70218), Vector(87098.0 / 409_605, 175_762.0 / 245_763, 12673.0 / 175_545),
    Vector(7918.0 / 409_605, 87881.0 / 737_289, 1_001_167.0 / 1_053_270))
  private static let p3Matrix = Matrix(
    Vector(608_311.0 / 1_250_200, 189_793.0 / 714_400, 198_249.0 / 1_000_160),
    Vector(35783.0 / 156_275, 247_089.0 / 357_200, 198_249.0 / 2_500_400), Vector(0, 32229.0 / 714_400, 5_220_557.0 / 5_000_800))
  private static let a98Matrix = Matrix(
    Vector(573_536.0 / 994_567, 263_643.0 / 1_420_810, 187_206.0 / 994_567),
    Vector(591_459.0 / 1_989_134, 6_239_551.0 / 9_945_670, 374_412.0 / 4_972_835),
    Vector(53769.0 / 1_989_134, 351_524.0 / 4_972_835, 4_929_758.0 / 4_972_835))
  private static let prophotoMatrix = Matrix(
    Vector(0.79776664490064230, 0.13518129740053308, 0.03134773412839220),
    Vector(0.28807482881940130, 0.71183523424187300, 0.00008993693872564), Vector(0, 0, 0.82510460251046020))
  private static let rec2020Matrix = Matrix(
    Vector(63_426_534.0 / 99_577_255, 20_160_776.0 / 139_408_157, 47_086_771.0 / 278_816_314),
    Vector(26_158_966.0 / 99_577_255, 472_592_308.0 / 697_040_785, 8_267_143.0 / 139_408_157),
    Vector(0, 19_567_812.0 / 697_040_785, 295_819_943.0 / 278_816_314))
  private static let d50ToD65 = Matrix(
    Vector(0.955473421488075, -0.02309845494876471, 0.06325924320057072),
    Vector(-0.0283697093338637, 1.0099953980813041, 0.021041441191917323),
    Vector(0.012314014864481998, -0.020507649298898964, 1.330365926242124))
  private static let lmsMatrix = Matrix(
    Vector(0.8190224379967030, 0.3619062600528904, -0.1288737815209879), Vector(0.0329836539323885, 0.9292868615863434, 0.0361446663506424),
    Vector(0.0481771893596242, 0.2642395317527308, 0.6335478284694309))
  private static let oklabMatrix = Matrix(
    Vector(0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
    Vector(1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
    Vector(0.0259040424655478, 0.7827717124575296, -0.8086757549230774))
  private static let srgbInverse = srgbMatrix.inverse
  private static let p3Inverse = p3Matrix.inverse
  private static let a98Inverse = a98Matrix.inverse
  private static let prophotoInverse = prophotoMatrix.inverse
  private static let rec2020Inverse = rec2020Matrix.inverse
  private static let d65ToD50 = d50ToD65.inverse
  private static let lmsInverse = lmsMatrix.inverse
  private static let oklabInverse = oklabMatrix.inverse
  private static let d50White = Vector(0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585)

  // MARK: sRGB, HSL and HWB

  func toSRGB(_ v: Vector) -> Vector {
    switch self {
    case .hsl: Self.hslToRGB(v)
    case .hwb: Self.hwbToRGB(v)
    case .srgbLinear: v.map(Self.encode)
    default: v
    }
  }

  func fromSRGB(_ v: Vector) -> Vector {
    switch self {
    case .hsl: return Self.rgbToHSL(v)
    case .hwb:
      // Chromium clips colors outside sRGB: they have no whiteness or blackness.
      let v = v.map { Swift.min(Swift.max($0, 0), 1) }
      let hue = Self.rgbToHSL(v).x
      return Vector(hue, Swift.min(v.x, v.y, v.z) * 100, (1 - Swift.max(v.x, v.y, v.z)) * 100)
    case .srgbLinear: return v.map(Self.decode)
    default: return v
    }
  }

  /// https://drafts.csswg.org/css-color-4/#hsl-to-rgb
  static func hslToRGB(_ v: Vector) -> Vector {
    let saturation = v.y / 100
    let lightness = v.z / 100
    func channel(_ n: Double) -> Double {
      let k = positiveRemainder(n + v.x / 30, 12)
      return lightness - saturation * Swift.min(lightness, 1 - lightness) * Swift.max(-1, Swift.min(k - 3, 9 - k, 1))
    }
    return Vector(channel(0), channel(8), channel(4))
  }

  static func hwbToRGB(_ v: Vector) -> Vector {
    let white = v.y / 100
    let black = v.z / 100
    if white + black >= 1 {
      let grey = white / (white + black)
      return Vector(grey, grey, grey)
    }
    return hslToRGB(Vector(v.x, 100, 50)).map { $0 * (1 - white - black) + white }
  }

  static func rgbToHSL(_ v: Vector) -> Vector {
    let high = Swift.max(v.x, v.y, v.z)
    let low = Swift.min(v.x, v.y, v.z)
    let lightness = (high + low) / 2
    let range = high - low
    guard range > 1e-9 else { return Vector(0, 0, lightness * 100) }
    let divisor = Swift.min(lightness, 1 - lightness)
    var saturation = divisor == 0 ? 0 : (high - lightness) / divisor * 100
    var hue = high == v.x ? (v.y - v.z) / range + (v.y < v.z ? 6 : 0) : high == v.y ? (v.z - v.x) / range + 2 : (v.x - v.y) / range + 4
    hue *= 60
    if saturation < 0 {
      hue += 180
      saturation = -saturation
    }
    return Vector(positiveRemainder(hue, 360), saturation, lightness * 100)
  }

  static func positiveRemainder(_ value: Double, _ divisor: Double) -> Double {
    guard value.isFinite else { return 0 }
    let remainder = value.truncatingRemainder(dividingBy: divisor)
    return remainder < 0 ? remainder + divisor : remainder
  }

  static func decode(_ value: Double) -> Double {
    let size = Swift.abs(value)
    return size <= 0.04045 ? value / 12.92 : copysign(pow((size + 0.055) / 1.055, 2.4), value)
  }

  static func encode(_ value: Double) -> Double {
    let size = Swift.abs(value)
    return size > 0.0031308 ? copysign(1.055 * pow(size, 1 / 2.4) - 0.055, value) : 12.92 * value
  }

  private static func power(_ value: Double, _ exponent: Double) -> Double { copysign(pow(Swift.abs(value), exponent), value) }

  // MARK: XYZ with white point D65

  func toXYZ(_ v: Vector) -> Vector {
    switch self {
    case .srgb, .hsl, .hwb: return Self.srgbMatrix * toSRGB(v).map(Self.decode)
    case .srgbLinear: return Self.srgbMatrix * v
    case .displayP3: return Self.p3Matrix * v.map(Self.decode)
    case .displayP3Linear: return Self.p3Matrix * v
    case .a98: return Self.a98Matrix * v.map { Self.power($0, 563.0 / 256) }
    case .prophoto:
      return Self.d50ToD65 * (Self.prophotoMatrix * v.map { Swift.abs($0) <= 16.0 / 512 ? $0 / 16 : Self.power($0, 1.8) })
    case .rec2020: return Self.rec2020Matrix * v.map(Self.decode2020)
    case .xyzD65: return v
    case .xyzD50: return Self.d50ToD65 * v
    case .lab: return Self.d50ToD65 * Self.labToXYZ(v)
    case .lch: return Self.d50ToD65 * Self.labToXYZ(Self.rectangular(v))
    case .oklab: return Self.oklabToXYZ(v)
    case .oklch: return Self.oklabToXYZ(Self.rectangular(v))
    }
  }

  func fromXYZ(_ v: Vector) -> Vector {
    switch self {
    case .srgb: return (Self.srgbInverse * v).map(Self.encode)
    case .hsl, .hwb: return fromSRGB((Self.srgbInverse * v).map(Self.encode))
    case .srgbLinear: return Self.srgbInverse * v
    case .displayP3: return (Self.p3Inverse * v).map(Self.encode)
    case .displayP3Linear: return Self.p3Inverse * v
    case .a98: return (Self.a98Inverse * v).map { Self.power($0, 256.0 / 563) }
    case .prophoto:
      return (Self.prophotoInverse * (Self.d65ToD50 * v)).map { Swift.abs($0) >= 1.0 / 512 ? Self.power($0, 1 / 1.8) : 16 * $0 }
    case .rec2020: return (Self.rec2020Inverse * v).map(Self.encode2020)
    case .xyzD65: return v
    case .xyzD50: return Self.d65ToD50 * v
    case .lab: return Self.xyzToLab(Self.d65ToD50 * v)
    case .lch: return Self.polar(Self.xyzToLab(Self.d65ToD50 * v))
    case .oklab: return Self.oklabMatrix * (Self.lmsMatrix * v).map { cbrt($0) }
    case .oklch: return Self.polar(Self.oklabMatrix * (Self.lmsMatrix * v).map { cbrt($0) })
    }
  }

  private static func decode2020(_ value: Double) -> Double {
    let size = Swift.abs(value)
    return size < 0.018053968510807 * 4.5 ? value / 4.5 : copysign(pow((size + 0.09929682680944) / 1.09929682680944, 1 / 0.45), value)
  }

  private static func encode2020(_ value: Double) -> Double {
    let size = Swift.abs(value)
    return size > 0.018053968510807 ? copysign(1.09929682680944 * pow(size, 0.45) - 0.09929682680944, value) : 4.5 * value
  }

  private static func oklabToXYZ(_ v: Vector) -> Vector { lmsInverse * (oklabInverse * v).map { $0 * $0 * $0 } }

  private static func labToXYZ(_ v: Vector) -> Vector {
    let kappa = 24389.0 / 27
    let epsilon = 216.0 / 24389
    let fy = (v.x + 16) / 116
    let fx = v.y / 500 + fy
    let fz = fy - v.z / 200
    func cube(_ f: Double) -> Double { f * f * f > epsilon ? f * f * f : (116 * f - 16) / kappa }
    return Vector(cube(fx) * d50White.x, v.x > 8 ? fy * fy * fy : v.x / kappa, cube(fz) * d50White.z)
  }

  private static func xyzToLab(_ v: Vector) -> Vector {
    let kappa = 24389.0 / 27
    let epsilon = 216.0 / 24389
    func root(_ t: Double) -> Double { t > epsilon ? cbrt(t) : (kappa * t + 16) / 116 }
    let fx = root(v.x / d50White.x)
    let fy = root(v.y)
    let fz = root(v.z / d50White.z)
    return Vector(116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))
  }

  private static func rectangular(_ v: Vector) -> Vector {
    let angle = v.z * .pi / 180
    return Vector(v.x, v.y * cos(angle), v.y * sin(angle))
  }

  private static func polar(_ v: Vector) -> Vector {
    let chroma = (v.y * v.y + v.z * v.z).squareRoot()
    return Vector(v.x, chroma, positiveRemainder(atan2(v.z, v.y) * 180 / .pi, 360))
  }
}
