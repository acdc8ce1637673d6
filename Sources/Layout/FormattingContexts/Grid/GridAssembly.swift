import OffprintCSS
import OffprintCoreTypes

/// Builds fragments from sized tracks: items in their areas, out-of-flow children, the container's baselines.
struct GridAssembly {
  private(set) var grid: GridContainer
  let size: LogicalSize
  /// The intrinsic block size, including the container's edges.
  let intrinsic: LayoutUnit
  private var links: [FragmentLink] = []
  private var pending: [OutOfFlowCandidate] = []
  private var baselines: [ItemBaselines] = []

  /// An item's candidate baselines for the container, from the container's block-start edge.
  private struct ItemBaselines {
    var item: Int
    var first: LayoutUnit
    var last: LayoutUnit
  }

  init(_ grid: GridContainer, inlineSize: LayoutUnit, blockSize: LayoutUnit, intrinsic: LayoutUnit) {
    self.grid = grid; self.intrinsic = intrinsic
    size = LogicalSize(inline: inlineSize, block: blockSize)
  }

  var outer: LayoutSize { grid.direction.physical(size) }

  func content(_ axis: GridAxis) -> LayoutUnit { (size[axis] - grid.edges.sum(axis)).clampedToZero }

  func result() throws -> LayoutResult {
    var assembly = self
    for (index, laidOut) in try assembly.layoutItems().enumerated() { assembly.add(index, laidOut) }
    return try assembly.finished()
  }

  /// Lays out the items at their final sizes.
  mutating func layoutItems() throws -> [LayoutResult] {
    var assembly = self
    func layout(_ item: GridItem) throws -> LayoutResult {
      let columns = assembly.grid.positions.columns?.area(item.spans.columns) ?? (.zero, .zero)
      let rows = assembly.grid.positions.rows?.area(item.spans.rows) ?? (.zero, .zero)
      return try assembly.grid.layout(item, inline: columns.size, block: rows.size)
    }
    var results = try grid.items.map { try layout($0) }
    try assembly.grid.alignBaselines(.columns, results)
    try assembly.grid.alignBaselines(.rows, results)
    if assembly.grid.baselines != grid.baselines {
      for (index, item) in grid.items.enumerated() where item.subgrid >= 0 { results[index] = try layout(item) }
    }
    self = assembly
    return results
  }

  func area(_ item: GridItem) -> GridAxes<(start: LayoutUnit, size: LayoutUnit)> {
    GridAxes(
      columns: grid.positions.columns?.area(item.spans.columns) ?? (.zero, .zero),
      rows: grid.positions.rows?.area(item.spans.rows) ?? (.zero, .zero))
  }

  /// The offset of an item's border box from that of the container.
  func offset(_ item: GridItem, _ laidOut: LayoutResult) -> LogicalOffset {
    let area = area(item)
    let own = grid.direction.logical(laidOut.size)
    let margin = grid.margin(item, area: area.columns.size)
    return LogicalOffset(
      inline: area.columns.start + place(item, .columns, free: area.columns.size - own.inline - margin.inlineSum, margin, grid.edges),
      block: area.rows.start + place(item, .rows, free: area.rows.size - own.block - margin.blockSum, margin, grid.edges))
  }

  func relativeOffset(_ item: GridItem) -> LayoutPoint {
    let content = grid.direction.physical(LogicalSize(inline: content(.columns), block: content(.rows)))
    return Sizing.relativeOffset(grid.engine, item.box, width: content.width, height: content.height, direction: grid.direction)
  }

  mutating func addBaselines(_ index: Int, _ laidOut: LayoutResult, at offset: LogicalOffset) {
    let item = grid.items[index]
    baselines.append(
      ItemBaselines(
        item: index, first: offset.block + BaselineSharing.exported(laidOut, item.style, container: grid.style, isLast: false),
        last: offset.block + BaselineSharing.exported(laidOut, item.style, container: grid.style, isLast: true)))
  }

  private mutating func add(_ index: Int, _ laidOut: LayoutResult) {
    let item = grid.items[index]
    let offset = offset(item, laidOut)
    let point = grid.direction.physical(offset, outer: outer, inner: laidOut.size) + relativeOffset(item)
    links.append(FragmentLink(fragment: laidOut.fragment, offset: point))
    for var candidate in laidOut.outOfFlow {
      candidate.staticPosition += point
      pending.append(candidate)
    }
    addBaselines(index, laidOut, at: offset)
  }

  /// An item's offset from the container's border edge, without the start of its area.
  private func place(_ item: GridItem, _ axis: GridAxis, free: LayoutUnit, _ margin: LogicalEdges, _ edges: LogicalEdges) -> LayoutUnit {
    let origin = edges.start(axis) + margin.start(axis)
    guard !item.isSubgrid[axis] else { return origin }
    guard let sharing = item.baseline[axis] else { return origin + item.alignment[axis].offset(free: free) }
    if item.sharedBaseline[axis] == nil { return origin + (sharing.isStartSide ? .zero : free.clampedToZero) }
    return origin + (sharing.isStartSide ? item.baselineShim[axis] : free - item.baselineShim[axis])
  }

  private mutating func finished() throws -> LayoutResult {
    let border = Sizing.usedBorder(grid.engine, grid.box, grid.input)
    let areas = grid.outOfFlow.map { area($0, border: border) }
    let isContainingBlock = ContainingBlock.isEstablished(grid.engine, by: grid.box, isFixed: false)
    for (child, area) in zip(grid.outOfFlow, areas) {
      let isContained = isContainingBlock && grid.engine.style(child).box.position == .absolute
      pending.append(staticCandidate(child, area: isContained ? area : nil))
    }
    let rects = Dictionary(
      zip(grid.outOfFlow, areas.map { rect($0) }), uniquingKeysWith: { first, _ in first })
    var fragment = Fragment(kind: .box, box: grid.box, style: grid.style, size: outer)
    let left = try OutOfFlowLayout.finish(
      grid.engine, grid.box, grid.input, &fragment, border: border, links: &links, pending: pending, containingRect: { rects[$0] })
    fragment.border = border
    fragment.padding = Sizing.padding(grid.style, percentageBasis: grid.input.percentageMargin)
    Sizing.moveGutter(of: &fragment, grid.engine, grid.box)
    let baselines = containerBaselines()
    fragment.baseline = baselines.first
    var result = LayoutResult(fragment: grid.engine.append(fragment, children: links), size: outer, intrinsicBlock: intrinsic)
    grid.engine.record(gapSegments(), of: result.fragment)
    result.firstBaseline = baselines.first
    result.lastBaseline = baselines.last
    result.outOfFlow = left
    return result
  }

  func rect(_ area: LogicalRect) -> LayoutRect {
    let inner = grid.direction.physical(area.size)
    return LayoutRect(origin: grid.direction.physical(area.offset, outer: outer, inner: inner), size: inner)
  }

  /// The baselines of the first and last rows: the alignment baselines, otherwise those of the first and last items.
  ///
  /// https://drafts.csswg.org/css-grid-2/#grid-baselines
  func containerBaselines() -> (first: LayoutUnit?, last: LayoutUnit?) {
    guard !grid.style.box.containment.contains(.layout) else { return (nil, nil) }
    func spans(_ entry: ItemBaselines) -> GridAxes<Range<Int>> { grid.items[entry.item].spans }
    let first = baselines.min {
      (spans($0).rows.lowerBound, spans($0).columns.lowerBound) < (spans($1).rows.lowerBound, spans($1).columns.lowerBound)
    }
    let last = baselines.max {
      let (a, b) = (spans($0), spans($1))
      return (a.rows.upperBound, a.columns.upperBound, $0.item) < (b.rows.upperBound, b.columns.upperBound, $1.item)
    }
    let firstRow = baselines.lazy.map { spans($0).rows.lowerBound }.min()
    let lastRow = baselines.lazy.map { spans($0).rows.upperBound }.max()
    // Baselines of a scroll container are clamped to its border box.
    let isClamped = Sizing.isScrollContainer(grid.style)
    func used(_ value: LayoutUnit) -> LayoutUnit { isClamped ? max(.zero, min(value, size.block)) : value }
    let (top, bottom) = (shared(row: firstRow), shared(row: lastRow.map { $0 - 1 }))
    return ((top.start ?? top.end ?? first?.first).map(used), (bottom.end ?? bottom.start ?? last?.last).map(used))
  }

  /// The alignment baselines of a row at its start and end sides, from the container's block-start edge.
  private func shared(row: Int?) -> (start: LayoutUnit?, end: LayoutUnit?) {
    guard let row, let positions = grid.positions.rows else { return (nil, nil) }
    let area = positions.area(row..<row + 1)
    return (
      grid.baselines.rows.start[row].map { grid.edges.blockStart + area.start + $0 },
      grid.baselines.rows.end[row].map { grid.edges.blockStart + area.start + area.size - $0 }
    )
  }
}
