import OffprintCSS
import OffprintCoreTypes

// Strokes of at most one pixel, drawn like Skia's antialiased hairlines: each column that a line crosses (each row, if the line is steep)
// receives one pixel of coverage, divided between the two pixels nearest to the line.
extension CoverageMask {
  private static let maximumElements = 4096
  private static let farthest = 30_000.0

  /// Returns false for strokes that are wider, dashed, crisp, of glyphs, or entirely parallel to the axes. These are filled as shapes.
  func strokeHairline(_ path: VectorPath, _ stroke: Stroke, _ transform: AffineTransform) -> Bool {
    guard !stroke.isCrisp, !stroke.strokesGlyph, stroke.dashes.isEmpty, path.elements.count <= Self.maximumElements else { return false }
    let across = Self.length(stroke.width * transform.a, stroke.width * transform.b)
    let down = Self.length(stroke.width * transform.c, stroke.width * transform.d)
    guard across <= 1, down <= 1, across > 0, down > 0 else { return false }
    let lines = HairlineMetrics(path, transform, cap: stroke.cap)
    guard lines.isOblique, lines.farthest < Self.farthest else { return false }
    let coverage = (across + down) / 2
    for line in lines.lines { draw(line.0, line.1, coverage) }
    return true
  }

  /// The approximate length of a vector.
  private static func length(_ x: Double, _ y: Double) -> Double { max(abs(x), abs(y)) + min(abs(x), abs(y)) / 2 }

  private func draw(_ a: DisplayPoint, _ b: DisplayPoint, _ coverage: Double) {
    func fixed(_ value: Double) -> Int { Int((value * 64).rounded(.towardZero)) }
    let (x0, y0, x1, y1) = (fixed(a.x), fixed(a.y), fixed(b.x), fixed(b.y))
    let isSteep = abs(x1 - x0) <= abs(y1 - y0)
    let (from, start, to, end) = isSteep ? (y0, x0, y1, x1) : (x0, y0, x1, y1)
    guard from != to else { return }
    let (low, first, high, last) = from < to ? (from, start, to, end) : (to, end, from, start)
    let slope = Double(last - first) / Double(high - low)
    let begin = low >> 6, stop = (high + 63) >> 6
    let limits = isSteep ? rect.top..<rect.bottom : rect.left..<rect.right
    for place in max(begin, limits.lowerBound)..<max(begin, limits.lowerBound, min(stop, limits.upperBound)) {
      // The end pixels are covered in part.
      var part = 64
      if place == begin { part -= low & 63 }
      if place == stop - 1, high & 63 != 0 { part -= 64 - high & 63 }
      let middle = (Double(first) + slope * (Double(place * 64 + 32 - low))) / 64 + 0.5
      let next = Int(middle.rounded(.down)), share = middle - Double(next)
      let amount = coverage * Double(part) / 64
      add(amount * (1 - share), place, next - 1, isSteep)
      add(amount * share, place, next, isSteep)
    }
  }

  @inline(__always) private func add(_ amount: Double, _ along: Int, _ across: Int, _ isSteep: Bool) {
    let (x, y) = isSteep ? (across, along) : (along, across)
    guard x >= rect.left, x < rect.right, y >= rect.top, y < rect.bottom else { return }
    let pixel = row(y) + (x - rect.left)
    let value = Int((max(0, min(1, amount)) * 255).rounded()), below = Int(pixel.pointee)
    pixel.pointee = UInt8(truncatingIfNeeded: min(255, below + value - (below * value + 127) / 255))
  }
}

/// The line segments of a path, in pixels of the image.
private struct HairlineMetrics {
  private(set) var lines: [(DisplayPoint, DisplayPoint)] = []
  /// Whether a segment is parallel to neither axis.
  private(set) var isOblique = false
  private(set) var farthest = 0.0
  private var open: Int?
  /// The distance by which caps extend a line.
  private let outset: Double

  init(_ path: VectorPath, _ transform: AffineTransform, cap: LineCap) {
    outset = cap == .butt ? 0 : cap == .square ? 0.5 : Double.pi / 8
    var current = DisplayPoint(0, 0), start = current
    for element in path.elements {
      switch element {
      case .move(let p):
        endFigure()
        current = transform.map(p)
        start = current
      case .line(let p):
        let next = transform.map(p)
        add(current, next)
        current = next
      case .cubic(let a, let b, let c):
        let (p, q, r) = (transform.map(a), transform.map(b), transform.map(c))
        curve(current, p, q, r)
        current = r
      case .close:
        add(current, start)
        open = nil
        current = start
      }
    }
    endFigure()
  }

  private mutating func add(_ a: DisplayPoint, _ b: DisplayPoint) {
    guard a.x.isFinite, a.y.isFinite, b.x.isFinite, b.y.isFinite else { farthest = .infinity; return }
    farthest = max(farthest, abs(a.x), abs(a.y), abs(b.x), abs(b.y))
    if a.x != b.x, a.y != b.y { isOblique = true }
    if open == nil { open = lines.count }
    lines.append((a, b))
  }

  private mutating func curve(_ p: DisplayPoint, _ a: DisplayPoint, _ b: DisplayPoint, _ c: DisplayPoint) {
    func bend(_ p: DisplayPoint, _ a: DisplayPoint, _ b: DisplayPoint) -> Double { abs(p.x - 2 * a.x + b.x) + abs(p.y - 2 * a.y + b.y) }
    let size = max(bend(p, a, b), bend(a, b, c))
    let count = size.isFinite ? max(1, min(64, Int(min(size, 1e6).squareRoot().rounded(.up)) * 2)) : 1
    var last = p
    for index in 1...count {
      let t = Double(index) / Double(count), u = 1 - t
      func mix(_ p: Double, _ a: Double, _ b: Double, _ c: Double) -> Double {
        u * u * u * p + 3 * u * u * t * a + 3 * u * t * t * b + t * t * t * c
      }
      let next = index == count ? c : DisplayPoint(mix(p.x, a.x, b.x, c.x), mix(p.y, a.y, b.y, c.y))
      add(last, next)
      last = next
    }
  }

  /// Extends the lines at the ends of an open figure by their caps.
  private mutating func endFigure() {
    defer { open = nil }
    guard outset > 0, let first = open, let last = lines.indices.last else { return }
    func moved(_ end: DisplayPoint, from other: DisplayPoint) -> DisplayPoint {
      let dx = end.x - other.x, dy = end.y - other.y, length = (dx * dx + dy * dy).squareRoot()
      return length > 0 ? DisplayPoint(end.x + dx / length * outset, end.y + dy / length * outset) : end
    }
    lines[first].0 = moved(lines[first].0, from: lines[first].1)
    lines[last].1 = moved(lines[last].1, from: lines[last].0)
  }
}
