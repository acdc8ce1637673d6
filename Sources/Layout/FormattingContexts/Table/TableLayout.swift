import OffprintCSS
import OffprintCoreTypes

/// Caches the parts of table layout that depend only on the box tree: the slot grid and the collapsed borders.
struct TableStructureCache {
  struct Structure {
    var grid: TableGrid
    /// Set in the collapsing border model.
    var collapsed: CollapsedBorderResolver?
  }
  private var cached: [BoxID: Structure] = [:]

  /// Tables with more slots use the separated borders model, because border conflict resolution stores a border for each slot.
  private static let maximumCollapsedSlots = 4_000_000

  mutating func structure(of gridBox: BoxID, _ engine: LayoutEngine) -> Structure {
    if let structure = cached[gridBox] { return structure }
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
            "A table with \(rows) rows and \(columns) columns is rendered with separated borders: collapsed borders are limited to \(Self.maximumCollapsedSlots) slots."
          ))
      }
    }
    cached[gridBox] = structure
    return structure
  }
}

/// The inputs of table layout that its steps share: the slot grid, the borders and the spacing. https://drafts.csswg.org/css-tables-3/
struct TableLayout {
  let engine: LayoutEngine
  let wrapper: BoxID
  let gridBox: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  var grid: TableGrid
  let collapsed: CollapsedBorderResolver?
  private let hasSpecifiedBlockSize: Bool
  /// The border and padding of the grid box. In the collapsing borders model: the outer halves of the table's borders; padding does not apply.
  let edges: LogicalEdges
  let spacing: LogicalSize

  init?(_ engine: LayoutEngine, wrapper: BoxID, _ input: LayoutInput) {
    guard let gridBox = engine.tree.children(of: wrapper).first(where: { engine.tree[$0].kind == .tableGrid }) else { return nil }
    self.engine = engine
    self.wrapper = wrapper
    self.gridBox = gridBox
    style = engine.style(gridBox)
    direction = WritingDirection(style)
    hasSpecifiedBlockSize = !Sizing.LogicalSizes(style).block.isAuto
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

  // MARK: Cells

  private func collapsedBorder(of cell: TableGrid.Cell) -> LayoutEdges? {
    collapsed.map { direction.physical($0.border(of: cell)) }
  }

  /// The input that lays out a cell at a border-box inline size, or measures its intrinsic sizes if `inline` is nil.
  ///
  /// - Parameter basis: The percentage basis of the cell's padding. Chromium uses the total inline size of the columns instead of the size of
  ///   the cell's containing block.
  func cellInput(_ cell: TableGrid.Cell, inline: LayoutUnit?, basis: LayoutUnit = .zero) -> LayoutInput {
    var input = LayoutInput(availableInline: inline)
    if isOrthogonal(cell.box) {
      input.availableInline = direction.logical(engine.viewport).block
      input.percentageInline = nil
      input.fixedBlock = inline
    } else {
      input.fixedInline = inline
    }
    input.percentageMargin = basis
    input.context = .tableCell(
      TableCellContext(border: collapsedBorder(of: cell), hasRestrictedBlockSize: hasRestrictedBlockSize(cell.box)))
    input.autoInline = .fitContent
    return input
  }

  /// Whether the cell or its table has a definite block size. Chromium calls this a cell with a restricted block size.
  private func hasRestrictedBlockSize(_ cell: BoxID) -> Bool {
    if hasSpecifiedBlockSize { return true }
    let style = engine.style(cell)
    if case .value(let length) = style.text.writingMode == .horizontalTb ? style.box.height : style.box.width {
      return !length.hasPercentage
    }
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
  func blockEndBorderPadding(of cell: TableGrid.Cell, basis: LayoutUnit) -> LayoutUnit {
    let input = cellInput(cell, inline: nil, basis: basis)
    return direction.logical(Sizing.usedBorder(engine, cell.box, input) + Sizing.usedPadding(engine, cell.box, input)).blockEnd
  }

  /// Whether the cell is an orthogonal flow.
  func isOrthogonal(_ cell: BoxID) -> Bool { !WritingDirection(engine.style(cell)).isParallel(to: direction) }

  /// The contribution of an orthogonal cell to the columns: its block size, which lies in the table's inline axis.
  /// https://drafts.csswg.org/css-writing-modes-4/#orthogonal-flows
  func orthogonalSizes(_ cell: TableGrid.Cell) throws -> MinMaxSizes {
    let size = direction.logical(try engine.layout(cell.box, cellInput(cell, inline: nil)).size).inline
    return MinMaxSizes(min: size, max: size)
  }
}
