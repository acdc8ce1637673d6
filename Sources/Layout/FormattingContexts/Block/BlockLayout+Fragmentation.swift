internal import OffprintCSS
internal import OffprintCoreTypes

// Fragmentation of block containers.
extension BlockLayout {
  /// Returns false if this box must be laid out again.
  mutating func layoutContents(in builder: FragmentBuilder) throws -> Bool {
    guard !engine.tree[box].hasInlineChildren else { return try layoutLines(builder) }
    var children = ResumedChildren(engine.tree, box, builder.previous)
    let splits = try splitLines(), legend = renderedLegend
    var linesHere = 0
    while let next = children.next() {
      if next.child == legend { continue }
      builder.childToken = next.token
      builder.childSplit = splits[next.child]
      builder.childSplit?.here = linesHere
      let lines = lineCount
      guard try layout(next.child, in: builder, &children) else { return false }
      if let split = builder.childSplit { linesHere += isLines(next.child) ? lineCount - lines : split.own ?? 0 }
      if builder.state.contains(.hasInFlowBreak) || !builder.foundSpanner.isNone { break }
    }
    (builder.childToken, builder.childSplit) = (nil, nil)
    if children.isAtEnd { builder.state.insert(.hasSeenAllChildren) }
    return true
  }

  private func isLines(_ child: BoxID) -> Bool { engine.tree[child].isAnonymous && engine.tree[child].hasInlineChildren }

  private mutating func layout(_ child: BoxID, in builder: FragmentBuilder, _ children: inout ResumedChildren) throws -> Bool {
    let item = engine.tree[child]
    if item.isOutsideMarker {
      outsideMarker = child
    } else if item.isOutOfFlow {
      addOutOfFlow(child)
    } else if item.isFloating {
      try placeFloat(child)
    } else if builder.space?.kind == .column, MultiColumnLayout.isSpanner(child, engine) {
      endFragment(beforeSpanner: child, builder, &children)
    } else if builder.early?.isBefore(child) == true {
      guard resolveOffset() else { return false }
      builder.breakBefore(child, forced: false)
      consumeFragmentainer(builder)
    } else {
      return try placeBlock(child)
    }
    return true
  }

  /// Ends the fragment before a spanner. https://drafts.csswg.org/css-multicol-1/#spanning-columns
  private mutating func endFragment(beforeSpanner child: BoxID, _ builder: FragmentBuilder, _ children: inout ResumedChildren) {
    if builder.space?.isPastBreak == true || builder.hasChildBreak {
      // Parallel flows that continue come before the spanner.
      builder.breakBefore(child, forced: true)
      return
    }
    builder.foundSpanner = child
    if items.isEmpty, builder.isResuming { builder.findings.insert(.isEmptySpannerParent) }
    while let next = children.next() {
      if MultiColumnLayout.isSpanner(next.child, engine) { continue }
      builder.breakBefore(next.child, forced: true)
      break
    }
  }

  /// Extends the box to the end of the fragmentainer, because its contents break. https://drafts.csswg.org/css-break-3/#box-splitting
  mutating func consumeFragmentainer(_ builder: FragmentBuilder) {
    if let left = builder.spaceLeftForChildren { position.blockOffset = max(position.blockOffset, left) }
  }

  /// Returns false if the child is not in this fragment.
  ///
  /// - Parameters:
  ///   - offset: In the block formatting context.
  ///   - isPushed: Whether clearance of floats leaves a gap before the child: a class C break point.
  mutating func considerBreak(
    _ builder: FragmentBuilder, before child: BoxID, _ layout: LayoutResult, at offset: LayoutUnit, isPushed: Bool
  ) -> Bool {
    var candidate = BreakChild(engine, child, layout, direction)
    candidate.needsClearance = exclusions.isPushed(clearing: engine.style(child).box.clear)
    if let split = builder.childSplit, split.isBad(at: split.here, style.text) { candidate.mostAppeal = .violatingOrphansAndWidows }
    let isSeparated = builder.state.contains(.hasOpportunity) || isPushed
    switch builder.considerBreak(before: candidate, at: builder.fragmentainerOffset(offset), isSeparated: isSeparated) {
    case .proceed: return true
    case .needsEarlierBreak: return false
    case .brokeBefore:
      consumeFragmentainer(builder)
      return false
    }
  }

  /// - Parameter offset: Relative to the border edge.
  func take(_ layout: LayoutResult, _ child: BoxID, at offset: LayoutUnit, _ builder: FragmentBuilder) {
    builder.take(BreakChild(engine, child, layout, direction), at: offset)
    // Lines without height, such as those before a block in an inline box, provide no break opportunity.
    let isEmptyRun =
      engine.tree[child].isAnonymous && engine.tree[child].hasInlineChildren && InlineFormattingContext.isEmpty(engine, child)
    if builder.childToken?.isAtBlockEnd != true, !isEmptyRun { builder.state.insert(.hasOpportunity) }
  }

  // MARK: Completion

  /// Determines the size of the fragment after its contents are placed and the margins still open at its end, and builds it.
  mutating func finish(in builder: FragmentBuilder, _ open: MarginStrut) throws -> FlowResult {
    var endStrut = open
    if !outsideMarker.isNone, firstBaseline == nil, try !reserveMarkerLine() { return aborted() }
    let contentSize = builder.consumedBefore + intrinsicBlock
    var total = builder.totalSize(input, contents: contentSize, inlineSize: inlineSize)
    if legendEnd > .zero { total = max(total, legendEnd + fragmentEdges.blockEnd) }
    if offset == nil, total != .zero || builder.isResuming || !builder.foundSpanner.isNone || endsBeforeSpanner(builder) {
      guard resolveOffset() else { return aborted() }
      endStrut = MarginStrut()
    }
    if offset != nil, total != contentSize || hasDefiniteBlockSize { endStrut = MarginStrut() }
    let laidOut = intrinsicBlock
    let size = LogicalSize(
      inline: inlineSize,
      block: builder.finish(
        total: total, intrinsic: intrinsicBlock, endEdge: fragmentEdges.blockEnd,
        floatsBroke: space.isNewFormattingContext && !exclusions.breaks.isEmpty))
    guard builder.status == .proceeds else { return aborted() }
    if builder.isPastEnd { endStrut = MarginStrut() }
    if !builder.isBroken { alignContent(in: size, intrinsic: laidOut) }
    try placeOutsideMarker()
    return try result(in: builder, size, endStrut)
  }

  /// The fragment ends before a spanner that waits for parallel flows.
  private func endsBeforeSpanner(_ builder: FragmentBuilder) -> Bool {
    builder.childTokens.last.map { !$0.isInside && MultiColumnLayout.isSpanner($0.box, engine) } ?? false
  }

  /// The block size of the box without fragmentation.
  func unfragmentedBlockSize() throws -> LayoutUnit? {
    var input = input, space = space
    input.fragmentation = -1
    input.isMeasure = true
    space.allowsAbort = false
    return try BlockLayout.layout(engine, box, input, space).layout.map { direction.logical($0.size).block }
  }

  private mutating func result(in builder: FragmentBuilder, _ size: LogicalSize, _ endStrut: MarginStrut) throws -> FlowResult {
    var result = FlowResult()
    result.layout = try fragment(size)
    result.lineCount = lineCount
    result.exclusions = exclusions
    result.strut = endStrut
    result.offset = offset
    result.isPushedByFloats = isPushedByFloats
    if offset == nil {
      result.isSelfCollapsing = true
      result.adjoining = adjoining
      result.offset = space.forcedOffset
    }
    return result
  }
}

extension BlockLayout {
  /// The part of the contents of a box that is in one fragmentainer: a column of a multi-column container, or a page.
  static func layoutFragmentainer(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, percentageBlock: LayoutUnit?
  ) throws -> LayoutResult {
    var layout = BlockLayout(engine, fragmentainerContentOf: box, input, percentageBlock: percentageBlock)
    if let result = try layout.run().layout { return result }
    guard let builder = layout.builder, builder.status == .needsEarlierBreak else {
      let fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: .zero)
      return LayoutResult(fragment: engine.append(fragment, children: []), size: .zero)
    }
    return try engine.fragmenting(builder.inputForRepetition, input) { input in
      let result = try layoutFragmentainer(engine, box, input, percentageBlock: percentageBlock)
      result.breaking?.note(shortage: builder.shortage)
      return result
    }
  }
}

/// The children that are in a fragment: those that continue, followed by those that have not begun.
struct ResumedChildren {
  private let tree: BoxTree
  private let tokens: [BreakToken]
  private let hasSeenAll: Bool
  private var index = 0
  private var following: BoxID

  init(_ tree: BoxTree, _ box: BoxID, _ token: BreakToken?) {
    self.tree = tree
    let isInside = token?.isInside ?? false
    tokens = isInside ? token?.children ?? [] : []
    hasSeenAll = isInside && token?.hasSeenAllChildren == true
    following = hasSeenAll || !tokens.isEmpty ? .none : tree[box].firstChild
  }

  mutating func next() -> (child: BoxID, token: BreakToken?)? {
    if index < tokens.count {
      let token = tokens[index]
      index += 1
      if index == tokens.count, !hasSeenAll { following = tree[token.box].nextSibling }
      return (token.box, token)
    }
    guard !following.isNone else { return nil }
    defer { following = tree[following].nextSibling }
    return (following, nil)
  }

  /// Whether all children have at least started.
  var isAtEnd: Bool { following.isNone && index >= tokens.count }
}
