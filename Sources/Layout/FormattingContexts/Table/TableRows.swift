import OffprintCSS
import OffprintCoreTypes

/// The rows of a table: their heights and fragments. https://drafts.csswg.org/css-tables-3/#row-layout
struct TableRows {
  struct Result {
    var fragment: FragmentID
    /// Excludes collapsed columns.
    var inlineSize: LayoutUnit
    var blockSize: LayoutUnit
    var firstBaseline: LayoutUnit?
    var lastBaseline: LayoutUnit?
    var outOfFlow: [OutOfFlowCandidate]
  }

  struct Measure {
    /// The block size required by the contents and `height`. Chromium ignores `min-height`.
    var block: LayoutUnit
    /// The block size of the contents.
    var content: LayoutUnit
    /// The baseline of the first line, otherwise the end of the contents; nil without contents.
    var baseline: LayoutUnit?
    /// The border and padding below the contents, which are below the baseline of a cell without lines.
    var endEdge: LayoutUnit
    var isBaselineAligned: Bool
    /// Whether the contents do not change at the cell's final size.
    var isText: Bool
  }

  private(set) var table: TableLayout
  let engine: LayoutEngine
  /// The widths of the columns. While cells are measured, those of collapsed columns are included.
  private(set) var widths: [LayoutUnit]
  private(set) var offsets: [LayoutUnit] = []
  /// By column: whether there is no gap before it.
  private var isGapless: [Bool]
  private var isColumnCollapsed: [Bool]
  private(set) var measures: [Measure] = []
  var heights: [LayoutUnit]
  /// By section: the size of its rows with the spacing between them, or its specified height.
  var sectionSizes: [LayoutUnit] = []
  private var baselines: [LayoutUnit?]
  /// By row: whether it has a specified height, so that others grow first.
  private(set) var isConstrained: [Bool]
  var percents: [Double?]
  private(set) var isCollapsed: [Bool]
  /// Whether the table has a specified height. Percentages in cells that it enlarges resolve against these.
  let isSpecified: Bool
  /// The bases of percentage paddings in cells, for measuring and in the final layout.
  private(set) var measureBasis = LayoutUnit.zero
  private(set) var finalBasis = LayoutUnit.zero
  /// Whether the table's height is definite.
  var isDefinite = false

  init(_ table: TableLayout, _ sizing: ColumnSizing, widths: [LayoutUnit]) {
    self.table = table
    engine = table.engine
    self.widths = widths
    let count = table.grid.rows.count
    heights = Array(repeating: .zero, count: count)
    baselines = Array(repeating: nil, count: count)
    isConstrained = Array(repeating: false, count: count)
    percents = Array(repeating: nil, count: count)
    isCollapsed = table.grid.rows.map {
      let section = table.grid.sections[$0.section].box
      return table.engine.style($0.box).text.visibility == .collapse || table.engine.style(section).text.visibility == .collapse
    }
    isSpecified = !Sizing.LogicalSizes(table.style).block.isAuto
    isGapless = zip(sizing.columns, widths).map { $0.isMergeable && $1 == .zero }
    isColumnCollapsed = table.grid.columns.map { column in
      let box = column.box.isNone ? column.group : column.box
      return !box.isNone && table.engine.style(box).text.visibility == .collapse
    }
    placeColumns()
  }

  private mutating func placeColumns() {
    offsets.removeAll(keepingCapacity: true)
    var offset = table.edges.inlineStart + table.spacing.inline
    var isFirst = true
    for (isGapless, width) in zip(isGapless, widths) {
      if !isGapless, !isFirst { offset += table.spacing.inline }
      if !isGapless { isFirst = false }
      offsets.append(offset)
      offset += width
    }
  }

  /// Removes collapsed columns. The heights of rows include their cells. Returns the removed width.
  /// https://drafts.csswg.org/css-tables-3/#visibility-collapse-track-rendering
  private mutating func collapseColumns() -> LayoutUnit {
    guard isColumnCollapsed.contains(true) else { return .zero }
    var lost = LayoutUnit.zero
    for column in widths.indices where column < isColumnCollapsed.count && isColumnCollapsed[column] {
      lost += widths[column] + (isGapless[column] || widths.count == 1 ? .zero : table.spacing.inline)
      widths[column] = .zero
      isGapless[column] = true
    }
    placeColumns()
    return lost
  }

  /// Whether all columns of a cell have collapsed.
  func isCollapsed(_ cell: TableGrid.Cell) -> Bool {
    let columns = cell.column..<min(widths.count, cell.column + cell.columnSpan)
    return columns.allSatisfy { $0 < isColumnCollapsed.count && isColumnCollapsed[$0] }
  }

  /// Determines the heights of rows. Returns the sizes of the grid, with nil for the block size of its rows.
  ///
  /// - Parameters:
  ///   - blockSize: The specified border-box block size of the grid. It grows for its contents.
  ///   - cutoff: The offset from which rows need not be laid out, see `LayoutCutoff`.
  ///   - leastInlineSize: The minimum width of the grid after columns collapse.
  mutating func size(
    inlineSize: LayoutUnit, blockSize: LayoutUnit?, cutoff: LayoutUnit?, leastInlineSize: @autoclosure () throws -> LayoutUnit
  ) throws -> (inline: LayoutUnit, block: LayoutUnit?) {
    // For measuring cells, the basis includes the spacing at both ends.
    measureBasis = (inlineSize - table.edges.inlineSum).clampedToZero
    finalBasis = (measureBasis - table.spacing.inline * 2).clampedToZero
    try sizeRows(cutoff: table.hasIndependentRows(blockSize: blockSize) ? cutoff : nil)
    limitPercentages()
    try spanRows()
    sizeSections()
    var blockSize = blockSize
    if let size = blockSize { distribute(size) }
    // Collapsed rows reduce the size of the table.
    for row in heights.indices where isCollapsed[row] {
      blockSize = blockSize.map { ($0 - heights[row] - (heights.count > 1 ? table.spacing.block : .zero)).clampedToZero }
      heights[row] = .zero
    }
    let lost = collapseColumns()
    let left = try lost > .zero ? max(inlineSize - lost, min(inlineSize, leastInlineSize())) : inlineSize
    return (left, blockSize)
  }

  // MARK: Heights

  /// Measures the cells and sizes the rows. Rows below the cutoff are removed, unless a cell spans into them from above.
  private mutating func sizeRows(cutoff: LayoutUnit?) throws {
    measures.reserveCapacity(table.grid.cells.count)
    let kept = (table.grid.rows.lastIndex { !engine.mayLeaveOut(from: $0.box) } ?? 0) + 1
    var offset = table.edges.blockStart, spanned = 0
    for row in table.grid.rows.indices {
      if let cutoff, offset >= cutoff, row >= max(spanned, kept) {
        table.grid = table.grid.prefix(rows: row)
        return
      }
      for index in cells(ofRow: row) {
        let cell = table.grid.cells[index]
        measures.append(try measure(cell))
        spanned = max(spanned, cell.row + cell.rowSpan)
      }
      sizeRow(row)
      if !isCollapsed[row] { offset += heights[row] + table.spacing.block }
    }
  }

  func width(_ cell: TableGrid.Cell) -> LayoutUnit {
    let last = min(widths.count, cell.column + cell.columnSpan) - 1
    return offsets[last] + widths[last] - offsets[cell.column]
  }

  private func measure(_ cell: TableGrid.Cell) throws -> Measure {
    try engine.check()
    let result = try engine.layout(cell.box, table.cellInput(cell, inline: width(cell), basis: measureBasis))
    let style = engine.style(cell.box)
    let block = table.direction.logical(result.size).block
    let content = table.isOrthogonal(cell.box) ? block : result.intrinsicBlock
    let hasHeight = Self.length(Sizing.LogicalSizes(style).block) != nil
    let isBaseline = CellAlignment(style) == .baseline
    return Measure(
      block: hasHeight ? max(block, content) : content, content: content, baseline: baseline(cell, result, basis: measureBasis),
      endEdge: table.blockEndBorderPadding(of: cell, basis: measureBasis), isBaselineAligned: isBaseline,
      isText: !engine.hasColumns && !table.isOrthogonal(cell.box) && engine.isTextCell(cell.box))
  }

  /// The baseline of the first line; in Chromium otherwise the end of the contents. https://drafts.csswg.org/css-tables-3/#row-layout
  func baseline(_ cell: TableGrid.Cell, _ result: LayoutResult, basis: LayoutUnit) -> LayoutUnit? {
    guard !table.isOrthogonal(cell.box) else { return nil }
    if let baseline = result.firstBaseline { return baseline }
    guard engine.tree.children(of: cell.box).contains(where: { !engine.tree[$0].isOutOfFlow }) else { return nil }
    return result.intrinsicBlock - table.blockEndBorderPadding(of: cell, basis: basis)
  }

  func cells(ofRow row: Int) -> Range<Int> { table.grid.rows[row].cells }

  private mutating func sizeRow(_ row: Int) {
    var ascent: LayoutUnit?
    var descent: LayoutUnit?
    for index in cells(ofRow: row) where measures[index].isBaselineAligned {
      guard let baseline = measures[index].baseline else { continue }
      ascent = max(ascent ?? .min, baseline)
      if table.grid.cells[index].rowSpan == 1 { descent = max(descent ?? .min, measures[index].content - baseline) }
    }
    baselines[row] = ascent
    var height = ascent.map { ($0 + (descent ?? .zero)).clampedToZero } ?? .zero
    for index in cells(ofRow: row) where table.grid.cells[index].rowSpan == 1 {
      height = max(height, measures[index].block)
      constrain(row, by: engine.style(table.grid.cells[index].box))
    }
    let style = engine.style(table.grid.rows[row].box)
    constrain(row, by: style)
    if let specified = Self.length(Sizing.LogicalSizes(style).block) { height = max(height, specified) }
    heights[row] = height
  }

  static func length(_ value: SizeValue) -> LayoutUnit? {
    if case .value(let length) = value { length.resolveIfDefinite(nil) } else { nil }
  }

  private mutating func constrain(_ row: Int, by style: ComputedStyle) {
    guard case .value(let length) = Sizing.LogicalSizes(style).block else { return }
    if case .percentage(let percent) = length {
      percents[row] = max(percents[row] ?? 0, Double(percent))
    } else if length.resolveIfDefinite(nil) != nil {
      isConstrained[row] = true
    }
  }

  /// Limits the percentages of a section's rows to 100 % in total.
  private mutating func limitPercentages() {
    for section in table.grid.sections {
      var left = 100.0
      for row in section.rows {
        guard let percent = percents[row] else { continue }
        percents[row] = min(percent, left)
        left -= min(percent, left)
      }
    }
  }

  /// Grows rows for cells that span them. https://drafts.csswg.org/css-tables-3/#row-layout
  private mutating func spanRows() throws {
    let spanning = table.grid.cells.indices.filter { table.grid.cells[$0].rowSpan > 1 }
    let starts = Set(spanning.map { table.grid.cells[$0].row })
    for index in spanning.sorted(by: { (table.grid.cells[$0].rowSpan, $0) < (table.grid.cells[$1].rowSpan, $1) }) {
      try engine.tick()
      let cell = table.grid.cells[index]
      let rows = cell.row..<min(heights.count, cell.row + cell.rowSpan)
      grow(rows, to: measures[index].block, spanStarts: starts)
    }
  }

  private mutating func sizeSections() {
    for section in table.grid.sections {
      var size = total(section.rows)
      if let specified = Self.length(Sizing.LogicalSizes(engine.style(section.box)).block), specified > size {
        grow(section.rows, to: specified, basis: specified)
        size = specified
      }
      sectionSizes.append(size)
    }
  }

  /// The size of rows, including the spacing between them.
  func total(_ rows: Range<Int>) -> LayoutUnit {
    rows.reduce(.zero) { $0 + heights[$1] } + table.spacing.block * max(0, rows.count - 1)
  }

  /// The same, excluding collapsed rows.
  func sum(_ rows: Range<Int>) -> LayoutUnit {
    let visible = rows.filter { !isCollapsed[$0] }
    return visible.reduce(.zero) { $0 + heights[$1] } + table.spacing.block * max(0, visible.count - 1)
  }

  // MARK: Fragments

  func fragments(inlineSize: LayoutUnit, blockSize: LayoutUnit?) throws -> Result {
    let (starts, rowsEnd) = sectionOffsets()
    let contentBlock = rowsEnd + (table.grid.sections.isEmpty ? .zero : table.spacing.block) + table.edges.blockEnd
    let gridBlock = max(blockSize ?? .zero, contentBlock)
    let size = LogicalSize(inline: inlineSize, block: gridBlock)
    let physicalSize = table.direction.physical(size)
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    var result = Result(fragment: .none, inlineSize: inlineSize, blockSize: gridBlock, outOfFlow: [])
    for (index, section) in table.grid.sections.enumerated() {
      let offset = starts[index]
      let sectionSize = LogicalSize(
        inline: (inlineSize - table.edges.inlineSum - table.spacing.inline * 2).clampedToZero, block: block(ofSection: index))
      let origin = LogicalOffset(inline: table.edges.inlineStart + table.spacing.inline, block: offset)
      let physical = table.direction.physical(sectionSize)
      let point = table.direction.physical(origin, outer: physicalSize, inner: physical) + relativeOffset(section.box, size)
      let (fragment, candidates) = try sectionFragment(section, sectionSize, origin: origin, size)
      links.append(FragmentLink(fragment: fragment, offset: point))
      for var candidate in candidates {
        candidate.staticPosition += point
        pending.append(candidate)
      }
      note(section, at: offset, in: &result)
    }
    links += columnFragments(physicalSize, rowsEnd: rowsEnd)
    for box in table.grid.outOfFlow {
      pending.append(
        OutOfFlowCandidate(
          box: box,
          staticPosition: table.direction.physical(
            LogicalOffset(inline: table.edges.inlineStart, block: table.edges.blockStart), outer: physicalSize, inner: .zero)))
    }
    var fragment = Fragment(kind: .box, box: table.gridBox, style: table.style, size: physicalSize)
    let border = table.direction.physical(table.edges)
    fragment.border = table.collapsed == nil ? Sizing.border(table.style) : border
    fragment.padding = table.collapsed == nil ? table.direction.physical(table.edges) - fragment.border : .zero
    fragment.baseline = result.firstBaseline
    if let collapsed = table.collapsed { fragment.collapsedBorders = engine.record(segments(collapsed, size: physicalSize)) }
    result.fragment = engine.append(fragment, children: links)
    result.outOfFlow = pending
    return result
  }

  func block(ofSection index: Int) -> LayoutUnit {
    let rows = table.grid.sections[index].rows
    return rows.isEmpty ? sectionSizes[index] : sum(rows)
  }

  /// The starts of the sections, and the end of the last one. There is no spacing around sections without rows.
  func sectionOffsets() -> (starts: [LayoutUnit], end: LayoutUnit) {
    var starts: [LayoutUnit] = []
    var end = table.edges.blockStart
    for (index, section) in table.grid.sections.enumerated() {
      starts.append(!section.rows.isEmpty ? end + table.spacing.block : end)
      end = starts[index] + block(ofSection: index)
    }
    return (starts, end)
  }

  func note(_ section: TableGrid.Section, at offset: LayoutUnit, in result: inout Result) {
    var row = offset
    for index in section.rows where !isCollapsed[index] {
      let baseline = row + (baselines[index] ?? fallbackBaseline(index))
      if result.firstBaseline == nil { result.firstBaseline = baseline }
      result.lastBaseline = baseline
      row += heights[index] + table.spacing.block
    }
  }

  /// The baseline of a row without lines is the lowest end of its cells' contents; that of a row without cells is its top.
  ///
  /// https://drafts.csswg.org/css-tables-3/#row-layout
  private func fallbackBaseline(_ row: Int) -> LayoutUnit {
    let edges = cells(ofRow: row).map { measures[$0].endEdge }
    return edges.min().map { (heights[row] - $0).clampedToZero } ?? .zero
  }

  private func sectionFragment(
    _ section: TableGrid.Section, _ size: LogicalSize, origin: LogicalOffset, _ tableSize: LogicalSize
  ) throws -> (FragmentID, [OutOfFlowCandidate]) {
    let physicalSize = table.direction.physical(size)
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    // There is spacing before all visible rows except the first.
    var offset = LayoutUnit.zero, isFirst = true
    for row in section.rows {
      if !isCollapsed[row] {
        if !isFirst { offset += table.spacing.block }
        isFirst = false
      }
      let rowSize = LogicalSize(inline: size.inline, block: heights[row])
      let physical = table.direction.physical(rowSize)
      let point =
        table.direction.physical(LogicalOffset(block: offset), outer: physicalSize, inner: physical)
        + relativeOffset(table.grid.rows[row].box, tableSize)
      let (fragment, candidates) = try rowFragment(row, rowSize, inlineOrigin: origin.inline, tableSize)
      links.append(FragmentLink(fragment: fragment, offset: point))
      for var candidate in candidates {
        candidate.staticPosition += point
        pending.append(candidate)
      }
      if !isCollapsed[row] { offset += heights[row] }
    }
    var fragment = Fragment(kind: .box, box: section.box, style: engine.style(section.box), size: physicalSize)
    let left = try OutOfFlowLayout.finish(
      engine, section.box, rowInput(size), &fragment, border: .zero, links: &links, pending: pending)
    return (engine.append(fragment, children: links), left)
  }

  /// The relative position of a part of a table. Its containing block is the table, whose block size is a percentage basis if it is
  /// definite.
  func relativeOffset(_ box: BoxID, _ container: LogicalSize) -> LayoutPoint {
    let inline = container.inline - table.edges.inlineSum
    let block = isDefinite ? container.block - table.edges.blockSum : nil
    let (width, height) = table.direction.isHorizontal ? (inline, block) : (block, inline)
    return Sizing.relativeOffset(engine, box, width: width, height: height, direction: table.direction)
  }

  func rowInput(_ size: LogicalSize) -> LayoutInput { LayoutInput(availableInline: size.inline, availableBlock: size.block) }

  func rowFragment(
    _ row: Int, _ size: LogicalSize, inlineOrigin: LayoutUnit, _ tableSize: LogicalSize
  ) throws -> (FragmentID, [OutOfFlowCandidate]) {
    let physicalSize = table.direction.physical(size)
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    let baselines = try finalBaselines(row)
    let ascent = baselines.compactMap(\.self).max()
    for (index, own) in zip(cells(ofRow: row), baselines) {
      let cell = table.grid.cells[index]
      if isCollapsed(cell) {
        links.append(try collapsedCell(index, inlineOrigin: inlineOrigin, physicalSize))
        continue
      }
      let result = try layoutCell(index, shift: own.flatMap { own in ascent.map { $0 - own } })
      let point =
        table.direction.physical(LogicalOffset(inline: offsets[cell.column] - inlineOrigin), outer: physicalSize, inner: result.size)
        + relativeOffset(cell.box, tableSize)
      links.append(FragmentLink(fragment: result.fragment, offset: point))
      for var candidate in result.outOfFlow {
        candidate.staticPosition += point
        pending.append(candidate)
      }
    }
    let box = table.grid.rows[row].box
    var fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: physicalSize)
    let left = try OutOfFlowLayout.finish(engine, box, rowInput(size), &fragment, border: .zero, links: &links, pending: pending)
    fragment.isHiddenForPaint = isCollapsed[row]
    return (engine.append(fragment, children: links), left)
  }

  /// Nothing is painted of a cell in columns that have collapsed.
  func collapsedCell(_ index: Int, inlineOrigin: LayoutUnit, _ outer: LayoutSize) throws -> FragmentLink {
    let cell = table.grid.cells[index]
    let size = table.direction.physical(LogicalSize(inline: .zero, block: blockSize(of: cell)))
    let contents = try engine.layout(cell.box, finalInput(index)).fragment
    var fragment = Fragment(kind: .box, box: cell.box, style: engine.style(cell.box), size: size)
    fragment.isHiddenForPaint = true
    fragment.isOmittedFromPaint = true
    let offset = LogicalOffset(inline: offsets[cell.column] - inlineOrigin)
    return FragmentLink(
      fragment: engine.append(fragment, children: Array(engine.fragments.children(of: contents))),
      offset: table.direction.physical(offset, outer: outer, inner: size))
  }
}
