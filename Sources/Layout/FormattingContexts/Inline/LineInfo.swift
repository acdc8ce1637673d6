internal import OffprintCSS
internal import OffprintCoreTypes

/// A position between items or inside a text.
struct InlineCursor: Hashable {
  var item = 0
  var offset = 0
  /// The position inside a broken ruby column.
  var ruby: RubyPosition?
}

/// An item, or a part of a text, on a line.
struct LinePiece {
  var item: Int
  var start: Int
  var end: Int
  var inlineSize = LayoutUnit.zero
  /// Whether a line may end after this piece.
  var canBreakAfter = false
  /// Whether the line breaks at a soft hyphen after this piece, so that a hyphen is inserted.
  var hasHyphen = false
  /// Whether the piece consists of hanging spaces, which do not count toward the line's width.
  var hangs = false
  /// Atomic inlines: index into `LineBreaker.atomics`.
  var atomic = -1
}

/// The layout of an atomic inline.
struct AtomicInline {
  var result: LayoutResult
  /// In the line's axes.
  var size: LogicalSize
  var margin: LogicalEdges
  /// The overhang of a ruby column over the text before and after it.
  var overhang = (start: LayoutUnit.zero, end: LayoutUnit.zero)
  /// The allowed overhang over following text, until such text is added.
  var pendingOverhang = LayoutUnit.zero
  /// The shift of an initial letter along the line, which is part of its margin.
  var bearing = LayoutUnit.zero
  /// The start of this line's part of a broken ruby column.
  var rubyStart: RubyPosition?
  /// The limit for this line's part of an annotation whose base is text of the line; nil for all of the rest.
  var annotationLimit: LayoutUnit?
  /// Whether the annotation ended on a previous line.
  var isAnnotationDone = false
  /// Whether the ruby base started on a previous line, and continues as text of this one.
  var isRubyContinuation = false
}

/// The contents of a line before positioning.
struct LineInfo {
  var pieces: [LinePiece] = []
  var start = InlineCursor()
  /// The width of the contents, without indent and hanging spaces.
  var width = LayoutUnit.zero
  var hangingWidth = LayoutUnit.zero
  /// The indent at the inline-start edge.
  var indent = LayoutUnit.zero
  /// Whether anything generates a line box.
  var hasContent = false
  var hasForcedBreak = false
  var isLast = false
  var clear = Clear.none
  /// The factor of `text-fit`.
  var textScale = 1.0
  /// The edges of the line's available space, in the block formatting context.
  var lineLeft = LayoutUnit.zero
  var lineRight = LayoutUnit.zero
  var availableWidth: LayoutUnit { (lineRight - lineLeft).clampedToZero }
  var overflows: Bool { width + indent > availableWidth + .epsilon }
}
