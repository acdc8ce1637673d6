import OffprintCSS
import OffprintCoreTypes

/// Grid layout. https://drafts.csswg.org/css-grid-2/#layout-algorithm
enum GridFormattingContext {
  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    var measured = input
    measured.isMeasure = true
    let edges = Sizing.edges(engine, box, measured)
    let contained = Sizing.containedInline(engine.style(box))
    if let contained, contained > .zero { return MinMaxSizes(min: contained + edges.inlineSum, max: contained + edges.inlineSum) }
    // The tracks of a size-contained container are sized as if it had no items. https://drafts.csswg.org/css-contain-2/#containment-size
    let grid = GridContainer(engine, box, measured, edges: edges, contentInline: nil, hasItems: contained == nil)
    let low = try intrinsicSize(grid, .minContent)
    let high = try intrinsicSize(grid, .maxContent)
    return MinMaxSizes(min: low, max: max(low, high)) + edges.inlineSum
  }

  private static func intrinsicSize(_ grid: GridContainer, _ constraint: GridTrackSizing.Constraint) throws -> LayoutUnit {
    var grid = grid
    grid.placeFixedRows()
    var total = try grid.size(.columns, constraint)
    if grid.sizesTwice {
      try grid.size(.rows)
      total = try grid.size(.columns, constraint)
    }
    return total
  }

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    let edges = Sizing.edges(engine, box, input)
    let inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    guard input.fragmentation < 0 else {
      return try RowFragmentation.layout(engine, box, input, edges: edges, inlineSize: inlineSize) {
        try assembly(engine, box, input, edges: edges, inlineSize: inlineSize).fragmentedRows()
      }
    }
    return try assembly(engine, box, input, edges: edges, inlineSize: inlineSize).result()
  }

  /// The grid with positioned tracks.
  private static func assembly(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, inlineSize: LayoutUnit
  ) throws -> GridAssembly {
    var grid = GridContainer(engine, box, input, edges: edges, contentInline: (inlineSize - edges.inlineSum).clampedToZero)
    let rows = try grid.sizeBoth()
    var contained = Sizing.containedBlock(grid.style)
    if contained == .zero {
      var empty = GridContainer(
        engine, box, input, edges: edges, contentInline: (inlineSize - edges.inlineSum).clampedToZero, hasItems: false)
      contained = try empty.sizeBoth()
    }
    let intrinsic = (contained ?? rows) + edges.blockSum
    let blockSize = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: intrinsic, inlineSize: inlineSize)
    // The block size from the rows is definite from here on. In Chromium it does not change again if items that depend on the rows make
    // them larger.
    let dependsOnSize = grid.content.rows == nil && (input.fixedBlock != nil || contained != nil || grid.dependsOnAvailableSize(.rows))
    let content = (blockSize - edges.blockSum).clampedToZero
    let hasChanged = grid.content.rows != content
    grid.content.rows = content
    if dependsOnSize || grid.sizesTwice {
      grid.gaps.rows = GridContainer.gap(grid.style.align.rowGap, content)
      try grid.sizeAgain()
    } else if hasChanged {
      // The size from an aspect ratio was definite, and has changed.
      if grid.style.align.rowGap?.hasPercentage ?? false { grid.gaps.rows = GridContainer.gap(grid.style.align.rowGap, content) }
      grid.realignRows()
    }
    return GridAssembly(grid, inlineSize: inlineSize, blockSize: blockSize, intrinsic: intrinsic)
  }
}

/// The number of ancestor grids of a grid that size their columns twice. Each doubles the number of times its contents are measured.
struct GridNesting {
  private var cached: [BoxID: Int] = [:]
  private static let maximumNesting = 5

  /// Whether a grid may be sized twice. Deep nesting would take exponential time.
  mutating func allowsSizingTwice(_ grid: BoxID, _ engine: LayoutEngine) -> Bool { nesting(of: grid, engine) < Self.maximumNesting }

  private mutating func nesting(of grid: BoxID, _ engine: LayoutEngine) -> Int {
    if let cached = cached[grid] { return cached }
    var count = 0
    var box = engine.tree[grid].parent
    while !box.isNone {
      if engine.tree[box].kind == .gridContainer, hasItemsThatDependOnBlockSize(box, engine) {
        count = 1 + nesting(of: box, engine)
        break
      }
      box = engine.tree[box].parent
    }
    cached[grid] = count
    return count
  }

  private func hasItemsThatDependOnBlockSize(_ grid: BoxID, _ engine: LayoutEngine) -> Bool {
    let direction = WritingDirection(engine.style(grid))
    return engine.tree.children(of: grid).contains { child in
      let box = engine.tree[child]
      return !box.isOutOfFlow && !box.isOutsideMarker && GridItem.dependsOnBlockSize(engine, child, in: direction)
    }
  }
}

extension GridContainer {
  /// Whether columns are sized again after the rows, for items whose inline size depends on these.
  ///
  /// https://drafts.csswg.org/css-grid-2/#algo-grid-sizing, step 3
  fileprivate var sizesTwice: Bool {
    items.contains(where: \.dependsOnBlockSize) && engine.gridNesting.allowsSizingTwice(box, engine)
  }

  /// Steps 1 and 2 of grid sizing. Returns the total size of the rows. https://drafts.csswg.org/css-grid-2/#algo-grid-sizing
  mutating func sizeBoth() throws -> LayoutUnit {
    placeFixedRows()
    try size(.columns)
    if !sizesTwice { try dropItemsBelowCutoff() }
    return try size(.rows)
  }

  /// Steps 3 and 4, after the sizes of rows and container are determined.
  fileprivate mutating func sizeAgain() throws {
    if sizesTwice {
      let sizing = sizing(.rows, .layout)
      if inherited.rows == nil, sizing.tracks.allSatisfy({ !$0.dependsOnContent }) { positions.rows = place(sizing, .rows) }
      try size(.columns)
    }
    try size(.rows)
  }

  /// Positions the rows before the columns are sized, if none depends on its contents.
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

  /// Sizes and positions the tracks of an axis. Returns their total size.
  @discardableResult
  mutating func size(_ axis: GridAxis, _ constraint: GridTrackSizing.Constraint = .layout) throws -> LayoutUnit {
    try engine.check()
    if let inherited = inherited[axis], !inherited.sizes.isEmpty {
      positions[axis] = GridTrackPositions(starts: inherited.starts, sizes: inherited.sizes)
      baselines[axis] = GridBaselines(inherited.baselines)
      return content[axis] ?? zip(inherited.starts, inherited.sizes).reduce(.zero) { max($0, $1.0 + $1.1) }
    }
    var sizing = sizing(axis, constraint)
    try alignBaselines(axis)
    sizing.run(try contributions(axis, sizing))
    positions[axis] = place(sizing, axis)
    return sizing.total
  }

  /// Aligns sized rows again, after the container's block size was determined.
  mutating func realignRows() {
    guard let sizes = positions.rows?.sizes else { return }
    var sizing = GridTrackSizing(tracks: tracks(.rows), gap: gaps.rows, available: content.rows)
    for (index, size) in sizes.enumerated() where sizing.tracks.indices.contains(index) { sizing.tracks[index].base = size }
    if inherited.rows == nil { positions.rows = place(sizing, .rows) }
  }
}
