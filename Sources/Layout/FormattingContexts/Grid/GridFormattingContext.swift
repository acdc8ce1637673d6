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
    func size(isMinContent: Bool) throws -> LayoutUnit {
      var sizing = GridTrackSizing(tracks: grid.tracks(isColumns: true, available: nil), gap: grid.columnGap, available: nil)
      sizing.isMinContent = isMinContent
      sizing.run(try grid.columnContributions(sizing.tracks, rowSizes: nil), stretches: false)
      return sizing.total + edges.inlineSum
    }
    let low = try size(isMinContent: true), high = try size(isMinContent: false)
    return MinMaxSizes(min: low, max: max(low, high))
  }

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    let edges = Sizing.edges(engine, box, input)
    let inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    var grid = GridContainer(engine, box, input, edges: edges, contentInline: (inlineSize - edges.inlineSum).clampedToZero)
    var columns = try sizeColumns(grid, rowSizes: nil)
    var rows = try sizeRows(&grid, columns)
    if needsSecondPass(grid) {
      columns = try sizeColumns(grid, rowSizes: rows.tracks.map(\.base))
      rows = try sizeRows(&grid, columns)
    }
    let intrinsic = rows.total + edges.blockSum
    let contained = Sizing.containedBlock(grid.style).map { $0 + edges.blockSum }
    let blockSize = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: contained ?? intrinsic, inlineSize: inlineSize)
    if grid.contentBlock == nil { rows = try resize(&grid, rows, columns, contentBlock: (blockSize - edges.blockSum).clampedToZero) }
    return try GridAssembly(grid, columns: columns, rows: rows, inlineSize: inlineSize, blockSize: blockSize, intrinsic: contained ?? intrinsic).result()
  }

  private static func isStretching(_ alignment: Alignment) -> Bool { alignment.keyword == .normal || alignment.keyword == .stretch }

  private static func sizeColumns(_ grid: GridContainer, rowSizes: [LayoutUnit]?) throws -> GridTrackSizing {
    var sizing = GridTrackSizing(
      tracks: grid.tracks(isColumns: true, available: grid.contentInline), gap: grid.columnGap, available: grid.contentInline)
    sizing.run(try grid.columnContributions(sizing.tracks, rowSizes: rowSizes), stretches: isStretching(grid.style.align.justifyContent))
    return sizing
  }

  private static func sizeRows(_ grid: inout GridContainer, _ columns: GridTrackSizing) throws -> GridTrackSizing {
    let sizes = columns.tracks.map(\.base)
    try alignBaselines(&grid, sizes)
    var sizing = GridTrackSizing(tracks: grid.tracks(isColumns: false, available: grid.contentBlock), gap: grid.rowGap, available: grid.contentBlock)
    sizing.run(
      try grid.rowContributions(sizing.tracks, columnSizes: sizes), stretches: isStretching(grid.style.align.alignContent),
      minimumSize: minimumContentBlock(grid))
    return sizing
  }

  private static func minimumContentBlock(_ grid: GridContainer) -> LayoutUnit? {
    guard grid.contentBlock == nil else { return nil }
    let limits = Sizing.explicitMinMaxBlock(grid.engine, grid.box, grid.input, edges: grid.edges)
    let size = limits.min - grid.edges.blockSum
    return size > .zero ? size : nil
  }

  /// Rows whose percentages refer to the size that the rows themselves gave the container: resolved against it, once.
  ///
  /// https://drafts.csswg.org/css-grid-2/#track-sizes
  private static func resize(
    _ grid: inout GridContainer, _ rows: GridTrackSizing, _ columns: GridTrackSizing, contentBlock: LayoutUnit
  ) throws -> GridTrackSizing {
    let hasPercentage = (grid.templateRows.sizes + grid.style.align.gridAutoRows).contains { size in
      switch size {
      case .breadth(.value(let length)), .fitContent(let length): length.hasPercentage
      case .minmax(let a, let b):
        [a, b].contains { if case .value(let length) = $0 { length.hasPercentage } else { false } }
      default: false
      }
    }
    guard hasPercentage else { return rows }
    var sizing = GridTrackSizing(tracks: grid.tracks(isColumns: false, available: contentBlock), gap: rows.gap, available: contentBlock)
    sizing.run(
      try grid.rowContributions(sizing.tracks, columnSizes: columns.tracks.map(\.base)), stretches: isStretching(grid.style.align.alignContent))
    return sizing
  }

  /// Step 3: items whose width depends on the rows' heights. https://drafts.csswg.org/css-grid-2/#algo-grid-sizing
  private static func needsSecondPass(_ grid: GridContainer) -> Bool {
    grid.items.contains { item in
      !item.isParallel || Sizing.preferredAspectRatio(grid.engine, item.box) != nil
        || { if case .value(let length) = Sizing.LogicalSizes(item.style).block { length.hasPercentage } else { false } }()
    }
  }

  /// Items that share a row and align their baselines are moved down to the lowest. https://drafts.csswg.org/css-grid-2/#algo-baseline-shims
  private static func alignBaselines(_ grid: inout GridContainer, _ columnSizes: [LayoutUnit]) throws {
    var baselines: [Int: LayoutUnit] = [:]
    var own: [(index: Int, row: Int, baseline: LayoutUnit)] = []
    for (index, item) in grid.items.enumerated() where item.align.keyword == .baseline && !item.autoMargin.blockStart && !item.autoMargin.blockEnd {
      let inline = grid.area(columnSizes, item.columns, grid.columnGap)
      let result = try grid.layout(item, inline: inline, block: nil)
      let size = grid.direction.logical(result.size)
      let baseline = grid.margin(item, area: inline).blockStart + ((item.isParallel ? result.firstBaseline : nil) ?? size.block)
      own.append((index, item.rows.lowerBound, baseline))
      baselines[item.rows.lowerBound] = max(baselines[item.rows.lowerBound] ?? .min, baseline)
    }
    for entry in own { grid.setShim((baselines[entry.row] ?? entry.baseline) - entry.baseline, of: entry.index) }
  }
}
