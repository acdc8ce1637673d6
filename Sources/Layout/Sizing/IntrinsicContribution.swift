internal import OffprintCSS
internal import OffprintCoreTypes

extension Sizing {
  /// The min-content and max-content contributions of a child in its parent's inline axis: border-box sizes, with the child's own
  /// preferred, minimum and maximum sizes applied, without margins. `input` is in the child's own writing mode. Only its block-axis fields
  /// are used (`percentageBlock`, `fixedBlock`, `stretchBlock`, `availableBlock`), because inline percentages are cyclic.
  ///
  /// https://drafts.csswg.org/css-sizing-3/#intrinsic-contribution
  static func contribution(
    _ engine: LayoutEngine, _ child: BoxID, _ parent: WritingDirection, _ input: LayoutInput
  ) throws -> MinMaxSizes {
    let style = engine.style(child)
    var input = input
    input.isMeasure = true
    guard WritingDirection(style).isParallel(to: parent) else { return try orthogonalContribution(engine, child, parent, input) }
    input.availableInline = nil
    input.percentageInline = nil
    input.fixedInline = nil
    let edges = edges(engine, child, input)
    if engine.tree[child].kind == .replaced { return try replacedContribution(engine, child, input, edges: edges) }

    let sizes = LogicalSizes(style)
    var result: MinMaxSizes
    if case .fitContent = sizes.inline {
      result = try engine.intrinsicSizes(child, input)
    } else if case .calcSize(let size) = sizes.inline, size.isAutoLike {
      let contents = try engine.intrinsicSizes(child, input)
      func used(_ value: LayoutUnit) -> LayoutUnit { calculated(size, of: value, style, edges: edges.inlineSum, percentageBasis: nil) }
      result = MinMaxSizes(min: used(contents.min), max: used(contents.max))
    } else if let preferred = try resolveInline(sizes.inline, engine, child, input, edges: edges) {
      result = MinMaxSizes(min: preferred, max: preferred)
      if engine.tree[child].kind == .tableWrapper { result.encompass(MinMaxSizes(min: try engine.intrinsicSizes(child, input).min)) }
    } else if sizes.inline.isAuto, let transferred = transferredInline(engine, child, input, edges: edges) {
      result = MinMaxSizes(min: transferred, max: transferred)
    } else {
      result = try engine.intrinsicSizes(child, input)
    }
    if isCompressible(engine, child, sizes) { result.min = edges.inlineSum }
    // A table applies its own limits, and is never smaller than its columns.
    if engine.tree[child].kind == .tableWrapper { return result }
    let limits = try minMaxInline(engine, child, input, edges: edges)
    result.min = max(limits.min, min(result.min, limits.max))
    result.max = max(limits.min, min(max(result.max, result.min), limits.max))
    return result
  }

  /// Whether a control's percentage size is compressible, which excludes buttons, date fields, checkboxes and radio buttons. In Chromium a
  /// percentage maximum size does not make controls compressible, unlike images. https://drafts.csswg.org/css-sizing-3/#min-content-zero
  static func isCompressible(_ engine: LayoutEngine, _ child: BoxID, _ sizes: LogicalSizes) -> Bool {
    isCompressible(engine, child, sizes.inline)
  }

  static func isCompressible(_ engine: LayoutEngine, _ child: BoxID, _ size: SizeValue) -> Bool {
    guard case .value(let length) = size, length.hasPercentage else { return false }
    switch engine.tree[child].control {
    case .none: return engine.tree[child].kind == .replaced && !engine.tree.isReplacedForAlignment(child)
    case .button, .dateField: return false
    default: return true
    }
  }

  /// The contribution of a replaced element. Its minimum is zero if it is compressible.
  /// https://drafts.csswg.org/css-sizing-3/#min-content-zero
  private static func replacedContribution(
    _ engine: LayoutEngine, _ child: BoxID, _ input: LayoutInput, edges: LogicalEdges
  ) throws -> MinMaxSizes {
    let style = engine.style(child)
    let size = try ReplacedLayout.usedSize(engine, child, input, edges: edges).inline
    var result = MinMaxSizes(min: size, max: size)
    let sizes = LogicalSizes(style)
    if isCompressible(engine, child, sizes) { result.min = .zero }
    if case .value(let length) = sizes.inline, length.hasPercentage, ReplacedLayout.hasRatioAlone(engine, child) {
      if let ratio = preferredAspectRatio(engine, child), let block = resolveBlock(sizes.block, engine, child, input, edges: edges) {
        let width = inline(fromBlock: block, ratio: ratio, style, edges: edges)
        return MinMaxSizes(min: width, max: width)
      }
      // A percentage of an indefinite size: use the width without the ratio, limited by the maximum sizes.
      var width = WritingDirection(style).logical(ReplacedLayout.defaultSize).inline + edges.inlineSum
      if case .value(let length) = sizes.maxInline, !length.hasPercentage {
        width = min(width, borderBox(length.resolve(.zero), style, edges: edges.inlineSum))
      }
      let tallest = explicitMinMaxBlock(engine, child, input, edges: edges).max
      if tallest != .max, let ratio = preferredAspectRatio(engine, child) {
        width = min(width, inline(fromBlock: tallest, ratio: ratio, style, edges: edges))
      }
      result = MinMaxSizes(min: width, max: width)
    }
    for value in engine.tree.isDrawnControl(child) ? [sizes.inline] : [sizes.inline, sizes.maxInline] {
      if case .value(let length) = value, length.hasPercentage {
        result.min = min(result.min, borderBox(length.resolve(.zero), style, edges: edges.inlineSum))
      }
    }
    if case .value(let length) = sizes.minInline, !length.hasPercentage {
      result.min = max(result.min, borderBox(length.resolve(.zero), style, edges: edges.inlineSum))
    }
    return result
  }

  /// The contribution of an orthogonal child, whose block size must be determined by layout.
  /// https://drafts.csswg.org/css-writing-modes-4/#orthogonal-flows
  private static func orthogonalContribution(
    _ engine: LayoutEngine, _ child: BoxID, _ parent: WritingDirection, _ input: LayoutInput
  ) throws -> MinMaxSizes {
    var input = input
    let direction = WritingDirection(engine.style(child))
    input.availableInline = input.availableInline ?? direction.logical(engine.viewport).inline
    input.availableBlock = nil
    input.percentageBlock = nil
    input.autoInline = .fitContent
    let size = parent.logical(try engine.layout(child, input).size).inline
    return MinMaxSizes(min: size, max: size)
  }
}
