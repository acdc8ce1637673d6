import CSS
import CoreTypes

/// The rows of a table: their heights, and the fragments. https://drafts.csswg.org/css-tables-3/#row-layout
struct TableRows {
  struct Result {
    var fragment: FragmentID
    var blockSize: LayoutUnit
    var firstBaseline: LayoutUnit?
    var lastBaseline: LayoutUnit?
    var outOfFlow: [OutOfFlowCandidate]
  }

  private struct Measure {
    /// What the cell needs: its contents and its own `height`.
    var block: LayoutUnit
    /// Its contents alone: what alignment moves.
    var intrinsic: LayoutUnit
    /// Of its first line; nil where it has none.
    var baseline: LayoutUnit?
    /// Border and padding under its contents: what is above the edge of a cell without lines.
    var endEdge: LayoutUnit
    var isBaselineAligned: Bool
  }

  let table: TableLayout
  let engine: LayoutEngine
  let widths: [LayoutUnit]
  private(set) var offsets: [LayoutUnit] = []
  private var measures: [Measure] = []
  private(set) var heights: [LayoutUnit]
  private var baselines: [LayoutUnit?]
  /// Rows with a height of their own do not grow while others can.
  private var isConstrained: [Bool]
  private var percents: [Double?]
  private var isCollapsed: [Bool]
  /// The table has a height of its own: percentages in its cells refer to theirs.
  private var isSpecified = false

  init(_ table: TableLayout, widths: [LayoutUnit]) {
    self.table = table
    engine = table.engine
    self.widths = widths
    let count = table.table.rows.count
    heights = Array(repeating: .zero, count: count)
    baselines = Array(repeating: nil, count: count)
    isConstrained = Array(repeating: false, count: count)
    percents = Array(repeating: nil, count: count)
    isCollapsed = table.table.rows.map {
      let section = table.table.sections[$0.section].box
      return table.engine.style($0.box).text.visibility == .collapse || table.engine.style(section).text.visibility == .collapse
    }
    var offset = table.edges.inlineStart + table.spacing.inline
    for width in widths {
      offsets.append(offset)
      offset += width + table.spacing.inline
    }
  }

  /// - Parameters:
  ///   - blockSize: the grid's border-box block size where it has one; it grows for its contents.
  ///   - isSpecified: the table's own `height` gives it.
  mutating func layout(inlineSize: LayoutUnit, blockSize: LayoutUnit?, isSpecified: Bool) throws -> Result {
    self.isSpecified = isSpecified
    for cell in table.table.cells { measures.append(try measure(cell)) }
    for row in table.table.rows.indices { sizeRow(row) }
    try spanRows()
    sizeSections()
    for row in heights.indices where isCollapsed[row] { heights[row] = .zero }
    if let blockSize { distribute(blockSize) }
    return try fragments(inlineSize: inlineSize, blockSize: blockSize)
  }

  // MARK: Heights

  private func width(_ cell: TableGrid.Cell) -> LayoutUnit {
    let span = cell.column..<min(widths.count, cell.column + cell.columnSpan)
    return widths[span].reduce(.zero, +) + table.spacing.inline * (span.count - 1)
  }

  private func measure(_ cell: TableGrid.Cell) throws -> Measure {
    try engine.check()
    let result = try engine.layout(cell.box, table.cellInput(cell, inline: width(cell)))
    let style = engine.style(cell.box)
    let block = table.direction.logical(result.size).block
    let isBaseline = CellAlignment(style) == .baseline
    let isParallel = !table.isOrthogonal(cell.box)
    return Measure(
      block: block, intrinsic: isParallel ? result.intrinsicBlock : block, baseline: isParallel ? result.firstBaseline : nil,
      endEdge: table.endEdge(cell), isBaselineAligned: isBaseline)
  }

  private func cells(ofRow row: Int) -> Range<Int> { table.table.rows[row].cells }

  private mutating func sizeRow(_ row: Int) {
    var ascent: LayoutUnit?
    var descent: LayoutUnit?
    for index in cells(ofRow: row) where measures[index].isBaselineAligned {
      guard let baseline = measures[index].baseline else { continue }
      ascent = max(ascent ?? .min, baseline)
      if table.table.cells[index].rowSpan == 1 { descent = max(descent ?? .min, measures[index].block - baseline) }
    }
    baselines[row] = ascent
    var height = ascent.map { ($0 + (descent ?? .zero)).clampedToZero } ?? .zero
    for index in cells(ofRow: row) where table.table.cells[index].rowSpan == 1 {
      height = max(height, measures[index].block)
      constrain(row, by: engine.style(table.table.cells[index].box))
    }
    let style = engine.style(table.table.rows[row].box)
    constrain(row, by: style)
    if let specified = Self.length(Sizing.LogicalSizes(style).block) { height = max(height, specified) }
    heights[row] = height
  }

  private static func length(_ value: SizeValue) -> LayoutUnit? {
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

  /// Cells that span rows make these higher where they must. https://drafts.csswg.org/css-tables-3/#row-layout
  private mutating func spanRows() throws {
    let spanning = table.table.cells.indices.filter { table.table.cells[$0].rowSpan > 1 }
    for index in spanning.sorted(by: { (table.table.cells[$0].rowSpan, $0) < (table.table.cells[$1].rowSpan, $1) }) {
      try engine.tick()
      let cell = table.table.cells[index]
      let rows = cell.row..<min(heights.count, cell.row + cell.rowSpan)
      var needed = measures[index].block
      if measures[index].isBaselineAligned, let row = baselines[cell.row], let own = measures[index].baseline { needed += row - own }
      let missing = needed - rows.reduce(.zero) { $0 + heights[$1] } - table.spacing.block * (rows.count - 1)
      if missing > .zero { grow(rows, by: missing, emptyToLast: true) }
    }
  }

  /// Adds to rows: to those without a height of their own in proportion to their height, else to the others likewise, else evenly.
  private mutating func grow(_ rows: Range<Int>, by amount: LayoutUnit, emptyToLast: Bool = false) {
    func weights(_ test: (Int) -> Bool) -> [Double]? {
      let values = rows.map { test($0) ? heights[$0].double : 0 }
      return values.contains { $0 > 0 } ? values : nil
    }
    let even = rows.map { emptyToLast && $0 != rows.upperBound - 1 ? 0 : isCollapsed[$0] ? 0 : 1.0 }
    let chosen = weights { !isConstrained[$0] && percents[$0] == nil } ?? weights { _ in true } ?? even
    let grown = ColumnSizing.share(amount, by: chosen, onto: Array(heights[rows]))
    heights.replaceSubrange(rows, with: grown)
  }

  private mutating func sizeSections() {
    for section in table.table.sections where !section.rows.isEmpty {
      guard case .value(let length) = Sizing.LogicalSizes(engine.style(section.box)).block, let specified = length.resolveIfDefinite(nil)
      else { continue }
      let missing = specified - sum(section.rows)
      if missing > .zero { grow(section.rows, by: missing) }
    }
  }

  /// With the spacing between them.
  private func sum(_ rows: Range<Int>) -> LayoutUnit {
    let visible = rows.filter { !isCollapsed[$0] }
    return visible.reduce(.zero) { $0 + heights[$1] } + table.spacing.block * max(0, visible.count - 1)
  }

  private var undistributable: LayoutUnit {
    let visible = heights.indices.filter { !isCollapsed[$0] }.count
    return table.edges.blockSum + (heights.isEmpty ? .zero : table.spacing.block * (visible + 1))
  }

  /// A table higher than its rows gives the rest to them: percentages first, then the bodies' rows.
  ///
  /// https://drafts.csswg.org/css-tables-3/#height-distribution-algorithm
  private mutating func distribute(_ blockSize: LayoutUnit) {
    let available = blockSize - undistributable
    for row in heights.indices where !isCollapsed[row] {
      if let percent = percents[row] {
        let free = available - heights.reduce(.zero, +)
        guard free > .zero else { break }
        let share = LayoutUnit(available.double * min(percent, 100) / 100)
        if share > heights[row] { heights[row] += min(free, share - heights[row]) }
      }
    }
    let missing = available - heights.reduce(.zero, +)
    guard missing > .zero, !heights.isEmpty else { return }
    let bodies = table.table.sections.filter { $0.isBody && !$0.rows.isEmpty }
    if let first = bodies.first, let last = bodies.last {
      grow(first.rows.lowerBound..<last.rows.upperBound, by: missing)
    } else {
      grow(0..<heights.count, by: missing)
    }
  }

  // MARK: Fragments

  private func fragments(inlineSize: LayoutUnit, blockSize: LayoutUnit?) throws -> Result {
    let rowsEnd = heights.indices.reduce(table.edges.blockStart) { isCollapsed[$1] ? $0 : $0 + table.spacing.block + heights[$1] }
    let hasRows = heights.indices.contains { !isCollapsed[$0] }
    let contentBlock = rowsEnd + (hasRows ? table.spacing.block : .zero) + table.edges.blockEnd
    let gridBlock = max(blockSize ?? .zero, contentBlock)
    let size = LogicalSize(inline: inlineSize, block: gridBlock)
    let physicalSize = table.direction.physical(size)
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    var result = Result(fragment: .none, blockSize: gridBlock, outOfFlow: [])
    var offset = table.edges.blockStart + (hasRows ? table.spacing.block : .zero)
    for section in table.table.sections {
      let sectionSize = LogicalSize(
        inline: (inlineSize - table.edges.inlineSum - table.spacing.inline * 2).clampedToZero, block: sum(section.rows))
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
      if section.rows.contains(where: { !isCollapsed[$0] }) { offset += sectionSize.block + table.spacing.block }
    }
    links += columnFragments(physicalSize, rowsEnd: offset - (hasRows ? table.spacing.block : .zero))
    for box in table.table.outOfFlow {
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
    if let collapsed = table.collapsed { fragment.collapsedBorders = addSegments(collapsed, size: physicalSize) }
    result.fragment = engine.append(fragment, children: links)
    result.outOfFlow = pending
    return result
  }

  private func note(_ section: TableGrid.Section, at offset: LayoutUnit, in result: inout Result) {
    var row = offset
    for index in section.rows where !isCollapsed[index] {
      let baseline = row + (baselines[index] ?? fallbackBaseline(index))
      if result.firstBaseline == nil { result.firstBaseline = baseline }
      result.lastBaseline = baseline
      row += heights[index] + table.spacing.block
    }
  }

  /// Without lines a row's baseline is the bottom of its cells' contents; that of a row without cells is its top.
  ///
  /// https://drafts.csswg.org/css-tables-3/#row-layout
  private func fallbackBaseline(_ row: Int) -> LayoutUnit {
    let edges = cells(ofRow: row).map { measures[$0].endEdge }
    return edges.max().map { (heights[row] - $0).clampedToZero } ?? .zero
  }

  private func sectionFragment(
    _ section: TableGrid.Section, _ size: LogicalSize, origin: LogicalOffset, _ tableSize: LogicalSize
  ) throws -> (FragmentID, [OutOfFlowCandidate]) {
    let physicalSize = table.direction.physical(size)
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    var offset = LayoutUnit.zero
    for row in section.rows {
      let rowSize = LogicalSize(inline: size.inline, block: heights[row])
      let physical = table.direction.physical(rowSize)
      let point =
        table.direction.physical(LogicalOffset(block: offset), outer: physicalSize, inner: physical)
        + relativeOffset(table.table.rows[row].box, tableSize)
      let (fragment, candidates) = try rowFragment(row, rowSize, inlineOrigin: origin.inline, tableSize)
      links.append(FragmentLink(fragment: fragment, offset: point))
      for var candidate in candidates {
        candidate.staticPosition += point
        pending.append(candidate)
      }
      if !isCollapsed[row] { offset += heights[row] + table.spacing.block }
    }
    var fragment = Fragment(kind: .box, box: section.box, style: engine.style(section.box), size: physicalSize)
    let left = try OutOfFlowLayout.finish(
      engine, section.box, rowInput(size), &fragment, border: .zero, links: &links, pending: pending)
    return (engine.append(fragment, children: links), left)
  }

  /// The containing block of a table's parts is the table, whose block size is a basis for percentages where it is specified.
  private func relativeOffset(_ box: BoxID, _ container: LogicalSize) -> LayoutPoint {
    let inline = container.inline - table.edges.inlineSum
    let block = isSpecified ? container.block - table.edges.blockSum : nil
    let (width, height) = table.direction.isHorizontal ? (inline, block) : (block, inline)
    return Sizing.relativeOffset(engine, box, width: width, height: height, direction: table.direction)
  }

  private func rowInput(_ size: LogicalSize) -> LayoutInput { LayoutInput(availableInline: size.inline, availableBlock: size.block) }

  private func rowFragment(
    _ row: Int, _ size: LogicalSize, inlineOrigin: LayoutUnit, _ tableSize: LogicalSize
  ) throws -> (FragmentID, [OutOfFlowCandidate]) {
    let physicalSize = table.direction.physical(size)
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    for index in cells(ofRow: row) {
      let cell = table.table.cells[index]
      let result = try layoutCell(index)
      let point =
        table.direction.physical(LogicalOffset(inline: offsets[cell.column] - inlineOrigin), outer: physicalSize, inner: result.size)
        + relativeOffset(cell.box, tableSize)
      links.append(FragmentLink(fragment: result.fragment, offset: point))
      for var candidate in result.outOfFlow {
        candidate.staticPosition += point
        pending.append(candidate)
      }
    }
    let box = table.table.rows[row].box
    var fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: physicalSize)
    let left = try OutOfFlowLayout.finish(engine, box, rowInput(size), &fragment, border: .zero, links: &links, pending: pending)
    fragment.isHiddenForPaint = isCollapsed[row]
    return (engine.append(fragment, children: links), left)
  }

  /// The cell at its final size, its contents moved by `vertical-align`.
  private func layoutCell(_ index: Int) throws -> LayoutResult {
    let cell = table.table.cells[index]
    let rows = cell.row..<min(heights.count, cell.row + cell.rowSpan)
    let block = sum(rows)
    let measure = measures[index]
    var input = table.cellInput(cell, inline: width(cell))
    if table.isOrthogonal(cell.box) {
      input.fixedInline = block
      input.availableInline = block
    } else {
      input.fixedBlock = block
      input.availableBlock = block
    }
    // Like in browsers, the heights of rows and groups are no basis for percentages, nor what stretches the table.
    input.fixedBlockIsDefinite = isSpecified || Self.length(Sizing.LogicalSizes(engine.style(cell.box)).block) != nil
    let alignment: TableCellContext.CellAlignment =
      switch CellAlignment(engine.style(cell.box)) {
      case .start: .offset(.zero)
      case .center: .center
      case .end: .end
      case .baseline:
        if let row = baselines[cell.row], let own = measure.baseline { .offset((row - own).clampedToZero) } else { .offset(.zero) }
      }
    input.context = .tableCell(TableCellContext(border: input.tableCell?.border, alignment: alignment))
    return try engine.layout(cell.box, input)
  }
}

/// Where a cell's contents go: `align-content`, or `vertical-align` where that is `normal`.
///
/// https://drafts.csswg.org/css-align-3/#distribution-block
private enum CellAlignment {
  case start, center, end, baseline

  init(_ style: ComputedStyle) {
    switch style.align.alignContent.keyword {
    case .auto, .normal:
      switch style.box.verticalAlign {
      case .top: self = .start
      case .middle: self = .center
      case .bottom: self = .end
      default: self = .baseline
      }
    case .baseline: self = .baseline
    case .center, .spaceAround, .spaceEvenly: self = .center
    case .end, .flexEnd: self = .end
    default: self = .start
    }
  }
}

extension LayoutEdges {
  static func - (a: LayoutEdges, b: LayoutEdges) -> LayoutEdges {
    LayoutEdges(top: a.top - b.top, right: a.right - b.right, bottom: a.bottom - b.bottom, left: a.left - b.left)
  }
}
