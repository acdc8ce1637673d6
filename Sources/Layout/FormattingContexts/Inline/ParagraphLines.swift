internal import OffprintCoreTypes

/// The lines of a block container. Without floats in them or next to them they are laid out once, and shared by all fragments of the block
/// container.
final class ParagraphLines {
  struct Line {
    /// The items of the line and of out-of-flow boxes with static positions on it, as indices.
    var items: Range<Int>
    /// The ends of the previous line and of this one, relative to the content box. The line includes space for annotations.
    var start: LayoutUnit
    var end: LayoutUnit
    /// Relative to `start`; nil for an empty line.
    var baseline: LayoutUnit?
    /// The distance that floats push the line down.
    var pushed: LayoutUnit
    /// Whether annotations push the line down.
    var isBelowAnnotation: Bool
    /// The state at the start of the line.
    var state: InlineState

    var size: LayoutUnit { end - start }
  }

  let items: [FlowItem]
  let lines: [Line]
  let annotationSpace: LayoutUnit
  let exclusions: ExclusionSpace
  let floatsBehind: [FlowItem]
  let end: InlineCursor
  /// Whether the last line is that of the block container.
  let isComplete: Bool

  /// The index of the line that starts at a state.
  func number(of state: InlineState) -> Int? {
    var low = 0, high = lines.count
    while low < high {
      let middle = (low + high) / 2, cursor = lines[middle].state.cursor
      if (cursor.item, cursor.offset) < (state.cursor.item, state.cursor.offset) { low = middle + 1 } else { high = middle }
    }
    return lines.indices.contains(low) && lines[low].state.cursor == state.cursor ? low : nil
  }

  init(_ result: InlineFormattingContext.Result) {
    items = result.items
    lines = result.lines
    annotationSpace = result.annotationSpace
    exclusions = result.exclusions
    floatsBehind = result.floatsBehind
    end = result.end
    isComplete = result.isComplete
  }
}

/// The state at the start of a line.
struct InlineState: Hashable {
  var cursor = InlineCursor(item: 0, offset: 0)
  /// The items of tags open there.
  var openTags: [Int] = []
  /// The number of preceding lines.
  var lineCount = 0
  var isAfterForcedBreak = true
}

/// Caches paragraphs by everything that affects their lines.
struct ParagraphCache {
  private struct Key: Hashable {
    var box: BoxID
    var inlineSize: LayoutUnit
    var percentageBlock: LayoutUnit?
    var annotationSpace: LayoutUnit
    var isMeasure: Bool
  }
  private var known: [Key: ParagraphLines] = [:]

  /// The lines starting at `state`, next to the floats of the context.
  ///
  /// - Returns: The paragraph, and the index of its line that starts at `state`.
  static func lines(
    _ engine: LayoutEngine, _ box: BoxID, _ context: InlineFormattingContext.Context, from state: InlineState
  ) throws -> (paragraph: ParagraphLines, first: Int) {
    if context.exclusions.isEmpty, !InlineFormattingContext.items(engine, box).hasFloats {
      let paragraph = try lines(engine, box, context)
      if let first = paragraph.number(of: state) { return (paragraph, first) }
    }
    var context = context
    context.recordsLines = true
    context.start = state
    return (ParagraphLines(try InlineFormattingContext.layout(engine, box, context)), 0)
  }

  private static func lines(
    _ engine: LayoutEngine, _ box: BoxID, _ context: InlineFormattingContext.Context
  ) throws -> ParagraphLines {
    let key = Key(
      box: box, inlineSize: context.container.inlineSize, percentageBlock: context.container.percentageBlock,
      annotationSpace: context.annotationSpace, isMeasure: context.isMeasure)
    if let known = engine.paragraphs.known[key] { return known }
    var context = context
    context.recordsLines = true
    context.bottom = nil
    let lines = ParagraphLines(try InlineFormattingContext.layout(engine, box, context))
    engine.paragraphs.known[key] = lines
    return lines
  }
}
