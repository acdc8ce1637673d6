internal import Glibc

/// The float area of `shape-outside`, in px from the line-left block-start corner of the margin box: x along the lines, y along the block
/// axis.
///
/// https://drafts.csswg.org/css-shapes-1/#relation-to-box-model-and-float-behavior
enum FloatShape: Sendable {
  case rounded(RoundedShape)
  case ellipse(EllipseShape)
  case polygon(PolygonShape)
  case raster(RasterShape)

  /// The smallest span that contains the shape in a band; nil if they do not intersect.
  func excluded(from top: Double, to bottom: Double) -> ClosedRange<Double>? {
    switch self {
    case .rounded(let shape): shape.excluded(from: top, to: bottom)
    case .ellipse(let shape): shape.excluded(from: top, to: bottom)
    case .polygon(let shape): shape.excluded(from: top, to: bottom)
    case .raster(let shape): shape.excluded(from: top, to: bottom)
    }
  }

  /// Whether a band overlaps `low ..< high`. An empty band only overlaps a range that starts at it.
  fileprivate static func overlaps(_ top: Double, _ bottom: Double, _ low: Double, _ high: Double) -> Bool {
    low < high && ((top < high && bottom > low) || (top == bottom && top == low))
  }
}

struct ShapePoint: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// A rectangle with rounded corners. `left` and `right` are line-relative.
struct RoundedShape: Sendable {
  struct Radius: Sendable, Hashable {
    var x = 0.0
    var y = 0.0
  }
  /// The radii at the line-left and line-right corners.
  struct Corners: Sendable {
    var startLeft = Radius()
    var startRight = Radius()
    var endRight = Radius()
    var endLeft = Radius()
  }

  var left: Double
  var top: Double
  var right: Double
  var bottom: Double
  var corners: Corners

  func excluded(from y1: Double, to y2: Double) -> ClosedRange<Double>? {
    guard left < right, FloatShape.overlaps(y1, y2, top, bottom) else { return nil }
    let from = left + inset(corners.startLeft, corners.endLeft, y1, y2), to = right - inset(corners.startRight, corners.endRight, y1, y2)
    return from...max(from, to)
  }

  /// The distance of a rounded side from its straight edge, where it is closest in the band.
  private func inset(_ start: Radius, _ end: Radius, _ y1: Double, _ y2: Double) -> Double {
    let startEnd = top + start.y, endStart = bottom - end.y
    if y2 < startEnd { return Self.inset(start, distance: startEnd - y2) }
    if y1 > endStart { return Self.inset(end, distance: y1 - endStart) }
    return 0
  }

  /// - Parameter distance: From the center of the corner's ellipse.
  private static func inset(_ radius: Radius, distance: Double) -> Double {
    guard radius.y > 0 else { return 0 }
    let part = min(1, distance / radius.y)
    return radius.x * (1 - (1 - part * part).squareRoot())
  }
}

struct EllipseShape: Sendable {
  var center: ShapePoint
  var rx: Double
  var ry: Double

  func excluded(from y1: Double, to y2: Double) -> ClosedRange<Double>? {
    guard rx > 0, FloatShape.overlaps(y1, y2, center.y - ry, center.y + ry) else { return nil }
    let nearest = max(y1, min(center.y, y2)), part = min(1, abs(nearest - center.y) / ry)
    let half = rx * (1 - part * part).squareRoot()
    return (center.x - half)...(center.x + half)
  }
}

/// Polygons with a margin.
struct PolygonShape: Sendable {
  private let loops: [[ShapePoint]]
  private let margin: Double
  private let top: Double
  private let bottom: Double

  /// nil for polygons without area, which exclude nothing.
  init?(_ outlines: [[ShapePoint]], margin: Double) {
    let loops = outlines.map { Self.corners($0) }.filter { $0.count > 2 }
    let xs = loops.joined().map(\.x), ys = loops.joined().map(\.y)
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(), left < right, top < bottom else {
      return nil
    }
    self.loops = loops
    self.margin = margin
    self.top = top - margin
    self.bottom = bottom + margin
  }

  /// Removes points that do not change direction.
  private static func corners(_ points: [ShapePoint]) -> [ShapePoint] {
    func isCorner(_ a: ShapePoint, _ b: ShapePoint, _ c: ShapePoint) -> Bool { (b.x - a.x) * (c.y - b.y) != (b.y - a.y) * (c.x - b.x) }
    var result: [ShapePoint] = []
    for point in points where point != result.last {
      if result.count > 1, !isCorner(result[result.count - 2], result[result.count - 1], point) { result.removeLast() }
      result.append(point)
    }
    if let first = result.first, result.count > 1, result.last == first { result.removeLast() }
    return result
  }

  func excluded(from y1: Double, to y2: Double) -> ClosedRange<Double>? {
    guard FloatShape.overlaps(y1, y2, top, bottom) else { return nil }
    var left = Double.infinity, right = -Double.infinity
    for points in loops {
      guard var previous = points.last else { continue }
      for point in points {
        if let (low, high) = margin > 0 ? capsule(previous, point, y1, y2) : segment(previous, point, y1, y2) {
          left = min(left, low)
          right = max(right, high)
        }
        previous = point
      }
    }
    return left <= right ? left...right : nil
  }

  /// The horizontal span of an edge in the band.
  private func segment(_ a: ShapePoint, _ b: ShapePoint, _ y1: Double, _ y2: Double) -> (Double, Double)? {
    guard let (from, to) = parameters(a, b, y1, y2) else { return nil }
    let x1 = a.x + (b.x - a.x) * from, x2 = a.x + (b.x - a.x) * to
    return (min(x1, x2), max(x1, x2))
  }

  /// The parameters in 0...1 of the edge from `a` to `b` between two heights.
  private func parameters(_ a: ShapePoint, _ b: ShapePoint, _ y1: Double, _ y2: Double) -> (Double, Double)? {
    // An edge along the border of the band, or one that ends there, is outside.
    guard y1 == y2 ? min(a.y, b.y) <= y2 && max(a.y, b.y) >= y1 : min(a.y, b.y) < y2 && max(a.y, b.y) > y1 else { return nil }
    guard a.y != b.y else { return (0, 1) }
    let t1 = (y1 - a.y) / (b.y - a.y), t2 = (y2 - a.y) / (b.y - a.y)
    return (max(0, min(t1, t2)), min(1, max(t1, t2)))
  }

  /// The horizontal span in the band of the points closer to an edge than the margin.
  private func capsule(_ a: ShapePoint, _ b: ShapePoint, _ y1: Double, _ y2: Double) -> (Double, Double)? {
    guard let (from, to) = parameters(a, b, y1 - margin, y2 + margin) else { return nil }
    func extent(_ t: Double) -> (x: Double, half: Double) {
      let y = a.y + (b.y - a.y) * t, distance = max(0, y1 - y, y - y2)
      return (a.x + (b.x - a.x) * t, max(0, margin * margin - distance * distance).squareRoot())
    }
    return (
      Self.minimum(from, to) { t in extent(t).x - extent(t).half },
      -Self.minimum(from, to) { t in -(extent(t).x + extent(t).half) }
    )
  }

  /// The minimum of a convex function.
  private static func minimum(_ from: Double, _ to: Double, _ value: (Double) -> Double) -> Double {
    var (low, high) = (from, to)
    for _ in 0..<48 {
      let a = low + (high - low) / 3, b = high - (high - low) / 3
      if value(a) <= value(b) { high = b } else { low = a }
    }
    return min(value((low + high) / 2), value(from), value(to))
  }
}

/// The opaque part of an image: one span per pixel row.
struct RasterShape: Sendable {
  /// The position of the first row.
  var top: Int
  var rows: [ClosedRange<Int>?]

  func excluded(from y1: Double, to y2: Double) -> ClosedRange<Double>? {
    let first = Int(max(-1e6, min(y1, 1e6)).rounded(.down)), last = Int(max(-1e6, min(y2, 1e6)).rounded())
    var result: ClosedRange<Double>?
    for row in first..<max(first + 1, last) where rows.indices.contains(row - top) {
      guard let span = rows[row - top] else { continue }
      let (low, high) = (Double(span.lowerBound), Double(span.upperBound))
      result = result.map { min($0.lowerBound, low)...max($0.upperBound, high) } ?? low...high
    }
    return result
  }

  /// Adds everything closer than `margin` px, between two rows. Chromium rounds the margin up to whole pixels, and the extents at each
  /// distance down. https://drafts.csswg.org/css-shapes-1/#shape-margin-property
  func grown(by margin: Double, from first: Int, to end: Int) -> RasterShape {
    let radius = Int(min(margin, 10_000).rounded(.up))
    guard radius > 0, first < end else { return self }
    let extents = (0...radius).map { Int(Double(radius * radius - $0 * $0).squareRoot()) }
    var grown = [ClosedRange<Int>?](repeating: nil, count: end - first)
    for (index, span) in rows.enumerated() {
      guard let span else { continue }
      let start = max(first, top + index - radius)
      for row in start..<max(start, min(end, top + index + radius + 1)) {
        let extent = extents[abs(row - top - index)]
        let low = span.lowerBound - extent, high = span.upperBound + extent
        grown[row - first] = grown[row - first].map { min($0.lowerBound, low)...max($0.upperBound, high) } ?? low...high
      }
    }
    return RasterShape(top: first, rows: grown)
  }
}
