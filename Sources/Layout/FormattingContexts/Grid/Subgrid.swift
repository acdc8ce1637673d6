import OffprintCSS
import OffprintCoreTypes

// Subgrids take their tracks from their parent, and their items size those. https://drafts.csswg.org/css-grid-2/#subgrids

extension GridContainer {
  /// Whether a child shares the parent's tracks in an axis.
  static func isSubgrid(_ engine: LayoutEngine, _ child: BoxID, _ axis: GridAxis) -> Bool {
    let style = engine.style(child)
    guard engine.tree[child].kind == .gridContainer else { return false }
    let template = axis == .columns ? style.align.gridTemplateColumns : style.align.gridTemplateRows
    guard case .subgrid = template else { return false }
    let contain = style.box.containment
    return !contain.contains(.layout) && !contain.contains(.size) && !contain.contains(.paint)
  }

  /// Makes an item whose axes are subgridded a container of its own, for what is in it.
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

  /// The subgrid's gap less this container's, half of which each track next to a gap has less.
  private func gapDifference(_ item: GridItem, _ axis: GridAxis) -> LayoutUnit {
    let own = axis == .columns ? item.style.align.columnGap : item.style.align.rowGap
    guard let own else { return .zero }
    return GridContainer.gap(own, content[axis]) - gaps[axis]
  }

  /// The tracks in a subgrid's content box. https://drafts.csswg.org/css-grid-2/#subgrid-gaps
  private func sizedTracks(_ item: GridItem, _ axis: GridAxis, inline: LayoutUnit?) -> SubgridTracks {
    var result = unsizedTracks(item, axis)
    guard let positions = positions[axis] else { return result }
    let span = item.spans[axis], area = positions.area(span)
    let margin = margin(item, area: inline), edges = containerEdges(item, area: inline)
    let low = area.start + margin.start(axis) + edges.start(axis)
    let high = max(low, area.start + area.size - margin.end(axis) - edges.end(axis))
    let half = gapDifference(item, axis) / 2
    for index in span {
      let start = index == span.lowerBound ? low : positions.starts[index] + half
      let end = index == span.upperBound - 1 ? high : positions.starts[index] + positions.sizes[index] - half
      result.starts.append(start - low)
      result.sizes.append((end - start).clampedToZero)
    }
    if isReversed(item, axis) {
      result.starts = zip(result.starts, result.sizes).map { high - low - $0 - $1 }.reversed()
      result.sizes.reverse()
    }
    return result
  }

  /// The tracks that an item, a subgrid, has from this container.
  func subgridContext(_ item: GridItem) -> LayoutInput.Context {
    let inline = area(item, .columns)
    func number(_ axis: GridAxis) -> Int32 {
      item.isSubgrid[axis] ? engine.subgridTracks.number(of: sizedTracks(item, axis, inline: inline)) : -1
    }
    return .subgrid(columns: number(.columns), rows: number(.rows))
  }

  /// Calls `visit` for each item that has a say in the tracks of an axis: this container's, and those of subgrids with their spans in
  /// the tracks of the outermost, and what of the subgrids' edges and gaps is beside them.
  func collect(
    _ axis: GridAxis, _ map: (Range<Int>, LayoutUnit) -> (Range<Int>, LayoutUnit),
    _ visit: (GridContainer, GridItem, Range<Int>, LayoutUnit) throws -> Void
  ) throws {
    for item in items {
      guard item.isSubgrid[axis], subgrids.indices.contains(item.subgrid) else {
        let (span, extra) = map(item.spans[axis], .zero)
        try visit(self, item, span, extra)
        continue
      }
      let grid = try prepared(item, axis)
      let inline = axis == .rows ? area(item, .columns) : nil
      let margin = margin(item, area: inline), edges = containerEdges(item, area: inline)
      let reversed = isReversed(item, axis), half = gapDifference(item, axis) / 2
      let own = item.spans[axis]
      // Its edges take room at both ends, whether there are items or not.
      let start = margin.start(axis) + edges.start(axis), end = margin.end(axis) + edges.end(axis)
      for (track, size) in own.count == 1 ? [(own.lowerBound, start + end)] : [(own.lowerBound, start), (own.upperBound - 1, end)] {
        let (span, extra) = map(track..<track + 1, size)
        try visit(self, item, span, extra)
      }
      try grid.collect(axis) { inner, extra in
        var extra = extra
        let low = reversed ? own.upperBound - inner.upperBound : own.lowerBound + inner.lowerBound
        let span = low..<low + inner.count
        extra += span.lowerBound == own.lowerBound ? start : half
        extra += span.upperBound == own.upperBound ? end : half
        return map(span, extra)
      } _: {
        try visit($0, $1, $2, $3)
      }
    }
  }

  /// A subgrid whose columns have their places, for sizing rows.
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
