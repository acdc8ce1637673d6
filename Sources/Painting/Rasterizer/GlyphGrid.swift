import OffprintCoreTypes
import OffprintTypography

/// Where Skia places glyphs of text that is turned by a right angle or scaled differently in both axes: the baseline at whole pixels, and along it
/// at quarters of pixels, as for upright text (`SkScalerContext::computeAxisAlignmentForHText`).
struct GlyphGrid {
  private let transform: AffineTransform
  private let inverse: AffineTransform
  private let isVertical: Bool
  private let isWhole: Bool

  /// Nil for other transforms, and for outlines that Skia draws as paths: strokes and large glyphs.
  ///
  /// - Parameters:
  ///   - transform: From the axes of the glyphs to pixels.
  ///   - isWhole: Glyphs are at whole pixels along the baseline as well.
  init?(_ transform: AffineTransform, _ run: GlyphRun, isWhole: Bool) {
    let isHorizontal = transform.b == 0 && transform.c == 0
    guard isHorizontal || transform.a == 0 && transform.d == 0, run.strokeWidth <= 0, let inverse = transform.inverted else { return nil }
    let scale = max(abs(transform.a), abs(transform.b), abs(transform.c), abs(transform.d))
    guard scale.isFinite, Double(run.size) * scale <= Double(GlyphRasterizer.maximumSize) else { return nil }
    (self.transform, self.inverse, self.isWhole, isVertical) = (transform, inverse, isWhole, !isHorizontal)
  }

  func snapped(_ pen: DisplayPoint) -> DisplayPoint {
    let point = transform.map(pen)
    return inverse.map(isVertical ? DisplayPoint(whole(point.x), along(point.y)) : DisplayPoint(along(point.x), whole(point.y)))
  }

  private func whole(_ v: Double) -> Double { (v + 0.5).rounded(.down) }

  private func along(_ v: Double) -> Double { isWhole ? whole(v) : (v * 4 + 0.5).rounded(.down) / 4 }
}
