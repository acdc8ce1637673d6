import OffprintCoreTypes
import Glibc

enum SVGMath {
  /// The unit vector at an angle in degrees.
  static func direction(_ degrees: Double) -> DisplayPoint { DisplayPoint(cos(degrees * .pi / 180), sin(degrees * .pi / 180)) }

  static func rotation(_ degrees: Double) -> AffineTransform {
    let c = cos(degrees * .pi / 180), s = sin(degrees * .pi / 180)
    return AffineTransform(a: c, b: s, c: -s, d: c, e: 0, f: 0)
  }

  static func skew(_ x: Double, _ y: Double) -> AffineTransform {
    AffineTransform(a: 1, b: tan(y * .pi / 180), c: tan(x * .pi / 180), d: 1, e: 0, f: 0)
  }

  /// A 3D rotation projected to the plane. https://drafts.csswg.org/css-transforms-2/#Rotate3dDefined
  static func flattened(_ x: Float, _ y: Float, _ z: Float, _ angle: Float) -> AffineTransform {
    let length = Double(x * x + y * y + z * z).squareRoot()
    guard length > 0 else { return .identity }
    let (x, y, z) = (Double(x) / length, Double(y) / length, Double(z) / length)
    let c = cos(Double(angle) * .pi / 180), s = sin(Double(angle) * .pi / 180), t = 1 - c
    return AffineTransform(a: t * x * x + c, b: t * x * y + s * z, c: t * x * y - s * z, d: t * y * y + c, e: 0, f: 0)
  }

  static func angle(_ p: DisplayPoint) -> Double { atan2(p.y, p.x) * 180 / .pi }
}
