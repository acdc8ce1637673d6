import OffprintCSS
import OffprintCoreTypes

// Column and cell measures. https://drafts.csswg.org/css-tables-3/#computing-column-measures
extension TableLayout {
  /// - Parameter cutoff: The offset from which rows will probably not be laid out, see `LayoutCutoff`.
  func columnSizing(cutoff: LayoutUnit? = nil) throws -> ColumnSizing {
    var sizing = ColumnSizing(columns: grid.columns.map(column), isFixed: isFixed)
    var single = [ColumnSizing.Cell?](repeating: nil, count: grid.columns.count)
    var spanning: [(columns: Range<Int>, span: Int, sizes: ColumnSizing.Cell)] = []
    for cell in grid.cells {
      try engine.tick()
      let isSpanning = cell.specifiedSpan > 1
      if isSpanning { sizing.columns[cell.column].isMergeable = false }
      // Fixed layout only uses columns and the cells of the first row. https://drafts.csswg.org/css2/#fixed-table-layout
      if isFixed, cell.row > 0 {
        sizing.columns[cell.column].isMergeable = false
        continue
      }
      let sizes = try cellSizes(cell)
      if let cutoff, cell.row > Self.rowsLikelyAbove(cutoff) { engine.inlineCache.items[cell.box] = nil }
      if isSpanning {
        spanning.append((cell.column..<min(sizing.columns.count, cell.column + cell.columnSpan), cell.specifiedSpan, sizes))
      } else if single[cell.column] == nil {
        single[cell.column] = sizes
      } else {
        single[cell.column]?.include(sizes)
      }
    }
    for (index, sizes) in single.enumerated() { if let sizes { sizing.include(sizes, column: index) } }
    for (columns, _, sizes) in spanning.sorted(by: { ($0.span, $0.columns.lowerBound) < ($1.span, $1.columns.lowerBound) }) {
      try engine.tick()
      sizing.include(sizes, columns: columns, spacing: spacing.inline)
    }
    sizing.limitPercentages()
    return sizing
  }

  /// More rows than usually fit above the cutoff. The shaped text of further ones is not kept for layout.
  private static func rowsLikelyAbove(_ cutoff: LayoutUnit) -> Int { Int(cutoff.double / 8) }

  /// The sizes specified by `<col>` and `<colgroup>`. A column without a width has that of its group.
  private func column(_ boxes: TableGrid.Column) -> ColumnSizing.Column {
    var column = ColumnSizing.Column()
    column.isMergeable = !isFixed
    let own = boxes.box.isNone ? boxes.group : boxes.box
    guard !own.isNone else { return column }
    let sizes = Sizing.LogicalSizes(engine.style(own))
    var width = Self.length(sizes.inline)
    if width == nil, !isFixed, !boxes.group.isNone { width = Self.length(Sizing.LogicalSizes(engine.style(boxes.group)).inline) }
    column.min = Self.length(sizes.minInline) ?? .zero
    if let width {
      column.max = max(width, column.min)
      column.hasMaximum = true
      column.isConstrained = true
    }
    if let percent = Self.percentage(sizes), percent > 0 { column.percent = percent }
    column.isMergeable = !isFixed && (width ?? .zero) == .zero && column.percent == nil
    return column
  }

  private static func length(_ value: SizeValue) -> LayoutUnit? {
    if case .value(let length) = value { length.resolveIfDefinite(nil) } else { nil }
  }

  /// The percentage width, limited by `max-width` if this is a percentage too.
  private static func percentage(_ sizes: Sizing.LogicalSizes) -> Double? {
    guard case .value(.percentage(let percent)) = sizes.inline else { return nil }
    guard case .value(.percentage(let limit)) = sizes.maxInline else { return max(0, Double(percent)) }
    return max(0, min(Double(percent), Double(limit)))
  }

  /// The outer sizes of a cell. https://drafts.csswg.org/css-tables-3/#computing-cell-measures
  private func cellSizes(_ cell: TableGrid.Cell) throws -> ColumnSizing.Cell {
    let style = engine.style(cell.box)
    let edges = Sizing.edges(engine, cell.box, cellInput(cell, inline: nil)).inlineSum
    let sizes = Sizing.LogicalSizes(style, isHorizontal: direction.isHorizontal)
    func border(_ value: SizeValue) -> LayoutUnit? { Self.length(value).map { Sizing.borderBox($0, style, edges: edges) } }
    let width = border(sizes.inline), minimum = border(sizes.minInline)
    // In a fixed table the contents of cells with a width are ignored.
    let content = isFixed && width != nil ? MinMaxSizes() : try contentSizes(cell)
    var result = ColumnSizing.Cell()
    result.min = isFixed ? .zero : max(content.min, minimum ?? .zero)
    if !isFixed, let width, QuirksMode.keepsWidth(engine, cell.box) { result.min = max(result.min, width) }
    result.max = width ?? content.max
    if let maximum = border(sizes.maxInline).map({ max($0, minimum ?? .zero) }) {
      result.min = min(result.min, maximum)
      result.max = min(result.max, maximum)
    }
    result.max = max(result.min, result.max)
    result.isConstrained = width != nil
    result.percent = Self.percentage(sizes)
    if isFixed, result.percent != nil, style.box.boxSizing == .contentBox { result.percentEdges = edges }
    return result
  }

  private func contentSizes(_ cell: TableGrid.Cell) throws -> MinMaxSizes {
    isOrthogonal(cell.box) ? try orthogonalSizes(cell) : try engine.intrinsicSizes(cell.box, cellInput(cell, inline: nil))
  }

  /// The undistributable space: border spacing at both ends and between columns, and edges. Merged columns have no spacing.
  func inlineUndistributable(_ sizing: ColumnSizing) -> LayoutUnit {
    let gap = collapsed == nil ? style.borderSpacing.inline : .zero
    let columns = sizing.columns.reduce(0) { $1.isMergeable ? $0 : $0 + 1 }
    return edges.inlineSum + gap * (max(columns, 1) + 1)
  }
}
