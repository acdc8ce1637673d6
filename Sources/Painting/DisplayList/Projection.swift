import OffprintCoreTypes

/// A projective map of the plane: x' = (a·x + b·y + c) / w, y' = (d·x + e·y + f) / w, w = g·x + h·y + i.
///
/// https://drafts.csswg.org/css-transforms-2/#3d-transform-rendering
public struct Projection: Hashable, Sendable, BitwiseCopyable {
  var x: SIMD3<Double>
  var y: SIMD3<Double>
  var w: SIMD3<Double>

  init(x: SIMD3<Double>, y: SIMD3<Double>, w: SIMD3<Double>) { self.x = x; self.y = y; self.w = w }

  init(_ transform: AffineTransform) {
    x = SIMD3(transform.a, transform.c, transform.e)
    y = SIMD3(transform.b, transform.d, transform.f)
    w = SIMD3(0, 0, 1)
  }

  /// Applies `first`, then this.
  func concatenating(_ first: Projection) -> Projection {
    func row(_ r: SIMD3<Double>) -> SIMD3<Double> { first.x * r.x + first.y * r.y + first.w * r.z }
    return Projection(x: row(x), y: row(y), w: row(w))
  }

  /// The equivalent affine transform; nil if absent.
  var affine: AffineTransform? {
    guard w.x == 0, w.y == 0, w.z > 0 else { return nil }
    return AffineTransform(a: x.x / w.z, b: y.x / w.z, c: x.y / w.z, d: y.y / w.z, e: x.z / w.z, f: y.z / w.z)
  }

  /// Nil for points behind the viewer.
  func map(_ p: DisplayPoint) -> DisplayPoint? {
    let v = SIMD3(p.x, p.y, 1), depth = (w * v).sum()
    return depth > 1e-9 ? DisplayPoint((x * v).sum() / depth, (y * v).sum() / depth) : nil
  }

  /// The inverse map for points in front of the viewer; nil if the plane is seen edge-on.
  var inverted: Projection? {
    func cross(_ p: SIMD3<Double>, _ q: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x)
    }
    let (p, q, r) = (cross(y, w), cross(w, x), cross(x, y)), determinant = (x * p).sum()
    guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
    let scale = 1 / determinant
    return Projection(x: SIMD3(p.x, q.x, r.x) * scale, y: SIMD3(p.y, q.y, r.y) * scale, w: SIMD3(p.z, q.z, r.z) * scale)
  }

  /// The pixels that `rect` may cover; all of `limits` if a part of it is behind the viewer.
  func mapBounds(_ rect: PixelRect, limits: PixelRect) -> PixelRect {
    if rect.isEmpty { return .empty }
    var low = DisplayPoint(.infinity, .infinity), high = DisplayPoint(-.infinity, -.infinity)
    for (px, py) in [(rect.left, rect.top), (rect.right, rect.top), (rect.left, rect.bottom), (rect.right, rect.bottom)] {
      guard let p = map(DisplayPoint(Double(px), Double(py))) else { return limits }
      low = DisplayPoint(min(low.x, p.x), min(low.y, p.y))
      high = DisplayPoint(max(high.x, p.x), max(high.y, p.y))
    }
    let area = DisplayRect(x: low.x - 1, y: low.y - 1, width: high.x - low.x + 2, height: high.y - low.y + 2).enclosing
    return area.intersection(limits)
  }
}
