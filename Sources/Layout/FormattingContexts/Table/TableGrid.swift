import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

/// The slots of a table and the cells in them. https://drafts.csswg.org/css-tables-3/#dimensioning-the-row-column-grid
struct TableGrid {
  struct Row {
    var box: BoxID
    var section: Int
    var cells: Range<Int> = 0..<0
  }
  struct Section {
    var box: BoxID
    var rows: Range<Int> = 0..<0
    var isBody: Bool
  }
  struct Cell {
    var box: BoxID
    var row: Int
    var column: Int
    var rowSpan: Int
    var columnSpan: Int
    /// The specified span. `columnSpan` excludes columns in which no cell starts.
    var specifiedSpan: Int
  }
  struct Column {
    /// The boxes of `<col>` and `<colgroup>`; `none` if missing.
    var box = BoxID.none
    var group = BoxID.none
  }

  /// The maximum number of columns. Further cells are laid out in the last one.
  static let maximumColumns = 10_000

  var rows: [Row] = []
  var sections: [Section] = []
  var cells: [Cell] = []
  var columns: [Column] = []
  var outOfFlow: [BoxID] = []
  private let isFixed: Bool

  /// - Parameters:
  ///   - isFixed: Whether the table has fixed layout.
  ///   - deadline: After it has passed, the remaining rows have no cells.
  init(_ tree: BoxTree, grid: BoxID, isFixed: Bool, deadline: Deadline) {
    self.isFixed = isFixed
    var header: [BoxID] = []
    var footer: [BoxID] = []
    var bodies: [BoxID] = []
    for child in tree.children(of: grid) {
      let box = tree[child]
      switch box.kind {
      case .tableColumnGroup: addColumnGroup(child, tree)
      case .tableColumn: addColumns(child, group: .none, count: Int(box.columnSpan))
      case .tableRowGroup:
        // The first header and footer move to the ends; further ones are treated as bodies.
        if box.style.box.display == .tableHeaderGroup && header.isEmpty {
          header.append(child)
        } else if box.style.box.display == .tableFooterGroup && footer.isEmpty {
          footer.append(child)
        } else {
          bodies.append(child)
        }
      default: outOfFlow.append(child)
      }
    }
    for section in header { addSection(section, tree, isBody: false, deadline) }
    for section in bodies { addSection(section, tree, isBody: true, deadline) }
    for section in footer { addSection(section, tree, isBody: false, deadline) }
    if !isFixed { dropColumnsWithoutCells(tree) }
    for index in cells.indices { cells[index].columnSpan = max(1, min(cells[index].columnSpan, columns.count - cells[index].column)) }
  }

  /// Removes columns at the end without cells and without a width. https://drafts.csswg.org/css-tables-3/#track-merging
  private mutating func dropColumnsWithoutCells(_ tree: BoxTree) {
    let used = cells.reduce(0) { max($0, $1.column + 1) }
    func hasWidth(_ box: BoxID) -> Bool {
      guard !box.isNone, case .value(let width) = Sizing.LogicalSizes(tree[box].style).inline else { return false }
      return width.resolve(LayoutUnit(100)) > .zero
    }
    while columns.count > used, let last = columns.last, !hasWidth(last.box), !hasWidth(last.group) { columns.removeLast() }
  }

  private mutating func addColumnGroup(_ group: BoxID, _ tree: BoxTree) {
    let children = Array(tree.children(of: group))
    if children.isEmpty { addColumns(.none, group: group, count: Int(tree[group].columnSpan)) }
    for child in children { addColumns(child, group: group, count: Int(tree[child].columnSpan)) }
  }

  private mutating func addColumns(_ box: BoxID, group: BoxID, count: Int) {
    for _ in 0..<max(1, count) where columns.count < Self.maximumColumns { columns.append(Column(box: box, group: group)) }
  }

  private mutating func addSection(_ section: BoxID, _ tree: BoxTree, isBody: Bool, _ deadline: Deadline) {
    let first = rows.count
    let rowBoxes = tree.children(of: section).filter { tree[$0].kind == .tableRow }
    let end = first + rowBoxes.count
    var freeFrom: [Int] = []  // by column: the first row not occupied by a cell of a previous row
    for row in rowBoxes {
      let number = rows.count
      rows.append(Row(box: row, section: sections.count, cells: cells.count..<cells.count))
      var column = 0
      if number & 255 == 255, deadline.hasPassed { continue }
      for child in tree.children(of: row) where tree[child].kind == .tableCell {
        while column < freeFrom.count && freeFrom[column] > number { column += 1 }
        place(child, tree[child], row: number, column: &column, end: end, &freeFrom)
      }
      rows[number].cells = rows[number].cells.lowerBound..<cells.count
    }
    sections.append(Section(box: section, rows: first..<end, isBody: isBody))
  }

  private mutating func place(_ child: BoxID, _ box: Box, row: Int, column: inout Int, end: Int, _ freeFrom: inout [Int]) {
    let start = min(column, Self.maximumColumns - 1)
    let columnSpan = min(Int(box.columnSpan), Self.maximumColumns - start)
    let rowSpan = box.rowSpan == 0 ? end - row : min(Int(box.rowSpan), end - row)
    cells.append(
      Cell(
        box: child, row: row, column: start, rowSpan: max(1, rowSpan), columnSpan: max(1, columnSpan),
        specifiedSpan: Int(box.columnSpan)))
    while freeFrom.count < start + columnSpan { freeFrom.append(0) }
    for index in start..<start + columnSpan { freeFrom[index] = max(freeFrom[index], row + max(1, rowSpan)) }
    while columns.count < (isFixed ? start + columnSpan : start + 1) { columns.append(Column()) }
    column = start + columnSpan
  }
}
