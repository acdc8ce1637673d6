internal import OffprintCSS
internal import OffprintCoreTypes

/// The fragment of a box that is being laid out in a fragmentainer: what is known of breaks in it so far. Boxes outside of fragmentainers
/// have none.
///
/// The rules follow css-break-3 and, where that leaves the choice, LayoutNG:
/// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/layout/fragmentation_utils.cc
final class FragmentBuilder {
  struct State: OptionSet {
    var rawValue: UInt8
    /// A child in the flow of the box was broken, or pushed on: no more children come in this fragment.
    static let hasInFlowBreak = State(rawValue: 1)
    /// A part of the block size of the box is left for the next fragment.
    static let splitsSize = State(rawValue: 2)
    static let hasSeenAllChildren = State(rawValue: 4)
    /// The rest of the box has a size that finds room, whatever its contents are.
    static let isKnownToFit = State(rawValue: 8)
    /// See `FragmentainerSpace.requiresContent`; false as soon as something is in the fragment.
    static let requiresContent = State(rawValue: 16)
    /// Before the next child is a break opportunity of class A or B. https://drafts.csswg.org/css-break-3/#possible-breaks
    static let hasOpportunity = State(rawValue: 32)
    /// The box is a column or a page.
    static let isFragmentainer = State(rawValue: 64)
  }

  /// What becomes of the layout of a box.
  enum Status { case proceeds, needsEarlierBreak, disablesFragmentation }

  let engine: LayoutEngine
  let box: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  /// nil: the box goes on, but is not broken again.
  let space: FragmentainerSpace?
  let previous: BreakToken?
  private let fragmentation: FragmentationInput
  var state: State = []
  var findings: BreakResult.Findings = []
  /// Where the box goes on if it is broken.
  var breakPosition = BreakToken.Position.inside
  /// What the break in the box, if any, is due to, apart from spanners.
  var breakCause = BreakToken.Cause.unforced
  /// The border edge from the start of the fragmentainer.
  var offset: LayoutUnit
  /// Of the first fragment, or of each where they are cloned.
  let edges: LogicalEdges

  private(set) var childTokens: [BreakToken] = []
  /// The line to go on with.
  var line: InlineState?
  /// Of a flex or grid container that goes on.
  var rows: RowProgress?
  /// Of a table that goes on.
  var table: FragmentedTable?
  private(set) var appeal = BreakAppeal.perfect
  var earlyBreak: EarlyBreak?
  private(set) var shortage: LayoutUnit?
  private(set) var tallestUnbreakable = LayoutUnit.zero
  /// `break-before` of the first child, and `break-after` of the last one so far.
  private(set) var breakBefore: BreakBetween?
  var breakAfter = BreakBetween.auto
  /// The last child in flow that is in the fragment.
  private(set) var lastChild: BoxID?
  /// The element that spans the columns, and ends them.
  var foundSpanner = BoxID.none
  /// How far children overflowEnd.
  var overflowEnd = LayoutUnit.zero
  var consumed = LayoutUnit.zero
  var status = Status.proceeds
  /// The token of the child that is being laid out.
  var childToken: BreakToken?
  /// The child that is being laid out, as lines of an inline box that blocks split.
  var childSplit: SplitLines?

  /// - Parameter offset: The border edge in the block formatting context that the box takes part in.
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
  /// The box as lines of an inline box that blocks split.
  var split: SplitLines? { fragmentation.split }
  var growsWithContents: Bool { fragmentation.growsWithContents }
  var isResuming: Bool { previous?.isInside ?? false }
  var isPastEnd: Bool { previous?.isAtBlockEnd ?? false }
  /// A break was made before or in a child.
  var hasChildBreak: Bool { state.contains(.hasInFlowBreak) || !childTokens.isEmpty || line != nil }
  /// The block sizes of the fragments before this one.
  var consumedBefore: LayoutUnit { isResuming ? previous?.consumed ?? .zero : .zero }

  // MARK: Room

  /// What each fragment repeats before and after the children, beside its edges: the headers and footers of tables.
  var repeated = (start: LayoutUnit.zero, end: LayoutUnit.zero)
  private var clonedStart: LayoutUnit { (clonesStart ? edges.blockStart : .zero) + repeated.start }
  var clonedEnd: LayoutUnit { (clonesEnd ? edges.blockEnd : .zero) + repeated.end }

  /// From the box's border edge to the end of the fragmentainer; nil: that is not known yet.
  var spaceLeft: LayoutUnit? { space?.blockSize.map { ($0 - offset).clampedToZero } }
  var spaceLeftForChildren: LayoutUnit? { space?.blockSize.map { ($0 - clonedEnd - offset).clampedToZero } }
  var capacityForChildren: LayoutUnit? { space?.blockSize.map { ($0 - clonedStart - clonedEnd).clampedToZero } }

  /// The fragmentainer offset of what is at an offset in the block formatting context, as children count it.
  func fragmentainerOffset(_ offset: LayoutUnit) -> LayoutUnit { (space?.offset ?? .zero) - clonedStart + offset }

  /// For a child in the block formatting context of the box, or one that establishes its own at `offset` in that.
  func childSpace(formattingContextAt offset: LayoutUnit? = nil) -> FragmentainerSpace? {
    guard var child = space else { return nil }
    child.blockSize = capacityForChildren
    child.offset = fragmentainerOffset(offset ?? .zero)
    child.requiresContent = state.contains(.requiresContent)
    child.isPastBreak = child.isPastBreak || hasChildBreak
    return child
  }

  // MARK: What children report

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

  /// Takes over what a child that has its place says.
  ///
  /// - Parameter offset: From the box's border edge.
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

  /// What children side by side ask for together. https://drafts.csswg.org/css-break-3/#break-propagation
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

  /// The element that ends the row is in the box.
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
  /// None: a line.
  var box: BoxID
  /// Including overflow.
  var blockSize: LayoutUnit
  /// nil: the child is monolithic and was laid out without the fragmentainer.
  var result: BreakResult?
  /// `break-inside`.
  var breakInside = BreakInside.auto
  /// A float, or a box out of flow: its breaks are in a flow of their own.
  var isInParallelFlow = false
  /// A float in an inline formatting context. In Chromium columns may be lower than its lines.
  var isFloatInLine = false
  /// What a break before it is worth at most.
  var mostAppeal = BreakAppeal.perfect
  /// It clears a float that goes on in the next fragmentainer.
  var needsClearance = false

  init(line size: LayoutUnit) { (box, blockSize, result) = (.none, size, nil) }

  init(_ engine: LayoutEngine, _ box: BoxID, _ layout: LayoutResult, _ direction: WritingDirection) {
    self.box = box
    result = layout.breaking
    blockSize = layout.breaking?.blockSize ?? direction.logical(layout.size).block
    breakInside = engine.style(box).box.breakInside
  }

  /// Nothing of it was in the fragmentainer before.
  var isFirst: Bool { result.map { $0.sequence == 0 } ?? true }
  /// It is broken, and goes on in its parent's flow.
  var continuesInParentFlow: Bool { result?.continuesInParentFlow ?? false }

  func avoidsBreakInside(_ kind: FragmentainerKind) -> Bool { result == nil && !box.isNone || breakInside.isAvoided(kind) }

  /// How good the breaks in it are; `hypothetical`: that of one that was not made.
  ///
  /// `break-inside: avoid` counts here, not in the result of the child: its own children find the best place whatever it says.
  func appealInside(_ kind: FragmentainerKind, hypothetical: BreakAppeal? = nil) -> BreakAppeal {
    guard let result, result.token?.isForced != true else { return .perfect }
    let appeal = hypothetical ?? result.appeal
    let counts = hypothetical != nil || result.token?.isInside == true
    return counts && breakInside.isAvoided(kind) ? min(appeal, .violatingAvoid) : appeal
  }
}
