internal import OffprintCSS
internal import OffprintCoreTypes

/// Collects the breaks of the fragment of a box while it is laid out in a fragmentainer. Boxes outside of fragmentainers
/// have none.
///
/// The rules follow css-break-3 and, where it leaves the choice, LayoutNG:
/// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/layout/fragmentation_utils.cc
final class FragmentBuilder {
  struct State: OptionSet {
    var rawValue: UInt8
    /// An in-flow child was broken or moved to the next fragment, so that no more children are placed in this one.
    static let hasInFlowBreak = State(rawValue: 1)
    /// A part of the block size of the box remains for the next fragment.
    static let splitsSize = State(rawValue: 2)
    static let hasSeenAllChildren = State(rawValue: 4)
    /// The remaining block size of the box fits, regardless of its contents.
    static let isKnownToFit = State(rawValue: 8)
    /// See `FragmentainerSpace.requiresContent`; removed when the fragment has content.
    static let requiresContent = State(rawValue: 16)
    /// There is a break opportunity of class A or B before the next child. https://drafts.csswg.org/css-break-3/#possible-breaks
    static let hasOpportunity = State(rawValue: 32)
    /// The box is a column or a page.
    static let isFragmentainer = State(rawValue: 64)
  }

  /// Whether the layout of the box is valid, or must be repeated and how.
  enum Status { case proceeds, needsEarlierBreak, disablesFragmentation }

  let engine: LayoutEngine
  let box: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  /// Nil if the box resumes but must not be broken again.
  let space: FragmentainerSpace?
  let previous: BreakToken?
  private let fragmentation: FragmentationInput
  var state: State = []
  var findings: BreakResult.Findings = []
  /// The position at which the box resumes if it is broken.
  var breakPosition = BreakToken.Position.inside
  /// The cause of a break in the box, apart from spanners.
  var breakCause = BreakToken.Cause.unforced
  /// The offset of the border edge from the start of the fragmentainer.
  var offset: LayoutUnit
  /// The edges of the first fragment, or of each fragment if they are cloned.
  let edges: LogicalEdges

  private(set) var childTokens: [BreakToken] = []
  /// The inline content from which the next line starts.
  var line: InlineState?
  /// The remaining items of a flex or grid container.
  var rows: RowProgress?
  /// The unfragmented layout of a table that continues.
  var table: FragmentedTable?
  private(set) var appeal = BreakAppeal.perfect
  var earlyBreak: EarlyBreak?
  private(set) var shortage: LayoutUnit?
  private(set) var tallestUnbreakable = LayoutUnit.zero
  /// `break-before` of the first child, and `break-after` of the last one so far.
  private(set) var breakBefore: BreakBetween?
  var breakAfter = BreakBetween.auto
  /// The last in-flow child in the fragment.
  private(set) var lastChild: BoxID?
  /// The spanner that ends the row of columns.
  var foundSpanner = BoxID.none
  /// The block-end edge of the children's overflow.
  var overflowEnd = LayoutUnit.zero
  var consumed = LayoutUnit.zero
  var status = Status.proceeds
  /// The token of the child that is being laid out.
  var childToken: BreakToken?
  /// The child that is being laid out, as lines of an inline box that is split by block-level boxes.
  var childSplit: SplitLines?

  /// - Parameter offset: The offset of the border edge in the block formatting context that contains the box.
  init(_ engine: LayoutEngine, _ box: BoxID, _ input: FragmentationInput, offset: LayoutUnit, edges: LogicalEdges) {
    self.engine = engine; self.box = box; self.edges = edges
    style = engine.style(box)
    direction = WritingDirection(style)
    space = input.space
    previous = input.token
    fragmentation = input
    self.offset = (input.space?.offset ?? .zero) + offset
  }

  var kind: FragmentainerKind { space?.kind ?? .column }
  var early: EarlyBreak? { fragmentation.early }
  /// See `FragmentationInput.spanner`.
  var spanner: BoxID { fragmentation.spanner }
  /// The box as lines of an inline box that is split by block-level boxes.
  var split: SplitLines? { fragmentation.split }
  var growsWithContents: Bool { fragmentation.growsWithContents }
  var isResuming: Bool { previous?.isInside ?? false }
  var isPastEnd: Bool { previous?.isAtBlockEnd ?? false }
  /// Whether a break was made before or in a child.
  var hasChildBreak: Bool { state.contains(.hasInFlowBreak) || !childTokens.isEmpty || line != nil }
  /// The block sizes of the fragments before this one.
  var consumedBefore: LayoutUnit { isResuming ? previous?.consumed ?? .zero : .zero }

  // MARK: Available space

  /// The block sizes that each fragment repeats before and after the children, in addition to its edges: table headers and footers.
  var repeated = (start: LayoutUnit.zero, end: LayoutUnit.zero)
  private var clonedStart: LayoutUnit { (clonesStart ? edges.blockStart : .zero) + repeated.start }
  var clonedEnd: LayoutUnit { (clonesEnd ? edges.blockEnd : .zero) + repeated.end }

  /// The distance from the box's border edge to the end of the fragmentainer; nil while columns are measured.
  var spaceLeft: LayoutUnit? { space?.blockSize.map { ($0 - offset).clampedToZero } }
  var spaceLeftForChildren: LayoutUnit? { space?.blockSize.map { ($0 - clonedEnd - offset).clampedToZero } }
  var capacityForChildren: LayoutUnit? { space?.blockSize.map { ($0 - clonedStart - clonedEnd).clampedToZero } }

  /// Maps an offset in the block formatting context to the fragmentainer of the children.
  func fragmentainerOffset(_ offset: LayoutUnit) -> LayoutUnit { (space?.offset ?? .zero) - clonedStart + offset }

  /// The space of a child in the block formatting context of the box, or of one that establishes its own at `offset`.
  func childSpace(formattingContextAt offset: LayoutUnit? = nil) -> FragmentainerSpace? {
    guard var child = space else { return nil }
    child.blockSize = capacityForChildren
    child.offset = fragmentainerOffset(offset ?? .zero)
    child.requiresContent = state.contains(.requiresContent)
    child.isPastBreak = child.isPastBreak || hasChildBreak
    return child
  }

  // MARK: Results of children

  func lowerAppeal(to value: BreakAppeal) { appeal = min(appeal, value) }

  func note(shortage value: LayoutUnit?) {
    guard let value, value > .zero else { return }
    shortage = min(shortage ?? value, value)
  }

  func note(unbreakable size: LayoutUnit) { tallestUnbreakable = max(tallestUnbreakable, size) }

  func add(_ token: BreakToken, inFlow: Bool) {
    childTokens.append(token)
    if inFlow { state.insert(.hasInFlowBreak) }
  }

  /// Merges the break result of a placed child.
  ///
  /// - Parameter offset: The offset of the child from the box's border edge.
  func take(_ child: BreakChild, at offset: LayoutUnit) {
    takeBreaks(child, at: offset)
    takeValues(child)
  }

  /// The same without `break-before` and `break-after`.
  func takeBreaks(_ child: BreakChild, at offset: LayoutUnit) {
    overflowEnd = max(overflowEnd, offset + child.blockSize)
    state.remove(.requiresContent)
    guard let result = child.result else { return }
    if space?.requiresContent == true, result.findings.contains(.isClamped) { findings.insert(.isClamped) }
    if let token = result.token {
      let isInFlow = !token.isAtBlockEnd && !child.isInParallelFlow || result.findings.contains(.staysInFlow)
      add(token, inFlow: isInFlow)
      lowerAppeal(to: child.appealInside(kind))
    }
    if space?.isMeasuringColumns == true, !child.isFloatInLine { note(unbreakable: result.tallestUnbreakable) }
    if result.token?.isForced == true {
      breakCause = .forced
    } else if space?.isMeasuringColumns != true {
      note(shortage: result.shortage)
    }
    if !result.spanner.isNone {
      foundSpanner = result.spanner
      findings.remove(.isEmptySpannerParent)
      findings.formUnion(result.findings.intersection(.isEmptySpannerParent))
    }
  }

  /// https://drafts.csswg.org/css-break-3/#break-propagation
  func takeValues(_ child: BreakChild) {
    guard !child.box.isNone, !child.isInParallelFlow else { return }
    let style = engine.style(child.box).box
    lastChild = child.box
    if breakBefore == nil { breakBefore = (child.result?.breakBefore ?? .auto).joined(style.breakBefore) }
    breakAfter = (child.result?.breakAfter ?? .auto).joined(style.breakAfter)
  }

  /// Sets the combined values of children that are side by side. https://drafts.csswg.org/css-break-3/#break-propagation
  func takeValues(before: BreakBetween, after: BreakBetween) { (breakBefore, breakAfter) = (before, after) }

  // MARK: The result

  func result(size: LayoutUnit, clips: Bool) -> BreakResult {
    let result = BreakResult()
    result.sequence = sequence
    result.token = token
    result.appeal = appeal
    result.earlyBreak = state.contains(.isKnownToFit) ? nil : earlyBreak
    result.shortage = shortage
    result.tallestUnbreakable = tallestUnbreakable
    let endsWithSize = clips || findings.contains(.isClamped)
    result.blockSize = state.contains(.isFragmentainer) ? overflowEnd : endsWithSize ? size : max(overflowEnd, size)
    result.breakBefore = breakBefore ?? .auto
    result.breakAfter = breakAfter
    result.spanner = foundSpanner
    result.findings = findings
    if !spanner.isNone, containsSpanner { result.findings.insert(.staysInFlow) }
    return result
  }

  private var sequence: Int { isResuming ? (previous?.sequence ?? 0) + 1 : 0 }

  private var token: BreakToken? {
    guard hasChildBreak || state.contains(.splitsSize) else { return nil }
    let cause = breakCause == .unforced && !foundSpanner.isNone ? .spanner : breakCause
    let token = BreakToken(box, breakPosition, cause)
    token.hasSeenAllChildren = state.contains(.hasSeenAllChildren)
    token.sequence = sequence
    token.consumed = consumed
    token.children = childTokens
    token.line = line
    token.rows = rows
    token.table = table
    return token
  }

  /// Whether the box contains the spanner that ends the row.
  var containsSpanner: Bool {
    guard !spanner.isNone else { return false }
    if state.contains(.isFragmentainer) { return true }
    var parent = engine.tree[spanner].parent
    while !parent.isNone {
      if parent == box { return true }
      if engine.tree[parent].style.align.isMultiColumn { return false }
      parent = engine.tree[parent].parent
    }
    return false
  }
}

/// A child of a box, or one of its lines, at a break opportunity.
struct BreakChild {
  /// `none` for a line.
  var box: BoxID
  /// The block size including overflow.
  var blockSize: LayoutUnit
  /// Nil if the child is monolithic and was laid out without the fragmentainer.
  var result: BreakResult?
  /// `break-inside`.
  var breakInside = BreakInside.auto
  /// Whether it is a float or out of flow, so that its breaks are in a parallel flow.
  var isInParallelFlow = false
  /// A float in an inline formatting context. In Chromium columns may be lower than its lines.
  var isFloatInLine = false
  /// The maximum appeal of a break before it.
  var mostAppeal = BreakAppeal.perfect
  /// Whether it clears a float that continues in the next fragmentainer.
  var needsClearance = false

  init(line size: LayoutUnit) { (box, blockSize, result) = (.none, size, nil) }

  init(_ engine: LayoutEngine, _ box: BoxID, _ layout: LayoutResult, _ direction: WritingDirection) {
    self.box = box
    result = layout.breaking
    blockSize = layout.breaking?.blockSize ?? direction.logical(layout.size).block
    breakInside = engine.style(box).box.breakInside
  }

  /// Whether this is its first fragment.
  var isFirst: Bool { result.map { $0.sequence == 0 } ?? true }
  /// Whether it is broken and continues in its parent's flow.
  var continuesInParentFlow: Bool { result?.continuesInParentFlow ?? false }

  func avoidsBreakInside(_ kind: FragmentainerKind) -> Bool { result == nil && !box.isNone || breakInside.isAvoided(kind) }

  /// The appeal of the breaks in it.
  ///
  /// `break-inside: avoid` is considered here and not in the result of the child, whose own children choose the best break regardless of it.
  func appealInside(_ kind: FragmentainerKind, hypothetical: BreakAppeal? = nil) -> BreakAppeal {
    guard let result, result.token?.isForced != true else { return .perfect }
    let appeal = hypothetical ?? result.appeal
    let counts = hypothetical != nil || result.token?.isInside == true
    return counts && breakInside.isAvoided(kind) ? min(appeal, .violatingAvoid) : appeal
  }
}
