internal import CSS
internal import CoreTypes

/// https://drafts.csswg.org/css-multicol-1/. The content is laid out in one column without end, which is then cut at its break
/// opportunities.
enum MultiColumnLayout {
  static func applies(to box: BoxID, _ engine: LayoutEngine) -> Bool {
    let item = engine.tree[box]
    let align = item.style.align
    guard align.columnCount != nil || align.columnWidth != nil, !item.isAnonymous else { return false }
    return item.kind == .blockContainer && item.style.text.writingMode == .horizontalTb
  }

  private static func gap(_ style: ComputedStyle, _ basis: LayoutUnit) -> LayoutUnit {
    style.align.columnGap?.resolve(basis).clampedToZero ?? LayoutUnit(style.font.size)
  }

  /// https://drafts.csswg.org/css-multicol-1/#pseudo-algorithm
  private static func columns(_ style: ComputedStyle, available: LayoutUnit) -> (count: Int, size: LayoutUnit, gap: LayoutUnit) {
    let gap = gap(style, available)
    var count = style.align.columnCount.map { max(1, min($0, 1000)) } ?? 1
    if let width = style.align.columnWidth {
      let width = max(LayoutUnit(width), LayoutUnit(1))
      let fitting = max(1, min(1000, Int((available + gap).raw) / max(1, Int((width + gap).raw))))
      count = style.align.columnCount == nil ? fitting : min(count, fitting)
    }
    return (count, ((available - gap * (count - 1)) / count).clampedToZero, gap)
  }

  static func intrinsicSizes(_ content: MinMaxSizes, _ style: ComputedStyle) -> MinMaxSizes {
    guard style.align.columnCount != nil || style.align.columnWidth != nil else { return content }
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
    let style = engine.style(box)
    let edges = Sizing.edges(engine, box, input)
    let inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    let contentInline = (inlineSize - edges.inlineSum).clampedToZero
    let columns = columns(style, available: contentInline)
    let definite = Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize)
    let limits = Sizing.minMaxBlock(engine, box, input, edges: edges)
    var maximum = definite.map { ($0 - edges.blockSum).clampedToZero }
    if maximum == nil, limits.max != .max { maximum = (limits.max - edges.blockSum).clampedToZero }

    var state = State(
      engine: engine, count: columns.count, columnSize: columns.size, stride: columns.size + columns.gap,
      origin: LayoutPoint(x: WritingDirection(style).isRTL ? edges.inlineEnd + contentInline - columns.size : edges.inlineStart, y: edges.blockStart),
      isRTL: WritingDirection(style).isRTL)
    var first = engine.tree[box].firstChild
    repeat {
      var end = first
      while !end.isNone, !isSpanner(end, engine) { end = engine.tree[end].nextSibling }
      if end != first || first.isNone {
        let flow = try contentFlow(engine, box, input, columnSize: columns.size, block: maximum, first: first, end: end)
        let isLast = end.isNone
        let fills = style.align.columnFill == .auto && definite != nil && isLast
        state.place(flow, maximum: maximum.map { ($0 - state.used).clampedToZero }, fills: fills)
      }
      if !end.isNone { try state.placeSpanner(end, box, contentInline, edges: edges) }
      first = end.isNone ? end : engine.tree[end].nextSibling
    } while !first.isNone

    let content = state.used + edges.blockSum
    let block = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: content, inlineSize: inlineSize)
    let size = LayoutSize(width: inlineSize, height: block)
    var links = state.links
    let border = Sizing.border(style)
    let remaining = try OutOfFlowLayout.finish(
      engine, box, input, borderBoxSize: size, border: border, links: &links, pending: state.pending)
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    fragment.border = border
    fragment.padding = Sizing.padding(style, percentageBasis: input.percentageMargin)
    fragment.baseline = state.firstBaseline
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: content)
    result.firstBaseline = state.firstBaseline
    result.lastBaseline = state.firstBaseline
    result.outOfFlow = remaining
    return result
  }

  private static func isSpanner(_ child: BoxID, _ engine: LayoutEngine) -> Bool {
    let item = engine.tree[child]
    return item.isInFlow && !item.isInlineLevel && !item.isTextual && item.style.align.columnSpan == .all
  }

  /// The children from `first` to before `end`, in one endless column.
  private static func contentFlow(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, columnSize: LayoutUnit, block: LayoutUnit?, first: BoxID, end: BoxID
  ) throws -> LayoutResult? {
    var inner = input
    inner.fixedInline = columnSize
    inner.percentageMargin = columnSize
    var layout = try BlockLayout(engine, columnContentOf: box, inner, percentageBlock: block, children: first, until: end)
    return try layout.run().layout
  }

  private struct State {
    let engine: LayoutEngine
    let count: Int
    let columnSize: LayoutUnit
    let stride: LayoutUnit
    /// The first column's corner.
    let origin: LayoutPoint
    let isRTL: Bool
    var used = LayoutUnit.zero
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    var firstBaseline: LayoutUnit?

    mutating func place(_ flow: LayoutResult?, maximum: LayoutUnit?, fills: Bool) {
      guard let flow else { return }
      let atoms = FlowBreaker.atoms(of: flow.fragment, engine)
      var height = fills ? maximum ?? flow.size.height : FlowBreaker.balanced(atoms, total: flow.size.height, count: count)
      if let maximum { height = min(height, maximum) }
      var breaks = FlowBreaker.breaks(atoms, height: max(height, .epsilon), total: flow.size.height)
      if breaks.isEmpty { breaks = [.zero] }
      for (index, start) in breaks.enumerated() {
        let end = index + 1 < breaks.count ? breaks[index + 1] : LayoutUnit.max
        let step = stride * index
        let corner = LayoutPoint(x: isRTL ? origin.x - step : origin.x + step, y: origin.y + used)
        for link in engine.fragments.children(of: flow.fragment) {
          guard let piece = FlowBreaker.slice(link, from: index == 0 ? .min : start, to: end, column: start + height, engine) else { continue }
          links.append(FragmentLink(fragment: piece.fragment, offset: LayoutPoint(x: piece.offset.x, y: piece.offset.y - start) + corner))
        }
        for var candidate in flow.outOfFlow
        where (index == 0 || candidate.staticPosition.y >= start) && candidate.staticPosition.y < end {
          candidate.staticPosition = LayoutPoint(x: candidate.staticPosition.x, y: candidate.staticPosition.y - start) + corner
          pending.append(candidate)
        }
      }
      if firstBaseline == nil { firstBaseline = flow.firstBaseline.map { $0 + origin.y + used } }
      used += breaks.count == 1 && !fills ? min(height, max(flow.size.height, .zero)) : height
    }

    /// `column-span: all`. https://drafts.csswg.org/css-multicol-1/#spanning-columns
    mutating func placeSpanner(_ child: BoxID, _ box: BoxID, _ available: LayoutUnit, edges: LogicalEdges) throws {
      let direction = WritingDirection(engine.style(box))
      let input = LayoutInput(
        engine, child: child, parent: direction, availableInline: available, availableBlock: nil, percentageInline: available,
        percentageBlock: nil)
      let layout = try engine.layout(child, input)
      let margin = Sizing.logicalMargin(engine.style(child), percentageBasis: available, in: direction)
      let offset = LayoutPoint(
        x: isRTL ? edges.inlineEnd + available - margin.inlineStart - layout.size.width : edges.inlineStart + margin.inlineStart,
        y: origin.y + used + margin.blockStart)
      links.append(FragmentLink(fragment: layout.fragment, offset: offset))
      for var candidate in layout.outOfFlow {
        candidate.staticPosition += offset
        pending.append(candidate)
      }
      if firstBaseline == nil { firstBaseline = layout.firstBaseline.map { $0 + offset.y } }
      used += margin.blockSum + layout.size.height
    }
  }
}
