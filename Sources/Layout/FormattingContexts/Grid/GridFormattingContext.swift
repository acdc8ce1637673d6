import CSS
import CoreTypes

/// Grid layout. https://drafts.csswg.org/css-grid-2/#layout-algorithm
enum GridFormattingContext {
  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    var measured = input
    measured.isMeasure = true
    let edges = Sizing.edges(engine, box, measured)
    if let contained = Sizing.containedInline(engine.style(box)) {
      return MinMaxSizes(min: contained + edges.inlineSum, max: contained + edges.inlineSum)
    }
    let grid = GridContainer(engine, box, measured, edges: edges, contentInline: nil)
    let low = try intrinsicSize(grid, .minContent), high = try intrinsicSize(grid, .maxContent)
    return MinMaxSizes(min: low, max: max(low, high)) + edges.inlineSum
  }

  private static func intrinsicSize(_ grid: GridContainer, _ constraint: GridTrackSizing.Constraint) throws -> LayoutUnit {
    var grid = grid
    grid.placeFixedRows()
    var total = try grid.size(.columns, constraint)
    if grid.hasItemsThatDependOnBlockSize, grid.engine.grantsAnotherPass(to: grid.box) {
      try grid.size(.rows)
      total = try grid.size(.columns, constraint)
    }
    return total
  }

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    let edges = Sizing.edges(engine, box, input)
    let inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    var grid = GridContainer(engine, box, input, edges: edges, contentInline: (inlineSize - edges.inlineSum).clampedToZero)
    var rows = try grid.sizeBoth()
    let contained = Sizing.containedBlock(grid.style)
    let intrinsic = (contained ?? rows) + edges.blockSum
    let blockSize = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: intrinsic, inlineSize: inlineSize)
    if grid.content.rows == nil {
      // The size that the rows gave the container is definite from here on.
      let needsAnotherPass = input.fixedBlock != nil || contained != nil || grid.dependsOnAvailableSize(.rows)
      grid.content.rows = (blockSize - edges.blockSum).clampedToZero
      if needsAnotherPass {
        grid.gaps.rows = GridContainer.gap(grid.style.align.rowGap, grid.content.rows)
        rows = try grid.sizeBoth()
      } else {
        grid.realignRows()
      }
    }
    return try GridAssembly(grid, inlineSize: inlineSize, blockSize: blockSize, intrinsic: intrinsic).result()
  }
}

extension LayoutEngine {
  /// Grids whose columns are sized again once the rows are known ask their items for new sizes each time; nested ones would do so
  /// exponentially often. More than a few sizes of one box are never asked for otherwise.
  func grantsAnotherPass(to grid: BoxID) -> Bool {
    let passes = gridPasses[grid, default: 0]
    gridPasses[grid] = passes + 1
    return passes < 24
  }
}

extension GridContainer {
  var hasItemsThatDependOnBlockSize: Bool { items.contains(where: \.dependsOnBlockSize) }

  /// Steps 1 to 4 of grid sizing; gives the size of the rows. https://drafts.csswg.org/css-grid-2/#algo-grid-sizing
  mutating func sizeBoth() throws -> LayoutUnit {
    placeFixedRows()
    try size(.columns)
    let rows = try size(.rows)
    guard hasItemsThatDependOnBlockSize, engine.grantsAnotherPass(to: box) else { return rows }
    try size(.columns)
    return try size(.rows)
  }

  /// Rows of which none depends on its contents are known before the columns are sized.
  mutating func placeFixedRows() {
    positions = GridAxes(columns: nil, rows: nil)
    let sizing = sizing(.rows, .layout)
    guard sizing.tracks.allSatisfy({ !$0.dependsOnContent }) else { return }
    positions.rows = place(sizing, .rows)
  }

  private func sizing(_ axis: GridAxis, _ constraint: GridTrackSizing.Constraint) -> GridTrackSizing {
    var sizing = GridTrackSizing(tracks: tracks(axis), gap: gaps[axis], available: content[axis])
    sizing.constraint = constraint
    let alignment = axis == .columns ? style.align.justifyContent : style.align.alignContent
    sizing.stretches = constraint == .layout && (alignment.keyword == .normal || alignment.keyword == .stretch)
    guard content[axis] == nil else { return sizing }
    if axis == .rows {
      let limits = Sizing.explicitMinMaxBlock(engine, box, input, edges: edges)
      if limits.min > edges.blockSum { sizing.minimumSize = limits.min - edges.blockSum }
      if limits.max != .max { sizing.maximumSize = (limits.max - edges.blockSum).clampedToZero }
    }
    return sizing
  }

  /// Sizes the tracks of one axis and puts them into their places; gives the size of all of them.
  @discardableResult
  mutating func size(_ axis: GridAxis, _ constraint: GridTrackSizing.Constraint = .layout) throws -> LayoutUnit {
    try engine.deadline.check()
    if let inherited = inherited[axis], !inherited.sizes.isEmpty {
      positions[axis] = GridTrackPositions(starts: inherited.starts, sizes: inherited.sizes)
      return content[axis] ?? zip(inherited.starts, inherited.sizes).reduce(.zero) { max($0, $1.0 + $1.1) }
    }
    var sizing = sizing(axis, constraint)
    try alignBaselines(axis)
    sizing.run(try contributions(axis, sizing))
    positions[axis] = place(sizing, axis)
    return sizing.total
  }

  /// The rows have their sizes; the container's, which they are aligned in, has only just got its own.
  mutating func realignRows() {
    guard let sizes = positions.rows?.sizes else { return }
    var sizing = GridTrackSizing(tracks: tracks(.rows), gap: gaps.rows, available: content.rows)
    for (index, size) in sizes.enumerated() where sizing.tracks.indices.contains(index) { sizing.tracks[index].base = size }
    if inherited.rows == nil { positions.rows = place(sizing, .rows) }
  }
}
