internal import CSS
internal import CoreTypes

/// The rows of column boxes of a multi-column container, and the spanning elements between them.
/// https://drafts.csswg.org/css-multicol-1/#spanning-columns
struct ColumnRows {
  let engine: LayoutEngine
  let direction: WritingDirection
  let count: Int
  let columnSize: LayoutUnit
  let stride: LayoutUnit
  let contentInline: LayoutUnit
  /// The container's content block size where it has one or a maximum.
  let maximum: LayoutUnit?
  /// `column-fill: auto`: columns are filled one after the other.
  let fills: Bool
  /// How much of the block axis is taken.
  private(set) var used = LayoutUnit.zero
  private(set) var firstBaseline: LayoutUnit?
  private(set) var endsWithScrollContainer = false

  /// Offsets are from the container's content box.
  private struct Placed {
    var fragment: FragmentID
    var offset: LogicalOffset
    var shift: LayoutPoint
  }
  private var placed: [Placed] = []
  private var columns: [LogicalRect] = []
  /// No spanning element stands behind the last columns.
  private var endsWithRow = false
  /// Which part of the flow went where, for the static positions in it.
  private var moves: [(from: LayoutUnit, by: LogicalOffset)] = []
  private var outOfFlow: [OutOfFlowCandidate] = []
  private var flowSize = LayoutSize.zero

  init(
    engine: LayoutEngine, direction: WritingDirection, count: Int, columnSize: LayoutUnit, stride: LayoutUnit, contentInline: LayoutUnit,
    maximum: LayoutUnit?, fills: Bool
  ) {
    self.engine = engine; self.direction = direction; self.count = count; self.columnSize = columnSize; self.stride = stride
    self.contentInline = contentInline; self.maximum = maximum; self.fills = fills
  }

  mutating func place(_ flow: LayoutResult) throws {
    let breaker = FlowBreaker(engine, direction)
    let content = breaker.content(of: flow.fragment)
    let total = direction.logical(flow.size).block
    flowSize = flow.size
    outOfFlow = flow.outOfFlow
    endsWithScrollContainer = flow.inlineBlockBaseline != flow.lastBaseline
    // Where in the flow the next row begins, and the margin of the spanning element before it.
    var start = LayoutUnit.zero, margin = LayoutUnit.zero
    var next = 0
    for spanner in content.spanners {
      let own = Sizing.logicalMargin(engine.style(spanner.box), percentageBasis: contentInline, in: direction)
      let past = content.atoms[next...].firstIndex { $0.start >= spanner.start } ?? content.atoms.count
      if past > next {
        used += margin
        let row = Row(
          atoms: Array(content.atoms[next..<past]), start: start + margin, end: spanner.start - own.blockStart, isFirst: next == 0)
        try place(row, flow, breaker)
        used += own.blockStart
      } else {
        used += spanner.start - start
      }
      place(spanner, own)
      (start, margin, next) = (spanner.end, own.blockEnd, past)
    }
    if next < content.atoms.count || content.spanners.isEmpty {
      used += margin
      try place(
        Row(atoms: Array(content.atoms[next...]), start: start + margin, end: total, isFirst: next == 0, isLast: true), flow, breaker)
    } else {
      used += total - start
    }
    if firstBaseline == nil { firstBaseline = flow.firstBaseline }
  }

  private mutating func place(_ spanner: FlowBreaker.Spanner, _ margin: LogicalEdges) {
    let size = direction.logical(engine.fragments[spanner.fragment].size)
    let sides = direction.logicalSides(engine.style(spanner.box).box.margin)
    let free = contentInline - margin.inlineSum - size.inline
    var inline = margin.inlineStart
    if sides.inlineStart.isAuto, free > .zero { inline += sides.inlineEnd.isAuto ? free / 2 : free }
    placed.append(Placed(fragment: spanner.fragment, offset: LogicalOffset(inline: inline, block: used), shift: spanner.shift))
    moves.append((spanner.start, LogicalOffset(inline: inline - spanner.inline, block: used - spanner.start)))
    used += size.block
  }

  /// The contents of one row of columns, and the part of the flow they are.
  private struct Row {
    var atoms: [FlowBreaker.Atom]
    var start: LayoutUnit
    var end: LayoutUnit
    var isFirst = false
    var isLast = false
  }

  /// https://drafts.csswg.org/css-multicol-1/#filling-columns
  private func height(of row: Row, _ breaker: FlowBreaker) throws -> LayoutUnit {
    let room = maximum.map { ($0 - used).clampedToZero }
    // Without a size to fill, one column has it all.
    if fills, row.isLast { return max(room ?? row.atoms.reduce(row.end) { max($0, $1.end) } - row.start, .epsilon) }
    let height = try breaker.balanced(row.atoms, from: row.start, total: row.end - row.start, count: count)
    return max(min(height, room ?? .max), .epsilon)
  }

  private mutating func place(_ row: Row, _ flow: LayoutResult, _ breaker: FlowBreaker) throws {
    let height = try height(of: row, breaker)
    var breaks = try breaker.breaks(row.atoms, from: row.start, height: height)
    if breaks.isEmpty { breaks = [row.start] }
    for (index, top) in breaks.enumerated() {
      try engine.check()
      let bottom = index + 1 < breaks.count ? breaks[index + 1] : row.isLast ? LayoutUnit.max : row.end
      let by = LogicalOffset(inline: stride * index, block: used - (index == 0 ? max(top, row.start) : top))
      let window = FlowBreaker.Window(start: index == 0 && row.isFirst ? .min : top, end: bottom, columnEnd: top + height)
      for piece in breaker.pieces(of: flow.fragment, window) {
        placed.append(Placed(fragment: piece.fragment, offset: piece.offset + by, shift: piece.shift))
      }
      moves.append((top, by))
      columns.append(
        LogicalRect(offset: LogicalOffset(inline: by.inline, block: used), size: LogicalSize(inline: columnSize, block: height)))
    }
    endsWithRow = row.isLast
    if firstBaseline == nil { firstBaseline = flow.firstBaseline.map { $0 - row.start + used } }
    let isOneColumn = breaks.count == 1 && !(fills && row.isLast && maximum != nil)
    let reached = row.atoms.reduce(row.end) { max($0, $1.end) }
    used += isOneColumn ? min(height, (reached - row.start).clampedToZero) : height
  }

  // MARK: What comes of it

  func fragments(in size: LayoutSize, from start: LogicalOffset) -> (links: [FragmentLink], pending: [OutOfFlowCandidate]) {
    let links = placed.map { piece in
      let inner = engine.fragments[piece.fragment].size
      return FragmentLink(
        fragment: piece.fragment, offset: direction.physical(start + piece.offset, outer: size, inner: inner) + piece.shift)
    }
    let pending = outOfFlow.map { candidate in
      var candidate = candidate
      let offset = direction.logical(candidate.staticPosition, outer: flowSize, inner: .zero)
      let move = moves.last { $0.from <= offset.block } ?? moves.first
      candidate.staticPosition = direction.physical(start + offset + (move?.by ?? LogicalOffset()), outer: size, inner: .zero)
      return candidate
    }
    return (links, pending)
  }

  /// - Parameter contentBlock: The size of the content box, to whose end the rules of the last row reach.
  func columnRects(in size: LayoutSize, from start: LogicalOffset, contentBlock: LayoutUnit) -> [LayoutRect] {
    columns.map { column in
      var column = column
      if endsWithRow, column.offset.block == columns.last?.offset.block {
        column.size.block = max(column.size.block, contentBlock - column.offset.block)
      }
      let inner = direction.physical(column.size)
      return LayoutRect(origin: direction.physical(start + column.offset, outer: size, inner: inner), size: inner)
    }
  }
}
