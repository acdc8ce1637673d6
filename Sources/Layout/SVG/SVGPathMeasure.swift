package import CoreTypes
import Glibc

/// Lengths along a path: for text on it, markers and dashes. https://www.w3.org/TR/SVG2/paths.html#DistanceAlongAPath
package struct SVGPathMeasure {
  private struct Segment {
    var start: DisplayPoint
    var end: DisplayPoint
    /// Up to its end.
    var total: Double
    /// Of a curve that it is a piece of, and which piece.
    var curve: Int32 = -1
    var from = 0.0
    var to = 0.0
  }
  private var curves: [(DisplayPoint, DisplayPoint, DisplayPoint, DisplayPoint)] = []
  private var segments: [Segment] = []
  private static let mostSegments = 400_000

  package var length: Double { segments.last?.total ?? 0 }

  package init(_ path: VectorPath) {
    var current = DisplayPoint(0, 0), start = current, total = 0.0
    var segments: [Segment] = [], curves: [(DisplayPoint, DisplayPoint, DisplayPoint, DisplayPoint)] = []
    func line(_ to: DisplayPoint, curve: Int32 = -1, _ first: Double = 0, _ last: Double = 0) {
      let step = hypot(to.x - current.x, to.y - current.y)
      if step > 0, step.isFinite, segments.count < Self.mostSegments {
        total += step
        segments.append(Segment(start: current, end: to, total: total, curve: curve, from: first, to: last))
      }
      current = to
    }
    for element in path.elements {
      switch element {
      case .move(let p): (current, start) = (p, p)
      case .line(let p): line(p)
      case .cubic(let a, let b, let c):
        let from = current
        let rough = hypot(a.x - from.x, a.y - from.y) + hypot(b.x - a.x, b.y - a.y) + hypot(c.x - b.x, c.y - b.y)
        let pieces = max(8, min(128, rough.isFinite ? Int(min(rough, 1000)) / 2 : 8))
        for piece in 1...pieces {
          let first = Double(piece - 1) / Double(pieces), last = Double(piece) / Double(pieces)
          line(piece == pieces ? c : VectorPath.point(from, a, b, c, last), curve: Int32(truncatingIfNeeded: curves.count), first, last)
        }
        curves.append((from, a, b, c))
      case .close: line(start)
      }
    }
    self.segments = segments
    self.curves = curves
  }

  /// The point at a distance from the start, and the direction there in degrees; nil beyond the ends.
  package func place(at distance: Double) -> (point: DisplayPoint, angle: Double)? {
    guard distance >= 0, distance <= length, !segments.isEmpty else { return nil }
    var low = 0, high = segments.count - 1
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].total < distance { low = middle + 1 } else { high = middle }
    }
    let segment = segments[low]
    let dx = segment.end.x - segment.start.x, dy = segment.end.y - segment.start.y
    let size = hypot(dx, dy)
    let part = size > 0 ? 1 - (segment.total - distance) / size : 0
    let direction = tangent(segment, part) ?? DisplayPoint(dx, dy)
    return (
      DisplayPoint(segment.start.x + dx * part, segment.start.y + dy * part), atan2(direction.y, direction.x) * 180 / .pi
    )
  }

  /// Along the curve itself; nil where it has no direction there.
  private func tangent(_ segment: Segment, _ part: Double) -> DisplayPoint? {
    guard curves.indices.contains(Int(segment.curve)) else { return nil }
    let (p, a, b, c) = curves[Int(segment.curve)], t = segment.from + (segment.to - segment.from) * part, u = 1 - t
    func derivative(_ p: Double, _ a: Double, _ b: Double, _ c: Double) -> Double {
      u * u * (a - p) + 2 * u * t * (b - a) + t * t * (c - b)
    }
    let x = derivative(p.x, a.x, b.x, c.x), y = derivative(p.y, a.y, b.y, c.y)
    return abs(x) + abs(y) > 1e-9 ? DisplayPoint(x, y) : nil
  }
}
