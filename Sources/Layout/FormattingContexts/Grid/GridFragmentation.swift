internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-grid-2/#pagination
extension GridAssembly {
  /// The rows of a container to be fragmented.
  func fragmentedRows() throws -> FragmentedRows {
    var assembly = self
    let results = try assembly.layoutItems()
    var items: [Int: [FragmentedRows.Item]] = [:]
    let tracks = grid.tracks(.rows)
    for (index, laidOut) in results.enumerated() {
      let item = grid.items[index]
      let offset = assembly.offset(item, laidOut)
      assembly.addBaselines(index, laidOut, at: offset)
      items[item.spans.rows.lowerBound, default: []].append(
        try assembly.fragmentedItem(item, at: offset, tracks: tracks))
    }
    let starts = grid.positions.rows?.starts ?? []
    let stack = items.keys.sorted().map { row in
      (start: grid.edges.blockStart + (starts.indices.contains(row) ? starts[row] : .zero), items: items[row] ?? [])
    }
    let rows = FragmentedRows(grid.engine, stacks: [stack], ends: [intrinsic - grid.edges.blockEnd])
    rows.containedBlock = Sizing.containedBlock(grid.style)
    (rows.firstBaseline, rows.lastBaseline) = assembly.containerBaselines()
    (rows.gaps, rows.unfragmentedSize) = (assembly.gapSegments() ?? [], outer)
    for child in grid.outOfFlow {
      let candidate = staticCandidate(child, area: nil)
      let offset = grid.direction.logical(candidate.staticPosition, outer: outer, inner: .zero)
      rows.outOfFlow.append(FragmentedRows.OutOfFlow(candidate: candidate, offset: offset))
    }
    return rows
  }

  private func fragmentedItem(_ item: GridItem, at offset: LogicalOffset, tracks: [GridTrack]) throws -> FragmentedRows.Item {
    let area = area(item)
    let margin = grid.margin(item, area: area.columns.size)
    return FragmentedRows.Item(
      box: item.box, input: try grid.stretchedInput(item, inline: area.columns.size, block: area.rows.size), offset: offset,
      areaEnd: grid.edges.blockStart + area.rows.start + area.rows.size - margin.blockEnd, growsRow: growsRow(item, tracks),
      shift: relativeOffset(item))
  }

  /// Whether the row of an item grows with it: the item has no specified size, and the row depends on its contents. Items that span several
  /// rows do not grow them (`GridLayoutAlgorithm`, `MinBlockSizeShouldEncompassIntrinsicSize`).
  private func growsRow(_ item: GridItem, _ tracks: [GridTrack]) -> Bool {
    let own = Sizing.LogicalSizes(item.style, isHorizontal: grid.direction.isHorizontal).block
    guard own.isAuto || Sizing.isContentKeyword(own), item.spans.rows.count == 1, !item.isSubgrid.rows,
      tracks.indices.contains(item.spans.rows.lowerBound)
    else { return false }
    let track = tracks[item.spans.rows.lowerBound]
    if case .fixed = track.maximum, !track.minimum.isIntrinsic { return false }
    return track.minimum.isIntrinsic || Sizing.LogicalSizes(grid.style).block.isAuto
  }
}
