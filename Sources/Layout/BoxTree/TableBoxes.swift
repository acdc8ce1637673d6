import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://drafts.csswg.org/css-tables-3/#fixup-algorithm
extension BoxTreeBuilder {
  /// Step 3, "generate missing parents": wraps runs of internal table boxes outside a table in the missing ancestors.
  func wrapMisparentedTableBoxes(_ parent: inout PendingBox) {
    guard parent.children.contains(where: { $0.tableRole != nil }) else { return }
    var result: [PendingBox] = []
    var run: [PendingBox] = []
    func flush() {
      var trailing: [PendingBox] = []
      while let last = run.last, last.isCollapsibleSpace { trailing.append(run.removeLast()) }
      if !run.isEmpty { result.append(anonymousTable(run, in: parent)) }
      // Chromium drops white space in an inline box after a box that is not inline (`Text::TextLayoutObjectIsNeeded`).
      if parent.box.kind != .inline || run.isEmpty { result.append(contentsOf: trailing.reversed()) }
      run = []
    }
    for child in parent.children {
      if child.tableRole != nil || (child.isCollapsibleSpace && !run.isEmpty) {
        run.append(child)
      } else {
        flush()
        result.append(child)
      }
    }
    flush()
    parent.children = result
  }

  private func anonymousTable(_ children: [PendingBox], in parent: PendingBox) -> PendingBox {
    let isInline = parent.box.kind == .inline
    let style = arena.anonymousStyle(inheriting: parent.box.style, display: isInline ? .inlineTable : .table)
    var box = Box(kind: .tableWrapper, style: style)
    box.isAnonymous = true
    box.isInlineLevel = isInline
    var table = PendingBox(box, children: children)
    generateTableBoxes(&table)
    return table
  }

  /// Builds a table's wrapper, grid, row groups and rows from the children of its element.
  func generateTableBoxes(_ table: inout PendingBox) {
    var captions: [PendingBox] = []
    var columns: [PendingBox] = []
    var groups: [PendingBox] = []
    var rows: [PendingBox] = []
    var outOfFlow: [PendingBox] = []
    let style = table.box.style
    // Captions and columns end a run of children that share an anonymous row group.
    func flush() {
      groups += rowGroups(rows, inheriting: style)
      rows = []
    }
    for child in table.children where !child.isCollapsibleSpace || !table.box.isAnonymous && child.tableRole == nil {
      switch child.tableRole {
      case .caption:
        flush()
        captions.append(child)
      case .columnGroup:
        flush()
        columns.append(columnGroup(child))
      case .column:
        flush()
        columns.append(child)
      default:
        // An out-of-flow box joins the anonymous cell of the content before it.
        let joinsAnonymousCell = rows.last { !$0.isCollapsibleSpace }.map { $0.tableRole == nil } ?? false
        if child.box.isOutOfFlow, !joinsAnonymousCell { outOfFlow.append(child) } else { rows.append(child) }
      }
    }
    var grid = Box(kind: .tableGrid, style: gridStyle(table.box.style))
    grid.node = table.box.node
    grid.pseudo = table.box.pseudo
    grid.isAnonymous = table.box.isAnonymous
    flush()
    table.box.style = wrapperStyle(table.box.style)
    table.children = captions + [PendingBox(grid, children: columns + groups + outOfFlow)]
  }

  private func columnGroup(_ group: PendingBox) -> PendingBox {
    var group = group
    group.children.removeAll { $0.tableRole != .column }
    return group
  }

  private func rowGroups(_ children: [PendingBox], inheriting style: ComputedStyle) -> [PendingBox] {
    wrapped(children, accepts: { $0.tableRole == .rowGroup }) { run in
      self.anonymousPart(.tableRowGroup, display: .tableRowGroup, children: self.rows(run, inheriting: style), inheriting: style)
    }
  }

  /// Returns the rows of a row group: runs of other children are wrapped in anonymous rows.
  func rows(_ children: [PendingBox], inheriting style: ComputedStyle) -> [PendingBox] {
    wrapped(children, accepts: { $0.tableRole == .row }) { run in
      self.anonymousPart(.tableRow, display: .tableRow, children: self.cells(run, inheriting: style), inheriting: style)
    }
  }

  /// Returns the cells of a row: runs of other children are wrapped in anonymous cells.
  func cells(_ children: [PendingBox], inheriting style: ComputedStyle) -> [PendingBox] {
    wrapped(children, accepts: { $0.tableRole == .cell }) { run in
      var cell = self.anonymousPart(.tableCell, display: .tableCell, children: run, inheriting: style)
      self.wrapMisparentedTableBoxes(&cell)
      self.fixBlockContainer(&cell)
      return cell
    }
  }

  private func anonymousPart(_ kind: BoxKind, display: Display, children: [PendingBox], inheriting style: ComputedStyle) -> PendingBox {
    var box = Box(kind: kind, style: anonymousContainerStyle(inheriting: style, display: display))
    box.isAnonymous = true
    return PendingBox(box, children: children)
  }

  /// Steps 1 and 2: removes white space and misplaced columns, and wraps runs of other children.
  private func wrapped(
    _ children: [PendingBox], accepts: (PendingBox) -> Bool, wrap: ([PendingBox]) -> PendingBox
  ) -> [PendingBox] {
    var result: [PendingBox] = []
    var run: [PendingBox] = []
    func flush() {
      while let last = run.last, last.isCollapsibleSpace { run.removeLast() }
      if !run.isEmpty { result.append(wrap(run)) }
      run = []
    }
    for child in children {
      if accepts(child) {
        flush()
        result.append(child)
      } else if child.tableRole == .column || child.tableRole == .columnGroup || (child.isCollapsibleSpace && run.isEmpty) {
        continue
      } else {
        run.append(child)
      }
    }
    flush()
    return result
  }

  /// The style of the table grid box: the element's borders, padding, background and size. The wrapper keeps the positioning properties.
  ///
  /// https://drafts.csswg.org/css-tables-3/#table-structure
  private func gridStyle(_ style: ComputedStyle) -> ComputedStyle {
    arena.modified(style) { record in
      var box = style.box
      box.position = .static
      box.float = .none
      box.clear = .none
      box.zIndex = nil
      box.margin = PhysicalSides(all: .zero)
      box.inset = PhysicalSides(all: .auto)
      box.display = .table
      (box.breakBefore, box.breakAfter, box.breakInside) = (.auto, .auto, .auto)
      record.box = arena.allocate(box)
      record.effects = arena.initialStyle.record.pointee.effects
      record.align = arena.initialStyle.record.pointee.align
    }
  }

  /// The style of the table wrapper box: without the properties that apply to the grid box.
  private func wrapperStyle(_ style: ComputedStyle) -> ComputedStyle {
    arena.modified(style) { record in
      var box = style.box
      box.padding = PhysicalSides(all: .zero)
      box.overflowX = .visible
      box.overflowY = .visible
      record.box = arena.allocate(box)
      record.border = arena.initialStyle.record.pointee.border
      record.background = arena.initialStyle.record.pointee.background
    }
  }
}
