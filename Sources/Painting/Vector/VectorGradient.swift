internal import COffprintCairo
import OffprintCoreTypes

/// A gradient as a cairo pattern. Gradients interpolated in another space than sRGB or with varying alpha are approximated by additional stops.
final class VectorGradient {
  let pattern: OpaquePointer?
  /// From the coordinates of the pattern to those of the tile.
  private(set) var transform = AffineTransform.identity

  private static let steps = 24

  /// Nil if the gradient is a single color, or conic.
  init?(_ gradient: ResolvedGradient) {
    guard let first = gradient.stops.first?.offset, let last = gradient.stops.last?.offset, gradient.stops.count > 1 else { return nil }
    // The part of the gradient line between the first and the last stop.
    var (start, end) = (Double(first), Double(last))
    guard start.isFinite, end.isFinite, abs(start) < 1e6, abs(end) < 1e6 else { return nil }
    if end - start < 1e-6 { end = start + 1e-6 }
    func point(_ a: DisplayPoint, _ b: DisplayPoint, _ t: Double) -> DisplayPoint {
      DisplayPoint(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)
    }
    switch gradient.geometry {
    case .linear(let from, let to):
      let (a, b) = (point(from, to, start), point(from, to, end))
      guard a != b else { return nil }
      pattern = cairo_pattern_create_linear(a.x, a.y, b.x, b.y)
    case .radial(let center, let rx, let ry):
      guard rx > 0, ry > 0, rx.isFinite, ry.isFinite else { return nil }
      // Radii cannot be negative; a repeating gradient is shifted by whole periods instead.
      let offset = start < 0 && gradient.isRepeating ? (-start / (end - start)).rounded(.up) * (end - start) : 0
      if !gradient.isRepeating { start = max(start, 0) }
      guard end + offset > 0, end > start else { return nil }
      pattern = cairo_pattern_create_radial(0, 0, (start + offset) * rx, 0, 0, (end + offset) * rx)
      transform = AffineTransform(a: 1, b: 0, c: 0, d: ry / rx, e: center.x, f: center.y)
    case .conical(let focus, let focal, let center, let radius):
      (start, end) = (0, 1)
      pattern = cairo_pattern_create_radial(focus.x, focus.y, max(0, focal), center.x, center.y, max(0, radius))
    case .conic: return nil
    }
    cairo_pattern_set_extend(pattern, gradient.isRepeating ? CAIRO_EXTEND_REPEAT : CAIRO_EXTEND_PAD)
    addStops(gradient, start, end)
  }

  deinit { cairo_pattern_destroy(pattern) }

  private func addStops(_ gradient: ResolvedGradient, _ start: Double, _ end: Double) {
    func add(_ offset: Double, _ color: Color) {
      let place = min(max((offset - start) / (end - start), 0), 1)
      func part(_ value: Float) -> Double { value > 0 ? Double(min(value, 1)) : 0 }
      cairo_pattern_add_color_stop_rgba(pattern, place, part(color.red), part(color.green), part(color.blue), part(color.alpha))
    }
    for (index, stop) in gradient.stops.enumerated() {
      if Double(stop.offset) >= start { add(Double(stop.offset), stop.color) }
      guard gradient.stops.indices.contains(index + 1) else { return }
      let next = gradient.stops[index + 1]
      let crosses = Double(stop.offset) < start && Double(next.offset) > start
      guard next.offset > stop.offset, crosses || gradient.space != .srgb || !stop.color.isOpaque || !next.color.isOpaque else { continue }
      for step in (crosses ? 0 : 1)..<Self.steps {
        let offset = stop.offset + (next.offset - stop.offset) * Float(step) / Float(Self.steps)
        if Double(offset) < start, Double(stop.offset + (next.offset - stop.offset) * Float(step + 1) / Float(Self.steps)) < start {
          continue
        }
        add(max(Double(offset), start), Self.color(gradient.color(at: max(offset, Float(start)))))
      }
    }
  }

  private static func color(_ premultiplied: SIMD4<Float>) -> Color {
    let alpha = premultiplied.w
    guard alpha > 0 else { return .transparent }
    return Color(red: premultiplied.x / alpha, green: premultiplied.y / alpha, blue: premultiplied.z / alpha, alpha: alpha)
  }
}
