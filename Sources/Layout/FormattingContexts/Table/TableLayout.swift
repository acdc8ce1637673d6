import CSS
import CoreTypes

/// What of tables follows from the box tree alone: their slots, and which borders win.
struct TableStructures {
  struct Structure {
    var grid: TableGrid
    /// In the collapsing model.
    var collapsed: CollapsedBorderResolver?
  }
  private var known: [BoxID: Structure] = [:]

  /// Tables with more slots have separate borders.
  private static let maximumCollapsedSlots = 4_000_000

  mutating func structure(of gridBox: BoxID, _ engine: LayoutEngine) -> Structure {
    if let known = known[gridBox] { return known }
    var structure = Structure(grid: TableGrid(engine.tree, grid: gridBox, deadline: engine.deadline))
    if engine.style(gridBox).text.borderCollapse == .collapse {
      let rows = structure.grid.rows.count, columns = structure.grid.columns.count
      if rows * (columns + 1) <= Self.maximumCollapsedSlots {
        structure.collapsed = CollapsedBorderResolver(engine.tree, grid: gridBox, structure.grid, deadline: engine.deadline)
      } else {
        engine.diagnostics.report(
          Diagnostic(
            "limitExceeded", .degraded,
            "A table of \(rows) rows and \(columns) columns is over the limit of slots whose borders collapse."))
      }
    }
    known[gridBox] = structure
    return structure
  }
}

/// One table being laid out: its slots, borders and columns. https://drafts.csswg.org/css-tables-3/
struct TableLayout {
  let engine: LayoutEngine
  let wrapper: BoxID
  let gridBox: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  let table: TableGrid
  let collapsed: CollapsedBorderResolver?
  /// Border and padding of the grid box; in the collapsing model the borders' outer halves, and no padding.
  let edges: LogicalEdges
  let spacing: LogicalSize

  init?(_ engine: LayoutEngine, wrapper: BoxID, _ input: LayoutInput) {
    guard let gridBox = engine.tree.children(of: wrapper).first(where: { engine.tree[$0].kind == .tableGrid }) else { return nil }
    self.engine = engine
    self.wrapper = wrapper
    self.gridBox = gridBox
    style = engine.style(gridBox)
    direction = WritingDirection(style)
    let structure = engine.tableStructures.structure(of: gridBox, engine)
    table = structure.grid
    collapsed = structure.collapsed
    if let collapsed {
      edges = collapsed.tableBorder
      spacing = LogicalSize()
    } else {
      let physical = Sizing.border(style) + Sizing.padding(style, percentageBasis: input.percentageMargin)
      edges = direction.logical(physical)
      let hasCells = !table.cells.isEmpty
      spacing =
        hasCells
        ? LogicalSize(inline: LayoutUnit(style.text.borderSpacingHorizontal), block: LayoutUnit(style.text.borderSpacingVertical))
        : LogicalSize()
    }
  }

  var captions: [BoxID] { engine.tree.children(of: wrapper).filter { $0 != gridBox && engine.tree[$0].isInFlow } }

  /// Border spacing at both ends and between columns, with the edges.
  var inlineUndistributable: LayoutUnit {
    edges.inlineSum + (table.columns.isEmpty ? .zero : spacing.inline * (table.columns.count + 1))
  }

  // MARK: Columns

  private func collapsedBorder(of cell: TableGrid.Cell) -> LayoutEdges? {
    collapsed.map { direction.physical($0.border(of: cell)) }
  }

  /// The input that measures a cell; nil is for its intrinsic sizes.
  func cellInput(_ cell: TableGrid.Cell, inline: LayoutUnit?) -> LayoutInput {
    var input = LayoutInput(availableInline: inline)
    input.percentageBlock = nil
    input.availableBlock = nil
    if isOrthogonal(cell.box) {
      input.availableInline = direction.logical(engine.viewport).block
      input.percentageInline = nil
      input.fixedBlock = inline
    } else {
      input.fixedInline = inline
    }
    input.percentageMargin = inline ?? .zero
    input.context = .tableCell(TableCellContext(border: collapsedBorder(of: cell)))
    input.autoInline = .fitContent
    return input
  }

  var isFixed: Bool {
    guard style.box.tableLayout == .fixed else { return false }
    switch Sizing.LogicalSizes(style).inline {
    case .auto, .maxContent, .none: return false
    default: return true
    }
  }

  /// The sizes that columns ask for. https://drafts.csswg.org/css-tables-3/#computing-column-measures
  func columnSizing() throws -> ColumnSizing {
    var sizing = ColumnSizing(columns: Array(repeating: .init(), count: table.columns.count))
    for index in table.columns.indices { applyColumnBoxes(index, to: &sizing.columns[index]) }
    if isFixed {
      try applyFixedCells(&sizing)
      return sizing
    }
    var spanning: [(cell: TableGrid.Cell, sizes: CellSizes)] = []
    for cell in table.cells {
      try engine.tick()
      let sizes = try cellSizes(cell)
      if cell.columnSpan == 1 { apply(sizes, to: &sizing.columns[cell.column]) } else { spanning.append((cell, sizes)) }
    }
    for index in sizing.columns.indices { sizing.columns[index].max = max(sizing.columns[index].min, sizing.columns[index].max) }
    for (cell, sizes) in spanning.sorted(by: { $0.cell.columnSpan < $1.cell.columnSpan }) {
      try engine.tick()
      sizing.include(
        span: cell.column..<min(sizing.columns.count, cell.column + cell.columnSpan), min: sizes.min, max: sizes.max,
        percent: sizes.percent,
        spacing: spacing.inline)
    }
    return sizing
  }

  private func applyColumnBoxes(_ index: Int, to column: inout ColumnSizing.Column) {
    let boxes = table.columns[index]
    for box in [boxes.box, boxes.group] where !box.isNone {
      let sizes = Sizing.LogicalSizes(engine.style(box))
      if case .value(let width) = sizes.inline {
        if case .percentage(let percent) = width {
          column.percent = max(0, Double(percent))
        } else if let length = width.resolveIfDefinite(nil), length > .zero {
          column.max = length
          column.isConstrained = true
        }
        column.isEmpty = false
        return
      }
      if case .value(let minimum) = sizes.minInline, let length = minimum.resolveIfDefinite(nil) { column.min = max(column.min, length) }
    }
  }

  struct CellSizes {
    var min: LayoutUnit
    var max: LayoutUnit
    var percent: Double?
    var isConstrained: Bool
  }

  /// A cell's outer sizes. https://drafts.csswg.org/css-tables-3/#computing-cell-measures
  func cellSizes(_ cell: TableGrid.Cell) throws -> CellSizes {
    let input = cellInput(cell, inline: nil)
    let style = engine.style(cell.box)
    let content = isOrthogonal(cell.box) ? try orthogonalSizes(cell) : try engine.intrinsicSizes(cell.box, input)
    let edges = Sizing.edges(engine, cell.box, input).inlineSum
    let sizes = Sizing.LogicalSizes(style, isHorizontal: direction.isHorizontal)
    var result = CellSizes(min: content.min, max: content.max, percent: nil, isConstrained: false)
    if case .value(let width) = sizes.inline {
      if case .percentage(let percent) = width {
        result.percent = max(0, Double(percent))
      } else if let length = width.resolveIfDefinite(nil) {
        let border = Sizing.borderBox(length, style, edges: edges)
        result.max = max(result.min, border)
        result.isConstrained = true
      }
    }
    if case .value(let maximum) = sizes.maxInline, let length = maximum.resolveIfDefinite(nil) {
      let border = Sizing.borderBox(length, style, edges: edges)
      result.min = min(result.min, border)
      result.max = min(result.max, border)
    }
    if case .value(let minimum) = sizes.minInline, let length = minimum.resolveIfDefinite(nil) {
      let border = Sizing.borderBox(length, style, edges: edges)
      result.min = max(result.min, border)
      result.max = max(result.max, border)
    }
    return result
  }

  /// Border and padding at a cell's block end.
  func endEdge(_ cell: TableGrid.Cell) -> LayoutUnit {
    let input = cellInput(cell, inline: nil)
    return direction.logical(Sizing.usedBorder(engine, cell.box, input) + Sizing.usedPadding(engine, cell.box, input)).blockEnd
  }

  /// The cell's lines run across the table's.
  func isOrthogonal(_ cell: BoxID) -> Bool { !WritingDirection(engine.style(cell)).isParallel(to: direction) }

  /// Its block size is what it takes of the row. https://drafts.csswg.org/css-writing-modes-4/#orthogonal-flows
  private func orthogonalSizes(_ cell: TableGrid.Cell) throws -> MinMaxSizes {
    let size = direction.logical(try engine.layout(cell.box, cellInput(cell, inline: nil)).size).inline
    return MinMaxSizes(min: size, max: size)
  }

  private func apply(_ sizes: CellSizes, to column: inout ColumnSizing.Column) {
    column.isEmpty = false
    column.min = max(column.min, sizes.min)
    if let percent = sizes.percent {
      column.percent = max(column.percent ?? 0, percent)
      column.max = max(column.max, sizes.max)
    } else if sizes.isConstrained {
      // The widest of the widths wins over what the contents of other cells would like.
      column.max = column.isConstrained ? max(column.max, sizes.max) : max(sizes.max, column.min)
      column.isConstrained = true
    } else if !column.isConstrained {
      column.max = max(column.max, sizes.max)
    } else {
      column.max = max(column.max, sizes.min)
    }
  }

  /// Fixed layout looks at columns and the cells of the first row alone. https://drafts.csswg.org/css2/#fixed-table-layout
  private func applyFixedCells(_ sizing: inout ColumnSizing) throws {
    for cell in table.cells where cell.row == 0 {
      let style = engine.style(cell.box)
      guard case .value(let width) = Sizing.LogicalSizes(style, isHorizontal: direction.isHorizontal).inline else { continue }
      let span = cell.column..<min(sizing.columns.count, cell.column + cell.columnSpan)
      let open = span.filter { sizing.columns[$0].percent == nil && !sizing.columns[$0].isConstrained }
      guard !open.isEmpty else { continue }
      if case .percentage(let percent) = width {
        let isContentBox = style.box.boxSizing == .contentBox
        let edges = isContentBox ? Sizing.edges(engine, cell.box, cellInput(cell, inline: nil)).inlineSum : .zero
        for index in open {
          sizing.columns[index].percent = max(0, Double(percent)) / Double(open.count)
          sizing.columns[index].percentEdges = edges / open.count
        }
      } else if let length = width.resolveIfDefinite(nil) {
        let edges = Sizing.edges(engine, cell.box, cellInput(cell, inline: nil)).inlineSum
        let border = (Sizing.borderBox(length, style, edges: edges) - spacing.inline * (span.count - 1)).clampedToZero
        for index in open {
          sizing.columns[index].max = border / open.count
          sizing.columns[index].isConstrained = true
        }
      }
    }
  }

  /// Widths first, percentages of what there is, and what is left for the columns without either, evenly. With none of these the others
  /// grow or shrink.
  ///
  /// https://drafts.csswg.org/css-tables-3/#distributing-width-to-columns in fixed mode
  func fixedWidths(_ sizing: ColumnSizing, _ target: LayoutUnit) -> [LayoutUnit] {
    let columns = sizing.columns
    let percents = columns.map { $0.percent.map { LayoutUnit(target.double * $0 / 100) } ?? .zero }
    var sizes = columns.indices.map { index -> LayoutUnit in
      if columns[index].percent != nil { return percents[index] + columns[index].percentEdges }
      return columns[index].isConstrained ? columns[index].max : .zero
    }
    func sum(_ test: (ColumnSizing.Column) -> Bool) -> LayoutUnit {
      columns.indices.reduce(.zero) { test(columns[$1]) ? $0 + sizes[$1] : $0 }
    }
    let isPercent: (ColumnSizing.Column) -> Bool = { $0.percent != nil }
    let isFixed: (ColumnSizing.Column) -> Bool = { $0.percent == nil && $0.isConstrained }
    func scale(_ test: (ColumnSizing.Column) -> Bool, to wanted: LayoutUnit) {
      let total = sum(test)
      guard total > .zero, total != wanted else { return }
      for index in columns.indices where test(columns[index]) { sizes[index] = sizes[index].multiplied(by: wanted, over: total) }
    }
    let auto = columns.indices.filter { columns[$0].percent == nil && !columns[$0].isConstrained }
    let fixed = sum(isFixed), percent = sum(isPercent)
    if auto.isEmpty, fixed > .zero, fixed + percent < target { scale(isFixed, to: target - percent) }
    let left = (target - sum(isFixed)).clampedToZero
    if percent > left || (auto.isEmpty && fixed == .zero) { scale(isPercent, to: left) }
    let rest = target - sizes.reduce(.zero, +)
    guard rest > .zero else { return sizes }
    let weights = columns.map { column -> Double in auto.isEmpty || !(isPercent(column) || isFixed(column)) ? 1 : 0 }
    return ColumnSizing.share(rest, by: weights, onto: sizes)
  }
}
