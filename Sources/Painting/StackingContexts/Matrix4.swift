import OffprintCoreTypes
import OffprintCSS
import Glibc

/// A 4×4 matrix that multiplies column vectors. https://drafts.csswg.org/css-transforms-2/#mathematical-description
struct Matrix4 {
  /// The rows.
  var m: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

  init(_ a: SIMD4<Double>, _ b: SIMD4<Double>, _ c: SIMD4<Double>, _ d: SIMD4<Double>) { m = (a, b, c, d) }

  static var identity: Matrix4 { Matrix4(SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1)) }
  static func translation(_ x: Double, _ y: Double, _ z: Double) -> Matrix4 {
    Matrix4(SIMD4(1, 0, 0, x), SIMD4(0, 1, 0, y), SIMD4(0, 0, 1, z), SIMD4(0, 0, 0, 1))
  }
  static func perspective(_ distance: Double) -> Matrix4 {
    Matrix4(SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, distance > 0 ? -1 / distance : 0, 1))
  }

  static func * (a: Matrix4, b: Matrix4) -> Matrix4 {
    func row(_ r: SIMD4<Double>) -> SIMD4<Double> { b.m.0 * r.x + b.m.1 * r.y + b.m.2 * r.z + b.m.3 * r.w }
    return Matrix4(row(a.m.0), row(a.m.1), row(a.m.2), row(a.m.3))
  }

  private static func rotation(_ x: Double, _ y: Double, _ z: Double, _ degrees: Double) -> Matrix4 {
    let norm = (x * x + y * y + z * z).squareRoot()
    guard norm > 0, norm.isFinite, degrees.isFinite else { return .identity }
    let (x, y, z) = (x / norm, y / norm, z / norm)
    // Multiples of 90° are exact.
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let quarter = turn / 90
    var c = cos(turn * .pi / 180), s = sin(turn * .pi / 180)
    if quarter == quarter.rounded() { (c, s) = (c.rounded(), s.rounded()) }
    let t = 1 - c
    return Matrix4(
      SIMD4(t * x * x + c, t * x * y - s * z, t * x * z + s * y, 0), SIMD4(t * x * y + s * z, t * y * y + c, t * y * z - s * x, 0),
      SIMD4(t * x * z - s * y, t * y * z + s * x, t * z * z + c, 0), SIMD4(0, 0, 0, 1))
  }

  /// A transform function for a reference box of `width` × `height` CSS px. The matrix is in device pixels.
  init(_ function: TransformFunction, width: Double, height: Double, scale: Double) {
    switch function {
    case .translate(let x, let y, let z):
      self = .translation(x.resolve(width) * scale, y.resolve(height) * scale, Double(z) * scale)
    case .scale(let x, let y, let z):
      self = Matrix4(SIMD4(Double(x), 0, 0, 0), SIMD4(0, Double(y), 0, 0), SIMD4(0, 0, Double(z), 0), SIMD4(0, 0, 0, 1))
    case .rotate(let angle): self = Self.rotation(0, 0, 1, Double(angle))
    case .rotate3d(let x, let y, let z, let angle): self = Self.rotation(Double(x), Double(y), Double(z), Double(angle))
    case .skew(let x, let y):
      self = Matrix4(
        SIMD4(1, tan(Double(x) * .pi / 180), 0, 0), SIMD4(tan(Double(y) * .pi / 180), 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1))
    case .matrix(let a, let b, let c, let d, let e, let f):
      self = Matrix4(
        SIMD4(Double(a), Double(c), 0, Double(e) * scale), SIMD4(Double(b), Double(d), 0, Double(f) * scale), SIMD4(0, 0, 1, 0),
        SIMD4(0, 0, 0, 1))
    case .matrix3d(let v) where v.count == 16:
      func row(_ i: Int) -> SIMD4<Double> { SIMD4(Double(v[i]), Double(v[i + 4]), Double(v[i + 8]), Double(v[i + 12])) }
      var rows = (row(0), row(1), row(2), row(3))
      rows.0.w *= scale
      rows.1.w *= scale
      rows.2.w *= scale
      rows.3.x /= scale
      rows.3.y /= scale
      rows.3.z /= scale
      m = rows
    case .matrix3d: self = .identity
    case .interpolation(let mixture): self = Matrix4(mixture.resolved(width, height), width: width, height: height, scale: scale)
    case .perspective(let distance): self = distance > 0 ? .perspective(Double(max(distance, 1)) * scale) : .identity
    }
  }

  /// Whether the back face is visible. https://drafts.csswg.org/css-transforms-2/#backface-visibility-property
  var showsBack: Bool {
    let (a, b, d) = (m.0, m.1, m.3)
    let cofactor =
      a.x * (b.y * d.w - b.w * d.y) - a.y * (b.x * d.w - b.w * d.x) + a.w * (b.x * d.y - b.y * d.x)
    return cofactor * determinant < 0
  }

  private var determinant: Double {
    func minor(_ p: SIMD3<Double>, _ q: SIMD3<Double>, _ r: SIMD3<Double>) -> Double {
      p.x * (q.y * r.z - q.z * r.y) - p.y * (q.x * r.z - q.z * r.x) + p.z * (q.x * r.y - q.y * r.x)
    }
    let (a, b, c, d) = m
    return a.x * minor(SIMD3(b.y, b.z, b.w), SIMD3(c.y, c.z, c.w), SIMD3(d.y, d.z, d.w))
      - a.y * minor(SIMD3(b.x, b.z, b.w), SIMD3(c.x, c.z, c.w), SIMD3(d.x, d.z, d.w))
      + a.z * minor(SIMD3(b.x, b.y, b.w), SIMD3(c.x, c.y, c.w), SIMD3(d.x, d.y, d.w))
      - a.w * minor(SIMD3(b.x, b.y, b.z), SIMD3(c.x, c.y, c.z), SIMD3(d.x, d.y, d.z))
  }

  /// Whether the mapping of the plane z = 0 is not affine.
  var isPerspective: Bool { m.3.x != 0 || m.3.y != 0 }

  /// The projection of the plane z = 0.
  var projection: Projection {
    Projection(x: SIMD3(m.0.x, m.0.y, m.0.w), y: SIMD3(m.1.x, m.1.y, m.1.w), w: SIMD3(m.3.x, m.3.y, m.3.w))
  }

  /// Maps a point of the plane z = 0 to homogeneous coordinates.
  func map(_ p: DisplayPoint) -> SIMD4<Double> {
    let v = SIMD4(p.x, p.y, 0, 1)
    return SIMD4((m.0 * v).sum(), (m.1 * v).sum(), (m.2 * v).sum(), (m.3 * v).sum())
  }

  /// The projection of the plane z = 0 as an affine transform: exact without perspective, otherwise linearized around `p`; nil if `p` is
  /// behind the viewer.
  func affine(around p: DisplayPoint) -> AffineTransform? {
    let v = SIMD4(p.x, p.y, 0, 1)
    let w = (m.3 * v).sum(), px = (m.0 * v).sum(), py = (m.1 * v).sum()
    guard w > 1e-9 else { return nil }
    let a = (m.0.x - px / w * m.3.x) / w, c = (m.0.y - px / w * m.3.y) / w
    let b = (m.1.x - py / w * m.3.x) / w, d = (m.1.y - py / w * m.3.y) / w
    let isAffine = m.3.x == 0 && m.3.y == 0 && w == 1
    return AffineTransform(
      a: a, b: b, c: c, d: d, e: isAffine ? m.0.w : px / w - a * p.x - c * p.y, f: isAffine ? m.1.w : py / w - b * p.x - d * p.y)
  }
}
