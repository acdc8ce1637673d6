internal import OffprintCSS
internal import OffprintCoreTypes

// MARK: Inline axis

extension Sizing {
  /// The border-box inline size for a sizing value; nil if it behaves as `auto` (or `none`).
  ///
  /// https://drafts.csswg.org/css-sizing-3/#sizing-values
  static func resolveInline(
    _ value: SizeValue, _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges
  ) throws -> LayoutUnit? {
    switch value {
    case .auto, .none, .content: return nil
    case .value(let length):
      return length.resolveIfDefinite(input.percentageInline).map { inlineBorderBox($0, engine, box, edges) }
    case .calcSize(let size):
      let basis = try resolveInline(size.basis, engine, box, input, edges: edges)
      guard let basis = try basis ?? (size.isAutoLike ? autoInlineSize(engine, box, input, edges: edges) : nil) else { return nil }
      return calculated(size, of: basis, engine.style(box), edges: edges.inlineSum, percentageBasis: input.percentageInline)
    case .minContent, .maxContent, .fitContent:
      // https://drafts.csswg.org/css-sizing-4/#aspect-ratio: a definite block size determines the content size.
      if let transferred = transferredInline(engine, box, input, edges: edges) { return transferred }
      if ReplacedLayout.hasRatioAlone(engine, box) { return nil }
    default: break
    }
    switch value {
    case .auto, .none, .content, .value, .calcSize: return nil
    case .minContent where isCompressible(engine, box, LogicalSizes(engine.style(box))): return edges.inlineSum
    case .minContent: return try engine.intrinsicSizes(box, input).min
    case .maxContent: return try engine.intrinsicSizes(box, input).max
    case .fitContent: return try fitContentInline(engine, box, input)
    case .stretch: return stretchInline(engine, box, input, edges: edges)
    }
  }

  /// The available size minus margins; nil if indefinite.
  static func stretchInline(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges) -> LayoutUnit? {
    guard let available = input.availableInline else { return nil }
    let style = engine.style(box)
    let margin = logicalMargin(style, percentageBasis: input.percentageMargin, in: WritingDirection(style))
    return max(available - margin.inlineSum, edges.inlineSum)
  }

  /// https://drafts.csswg.org/css-sizing-3/#fit-content-size
  static func fitContentInline(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutUnit {
    let sizes = try engine.intrinsicSizes(box, input)
    guard let available = input.availableInline else { return sizes.max }
    let style = engine.style(box)
    let margin = logicalMargin(style, percentageBasis: input.percentageMargin, in: WritingDirection(style))
    return sizes.shrinkToFit((available - margin.inlineSum).clampedToZero)
  }

  /// The used border-box inline size, with minimum and maximum applied.
  ///
  /// https://drafts.csswg.org/css-sizing-3/#preferred-size-properties, https://drafts.csswg.org/css-sizing-4/#aspect-ratio
  static func inlineSize(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges) throws -> LayoutUnit {
    // A column may be narrower than the edges of its cells, because percentage paddings are treated as zero there.
    if let fixed = input.fixedInline { return engine.tree[box].kind == .tableCell ? fixed : max(fixed, edges.inlineSum) }
    if engine.tree[box].kind == .replaced { return try ReplacedLayout.usedSize(engine, box, input, edges: edges).inline }
    let sizes = LogicalSizes(engine.style(box))
    let limits = try minMaxInline(engine, box, input, edges: edges)
    let preferred = try resolveInline(sizes.inline, engine, box, input, edges: edges) ?? autoInlineSize(engine, box, input, edges: edges)
    return max(limits.min, min(preferred, limits.max))
  }

  private static func autoInlineSize(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges
  ) throws -> LayoutUnit {
    if let transferred = transferredInline(engine, box, input, edges: edges) { return transferred }
    switch input.autoInline {
    case .stretch where engine.tree[box].control != .none || isMathPart(engine, box): return try fitContentInline(engine, box, input)
    case .stretch, .fill:
      if let size = stretchInline(engine, box, input, edges: edges) { return size }
      return try engine.intrinsicSizes(box, input).max
    case .fitContent: return try fitContentInline(engine, box, input)
    }
  }

  /// The minimum and maximum border-box inline sizes. The maximum is at least the minimum.
  ///
  /// - Parameter isStretched: Whether the size is `stretch`, so that the aspect ratio does not apply.
  static func minMaxInline(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, isStretched: Bool = false
  ) throws -> (min: LayoutUnit, max: LayoutUnit) {
    let style = engine.style(box)
    let sizes = LogicalSizes(style)
    var low = try resolveInline(sizes.minInline, engine, box, input, edges: edges) ?? edges.inlineSum
    var high = try resolveInline(sizes.maxInline, engine, box, input, edges: edges) ?? .max
    if !isStretched, let ratio = preferredAspectRatio(engine, box) {
      let dependsOnRatio = sizes.inline.isAuto || isContentKeyword(sizes.inline)
      if sizes.minInline.isAuto, dependsOnRatio, !isScrollContainer(style), engine.tree[box].kind != .replaced,
        transferredInline(engine, box, input, edges: edges) != nil
      {
        // https://drafts.csswg.org/css-sizing-4/#aspect-ratio-minimum
        low = max(low, min(try engine.intrinsicSizes(box, input).min, high))
      }
      if dependsOnRatio, input.fixedBlock == nil, engine.tree[box].kind != .replaced {
        let block = explicitMinMaxBlock(engine, box, input, edges: edges)
        // https://drafts.csswg.org/css-sizing-4/#aspect-ratio-size-transfers
        if block.max != .max { high = min(high, inline(fromBlock: block.max, ratio: ratio, style, edges: edges)) }
        // If the ratio applies to the border box, border and padding are a minimum.
        if block.min > edges.blockSum || style.box.boxSizing == .borderBox {
          low = max(low, min(inline(fromBlock: block.min, ratio: ratio, style, edges: edges), high))
        }
      }
    }
    return (low, max(low, high))
  }

}

// MARK: Block axis

extension Sizing {
  /// The border-box block size for a value before layout; nil if it depends on the contents or behaves as `auto` or `none`.
  static func resolveBlock(
    _ value: SizeValue, _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges
  ) -> LayoutUnit? {
    let style = engine.style(box)
    switch value {
    case .value(let length):
      if length.hasPercentage, input.isTableCellMeasure { return nil }
      guard let size = length.resolveIfDefinite(input.percentageBlock) else { return nil }
      // https://quirks.spec.whatwg.org/#the-table-cell-height-box-sizing-quirk
      if engine.tree[box].kind == .tableCell, isQuirksMode(engine) { return max(size, edges.blockSum) }
      return borderBox(size, style, edges: edges.blockSum)
    case .stretch:
      guard let available = input.availableBlock else { return nil }
      let margin = logicalMargin(style, percentageBasis: input.percentageMargin, in: WritingDirection(style))
      return max(available - margin.blockSum, edges.blockSum)
    case .calcSize(let size):
      return resolveBlock(size.basis, engine, box, input, edges: edges).map {
        calculated(size, of: $0, style, edges: edges.blockSum, percentageBasis: input.percentageBlock)
      }
    default: return nil
    }
  }

  /// Evaluates a `calc-size()` for the border-box size of its basis.
  static func calculated(
    _ size: CalcSize, of basis: LayoutUnit, _ style: ComputedStyle, edges: LayoutUnit, percentageBasis: LayoutUnit?
  ) -> LayoutUnit {
    let inner = style.box.boxSizing == .borderBox ? basis : (basis - edges).clampedToZero
    return borderBox(LayoutUnit(size.evaluate(size: inner.double, percentageBasis: percentageBasis?.double)), style, edges: edges)
  }

  /// The block size for a content-based value: the content size, or the result of `calc-size()` for it.
  static func ofContents(
    _ value: SizeValue, _ contents: LayoutUnit, _ style: ComputedStyle, _ input: LayoutInput, edges: LogicalEdges
  ) -> LayoutUnit {
    guard case .calcSize(let size) = value else { return contents }
    return calculated(size, of: contents, style, edges: edges.blockSum, percentageBasis: input.percentageBlock)
  }

  /// Whether a block-axis value is content-based. https://drafts.csswg.org/css-sizing-3/#sizing-values
  static func isContentKeyword(_ value: SizeValue) -> Bool {
    switch value {
    case .minContent, .maxContent, .fitContent, .content: true
    case .calcSize(let size): size.isAutoLike || isContentKeyword(size.basis)
    default: false
    }
  }

  /// The border-box block size if it is known before layout, with minimum and maximum applied.
  static func definiteBlockSize(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, inlineSize: LayoutUnit? = nil
  ) -> LayoutUnit? {
    if let fixed = input.fixedBlock { return fixedBlockSize(fixed, engine, box, edges: edges) }
    let style = engine.style(box)
    let sizes = LogicalSizes(style)
    // Table boxes treat `height` as a minimum.
    if engine.tree[box].kind == .tableWrapper { return nil }
    var preferred = resolveBlock(sizes.block, engine, box, input, edges: edges)
    if preferred == nil {
      if input.stretchBlock, sizes.block.isAuto, let available = input.availableBlock {
        preferred = max(available, edges.blockSum)
      } else if let ratio = preferredAspectRatio(engine, box), let inlineSize {
        // Definite even if overflowing contents may still enlarge the box, and for all keywords.
        preferred = block(fromInline: inlineSize, ratio: ratio, style, edges: edges)
      }
    }
    guard let preferred else { return nil }
    let limits = explicitMinMaxBlock(engine, box, input, edges: edges)
    return max(limits.min, min(preferred, limits.max))
  }

  /// The size of a box with a fixed block size. Cells in collapsed rows have no height, whatever their edges.
  private static func fixedBlockSize(_ fixed: LayoutUnit, _ engine: LayoutEngine, _ box: BoxID, edges: LogicalEdges) -> LayoutUnit {
    engine.tree[box].kind == .tableCell ? fixed : max(fixed, edges.blockSum)
  }

  /// The minimum and maximum block sizes, without content-based values.
  static func explicitMinMaxBlock(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges
  ) -> (min: LayoutUnit, max: LayoutUnit) {
    // In Chromium minimum and maximum heights do not apply to cells.
    if engine.tree[box].kind == .tableCell { return (edges.blockSum, .max) }
    let sizes = LogicalSizes(engine.style(box))
    let low = resolveBlock(sizes.minBlock, engine, box, input, edges: edges) ?? edges.blockSum
    let high = resolveBlock(sizes.maxBlock, engine, box, input, edges: edges) ?? .max
    return (low, max(low, high))
  }

  /// The minimum and maximum block sizes, including content-based values for contents of size `contentBlock`.
  static func minMaxBlock(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, contentBlock: LayoutUnit? = nil,
    inlineSize: LayoutUnit? = nil
  ) -> (min: LayoutUnit, max: LayoutUnit) {
    var limits = explicitMinMaxBlock(engine, box, input, edges: edges)
    guard var contentBlock else { return limits }
    let style = engine.style(box), sizes = LogicalSizes(style)
    // With an aspect ratio the content size is the transferred size.
    if let inlineSize, let ratio = preferredAspectRatio(engine, box) {
      contentBlock = block(fromInline: inlineSize, ratio: ratio, style, edges: edges)
    }
    if isContentKeyword(sizes.maxBlock) { limits.max = ofContents(sizes.maxBlock, contentBlock, style, input, edges: edges) }
    if isContentKeyword(sizes.minBlock) {
      limits.min = max(limits.min, ofContents(sizes.minBlock, contentBlock, style, input, edges: edges))
    }
    return (limits.min, max(limits.min, limits.max))
  }

  /// The used border-box block size. `contentBlock` is the border-box size of the contents.
  static func blockSize(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, contentBlock: LayoutUnit, inlineSize: LayoutUnit
  ) -> LayoutUnit {
    let result = blockExtent(engine, box, input, edges: edges, contentBlock: contentBlock, inlineSize: inlineSize).size
    // The height of a cell is a minimum.
    return engine.tree[box].kind == .tableCell && input.fixedBlock == nil ? max(result, contentBlock) : result
  }

  /// The inputs of the used block size.
  ///
  /// https://drafts.csswg.org/css-sizing-3/#preferred-size-properties
  static func blockExtent(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, contentBlock: LayoutUnit, inlineSize: LayoutUnit
  ) -> BlockExtent {
    var extent = BlockExtent(content: contentBlock, min: edges.blockSum, max: .max)
    if let fixed = input.fixedBlock {
      extent.fixed = fixedBlockSize(fixed, engine, box, edges: edges)
      return extent
    }
    let style = engine.style(box)
    let sizes = LogicalSizes(style)
    let limits = minMaxBlock(engine, box, input, edges: edges, contentBlock: contentBlock, inlineSize: inlineSize)
    var preferred = resolveBlock(sizes.block, engine, box, input, edges: edges)
    var isLeast = false
    if preferred == nil {
      let ratio = engine.tree[box].kind == .tableWrapper ? nil : preferredAspectRatio(engine, box)
      if input.stretchBlock, sizes.block.isAuto, let available = input.availableBlock {
        preferred = max(available, edges.blockSum)
      } else if let ratio {
        preferred = block(fromInline: inlineSize, ratio: ratio, style, edges: edges)
      }
      // https://drafts.csswg.org/css-sizing-4/#aspect-ratio-minimum. Chromium does not apply it to percentages without a basis.
      var isPercentage = false
      if case .value = sizes.block { isPercentage = true }
      isLeast = ratio != nil && sizes.minBlock.isAuto && !isPercentage && !isScrollContainer(style)
    }
    if case .calcSize = sizes.block, isContentKeyword(sizes.block), !isLeast {
      preferred = ofContents(sizes.block, contentBlock, style, input, edges: edges)
    }
    extent.min = limits.min
    extent.max = limits.max
    if let preferred {
      let used = max(limits.min, min(preferred, limits.max))
      if isLeast { extent.min = used } else { extent.fixed = used }
    } else if isContentKeyword(sizes.maxBlock) {
      extent.max = .max
    }
    return extent
  }
}
