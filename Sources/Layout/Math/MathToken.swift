import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// Text with the height of its ink. https://w3c.github.io/mathml-core/#layout-of-mtext
enum MathToken {
  static func layout(_ frame: inout MathFrame) throws -> LayoutResult {
    let engine = frame.engine
    let ink = ink(frame)
    let ascent = frame.edges.blockStart + ink.ascent
    guard engine.tree[frame.box].hasInlineChildren else {
      return try frame.finish(ascent: ascent, descent: ink.descent + frame.edges.blockEnd)
    }
    let container = FloatContainer(
      direction: frame.direction, lineLeft: .zero, inlineSize: frame.contentInline, percentageBlock: nil, availableBlock: nil)
    let lines = try InlineFormattingContext.layout(
      engine, frame.box,
      InlineFormattingContext.Context(
        container: container, blockOffset: .zero, exclusions: ExclusionSpace(), isMeasure: frame.input.isMeasure))
    let baseline = lines.firstBaseline ?? .zero
    // Chromium only shows the first line.
    for item in lines.items.prefix(while: { $0.blockOffset <= lines.items.first?.blockOffset ?? .zero }) {
      guard let link = item.link else { continue }
      // Lines are positioned from the line-left edge.
      let left = frame.direction.isFlippedInline ? frame.contentInline - item.lineLeft - item.size.width : item.lineLeft
      frame.addPiece(
        link.fragment, item.size,
        at: LogicalOffset(inline: frame.edges.inlineStart + left, block: ascent - baseline + item.blockOffset))
    }
    return try frame.finish(ascent: ascent, descent: ink.descent + frame.edges.blockEnd)
  }

  static func sizes(_ measure: MathMeasure) throws -> MinMaxSizes {
    guard measure.engine.tree[measure.box].hasInlineChildren else { return MinMaxSizes() }
    return try InlineFormattingContext.intrinsicSizes(measure.engine, measure.box, LayoutInput(availableInline: nil))
  }

  /// The ink extents of the text relative to the baseline. Chromium measures the text before `text-transform`.
  private static func ink(_ frame: MathFrame) -> (ascent: LayoutUnit, descent: LayoutUnit) {
    let engine = frame.engine
    let text = MathTokenText.content(of: engine.tree[frame.box].node, engine.tree.styled.document)
    let run = engine.fonts.shape(text, font: frame.font.handle, isRightToLeft: frame.direction.isRTL)
    var ascent = -Float.infinity, descent = -Float.infinity
    for segment in run.segments {
      for glyph in run.glyphs[segment.glyphs] {
        let ink = engine.fonts.ink(glyph.glyph, segment.face, size: segment.size)
        guard ink.height > 0 || ink.width > 0 else { continue }
        ascent = max(ascent, ink.ascent - glyph.yOffset)
        descent = max(descent, ink.descent + glyph.yOffset)
      }
    }
    guard ascent.isFinite, descent.isFinite else { return (.zero, .zero) }
    return (LayoutUnit(ascent), LayoutUnit(descent))
  }
}
