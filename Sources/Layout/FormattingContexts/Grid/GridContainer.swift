import CSS
import CoreTypes

/// One grid container being laid out or measured.
struct GridContainer {
  let engine: LayoutEngine
  let box: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  let input: LayoutInput
  let edges: LogicalEdges
  private(set) var items: [Item] = []
  private(set) var outOfFlow: [BoxID] = []
  var placement: GridPlacement
  /// Content-box sizes; nil where indefinite.
  let contentInline: LayoutUnit?
  let contentBlock: LayoutUnit?
  let columnGap: LayoutUnit
  let rowGap: LayoutUnit
  let templateColumns: ExplicitTracks
  let templateRows: ExplicitTracks

  struct Item {
    var box: BoxID
    var style: ComputedStyle
    /// In tracks of the implicit grid, counted from 0.
    var columns: Range<Int> = 0..<1
    var rows: Range<Int> = 0..<1
    var justify: Alignment
    var align: Alignment
    var margin: LogicalEdges
    var autoMargin: (inlineStart: Bool, inlineEnd: Bool, blockStart: Bool, blockEnd: Bool)
    var edges: LogicalEdges
    var isParallel: Bool
    /// What baseline alignment adds above it.
    var baselineShim = LayoutUnit.zero
  }

  init(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, contentInline: LayoutUnit?) {
    self.engine = engine; self.box = box; self.input = input; self.edges = edges; self.contentInline = contentInline
    style = engine.style(box)
    direction = WritingDirection(style)
    let inlineSize = contentInline.map { $0 + edges.inlineSum }
    let isIndefinite = input.fixedBlock != nil && !input.fixedBlockIsDefinite
    let block = Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize).map { ($0 - edges.blockSum).clampedToZero }
    contentBlock = isIndefinite ? nil : block
    columnGap = (style.align.columnGap?.resolve(contentInline ?? .zero) ?? .zero).clampedToZero
    rowGap = (style.align.rowGap?.resolve(block ?? .zero) ?? .zero).clampedToZero
    let areas = style.align.gridTemplateAreas
    let (columnSpace, columnIsMinimum) = Self.repeatSpace(style, contentInline, edges.inlineSum, isInline: true)
    let (rowSpace, rowIsMinimum) = Self.repeatSpace(style, contentBlock, edges.blockSum, isInline: false)
    templateColumns = ExplicitTracks(
      style.align.gridTemplateColumns, available: columnSpace, isMinimum: columnIsMinimum, gap: columnGap, areas: areas, isColumns: true)
    templateRows = ExplicitTracks(
      style.align.gridTemplateRows, available: rowSpace, isMinimum: rowIsMinimum, gap: rowGap, areas: areas, isColumns: false)
    placement = GridPlacement(columns: templateColumns, rows: templateRows)
    collect()
  }

  /// The size that automatic repetitions fill: the definite size, else the maximum, else the minimum.
  private static func repeatSpace(
    _ style: ComputedStyle, _ content: LayoutUnit?, _ edges: LayoutUnit, isInline: Bool
  ) -> (LayoutUnit?, Bool) {
    if let content { return (content, false) }
    let sizes = Sizing.LogicalSizes(style)
    func length(_ value: SizeValue) -> LayoutUnit? {
      guard case .value(let length) = value, let px = length.resolveIfDefinite(nil) else { return nil }
      return (Sizing.borderBox(px, style, edges: edges) - edges).clampedToZero
    }
    if let maximum = length(isInline ? sizes.maxInline : sizes.maxBlock) { return (maximum, false) }
    if let minimum = length(isInline ? sizes.minInline : sizes.minBlock) { return (minimum, true) }
    return (nil, false)
  }

  // MARK: Items

  private mutating func collect() {
    var children: [(box: BoxID, style: ComputedStyle)] = []
    for child in engine.tree.children(of: box) {
      if engine.tree[child].isOutOfFlow {
        outOfFlow.append(child)
      } else if !engine.tree[child].isOutsideMarker {
        children.append((child, engine.style(child)))
      }
    }
    if children.contains(where: { $0.style.align.order != 0 }) {
      children = children.enumerated().sorted { a, b in
        (a.element.style.align.order, a.offset) < (b.element.style.align.order, b.offset)
      }.map(\.element)
    }
    placement.place(children, flow: style.align.gridAutoFlow)
    let leading = placement.leading
    items = zip(children, placement.items).map { child, placed in
      var item = makeItem(child.box, child.style)
      item.columns = placed.column.start + leading.columns..<placed.column.end + leading.columns
      item.rows = placed.row.start + leading.rows..<placed.row.end + leading.rows
      return item
    }
  }

  private func makeItem(_ child: BoxID, _ childStyle: ComputedStyle) -> Item {
    let align = childStyle.align
    let isAnonymous = engine.tree[child].isAnonymous && engine.tree[child].node.isNone
    func own(_ value: Alignment, _ fallback: Alignment) -> Alignment { value.keyword == .auto || isAnonymous ? fallback : value }
    let values = direction.logicalSides(childStyle.box.margin)
    var edgesInput = LayoutInput(availableInline: contentInline)
    edgesInput.percentageMargin = contentInline ?? .zero
    return Item(
      box: child, style: childStyle, justify: own(align.justifySelf, style.align.justifyItems), align: own(align.alignSelf, style.align.alignItems),
      margin: Sizing.logicalMargin(childStyle, percentageBasis: contentInline ?? .zero, in: direction),
      autoMargin: (values.inlineStart.isAuto, values.inlineEnd.isAuto, values.blockStart.isAuto, values.blockEnd.isAuto),
      edges: Sizing.edges(engine, child, edgesInput), isParallel: WritingDirection(childStyle).isParallel(to: direction))
  }

  // MARK: Tracks

  func tracks(isColumns: Bool, available: LayoutUnit?) -> [GridTrack] {
    let template = isColumns ? templateColumns : templateRows
    let auto = isColumns ? style.align.gridAutoColumns : style.align.gridAutoRows
    let leading = isColumns ? placement.leading.columns : placement.leading.rows
    let count = isColumns ? placement.counts.columns : placement.counts.rows
    var tracks = (0..<count).map { index -> GridTrack in
      let line = index - leading
      if template.sizes.indices.contains(line) { return GridTrack(template.sizes[line], available: available) }
      guard !auto.isEmpty else { return GridTrack(.breadth(.auto), available: available) }
      // Implicit tracks repeat the pattern outward from the explicit grid.
      let step = line < 0 ? (line % auto.count + auto.count) % auto.count : (line - template.sizes.count) % auto.count
      return GridTrack(auto[step], available: available)
    }
    for line in template.autoFit {
      let index = line + leading
      let isUsed = items.contains { (isColumns ? $0.columns : $0.rows).contains(index) }
      if !isUsed, tracks.indices.contains(index) {
        tracks[index] = GridTrack(.breadth(.value(.zero)), available: available)
        tracks[index].isCollapsed = true
      }
    }
    return tracks
  }

  /// The constraints of an item in its area, in the item's own axes. nil: indefinite.
  func itemInput(_ item: Item, inline: LayoutUnit?, block: LayoutUnit?) -> LayoutInput {
    let (own, other) = item.isParallel ? (inline, block) : (block, inline)
    var result = LayoutInput(availableInline: own, availableBlock: other)
    result.percentageMargin = inline ?? .zero
    result.autoInline = .fitContent
    result.isMeasure = input.isMeasure
    return result
  }

  func margin(_ item: Item, area: LayoutUnit?) -> LogicalEdges {
    Sizing.logicalMargin(item.style, percentageBasis: area ?? .zero, in: direction)
  }

  /// Whether an item fills its area in an axis. https://drafts.csswg.org/css-grid-2/#grid-item-sizing
  func stretches(_ item: Item, inline: Bool) -> Bool {
    let keyword = (inline ? item.justify : item.align).keyword
    guard keyword == .stretch || keyword == .normal || keyword == .auto else { return false }
    if inline ? item.autoMargin.inlineStart || item.autoMargin.inlineEnd : item.autoMargin.blockStart || item.autoMargin.blockEnd { return false }
    let sizes = Sizing.LogicalSizes(item.style, isHorizontal: direction.isHorizontal)
    guard inline ? sizes.inline.isAuto : sizes.block.isAuto else { return false }
    if engine.tree[item.box].kind == .replaced && keyword != .stretch { return false }
    if keyword != .stretch, Sizing.preferredAspectRatio(engine, item.box) != nil {
      return inline ? sizes.block.isAuto : false
    }
    return true
  }

  /// Contributions to the columns. https://drafts.csswg.org/css-grid-2/#algo-single-span-items
  func columnContributions(_ tracks: [GridTrack], rowSizes: [LayoutUnit]?) throws -> [GridContribution] {
    try items.map { item in
      let block = rowSizes.map { area($0, item.rows, rowGap) }
      var input = itemInput(item, inline: nil, block: block)
      input.percentageBlock = item.isParallel ? block : nil
      let sizes = try Sizing.contribution(engine, item.box, direction, input)
      let margin = margin(item, area: contentInline).inlineSum
      let minimum = try automaticMinimum(item, content: sizes, tracks, item.columns, isInline: true, input)
      return GridContribution(
        span: item.columns, minimum: min(minimum, sizes.min) + margin, minContent: sizes.min + margin, maxContent: sizes.max + margin)
    }
  }

  /// Contributions to the rows: block sizes at the width of the columns.
  func rowContributions(_ tracks: [GridTrack], columnSizes: [LayoutUnit]) throws -> [GridContribution] {
    try items.map { item in
      let inline = area(columnSizes, item.columns, columnGap)
      let result = try layout(item, inline: inline, block: nil)
      let block = direction.logical(result.size).block
      let margin = margin(item, area: inline).blockSum + item.baselineShim
      let input = itemInput(item, inline: inline, block: nil)
      let minimum = try automaticMinimum(item, content: MinMaxSizes(min: block, max: block), tracks, item.rows, isInline: false, input)
      return GridContribution(span: item.rows, minimum: min(minimum, block) + margin, minContent: block + margin, maxContent: block + margin)
    }
  }

  /// The minimum contribution without margins. https://drafts.csswg.org/css-grid-2/#min-size-auto
  private func automaticMinimum(
    _ item: Item, content: MinMaxSizes, _ tracks: [GridTrack], _ span: Range<Int>, isInline: Bool, _ input: LayoutInput
  ) throws -> LayoutUnit {
    let sizes = Sizing.LogicalSizes(item.style, isHorizontal: direction.isHorizontal)
    let preferred = isInline ? sizes.inline : sizes.block
    let minimum = isInline ? sizes.minInline : sizes.minBlock
    let edgeSum = isInline == item.isParallel ? item.edges.inlineSum : item.edges.blockSum
    if case .value(let length) = preferred, !length.hasPercentage { return content.min }
    switch preferred {
    case .auto, .value, .stretch: break
    default: return content.min
    }
    if !minimum.isAuto {
      guard case .value(let length) = minimum else { return content.min }
      return Sizing.borderBox(length.resolveIfDefinite(nil) ?? .zero, item.style, edges: edgeSum)
    }
    let spanned = tracks[span]
    let spansAuto = spanned.contains { if case .auto = $0.minimum { true } else { false } }
    let spansFlex = spanned.contains { $0.flexFactor != nil }
    guard !Sizing.isScrollContainer(item.style), spansAuto, span.count == 1 || !spansFlex else { return edgeSum }
    // The content-based minimum is limited by tracks of fixed size.
    var limit = LayoutUnit.zero
    for track in spanned {
      guard case .fixed(let size) = track.maximum else { return content.min }
      limit += size
    }
    limit += (isInline ? columnGap : rowGap) * (span.count - 1)
    let margin = isInline ? item.margin.inlineSum : item.margin.blockSum
    return min(content.min, max(limit - margin, edgeSum))
  }

  func area(_ sizes: [LayoutUnit], _ span: Range<Int>, _ gap: LayoutUnit) -> LayoutUnit {
    sizes[span].reduce(.zero, +) + gap * (span.count - 1)
  }

  /// An item laid out in an area; `block` nil while rows are sized.
  func layout(_ item: Item, inline: LayoutUnit, block: LayoutUnit?) throws -> LayoutResult {
    var input = itemInput(item, inline: inline, block: block)
    let margin = margin(item, area: inline)
    if stretches(item, inline: true) {
      let size = (inline - margin.inlineSum).clampedToZero
      if item.isParallel { input.fixedInline = try clampedInline(item, size, input) } else { input.fixedBlock = clampedBlock(item, size, input) }
    }
    if let block, stretches(item, inline: false) {
      let size = (block - margin.blockSum).clampedToZero
      if item.isParallel { input.fixedBlock = clampedBlock(item, size, input) } else { input.fixedInline = try clampedInline(item, size, input) }
    }
    return try engine.layout(item.box, input)
  }

  private func clampedInline(_ item: Item, _ size: LayoutUnit, _ input: LayoutInput) throws -> LayoutUnit {
    let limits = try Sizing.minMaxInline(engine, item.box, input, edges: item.edges)
    return max(limits.min, min(size, limits.max))
  }

  private func clampedBlock(_ item: Item, _ size: LayoutUnit, _ input: LayoutInput) -> LayoutUnit {
    let limits = Sizing.explicitMinMaxBlock(engine, item.box, input, edges: item.edges)
    return max(max(limits.min, item.edges.blockSum), min(size, limits.max))
  }

  mutating func setShim(_ shim: LayoutUnit, of index: Int) { items[index].baselineShim = shim }
}
