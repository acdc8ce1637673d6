internal import OffprintCSS
internal import OffprintCoreTypes

// A row of columns. https://drafts.csswg.org/css-multicol-1/#column-row
extension ColumnLayout {
  /// A row of columns with the same height.
  private struct Row {
    var columns: [LayoutResult] = []
    /// The number of columns after them that contain only positioned boxes.
    var columnsBehind = 0
    /// The break result of the last column.
    var last = BreakResult()
    var forcedBreaks = 0
    var shortage: LayoutUnit?
    /// The appeal of the worst break in them.
    var appeal = BreakAppeal.perfect
    /// The same appeal, if a better break may be possible in the next outer fragmentainer.
    var leastAppeal: BreakAppeal?
    /// The block size of the row.
    var size = LayoutUnit.zero
    /// The overflow of unbreakable content past the end of the outer fragmentainer.
    var overflow: LayoutUnit?

    /// Whether content remains for more columns.
    var isUnfinished: Bool { last.token != nil && last.spanner.isNone }
  }

  /// The space in the outer fragmentainer, and how the row uses it.
  private struct Limits {
    var outer: LayoutUnit?
    /// The block size of the container for the row; nil if the content determines it.
    var size: LayoutUnit?

    /// Whether content that does not fit continues in the next outer fragmentainer.
    var goesOn: Bool { outer.map { outer in size.map { $0 > outer } ?? true } ?? false }
  }

  private static let maximumColumns = 10_000

  /// - Returns: Nil if the row is not in this fragment.
  mutating func layoutRow(
    from token: BreakToken?, at offset: LayoutUnit, minimum: LayoutUnit = .zero, _ margin: inout MarginStrut
  ) throws -> BreakResult? {
    var size = (rowEnd.map { $0 - startEdge } ?? remaining).map { ($0 - (offset - startEdge)).clampedToZero }
    let limits = limits(at: offset, size: size, minimum: minimum)
    // While the outer columns have no size, the columns are balanced regardless of `column-fill`.
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
        // Columns before a spanner are balanced.
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

  /// Whether there may be more space in the next outer fragmentainer.
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

  /// Records whether a column overflows the outer fragmentainer.
  private func noteOverflow(of column: LayoutResult, at offset: LayoutUnit, _ row: inout Row) -> Bool {
    guard let builder, let left = builder.spaceLeftForChildren else { return false }
    let end = blockEnd(of: column)
    guard offset + end > left else { return false }
    if builder.space?.isBalanced == true, builder.space?.isMeasuringColumns == false { builder.note(shortage: row.shortage) }
    row.overflow = end
    return true
  }

  /// The block-end edge of the contents of a column. https://drafts.csswg.org/css-overflow-3/#scrollable
  private func blockEnd(of column: LayoutResult) -> LayoutUnit {
    let overflow = engine.fragments[column.fragment].overflow
    guard !direction.isHorizontal else { return overflow.maxY }
    return direction.isFlippedBlocks ? column.size.width - overflow.minX : overflow.maxX
  }

  /// - Parameter height: Nil to measure the content.
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

  /// The next height to try; nil if this one is the best. https://drafts.csswg.org/css-multicol-1/#column-balancing
  private func stretched(_ row: Row, _ height: LayoutUnit, _ limits: Limits, at offset: LayoutUnit) -> LayoutUnit? {
    if row.appeal == .perfect, row.columns.count + row.columnsBehind <= count, !row.isUnfinished { return nil }
    guard engine.mayStretchColumns else { return nil }
    var next = height + (row.shortage ?? .zero)
    if count <= row.forcedBreaks + 1 {
      // Forced breaks use all columns, so that other heights are not better.
      guard isConstrained else { return nil }
      next = .max
    }
    next = constrained(next, at: offset, limits.outer)
    if next > height { return next }
    if let builder, builder.space?.isBalanced == true, builder.space?.isMeasuringColumns == false { builder.note(shortage: row.shortage) }
    return nil
  }

  // MARK: Placing rows

  private mutating func place(
    _ row: Row, _ height: LayoutUnit, _ token: BreakToken?, at offset: LayoutUnit, _ margin: inout MarginStrut
  ) -> BreakResult? {
    if let builder, builder.space != nil, offset > .zero {
      var last = BreakChild(line: row.last.blockSize)
      last.result = row.last
      if !builder.fits(last, at: builder.fragmentainerOffset(offset), .perfect) {
        if token == nil {
          // There is no break opportunity directly after the start edge.
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
