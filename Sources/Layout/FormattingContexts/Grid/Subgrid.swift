import OffprintCSS
import OffprintCoreTypes

// Subgrids share the tracks of their parent, and their items contribute to the sizes of these.
// https://drafts.csswg.org/css-grid-2/#subgrids

extension GridContainer {
  /// Whether a child is a subgrid of its parent in an axis.
  static func isSubgrid(_ engine: LayoutEngine, _ child: BoxID, _ axis: GridAxis) -> Bool {
    let style = engine.style(child)
    guard engine.tree[child].kind == .gridContainer else { return false }
    let template = axis == .columns ? style.align.gridTemplateColumns : style.align.gridTemplateRows
    guard case .subgrid = template else { return false }
    let contain = style.box.containment
    return !contain.contains(.layout) && !contain.contains(.size) && !contain.contains(.paint)
  }

  /// Creates a container for the contents of an item that is a subgrid.
  mutating func addSubgrid(_ index: Int) {
    let item = items[index]
    guard item.isParallel else { return }
    let isSubgrid = GridAxes(
      columns: Self.isSubgrid(engine, item.box, .columns), rows: Self.isSubgrid(engine, item.box, .rows))
    guard isSubgrid.columns || isSubgrid.rows else { return }
    func tracks(_ axis: GridAxis) -> SubgridTracks? { isSubgrid[axis] ? unsizedTracks(item, axis) : nil }
    let itemInput = LayoutInput(availableInline: nil)
    let grid = GridContainer(
      engine, item.box, itemInput, edges: Sizing.edges(engine, item.box, itemInput), contentInline: nil,
      inherited: GridAxes(columns: tracks(.columns), rows: tracks(.rows)))
    setSubgrid(grid, of: index, isSubgrid: isSubgrid)
  }

  private func isReversed(_ item: GridItem, _ axis: GridAxis) -> Bool {
    let isHorizontal = direction.isHorizontal(axis)
    return direction.isFlipped(horizontal: isHorizontal) != WritingDirection(item.style).isFlipped(horizontal: isHorizontal)
  }

  private func unsizedTracks(_ item: GridItem, _ axis: GridAxis) -> SubgridTracks {
    let span = item.spans[axis]
    let known = template[axis].lineNames
    var names = (span.lowerBound...span.upperBound).map { line -> [ByteString] in
      let index = line - leading[axis]
      return known.indices.contains(index) ? known[index] : []
    }
    if isReversed(item, axis) { names.reverse() }
    return SubgridTracks(count: span.count, names: names)
  }

  /// The difference between the gaps of subgrid and parent. Half of it is subtracted from each track next to a gap.
  private func gapDifference(_ item: GridItem, _ axis: GridAxis) -> LayoutUnit {
    let own = axis == .columns ? item.style.align.columnGap : item.style.align.rowGap
    guard let own else { return .zero }
    return GridContainer.gap(own, content[axis]) - gaps[axis]
  }

  /// The tracks relative to the subgrid's content box. https://drafts.csswg.org/css-grid-2/#subgrid-gaps
  private func sizedTracks(_ item: GridItem, _ axis: GridAxis, inline: LayoutUnit?) -> SubgridTracks {
    var result = unsizedTracks(item, axis)
    guard let positions = positions[axis] else { return result }
    let span = item.spans[axis], area = positions.area(span)
    let margin = margin(item, area: inline), edges = containerEdges(item, area: inline)
    let before = margin.start(axis) + edges.start(axis), after = margin.end(axis) + edges.end(axis)
    let low = area.start + before
    let high = max(low, area.start + area.size - after)
    let half = gapDifference(item, axis) / 2
    for index in span {
      let isFirst = index == span.lowerBound, isLast = index == span.upperBound - 1
      let start = isFirst ? low : positions.starts[index] + half
      let end = isLast ? high : positions.starts[index] + positions.sizes[index] - half
      result.starts.append(start - low)
      result.sizes.append((end - start).clampedToZero)
      result.baselines.append(
        SubgridTracks.Baselines(
          start: baselines[axis].start[index].map { $0 - (isFirst ? before : half) },
          end: baselines[axis].end[index].map { $0 - (isLast ? after : half) }))
    }
    if isReversed(item, axis) {
      result.starts = zip(result.starts, result.sizes).map { high - low - $0 - $1 }.reversed()
      result.sizes.reverse()
      result.baselines = result.baselines.reversed().map { SubgridTracks.Baselines(start: $0.end, end: $0.start) }
    }
    return result
  }

  /// The tracks that an item that is a subgrid inherits from this container.
  func subgridContext(_ item: GridItem) -> LayoutInput.Context {
    let inline = area(item, .columns)
    func number(_ axis: GridAxis) -> Int32 {
      item.isSubgrid[axis] ? engine.subgridTracks.number(of: sizedTracks(item, axis, inline: inline)) : -1
    }
    return .subgrid(columns: number(.columns), rows: number(.rows))
  }

  /// The position of a subgrid's item in the tracks of an ancestor grid.
  struct NestedPosition {
    var span: Range<Int>
    /// The edges and gaps of subgrids next to the item.
    var start = LayoutUnit.zero
    var end = LayoutUnit.zero
    /// Whether the item's grid has the opposite direction.
    var isReversed = false
  }

  /// Calls `visit` for each item that contributes to the tracks of an axis: those of this container and of its subgrids.
  func collect(
    _ axis: GridAxis, _ map: (NestedPosition) -> NestedPosition, _ visit: (GridContainer, GridItem, NestedPosition) throws -> Void
  ) throws {
    for item in items {
      guard item.isSubgrid[axis], subgrids.indices.contains(item.subgrid) else {
        try visit(self, item, map(NestedPosition(span: item.spans[axis])))
        continue
      }
      let grid = try prepared(item, axis)
      let inline = axis == .rows ? area(item, .columns) : nil
      let margin = margin(item, area: inline), edges = containerEdges(item, area: inline)
      let reversed = isReversed(item, axis), half = gapDifference(item, axis) / 2
      let own = item.spans[axis]
      // The edges of a subgrid contribute to its first and last tracks, even without items.
      let start = margin.start(axis) + edges.start(axis), end = margin.end(axis) + edges.end(axis)
      if own.count == 1 {
        try visit(self, item, map(NestedPosition(span: own, start: start, end: end)))
      } else {
        try visit(self, item, map(NestedPosition(span: own.lowerBound..<own.lowerBound + 1, start: start)))
        try visit(self, item, map(NestedPosition(span: own.upperBound - 1..<own.upperBound, end: end)))
      }
      try grid.collect(axis) { inner in
        let low = reversed ? own.upperBound - inner.span.upperBound : own.lowerBound + inner.span.lowerBound
        let span = low..<low + inner.span.count
        return map(
          NestedPosition(
            span: span, start: (reversed ? inner.end : inner.start) + (span.lowerBound == own.lowerBound ? start : half),
            end: (reversed ? inner.start : inner.end) + (span.upperBound == own.upperBound ? end : half),
            isReversed: inner.isReversed != reversed))
      } _: {
        try visit($0, $1, $2)
      }
    }
  }

  /// The container of a subgrid with positioned columns, for sizing rows.
  private func prepared(_ item: GridItem, _ axis: GridAxis) throws -> GridContainer {
    var grid = subgrids[item.subgrid]
    guard axis == .rows, let inline = area(item, .columns) else { return grid }
    let size = inline - margin(item, area: inline).inlineSum - itemEdges(item, area: inline).inlineSum
    grid.content.columns = size.clampedToZero
    if item.isSubgrid.columns {
      let tracks = sizedTracks(item, .columns, inline: inline)
      grid.positions.columns = GridTrackPositions(starts: tracks.starts, sizes: tracks.sizes)
    } else {
      try grid.size(.columns)
    }
    return grid
  }
}
