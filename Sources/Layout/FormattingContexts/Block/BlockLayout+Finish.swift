internal import OffprintCSS
internal import OffprintCoreTypes

extension BlockLayout {
  /// The block size of the tallest option or group label of a list box.
  private var tallestOption: LayoutUnit? {
    var tallest: LayoutUnit?
    func visit(_ fragment: FragmentID) {
      let box = engine.fragments[fragment].box
      guard engine.fragments[fragment].kind == .box else { return }
      if !engine.tree[box].isAnonymous, !engine.tree.isElement(box, .option), !engine.tree.isElement(box, .hr) {
        engine.fragments.children(of: fragment).forEach { visit($0.fragment) }
      } else {
        let size = direction.logical(engine.fragments[fragment].size).block
        tallest = max(tallest ?? size, size)
      }
    }
    for item in items { if let link = item.link { visit(link.fragment) } }
    return tallest
  }

  /// Builds the box's fragment after its contents are placed: determines its size, and which margins at its end still collapse with later ones.
  mutating func finish() throws -> FlowResult {
    if style.box.marginTrim.contains(.blockEnd), offset != nil { trimBlockEnd() }
    endAtClamp()
    var endStrut = position.strut
    if let builder, !builder.includesEndEdge(isNewFormattingContext: space.isNewFormattingContext) { fragmentEdges.blockEnd = .zero }
    let edges = fragmentEdges
    intrinsicBlock = max(edges.blockSum, legendEnd + edges.blockEnd)
    if space.isNewFormattingContext {
      // A formatting context root contains its floats.
      let floatsEnd = max(exclusions.clearance(for: .both), exclusions.letterEnd.left, exclusions.letterEnd.right)
      if floatsEnd != .min { intrinsicBlock = max(intrinsicBlock, floatsEnd - currentOffset + edges.blockEnd) }
    }
    if self.edges.blockEnd != .zero || position.selfCollapsingChildHadClearance || space.isNewFormattingContext {
      var sum = QuirksMode.swallowsMargins(engine, box) ? endStrut.sumWithoutQuirky : endStrut.sum
      if let left = builder?.spaceLeftForChildren { sum = min(sum, (left - position.blockOffset).clampedToZero) }
      if offset == nil {
        guard resolveOffset() else { return aborted() }
        position.blockOffset = .zero
      } else {
        position.blockOffset += sum
      }
      intrinsicBlock = max(intrinsicBlock, position.blockOffset + edges.blockEnd)
      endStrut = MarginStrut()
    } else {
      // The margins at the end can still collapse with those of the container.
      intrinsicBlock = max(intrinsicBlock, position.blockOffset)
    }
    // In columns, Chromium does not move content below the top of an outside marker.
    if isFragmentainerContent { return try finishFragmentainerContent() }
    if builder?.state.contains(.hasInFlowBreak) == true, firstBaseline == nil { outsideMarker = .none }
    try moveBelowMarkerTop()
    var excess = LayoutUnit.zero
    let laidOutBlock = intrinsicBlock
    let contained = Sizing.containedBlock(style)
    // Under size containment, a list box has its number of rows, each as tall as in a list box without options.
    let isContainedList = contained != nil && engine.tree[box].control == .listBox
    if let contained = (isContainedList ? nil : contained)
      ?? Sizing.controlBlockSize(engine, box, tallestOption: isContainedList ? nil : tallestOption)
    {
      // A line in fallback fonts that is taller than the text field overflows it equally on both sides.
      if [.textField, .menu].contains(engine.tree[box].control) { excess = (intrinsicBlock - contained - edges.blockSum).clampedToZero }
      intrinsicBlock = contained + edges.blockSum
    }
    if let builder { return try finish(in: builder, endStrut) }
    if !outsideMarker.isNone, firstBaseline == nil {
      let wasOpen = offset == nil
      guard try reserveMarkerLine() else { return aborted() }
      // If a line was reserved, the margins collected so far precede it. If only the marker's height was, Chromium also applies them after it.
      if wasOpen, offset != nil, firstBaseline != nil { endStrut = MarginStrut() }
    }
    var size = LogicalSize(
      inline: inlineSize,
      block: Sizing.blockSize(engine, box, input, edges: edges, contentBlock: intrinsicBlock, inlineSize: inlineSize))
    // In Chromium, a fieldset is at least as tall as its legend and its block-end border and padding, regardless of its specified size.
    if legendEnd > .zero { size.block = max(size.block, legendEnd + edges.blockEnd) }
    fillViewportInQuirksMode(&size, margins: edges.blockEnd == .zero ? endStrut : MarginStrut())
    if offset == nil, size.block != .zero {
      guard resolveOffset() else { return aborted() }
      endStrut = MarginStrut()
    }
    if offset != nil, size.block != intrinsicBlock || hasDefiniteBlockSize { endStrut = MarginStrut() }
    alignContent(in: size, intrinsic: engine.tree[box].control == .none ? laidOutBlock : intrinsicBlock, excess: excess)
    try placeOutsideMarker()

    var result = FlowResult()
    let layout = try fragment(size)
    result.layout = layout
    result.lineCount = lineCount
    result.continuesAfterClamp = continuesAfterClamp
    result.exclusions = exclusions
    result.strut = endStrut
    if !space.isNewFormattingContext, position.annotationSpace > .zero { result.annotationSpace = annotationSpaceBelow(in: size) }
    result.offset = offset
    result.isPushedByFloats = isPushedByFloats
    if offset == nil {
      result.isSelfCollapsing = true
      result.adjoining = adjoining
      result.offset = space.forcedOffset
    }
    return result
  }

  /// Removes the margins after the last child that is not self-collapsing, including those of the self-collapsing children after it.
  /// https://drafts.csswg.org/css-box-4/#margin-trim-block
  private mutating func trimBlockEnd() {
    position.strut = MarginStrut()
    for index in collapsedItems where items.indices.contains(index) { items[index].blockOffset = position.blockOffset }
  }

  /// The space in the box that annotations after it may occupy: from the end of its content to the border.
  private func annotationSpaceBelow(in size: LogicalSize) -> LayoutUnit {
    let isVisible = style.box.overflowX == .visible && style.box.overflowY == .visible
    guard isVisible, direction.logical(border).blockEnd == .zero else { return .zero }
    return (position.annotationSpace + size.block - intrinsicBlock + edges.blockEnd).clampedToZero
  }

  private mutating func finishFragmentainerContent() throws -> FlowResult {
    // In Chromium, columns without a line have no marker.
    if firstBaseline != nil { try placeOutsideMarker() }
    var result = FlowResult()
    let size = builder?.finishFragmentainer(intrinsic: intrinsicBlock) ?? intrinsicBlock
    result.layout = try fragment(LogicalSize(inline: inlineSize, block: size))
    return result
  }

  /// Whether the block size is not `auto`, so that the margin of the last child does not collapse with the box's own.
  var hasDefiniteBlockSize: Bool {
    input.fixedBlock != nil || Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize) != nil
  }

  /// - Parameter margins: The margins at the end of the contents. They collapse with the box's own, and the result is subtracted.
  private func fillViewportInQuirksMode(_ size: inout LogicalSize, margins: MarginStrut) {
    guard let filled = QuirksMode.viewportFill(engine, box, input) else { return }
    guard engine.tree.isElement(box, .body) else {
      size.block = max(size.block, filled)
      return
    }
    let own = Sizing.logicalMargin(style, percentageBasis: input.percentageMargin, in: direction)
    var taken = margins.sum + own.blockEnd
    if let offset {
      var end = margins
      end.append(own.blockEnd)
      taken = offset - space.blockOffset + end.sum
    }
    size.block = max(size.block, filled + own.blockSum - taken)
  }

  // MARK: Content alignment

  /// https://drafts.csswg.org/css-align-3/#distribution-block, and `vertical-align` of table cells
  ///
  /// - Parameter intrinsic: The block size of the contents, even under size containment.
  mutating func alignContent(in size: LogicalSize, intrinsic: LayoutUnit, excess: LayoutUnit = .zero) {
    let free = size.block - intrinsic
    var shift = LayoutUnit.zero
    let content = style.align.alignContent
    let control = engine.tree[box].control
    if engine.tree[box].kind == .tableCell {
      shift = input.tableCell?.contentOffset(size: size.block, intrinsic: intrinsicBlock) ?? .zero
    } else if engine.tree.isControl(box), control != .none, control != .listBox, content.keyword == .normal {
      // https://html.spec.whatwg.org/#button-layout: the contents are centered.
      shift = free.clampedToZero / 2
    } else if space.isNewFormattingContext, !engine.tree[box].isAnonymous {
      shift = Self.contentShift(style, free: free)
    }
    shift -= excess / 2
    guard shift != .zero else { return }
    for index in items.indices where !items[index].isFixedInPlace { items[index].blockOffset += shift }
    firstBaseline = firstBaseline.map { $0 + shift }
    lastBaseline = lastBaseline.map { $0 + shift }
    inlineBlockBaseline = inlineBlockBaseline.map { $0 + shift }
  }

  /// The offset by which `align-content` moves the contents of a block container. Overflowing contents only move if alignment is `unsafe`.
  static func contentShift(_ style: ComputedStyle, free: LayoutUnit) -> LayoutUnit {
    let content = style.align.alignContent
    switch content.keyword {
    case .center: return content.overflow == .unsafe ? free / 2 : free.clampedToZero / 2
    case .end, .flexEnd: return content.overflow == .unsafe ? free : free.clampedToZero
    case .spaceAround, .spaceEvenly: return free.clampedToZero / 2
    default: return .zero
    }
  }

  // MARK: The fragment

  /// The physical offset of an item with line-relative offsets.
  private func origin(_ item: FlowItem, in size: LayoutSize) -> LayoutPoint {
    guard !direction.isHorizontal else { return LayoutPoint(x: item.lineLeft, y: item.blockOffset) }
    return LayoutPoint(
      x: direction.isFlippedBlocks ? size.width - item.blockOffset - item.size.width : item.blockOffset,
      y: direction.mode == .sidewaysLr ? size.height - item.lineLeft - item.size.height : item.lineLeft)
  }

  func fragment(_ logical: LogicalSize) throws -> LayoutResult {
    let size = direction.physical(logical)
    var links: [FragmentLink] = []
    links.reserveCapacity(items.count)
    var pending: [OutOfFlowCandidate] = []
    for item in items {
      let origin = origin(item, in: size) + item.shift
      if let link = item.link { links.append(FragmentLink(fragment: link.fragment, offset: origin + link.offset)) }
      for var candidate in item.outOfFlow {
        candidate.staticPosition += origin
        pending.append(candidate)
      }
    }
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    let inFlow = links.count
    let remaining =
      isFragmentainerContent && input.isMeasure
      ? pending
      : try OutOfFlowLayout.finish(
        engine, box, input, &fragment, border: border, links: &links, pending: pending, inlineOnly: isFragmentainerContent)
    builder?.measureOutOfFlow(links.dropFirst(inFlow), in: size)
    (fragment.border, fragment.padding) = (border, padding)
    builder?.cut(&fragment)
    if !isFragmentainerContent { Sizing.moveGutter(of: &fragment, engine, box) }
    fragment.hasCollapsedBorders = input.tableCell?.border != nil
    if let legend = items.first(where: { $0.isFixedInPlace }), legend.link != nil {
      fragment.legend = LayoutRect(origin: origin(legend, in: size), size: legend.size)
    }
    let isBaselineSuppressed =
      !style.isUncontained && (style.box.containment.contains(.layout) || style.box.contentVisibilityHidden)
    // The baselines of a scroll container are clamped to its border box.
    // Chromium ignores `overflow` of file choosers and sliders here.
    let ignoresOverflow =
      engine.tree[box].control == .slider || engine.tree[box].control == .fileUpload && engine.tree.isElement(box, .input)
    let isClamped = Sizing.isScrollContainer(style) && !isBaselineSuppressed && !ignoresOverflow
    let hasBlockEndBaseline = engine.tree[box].hasBlockEndBaseline
    func used(_ baseline: LayoutUnit?) -> LayoutUnit? {
      if hasBlockEndBaseline { return logical.block }
      return isClamped ? baseline.map { max(.zero, min($0, logical.block)) } : baseline
    }
    fragment.baseline = isBaselineSuppressed ? nil : used(firstBaseline)
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: intrinsicBlock)
    if !isBaselineSuppressed {
      result.firstBaseline = used(firstBaseline)
      result.lastBaseline = used(lastBaseline)
      // https://drafts.csswg.org/css-align-3/#baseline-export: for a scroll container the block-end margin edge.
      result.inlineBlockBaseline =
        isClamped
        ? logical.block + Sizing.logicalMargin(style, percentageBasis: input.percentageMargin, in: direction).blockEnd
        : hasBlockEndBaseline ? logical.block : inlineBlockBaseline
    }
    result.outOfFlow = remaining
    result.breaking = try builder?.result(size: logical.block) {
      try unfragmentedBlockSize() ?? logical.block
    }
    return result
  }
}
