import OffprintCSS
import OffprintCoreTypes

/// Resolves conflicts between the collapsed borders of cells. https://drafts.csswg.org/css-tables-3/#border-conflict-resolution
///
/// Edges are indexed by grid lines: `vertical[row * (columns + 1) + line]` is the edge to the left of column `line` in `row`,
/// `horizontal[line * columns + column]` the one above row `line`.
struct CollapsedBorderResolver {
  struct Edge {
    var style = BorderLineStyle.none
    var width = LayoutUnit.zero
    var color = Color.black
    /// Whether the edge is inside a spanning cell.
    var isInside = false
    /// The order of the box that specifies the border. On equal borders the first box wins.
    var order = 0
    var isPainted: Bool { !isInside && width > .zero && style.isVisible }
  }

  let rows: Int
  let columns: Int
  var vertical: [Edge]
  var horizontal: [Edge]
  private let tree: BoxTree
  private var offers = 0
  /// The direction of the table, which applies to all of its rows: https://drafts.csswg.org/css-tables-3/#mapping
  private let isFlipped: Bool

  /// - Parameter deadline: After it has passed, the remaining cells have no borders.
  init(_ tree: BoxTree, grid: BoxID, _ table: TableGrid, deadline: Deadline) {
    self.tree = tree
    isFlipped = WritingDirection(tree[grid].style).isFlippedInline
    rows = table.rows.count
    columns = table.columns.count
    vertical = Array(repeating: Edge(), count: rows * (columns + 1))
    horizontal = Array(repeating: Edge(), count: (rows + 1) * columns)
    // In descending priority, so that later candidates only win if they are stronger: cell, row, row group, column, column group, table.
    for (number, cell) in table.cells.enumerated() {
      if number & 63 == 63, deadline.hasPassed { break }
      addCell(cell)
    }
    for (index, row) in table.rows.enumerated() { add(row.box, rows: index..<index + 1, columns: 0..<columns) }
    for section in table.sections { add(section.box, rows: section.rows, columns: 0..<columns) }
    for (index, column) in table.columns.enumerated() where !column.box.isNone {
      add(column.box, rows: 0..<rows, columns: index..<index + 1)
    }
    addColumnGroups(table)
    add(grid, rows: 0..<rows, columns: 0..<columns)
  }

  private mutating func addColumnGroups(_ table: TableGrid) {
    var start = 0
    while start < columns {
      var end = start + 1
      while end < columns && table.columns[end].group == table.columns[start].group { end += 1 }
      if !table.columns[start].group.isNone { add(table.columns[start].group, rows: 0..<rows, columns: start..<end) }
      start = end
    }
  }

  private mutating func addCell(_ cell: TableGrid.Cell) {
    let rowRange = cell.row..<min(rows, cell.row + cell.rowSpan), columnRange = cell.column..<min(columns, cell.column + cell.columnSpan)
    for row in rowRange {
      for line in columnRange.dropFirst() { vertical[row * (columns + 1) + line].isInside = true }
    }
    for line in rowRange.dropFirst() {
      for column in columnRange { horizontal[line * columns + column].isInside = true }
    }
    add(cell.box, rows: rowRange, columns: columnRange)
  }

  /// Offers the borders of a box to the edges around an area of slots.
  private mutating func add(_ box: BoxID, rows: Range<Int>, columns range: Range<Int>) {
    guard !rows.isEmpty, !range.isEmpty else { return }
    offers += 1
    let style = tree[box].style
    let border = style.border.style, width = style.border.width, color = style.border.color
    var left = edge(style, border.left, width.left, color.left), right = edge(style, border.right, width.right, color.right)
    let top = edge(style, border.top, width.top, color.top), bottom = edge(style, border.bottom, width.bottom, color.bottom)
    if isFlipped { swap(&left, &right) }
    for row in rows {
      Self.offer(left, to: &vertical[row * (columns + 1) + range.lowerBound])
      Self.offer(right, to: &vertical[row * (columns + 1) + range.upperBound])
    }
    for column in range {
      Self.offer(top, to: &horizontal[rows.lowerBound * columns + column])
      Self.offer(bottom, to: &horizontal[rows.upperBound * columns + column])
    }
  }

  private func edge(_ style: ComputedStyle, _ line: BorderLineStyle, _ width: Float, _ color: ColorValue) -> Edge {
    Edge(style: line, width: LayoutUnit(width), color: color.resolve(style.text.color), order: offers)
  }

  /// Static, because a method would retain the resolver, and mutating its arrays would copy them.
  private static func offer(_ candidate: Edge, to edge: inout Edge) {
    guard candidate.style != .none, edge.style != .hidden else { return }
    let wins =
      candidate.style == .hidden || edge.style == .none || candidate.width > edge.width
      || (candidate.width == edge.width && candidate.style.rawValue > edge.style.rawValue)
    if wins {
      let isInside = edge.isInside
      edge = candidate
      edge.isInside = isInside
      if candidate.style == .hidden { edge.width = .zero }
    }
  }

  // MARK: Widths

  func verticalWidth(_ rows: Range<Int>, line: Int) -> LayoutUnit {
    rows.reduce(.zero) { max($0, vertical[$1 * (columns + 1) + line].width) }
  }

  func horizontalWidth(_ columns: Range<Int>, line: Int) -> LayoutUnit {
    columns.reduce(.zero) { max($0, horizontal[line * self.columns + $1].width) }
  }

  /// The border of a cell: half of each border around it.
  func border(of cell: TableGrid.Cell) -> LogicalEdges {
    let rowRange = cell.row..<min(rows, cell.row + cell.rowSpan), columnRange = cell.column..<min(columns, cell.column + cell.columnSpan)
    return LogicalEdges(
      inlineStart: verticalWidth(rowRange, line: columnRange.lowerBound) / 2,
      inlineEnd: verticalWidth(rowRange, line: columnRange.upperBound) / 2,
      blockStart: horizontalWidth(columnRange, line: rowRange.lowerBound) / 2,
      blockEnd: horizontalWidth(columnRange, line: rowRange.upperBound) / 2)
  }

  /// The border of the table: half of each border around it.
  var tableBorder: LogicalEdges {
    guard rows > 0, columns > 0 else { return LogicalEdges() }
    return LogicalEdges(
      inlineStart: verticalWidth(0..<rows, line: 0) / 2, inlineEnd: verticalWidth(0..<rows, line: columns) / 2,
      blockStart: horizontalWidth(0..<columns, line: 0) / 2, blockEnd: horizontalWidth(0..<columns, line: rows) / 2)
  }
}
