import Glibc
import OffprintCoreTypes

/// Estimates the cost of filling or stroking a path with cairo, which cannot be interrupted. Each edge is inserted into the list of the
/// edges active in its rows.
struct PathCost {
  /// Number and total height of the edges inside the rectangle, with curves flattened.
  private var edges = 0.0
  private var height = 0.0
  /// The height of curves alone, which can intersect each other anywhere.
  private var curvedHeight = 0.0
  /// Vertices of the pen where a stroke turns, most of them outside of the rectangle.
  private var corners = 0.0
  private let area: PixelRect

  init(_ path: VectorPath, _ transform: AffineTransform, _ area: PixelRect, _ stroke: Stroke? = nil) {
    self.area = area
    let pen = stroke.map { Self.corners(ofPen: min($0.width, 1e5) * transform.scales.largest) } ?? 0
    guard path.elements.count > Self.fewElements || pen > Self.fewCorners else { return }
    var current = DisplayPoint(0, 0), start = current
    for element in path.elements {
      switch element {
      case .move(let p):
        current = transform.map(p)
        start = current
      case .line(let p):
        let next = transform.map(p)
        add(current.y, next.y, pieces: 1)
        current = next
      case .cubic(let a, let b, let c):
        let (p, q, r) = (transform.map(a), transform.map(b), transform.map(c))
        let bend = max(
          abs(current.x - 2 * p.x + q.x) + abs(current.y - 2 * p.y + q.y), abs(p.x - 2 * q.x + r.x) + abs(p.y - 2 * q.y + r.y))
        let before = height
        add(min(current.y, p.y, q.y, r.y), max(current.y, p.y, q.y, r.y), pieces: max(1, min(bend, 1e6).squareRoot()))
        curvedHeight += height - before
        current = r
      case .close:
        add(current.y, start.y, pieces: 1)
        current = start
      }
    }
    guard let stroke else { return }
    // Both sides of a stroke, and the join between two segments.
    edges *= stroke.join == .round ? 8 : 4
    // Curves are joined by the pen, whatever the line join.
    if pen > Self.fewCorners { corners = Double(path.elements.count) * pen / 4 }
    height = height * 2 + edges * min(stroke.width * transform.scales.largest, Double(area.height)) / 8
  }

  private static let fewElements = 256
  private static let fewCorners = 64.0
  private static let stepsPerCorner = 300.0

  /// The number of vertices of a circular pen at cairo's tolerance of 0.1 pixels. Wider pens are not drawn.
  private static func corners(ofPen width: Double) -> Double { width > 0 && width < 1e6 ? 7 * (width / 2).squareRoot() : 0 }

  private mutating func add(_ from: Double, _ to: Double, pieces: Double) {
    let top = max(min(from, to), Double(area.top)), bottom = min(max(from, to), Double(area.bottom))
    guard top <= bottom else { return }
    edges += pieces
    height += bottom - top
  }

  /// Estimated steps, at 2 to 3 ns each.
  var steps: Double {
    guard edges > 0 || corners > 0, !area.isEmpty else { return 0 }
    let open = min(edges, height / Double(area.height))
    let crossing = 60 * curvedHeight * log2(max(open, 1))
    let cost = edges * open / 2 + 15 * height + crossing + Self.stepsPerCorner * corners
    return cost.isFinite ? cost : .greatestFiniteMagnitude
  }
}
