import Glibc
import OffprintCoreTypes

/// A transform in the plane. https://drafts.csswg.org/css-transforms-1/#matrix-interpolation
struct PlaneMatrix {
  private var a = 1.0, b = 0.0, c = 0.0, d = 1.0, e = 0.0, f = 0.0

  /// The matrix between those of two lists; nil for functions in space, and for translations that depend on the size of the box.
  static func mixed(
    _ from: ArraySlice<TransformFunction>, _ to: ArraySlice<TransformFunction>, _ part: Double
  ) -> TransformFunction? {
    guard let start = PlaneMatrix(from).flatMap(Parts.init), let end = PlaneMatrix(to).flatMap(Parts.init) else { return nil }
    return start.mixed(with: end, part)
  }

  private init?(_ functions: ArraySlice<TransformFunction>) {
    for function in functions {
      guard let next = Self.matrix(function) else { return nil }
      self = multiplied(by: next)
    }
  }

  private init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  private static func matrix(_ function: TransformFunction) -> PlaneMatrix? {
    func radians(_ degrees: Float) -> Double { Double(degrees) * .pi / 180 }
    switch function {
    case .translate(.length(let x), .length(let y), 0): return PlaneMatrix(1, 0, 0, 1, Double(x), Double(y))
    case .translate(.percentage(0), .length(let y), 0): return PlaneMatrix(1, 0, 0, 1, 0, Double(y))
    case .translate(.length(let x), .percentage(0), 0): return PlaneMatrix(1, 0, 0, 1, Double(x), 0)
    case .scale(let x, let y, 1): return PlaneMatrix(Double(x), 0, 0, Double(y), 0, 0)
    case .rotate(let angle), .rotate3d(0, 0, 1, let angle):
      let sine = sin(radians(angle)), cosine = cos(radians(angle))
      return PlaneMatrix(cosine, sine, -sine, cosine, 0, 0)
    case .skew(let x, let y): return PlaneMatrix(1, tan(radians(y)), tan(radians(x)), 1, 0, 0)
    case .matrix(let a, let b, let c, let d, let e, let f):
      return PlaneMatrix(Double(a), Double(b), Double(c), Double(d), Double(e), Double(f))
    default: return nil
    }
  }

  private func multiplied(by m: PlaneMatrix) -> PlaneMatrix {
    PlaneMatrix(
      a * m.a + c * m.b, b * m.a + d * m.b, a * m.c + c * m.d, b * m.c + d * m.d, a * m.e + c * m.f + e, b * m.e + d * m.f + f)
  }

  /// Translation, rotation, shear and scale, as Chromium decomposes matrices in the plane: the specification interpolates what remains of the
  /// matrix after the rotation instead of the shear.
  ///
  /// https://drafts.csswg.org/css-transforms-1/#decomposing-a-2d-matrix,
  /// https://source.chromium.org/chromium/chromium/src/+/main:ui/gfx/geometry/transform_util.cc
  private struct Parts {
    private var x: Double, y: Double
    private var scaleX = 1.0, scaleY = 1.0
    private var shear: Double
    /// In radians, -π to π.
    private var angle: Double

    /// Nil if the matrix cannot be inverted.
    init?(_ matrix: PlaneMatrix) {
      var (a, b, c, d) = (matrix.a, matrix.b, matrix.c, matrix.d)
      let determinant = a * d - b * c
      guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
      (x, y) = (matrix.e, matrix.f)
      if determinant < 0 { if a < d { scaleX = -1 } else { scaleY = -1 } }
      scaleX *= (a * a + b * b).squareRoot()
      (a, b) = (a / scaleX, b / scaleX)
      shear = a * c + b * d
      (c, d) = (c - a * shear, d - b * shear)
      scaleY *= (c * c + d * d).squareRoot()
      shear /= scaleY
      angle = atan2(b, a)
    }

    func mixed(with other: Parts, _ part: Double) -> TransformFunction {
      func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
      // The shorter way around.
      var turn = other.angle - angle
      if turn > .pi { turn -= 2 * .pi } else if turn < -.pi { turn += 2 * .pi }
      let angle = angle + turn * part
      let result = PlaneMatrix(1, 0, 0, 1, mix(x, other.x), mix(y, other.y))
        .multiplied(by: PlaneMatrix(cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0))
        .multiplied(by: PlaneMatrix(1, 0, mix(shear, other.shear), 1, 0, 0))
        .multiplied(by: PlaneMatrix(mix(scaleX, other.scaleX), 0, 0, mix(scaleY, other.scaleY), 0, 0))
      return .matrix(Float(result.a), Float(result.b), Float(result.c), Float(result.d), Float(result.e), Float(result.f))
    }
  }
}
