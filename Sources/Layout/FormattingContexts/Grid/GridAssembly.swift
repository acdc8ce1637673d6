import OffprintCSS
import OffprintCoreTypes

/// From sized tracks to fragments: items in their areas, absolutely positioned children, the container's baselines.
struct GridAssembly {
  let grid: GridContainer
  let size: LogicalSize
  private let intrinsic: LayoutUnit
  private var links: [FragmentLink] = []
  private var pending: [OutOfFlowCandidate] = []
  private var baselines: [ItemBaselines] = []

  /// What an item offers for the container's baselines, from the container's block-start edge.
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
    for index in grid.items.indices { try assembly.add(index) }
    return try assembly.finished()
  }

  private mutating func add(_ index: Int) throws {
    let item = grid.items[index]
    let columns = grid.positions.columns?.area(item.spans.columns) ?? (.zero, .zero)
    let rows = grid.positions.rows?.area(item.spans.rows) ?? (.zero, .zero)
    let laidOut = try grid.layout(item, inline: columns.size, block: rows.size)
    let own = grid.direction.logical(laidOut.size)
    let margin = grid.margin(item, area: columns.size)
    let offset = LogicalOffset(
      inline: columns.start + place(item, .columns, free: columns.size - own.inline - margin.inlineSum, margin, grid.edges),
      block: rows.start + place(item, .rows, free: rows.size - own.block - margin.blockSum, margin, grid.edges))
    let content = grid.direction.physical(LogicalSize(inline: content(.columns), block: content(.rows)))
    let point =
      grid.direction.physical(offset, outer: outer, inner: laidOut.size)
      + Sizing.relativeOffset(grid.engine, item.box, width: content.width, height: content.height, direction: grid.direction)
    links.append(FragmentLink(fragment: laidOut.fragment, offset: point))
    for var candidate in laidOut.outOfFlow {
      candidate.staticPosition += point
      pending.append(candidate)
    }
    baselines.append(
      ItemBaselines(
        item: index, first: offset.block + grid.baseline(item, laidOut, .rows, isLast: false),
        last: offset.block + grid.baseline(item, laidOut, .rows, isLast: true)))
  }

  /// From the container's border edge, with the area's start still to be added.
  private func place(_ item: GridItem, _ axis: GridAxis, free: LayoutUnit, _ margin: LogicalEdges, _ edges: LogicalEdges) -> LayoutUnit {
    let alignment = item.alignment[axis]
    let shim = alignment.edge == .lastBaseline ? -item.baselineShim[axis] : item.baselineShim[axis]
    return edges.start(axis) + margin.start(axis) + (item.isSubgrid[axis] ? .zero : alignment.offset(free: free) + shim)
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

  /// The baselines of the first and last row: those that items are aligned by, or else those of the first and last item.
  ///
  /// https://drafts.csswg.org/css-grid-2/#grid-baselines
  private func containerBaselines() -> (first: LayoutUnit?, last: LayoutUnit?) {
    guard !grid.style.box.containment.contains(.layout) else { return (nil, nil) }
    let firstRow = baselines.lazy.map { grid.items[$0.item].spans.rows.lowerBound }.min()
    let lastRow = baselines.lazy.map { grid.items[$0.item].spans.rows.upperBound }.max()
    func order(_ entry: ItemBaselines, _ edge: GridSelfAlignment.Edge) -> (Int, Int) {
      let item = grid.items[entry.item]
      let column = edge == .lastBaseline ? -item.spans.columns.upperBound : item.spans.columns.lowerBound
      return (item.alignment.rows.edge == edge && item.isParallel ? 0 : 1, column)
    }
    let first = baselines.filter { grid.items[$0.item].spans.rows.lowerBound == firstRow }
      .min { order($0, .firstBaseline) < order($1, .firstBaseline) }
    let last = baselines.filter { grid.items[$0.item].spans.rows.upperBound == lastRow }
      .min { order($0, .lastBaseline) < order($1, .lastBaseline) }
    // What is scrolled away is no baseline.
    let isClamped = Sizing.isScrollContainer(grid.style)
    func used(_ value: LayoutUnit) -> LayoutUnit { isClamped ? max(.zero, min(value, size.block)) : value }
    return (first.map { used($0.first) }, last.map { used($0.last) })
  }
}
