internal import COffprintCairo
internal import COffprintPixels
import OffprintCSS
import OffprintCoreTypes
import Glibc

/// The coverage of each pixel in a rectangle: one byte per pixel, rows `stride` bytes apart.
final class CoverageMask {
  let rect: PixelRect
  let stride: Int
  let bytes: UnsafeMutablePointer<UInt8>
  private let block: LayerMemory.Block

  /// Creates a mask without coverage; nil if `rect` is empty or exceeds cairo's maximum surface size.
  init?(_ rect: PixelRect, _ memory: LayerMemory) throws {
    guard !rect.isEmpty, rect.width <= 32_000, rect.height <= 32_000 else { return nil }
    stride = (rect.width + 3) & ~3
    block = try memory.take(stride * rect.height)
    bytes = block.base.bindMemory(to: UInt8.self, capacity: stride * rect.height)
    self.rect = rect
  }

  @inline(__always) func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { bytes + (y - rect.top) * stride }

  /// Multiplies by `other`, which is 0 outside of its rectangle.
  func multiply(by other: CoverageMask) {
    let shared = rect.intersection(other.rect)
    let before = shared.isEmpty ? rect.width : shared.left - rect.left
    for y in rect.top..<rect.bottom {
      let out = row(y)
      guard y >= shared.top, y < shared.bottom else {
        memset(out, 0, rect.width)
        continue
      }
      let factor = other.row(y) + (shared.left - other.rect.left), inside = out + before
      memset(out, 0, before)
      pixels_multiply(inside, shared.width, factor)
      memset(inside + shared.width, 0, rect.right - shared.right)
    }
  }

  /// Multiplies by the inverse of `other`: 255 minus its coverage.
  func exclude(_ other: CoverageMask) {
    let shared = rect.intersection(other.rect)
    for y in shared.top..<max(shared.top, shared.bottom) {
      pixels_exclude(row(y) + (shared.left - rect.left), shared.width, other.row(y) + (shared.left - other.rect.left))
    }
  }

  func invert() { for i in 0..<stride * rect.height { bytes[i] = 255 - bytes[i] } }

  /// Draws into the mask with cairo, in coordinates of the image.
  func draw(_ body: (OpaquePointer) -> Void) {
    let surface = cairo_image_surface_create_for_data(
      bytes, CAIRO_FORMAT_A8, Int32(clamping: rect.width), Int32(clamping: rect.height), Int32(clamping: stride))
    defer { cairo_surface_destroy(surface) }
    guard let context = cairo_create(surface) else { return }
    cairo_translate(context, -Double(rect.left), -Double(rect.top))
    body(context)
    cairo_destroy(context)
    cairo_surface_flush(surface)
  }

  func fill(_ path: VectorPath, _ transform: AffineTransform) {
    draw { context in
      CairoPath.append(path, transform, to: context)
      if path.isCrisp { cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE) }
      cairo_set_fill_rule(context, path.evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
      cairo_fill(context)
    }
  }

  func stroke(_ path: VectorPath, _ stroke: Stroke, _ transform: AffineTransform) {
    guard stroke.width > 0, stroke.width.isFinite, let _ = transform.inverted else { return }
    // The number of vertices of a pen grows with its size on the device. Pens too large to have a visible edge are not drawn.
    guard min(stroke.width, 1e5) * transform.scales.largest < 1e6 else { return }
    if strokeHairline(path, stroke, transform) { return }
    draw { context in CairoPath.stroke(path, stroke, transform, in: context) }
  }
}

extension VectorPath {
  /// Replaces nearly straight curves by lines, so that their joins and caps follow the chord.
  /// https://www.w3.org/TR/SVG2/paths.html#PathElementImplementationNotes
  fileprivate var withFlatCurvesAsLines: VectorPath {
    var result = self, current = DisplayPoint(0, 0), start = current
    for index in elements.indices {
      switch elements[index] {
      case .move(let p): (current, start) = (p, p)
      case .line(let p): current = p
      case .cubic(let a, let b, let c):
        if Self.isFlat(current, a, b, c) { result.elements[index] = .line(c) }
        current = c
      case .close: current = start
      }
    }
    return result
  }

  private static func isFlat(_ p: DisplayPoint, _ a: DisplayPoint, _ b: DisplayPoint, _ c: DisplayPoint) -> Bool {
    let dx = c.x - p.x, dy = c.y - p.y, length = (dx * dx + dy * dy).squareRoot()
    guard length > 0, length.isFinite else { return false }
    func place(_ q: DisplayPoint) -> (along: Double, across: Double) {
      (((q.x - p.x) * dx + (q.y - p.y) * dy) / length, abs((q.x - p.x) * dy - (q.y - p.y) * dx) / length)
    }
    let first = place(a), second = place(b)
    return max(first.across, second.across) < 0.002 * length && first.along >= 0 && first.along <= second.along && second.along <= length
  }
}

enum CairoPath {
  /// Clamps coordinates to the range of cairo's fixed-point numbers.
  @inline(__always) private static func safe(_ value: Double) -> Double { value.isNaN ? 0 : max(-1e6, min(1e6, value)) }

  /// An upper bound of a path's length on the device, from Manhattan distances between control points.
  static func length(_ path: VectorPath, _ transform: AffineTransform) -> Double {
    var length = 0.0, start = DisplayPoint(0, 0), current = start
    func line(to point: DisplayPoint) {
      let mapped = transform.map(point), next = DisplayPoint(safe(mapped.x), safe(mapped.y))
      length += abs(next.x - current.x) + abs(next.y - current.y)
      current = next
    }
    for element in path.elements {
      switch element {
      case .move(let p):
        let mapped = transform.map(p)
        current = DisplayPoint(safe(mapped.x), safe(mapped.y))
        start = current
      case .line(let p): line(to: p)
      case .cubic(let a, let b, let c):
        line(to: a)
        line(to: b)
        line(to: c)
      case .close:
        length += abs(start.x - current.x) + abs(start.y - current.y)
        current = start
      }
    }
    return length
  }

  static func append(_ path: VectorPath, _ transform: AffineTransform, to context: OpaquePointer) {
    func point(_ p: DisplayPoint) -> (Double, Double) {
      let q = transform.map(p)
      return (safe(q.x), safe(q.y))
    }
    for element in path.elements {
      switch element {
      case .move(let p):
        let (x, y) = point(p)
        cairo_move_to(context, x, y)
      case .line(let p):
        let (x, y) = point(p)
        cairo_line_to(context, x, y)
      case .cubic(let a, let b, let c):
        let ((x1, y1), (x2, y2), (x3, y3)) = (point(a), point(b), point(c))
        cairo_curve_to(context, x1, y1, x2, y2, x3, y3)
      case .close: cairo_close_path(context)
      }
    }
  }

  /// Strokes a path.
  static func stroke(_ path: VectorPath, _ stroke: Stroke, _ transform: AffineTransform, in context: OpaquePointer) {
    append(path.withFlatCurvesAsLines, transform, to: context)
    var matrix = cairo_matrix_t(xx: transform.a, yx: transform.b, xy: transform.c, yy: transform.d, x0: transform.e, y0: transform.f)
    cairo_transform(context, &matrix)
    cairo_set_line_width(context, min(stroke.width, 1e5))
    if stroke.isCrisp { cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE) }
    switch stroke.cap {
    case .butt: cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
    case .round: cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    case .square: cairo_set_line_cap(context, CAIRO_LINE_CAP_SQUARE)
    }
    switch stroke.join {
    case .miter: cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
    case .round: cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    case .bevel: cairo_set_line_join(context, CAIRO_LINE_JOIN_BEVEL)
    }
    cairo_set_miter_limit(context, max(1, stroke.miterLimit))
    if stroke.dashes.reduce(0, +) > 0, stroke.dashes.allSatisfy({ $0 >= 0 && $0.isFinite }),
      length(path, transform) / transform.scales.smallest / stroke.dashes.reduce(0, +) < 100_000
    {
      cairo_set_dash(context, stroke.dashes, Int32(clamping: stroke.dashes.count), stroke.phase)
    }
    cairo_stroke(context)
  }
}
