internal import OffprintCSS
internal import OffprintCoreTypes

/// How many lines are left of `line-clamp`.
struct LineClamp: Hashable {
  var lines: Int
  /// It is yet to be seen whether something follows: no line is cut.
  var isProbe: Bool

  func after(_ count: Int) -> LineClamp { LineClamp(lines: max(1, lines - count), isProbe: isProbe) }
}

/// What has been placed where a still unresolved block offset would be, and must move if that comes out differently.
struct AdjoiningObjects: OptionSet, Sendable {
  var rawValue: UInt8
  static let leftFloat = AdjoiningObjects(rawValue: 1)
  static let rightFloat = AdjoiningObjects(rawValue: 2)
  static let inlineOutOfFlow = AdjoiningObjects(rawValue: 4)
  static let floats: AdjoiningObjects = [.leftFloat, .rightFloat]
}

/// The state of the block formatting context where a box begins.
struct FlowSpace {
  var exclusions = ExclusionSpace()
  /// The border box's line-left edge in the block formatting context.
  var lineLeft = LayoutUnit.zero
  /// Where the box would be if no margin came before it.
  var blockOffset = LayoutUnit.zero
  /// The margins that adjoin the box's block-start edge, its own included.
  var strut = MarginStrut()
  /// Where a former attempt found that the box, or its first content, must be.
  var forcedOffset: LayoutUnit?
  /// Content of the box that resolves its block offset may not be above this.
  var clearanceOffset = LayoutUnit.min
  var adjoining: AdjoiningObjects = []
  var ancestorHasClearancePastAdjoiningFloats = false
  var isNewFormattingContext = true
  /// Of `line-clamp` further up: how many lines are left, and that more follow.
  var lineClamp: LineClamp?
  /// Room above, margins aside, that annotations of the first line may take.
  var annotationSpace = LayoutUnit.zero
  /// The formatting context is that of an absolutely positioned box: in Chromium no annotation takes room above lines there.
  var isOutOfFlow = false
  /// False on the last attempt: what comes out is used, wherever its floats are.
  var allowsAbort = true

  /// Where floats go while the offset is not resolved.
  var expectedOffset: LayoutUnit { forcedOffset ?? blockOffset }
}

/// What became of a box in its block formatting context.
struct FlowResult {
  /// The block offset was resolved to something else than floats had been placed for; only `offset` is meaningful, and the box must
  /// be laid out again with that as `FlowSpace.forcedOffset`.
  var isAborted = false
  /// The block offset in the block formatting context; nil as long as all margins collapse through the box.
  var offset: LayoutUnit?
  var strut = MarginStrut()
  var exclusions = ExclusionSpace()
  var isSelfCollapsing = false
  var isPushedByFloats = false
  var adjoining: AdjoiningObjects = []
  var layout: LayoutResult?
  /// Lines in the box and in those of its children that are in the same formatting context.
  var lineCount = 0
  /// Something is behind the last line that `line-clamp` leaves.
  var continuesBehindClamp = false
  /// Room at the end that annotations behind the box may take.
  var annotationSpace = LayoutUnit.zero
}

/// A child in its place: offsets of its border box from the container's line-left and block-start border edges.
struct FlowItem {
  var link: FragmentLink?
  var lineLeft: LayoutUnit
  var blockOffset: LayoutUnit
  var size: LayoutSize
  /// Relative positioning.
  var shift = LayoutPoint.zero
  var outOfFlow: [OutOfFlowCandidate] = []
  /// A float that is broken, or in the next fragmentainer.
  var brokenFloat: BrokenFloat?
  /// Alignment of the contents leaves it where it is: a legend.
  var isFixedInPlace = false

  func moved(up distance: LayoutUnit) -> FlowItem {
    var result = self
    result.blockOffset -= distance
    return result
  }
}

/// Where the next in-flow child goes.
struct InflowPosition {
  /// From the container's block-start border edge, margins of `strut` not included.
  var blockOffset = LayoutUnit.zero
  var strut = MarginStrut()
  var selfCollapsingChildHadClearance = false
  /// Room before it that annotations may take.
  var annotationSpace = LayoutUnit.zero
}
