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

  /// Translation, rotation, skew and scale. https://drafts.csswg.org/css-transforms-1/#decomposing-a-2d-matrix
  private struct Parts {
    private var x: Double, y: Double
    private var scaleX: Double, scaleY: Double
    /// In degrees.
    private var angle: Double
    /// What remains: a skew.
    private var m: (a: Double, b: Double, c: Double, d: Double)

    /// Nil if the matrix cannot be inverted.
    init?(_ matrix: PlaneMatrix) {
      var (a, b, c, d) = (matrix.a, matrix.b, matrix.c, matrix.d)
      let determinant = a * d - b * c
      guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
      (x, y) = (matrix.e, matrix.f)
      (scaleX, scaleY) = ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
      if determinant < 0 { if a < d { scaleX = -scaleX } else { scaleY = -scaleY } }
      if scaleX != 0 { (a, b) = (a / scaleX, b / scaleX) }
      if scaleY != 0 { (c, d) = (c / scaleY, d / scaleY) }
      let turn = atan2(b, a)
      angle = turn * 180 / .pi
      let sine = -b, cosine = a
      m = turn == 0 ? (a, b, c, d) : (cosine * a + sine * c, cosine * b + sine * d, cosine * c - sine * a, cosine * d - sine * b)
    }

    func mixed(with other: Parts, _ part: Double) -> TransformFunction {
      var first = self, second = other
      // A flip on one axis and one on the other are half a turn apart.
      if first.scaleX < 0 && second.scaleY < 0 || first.scaleY < 0 && second.scaleX < 0 {
        (first.scaleX, first.scaleY) = (-first.scaleX, -first.scaleY)
        first.angle += first.angle < 0 ? 180 : -180
      }
      // The shorter way around.
      if first.angle == 0 { first.angle = 360 }
      if second.angle == 0 { second.angle = 360 }
      if abs(first.angle - second.angle) > 180 { if first.angle > second.angle { first.angle -= 360 } else { second.angle -= 360 } }
      func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
      let skew = PlaneMatrix(
        mix(first.m.a, second.m.a), mix(first.m.b, second.m.b), mix(first.m.c, second.m.c), mix(first.m.d, second.m.d), 0, 0)
      let angle = mix(first.angle, second.angle) * .pi / 180
      let result = PlaneMatrix(1, 0, 0, 1, mix(first.x, second.x), mix(first.y, second.y))
        .multiplied(by: PlaneMatrix(cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0)).multiplied(by: skew)
        .multiplied(by: PlaneMatrix(mix(first.scaleX, second.scaleX), 0, 0, mix(first.scaleY, second.scaleY), 0, 0))
      return .matrix(Float(result.a), Float(result.b), Float(result.c), Float(result.d), Float(result.e), Float(result.f))
    }
  }
}
