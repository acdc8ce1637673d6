import OffprintCSS
import OffprintCoreTypes

/// The state of laying out or measuring a grid container.
struct GridContainer {
  let engine: LayoutEngine
  let box: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  let input: LayoutInput
  let edges: LogicalEdges
  /// Content-box sizes; nil if indefinite.
  var content: GridAxes<LayoutUnit?>
  var gaps: GridAxes<LayoutUnit>
  let template: GridAxes<ExplicitTracks>
  /// The parent's tracks, in axes that are subgridded.
  let inherited: GridAxes<SubgridTracks?>
  private(set) var items: [GridItem] = []
  private(set) var outOfFlow: [BoxID] = []
  /// The containers of items that are subgrids, for their contents.
  private(set) var subgrids: [GridContainer] = []
  /// The number of implicit tracks before the explicit grid, and the total number of tracks.
  private(set) var leading = GridAxes(columns: 0, rows: 0)
  private(set) var counts = GridAxes(columns: 0, rows: 0)
  /// The sized and positioned tracks.
  var positions = GridAxes<GridTrackPositions?>(columns: nil, rows: nil)
  var baselines = GridAxes(columns: GridBaselines(), rows: GridBaselines())
  /// The shims of baseline alignment, in the order in which `collect` visits items.
  var nestedBaselines = GridAxes<[GridBaselines.Item?]>(columns: [], rows: [])

  /// - Parameters:
  ///   - inherited: For subgrids, the parent's tracks.
  ///   - hasItems: False to size the tracks as if the container was empty.
  init(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, contentInline: LayoutUnit?,
    inherited: GridAxes<SubgridTracks?>, hasItems: Bool = true
  ) {
    self.engine = engine; self.box = box; self.input = input; self.edges = edges; self.inherited = inherited
    style = engine.style(box)
    direction = WritingDirection(style)
    let inlineSize = contentInline.map { $0 + edges.inlineSum }
    let isIndefinite = input.fixedBlock != nil && !input.fixedBlockIsDefinite
    let block =
      isIndefinite
      ? nil
      : Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize)
        .map { ($0 - edges.blockSum).clampedToZero }
    content = GridAxes(columns: contentInline, rows: block)
    let align = style.align
    gaps = GridAxes(columns: Self.gap(align.columnGap, contentInline), rows: Self.gap(align.rowGap, block))
    template = GridAxes(
      columns: Self.explicit(style, .columns, content.columns, edges, gap: gaps.columns, inherited.columns),
      rows: Self.explicit(style, .rows, content.rows, edges, gap: gaps.rows, inherited.rows))
    if hasItems { collect() } else { place([]) }
    if template.columns.isClamped || template.rows.isClamped { reportClamping() }
  }

  /// The container for layout. Inherited tracks are those its input refers to.
  init(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, contentInline: LayoutUnit?, hasItems: Bool = true
  ) {
    let tracks = input.subgridTracks
    self.init(
      engine, box, input, edges: edges, contentInline: contentInline,
      inherited: GridAxes(columns: engine.subgridTracks[tracks.columns], rows: engine.subgridTracks[tracks.rows]), hasItems: hasItems)
  }

  /// Percentages of an indefinite size resolve to zero. https://drafts.csswg.org/css-align-3/#gap-percent
  static func gap(_ value: LengthPercentage?, _ size: LayoutUnit?) -> LayoutUnit {
    (value?.resolve(size ?? .zero) ?? .zero).clampedToZero
  }

  private static func explicit(
    _ style: ComputedStyle, _ axis: GridAxis, _ content: LayoutUnit?, _ edges: LogicalEdges, gap: LayoutUnit, _ inherited: SubgridTracks?
  ) -> ExplicitTracks {
    let align = style.align, isColumns = axis == .columns
    let value = isColumns ? align.gridTemplateColumns : align.gridTemplateRows
    if let inherited, case .subgrid(let names) = value {
      return ExplicitTracks(
        subgrid: names, count: inherited.count, inherited: inherited.names, areas: align.gridTemplateAreas, isColumns: isColumns)
    }
    let (space, isMinimum) = repeatSpace(style, content, edges.sum(axis), isInline: isColumns)
    return ExplicitTracks(value, available: space, isMinimum: isMinimum, gap: gap, areas: align.gridTemplateAreas, isColumns: isColumns)
  }

  /// The size that automatic repetitions fill: the definite size, otherwise the maximum, otherwise the minimum.
  private static func repeatSpace(
    _ style: ComputedStyle, _ content: LayoutUnit?, _ edges: LayoutUnit, isInline: Bool
  ) -> (LayoutUnit?, Bool) {
    if let content { return (content, false) }
    let sizes = Sizing.LogicalSizes(style)
    func length(_ value: SizeValue) -> LayoutUnit? {
      guard case .value(let length) = value, let px = length.resolveIfDefinite(nil) else { return nil }
      return (Sizing.borderBox(px, style, edges: edges) - edges).clampedToZero
    }
    let minimum = length(isInline ? sizes.minInline : sizes.minBlock)
    if let maximum = length(isInline ? sizes.maxInline : sizes.maxBlock) { return (max(maximum, minimum ?? .zero), false) }
    return (minimum, minimum != nil)
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
    place(children)
    for index in items.indices { addSubgrid(index) }
  }

  private mutating func place(_ children: [(box: BoxID, style: ComputedStyle)]) {
    let placement = GridPlacement(
      children, columns: template.columns, rows: template.rows, flow: style.align.gridAutoFlow,
      limits: GridAxes(columns: inherited.columns?.count, rows: inherited.rows?.count), deadline: engine.deadline)
    let columns = placement.columnRange, rows = placement.rowRange
    leading = GridAxes(columns: -columns.lowerBound, rows: -rows.lowerBound)
    counts = GridAxes(columns: columns.count, rows: rows.count)
    items = zip(children, placement.areas).map { child, area in
      var item = GridItem(engine, child.box, child.style, container: style)
      item.spans = GridAxes(
        columns: area.columns.start - columns.lowerBound..<area.columns.end - columns.lowerBound,
        rows: area.rows.start - rows.lowerBound..<area.rows.end - rows.lowerBound)
      return item
    }
    let isClamped = children.contains { child in
      let align = child.style.align
      return [align.gridColumnStart, align.gridColumnEnd, align.gridRowStart, align.gridRowEnd].contains(where: \.isOverlarge)
    }
    if placement.isClamped || isClamped { reportClamping() }
  }

  private func reportClamping() {
    engine.diagnostics.report(
      Diagnostic(
        "gridClamped", .note,
        "A grid has more tracks than the limit of \(ExplicitTracks.maximumTracks), or more areas than can be placed; it was clamped."
      ))
  }

  mutating func setSubgrid(_ grid: GridContainer, of index: Int, isSubgrid: GridAxes<Bool>) {
    items[index].isSubgrid = isSubgrid
    items[index].subgrid = subgrids.count
    subgrids.append(grid)
  }

  /// Removes the rows from `end` on, with the items that start in them.
  mutating func keepRows(upTo end: Int) {
    items.removeAll { $0.spans.rows.lowerBound >= end }
    counts.rows = min(counts.rows, end)
  }

  mutating func setBaseline(_ shared: LayoutUnit?, shim: LayoutUnit, _ axis: GridAxis, of index: Int) {
    items[index].sharedBaseline[axis] = shared
    items[index].baselineShim[axis] = shim
  }

  // MARK: Tracks

  /// Initializes the tracks of an axis. https://drafts.csswg.org/css-grid-2/#algo-init
  func tracks(_ axis: GridAxis) -> [GridTrack] {
    if let inherited = inherited[axis] { return inheritedTracks(inherited) }
    let available = content[axis]
    let auto = implicitSizes(axis)
    let sizes = template[axis].sizes, first = leading[axis]
    var tracks = (0..<counts[axis]).map { index -> GridTrack in
      let line = index - first
      if sizes.indices.contains(line) { return GridTrack(sizes[line], available: available) }
      guard !auto.isEmpty else { return .ofLoneSubgrid }
      // The pattern of implicit tracks repeats outward from the explicit grid.
      let step = line < 0 ? (line % auto.count + auto.count) % auto.count : (line - sizes.count) % auto.count
      return GridTrack(auto[step], available: available)
    }
    collapseEmpty(&tracks, axis)
    return tracks
  }

  /// The sizes of implicit tracks. In Chromium a grid with `subgrid` that is not a child of a grid ignores `grid-auto-*`.
  private func implicitSizes(_ axis: GridAxis) -> [TrackSize] {
    if case .subgrid = axis == .columns ? style.align.gridTemplateColumns : style.align.gridTemplateRows { return [] }
    return axis == .columns ? style.align.gridAutoColumns : style.align.gridAutoRows
  }

  private func inheritedTracks(_ inherited: SubgridTracks) -> [GridTrack] {
    (0..<inherited.count).map { index in
      inherited.sizes.indices.contains(index) ? GridTrack(fixed: inherited.sizes[index]) : GridTrack(.breadth(.auto), available: nil)
    }
  }

  /// Collapses empty tracks of `auto-fit`. https://drafts.csswg.org/css-grid-2/#auto-repeat
  private func collapseEmpty(_ tracks: inout [GridTrack], _ axis: GridAxis) {
    let autoFit = template[axis].autoFit
    guard !autoFit.isEmpty else { return }
    var isUsed = Array(repeating: false, count: tracks.count)
    for item in items { for index in item.spans[axis] where isUsed.indices.contains(index) { isUsed[index] = true } }
    for line in autoFit {
      let index = line + leading[axis]
      guard tracks.indices.contains(index), !isUsed[index] else { continue }
      tracks[index] = GridTrack(fixed: .zero)
      tracks[index].isCollapsed = true
    }
  }

  /// Whether the track sizes in this axis depend on the container's size.
  func dependsOnAvailableSize(_ axis: GridAxis) -> Bool {
    let auto = implicitSizes(axis)
    let gap = axis == .columns ? style.align.columnGap : style.align.rowGap
    return gap?.hasPercentage ?? false || template[axis].sizes.contains(where: \.dependsOnAvailableSize)
      || (counts[axis] > template[axis].sizes.count && auto.contains(where: \.dependsOnAvailableSize))
  }
}
