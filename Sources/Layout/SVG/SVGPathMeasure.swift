package import OffprintCoreTypes
import Glibc

/// Measures distances along a path, for text on paths, markers, dashes and motion paths.
/// https://www.w3.org/TR/SVG2/paths.html#DistanceAlongAPath
///
/// Curves are approximated by chords with the tolerance of Skia's `SkContourMeasure`: they are split until each part deviates from its chord by
/// at most half a pixel. Positions between the ends of a chord are on the curve itself.
package struct SVGPathMeasure {
  private struct Segment {
    /// The distance along the path at the segment's end.
    var total: Double
    /// The index of the curve and the range of its parameter.
    var curve: Int32
    var from: Double
    var to: Double
  }
  private var curves: [MeasuredCurve] = []
  private var segments: [Segment] = []
  private static let maximumSegments = 400_000
  private static let maximumDepth = 20

  package var length: Double { segments.last?.total ?? 0 }

  /// - Parameter isRound: Whether the cubic curves approximate quarter ellipses, which are then measured instead.
  package init(_ path: VectorPath, isRound: Bool = false) {
    var current = DisplayPoint(0, 0), start = current
    for element in path.elements {
      switch element {
      case .move(let p): (current, start) = (p, p)
      case .line(let p):
        add(.line(current, p))
        current = p
      case .cubic(let a, let b, let c):
        add(isRound ? .quarter(from: current, a, to: c) : .cubic(current, a, b, c))
        current = c
      case .close:
        add(.line(current, start))
        current = start
      }
    }
  }

  private mutating func add(_ curve: MeasuredCurve) {
    let index = Int32(truncatingIfNeeded: curves.count)
    curves.append(curve)
    if curve.isLine {
      append(from: curve.point(0), to: curve.point(1), Segment(total: 0, curve: index, from: 0, to: 1))
    } else {
      divide(curve, curve.point(0), curve.point(1), Segment(total: 0, curve: index, from: 0, to: 1), depth: 0)
    }
  }

  private mutating func divide(_ curve: MeasuredCurve, _ first: DisplayPoint, _ last: DisplayPoint, _ piece: Segment, depth: Int) {
    guard depth < Self.maximumDepth, segments.count < Self.maximumSegments, curve.isBent(from: piece.from, to: piece.to, first, last) else {
      return append(from: first, to: last, piece)
    }
    let half = (piece.from + piece.to) / 2, middle = curve.point(half)
    divide(curve, first, middle, Segment(total: 0, curve: piece.curve, from: piece.from, to: half), depth: depth + 1)
    divide(curve, middle, last, Segment(total: 0, curve: piece.curve, from: half, to: piece.to), depth: depth + 1)
  }

  private mutating func append(from first: DisplayPoint, to last: DisplayPoint, _ piece: Segment) {
    let step = hypot(last.x - first.x, last.y - first.y)
    guard step > 0, step.isFinite, segments.count < Self.maximumSegments else { return }
    var piece = piece
    piece.total = length + step
    segments.append(piece)
  }

  /// The point at a distance from the start, and the angle of the tangent there in degrees; nil if the path is shorter.
  package func place(at distance: Double) -> (point: DisplayPoint, angle: Double)? {
    guard distance >= 0, distance <= length, !segments.isEmpty else { return nil }
    var low = 0, high = segments.count - 1
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].total < distance { low = middle + 1 } else { high = middle }
    }
    let segment = segments[low], before = low > 0 ? segments[low - 1].total : 0
    guard curves.indices.contains(Int(segment.curve)) else { return nil }
    let curve = curves[Int(segment.curve)], size = segment.total - before
    let t = segment.from + (segment.to - segment.from) * (size > 0 ? (distance - before) / size : 0)
    let first = curve.point(segment.from), last = curve.point(segment.to)
    let direction = curve.tangent(t) ?? DisplayPoint(last.x - first.x, last.y - first.y)
    return (curve.point(t), atan2(direction.y, direction.x) * 180 / .pi)
  }
}

/// A line, a cubic curve, or a quarter ellipse, given by its ends and the intersection of their tangents.
enum MeasuredCurve {
  case line(DisplayPoint, DisplayPoint)
  case cubic(DisplayPoint, DisplayPoint, DisplayPoint, DisplayPoint)
  case conic(DisplayPoint, DisplayPoint, DisplayPoint)

  /// The maximum distance of a curve from its chord in px.
  private static let tolerance = 0.5
  private static let weight = 0.5.squareRoot()

  /// - Parameter control: The first control point of the equivalent cubic curve.
  static func quarter(from p: DisplayPoint, _ control: DisplayPoint, to c: DisplayPoint) -> MeasuredCurve {
    let k = 1 / VectorPath.kappa
    return .conic(p, DisplayPoint(p.x + (control.x - p.x) * k, p.y + (control.y - p.y) * k), c)
  }

  var isLine: Bool { if case .line = self { true } else { false } }

  func point(_ t: Double) -> DisplayPoint {
    switch self {
    case .line(let p, let c): return DisplayPoint(p.x + (c.x - p.x) * t, p.y + (c.y - p.y) * t)
    case .cubic(let p, let a, let b, let c): return t == 1 ? c : VectorPath.point(p, a, b, c, t)
    case .conic(let p, let q, let c):
      let w = Self.weight, u = 1 - t, scale = u * u + 2 * w * u * t + t * t
      func blend(_ p: Double, _ q: Double, _ c: Double) -> Double { (u * u * p + 2 * w * u * t * q + t * t * c) / scale }
      return DisplayPoint(blend(p.x, q.x, c.x), blend(p.y, q.y, c.y))
    }
  }

  /// The tangent at a parameter; nil if it is undefined.
  func tangent(_ t: Double) -> DisplayPoint? {
    let u = 1 - t
    func derivative(_ at: (DisplayPoint) -> Double) -> Double {
      switch self {
      case .line(let p, let c): return at(c) - at(p)
      case .cubic(let p, let a, let b, let c): return u * u * (at(a) - at(p)) + 2 * u * t * (at(b) - at(a)) + t * t * (at(c) - at(b))
      case .conic(let p, let q, let c):
        let w = Self.weight, whole = at(c) - at(p), half = w * (at(q) - at(p))
        return (w - 1) * whole * t * t + (whole - 2 * half) * t + half
      }
    }
    let x = derivative(\.x), y = derivative(\.y)
    return abs(x) + abs(y) > 1e-9 ? DisplayPoint(x, y) : nil
  }

  /// Whether the curve between two parameters deviates from its chord by more than the tolerance.
  func isBent(from: Double, to: Double, _ first: DisplayPoint, _ last: DisplayPoint) -> Bool {
    func isFar(_ p: DisplayPoint, _ part: Double) -> Bool {
      let distance = max(abs(first.x + (last.x - first.x) * part - p.x), abs(first.y + (last.y - first.y) * part - p.y))
      return distance > Self.tolerance && distance.isFinite
    }
    switch self {
    case .line: return false
    case .conic: return isFar(point((from + to) / 2), 0.5)
    case .cubic:
      // Compare the control points of the piece to the thirds of its chord.
      let step = (to - from) / 3
      guard let a = velocity(from), let b = velocity(to) else { return isFar(point((from + to) / 2), 0.5) }
      return isFar(DisplayPoint(first.x + a.x * step, first.y + a.y * step), 1.0 / 3)
        || isFar(DisplayPoint(last.x - b.x * step, last.y - b.y * step), 2.0 / 3)
    }
  }

  /// The derivative of a cubic curve.
  private func velocity(_ t: Double) -> DisplayPoint? {
    guard case .cubic = self else { return nil }
    let direction = tangent(t) ?? DisplayPoint(0, 0)
    return DisplayPoint(3 * direction.x, 3 * direction.y)
  }
}
