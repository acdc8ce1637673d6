internal import OffprintCSS
internal import OffprintCoreTypes

/// A place between items or in a text.
struct InlineCursor: Hashable {
  var item = 0
  var offset = 0
  /// Within a ruby column that is broken.
  var ruby: RubyPlace?
}

/// An item, or the part of a text, that a line holds.
struct LinePiece {
  var item: Int
  var start: Int
  var end: Int
  var inlineSize = LayoutUnit.zero
  /// A line may end after it.
  var canBreakAfter = false
  /// Ends at a soft hyphen where the line is broken: a hyphen is drawn.
  var hasHyphen = false
  /// Spaces at the line's end that hang: not counted in its width.
  var hangs = false
  /// Atomic inlines: number in `LineBreaker.atomics`.
  var atomic = -1
}

/// An atomic inline as laid out.
struct AtomicInline {
  var result: LayoutResult
  /// In the axes of the line.
  var size: LogicalSize
  var margin: LogicalEdges
  /// How far a ruby column lies over the text before and behind it.
  var overhang = (start: LayoutUnit.zero, end: LayoutUnit.zero)
  /// What it may lie over text behind it, until there is any.
  var pendingOverhang = LayoutUnit.zero
  /// How far an initial letter is moved along the line; part of its margin.
  var bearing = LayoutUnit.zero
  /// What the line has of a ruby column that is broken.
  var rubyStart: RubyPlace?
  /// Of an annotation whose base is text of the line: what its part is filled to; nil: all that is left.
  var annotationLimit: LayoutUnit?
  /// No part of the annotation is left for the line.
  var isAnnotationDone = false
  /// The base of a ruby column has begun on a line before, and is text of this one.
  var isRubyContinuation = false
}

/// The content of a line, before it has a place.
struct LineInfo {
  var pieces: [LinePiece] = []
  var start = InlineCursor()
  /// Width of the content, indent and hanging spaces excluded.
  var width = LayoutUnit.zero
  var hangingWidth = LayoutUnit.zero
  /// Before the first content, at the inline-start edge.
  var indent = LayoutUnit.zero
  /// Something that makes a line box.
  var hasContent = false
  var hasForcedBreak = false
  var isLast = false
  var clear = Clear.none
  /// `text-fit`: what the sizes of text are multiplied by.
  var textScale = 1.0
  /// The edges of the space the line is in, in the block formatting context.
  var lineLeft = LayoutUnit.zero
  var lineRight = LayoutUnit.zero
  var availableWidth: LayoutUnit { (lineRight - lineLeft).clampedToZero }
  var overflows: Bool { width + indent > availableWidth + .epsilon }
}
