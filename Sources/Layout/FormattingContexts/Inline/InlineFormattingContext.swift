internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// The inline formatting context of a block container with inline-level children. https://drafts.csswg.org/css-inline-3/#model
enum InlineFormattingContext {
  /// Where the content box lies in its block formatting context, and what is there already.
  struct Context {
    /// The content box: its line-left edge in the block formatting context, its inline size, what percentages refer to.
    var container: FloatContainer
    /// The content box's block-start edge in the block formatting context.
    var blockOffset: LayoutUnit
    var exclusions: ExclusionSpace
    /// Only sizes are asked for: fragments get no glyphs.
    var isMeasure = false
    var lineClamp: LineClamp?
    /// Room above the first line that its annotations may take.
    var annotationSpace = LayoutUnit.zero
    /// The result is to say where each line is.
    var recordsLines = false
    /// The first line.
    var start = InlineState()
    /// Lines that end behind it, from the content box's edge, are laid out only to know how many follow: no more than `extraLines`.
    var bottom: LayoutUnit?
    var extraLines = 0
    /// The most lines.
    var maximumLines = Int.max
    /// What lines are filled to, whatever size they are aligned in.
    var lineLimit: LayoutUnit?

    init(
      container: FloatContainer, blockOffset: LayoutUnit, exclusions: ExclusionSpace, isMeasure: Bool = false, lineClamp: LineClamp? = nil
    ) {
      self.container = container; self.blockOffset = blockOffset; self.exclusions = exclusions; self.isMeasure = isMeasure
      self.lineClamp = lineClamp
    }
  }

  struct Result {
    /// Line fragments, floats and out-of-flow boxes (items without a link that only carry a candidate), at offsets from the content
    /// box's line-left and block-start edges.
    var items: [FlowItem] = []
    /// From the content box's block-start edge to the end of the last line, clearance of a last `<br clear>` included; not of floats.
    var blockSize = LayoutUnit.zero
    /// From the content box's block-start edge.
    var firstBaseline: LayoutUnit?
    var lastBaseline: LayoutUnit?
    var lineCount = 0
    /// Lines are behind the last one that `line-clamp` leaves; the block size is without them.
    var continuesBehindClamp = false
    /// Room below the last line's content that annotations behind it may take.
    var annotationSpace = LayoutUnit.zero
    /// Those of the context and the floats met.
    var exclusions: ExclusionSpace
    /// No line is left.
    var isComplete = true
    /// Behind `maximumLines`: floats that the next line begins with, and where it goes on behind them.
    var floatsBehind: [FlowItem] = []
    var end = InlineCursor()
    /// By `recordsLines`.
    var lines: [ParagraphLines.Line] = []
  }

  /// Whether the contents make no line box with height, whatever the size: margins collapse through such a block container.
  static func isEmpty(_ engine: LayoutEngine, _ box: BoxID) -> Bool { items(engine, box).isEmpty }

  /// Lays the lines out. The block offset must be resolved, unless `isEmpty`.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ context: Context) throws -> Result {
    var layout = InlineLayout(engine, box, context)
    try layout.run()
    return layout.result
  }

  /// The min-content and max-content sizes of the content. `input` has what block-axis percentages of children refer to.
  ///
  /// - Parameter floats: The widths of those that are beside the first line already.
  static func intrinsicSizes(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, floats: (left: LayoutUnit, right: LayoutUnit) = (.zero, .zero)
  ) throws -> MinMaxSizes {
    // In Chromium all lines are measured in the styles of the first.
    let items = firstLineItems(engine, box) ?? items(engine, box)
    var measure = InlineMeasure(engine, box, input, items, floats: floats)
    return try measure.run()
  }

  /// The flattened contents, worked out once for each block container.
  static func items(_ engine: LayoutEngine, _ box: BoxID) -> InlineItems {
    if let known = engine.inlineCache.items[box] { return known }
    var builder = InlineItemsBuilder(engine, box, firstLine: nil)
    let items = builder.build()
    engine.inlineCache.items[box] = items
    return items
  }

  /// The contents in the styles of the first line; nil where `::first-line` changes nothing.
  ///
  /// https://drafts.csswg.org/css-pseudo-4/#first-line-styling
  static func firstLineItems(_ engine: LayoutEngine, _ box: BoxID) -> InlineItems? {
    guard let style = FirstLine.style(engine, box) else { return nil }
    if let known = engine.inlineCache.firstLineItems[box] { return known }
    var builder = InlineItemsBuilder(engine, box, firstLine: style)
    let items = builder.build()
    engine.inlineCache.firstLineItems[box] = items
    // The two have to agree in everything but fonts.
    return items.items.count == InlineFormattingContext.items(engine, box).items.count ? items : nil
  }
}
