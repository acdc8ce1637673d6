internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// Lays out a block container and its descendants in the same block formatting context.
///
/// As long as only margins have been met, the offset of the box is unresolved, because they may collapse through it. Floats in this state
/// are placed at the expected offset. If the offset resolves to a different value, the layout of the subtree is aborted
/// (`FlowResult.isAborted`) and repeated from the nearest ancestor with a resolved offset.
/// https://www.w3.org/TR/CSS22/box.html#collapsing-margins
struct BlockLayout {
  let engine: LayoutEngine
  let box: BoxID
  let input: LayoutInput
  let style: ComputedStyle
  let direction: WritingDirection
  let border: LayoutEdges
  let padding: LayoutEdges
  /// The border and padding of the box without fragmentation.
  let edges: LogicalEdges
  let space: FlowSpace
  /// Set if the box is in a fragmentainer.
  let builder: FragmentBuilder?
  /// The border and padding of this fragment.
  var fragmentEdges: LogicalEdges

  let inlineSize: LayoutUnit
  private(set) var contentInline: LayoutUnit
  /// The percentage basis of children's block sizes, and their available block size.
  var percentageBlock: LayoutUnit?

  var exclusions: ExclusionSpace
  var offset: LayoutUnit?
  var abortsWhenOffsetChanges = false
  var isPushedByFloats = false
  var adjoining: AdjoiningObjects
  var position = InflowPosition()
  var items: [FlowItem] = []
  var firstBaseline: LayoutUnit?
  /// The child that provides `firstBaseline`; nil for lines of the box itself.
  var baselineChild: BaselineChild?
  var lastBaseline: LayoutUnit?
  var inlineBlockBaseline: LayoutUnit?
  /// The indices of the last items, as far as their margins collapse through them.
  var collapsedItems: [Int] = []
  var intrinsicBlock = LayoutUnit.zero
  var outsideMarker = BoxID.none
  /// The contents of a column or page. The block size is that of the fragmentainer, or of the contents while columns are measured.
  var isFragmentainerContent = false
  /// Lines so far, those of children in the same formatting context among them.
  var lineCount = 0
  /// The remaining lines of `line-clamp`; nil without it and after the clamp point.
  var clamp: LineClamp? { isClampReached ? nil : space.lineClamp?.after(lineCount) }
  /// Whether the clamp point is reached. Chromium lays out following content, but ignores it for sizes.
  var isClampReached: Bool { space.lineClamp.map { lineCount >= $0.lines } ?? false }
  /// The end of the last line or box before the clamp point.
  private var clampEnd: LayoutUnit?
  var continuesAfterClamp = false
  /// The end of a rendered legend, relative to the block-start border edge.
  var legendEnd = LayoutUnit.zero

  init(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ space: FlowSpace) throws {
    self.engine = engine; self.box = box; self.input = input; self.space = space
    style = engine.style(box)
    direction = WritingDirection(style)
    border = Sizing.usedBorder(engine, box, input)
    padding = Sizing.usedPadding(engine, box, input)
    edges = direction.logical(border + padding)
    inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    contentInline = (inlineSize - edges.inlineSum).clampedToZero
    percentageBlock = BlockLayout.percentageBlock(engine, box, input, edges: edges, inlineSize: inlineSize)
    exclusions = space.exclusions
    adjoining = space.adjoining
    fragmentEdges = edges
    builder = input.fragmentation < 0 ? nil : FragmentBuilder(engine, box, input, space, edges: edges, inlineSize: inlineSize)
    if let builder { fragmentEdges.blockStart = builder.startEdge }
    if edges.blockStart == .zero, beginsWithLine { position.annotationSpace = space.annotationSpace }
  }

  /// The contents of a box in a column or page.
  init(_ engine: LayoutEngine, fragmentainerContentOf box: BoxID, _ input: LayoutInput, percentageBlock: LayoutUnit?) {
    self.engine = engine; self.box = box; self.input = input
    space = FlowSpace()
    style = engine.style(box)
    direction = WritingDirection(style)
    border = .zero
    padding = .zero
    edges = LogicalEdges()
    inlineSize = input.fixedInline ?? .zero
    contentInline = inlineSize
    self.percentageBlock = percentageBlock
    exclusions = ExclusionSpace()
    adjoining = []
    isFragmentainerContent = true
    fragmentEdges = edges
    builder = engine.fragmentation(input).map { FragmentBuilder(engine, box, $0, offset: .zero, edges: LogicalEdges()) }
    builder?.state.insert(.isFragmentainer)
  }

  private static func percentageBlock(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, inlineSize: LayoutUnit
  ) -> LayoutUnit? {
    if engine.tree[box].isAnonymous, engine.tree[box].kind == .blockContainer, input.fixedBlock == nil { return input.percentageBlock }
    if input.isTableCellMeasure { return nil }
    if let block = Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize) {
      return input.fixedBlock == nil || input.fixedBlockIsDefinite ? (block - edges.blockSum).clampedToZero : nil
    }
    if let filled = QuirksMode.viewportFill(engine, box, input) { return (filled - edges.blockSum).clampedToZero }
    return BlockFormattingContext.passesPercentageBlock(engine, box) ? input.percentageBlock : nil
  }

  var floatContainer: FloatContainer {
    FloatContainer(
      direction: direction, lineLeft: space.lineLeft + edgeLineLeft, inlineSize: contentInline, percentageBlock: percentageBlock,
      availableBlock: percentageBlock, builder: builder)
  }

  /// Border and padding on the line-left side.
  var edgeLineLeft: LayoutUnit { direction.isRTL ? edges.inlineEnd : edges.inlineStart }

  /// The block offset in the block formatting context, or the current estimate.
  var currentOffset: LayoutUnit { offset ?? space.blockOffset }
  var nextBorderEdge: LayoutUnit { currentOffset + position.blockOffset + position.strut.sum }

  // MARK: Steps

  mutating func run() throws -> FlowResult {
    abortsWhenOffsetChanges = !adjoining.isEmpty
    position.strut = space.strut
    try placeLegend()
    let contentEdge = max(fragmentEdges.blockStart, legendEnd)
    if contentEdge != .zero || space.isNewFormattingContext || builder?.isResuming == true {
      guard resolveOffset() else { return aborted() }
      position.blockOffset = contentEdge
    }
    if builder?.isResuming != true {
      if style.box.marginTrim.contains(.blockStart) { position.strut.isTrimmed = true }
      if QuirksMode.swallowsMargins(engine, box) { position.strut.ignoresQuirky = true }
    }
    if let builder {
      if contentEdge == .zero, builder.discardsMargins { position.strut.isTrimmed = true }
      guard try layoutContents(in: builder) else { return aborted() }
      return try finish()
    }
    guard engine.tree[box].hasInlineChildren ? try layoutInlineContent() : try layoutChildren() else { return aborted() }
    return try finish()
  }

  /// Lays out a box. Repeats it if an earlier break is better, or if its contents must not break.
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ space: FlowSpace) throws -> FlowResult {
    var layout = try BlockLayout(engine, box, input, space)
    let result = try layout.run()
    guard let builder = layout.builder, builder.status != .proceeds else { return result }
    return try engine.fragmenting(builder.inputForRepetition, input) { input in
      let result = try BlockLayout.layout(engine, box, input, space)
      result.layout?.breaking?.note(shortage: builder.shortage)
      return result
    }
  }

  private mutating func layoutChildren() throws -> Bool {
    let legend = renderedLegend
    for child in engine.tree.children(of: box) {
      if isCutoffReached, engine.mayLeaveOut(from: child) { break }
      let item = engine.tree[child]
      if isClampReached, item.isInFlow, !item.isOutsideMarker { continuesAfterClamp = true }
      if item.isOutsideMarker {
        outsideMarker = child
      } else if item.isOutOfFlow {
        addOutOfFlow(child)
      } else if child == legend {
        continue
      } else if item.isFloating {
        try placeFloat(child)
      } else {
        guard try placeBlock(child) else { return false }
      }
      if isClampReached, clampEnd == nil { clampEnd = position.blockOffset }
    }
    return true
  }

  /// Whether the remaining children are below the part of the page that is needed.
  private var isCutoffReached: Bool {
    guard let cutoff = space.cutoff, let offset, collapsedItems.isEmpty else { return false }
    return offset + position.blockOffset >= cutoff
  }

  /// Removes the size of content after the clamp point of `line-clamp`. https://drafts.csswg.org/css-overflow-4/#webkit-line-clamp
  mutating func endAtClamp() {
    guard continuesAfterClamp, let clampEnd, space.lineClamp?.isProbe == false else { return }
    position.blockOffset = clampEnd
    position.strut = MarginStrut()
  }

  mutating func placeBlock(_ child: BoxID) throws -> Bool {
    let outer = contentInline
    defer { contentInline = outer }
    contentInline += engine.pageWidening(of: child)
    return BlockFormattingContext.isIndependent(engine, child) ? try placeFormattingContextRoot(child) : try placeInFlow(child)
  }

  func aborted() -> FlowResult {
    var result = FlowResult()
    result.isAborted = true
    result.offset = offset
    result.isPushedByFloats = isPushedByFloats
    result.exclusions = space.exclusions
    return result
  }

  /// Resolves the box's block offset, to `value` or after the margins so far. Returns false if objects were already placed for another
  /// offset.
  mutating func resolveOffset(at value: LayoutUnit? = nil, ignoringForced: Bool = false) -> Bool {
    if offset != nil { return true }
    let computed = value ?? space.blockOffset + position.strut.sum
    return setOffset(ignoringForced ? computed : space.forcedOffset ?? computed)
  }

  mutating func setOffset(_ value: LayoutUnit) -> Bool {
    var resolved = value
    if resolved < space.clearanceOffset {
      resolved = space.clearanceOffset
      isPushedByFloats = true
    }
    offset = resolved
    builder?.resolve(resolved)
    if abortsWhenOffsetChanges, space.allowsAbort, resolved != space.expectedOffset { return false }
    position.blockOffset = .zero
    position.strut = MarginStrut()
    return true
  }

  // MARK: Inline content

  /// https://www.w3.org/TR/CSS22/visuren.html#inline-formatting
  mutating func layoutInlineContent() throws -> Bool {
    let isEmpty = InlineFormattingContext.isEmpty(engine, box)
    if !isEmpty {
      guard resolveOffset() else { return false }
    }
    for child in engine.tree.children(of: box) where engine.tree[child].isOutsideMarker { outsideMarker = child }
    let contentOffset = offset == nil ? space.expectedOffset : nextBorderEdge
    let start = contentOffset - (offset ?? space.expectedOffset)
    let floats = exclusions.floatCounts
    var context = InlineFormattingContext.Context(
      container: floatContainer, blockOffset: contentOffset, exclusions: exclusions, isMeasure: input.isMeasure,
      lineClamp: clamp)
    context.annotationSpace = annotationSpace
    let result = try InlineFormattingContext.layout(engine, box, context)
    lineCount += result.lineCount
    if result.continuesAfterClamp { continuesAfterClamp = true }
    exclusions = result.exclusions
    if offset == nil { noteAdjoiningFloats(before: floats) }
    for var item in result.items {
      item.lineLeft += edgeLineLeft
      item.blockOffset += start
      items.append(item)
      if let float = item.brokenFloat { builder?.take(float, at: item.blockOffset, isInLine: true) }
    }
    if !isEmpty {
      position.blockOffset = start + result.blockSize
      if isClampReached { clampEnd = position.blockOffset }
      position.strut = MarginStrut()
      position.annotationSpace = result.annotationSpace
      firstBaseline = result.firstBaseline.map { $0 + start }
      lastBaseline = result.lastBaseline.map { $0 + start }
      inlineBlockBaseline = lastBaseline
    }
    return true
  }

  /// The block size that annotations of the first line may occupy: the padding and, without a border, the preceding margins. Chromium adds
  /// the space left by annotations of the previous line.
  var annotationSpace: LayoutUnit {
    let inside = direction.logical(padding).blockStart
    guard edges.blockStart == inside, hasAnnotationSpaceAbove else { return inside }
    return inside + space.strut.sum.clampedToZero + space.annotationSpace
  }

  /// Whether the first child is a line, also one of an inline box that a block-level box splits.
  private var beginsWithLine: Bool {
    let first = engine.tree[box].firstChild
    guard !first.isNone else { return true }
    let next = engine.tree[first].nextSibling
    return engine.tree[first].isAnonymous && !next.isNone && engine.tree[next].splitsInline
  }

  var hasAnnotationSpaceAbove: Bool {
    !space.isNewFormattingContext && !space.isOutOfFlow && style.box.display != .listItem
  }

  private mutating func noteAdjoiningFloats(before: (left: Int, right: Int)) {
    let after = exclusions.floatCounts
    if after.left > before.left { adjoining.insert(.leftFloat) }
    if after.right > before.right { adjoining.insert(.rightFloat) }
    if !adjoining.isEmpty { abortsWhenOffsetChanges = true }
  }
}
