internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// The inline formatting context of a block container with inline-level children. https://drafts.csswg.org/css-inline-3/#model
enum InlineFormattingContext {
  /// The position of the content box in its block formatting context, and the exclusions there.
  struct Context {
    /// The content box: line-left edge in the block formatting context, inline size, and percentage bases.
    var container: FloatContainer
    /// The content box's block-start edge in the block formatting context.
    var blockOffset: LayoutUnit
    var exclusions: ExclusionSpace
    /// Only sizes are needed: fragments get no glyphs.
    var isMeasure = false
    var lineClamp: LineClamp?
    /// Space above the first line that its annotations may occupy.
    var annotationSpace = LayoutUnit.zero
    /// Whether `Result.lines` is filled.
    var recordsLines = false
    /// The state at the first line.
    var start = InlineState()
    /// The fragmentainer's end, from the content box's edge. At most `extraLines` lines ending after it are laid out, to decide about
    /// widows.
    var bottom: LayoutUnit?
    var extraLines = 0
    /// The maximum number of lines.
    var maximumLines = Int.max
    /// The size that lines are filled to, if it differs from the one they are aligned in.
    var lineLimit: LayoutUnit?

    init(
      container: FloatContainer, blockOffset: LayoutUnit, exclusions: ExclusionSpace, isMeasure: Bool = false, lineClamp: LineClamp? = nil
    ) {
      self.container = container; self.blockOffset = blockOffset; self.exclusions = exclusions; self.isMeasure = isMeasure
      self.lineClamp = lineClamp
    }
  }

  struct Result {
    /// Line fragments, floats and out-of-flow boxes (items without a link that only carry a candidate), relative to the line-left and
    /// block-start edges of the content box.
    var items: [FlowItem] = []
    /// From the content box's block-start edge to the end of the last line, including the clearance of a final `<br clear>`, without
    /// floats.
    var blockSize = LayoutUnit.zero
    /// Relative to the content box's block-start edge.
    var firstBaseline: LayoutUnit?
    var lastBaseline: LayoutUnit?
    var lineCount = 0
    /// Whether there are lines after the clamp point of `line-clamp`. The block size excludes them.
    var continuesAfterClamp = false
    /// Space below the contents of the last line that following annotations may occupy.
    var annotationSpace = LayoutUnit.zero
    /// The exclusions of the context and of the floats in the lines.
    var exclusions: ExclusionSpace
    /// Whether all lines are laid out.
    var isComplete = true
    /// The floats at the start of the line after the last of `maximumLines`, and the position after them.
    var floatsBehind: [FlowItem] = []
    var end = InlineCursor()
    /// Filled if `recordsLines` is set.
    var lines: [ParagraphLines.Line] = []
  }

  /// Whether the contents generate no line box with height at any size, so that margins collapse through the block container.
  static func isEmpty(_ engine: LayoutEngine, _ box: BoxID) -> Bool { items(engine, box).isEmpty }

  /// Lays out the lines. The block offset must be resolved, unless `isEmpty`.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ context: Context) throws -> Result {
    var layout = InlineLayout(engine, box, context)
    try layout.run()
    return layout.result
  }

  /// The min-content and max-content sizes of the contents. `input` contains the bases of block-axis percentages.
  ///
  /// - Parameter floats: The widths of preceding floats next to the first line.
  static func intrinsicSizes(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, floats: (left: LayoutUnit, right: LayoutUnit) = (.zero, .zero)
  ) throws -> MinMaxSizes {
    // Chromium measures all lines in the `::first-line` style.
    let items = firstLineItems(engine, box) ?? items(engine, box)
    var measure = InlineMeasure(engine, box, input, items, floats: floats)
    return try measure.run()
  }

  /// The flattened contents, built once for each block container.
  static func items(_ engine: LayoutEngine, _ box: BoxID) -> InlineItems {
    if let known = engine.inlineCache.items[box] { return known }
    var builder = InlineItemsBuilder(engine, box, firstLine: nil)
    let items = builder.build()
    engine.inlineCache.items[box] = items
    return items
  }

  /// The contents in the style of the first line; nil without `::first-line`.
  ///
  /// https://drafts.csswg.org/css-pseudo-4/#first-line-styling
  static func firstLineItems(_ engine: LayoutEngine, _ box: BoxID) -> InlineItems? {
    guard let style = FirstLine.style(engine, box) else { return nil }
    if let known = engine.inlineCache.firstLineItems[box] { return known }
    var builder = InlineItemsBuilder(engine, box, firstLine: style)
    let items = builder.build()
    engine.inlineCache.firstLineItems[box] = items
    // Both variants must have the same items; only their fonts may differ.
    return items.items.count == InlineFormattingContext.items(engine, box).items.count ? items : nil
  }
}
