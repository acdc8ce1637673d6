internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// Block containers. https://www.w3.org/TR/CSS22/visuren.html#block-formatting
enum BlockFormattingContext {
  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    if MultiColumnLayout.applies(to: box, engine) { return try ColumnLayout.layout(engine, box, input) }
    var space = FlowSpace()
    if let clamp = lineClamp(engine, box) {
      // The last line is only truncated if any content follows.
      space.lineClamp = LineClamp(lines: clamp, isProbe: true)
      var whole = try BlockLayout(engine, box, input, space)
      let result = try whole.run()
      if !result.continuesAfterClamp, let layout = result.layout { return layout }
      space.lineClamp = LineClamp(lines: clamp, isProbe: false)
    }
    if space.lineClamp == nil, input.fragmentation < 0 { space.cutoff = input.cutoff }
    if let result = try BlockLayout.layout(engine, box, input, space).layout { return result }
    let fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: .zero)
    return LayoutResult(fragment: engine.append(fragment, children: []), size: .zero)
  }

  /// The number of lines that `line-clamp` allows in a block container. https://drafts.csswg.org/css-overflow-4/#webkit-line-clamp
  private static func lineClamp(_ engine: LayoutEngine, _ box: BoxID) -> Int? {
    let style = engine.style(box)
    guard let lines = style.effects.lineClamp, !engine.tree[box].isAnonymous, style.box.isLineClampContainer else { return nil }
    return max(lines, 1)
  }

  /// Whether a child of a block container does not participate in its parent's block formatting context.
  ///
  /// https://drafts.csswg.org/css-display-3/#establish-an-independent-formatting-context
  static func isIndependent(_ engine: LayoutEngine, _ child: BoxID) -> Bool {
    let box = engine.tree[child]
    guard box.kind == .blockContainer, !box.isFloating, !box.isOutOfFlow, !box.isRoot else { return true }
    if box.control != .none { return true }
    switch box.style.box.display {
    case .flowRoot, .flowRootListItem, .inlineBlock, .tableCaption, .tableCell, .math, .blockMath: return true
    default: break
    }
    if Sizing.isScrollContainer(box.style), !RootLayout.passesOverflowToViewport(engine, child) { return true }
    if !box.style.isUncontained {
      if box.style.box.containerType != .normal || box.style.box.contentVisibilityHidden { return true }
      if box.style.box.containment.contains(.layout) || box.style.box.containment.contains(.paint) { return true }
    }
    if box.style.align.columnSpan == .all || engine.hasColumns && box.style.align.isMultiColumn { return true }
    // Chromium treats `last baseline` like `normal` here.
    let alignment = box.style.align.alignContent.keyword
    if alignment != .normal, alignment != .lastBaseline, !box.isAnonymous { return true }
    if !box.parent.isNone, engine.style(box.parent).text.writingMode != box.style.text.writingMode { return true }
    return engine.tree.isElement(child, .fieldset) || engine.tree.isElement(child, .output) || engine.tree.isControl(child)
  }
}

// MARK: Intrinsic sizes

extension BlockFormattingContext {
  /// https://drafts.csswg.org/css-sizing-3/#intrinsic-sizes
  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let style = engine.style(box)
    let direction = WritingDirection(style)
    let edges = Sizing.edges(engine, box, input)
    if let known = containedContent(engine, box) ?? Sizing.controlInlineSize(engine, box) {
      return MinMaxSizes(min: known + edges.inlineSum, max: known + edges.inlineSum)
    }
    var sizes =
      engine.tree[box].hasInlineChildren
      ? try InlineFormattingContext.intrinsicSizes(engine, box, childMeasure(engine, box, input, edges: edges))
      : try blockContent(engine, box, childMeasure(engine, box, input, edges: edges), direction)
    sizes = try MultiColumnLayout.intrinsicSizes(sizes, engine, box, childMeasure(engine, box, input, edges: edges))
    let inner = engine.tree[box].firstChild
    sizes = Sizing.fieldSizingContentSizes(
      sizes, engine.tree[box], hasPlaceholder: !inner.isNone && engine.tree[inner].pseudo == .placeholder)
    if engine.tree[box].control == .menu && !style.box.fieldSizingContent || engine.tree[box].control == .dateFields {
      // The widest label or value, rounded up to whole pixels.
      sizes = MinMaxSizes(min: LayoutUnit(sizes.min.double.rounded(.up)), max: LayoutUnit(sizes.max.double.rounded(.up)))
    }
    sizes.max = max(sizes.min, sizes.max)
    // The contents of a marquee do not affect its minimum size. https://html.spec.whatwg.org/multipage/rendering.html#the-marquee-element-2
    if engine.tree.isElement(box, .marquee) { sizes.min = .zero }
    return sizes + edges.inlineSum
  }

  /// The content size under size containment. Columns keep their sizes, unless `contain-intrinsic-size` specifies one.
  private static func containedContent(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    let style = engine.style(box)
    guard let contained = Sizing.containedInline(style) else { return nil }
    let isHorizontal = style.text.writingMode == .horizontalTb
    let hasExplicitSize = (isHorizontal ? style.box.containIntrinsicWidth : style.box.containIntrinsicHeight) != nil
    guard !hasExplicitSize, MultiColumnLayout.applies(to: box, engine) else { return contained }
    return MultiColumnLayout.columnSizes(MinMaxSizes(), style).max
  }

  /// The input for measuring children. Block-axis percentages resolve if this box's block size is definite.
  private static func childMeasure(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges) -> LayoutInput {
    var child = LayoutInput(availableInline: nil)
    if engine.tree[box].isAnonymous {
      child.percentageBlock = input.percentageBlock
    } else if let block = Sizing.definiteBlockSize(engine, box, input, edges: edges), input.fixedBlock == nil || input.fixedBlockIsDefinite
    {
      child.percentageBlock = (block - edges.blockSum).clampedToZero
    } else if passesPercentageBlock(engine, box) {
      child.percentageBlock = input.percentageBlock
    }
    child.availableBlock = child.percentageBlock
    child.isMeasure = true
    return child
  }

  /// Whether percentages of heights resolve against the nearest ancestor whose height is not `auto`, in quirks mode.
  /// https://quirks.spec.whatwg.org/#the-percentage-height-calculation-quirk
  static func passesPercentageBlock(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    let item = engine.tree[box]
    guard Sizing.isQuirksMode(engine), item.kind == .blockContainer, !item.isOutOfFlow else { return false }
    // In Chromium the search ends at the block-level children of cells.
    if item.isInFlow, !item.isInlineLevel, !item.parent.isNone, engine.tree[item.parent].kind == .tableCell { return false }
    return Sizing.LogicalSizes(item.style).block.isAuto
  }

  /// The contributions of block-level children and floats. Adjacent floats add up, and a row of floats ends at the next in-flow child.
  private static func blockContent(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ direction: WritingDirection
  ) throws -> MinMaxSizes {
    var sizes = MinMaxSizes()
    var leftFloats = LayoutUnit.zero, rightFloats = LayoutUnit.zero
    for child in engine.tree.children(of: box) {
      let item = engine.tree[child]
      if item.isOutOfFlow || item.isOutsideMarker || MultiColumnLayout.isSpanner(child, engine) { continue }
      let style = item.style
      let margin = Sizing.logicalMargin(style, percentageBasis: .zero, in: direction)
      if item.isFloating || isIndependent(engine, child) {
        if style.box.clear == .left || style.box.clear == .both {
          sizes.max = max(sizes.max, leftFloats + rightFloats)
          leftFloats = .zero
        }
        if style.box.clear == .right || style.box.clear == .both {
          sizes.max = max(sizes.max, leftFloats + rightFloats)
          rightFloats = .zero
        }
      }
      let contribution =
        item.isAnonymous && item.hasInlineChildren && leftFloats + rightFloats > .zero
        ? try InlineFormattingContext.intrinsicSizes(
          engine, child, childMeasure(engine, child, input, edges: LogicalEdges()), floats: (leftFloats, rightFloats))
        : try Sizing.contribution(engine, child, direction, input)
      let sum = margin.inlineSum
      sizes.min = max(sizes.min, contribution.min + sum)
      let outer = contribution.max + sum
      if item.isFloating {
        if style.box.float == .right { rightFloats += outer.clampedToZero } else { leftFloats += outer.clampedToZero }
        sizes.max = max(sizes.max, leftFloats + rightFloats)
      } else if isIndependent(engine, child) {
        // Margins overlap adjacent floats.
        let isLTR = !direction.isRTL
        let marginLeft = isLTR ? margin.inlineStart : margin.inlineEnd, marginRight = isLTR ? margin.inlineEnd : margin.inlineStart
        let left = leftFloats > .zero ? max(marginLeft, leftFloats) : marginLeft
        let right = rightFloats > .zero ? max(marginRight, rightFloats) : marginRight
        sizes.max = max(sizes.max, contribution.max + left + right)
        leftFloats = .zero
        rightFloats = .zero
      } else {
        sizes.max = max(sizes.max, outer)
        leftFloats = .zero
        rightFloats = .zero
      }
    }
    sizes.max = max(sizes.max, sizes.min)
    return sizes
  }
}
