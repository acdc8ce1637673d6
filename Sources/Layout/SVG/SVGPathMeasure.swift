package import CoreTypes
import Glibc

/// Lengths along a path: for text on it, markers and dashes. https://www.w3.org/TR/SVG2/paths.html#DistanceAlongAPath
package struct SVGPathMeasure {
  private struct Segment {
    var start: DisplayPoint
    var end: DisplayPoint
    /// Up to its end.
    var total: Double
  }
  private var segments: [Segment] = []
  private static let mostSegments = 400_000

  package var length: Double { segments.last?.total ?? 0 }

  package init(_ path: VectorPath) {
    var current = DisplayPoint(0, 0), start = current, total = 0.0
    var segments: [Segment] = []
    func line(_ to: DisplayPoint) {
      let step = hypot(to.x - current.x, to.y - current.y)
      if step > 0, step.isFinite, segments.count < Self.mostSegments {
        total += step
        segments.append(Segment(start: current, end: to, total: total))
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
          line(piece == pieces ? c : VectorPath.point(from, a, b, c, Double(piece) / Double(pieces)))
        }
      case .close: line(start)
      }
    }
    self.segments = segments
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
    return (DisplayPoint(segment.start.x + dx * part, segment.start.y + dy * part), atan2(dy, dx) * 180 / .pi)
  }
}
