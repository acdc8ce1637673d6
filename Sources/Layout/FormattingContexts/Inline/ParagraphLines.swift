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

    var size: LayoutUnit { end - start }
  }

  let items: [FlowItem]
  let lines: [Line]
  let annotationSpace: LayoutUnit

  init(_ result: InlineFormattingContext.Result) {
    items = result.items
    lines = result.lines
    annotationSpace = result.annotationSpace
  }
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

  static func lines(_ engine: LayoutEngine, _ box: BoxID, _ context: InlineFormattingContext.Context) throws -> ParagraphLines {
    let key = Key(
      box: box, inlineSize: context.container.inlineSize, percentageBlock: context.container.percentageBlock,
      annotationSpace: context.annotationSpace, isMeasure: context.isMeasure)
    if let known = engine.paragraphs.known[key] { return known }
    var context = context
    context.recordsLines = true
    let lines = ParagraphLines(try InlineFormattingContext.layout(engine, box, context))
    engine.paragraphs.known[key] = lines
    return lines
  }
}
