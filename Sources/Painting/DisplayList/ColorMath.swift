import OffprintCoreTypes
import Glibc

/// Conversions between color spaces. https://drafts.csswg.org/css-color-4/#color-conversion-code
enum ColorMath {
  static func linear(_ c: SIMD3<Float>) -> SIMD3<Float> { SIMD3(linear(c.x), linear(c.y), linear(c.z)) }
  static func encoded(_ c: SIMD3<Float>) -> SIMD3<Float> { SIMD3(encoded(c.x), encoded(c.y), encoded(c.z)) }

  private static func linear(_ v: Float) -> Float {
    let m = abs(v)
    let result = m <= 0.04045 ? m / 12.92 : powf((m + 0.055) / 1.055, 2.4)
    return v < 0 ? -result : result
  }
  private static func encoded(_ v: Float) -> Float {
    let m = abs(v)
    let result = m <= 0.003_130_8 ? m * 12.92 : 1.055 * powf(m, 1 / 2.4) - 0.055
    return v < 0 ? -result : result
  }

  private static func apply(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>, _ v: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3((a * v).sum(), (b * v).sum(), (c * v).sum())
  }

  /// To XYZ with the white point D65.
  static func xyz(_ linear: SIMD3<Float>) -> SIMD3<Float> {
    apply(
      SIMD3(0.412_390_8, 0.357_584_33, 0.180_480_79), SIMD3(0.212_639, 0.715_168_65, 0.072_192_32),
      SIMD3(0.019_330_82, 0.119_194_78, 0.950_532_14), linear)
  }
  static func linearFromXYZ(_ v: SIMD3<Float>) -> SIMD3<Float> {
    apply(
      SIMD3(3.240_969_9, -1.537_383_2, -0.498_610_77), SIMD3(-0.969_243_65, 1.875_967_5, 0.041_555_06),
      SIMD3(0.055_630_08, -0.203_976_96, 1.056_971_5), v)
  }

  private static let whiteD50 = SIMD3<Float>(0.964_295_7, 1, 0.825_104_6)

  static func lab(_ linear: SIMD3<Float>) -> SIMD3<Float> {
    let d50 = apply(
      SIMD3(1.047_929_8, 0.022_946_79, -0.050_192_22), SIMD3(0.029_627_81, 0.990_434_46, -0.017_073_83),
      SIMD3(-0.009_243_06, 0.015_055_19, 0.751_874_27), xyz(linear))
    func f(_ v: Float) -> Float { v > 216.0 / 24389 ? cbrtf(v) : (24389.0 / 27 * v + 16) / 116 }
    let r = d50 / whiteD50
    let (x, y, z) = (f(r.x), f(r.y), f(r.z))
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }
  static func linearFromLab(_ lab: SIMD3<Float>) -> SIMD3<Float> {
    let y = (lab.x + 16) / 116, x = lab.y / 500 + y, z = y - lab.z / 200
    func g(_ v: Float) -> Float { v * v * v > 216.0 / 24389 ? v * v * v : (116 * v - 16) / (24389.0 / 27) }
    let d50 = SIMD3(g(x), lab.x > 8 ? y * y * y : lab.x / (24389.0 / 27), g(z)) * whiteD50
    let d65 = apply(
      SIMD3(0.955_473_4, -0.023_098_54, 0.063_259_31), SIMD3(-0.028_369_71, 1.009_995_5, 0.021_041_4),
      SIMD3(0.012_314_01, -0.020_507_7, 1.330_366), d50)
    return linearFromXYZ(d65)
  }

  static func oklab(_ linear: SIMD3<Float>) -> SIMD3<Float> {
    let lms = apply(
      SIMD3(0.412_221_47, 0.536_332_54, 0.051_445_99), SIMD3(0.211_903_5, 0.680_699_55, 0.107_396_96),
      SIMD3(0.088_302_46, 0.281_718_84, 0.629_978_7), linear)
    let roots = SIMD3(cbrtf(lms.x), cbrtf(lms.y), cbrtf(lms.z))
    return apply(
      SIMD3(0.210_454_26, 0.793_617_8, -0.004_072_05), SIMD3(1.977_998_5, -2.428_592_2, 0.450_593_7),
      SIMD3(0.025_904_04, 0.782_771_77, -0.808_675_77), roots)
  }
  static func linearFromOklab(_ v: SIMD3<Float>) -> SIMD3<Float> {
    let roots = apply(
      SIMD3(1, 0.396_337_78, 0.215_803_76), SIMD3(1, -0.105_561_35, -0.063_854_17), SIMD3(1, -0.089_484_18, -1.291_485_5), v)
    return apply(
      SIMD3(4.076_741_7, -3.307_711_6, 0.230_969_93), SIMD3(-1.268_438, 2.609_757_4, -0.341_319_4),
      SIMD3(-0.004_196_09, -0.703_418_6, 1.707_614_7), roots * roots * roots)
  }

  static func polar(_ lab: SIMD3<Float>) -> SIMD3<Float> {
    let hue = atan2f(lab.z, lab.y) * 180 / .pi
    return SIMD3(lab.x, (lab.y * lab.y + lab.z * lab.z).squareRoot(), hue < 0 ? hue + 360 : hue)
  }
  static func rectangular(_ lch: SIMD3<Float>) -> SIMD3<Float> {
    let hue = lch.z * .pi / 180
    return SIMD3(lch.x, lch.y * cosf(hue), lch.y * sinf(hue))
  }

  /// Hue in degrees; saturation and lightness in 0...1.
  static func hsl(_ c: SIMD3<Float>) -> SIMD3<Float> {
    let high = c.max(), low = c.min(), range = high - low, lightness = (high + low) / 2
    guard range > 0 else { return SIMD3(0, 0, lightness) }
    let saturation = range / max(1e-6, 1 - abs(2 * lightness - 1))
    var hue: Float
    if high == c.x {
      hue = (c.y - c.z) / range
      if hue < 0 { hue += 6 }
    } else if high == c.y {
      hue = (c.z - c.x) / range + 2
    } else {
      hue = (c.x - c.y) / range + 4
    }
    return SIMD3(hue * 60, saturation, lightness)
  }
  static func rgb(hue: Float, saturation: Float, lightness: Float) -> SIMD3<Float> {
    let turn = hue - (hue / 360).rounded(.down) * 360
    func part(_ n: Float) -> Float {
      let k = n + turn / 30
      let folded = k - (k / 12).rounded(.down) * 12
      return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(folded - 3, 9 - folded, 1))
    }
    return SIMD3(part(0), part(8), part(4))
  }
}

// The shades of 3D border styles, by Chromium's formulas.
extension Color {
  /// The darker and the lighter shade. Colors near black are lightened for both; colors near white are unchanged in the lighter shade.
  var edgeShades: (dark: Color, light: Color) {
    if luminance <= Color(r: 0x20, g: 0x20, b: 0x20).luminance { return (lightened, lightened.lightened) }
    return (darkened, luminance > Color(r: 0xEB, g: 0xEB, b: 0xEB).luminance ? self : lightened)
  }

  private var darkened: Color {
    let v = max(red, green, blue)
    if min(red, green, blue) >= 1 { return Color(red: 0xAB / 255.0, green: 0xAB / 255.0, blue: 0xAB / 255.0, alpha: alpha) }
    let factor = v > 0 ? max(0, (v - 0.33) / v) : 0
    return shade(factor)
  }

  private var lightened: Color {
    let v = max(red, green, blue)
    if v <= 0 { return Color(red: 0x54 / 255.0, green: 0x54 / 255.0, blue: 0x54 / 255.0, alpha: alpha) }
    return shade(min(1, v + 0.33) / v)
  }

  private func shade(_ factor: Float) -> Color {
    func byte(_ value: Float) -> Float { (min(max(value * factor, 0), 1) * 255.99998).rounded(.down) / 255 }
    return Color(red: byte(red), green: byte(green), blue: byte(blue), alpha: alpha)
  }

  /// https://www.w3.org/TR/WCAG21/#dfn-relative-luminance
  private var luminance: Float { (ColorMath.linear(SIMD3(red, green, blue)) * SIMD3(0.2126, 0.7152, 0.0722)).sum() }
}
