internal import OffprintCSS
internal import OffprintCoreTypes

// A row of columns. https://drafts.csswg.org/css-multicol-1/#column-row
extension ColumnLayout {
  /// The columns of a row of one height.
  private struct Row {
    var columns: [LayoutResult] = []
    /// Columns behind them that only positioned boxes take.
    var columnsBehind = 0
    /// Of the last of them.
    var last = BreakResult()
    var forcedBreaks = 0
    var shortage: LayoutUnit?
    /// Of the worst break in them.
    var appeal = BreakAppeal.perfect
    /// The same where there may be a better one in the next fragmentainer around the container.
    var leastAppeal: BreakAppeal?
    /// How much of the block axis the row takes.
    var size = LayoutUnit.zero
    /// How far what cannot be broken reaches over the end of the fragmentainer around the container.
    var overflow: LayoutUnit?

    /// Content is left for more columns.
    var isUnfinished: Bool { last.token != nil && last.spanner.isNone }
  }

  /// Room of the fragmentainer around the container, and how the row uses it.
  private struct Limits {
    var outer: LayoutUnit?
    /// Of the container, for the row; nil: by the content.
    var size: LayoutUnit?

    /// What has no room goes on in the next fragmentainer around the container.
    var goesOn: Bool { outer.map { outer in size.map { $0 > outer } ?? true } ?? false }
  }

  private static let maximumColumns = 10_000

  /// nil: the row is not in this fragment.
  mutating func layoutRow(
    from token: BreakToken?, at offset: LayoutUnit, minimum: LayoutUnit = .zero, _ margin: inout MarginStrut
  ) throws -> BreakResult? {
    var size = (rowEnd.map { $0 - startEdge } ?? remaining).map { ($0 - (offset - startEdge)).clampedToZero }
    let limits = limits(at: offset, size: size, minimum: minimum)
    // As long as columns around it have no size, they are balanced whatever `column-fill` is.
    var balances = style.align.columnFill != .auto || builder?.space?.isMeasuringColumns == true
    var shrinks = false
    if balances || size == nil && !isConstrained {
      size = try contentHeight(at: offset, limits.outer, token, balances: balances)
    } else if let outer = limits.outer, size.map({ $0 > outer }) ?? true {
      shrinks = size == nil
      size = outer
    }
    var height = size ?? .zero
    while true {
      try engine.check()
      let row = try fill(height, from: token, limits, balances: balances, shrinks: shrinks, at: offset)
      if let overflow = row.overflow, minimum == .zero, overflow > height {
        return try layoutRow(from: token, at: offset, minimum: overflow, &margin)
      }
      if !balances {
        guard !row.last.spanner.isNone else { return place(row, height, token, at: offset, &margin) }
        // Columns before a spanning element are balanced.
        balances = true
        height = try contentHeight(at: offset, limits.outer, token, balances: true)
        continue
      }
      guard let taller = stretched(row, height, limits, at: offset) else { return place(row, height, token, at: offset, &margin) }
      height = taller
    }
  }

  private func limits(at offset: LayoutUnit, size: LayoutUnit?, minimum: LayoutUnit) -> Limits {
    let left = isConstrained ? builder?.spaceLeftForChildren : nil
    return Limits(outer: left.map { max(minimum, ($0 - offset).clampedToZero) }, size: size)
  }

  /// There may be more room in the next fragmentainer around the container.
  private func mayFindMoreRoom(_ limits: Limits) -> Bool {
    guard limits.goesOn, let builder else { return false }
    return !builder.isResuming && (position > .zero || builder.offset > .zero)
  }

  // MARK: Columns

  /// https://drafts.csswg.org/css-multicol-1/#filling-columns
  private func fill(
    _ height: LayoutUnit, from token: BreakToken?, _ limits: Limits, balances: Bool, shrinks: Bool, at offset: LayoutUnit
  ) throws -> Row {
    var row = Row(), next = token
    row.size = height
    repeat {
      let column = try layoutColumn(next, height, isBalanced: balances, minimum: row.leastAppeal ?? .lastResort)
      let breaking = column.breaking ?? BreakResult()
      if shrinks, row.columns.isEmpty { row.size = min(height, breaking.blockSize) }
      row.columns.append(column)
      row.last = breaking
      row.shortage = [row.shortage, breaking.shortage].compactMap(\.self).min()
      guard breaking.spanner.isNone else { break }
      row.appeal = min(row.appeal, breaking.appeal)
      if breaking.token?.isForced == true { row.forcedBreaks += 1 }
      next = breaking.token
      if next != nil, row.columns.count >= count, limits.goesOn || style.align.wrapsColumns && rowSize != nil { break }
      if mayFindMoreRoom(limits) {
        row.leastAppeal = min(row.leastAppeal ?? .perfect, breaking.appeal)
        if noteOverflow(of: column, at: offset, &row), (row.overflow ?? .zero) > height { return row }
      }
    } while next != nil && row.columns.count < Self.maximumColumns
    if balances, var positioned = fragmentedOutOfFlow(row.columns) {
      _ = try positioned.layout()
      row.columnsBehind = positioned.added.count
      row.shortage = [row.shortage, positioned.shortage].compactMap(\.self).min()
    }
    return row
  }

  /// Whether a column reaches over the end of the fragmentainer around the container.
  private func noteOverflow(of column: LayoutResult, at offset: LayoutUnit, _ row: inout Row) -> Bool {
    guard let builder, let left = builder.spaceLeftForChildren else { return false }
    let end = blockEnd(of: column)
    guard offset + end > left else { return false }
    if builder.space?.isBalanced == true, builder.space?.isMeasuringColumns == false { builder.note(shortage: row.shortage) }
    row.overflow = end
    return true
  }

  /// How far the contents of a column reach. https://drafts.csswg.org/css-overflow-3/#scrollable
  private func blockEnd(of column: LayoutResult) -> LayoutUnit {
    let overflow = engine.fragments[column.fragment].overflow
    guard !direction.isHorizontal else { return overflow.maxY }
    return direction.isFlippedBlocks ? column.size.width - overflow.minX : overflow.maxX
  }

  /// - Parameter height: nil: the content is measured.
  func layoutColumn(_ token: BreakToken?, _ height: LayoutUnit?, isBalanced: Bool, minimum: BreakAppeal) throws -> LayoutResult {
    engine.countColumnLayout()
    var space = FragmentainerSpace()
    space.blockSize = height.map(FragmentainerSpace.capacity)
    space.isBalanced = isBalanced
    space.leastAppeal = minimum
    var inner = input
    inner.fixedInline = columnSize
    inner.percentageMargin = columnSize
    return try engine.fragmenting(FragmentationInput(space: space, token: token, spanner: spanner), inner) {
      try BlockLayout.layoutFragmentainer(engine, box, $0, percentageBlock: definite)
    }
  }

  // MARK: Balancing

  /// The next height to try; nil: this one is the best. https://drafts.csswg.org/css-multicol-1/#column-balancing
  private func stretched(_ row: Row, _ height: LayoutUnit, _ limits: Limits, at offset: LayoutUnit) -> LayoutUnit? {
    if row.appeal == .perfect, row.columns.count + row.columnsBehind <= count, !row.isUnfinished { return nil }
    guard engine.mayStretchColumns else { return nil }
    var next = height + (row.shortage ?? .zero)
    if count <= row.forcedBreaks + 1 {
      // Forced breaks take all columns: no height is better than another.
      guard isConstrained else { return nil }
      next = .max
    }
    next = constrained(next, at: offset, limits.outer)
    if next > height { return next }
    if let builder, builder.space?.isBalanced == true, builder.space?.isMeasuringColumns == false { builder.note(shortage: row.shortage) }
    return nil
  }

  // MARK: The row in its place

  private mutating func place(
    _ row: Row, _ height: LayoutUnit, _ token: BreakToken?, at offset: LayoutUnit, _ margin: inout MarginStrut
  ) -> BreakResult? {
    if let builder, builder.space != nil, offset > .zero {
      var last = BreakChild(line: row.last.blockSize)
      last.result = row.last
      if !builder.fits(last, at: builder.fragmentainerOffset(offset), .perfect) {
        if token == nil {
          // Behind the start edge is no opportunity.
          builder.lowerAppeal(to: .lastResort)
          builder.breakBefore(box, forced: false)
          parts = []
        }
        return nil
      }
    }
    let isEmpty =
      height == .zero && row.columns.count == 1
      && (engine.fragments.children(of: row.columns[0].fragment).isEmpty || row.last.findings.contains(.isEmptySpannerParent))
    if !isEmpty {
      builder?.breakAfter = .auto
      position = offset + row.size
      if row.last.spanner.isNone { fillRow() }
      margin = MarginStrut()
      lastRow = offset
    }
    for (number, column) in row.columns.enumerated() {
      let start = LogicalOffset(inline: edges.inlineStart + stride * number, block: offset)
      placed.append(Placed(layout: column, offset: start))
      if height > .zero { columnBoxes.append(LogicalRect(offset: start, size: LogicalSize(inline: columnSize, block: height))) }
    }
    if let appeal = row.leastAppeal { builder?.lowerAppeal(to: appeal) }
    builder?.state.remove(.requiresContent)
    return row.last
  }
}
