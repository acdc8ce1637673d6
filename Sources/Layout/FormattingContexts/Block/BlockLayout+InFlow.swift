internal import OffprintCSS
internal import OffprintCoreTypes

// Block-level children in the same block formatting context.
extension BlockLayout {
  /// The expected position of a child, and its margins in the container's axes.
  struct ChildData {
    var box: BoxID
    var input: LayoutInput
    var margin: LogicalEdges
    var lineLeft: LayoutUnit
    /// The block offset in the block formatting context, without the margins in `strut`.
    var offsetEstimate: LayoutUnit
    var strut: MarginStrut
  }

  func childInput(_ child: BoxID) -> LayoutInput {
    var result = LayoutInput(
      engine, child: child, parent: direction, availableInline: contentInline, availableBlock: availableBlock(for: child),
      percentageInline: contentInline, percentageBlock: percentageBlock ?? TableCellPercentages.basis(engine, scroller: child, in: input))
    result.isMeasure = input.isMeasure
    guard let alignment = selfAlignment(child) else { return result }
    if WritingDirection(engine.style(child)).isParallel(to: direction) {
      let fills = engine.tree[child].control != .none || engine.tree[child].kind == .replaced && !engine.tree.isGauge(child)
      result.autoInline = alignment.stretch != .explicit ? .fitContent : fills ? .fill : .stretch
    } else if alignment.stretch == .explicit {
      result.stretchBlock = true
      result.availableBlock = (contentInline - margins(of: child).inlineSum).clampedToZero
    }
    return result
  }

  /// The available block size for the child's margin box. `stretch` treats margins that may collapse with the container's as zero, which
  /// increases the space.
  ///
  /// https://drafts.csswg.org/css-sizing-4/#stretch-fit-sizing, https://github.com/w3c/csswg-drafts/issues/11044
  private func availableBlock(for child: BoxID) -> LayoutUnit? {
    guard let percentageBlock, !space.isNewFormattingContext else { return percentageBlock }
    let sizes = Sizing.LogicalSizes(engine.style(child), isHorizontal: direction.isHorizontal)
    guard sizes.block.isStretch || sizes.minBlock.isStretch || sizes.maxBlock.isStretch else { return percentageBlock }
    let margin = margins(of: child)
    return percentageBlock + (edges.blockStart == .zero ? margin.blockStart : .zero) + (edges.blockEnd == .zero ? margin.blockEnd : .zero)
  }

  /// `justify-self` of a block-level box; nil for `normal`. Values other than `stretch` make an `auto` inline size fit-content.
  ///
  /// https://drafts.csswg.org/css-align-3/#justify-block
  func selfAlignment(_ child: BoxID) -> GridSelfAlignment? {
    let node = engine.tree[child]
    guard !node.isAnonymous || !node.node.isNone else { return nil }
    let own = node.style.align.justifySelf.keyword
    switch own == .auto ? style.align.justifyItems.keyword : own {
    case .auto, .normal: return nil
    default: return GridSelfAlignment(node.style, .columns, container: style, isAnonymous: false, isReplaced: node.kind == .replaced)
    }
  }

  func margins(of child: BoxID) -> LogicalEdges {
    Sizing.logicalMargin(engine.style(child), percentageBasis: contentInline, in: direction)
  }

  private func childData(_ child: BoxID) throws -> ChildData {
    var childInput = childInput(child)
    var margin = margins(of: child)
    let size = try Sizing.inlineSize(engine, child, childInput, edges: Sizing.edges(engine, child, childInput))
    childInput.fixedInline = size
    margin = resolveAutoMargins(margin, child, available: contentInline, size: size)
    var strut = position.strut
    builder?.adjustMargins(&margin, &strut)
    strut.append(margin.blockStart, isQuirky: QuirksMode.isQuirky(engine, child, isStart: true))
    let start = margin.inlineStart + alignmentOffset(child, margin, available: contentInline, size: size)
    let left = direction.isRTL ? contentInline - start - size : start
    return ChildData(
      box: child, input: childInput, margin: margin, lineLeft: space.lineLeft + edgeLineLeft + left,
      offsetEstimate: currentOffset + position.blockOffset, strut: strut)
  }

  /// https://www.w3.org/TR/CSS22/visudet.html#blockwidth
  func resolveAutoMargins(_ margin: LogicalEdges, _ child: BoxID, available: LayoutUnit, size: LayoutUnit) -> LogicalEdges {
    var result = margin
    result.resolveAutoInlineMargins(engine.style(child).box.margin, direction, freeSpace: available - size - margin.inlineSum)
    return result
  }

  /// The offset from the inline-start edge by `text-align: -webkit-center` and similar values, or by `justify-self`.
  func alignmentOffset(_ child: BoxID, _ margin: LogicalEdges, available: LayoutUnit, size: LayoutUnit) -> LayoutUnit {
    let sides = direction.logicalSides(engine.style(child).box.margin)
    if sides.inlineStart.isAuto || sides.inlineEnd.isAuto { return .zero }
    let free = available - size - margin.inlineSum
    if let alignment = selfAlignment(child) { return alignment.offset(free: free) }
    guard free > .zero else { return .zero }
    switch style.text.textAlign {
    case .webkitCenter: return free / 2
    case .webkitRight: return direction.isRTL ? .zero : free
    case .webkitLeft: return direction.isRTL ? free : .zero
    default: return .zero
    }
  }

  /// The space for annotations after a block-level box that splits an inline box. In Chromium such a box is the content of a line, and all space
  /// except for 1 em in its center is available.
  private func spaceInLine(of layout: LayoutResult, _ box: BoxID) -> LayoutUnit {
    ((direction.logical(layout.size).block - LayoutUnit(engine.style(box).font.size)) / 2).clampedToZero
  }

  private func childSpace(_ data: ChildData, forced: LayoutUnit?, hasClearancePastAdjoiningFloats: Bool) -> FlowSpace {
    var child = FlowSpace()
    child.exclusions = exclusions
    child.isNewFormattingContext = false
    child.lineLeft = data.lineLeft
    child.blockOffset = data.offsetEstimate
    child.strut = data.strut
    child.annotationSpace = position.annotationSpace
    child.isOutOfFlow = space.isOutOfFlow || style.box.position == .absolute || style.box.position == .fixed
    child.clearanceOffset = exclusions.clearance(for: engine.style(data.box).box.clear)
    child.lineClamp = clamp
    if space.cutoff != nil, engine.passesCutoff(data.box) { child.cutoff = space.cutoff }
    if offset == nil {
      child.adjoining = adjoining
      child.clearanceOffset = max(child.clearanceOffset, space.clearanceOffset)
      child.forcedOffset = space.forcedOffset
      child.ancestorHasClearancePastAdjoiningFloats = space.ancestorHasClearancePastAdjoiningFloats
    }
    if hasClearancePastAdjoiningFloats { child.ancestorHasClearancePastAdjoiningFloats = true }
    if let forced { child.forcedOffset = forced }
    if builder?.childToken?.isInside == true { child.clearanceOffset = .min }
    return child
  }

  private func layout(_ data: ChildData, _ childSpace: FlowSpace) throws -> FlowResult {
    try engine.descending {
      guard let builder else {
        var layout = try BlockLayout(engine, data.box, data.input, childSpace)
        return try layout.run()
      }
      return try builder.layingOut(data.box, data.input) { try BlockLayout.layout(engine, data.box, $0, childSpace) }
    }
  }

  func clearsAdjoiningFloats(_ child: BoxID) -> Bool {
    guard offset == nil else { return false }
    switch engine.style(child).box.clear {
    case .none: return false
    case .left: return adjoining.contains(.leftFloat)
    case .right: return adjoining.contains(.rightFloat)
    case .both: return !adjoining.isDisjoint(with: .floats)
    }
  }

  /// Returns false if this box must be laid out again.
  mutating func placeInFlow(_ child: BoxID) throws -> Bool {
    let isCleared = clearsAdjoiningFloats(child)
    var forced: LayoutUnit?
    if isCleared {
      // Clearance separates the margins before it from those after it.
      guard resolveOffset() else { return false }
      forced = exclusions.clearance(for: engine.style(child).box.clear)
    }
    var data = try childData(child)
    var childSpace = childSpace(data, forced: forced, hasClearancePastAdjoiningFloats: isCleared)
    var result = try layout(data, childSpace)

    let wasPushed = result.isPushedByFloats && !result.isSelfCollapsing
    if result.isAborted, offset == nil {
      // Repeat from a box with a resolved offset.
      abortsWhenOffsetChanges = space.allowsAbort
      var target = result.offset ?? nextBorderEdge
      if wasPushed {
        if space.clearanceOffset == childSpace.clearanceOffset { isPushedByFloats = true } else { target = nextBorderEdge }
      }
      guard resolveOffset(at: target, ignoringForced: true) else { return false }
    }
    var selfCollapsingWasCleared = result.isSelfCollapsing && isCleared
    if result.offset == nil, !result.isAborted, engine.style(child).box.clear != .none {
      // The box collapsed through: its hypothetical border edge determines whether there is clearance.
      if data.offsetEstimate + result.strut.sum < childSpace.clearanceOffset { selfCollapsingWasCleared = true }
    }
    let wasCleared = selfCollapsingWasCleared || wasPushed
    if wasCleared {
      guard resolveOffset() else { return false }
    }
    var childOffset = result.offset
    var needsRelayout = false
    if childOffset == nil {
      if offset != nil, !result.isAborted {
        childOffset = max(data.offsetEstimate + result.strut.sum, childSpace.clearanceOffset)
        needsRelayout = !result.adjoining.isEmpty && childOffset != childSpace.expectedOffset
      }
    } else if !wasCleared, !result.isSelfCollapsing {
      guard resolveOffset(at: childOffset) else { return false }
    }
    if selfCollapsingWasCleared {
      // After the clearance only the child's own margins collapse.
      var strut = MarginStrut()
      strut.append(data.margin.blockStart, isQuirky: QuirksMode.isQuirky(engine, child, isStart: true))
      if data.strut != strut {
        data.strut = strut
        needsRelayout = true
      }
    }
    var attempts = 0
    while result.isAborted || needsRelayout, let known = childOffset, attempts < 3 {
      attempts += 1
      childSpace = self.childSpace(data, forced: known, hasClearancePastAdjoiningFloats: false)
      childSpace.allowsAbort = attempts < 3
      result = try layout(data, childSpace)
      needsRelayout = false
      if result.isAborted, let corrected = result.offset { childOffset = corrected }
    }
    if let builder, let childOffset, offset != nil, let layout = result.layout {
      let isPushed = result.isPushedByFloats && !isPushedByFloats
      guard considerBreak(builder, before: child, layout, at: childOffset, isPushed: isPushed) else {
        return builder.status == .proceeds
      }
    }
    accept(result, data, childOffset, selfCollapsingWasCleared: selfCollapsingWasCleared)
    return true
  }

  /// Adds a laid-out child and advances the position.
  private mutating func accept(_ result: FlowResult, _ data: ChildData, _ childOffset: LayoutUnit?, selfCollapsingWasCleared: Bool) {
    exclusions = result.exclusions
    let isBehindClamp = isClampReached
    lineCount += result.lineCount
    if result.continuesAfterClamp { continuesAfterClamp = true }
    if offset == nil {
      adjoining.formUnion(result.adjoining)
      if !result.adjoining.isEmpty { abortsWhenOffsetChanges = true }
    }
    guard let layout = result.layout else { return }
    // An unresolved child, or one in an unresolved container, is at the start of the container.
    var blockOffset = LayoutUnit.zero
    if let offset, let childOffset { blockOffset = childOffset - offset }
    append(layout, data.box, lineLeft: data.lineLeft - space.lineLeft, blockOffset: blockOffset, hasBaseline: !isBehindClamp)
    if let builder { take(layout, data.box, at: blockOffset, builder) }
    if result.isSelfCollapsing { collapsedItems.append(items.count - 1) } else { collapsedItems = [] }

    var next = InflowPosition()
    if result.isSelfCollapsing {
      next.annotationSpace = position.annotationSpace
      next.blockOffset = selfCollapsingWasCleared ? blockOffset - result.strut.sum : position.blockOffset
      next.selfCollapsingChildHadClearance = selfCollapsingWasCleared || position.selfCollapsingChildHadClearance
    } else {
      next.blockOffset = blockOffset + direction.logical(layout.size).block
      next.annotationSpace = engine.tree[data.box].splitsInline ? spaceInLine(of: layout, data.box) : result.annotationSpace
    }
    next.strut = result.strut
    // In Chromium the end margin of a self-collapsing box is quirky if its start margin is.
    let isQuirky =
      QuirksMode.isQuirky(engine, data.box, isStart: false)
      || result.isSelfCollapsing && QuirksMode.isQuirky(engine, data.box, isStart: true)
    next.strut.append(data.margin.blockEnd, isQuirky: isQuirky)
    if let builder {
      if builder.childToken?.isAtBlockEnd == true { return }
      if layout.breaking?.continuesInParentFlow == true { next.strut = MarginStrut() }
    }
    position = next
  }

  /// Adds a child's fragment, with its relative position, its baselines and its out-of-flow descendants.
  mutating func append(_ layout: LayoutResult, _ child: BoxID, lineLeft: LayoutUnit, blockOffset: LayoutUnit, hasBaseline: Bool = true) {
    // In Chromium, a column is a definite basis for relative positioning, even if its block size comes from balancing.
    let block = percentageBlock ?? (isFragmentainerContent ? builder?.space?.blockSize : nil)
    let basis = direction.physical(LogicalSize(inline: contentInline, block: block ?? .zero))
    let shift = Sizing.relativeOffset(
      engine, child, width: direction.isHorizontal || block != nil ? basis.width : nil,
      height: !direction.isHorizontal || block != nil ? basis.height : nil, direction: direction)
    items.append(
      FlowItem(
        link: FragmentLink(fragment: layout.fragment, offset: .zero), lineLeft: lineLeft, blockOffset: blockOffset, size: layout.size,
        shift: shift, outOfFlow: layout.outOfFlow))
    guard hasBaseline, engine.style(child).text.writingMode == style.text.writingMode else { return }
    if firstBaseline == nil, let first = layout.firstBaseline {
      firstBaseline = blockOffset + first
      baselineChild = BaselineChild(item: items.count - 1, blockOffset: blockOffset)
    }
    if let last = layout.lastBaseline { lastBaseline = blockOffset + last }
    // Lines of tables do not provide baselines for an inline-block around them.
    let counted: LayoutUnit? =
      switch engine.tree[child].kind {
      case .blockContainer: layout.inlineBlockBaseline
      case .tableWrapper: nil
      default: layout.lastBaseline
      }
    if let counted { inlineBlockBaseline = blockOffset + counted }
  }
}
