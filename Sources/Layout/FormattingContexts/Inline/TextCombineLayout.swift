internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Tate-chu-yoko: horizontal text in the space of one character of a vertical line.
///
/// https://drafts.csswg.org/css-writing-modes-4/#text-combine-layout
enum TextCombineLayout {
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    let style = engine.style(box)
    let em = LayoutUnit(rounding: Double(style.font.size))
    let natural = try InlineFormattingContext.intrinsicSizes(engine, box, input).max
    let container = FloatContainer(
      direction: WritingDirection(style), lineLeft: .zero, inlineSize: natural, percentageBlock: nil, availableBlock: nil)
    let firstText = engine.fragments.texts.count
    let content = try InlineFormattingContext.layout(
      engine, box, InlineFormattingContext.Context(container: container, blockOffset: .zero, exclusions: ExclusionSpace()))
    if natural > em { compress(engine, firstText, by: em.float / natural.float) }
    let left = (em - min(natural, em)) / 2, top = (em - content.blockSize) / 2
    let links = content.items.compactMap { item in
      item.link.map { FragmentLink(fragment: $0.fragment, offset: LayoutPoint(x: item.lineLeft + left, y: item.blockOffset + top)) }
    }
    let size = LayoutSize(width: em, height: em)
    let fragment = Fragment(kind: .box, box: box, style: style, size: size)
    return LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: em)
  }

  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID) -> MinMaxSizes {
    let em = LayoutUnit(rounding: Double(engine.style(box).font.size))
    return MinMaxSizes(min: em, max: em)
  }

  /// https://drafts.csswg.org/css-writing-modes-4/#text-combine-compression
  private static func compress(_ engine: LayoutEngine, _ first: Int, by scale: Float) {
    guard scale > 0, scale.isFinite else { return }
    for index in engine.fragments.texts.indices.dropFirst(first) { engine.fragments.texts[index].horizontalScale = scale }
  }
}
