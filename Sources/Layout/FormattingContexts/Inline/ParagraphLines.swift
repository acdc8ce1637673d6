internal import OffprintCoreTypes

/// The lines of a block container without floats in them or beside them. They are laid out once, and each fragment of the block container
/// takes some of them.
final class ParagraphLines {
  struct Line {
    /// The line, and boxes out of flow that it has the static positions of, as numbers of items.
    var items: Range<Int>
    /// Where the line before ends, and where this one does, from the content box's edge. Room for annotations is between.
    var start: LayoutUnit
    var end: LayoutUnit
    /// From `start`; nil: nothing is on the line.
    var baseline: LayoutUnit?
    /// How far floats push the line down.
    var pushed: LayoutUnit
    /// Where the line begins.
    var state: InlineState

    var size: LayoutUnit { end - start }
  }

  let items: [FlowItem]
  let lines: [Line]
  let annotationSpace: LayoutUnit
  let exclusions: ExclusionSpace
  let floatsBehind: [FlowItem]
  let end: InlineCursor
  /// The last of them is the last of the block container.
  let isComplete: Bool

  /// The line that begins at a place.
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

/// Where lines go on.
struct InlineState: Hashable {
  var cursor = InlineCursor(item: 0, offset: 0)
  /// Tags open there, by item.
  var openTags: [Int] = []
  /// Lines before.
  var lineCount = 0
  var isAfterForcedBreak = true
}

/// Paragraphs by what their lines depend on.
struct ParagraphCache {
  private struct Key: Hashable {
    var box: BoxID
    var inlineSize: LayoutUnit
    var percentageBlock: LayoutUnit?
    var annotationSpace: LayoutUnit
    var isMeasure: Bool
  }
  private var known: [Key: ParagraphLines] = [:]

  /// The lines from a place on, as they are beside the floats of the context.
  ///
  /// - Returns: with the number of the first of them.
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
