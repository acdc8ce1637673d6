import OffprintCoreTypes

/// Chooses cairo's tolerance for measuring a stroke in a document. It affects only bounding boxes, since documents store curves, dashes and
/// pens unflattened. At cairo's default tolerance, large curves, short dashes and wide pens flatten to millions of lines.
struct StrokeMeasure {
  private static let finest = 0.1
  /// Maximum number of lines per path element.
  private static let maximum = 16.0
  private static let fewest = 4096.0

  /// Maximum distance of lines from the curve, in units of the page.
  private(set) var tolerance: Double
  /// Approximate number of lines in which the stroke is measured.
  private(set) var lines: Double

  init(_ path: VectorPath, _ stroke: Stroke, _ transform: AffineTransform) {
    let count = Double(path.elements.count), maximum = max(Self.maximum * count, Self.fewest)
    let scale = min(transform.scales.largest, 1e12)
    tolerance = max(Self.finest, min(stroke.width * scale, 1e12) / 1000)
    // The number of lines is proportional to the inverse square root of the tolerance.
    let curves = Self.lines(of: path, transform)
    if curves > maximum { tolerance = max(tolerance, Self.finest * (curves / maximum) * (curves / maximum)) }
    lines = count + curves * (Self.finest / tolerance).squareRoot()
    let period = stroke.dashes.reduce(0, +) * scale
    if period > 0, period.isFinite {
      let dashes = CairoPath.length(path, transform) / period * Double(stroke.dashes.count)
      // Cairo does not compute dashes whose period is below the tolerance.
      if dashes > maximum { tolerance = max(tolerance, 2.1 * period) } else { lines += dashes }
    }
    if stroke.join == .round || stroke.cap == .round { lines *= 2 }
  }

  /// Approximate number of lines for all curves at the finest tolerance.
  private static func lines(of path: VectorPath, _ transform: AffineTransform) -> Double {
    var total = 0.0, current = DisplayPoint(0, 0)
    for element in path.elements {
      switch element {
      case .move(let p), .line(let p): current = transform.map(p)
      case .cubic(let a, let b, let c):
        let (p, q, r) = (transform.map(a), transform.map(b), transform.map(c))
        let bend = max(
          abs(current.x - 2 * p.x + q.x) + abs(current.y - 2 * p.y + q.y), abs(p.x - 2 * q.x + r.x) + abs(p.y - 2 * q.y + r.y))
        total += max(1, min(bend, 1e7).squareRoot())
        current = r
      case .close: break
      }
    }
    return total
  }
}
