internal import OffprintCSS
internal import OffprintCoreTypes

/// Sizing of replaced elements. https://www.w3.org/TR/CSS22/visudet.html#inline-replaced-width
enum ReplacedLayout {
  /// https://drafts.csswg.org/css-images-3/#default-object-size
  static let defaultSize = LayoutSize(width: LayoutUnit(300), height: LayoutUnit(150))

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    let style = engine.style(box)
    let direction = WritingDirection(style)
    let edges = Sizing.edges(engine, box, input)
    let logical = try usedSize(engine, box, input, edges: edges)
    let size = direction.physical(logical)
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    fragment.border = Sizing.border(style)
    fragment.padding = Sizing.padding(style, percentageBasis: input.percentageMargin)
    var result = LayoutResult(fragment: engine.append(fragment, children: []), size: size, intrinsicBlock: logical.block)
    if standsOnBorderEdge(engine, box) {
      result.firstBaseline = logical.block
      result.lastBaseline = logical.block
    }
    return result
  }

  /// Whether the baseline is the border edge and not the margin edge: checkboxes, radio buttons and ranges.
  private static func standsOnBorderEdge(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    let number = Int(engine.tree[box].replaced)
    guard engine.tree.replaced.indices.contains(number), case .control(let symbol, _) = engine.tree.replaced[number].kind else {
      return false
    }
    switch symbol {
    case .checkbox, .radio, .range: return true
    default: return false
    }
  }

  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let edges = Sizing.edges(engine, box, input)
    let natural = naturalSize(engine, box)
    let inline: LayoutUnit
    // https://drafts.csswg.org/css-sizing-4/#aspect-ratio: a definite block size determines the content size.
    if let block = input.fixedBlock, let ratio = Sizing.preferredAspectRatio(engine, box) {
      let size = Sizing.inline(fromBlock: block, ratio: ratio, engine.style(box), edges: edges)
      return MinMaxSizes(min: size, max: size)
    }
    if let known = natural.inline {
      inline = known
    } else if let ratio = Sizing.preferredAspectRatio(engine, box) {
      // In Chromium a replaced element with only an aspect ratio has no intrinsic size.
      inline = natural.block.map { $0 * ratio.value } ?? .zero
    } else {
      inline = WritingDirection(engine.style(box)).logical(defaultSize).inline
    }
    return MinMaxSizes(min: inline + edges.inlineSum, max: inline + edges.inlineSum)
  }

  /// Whether a replaced element has an aspect ratio and no natural size. It fills the available width, for all keywords.
  static func hasRatioAlone(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard engine.tree[box].kind == .replaced, Sizing.preferredAspectRatio(engine, box) != nil else { return false }
    let natural = naturalSize(engine, box)
    return natural.inline == nil && natural.block == nil
  }

  /// The natural content-box block size of a replaced element without an aspect ratio; nil for other boxes.
  static func blockSizeWithoutRatio(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    guard engine.tree[box].kind == .replaced, !engine.tree.isDrawnControl(box), Sizing.preferredAspectRatio(engine, box) == nil else {
      return nil
    }
    return naturalSize(engine, box).block ?? WritingDirection(engine.style(box)).logical(defaultSize).block
  }

  /// The natural content sizes in the box's own axes, or those of size containment.
  private static func naturalSize(_ engine: LayoutEngine, _ box: BoxID) -> (inline: LayoutUnit?, block: LayoutUnit?) {
    let style = engine.style(box)
    let isHorizontal = style.text.writingMode == .horizontalTb
    let number = Int(engine.tree[box].replaced)
    var width: LayoutUnit?, height: LayoutUnit?
    if engine.tree.replaced.indices.contains(number) {
      let content = engine.tree.replaced[number]
      if case .symbol(let symbol) = content.kind {
        let size = ListMarker.symbolSize(engine, style, symbol)
        return (size.inline, size.block)
      }
      if content.isMarker, content.naturalWidth == nil, content.naturalHeight == nil {
        return ListMarker.imageSize(engine, style, ratio: content.naturalRatio)
      }
      width = content.naturalWidth.map { LayoutUnit($0).clampedToZero }
      height = content.naturalHeight.map { LayoutUnit($0).clampedToZero }
    }
    var inline = isHorizontal ? width : height, block = isHorizontal ? height : width
    if let contained = Sizing.containedInline(style) { inline = contained }
    if let contained = Sizing.containedBlock(style) { block = contained }
    return (inline, block)
  }

  /// The used border-box size.
  ///
  /// https://www.w3.org/TR/CSS22/visudet.html#inline-replaced-width, #inline-replaced-height, #min-max-widths
  static func usedSize(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges) throws -> LogicalSize {
    if let inline = input.fixedInline, let block = input.fixedBlock {
      return LogicalSize(inline: max(inline, edges.inlineSum), block: max(block, edges.blockSum))
    }
    let style = engine.style(box)
    let sizes = Sizing.LogicalSizes(style)
    let ratio = Sizing.preferredAspectRatio(engine, box)
    var blockInput = input
    let isIntrinsic = input.availableInline == nil
    if let basis = TableCellPercentages.basis(engine, replaced: box, isIntrinsic: isIntrinsic) { blockInput.percentageBlock = basis }
    var blockRange = blockRange(engine, box, input, blockInput, edges: edges)
    var inlineRange = try explicitInlineRange(engine, box, input, sizes, edges: edges)
    if let ratio, hasContentBounds(sizes) {
      let content = contentInline(engine, box, blockInput, blockRange, ratio: ratio, edges: edges)
      if let content, isContentKeyword(sizes.minInline) { inlineRange.min = content }
      if let content, isContentKeyword(sizes.maxInline) { inlineRange.max = content }
      inlineRange.max = max(inlineRange.min, inlineRange.max)
    }
    var inline = try Sizing.resolveInline(sizes.inline, engine, box, input, edges: edges)
    // Content-based widths follow from the limited height through the ratio.
    switch sizes.inline {
    case .minContent, .maxContent, .fitContent: if ratio != nil { inline = nil }
    default: break
    }
    if inline == nil, sizes.inline.isAuto, input.autoInline == .fill { inline = Sizing.stretchInline(engine, box, input, edges: edges) }
    var block = Sizing.resolveBlock(sizes.block, engine, box, blockInput, edges: edges)
    if block == nil, sizes.block.isAuto, input.stretchBlock, let available = input.availableBlock { block = max(available, edges.blockSum) }
    if let fixed = input.fixedInline {
      inline = max(fixed, edges.inlineSum)
      inlineRange = (edges.inlineSum, .max)
    }
    if let fixed = input.fixedBlock {
      block = max(fixed, edges.blockSum)
      blockRange = (edges.blockSum, .max)
    }
    if let known = inline { inline = clamp(known, inlineRange) }
    if let known = block { block = clamp(known, blockRange) }

    if let inline, let block { return LogicalSize(inline: inline, block: block) }
    let natural = naturalSize(engine, box)
    let fallback = WritingDirection(style).logical(defaultSize)
    if let inline {
      let auto =
        ratio.map { Sizing.block(fromInline: inline, ratio: $0, style, edges: edges) }
        ?? (natural.block ?? fallback.block) + edges.blockSum
      return LogicalSize(inline: inline, block: clamp(auto, blockRange))
    }
    if let block {
      let auto =
        ratio.map { Sizing.inline(fromBlock: block, ratio: $0, style, edges: edges) }
        ?? (natural.inline ?? fallback.inline) + edges.inlineSum
      return LogicalSize(inline: clamp(auto, inlineRange), block: block)
    }
    guard let ratio else {
      return LogicalSize(
        inline: clamp((natural.inline ?? fallback.inline) + edges.inlineSum, inlineRange),
        block: clamp((natural.block ?? fallback.block) + edges.blockSum, blockRange))
    }
    let start = preferredSize(engine, box, input, natural, ratio: ratio, edges: edges)
    return constrained(start, inlineRange, blockRange, ratio: ratio, style, edges: edges)
  }

  /// The block-axis limits. In quirks mode Chromium resolves percentage minimums and maximums against the laid-out cell, and without
  /// https://quirks.spec.whatwg.org/#the-percentage-height-calculation-quirk.
  private static func blockRange(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ cellInput: LayoutInput, edges: LogicalEdges
  ) -> (min: LayoutUnit, max: LayoutUnit) {
    var used = cellInput
    if Sizing.isQuirksMode(engine) {
      if input.availableInline != nil { used = input }
      if !engine.tree.isControl(box), QuirksMode.passesPercentageBlock(around: box, engine) { used.percentageBlock = nil }
    }
    return Sizing.explicitMinMaxBlock(engine, box, used, edges: edges)
  }

  /// The size if both sizes are `auto` and there is a ratio.
  private static func preferredSize(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ natural: (inline: LayoutUnit?, block: LayoutUnit?), ratio: Sizing.Ratio,
    edges: LogicalEdges
  ) -> LogicalSize {
    let style = engine.style(box)
    if let inline = natural.inline {
      return LogicalSize(
        inline: inline + edges.inlineSum, block: Sizing.block(fromInline: inline + edges.inlineSum, ratio: ratio, style, edges: edges))
    }
    if let block = natural.block {
      return LogicalSize(
        inline: Sizing.inline(fromBlock: block + edges.blockSum, ratio: ratio, style, edges: edges), block: block + edges.blockSum)
    }
    let inline = Sizing.stretchInline(engine, box, input, edges: edges) ?? edges.inlineSum
    return LogicalSize(inline: inline, block: Sizing.block(fromInline: inline, ratio: ratio, style, edges: edges))
  }

  /// Applies minimums and maximums, preserving the ratio if possible. https://www.w3.org/TR/CSS22/visudet.html#min-max-widths
  private static func constrained(
    _ start: LogicalSize, _ inlineRange: (min: LayoutUnit, max: LayoutUnit), _ blockRange: (min: LayoutUnit, max: LayoutUnit),
    ratio: Sizing.Ratio, _ style: ComputedStyle, edges: LogicalEdges
  ) -> LogicalSize {
    var (low, high) = inlineRange
    if blockRange.max != .max { high = min(high, max(low, Sizing.inline(fromBlock: blockRange.max, ratio: ratio, style, edges: edges))) }
    // If the ratio applies to the border box, borders and padding are also a minimum.
    low = max(low, min(high, Sizing.inline(fromBlock: blockRange.min, ratio: ratio, style, edges: edges)))
    let inline = clamp(start.inline, (low, high))
    let block = inline == start.inline ? start.block : Sizing.block(fromInline: inline, ratio: ratio, style, edges: edges)
    return LogicalSize(inline: inline, block: clamp(block, blockRange))
  }

  private static func explicitInlineRange(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ sizes: Sizing.LogicalSizes, edges: LogicalEdges
  ) throws -> (min: LayoutUnit, max: LayoutUnit) {
    let low = try Sizing.resolveInline(sizes.minInline, engine, box, input, edges: edges) ?? edges.inlineSum
    let high = try Sizing.resolveInline(sizes.maxInline, engine, box, input, edges: edges) ?? .max
    return (low, max(low, high))
  }

  private static func hasContentBounds(_ sizes: Sizing.LogicalSizes) -> Bool {
    isContentKeyword(sizes.minInline) || isContentKeyword(sizes.maxInline)
  }

  private static func isContentKeyword(_ value: SizeValue) -> Bool {
    switch value {
    case .minContent, .maxContent: true
    default: false
    }
  }

  /// The content size for `min-content` and `max-content`: transferred from the block size through the ratio.
  /// https://drafts.csswg.org/css-sizing-4/#aspect-ratio-intrinsic-sizes. nil without a natural size.
  private static func contentInline(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ blockRange: (min: LayoutUnit, max: LayoutUnit), ratio: Sizing.Ratio,
    edges: LogicalEdges
  ) -> LayoutUnit? {
    let style = engine.style(box), natural = naturalSize(engine, box)
    guard natural.inline != nil || natural.block != nil else { return nil }
    let start = preferredSize(engine, box, input, natural, ratio: ratio, edges: edges)
    let block = Sizing.resolveBlock(Sizing.LogicalSizes(style).block, engine, box, input, edges: edges) ?? start.block
    let used = clamp(block, blockRange)
    return used == start.block ? start.inline : Sizing.inline(fromBlock: used, ratio: ratio, style, edges: edges)
  }

  private static func clamp(_ value: LayoutUnit, _ range: (min: LayoutUnit, max: LayoutUnit)) -> LayoutUnit {
    max(range.min, min(value, range.max))
  }
}
