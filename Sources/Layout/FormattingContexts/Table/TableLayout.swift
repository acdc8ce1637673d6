import OffprintCSS
import OffprintCoreTypes

/// The parts of tables that only depend on the box tree: their slots, and the collapsed borders.
struct TableStructureCache {
  struct Structure {
    var grid: TableGrid
    /// Set in the collapsing border model.
    var collapsed: CollapsedBorderResolver?
  }
  private var known: [BoxID: Structure] = [:]

  /// Larger tables use the separated border model.
  private static let maximumCollapsedSlots = 4_000_000

  mutating func structure(of gridBox: BoxID, _ engine: LayoutEngine) -> Structure {
    if let known = known[gridBox] { return known }
    var structure = Structure(
      grid: TableGrid(engine.tree, grid: gridBox, isFixed: TableLayout.isFixed(engine.style(gridBox)), deadline: engine.deadline))
    if engine.style(gridBox).text.borderCollapse == .collapse {
      let rows = structure.grid.rows.count, columns = structure.grid.columns.count
      if rows * (columns + 1) <= Self.maximumCollapsedSlots {
        structure.collapsed = CollapsedBorderResolver(engine.tree, grid: gridBox, structure.grid, deadline: engine.deadline)
      } else {
        engine.diagnostics.report(
          Diagnostic(
            "limitExceeded", .degraded,
            "A table of \(rows) rows and \(columns) columns exceeds the limit of slots with collapsed borders."))
      }
    }
    known[gridBox] = structure
    return structure
  }
}

/// The state of laying out a table: its slots, borders and columns. https://drafts.csswg.org/css-tables-3/
struct TableLayout {
  let engine: LayoutEngine
  let wrapper: BoxID
  let gridBox: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  let grid: TableGrid
  let collapsed: CollapsedBorderResolver?
  /// Whether the table's block size is specified.
  private let isSpecified: Bool
  /// The border and padding of the grid box. In the collapsing model these are the outer halves of borders, without padding.
  let edges: LogicalEdges
  let spacing: LogicalSize

  init?(_ engine: LayoutEngine, wrapper: BoxID, _ input: LayoutInput) {
    guard let gridBox = engine.tree.children(of: wrapper).first(where: { engine.tree[$0].kind == .tableGrid }) else { return nil }
    self.engine = engine
    self.wrapper = wrapper
    self.gridBox = gridBox
    style = engine.style(gridBox)
    direction = WritingDirection(style)
    isSpecified = !Sizing.LogicalSizes(style).block.isAuto
    let structure = engine.tableStructures.structure(of: gridBox, engine)
    grid = structure.grid
    collapsed = structure.collapsed
    if let collapsed {
      edges = collapsed.tableBorder
      spacing = LogicalSize()
    } else {
      let physical = Sizing.border(style) + Sizing.padding(style, percentageBasis: input.percentageMargin)
      edges = direction.logical(physical)
      spacing =
        grid.columns.isEmpty
        ? LogicalSize()
        : style.borderSpacing
    }
  }

  var captions: [BoxID] { engine.tree.children(of: wrapper).filter { $0 != gridBox && engine.tree[$0].isInFlow } }

  // MARK: Columns

  private func collapsedBorder(of cell: TableGrid.Cell) -> LayoutEdges? {
    collapsed.map { direction.physical($0.border(of: cell)) }
  }

  /// The input for measuring a cell; without an inline size, for its intrinsic sizes.
  ///
  /// - Parameter basis: The basis for percentages of padding. In Chromium it is the size of all columns, not that of the cell.
  func cellInput(_ cell: TableGrid.Cell, inline: LayoutUnit?, basis: LayoutUnit = .zero) -> LayoutInput {
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
    input.percentageMargin = basis
    input.context = .tableCell(TableCellContext(border: collapsedBorder(of: cell), isRestricted: isRestricted(cell.box)))
    input.autoInline = .fitContent
    return input
  }

  private func isRestricted(_ cell: BoxID) -> Bool {
    if isSpecified { return true }
    let cell = engine.style(cell)
    if case .value(let length) = cell.text.writingMode == .horizontalTb ? cell.box.height : cell.box.width { return !length.hasPercentage }
    return false
  }

  var isFixed: Bool { Self.isFixed(style) }

  /// https://drafts.csswg.org/css-tables-3/#table-layout-property
  static func isFixed(_ style: ComputedStyle) -> Bool {
    guard style.box.tableLayout == .fixed else { return false }
    switch Sizing.LogicalSizes(style).inline {
    case .auto, .maxContent, .none: return false
    default: return true
    }
  }

  /// The border and padding at the block end of a cell.
  func endEdge(_ cell: TableGrid.Cell, basis: LayoutUnit) -> LayoutUnit {
    let input = cellInput(cell, inline: nil, basis: basis)
    return direction.logical(Sizing.usedBorder(engine, cell.box, input) + Sizing.usedPadding(engine, cell.box, input)).blockEnd
  }

  /// Whether the cell is an orthogonal flow.
  func isOrthogonal(_ cell: BoxID) -> Bool { !WritingDirection(engine.style(cell)).isParallel(to: direction) }

  /// The block size of an orthogonal cell is its contribution to the columns.
  /// https://drafts.csswg.org/css-writing-modes-4/#orthogonal-flows
  func orthogonalSizes(_ cell: TableGrid.Cell) throws -> MinMaxSizes {
    let size = direction.logical(try engine.layout(cell.box, cellInput(cell, inline: nil)).size).inline
    return MinMaxSizes(min: size, max: size)
  }
}
