internal import OffprintCSS
internal import OffprintCoreTypes

// The cells of a row are parallel flows. https://drafts.csswg.org/css-break-3/#parallel-flows
extension TableFragmentation {
  /// - Parameter grown: The block size of the row including the growth by breaks in its cells, as far as known.
  func row(_ number: Int, _ input: LayoutInput, grown: LayoutUnit = .zero) throws -> LayoutResult {
    let row = table.layout.grid.rows[number]
    var needed = grown
    let result = try layout(row.box, input, edges: LogicalEdges(), { try self.row(number, $0, grown: needed) }) { builder in
      if fits(number, builder) { return try whole(number, builder) }
      let total = max(rows.isCollapsed[number] ? .zero : rows.heights[number], builder.consumedBefore, grown)
      let stack = try cells(ofRow: number, total: total, builder)
      needed = max(total, neededSize(builder, stack))
      // A row grows once for each fragment: cells that end in it have the same height as those that continue.
      if needed > total, grown == .zero, !rows.isCollapsed[number] { return nil }
      let block = finish(builder, total: rows.isCollapsed[number] ? .zero : needed, intrinsic: stack.end)
      guard builder.status == .proceeds else { return nil }
      let size = LogicalSize(inline: sectionInlineSize, block: block)
      let collapsed = try collapsedCells(ofRow: number, in: size, builder)
      return try self.result(row.box, builder, input, stack, size: size, extra: collapsed) { fragment, _ in
        fragment.isHiddenForPaint = rows.isCollapsed[number]
      }
    }
    return result
  }

  /// Whether the unfragmented row can be used: it fits, contains only text, and no early break is pending.
  private func fits(_ number: Int, _ builder: FragmentBuilder) -> Bool {
    guard !builder.isResuming, builder.early == nil, let left = builder.spaceLeft, rows.heights[number] <= left else { return false }
    return rows.cells(ofRow: number).allSatisfy { index in
      let cell = table.layout.grid.cells[index]
      return cell.rowSpan == 1 && !table.layout.isOrthogonal(cell.box) && table.isText(cell.box, engine)
    }
  }

  private func whole(_ number: Int, _ builder: FragmentBuilder) throws -> LayoutResult {
    let size = LogicalSize(inline: sectionInlineSize, block: rows.heights[number])
    let origin = table.layout.edges.inlineStart + table.layout.spacing.inline
    let (fragment, outOfFlow) = try rows.rowFragment(number, size, inlineOrigin: origin, table.unfragmentedGridSize)
    let cells = rows.cells(ofRow: number).map { engine.style(table.layout.grid.cells[$0].box).box }
    builder.takeValues(
      before: cells.reduce(.auto) { $0.joined($1.breakBefore) }, after: cells.reduce(.auto) { $0.joined($1.breakAfter) })
    var result = LayoutResult(fragment: fragment, size: direction.physical(size))
    result.outOfFlow = outOfFlow
    result.breaking = builder.result(size: size.block) { size.block }
    return result
  }

  /// The block size of the entire row that its cells require, as far as known from this fragment.
  private func neededSize(_ builder: FragmentBuilder, _ stack: Stack) -> LayoutUnit {
    guard builder.state.contains(.hasInFlowBreak), let left = builder.spaceLeftForChildren else {
      return builder.consumedBefore + stack.end
    }
    return builder.consumedBefore + max(left, stack.end)
  }

  private func cells(ofRow number: Int, total: LayoutUnit, _ builder: FragmentBuilder) throws -> Stack {
    let tokens = Dictionary(
      (builder.isResuming ? builder.previous?.children ?? [] : []).map { ($0.box, $0) }, uniquingKeysWith: { first, _ in first })
    let baselines = try rows.finalBaselines(number)
    let ascent = baselines.compactMap(\.self).max()
    let origin = table.layout.edges.inlineStart + table.layout.spacing.inline
    var stack = Stack(end: .zero), before = BreakBetween.auto, after = BreakBetween.auto
    defer { builder.childToken = nil }
    for (index, own) in zip(rows.cells(ofRow: number), baselines) {
      try engine.tick()
      let cell = table.layout.grid.cells[index], token = tokens[cell.box]
      guard !builder.isResuming || token != nil, !rows.isCollapsed(cell) else { continue }
      builder.childToken = token
      var input = rows.alignedInput(index, shift: own.flatMap { own in ascent.map { $0 - own } })
      if cell.rowSpan == 1, let fixed = input.fixedBlock { input.fixedBlock = max(fixed, total - lag(of: token, builder)) }
      let result = try builder.layingOut(cell.box, input, formattingContextAt: .zero, grows: cell.rowSpan == 1) {
        try engine.layout(cell.box, $0)
      }
      take(result, of: cell, builder)
      let style = engine.style(cell.box).box
      before = before.joined(style.breakBefore).joined(result.breaking?.breakBefore ?? .auto)
      after = after.joined(result.breaking?.breakAfter ?? .auto).joined(style.breakAfter)
      let shift = rows.relativeOffset(cell.box, table.unfragmentedGridSize)
      let child = Child(box: cell.box, inline: rows.offsets[cell.column] - origin, shift: shift) { try self.engine.layout(cell.box, $0) }
      stack.placed.append(Placed(child: child, result: result, offset: .zero))
      if cell.rowSpan == 1 { stack.end = max(stack.end, direction.logical(result.size).block) }
    }
    builder.takeValues(before: before, after: after)
    return stack
  }

  /// The block size by which a cell has consumed less of its row than another one, whose monolithic contents overflowed the previous
  /// fragmentainer.
  private func lag(of cell: BreakToken?, _ builder: FragmentBuilder) -> LayoutUnit {
    guard let cell, cell.isInside else { return .zero }
    return (builder.consumedBefore - cell.consumed).clampedToZero
  }

  /// Records the breaks inside a cell. A row breaks before itself instead of before a cell.
  private func take(_ result: LayoutResult, of cell: TableGrid.Cell, _ builder: FragmentBuilder) {
    var candidate = BreakChild(engine, cell.box, result, direction)
    // A cell that spans rows does not extend its first row.
    candidate.isInParallelFlow = cell.rowSpan > 1
    if candidate.result == nil, builder.space?.isMeasuringColumns == true { builder.note(unbreakable: candidate.blockSize) }
    builder.takeBreaks(candidate, at: .zero)
  }

  private func collapsedCells(ofRow number: Int, in size: LogicalSize, _ builder: FragmentBuilder) throws -> [FragmentLink] {
    guard !builder.isResuming else { return [] }
    let origin = table.layout.edges.inlineStart + table.layout.spacing.inline
    return try rows.cells(ofRow: number).compactMap { index in
      let cell = table.layout.grid.cells[index]
      return rows.isCollapsed(cell) ? try rows.collapsedCell(index, inlineOrigin: origin, direction.physical(size)) : nil
    }
  }
}
