import OffprintCSS
import OffprintCoreTypes
import OffprintLayout
import OffprintTypography

// https://drafts.csswg.org/css-text-decor-4/#emphasis-marks
struct EmphasisPainter: FragmentPainter {
  let context: PaintContext

  /// Paints a mark over or under each character that receives one.
  ///
  /// - Parameter maskColor: Overrides the color, if the marks are painted into a mask.
  func paint(_ style: ComputedStyle, _ line: TextPainter.TextLine, maskColor: Color?) {
    guard !line.text.emphasisCenters.isEmpty, let mark = fragments.fonts.emphasisMark(of: style),
      let metrics = fragments.fonts.metrics(of: style)
    else { return }
    let isOver = EmphasisMark.isOver(style)
    let color = maskColor ?? style.text.emphasisColor.resolve(style.text.color)
    let isUpright = line.isVertical && line.text.hasUprightMarks
    let size = line.text.scale
    let offset = size * (line.isVertical ? verticalOffset(isOver, mark, metrics, isUpright: isUpright) : offset(isOver, mark, line.text))
    let ink = inkCenter(mark), center = DisplayPoint(ink.x * Double(size), ink.y * Double(size))
    let glyphs = line.text.emphasisCenters.map { middle in
      isUpright
        ? GlyphRun.Glyph(id: mark.glyph, x: Float((Double(middle) - center.y) * scale), y: Float((Double(offset) + center.x) * scale))
        : GlyphRun.Glyph(id: mark.glyph, x: Float((Double(middle) - center.x) * scale), y: offset * Float(scale))
    }
    let run = GlyphRun(face: mark.face, size: mark.metrics.size * size * Float(scale), glyphs: glyphs, origin: line.origin, color: color)
    if maskColor == nil {
      text.forEachShadow(of: style, line, isUpright: isUpright) { shadow in
        var shade = run
        shade.color = shadow
        emit(shade, line, isUpright)
      }
    }
    emit(run, line, isUpright)
    // Chromium applies `-webkit-text-stroke` to the marks too.
    let strokeWidth = length(style.text.strokeWidth)
    guard strokeWidth > 0 else { return }
    var outline = run
    outline.strokeWidth = strokeWidth
    outline.color = maskColor ?? style.text.strokeColor.resolve(style.text.color)
    emit(outline, line, isUpright)
  }

  /// The distance from the baseline of the text to that of the marks. In horizontal lines the em boxes touch, like those of ruby.
  private func offset(_ isOver: Bool, _ mark: EmphasisMark, _ line: TextFragment) -> Float {
    isOver ? -(line.emphasisDistance.over + mark.emDescent) : line.emphasisDistance.under + mark.emAscent
  }

  private func emit(_ run: GlyphRun, _ line: TextPainter.TextLine, _ isUpright: Bool) {
    if isUpright { text.emitUpright(run, line) } else { text.emit(run, line) }
  }

  /// The distance in vertical lines, where em boxes are centered on central baselines. For upright marks it is measured to their center.
  private func verticalOffset(_ isOver: Bool, _ mark: EmphasisMark, _ metrics: FontMetrics, isUpright: Bool) -> Float {
    let half = (metrics.ascent + metrics.descent) / 2
    let em = half - max(0, half - metrics.size / 2).rounded(.down) + mark.metrics.size / 2
    let center = (isOver ? -em : em) - (metrics.ascent - metrics.descent) / 2
    return isUpright ? center : center + (mark.ascent - mark.descent) / 2
  }

  /// The center of the mark's ink, relative to its origin.
  private func inkCenter(_ mark: EmphasisMark) -> DisplayPoint {
    guard let glyphs = context.glyphs else { return DisplayPoint(Double(mark.metrics.size) / 2, 0) }
    var path = VectorPath()
    path.append(glyphs.outline(mark.face, size: mark.metrics.size, glyph: mark.glyph), at: DisplayPoint(0, 0), .identity)
    let bounds = path.bounds
    return DisplayPoint(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)
  }
}
