internal import OffprintCSS
internal import OffprintCoreTypes

/// Lays out the rows of one fragment of a flex or grid container. See `FragmentedRows`.
struct RowFragmentation {
  /// An item, or a fragment of one, in this fragment.
  struct Placed {
    let item: Int
    let layout: LayoutResult
    /// Relative to the fragment's border edges.
    let offset: LogicalOffset
  }

  /// The result of placing items once. It is final if no row moves or grows.
  private struct Attempt {
    var placed: [Placed] = []
    /// The row before which the fragment ends, by stack.
    var breaks: [Int: Int] = [:]
    /// The row that grows and the amount, by stack.
    var growing: [Int: (row: Int, size: LayoutUnit)] = [:]
    /// Stacks with content in this fragment.
    var begun: Set<Int> = []
    /// Stacks with a row that continues in the next fragment.
    var continuing: Set<Int> = []
    var hasForcedBreak = false
    /// Whether some items have no fragment yet.
    var isUnfinished = false
  }

  let engine: LayoutEngine
  let builder: FragmentBuilder
  let rows: FragmentedRows
  private(set) var progress: RowProgress
  private(set) var placed: [Placed] = []
  /// The last row that has grown in this fragment, by stack. Each row grows once, from the first to the last.
  private var grown: [Int: Int] = [:]
  /// The end of the fragmentainer relative to the fragment's border edge; nil before it is determined.
  private(set) var end: LayoutUnit?
  private let tokens: [BoxID: BreakToken]

  init(_ engine: LayoutEngine, _ builder: FragmentBuilder, _ progress: RowProgress) {
    self.engine = engine; self.builder = builder; self.progress = progress
    rows = progress.rows
    end = builder.spaceLeftForChildren
    let children = builder.isResuming ? builder.previous?.children ?? [] : []
    tokens = Dictionary(children.map { ($0.box, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Maps a block offset in the unfragmented layout to this fragment.
  func fragmentOffset(_ block: LayoutUnit) -> LayoutUnit { builder.isResuming ? block - progress.start + builder.startEdge : block }

  /// - Returns: False if the container must be laid out again.
  mutating func run() throws -> Bool {
    var attempt = try attempt()
    while builder.status == .proceeds, grow(attempt) { attempt = try self.attempt() }
    if builder.status == .proceeds { breakRows(&attempt) }
    builder.childToken = nil
    guard builder.status == .proceeds else { return false }
    take(attempt)
    return true
  }

  // MARK: Attempts

  private mutating func attempt() throws -> Attempt {
    var attempt = Attempt()
    for stack in rows.stacks.indices {
      for number in progress.remaining(stack) {
        try engine.tick()
        // Rows after a growing row are placed again by the next attempt.
        guard attempt.breaks[stack] == nil, attempt.growing[stack] == nil,
          rows.container == .grid || !attempt.continuing.contains(stack)
        else {
          attempt.isUnfinished = true
          break
        }
        try place(row: number, &attempt)
        guard builder.status == .proceeds else { return attempt }
      }
    }
    return attempt
  }

  private mutating func place(row number: Int, _ attempt: inout Attempt) throws {
    let row = rows.rows[number]
    let rowStart = fragmentOffset(row.start + progress.delta(number))
    let isNew = progress.isNew(number)
    let isSeparated = rowStart > builder.startEdge || attempt.begun.contains(row.stack)
    if isNew, rows.container == .grid, let end, rowStart >= end, rowStart > .zero {
      attempt.isUnfinished = true
      return
    }
    if isNew, isSeparated, builder.space != nil, progress.between(number).isForced(builder.kind) {
      attempt.hasForcedBreak = true
      attempt.breaks[row.stack] = number
      return
    }
    for index in row.items {
      if builder.early?.isBefore(rows.items[index].box) == true {
        attempt.breaks[row.stack] = number
        return
      }
      try place(item: index, of: number, isRowNew: isNew, isSeparated: isSeparated, &attempt)
      guard builder.status == .proceeds else { return }
    }
  }

  private mutating func place(item index: Int, of number: Int, isRowNew: Bool, isSeparated: Bool, _ attempt: inout Attempt) throws {
    let item = rows.items[index], row = rows.rows[number], token = tokens[item.box]
    guard token != nil || !progress.hasBegun(index) else { return }
    var block = token == nil ? fragmentOffset(item.offset.block + progress.delta(number)) : builder.startEdge
    if !isRowNew { block = max(block, builder.startEdge) }
    if token == nil, rows.container == .grid || !isRowNew, let end, block >= end, block > .zero {
      attempt.isUnfinished = true
      return
    }
    builder.childToken = token
    let layout = try layout(item, in: number, at: block)
    let child = BreakChild(engine, item.box, layout, builder.direction)
    if token == nil, builder.space != nil {
      let offset = builder.fragmentainerOffset(block)
      let appeal = appeal(before: number, child, isSeparated: isSeparated)
      if !builder.keepsChild(child, at: offset, appeal) {
        builder.noteShortage(of: child, at: offset)
        guard !builder.prefersEarlierBreak(than: appeal) else { return }
        builder.lowerAppeal(to: appeal)
        attempt.isUnfinished = true
        if isRowNew { attempt.breaks[row.stack] = number }
        return
      }
    }
    note(growth: layout, of: item, at: block, row: number, &attempt)
    attempt.begun.insert(row.stack)
    if child.continuesInParentFlow { attempt.continuing.insert(row.stack) }
    attempt.placed.append(Placed(item: index, layout: layout, offset: LogicalOffset(inline: item.offset.inline, block: block)))
  }

  private func layout(_ item: FragmentedRows.Item, in row: Int, at block: LayoutUnit) throws -> LayoutResult {
    var input = item.input
    if item.growsRow, let fixed = input.fixedBlock { input.fixedBlock = fixed + progress.growth(row) }
    return try builder.layingOut(item.box, input, formattingContextAt: block, grows: item.growsRow) {
      try engine.layout(item.box, $0)
    }
  }

  private func appeal(before row: Int, _ child: BreakChild, isSeparated: Bool) -> BreakAppeal {
    var appeal = BreakAppeal.perfect
    if !isSeparated {
      guard builder.breaksAtResumedStart(child) else { return .lastResort }
      appeal = builder.space?.leastAppeal ?? .lastResort
    }
    return progress.between(row).isAvoided(builder.kind) ? min(appeal, .violatingAvoid) : appeal
  }

  // MARK: Rows that grow and move

  /// Records how much a row grows with an item that breaks have made larger. If the item continues in the next fragment, its final size is
  /// not known yet: the row then ends just past the fragmentainer, so that it continues, too.
  private func note(
    growth layout: LayoutResult, of item: FragmentedRows.Item, at block: LayoutUnit, row number: Int, _ attempt: inout Attempt
  ) {
    let row = rows.rows[number]
    guard item.growsRow, layout.breaking != nil, grown[row.stack].map({ $0 < number }) ?? true else { return }
    let areaEnd = fragmentOffset(item.areaEnd + progress.delta(number) + progress.growth(number))
    var size: LayoutUnit
    if layout.breaking?.token != nil {
      guard let end else { return }
      size = end - areaEnd + .epsilon
    } else {
      size = block + builder.direction.logical(layout.size).block - areaEnd
    }
    guard size > .zero else { return }
    if let known = attempt.growing[row.stack] {
      guard known.row == number else { return }
      size = max(size, known.size)
    }
    attempt.growing[row.stack] = (number, size)
  }

  private mutating func grow(_ attempt: Attempt) -> Bool {
    for (stack, growing) in attempt.growing.sorted(by: { $0.key < $1.key }) {
      grown[stack] = growing.row
      progress.grow(growing.row, by: growing.size)
    }
    return !attempt.growing.isEmpty
  }

  /// Moves rows with a break before them to the end of the fragmentainer, which is the start of the next one.
  private mutating func breakRows(_ attempt: inout Attempt) {
    for row in attempt.breaks.values.sorted() {
      attempt.isUnfinished = true
      attempt.placed.removeAll { rows.rows[row].items.contains($0.item) }
      let start = fragmentOffset(rows.rows[row].start + progress.delta(row))
      // While columns are measured, a forced break is the end of a column.
      let end = self.end ?? start
      self.end = end
      if end > start { progress.move(from: row, by: end - start) }
      progress.breakBefore(row)
    }
  }

  private mutating func take(_ attempt: Attempt) {
    placed = attempt.placed
    for part in placed {
      progress.begin(part.item)
      builder.takeBreaks(BreakChild(engine, rows.items[part.item].box, part.layout, builder.direction), at: part.offset.block)
    }
    builder.takeValues(before: rows.breakBefore, after: rows.breakAfter)
    if attempt.hasForcedBreak { builder.breakCause = .forced }
    if attempt.isUnfinished { builder.state.insert(.hasInFlowBreak) } else { builder.state.insert(.hasSeenAllChildren) }
  }

  /// The block-end edge of the items that end in the fragment.
  var contentEnd: LayoutUnit {
    placed.reduce(builder.startEdge) { end, part in
      part.layout.breaking?.token != nil ? end : max(end, part.offset.block + builder.direction.logical(part.layout.size).block)
    }
  }

  /// The next fragment begins where this one ends.
  mutating func advance(by size: LayoutUnit) {
    let used = size - builder.clonedEnd
    let extent = builder.breakPosition == .pastEnd ? end ?? used : max(end ?? used, used)
    progress.advance(
      by: builder.isResuming ? extent - builder.startEdge : extent,
      continuing: Set(placed.lazy.filter { $0.layout.breaking?.token != nil }.map(\.item)))
    builder.rows = progress
  }
}
