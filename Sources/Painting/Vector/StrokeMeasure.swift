import OffprintCoreTypes

/// How finely cairo measures a stroke for a document. Only bounds come of it, since documents have curves, dashes and pens as such; at cairo's
/// own tolerance large curves, short dashes and wide pens are millions of lines.
struct StrokeMeasure {
  private static let finest = 0.1
  /// Lines for each element of a path.
  private static let most = 16.0
  private static let fewest = 4096.0

  /// How far lines may be from a curve, in units of the page.
  private(set) var tolerance: Double
  /// Lines that the stroke is measured as, nearly.
  private(set) var lines: Double

  init(_ path: VectorPath, _ stroke: Stroke, _ transform: AffineTransform) {
    let count = Double(path.elements.count), most = max(Self.most * count, Self.fewest)
    let scale = min(transform.scales.largest, 1e12)
    tolerance = max(Self.finest, min(stroke.width * scale, 1e12) / 1000)
    // Lines of a curve are as many as the root of what is tolerated.
    let curves = Self.lines(of: path, transform)
    if curves > most { tolerance = max(tolerance, Self.finest * (curves / most) * (curves / most)) }
    lines = count + curves * (Self.finest / tolerance).squareRoot()
    let period = stroke.dashes.reduce(0, +) * scale
    if period > 0, period.isFinite {
      let dashes = CairoPath.length(path, transform) / period * Double(stroke.dashes.count)
      // Cairo draws no dashes whose period is within the tolerance.
      if dashes > most { tolerance = max(tolerance, 2.1 * period) } else { lines += dashes }
    }
    if stroke.join == .round || stroke.cap == .round { lines *= 2 }
  }

  /// Of all curves, each as far as coordinates go.
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
