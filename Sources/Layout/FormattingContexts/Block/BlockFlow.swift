internal import OffprintCSS
internal import OffprintCoreTypes

/// The remaining lines of `line-clamp`.
struct LineClamp: Hashable {
  var lines: Int
  /// Whether this layout only determines if any content follows the clamp point. No line is truncated.
  var isProbe: Bool

  func after(_ count: Int) -> LineClamp { LineClamp(lines: max(1, lines - count), isProbe: isProbe) }
}

/// Objects positioned at the expected offset of a box while its block offset is unresolved. They must move if it resolves differently.
struct AdjoiningObjects: OptionSet, Sendable {
  var rawValue: UInt8
  static let leftFloat = AdjoiningObjects(rawValue: 1)
  static let rightFloat = AdjoiningObjects(rawValue: 2)
  static let inlineOutOfFlow = AdjoiningObjects(rawValue: 4)
  static let floats: AdjoiningObjects = [.leftFloat, .rightFloat]
}

/// The state of the block formatting context at the start of a box.
struct FlowSpace {
  var exclusions = ExclusionSpace()
  /// The border box's line-left edge in the block formatting context.
  var lineLeft = LayoutUnit.zero
  /// The offset of the box without any margin before it.
  var blockOffset = LayoutUnit.zero
  /// The margins adjoining the box's block-start edge, including its own.
  var strut = MarginStrut()
  /// The offset of the box, or of its first content, found by a previous attempt.
  var forcedOffset: LayoutUnit?
  /// The minimum offset of content that resolves the box's block offset.
  var clearanceOffset = LayoutUnit.min
  var adjoining: AdjoiningObjects = []
  var ancestorHasClearancePastAdjoiningFloats = false
  var isNewFormattingContext = true
  /// The state of an ancestor's `line-clamp`: the remaining lines, and whether more follow.
  var lineClamp: LineClamp?
  /// Space above that annotations of the first line may occupy, without margins.
  var annotationSpace = LayoutUnit.zero
  /// Whether an out-of-flow box establishes the formatting context. There Chromium reserves no space for annotations above lines.
  var isOutOfFlow = false
  /// The block offset in the block formatting context from which contents need not be laid out, see `LayoutCutoff`; nil if all are.
  var cutoff: LayoutUnit?
  /// False in the last attempt, whose result is used even if floats are misplaced.
  var allowsAbort = true

  /// The offset at which floats are placed while the block offset is unresolved.
  var expectedOffset: LayoutUnit { forcedOffset ?? blockOffset }
}

/// The result of laying out a box in its block formatting context.
struct FlowResult {
  /// The block offset resolved to a different value than the one floats were placed for. Only `offset` is meaningful, and the box must be
  /// laid out again with it as `FlowSpace.forcedOffset`.
  var isAborted = false
  /// The block offset in the block formatting context; nil if all margins collapse through the box.
  var offset: LayoutUnit?
  var strut = MarginStrut()
  var exclusions = ExclusionSpace()
  var isSelfCollapsing = false
  var isPushedByFloats = false
  var adjoining: AdjoiningObjects = []
  var layout: LayoutResult?
  /// The number of lines in the box and in descendants in the same formatting context.
  var lineCount = 0
  /// Whether any content follows the clamp point of `line-clamp`.
  var continuesAfterClamp = false
  /// Space at the end that annotations after the box may occupy.
  var annotationSpace = LayoutUnit.zero
}

/// A positioned child: the offsets of its border box from the line-left and block-start border edges of the container.
struct FlowItem {
  var link: FragmentLink?
  var lineLeft: LayoutUnit
  var blockOffset: LayoutUnit
  var size: LayoutSize
  /// The offset from relative positioning.
  var shift = LayoutPoint.zero
  var outOfFlow: [OutOfFlowCandidate] = []
  /// Set for a float that breaks or moves to the next fragmentainer.
  var brokenFloat: BrokenFloat?
  /// Whether alignment of the contents does not move this item: a legend.
  var isFixedInPlace = false

  func moved(up distance: LayoutUnit) -> FlowItem {
    var result = self
    result.blockOffset -= distance
    return result
  }
}

/// The position of the next in-flow child.
struct InflowPosition {
  /// Relative to the container's block-start border edge, without the margins in `strut`.
  var blockOffset = LayoutUnit.zero
  var strut = MarginStrut()
  var selfCollapsingChildHadClearance = false
  /// Room before it that annotations may take.
  var annotationSpace = LayoutUnit.zero
}
