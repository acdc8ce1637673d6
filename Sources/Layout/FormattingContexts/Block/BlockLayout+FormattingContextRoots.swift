internal import OffprintCSS
internal import OffprintCoreTypes

// Children with independent layout: floats, out-of-flow boxes, and block-level boxes that establish formatting contexts.
extension BlockLayout {
  mutating func placeFloat(_ child: BoxID) throws {
    let container = floatContainer
    if offset == nil {
      adjoining.insert(engine.style(child).box.float == .right ? .rightFloat : .leftFloat)
      abortsWhenOffsetChanges = true
    }
    if let builder { return try placeFloat(child, in: builder) }
    let float = try FloatLayout.layout(engine, child, in: container)
    let placed = try FloatLayout.place(
      engine, float, in: container, blockOffset: offset == nil ? space.expectedOffset : nextBorderEdge, exclusions: &exclusions)
    append(
      placed.result, child, lineLeft: placed.lineLeft - space.lineLeft, blockOffset: placed.blockOffset - (offset ?? space.expectedOffset),
      hasBaseline: false)
  }

  mutating func placeFloat(_ child: BoxID, in builder: FragmentBuilder) throws {
    if builder.breakAfter.isForced(builder.kind), builder.space != nil {
      builder.breakBefore(child, forced: true)
      return
    }
    let (placed, broken) = try FloatLayout.place(
      engine, child, in: floatContainer, builder, builder.childToken,
      blockOffset: offset == nil ? space.expectedOffset : nextBorderEdge, exclusions: &exclusions)
    let blockOffset = placed.blockOffset - (offset ?? space.expectedOffset)
    builder.take(broken, at: blockOffset, isInLine: false)
    guard !broken.isPushed else { return }
    append(placed.result, child, lineLeft: placed.lineLeft - space.lineLeft, blockOffset: blockOffset, hasBaseline: false)
  }

  /// https://drafts.csswg.org/css-position-3/#static-position
  mutating func addOutOfFlow(_ child: BoxID) {
    var block = position.blockOffset
    if offset != nil { block += position.strut.sum }
    var lineLeft = edgeLineLeft, lineRight = edgeLineLeft + contentInline
    if isInlineLevelByOrigin(child) {
      // Its hypothetical position is on a line, next to the floats.
      if offset == nil {
        adjoining.insert(.inlineOutOfFlow)
        abortsWhenOffsetChanges = true
      }
      let free = exclusions.edges(
        from: (offset ?? space.expectedOffset) + block, blockSize: .zero, lineLeft: space.lineLeft + lineLeft,
        lineRight: space.lineLeft + lineRight)
      lineLeft = free.lineLeft - space.lineLeft
      lineRight = free.lineRight - space.lineLeft
      let size = lineRight - lineLeft
      switch style.text.textAlign {
      case .center, .webkitCenter:
        lineLeft += size / 2
        lineRight = lineLeft
      case .right, .webkitRight: lineLeft = direction.isRTL ? lineLeft : lineRight
      case .left, .webkitLeft: lineRight = direction.isRTL ? lineLeft : lineRight
      case .end: (lineLeft, lineRight) = (lineRight, lineLeft)
      default: break
      }
    }
    var candidate = OutOfFlowCandidate(box: child, staticPosition: .zero)
    var inlineEdge = OutOfFlowCandidate.Edge.start
    if !isInlineLevelByOrigin(child), let alignment = selfAlignment(child) {
      inlineEdge = alignment.staticEdge
      let (start, end) = direction.isRTL ? (lineRight, lineLeft) : (lineLeft, lineRight)
      let point = inlineEdge == .start ? start : inlineEdge == .end ? end : start + (end - start) / 2
      (lineLeft, lineRight) = (point, point)
    }
    if direction.isFlippedInline { inlineEdge = inlineEdge.opposite }
    var blockEdge = OutOfFlowCandidate.Edge.start
    if !isInlineLevelByOrigin(child) { blockEdge = GridSelfAlignment.staticBlockEdge(engine.style(child), container: style) }
    if direction.isFlippedBlocks { blockEdge = blockEdge.opposite }
    candidate.horizontalEdge = direction.isHorizontal ? inlineEdge : blockEdge
    candidate.verticalEdge = direction.isHorizontal ? blockEdge : inlineEdge
    items.append(
      FlowItem(
        link: nil, lineLeft: direction.isRTL ? lineRight : lineLeft, blockOffset: block, size: .zero, outOfFlow: [candidate]))
  }

  private func isInlineLevelByOrigin(_ child: BoxID) -> Bool {
    switch engine.style(child).box.originalDisplay {
    case .inline, .inlineBlock, .inlineFlex, .inlineGrid, .inlineTable, .inlineListItem, .inlineFlowRootListItem, .webkitInlineBox, .ruby:
      true
    default: false
    }
  }

  // MARK: Formatting context roots

  private struct Placement {
    var layout: LayoutResult
    /// The line-left block-start corner of the border box in the block formatting context.
    var lineLeft: LayoutUnit
    var blockOffset: LayoutUnit
    var margin: LogicalEdges
  }

  /// Places a box that must not overlap floats. Returns false if this box must be laid out again.
  /// https://www.w3.org/TR/CSS22/visuren.html#bfc-next-to-float
  mutating func placeFormattingContextRoot(_ child: BoxID) throws -> Bool {
    let isCleared = clearsAdjoiningFloats(child)
    var margin = margins(of: child)
    builder?.adjustMargins(&margin, &position.strut)
    let isQuirky = QuirksMode.isQuirky(engine, child, isStart: true)
    var adjoiningStrut = position.strut
    adjoiningStrut.append(margin.blockStart, isQuirky: isQuirky)
    let base = currentOffset + position.blockOffset
    // The offsets with the child's margin collapsed with preceding margins, which applies if it fits next to the floats, and without.
    let joined = base + adjoiningStrut.sum
    let separate = base + position.strut.sum
    var estimate = joined
    var wasResolvedBefore = false, decidesOffset = false, isMarginSeparate = false, hasAdjoiningFloats = false
    if offset == nil {
      hasAdjoiningFloats = !adjoining.isDisjoint(with: .floats)
      if space.ancestorHasClearancePastAdjoiningFloats || isCleared {
        estimate = nextBorderEdge
        isMarginSeparate = true
      } else if let forced = space.forcedOffset {
        wasResolvedBefore = true
        estimate = forced
        isMarginSeparate = estimate != joined
      }
      decidesOffset = true
      guard resolveOffset(at: estimate) else { return false }
      estimate = currentOffset
    }
    let givesUpWhenPushed = margin.blockStart != .zero && !isMarginSeparate && decidesOffset
    var placement = try placement(child, margin, from: estimate, givesUpWhenPushed: givesUpWhenPushed)
    if placement == nil {
      // It does not fit next to the floats: its margin no longer collapses with preceding margins, which may move the floats.
      if decidesOffset {
        let old = currentOffset
        offset = nil
        abortsWhenOffsetChanges = false
        _ = setOffset(separate)
        if wasResolvedBefore || hasAdjoiningFloats, old != currentOffset, space.allowsAbort { return false }
      }
      placement = try self.placement(child, margin, from: separate, givesUpWhenPushed: false)
    }
    guard let placement else { return true }
    if let builder {
      let isPushed = placement.blockOffset > (decidesOffset ? currentOffset : estimate)
      guard considerBreak(builder, before: child, placement.layout, at: placement.blockOffset, isPushed: isPushed) else {
        return builder.status == .proceeds
      }
      take(placement.layout, child, at: placement.blockOffset - currentOffset, builder)
    }
    append(
      placement.layout, child, lineLeft: placement.lineLeft - space.lineLeft, blockOffset: placement.blockOffset - currentOffset)
    collapsedItems = []
    if let builder, builder.childToken?.isAtBlockEnd == true { return true }
    position.blockOffset = placement.blockOffset - currentOffset + direction.logical(placement.layout.size).block
    position.strut = MarginStrut()
    position.strut.append(placement.margin.blockEnd, isQuirky: QuirksMode.isQuirky(engine, child, isStart: false))
    if placement.layout.breaking?.continuesInParentFlow == true { position.strut = MarginStrut() }
    position.selfCollapsingChildHadClearance = false
    position.annotationSpace = .zero
    return true
  }

  private func layoutRoot(_ child: BoxID, _ input: LayoutInput, at offset: LayoutUnit) throws -> LayoutResult {
    guard let builder else { return try engine.layout(child, input) }
    return try builder.layingOut(child, input, formattingContextAt: offset) { try engine.layout(child, $0) }
  }

  /// Tries the available spaces in order. Returns nil if the child would not start at `start` and `givesUpWhenPushed` is set.
  private func placement(
    _ child: BoxID, _ margin: LogicalEdges, from start: LayoutUnit, givesUpWhenPushed: Bool
  ) throws -> Placement? {
    // https://drafts.csswg.org/css-inline-3/#initial-letter-block-position: it also clears initial letters.
    let isResumed = builder?.childToken?.isInside == true
    let top =
      isResumed
      ? start
      : max(
        start, exclusions.clearance(for: engine.style(child).box.clear), exclusions.letterEnd.left, exclusions.letterEnd.right)
    if givesUpWhenPushed, top > start { return nil }
    let left = space.lineLeft + edgeLineLeft, right = left + contentInline
    let marginLeft = direction.isRTL ? margin.inlineEnd : margin.inlineStart
    let marginRight = direction.isRTL ? margin.inlineStart : margin.inlineEnd
    let opportunities = try exclusions.allOpportunities(engine, from: top, lineLeft: left, lineRight: right)
    for (index, opportunity) in opportunities.enumerated() {
      if givesUpWhenPushed, top < opportunity.blockOffset { return nil }
      let isFree = opportunity.lineLeft == left && opportunity.lineRight == right
      let from = isFree ? left + marginLeft : max(opportunity.lineLeft, left + marginLeft)
      let to = isFree ? right - marginRight : min(opportunity.lineRight, right - marginRight)
      let available = ((to - from).clampedToZero + margin.inlineSum).clampedToZero
      var input = childInput(child)
      if WritingDirection(engine.style(child)).isParallel(to: direction) {
        input.availableInline = available
      } else if input.stretchBlock {
        input.availableBlock = (to - from).clampedToZero
      }
      if let cutoff = space.cutoff, engine.passesCutoff(child) { input.cutoff = (cutoff - opportunity.blockOffset).clampedToZero }
      let layout = try layoutRoot(child, input, at: opportunity.blockOffset)
      let size = direction.logical(layout.size)
      let isLast = index == opportunities.count - 1
      if !isLast {
        if !isFree, size.inline > opportunity.inlineSize { continue }
        if size.block > opportunity.blockSize { continue }
      }
      let used = resolveAutoMargins(margin, child, available: available, size: size.inline)
      // Chromium aligns in what the floats leave, without both margins, even if a margin lies over a float.
      var startOffset = alignmentOffset(child, used, available: opportunity.inlineSize, size: size.inline)
      startOffset += used.inlineStart - margin.inlineStart
      let lineLeft = direction.isRTL ? to - startOffset - size.inline : from + startOffset
      return Placement(layout: layout, lineLeft: lineLeft, blockOffset: opportunity.blockOffset, margin: used)
    }
    return nil
  }
}
