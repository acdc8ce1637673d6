import Glibc
import OffprintCoreTypes

/// A transform in space, by the columns of its matrix. https://drafts.csswg.org/css-transforms-2/#interpolation-of-3d-matrices
struct SpaceMatrix {
  private typealias Column = SIMD4<Double>
  private var columns: (Column, Column, Column, Column) = (
    Column(1, 0, 0, 0), Column(0, 1, 0, 0), Column(0, 0, 1, 0), Column(0, 0, 0, 1)
  )

  /// The matrix between those of two lists of functions without percentages; nil if one of them cannot be decomposed.
  static func mixed(
    _ from: ArraySlice<TransformFunction>, _ to: ArraySlice<TransformFunction>, _ part: Double
  ) -> TransformFunction? {
    guard let start = SpaceMatrix(from).flatMap(Parts.init), let end = SpaceMatrix(to).flatMap(Parts.init) else { return nil }
    let columns = start.mixed(with: end, part).columns
    var values: [Float] = []
    for column in [columns.0, columns.1, columns.2, columns.3] {
      for row in column.indices { values.append(Float(column[row])) }
    }
    return values.allSatisfy(\.isFinite) ? .matrix3d(values) : nil
  }

  private init() {}

  private init(_ a: Column, _ b: Column, _ c: Column, _ d: Column) { columns = (a, b, c, d) }

  private init?(_ functions: ArraySlice<TransformFunction>) {
    for function in functions {
      guard let next = Self.matrix(function) else { return nil }
      self = multiplied(by: next)
    }
  }

  private func multiplied(by m: SpaceMatrix) -> SpaceMatrix {
    func column(_ v: Column) -> Column { columns.0 * v.x + columns.1 * v.y + columns.2 * v.z + columns.3 * v.w }
    return SpaceMatrix(column(m.columns.0), column(m.columns.1), column(m.columns.2), column(m.columns.3))
  }

  private static func matrix(_ function: TransformFunction) -> SpaceMatrix? {
    var result = SpaceMatrix()
    switch function {
    case .translate(let x, let y, let z):
      guard let x = x.fixed, let y = y.fixed else { return nil }
      result.columns.3 = Column(x, y, Double(z), 1)
    case .scale(let x, let y, let z): (result.columns.0.x, result.columns.1.y, result.columns.2.z) = (Double(x), Double(y), Double(z))
    case .rotate(let angle): return rotation(SIMD3(0, 0, 1), angle)
    case .rotate3d(let x, let y, let z, let angle): return rotation(SIMD3(Double(x), Double(y), Double(z)), angle)
    case .skew(let x, let y): (result.columns.1.x, result.columns.0.y) = (tan(Double(x) * .pi / 180), tan(Double(y) * .pi / 180))
    case .matrix(let a, let b, let c, let d, let e, let f):
      (result.columns.0, result.columns.1) = (Column(Double(a), Double(b), 0, 0), Column(Double(c), Double(d), 0, 0))
      result.columns.3 = Column(Double(e), Double(f), 0, 1)
    case .matrix3d(let v):
      guard v.count == 16 else { return nil }
      func column(_ i: Int) -> Column { Column(Double(v[i]), Double(v[i + 1]), Double(v[i + 2]), Double(v[i + 3])) }
      return SpaceMatrix(column(0), column(4), column(8), column(12))
    case .perspective(let distance): if distance > 0 { result.columns.2.w = -1 / Double(max(distance, 1)) }
    case .interpolation: return nil
    }
    return result
  }

  private static func rotation(_ axis: SIMD3<Double>, _ degrees: Float) -> SpaceMatrix? {
    let norm = (axis * axis).sum().squareRoot()
    guard norm > 0, norm.isFinite else { return SpaceMatrix() }
    let half = Double(degrees) * .pi / 360, v = axis / norm * sin(half)
    let (a, b, c) = SIMD4(v, cos(half)).axes
    return SpaceMatrix(Column(a, 0), Column(b, 0), Column(c, 0), Column(0, 0, 0, 1))
  }

  // MARK: Decomposition

  /// https://drafts.csswg.org/css-transforms-2/#decomposing-a-3d-matrix
  private struct Parts {
    private var translation: SIMD3<Double>
    private var scale: SIMD3<Double>
    /// In the planes xy, xz and yz.
    private var skew: SIMD3<Double>
    private var perspective: SIMD4<Double>
    /// A quaternion.
    private var rotation: SIMD4<Double>

    /// Nil if the matrix cannot be inverted.
    init?(_ matrix: SpaceMatrix) {
      let w = matrix.columns.3.w
      guard w != 0, w.isFinite else { return nil }
      let (a, b, c, d) = (matrix.columns.0 / w, matrix.columns.1 / w, matrix.columns.2 / w, matrix.columns.3 / w)
      var (x, y, z) = (a.vector, b.vector, c.vector)
      let determinant = (x * y.cross(z)).sum()
      guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
      translation = d.vector
      let (first, second, third) = (y.cross(z) * a.w, z.cross(x) * b.w, x.cross(y) * c.w)
      let vector = (first + second + third) / determinant
      perspective = SIMD4(vector, 1 - (vector * translation).sum())
      var xy = 0.0, xz = 0.0, yz = 0.0
      (scale, skew) = (.zero, .zero)
      scale.x = x.normalize()
      xy = (x * y).sum()
      y -= x * xy
      scale.y = y.normalize()
      xz = (x * z).sum()
      z -= x * xz
      yz = (y * z).sum()
      z -= y * yz
      scale.z = z.normalize()
      skew = SIMD3(xy / scale.y, xz / scale.z, yz / scale.z)
      if determinant < 0 { (scale, x, y, z) = (-scale, -x, -y, -z) }
      rotation = SIMD4(axes: x, y, z)
    }

    /// https://drafts.csswg.org/css-transforms-2/#recomposing-to-a-3d-matrix
    func mixed(with other: Parts, _ part: Double) -> SpaceMatrix {
      let scale = scale + (other.scale - scale) * part, skew = skew + (other.skew - skew) * part
      let translation = translation + (other.translation - translation) * part
      let perspective = perspective + (other.perspective - perspective) * part
      let (x, y, z) = rotation.slerp(other.rotation, part).axes
      func column(_ v: SIMD3<Double>, _ w: Double) -> SIMD4<Double> { SIMD4(v, (perspective.vector * v).sum() + w) }
      return SpaceMatrix(
        column(x * scale.x, 0), column((y + x * skew.x) * scale.y, 0), column((z + y * skew.z + x * skew.y) * scale.z, 0),
        column(translation, perspective.w))
    }
  }
}

extension LengthPercentage {
  /// In px; nil if it depends on a basis.
  fileprivate var fixed: Double? {
    switch self {
    case .length(let px): Double(px)
    case .percentage(0): 0
    default: nil
    }
  }
}

extension SIMD3<Double> {
  fileprivate func cross(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(y * v.z - z * v.y, z * v.x - x * v.z, x * v.y - y * v.x) }

  /// - Returns: The length before.
  fileprivate mutating func normalize() -> Double {
    let length = (self * self).sum().squareRoot()
    if length > 0 { self /= length }
    return length
  }
}

extension SIMD4<Double> {
  fileprivate var vector: SIMD3<Double> { SIMD3(x, y, z) }

  /// The quaternion of a rotation that has these images of the axes.
  fileprivate init(axes a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    func part(_ value: Double, _ sign: Double) -> Double { (Swift.max(value, 0).squareRoot() / 2) * (sign < 0 ? -1 : 1) }
    self.init(
      part(1 + a.x - b.y - c.z, b.z - c.y), part(1 - a.x + b.y - c.z, c.x - a.z), part(1 - a.x - b.y + c.z, a.y - b.x),
      part(1 + a.x + b.y + c.z, 1))
  }

  /// The images of the axes under the rotation of a quaternion.
  fileprivate var axes: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    (
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
      SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
      SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    )
  }

  /// The shorter way around. https://drafts.csswg.org/css-transforms-2/#interpolation-of-decomposed-3d-matrix-values
  fileprivate func slerp(_ other: SIMD4<Double>, _ part: Double) -> SIMD4<Double> {
    let cosine = (self * other).sum(), from = cosine < 0 ? -self : self
    let angle = acos(Swift.min(abs(cosine), 1)), sine = sin(angle)
    return sine < 1e-5 ? from : from * (sin((1 - part) * angle) / sine) + other * (sin(part * angle) / sine)
  }
}
