internal import OffprintCSS
internal import OffprintCoreTypes

/// https://drafts.csswg.org/css-multicol-1/. The content is laid out in one column without end, which is then cut at its break
/// opportunities, and at the elements that span all columns.
enum MultiColumnLayout {
  static func applies(to box: BoxID, _ engine: LayoutEngine) -> Bool {
    let item = engine.tree[box]
    guard item.style.align.isMultiColumn, !item.isAnonymous else { return false }
    return item.kind == .blockContainer || item.kind == .tableCell
  }

  /// `column-span: all`, on a block-level box of the container's block formatting context.
  static func isSpanner(_ child: BoxID, _ engine: LayoutEngine) -> Bool {
    let item = engine.tree[child]
    guard item.style.align.columnSpan == .all, item.isInFlow, !item.isInlineLevel, !item.isTextual, !item.isOutsideMarker else {
      return false
    }
    var parent = item.parent
    while !parent.isNone, !applies(to: parent, engine) {
      if BlockFormattingContext.isIndependent(engine, parent) { return false }
      parent = engine.tree[parent].parent
    }
    return !parent.isNone
  }

  /// Spanning elements are its children, whatever boxes are between. https://drafts.csswg.org/css-multicol-1/#spanning-columns
  static func container(ofSpanner box: BoxID, _ engine: LayoutEngine) -> BoxID {
    var parent = engine.tree[box].parent
    while !parent.isNone, !applies(to: parent, engine) { parent = engine.tree[parent].parent }
    return parent
  }

  static func gap(_ style: ComputedStyle, _ basis: LayoutUnit) -> LayoutUnit {
    style.align.columnGap?.resolve(basis).clampedToZero ?? LayoutUnit(style.font.size)
  }

  /// https://drafts.csswg.org/css-multicol-1/#pseudo-algorithm
  static func columns(_ style: ComputedStyle, available: LayoutUnit) -> (count: Int, size: LayoutUnit, gap: LayoutUnit) {
    let gap = gap(style, available)
    var count = style.align.columnCount.map { max(1, min($0, 1000)) } ?? 1
    if let width = style.align.columnWidth {
      let width = max(LayoutUnit(width), LayoutUnit(1))
      let fitting = max(1, min(1000, Int((available + gap).raw) / max(1, Int((width + gap).raw))))
      count = style.align.columnCount == nil ? fitting : min(count, fitting)
    }
    return (count, ((available - gap * (count - 1)) / count).clampedToZero, gap)
  }

  /// Spanning elements are as wide as the container, all else is in columns.
  static func intrinsicSizes(
    _ content: MinMaxSizes, _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput
  ) throws -> MinMaxSizes {
    guard applies(to: box, engine) else { return content }
    var sizes = columnSizes(content, engine.style(box))
    try measureSpanners(engine, box, WritingDirection(engine.style(box)), input, &sizes)
    return sizes
  }

  private static func measureSpanners(
    _ engine: LayoutEngine, _ box: BoxID, _ direction: WritingDirection, _ input: LayoutInput, _ sizes: inout MinMaxSizes
  ) throws {
    guard !engine.tree[box].hasInlineChildren else { return }
    for child in engine.tree.children(of: box) {
      if isSpanner(child, engine) {
        // Like in browsers, without their margins.
        sizes.encompass(try Sizing.contribution(engine, child, direction, input))
      } else if !BlockFormattingContext.isIndependent(engine, child) {
        try engine.descending { try measureSpanners(engine, child, direction, input, &sizes) }
      }
    }
  }

  /// https://drafts.csswg.org/css-multicol-1/#intrinsic-sizes
  static func columnSizes(_ content: MinMaxSizes, _ style: ComputedStyle) -> MinMaxSizes {
    let count = style.align.columnCount.map { max(1, min($0, 1000)) } ?? 1
    let gaps = gap(style, .zero) * (count - 1)
    var sizes = content
    if let width = style.align.columnWidth {
      sizes.min = min(sizes.min, LayoutUnit(width))
      sizes.max = max(sizes.max, LayoutUnit(width))
    }
    if style.align.columnWidth == nil { sizes.min = sizes.min * count + gaps }
    sizes.max = sizes.max * count + gaps
    return sizes
  }

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    if FragmentationSupport.includes(engine, box) { return try ColumnLayout.layout(engine, box, input) }
    let style = engine.style(box)
    let edges = Sizing.edges(engine, box, input)
    let inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    let contentInline = (inlineSize - edges.inlineSum).clampedToZero
    let columns = columns(style, available: contentInline)
    let definite = Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize)
    let limits = Sizing.minMaxBlock(engine, box, input, edges: edges)
    var maximum = definite.map { ($0 - edges.blockSum).clampedToZero }
    // Like in browsers, a ratio that gives no size limits nothing.
    if maximum == .zero, Sizing.blockExtent(engine, box, input, edges: edges, contentBlock: .zero, inlineSize: inlineSize).fixed == nil {
      maximum = nil
    }
    if maximum == nil, limits.max != .max { maximum = (limits.max - edges.blockSum).clampedToZero }

    let content = try contentFlow(
      engine, box, input, columnSize: columns.size, spannerInline: contentInline,
      block: definite.map { ($0 - edges.blockSum).clampedToZero })
    // What flex containers and grids give grows with what breaks move.
    let isStretched = input.fixedBlock != nil && Sizing.LogicalSizes(style).block.isAuto
    // What cells have is a minimum.
    let isCell = engine.tree[box].kind == .tableCell && style.align.columnFill != .auto
    var flow = MultiColumnFlow(
      direction: WritingDirection(style), count: columns.count, columnSize: columns.size, stride: columns.size + columns.gap,
      contentInline: contentInline, maximum: isCell ? nil : maximum, fills: style.align.columnFill == .auto, content: content,
      isDefinite: definite != nil && maximum != nil && !isCell && !isStretched, limits: isCell ? (limits.min, .max) : limits)
    if isStretched, let definite { flow.limits.min = max(flow.limits.min, definite) }
    var rows = ColumnRows(engine, flow)
    var unbroken = Fragmenter(engine, flow.direction)
    if content != nil {
      var place = Fragmenter.Place(offset: .zero, fragmentainer: 0, original: .zero)
      place.insets.unbrokenFrom = 0
      try rows.layout(in: &unbroken, place)
    }
    let intrinsic = (Sizing.containedBlock(style) ?? rows.used) + edges.blockSum
    let block = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: intrinsic, inlineSize: inlineSize)
    let result = try result(
      engine, box, input, rows, unbroken, edges, LogicalSize(inline: inlineSize, block: block), intrinsic: intrinsic)
    flow.tallest = max(rows.tallest, unbroken.findings.tallest)
    flow.reach = edges.blockStart + rows.spanners.reduce(.zero) { max($0, unbroken.lowestEnd($1.node)) }
    engine.multiColumnFlows[result.fragment] = flow
    return result
  }

  /// All children in one endless column.
  private static func contentFlow(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, columnSize: LayoutUnit, spannerInline: LayoutUnit, block: LayoutUnit?
  ) throws -> LayoutResult? {
    var inner = input
    inner.fixedInline = columnSize
    inner.percentageMargin = columnSize
    var layout = BlockLayout(engine, columnContentOf: box, inner, percentageBlock: block, spannerInline: spannerInline)
    return try layout.run().layout
  }

  private static func result(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ rows: ColumnRows, _ unbroken: Fragmenter, _ edges: LogicalEdges,
    _ logical: LogicalSize, intrinsic: LayoutUnit
  ) throws -> LayoutResult {
    let style = engine.style(box), direction = WritingDirection(style)
    let size = direction.physical(logical)
    var start = LogicalOffset(inline: edges.inlineStart, block: edges.blockStart)
    start.block +=
      input.tableCell?.contentOffset(size: logical.block, intrinsic: intrinsic)
      ?? BlockLayout.contentShift(style, free: logical.block - intrinsic)
    var links = try rows.links(in: 0, of: unbroken, size: size, from: start)
    let pending = rows.outOfFlow(in: size, from: start)
    let border = Sizing.usedBorder(engine, box, input)
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    let remaining = try OutOfFlowLayout.finish(engine, box, input, &fragment, border: border, links: &links, pending: pending)
    fragment.border = border
    fragment.hasCollapsedBorders = input.tableCell?.border != nil
    fragment.padding = Sizing.usedPadding(engine, box, input)
    Sizing.moveGutter(of: &fragment, engine, box)
    let isBaselineSuppressed = style.box.containment.contains(.layout)
    let baseline = isBaselineSuppressed ? nil : rows.firstBaseline.map { $0 + start.block }
    fragment.baseline = baseline
    fragment.columns = engine.fragments.add(columns: rows.rects(in: 0, size: size, from: start, end: logical.block - edges.blockSum))
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: intrinsic)
    result.firstBaseline = baseline
    result.lastBaseline = isBaselineSuppressed ? nil : rows.lastBaseline(in: unbroken).map { $0 + start.block }
    result.inlineBlockBaseline = rows.endsWithScrollContainer ? logical.block - edges.blockEnd : result.lastBaseline
    result.outOfFlow = remaining
    return result
  }
}
