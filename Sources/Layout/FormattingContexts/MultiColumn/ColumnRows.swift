internal import OffprintCSS
internal import OffprintCoreTypes

/// The rows of column boxes of a multi-column container, and the spanning elements between them.
/// https://drafts.csswg.org/css-multicol-1/#spanning-columns
///
/// Offsets are those of the flow that the container is in; where that is broken, a row ends with its fragmentainer.
struct ColumnRows {
  /// https://drafts.csswg.org/css-multicol-1/#column-row
  struct Row {
    var top: LayoutUnit
    var height: LayoutUnit
    /// Numbers of the columns.
    var columns: Range<Int>
    /// In which fragmentainer of the container's flow it stands.
    var fragmentainer: Int
    /// Nothing in it has a size: it is there for the places of boxes.
    var isEmpty = false
  }

  let engine: LayoutEngine
  let flow: MultiColumnFlow
  var inner: Fragmenter
  /// Where the content box begins.
  private(set) var contentStart = LayoutUnit.zero
  private var origin = Fragmenter.Place(offset: .zero, fragmentainer: 0, original: .zero)
  private var position = LayoutUnit.zero
  private var fragmentainer = 0
  private(set) var rows: [Row] = []
  /// Nodes of the outer flow, and where they were in this one's.
  private(set) var spanners: [(node: Int, start: LayoutUnit, inline: LayoutUnit)] = []
  private var segments: [Fragmentainers.Segment] = []
  private var endsWithRow = false
  /// The container's block-start border and padding.
  private var startEdge = LayoutUnit.zero
  /// Something of the container is before the row in its fragmentainer.
  private var isBehindEdge = false
  /// The largest block size in the columns that cannot be broken.
  private(set) var tallest = LayoutUnit.zero

  private static let maximumRows = 2000
  private static let maximumStretches = 100
  /// Like in browsers, a column has room for something however small it is.
  private static let leastSize = LayoutUnit(1)

  init(_ engine: LayoutEngine, _ flow: MultiColumnFlow) {
    self.engine = engine; self.flow = flow
    inner = Fragmenter(engine, flow.direction)
    inner.spannerInline = flow.contentInline
  }

  /// How much of the block axis is taken.
  var used: LayoutUnit { position - contentStart }
  var end: LayoutUnit { position }
  /// Where the first row or spanning element is, if that is not the container's start.
  private(set) var start: (offset: LayoutUnit, fragmentainer: Int)?
  /// The last fragmentainer of the outer flow with contents.
  var last: Int { fragmentainer }
  /// The last one with what sticks out.
  func reach(in outer: Fragmenter) -> Int { spanners.reduce(fragmentainer) { max($0, outer.nodes[$1.node].reach) } }
  var isUnbroken: Bool { fragmentainer == origin.fragmentainer }
  var endsWithScrollContainer: Bool { flow.content.map { $0.inlineBlockBaseline != $0.lastBaseline } ?? false }
  var firstBaseline: LayoutUnit? {
    flow.content?.firstBaseline.map { baseline in
      // Of the first row, unless a spanning element comes before.
      guard let row = rows.first(where: { !$0.isEmpty }), spanners.first.map({ $0.start > baseline }) ?? true else { return baseline }
      return baseline + row.top - contentStart
    }
  }

  // MARK: Layout

  mutating func layout(in outer: inout Fragmenter, _ start: Fragmenter.Place, startEdge: LayoutUnit = .zero) throws {
    self.startEdge = startEdge
    origin = start
    contentStart = start.offset
    position = start.offset
    fragmentainer = start.fragmentainer
    guard flow.content != nil else { return }
    var margin = MarginStrut()
    var number = 0
    while true {
      try engine.check()
      try run([], .max)
      guard inner.spanners.indices.contains(number) else {
        closeMargins(&margin)
        if number > 0, !hasContent, inner.findings.tallest <= .zero, (contents(from: firstColumn).first ?? .zero) <= .zero {
          placeEmptyRow()
        } else {
          try placeRows(isLast: true, &outer)
        }
        return
      }
      let spanner = inner.spanners[number]
      let own = Sizing.logicalMargin(
        engine.fragments[spanner.child.id].style, percentageBasis: flow.contentInline, in: flow.direction)
      // Those of spanning elements collapse with each other where there is no row between them.
      if spanner.hasContentBefore || spanner.hasBoxesBefore { closeMargins(&margin) }
      if spanner.hasContentBefore {
        try placeRows(isLast: false, &outer)
      } else {
        placeEmptyRow()
        segments.append(Fragmentainers.Segment(sizes: [.zero]))
      }
      margin.append(own.blockStart)
      closeMargins(&margin)
      try place(spanner, own, &outer)
      margin.append(own.blockEnd)
      number += 1
    }
  }

  private mutating func closeMargins(_ margin: inout MarginStrut) {
    position += margin.sum
    margin = MarginStrut()
  }

  /// Something stands behind the last spanning element.
  private var hasContent: Bool {
    guard let last = inner.spanners.last else { return true }
    return inner.nodes.contains { $0.children.isEmpty && $0.first > last.fragmentainer && $0.size > .zero }
  }

  /// Something stands in a column, more than the edges of boxes.
  private func hasContent(in column: Int) -> Bool {
    inner.nodes.contains { $0.children.isEmpty && $0.first <= column && $0.reach >= column && $0.size > .zero }
  }

  /// Fills the columns of the present segment, the first of them of `sizes`.
  private mutating func run(_ sizes: [LayoutUnit], _ rest: LayoutUnit) throws {
    let segment = Fragmentainers.Segment(sizes: sizes, rest: max(rest, Self.leastSize))
    try inner.run(
      flow.content?.fragment ?? .none, segments + [segment], watched: firstColumn + sizes.count, count: flow.count,
      hasEdgeBefore: isBehindEdge)
  }

  /// The number of the first column of the present segment.
  private var firstColumn: Int {
    segments.isEmpty ? 0 : (inner.spanners.indices.contains(segments.count - 1) ? inner.spanners[segments.count - 1].fragmentainer + 1 : 0)
  }

  /// Behind the last column of the present segment.
  private var endColumn: Int {
    let number = segments.count
    if inner.spanners.indices.contains(number) { return inner.spanners[number].fragmentainer + 1 }
    return max(inner.nodes.indices.contains(inner.root) ? inner.nodes[inner.root].reach + 1 : 0, firstColumn + 1)
  }

  /// How much room the contents take in each column from `first` on.
  private func contents(from first: Int) -> [LayoutUnit] {
    let reaches = inner.reaches(from: first)
    return (first..<max(first + 1, endColumn)).map { number in
      let extent = inner.columns.extent(number)
      let reach = reaches.indices.contains(number - first) ? reaches[number - first] : extent.start
      // One that was ended is full.
      let isFull = extent.end != .max && number < inner.nodes[inner.root].last
      return ((isFull ? extent.end : min(extent.end, reach)) - extent.start).clampedToZero
    }
  }

  // MARK: Rows

  private mutating func placeEmptyRow() {
    let first = firstColumn
    rows.append(Row(top: position, height: .zero, columns: first..<(first + 1), fragmentainer: fragmentainer, isEmpty: true))
  }

  private mutating func startRow(in outer: inout Fragmenter) {
    let start = fragmentainer == origin.fragmentainer ? contentStart - startEdge : outer.start(fragmentainer, origin.insets)
    isBehindEdge = position > start
  }

  private mutating func nextFragmentainer(_ outer: inout Fragmenter) {
    fragmentainer += 1
    position = outer.start(fragmentainer, origin.insets)
    if rows.isEmpty, spanners.isEmpty { start = (position, fragmentainer) }
  }

  /// https://drafts.csswg.org/css-multicol-1/#filling-columns
  private mutating func placeRows(isLast: Bool, _ outer: inout Fragmenter) throws {
    var sizes: [LayoutUnit] = []
    for _ in 0..<Self.maximumRows {
      let outerEnd = outer.end(fragmentainer, origin.insets)
      let own = flow.maximum.map { (contentStart + $0 - position).clampedToZero } ?? .max
      let room = outerEnd == .max ? .max : outerEnd - position
      startRow(in: &outer)
      let isBroken = room < own
      let isAtStart = position <= outer.start(fragmentainer, origin.insets)
      if isBroken, room <= .zero {
        if !isAtStart, rows.isEmpty, spanners.isEmpty {
          // Nor is there one between the start edge and the first row.
          try outer.preferEarlier(than: .lastResort, fragmentainer)
          outer.record(shortage: max(inner.findings.tallest - room, .epsilon), in: fragmentainer)
          outer.noteViolation(in: fragmentainer)
        }
        nextFragmentainer(&outer)
        continue
      }
      let height = try height(sizes, limit: min(own, room), room: room, isLast: isLast)
      try run(sizes, height)
      // None are left where all found room in the rows before.
      let first = firstColumn + sizes.count, count = max(0, endColumn - first)
      // What sticks out of a column, or is broken badly, finds more room in the next fragmentainer.
      let kept = isBroken && !isAtStart && height >= room ? (inner.findings.overflowing ?? .max) - first : .max
      let isDone = count <= flow.count && (kept < 1 || kept >= count)
      if isBroken, !isAtStart, isDone, height >= room, inner.findings.isRowBad, !inner.findings.overflows {
        try outer.preferEarlier(than: .violatingOrphansAndWidows, fragmentainer)
        outer.noteViolation(in: fragmentainer)
      }
      if isBroken, !isAtStart, isDone ? inner.findings.overflows : !hasContent(in: first) {
        outer.record(shortage: inner.findings.shortage, in: fragmentainer)
        try outer.preferEarlier(than: .lastResort, fragmentainer)
        // Before the first row there is no break opportunity.
        if spanners.isEmpty, rows.isEmpty { outer.noteViolation(in: fragmentainer) }
        nextFragmentainer(&outer)
        continue
      }
      if isBroken, !isDone, !isAtStart, flow.count == 1, inner.findings.isRowBad {
        // Behind an edge, even no break opportunity is better.
        outer.record(shortage: max(inner.findings.shortage == .max ? .epsilon : inner.findings.shortage, .epsilon), in: fragmentainer)
        try outer.preferEarlier(than: .lastResort, fragmentainer)
        outer.noteViolation(in: fragmentainer)
        nextFragmentainer(&outer)
        continue
      }
      if isBroken, !isDone {
        outer.record(shortage: max(inner.findings.shortage == .max ? .epsilon : inner.findings.shortage, .epsilon), in: fragmentainer)
        // Breaks between the columns of a row are breaks in the container; that behind its last column is not asked about.
        if !isAtStart, inner.findings.isRowBad {
          let appeal = inner.findings.overflows ? BreakAppeal.lastResort : .violatingOrphansAndWidows
          try outer.preferEarlier(than: appeal, fragmentainer)
          outer.noteViolation(in: fragmentainer)
        }
        let filled = isAtStart ? flow.count : min(flow.count, max(1, (inner.findings.overflowing ?? .max) - first))
        rows.append(Row(top: position, height: height, columns: first..<(first + filled), fragmentainer: fragmentainer))
        sizes += Array(repeating: max(height, Self.leastSize), count: filled)
        nextFragmentainer(&outer)
        continue
      }
      endsWithRow = isLast
      tallest = max(tallest, inner.findings.tallest)
      segments.append(Fragmentainers.Segment(sizes: sizes, rest: max(height, Self.leastSize)))
      guard count > 0 else { return }
      rows.append(Row(top: position, height: height, columns: first..<(first + count), fragmentainer: fragmentainer))
      // The only column is no longer than its contents, but for what sticks out of boxes in it.
      let isFilled = (flow.fills && isLast) || height <= .epsilon
      position += count == 1 && isFilled ? min(height, contents(from: first).first ?? .zero) : height
      return
    }
    engine.diagnostics.report(
      Diagnostic(
        "limitExceeded", .degraded,
        "A multi-column container has more than \(Self.maximumRows) rows of columns; the others are not rendered."))
  }

  private mutating func height(_ sizes: [LayoutUnit], limit: LayoutUnit, room: LayoutUnit, isLast: Bool) throws -> LayoutUnit {
    if flow.fills, isLast {
      if limit != .max { return max(limit, .epsilon) }
      try run(sizes, .max)
      let columns = contents(from: firstColumn + sizes.count)
      return columns.reduce(max(inner.findings.tallest, .epsilon)) { max($0, $1) }
    }
    return max(min(try balanced(sizes, limit: limit, room: room), limit), .epsilon)
  }

  /// The least column height with which the content takes no more columns than there are.
  private mutating func balanced(_ sizes: [LayoutUnit], limit: LayoutUnit, room: LayoutUnit) throws -> LayoutUnit {
    try run(sizes, .max)
    tallest = max(tallest, inner.findings.tallest)
    let first = firstColumn + sizes.count, count = flow.count
    var height = max(inner.findings.tallest, Self.distributed(contents(from: first), count))
    for _ in 0..<Self.maximumStretches {
      try engine.check()
      guard height < limit, engine.mayWalkFlows else { return min(height, limit) }
      try run(sizes, max(height, .epsilon))
      let columns = endColumn - first, findings = inner.findings
      if columns <= count, !findings.hasViolation { return height }
      // Like in browsers, where forced breaks take all columns no height is better than another.
      if count <= findings.forcedBreaks + 1 { return room == .max ? height : limit }
      guard findings.shortage != .max, findings.shortage > .zero else { return height }
      height += findings.shortage
    }
    return height
  }

  /// The height of the tallest column when runs between forced breaks are divided among `count` columns.
  private static func distributed(_ runs: [LayoutUnit], _ count: Int) -> LayoutUnit {
    var parts = runs.map { _ in 1 }
    func part(_ index: Int) -> LayoutUnit {
      let number = Int64(max(1, parts[index]))
      return LayoutUnit(raw: Int32(clamping: (Int64(runs[index].raw) + number - 1) / number))
    }
    if runs.count < count {
      for _ in runs.count..<count {
        guard let tallest = runs.indices.max(by: { part($0) < part($1) }) else { break }
        parts[tallest] += 1
      }
    }
    return runs.indices.reduce(.zero) { max($0, part($1)) }
  }

  // MARK: Spanning elements

  private mutating func place(_ spanner: Fragmenter.Spanner, _ margin: LogicalEdges, _ outer: inout Fragmenter) throws {
    let fragment = engine.fragments[spanner.child.id]
    let sides = flow.direction.logicalSides(fragment.style.box.margin)
    let free = flow.contentInline - margin.inlineSum - flow.direction.logical(fragment.size).inline
    var child = spanner.child
    let before = child.inline
    child.inline = margin.inlineStart
    if sides.inlineStart.isAuto, free > .zero { child.inline += sides.inlineEnd.isAuto ? free / 2 : free }
    let isAvoided = outer.rules.avoids(outer.rules.before(child.id))
    let appeal: BreakAppeal = rows.allSatisfy(\.isEmpty) && spanners.isEmpty ? .lastResort : isAvoided ? .violatingAvoid : .perfect
    let opportunity = Fragmenter.Opportunity(
      link: child.link, appeal: appeal,
      unbreakable: outer.rules.isMonolithic(fragment) ? child.size : nil, size: child.size)
    _ = try outer.breakIfNeeded(opportunity, &position, &fragmentainer, origin)
    var inner = origin
    (inner.offset, inner.fragmentainer, inner.depth) = (position, fragmentainer, origin.depth + 1)
    let node = try outer.placeChild(child, behind: opportunity.appeal, inner)
    fragmentainer = outer.nodes[node].last
    spanners.append((node, spanner.start, child.inline - before))
    position = outer.nodes[node].end
  }

  // MARK: What comes of it

  /// Where column `number` of a row begins.
  private func columnOffset(_ number: Int, _ row: Row) -> LogicalOffset {
    LogicalOffset(inline: flow.stride * (number - row.columns.lowerBound), block: row.top - contentStart)
  }

  /// What stands in a fragmentainer of the outer flow.
  ///
  /// - Parameter start: Where the content box begins.
  func links(in number: Int, of outer: Fragmenter, size: LayoutSize, from start: LogicalOffset) throws -> [FragmentLink] {
    var links: [(order: LayoutUnit, links: [FragmentLink])] = []
    for row in rows where row.fragmentainer == number {
      for column in row.columns {
        let extent = inner.columns.extent(column), offset = columnOffset(column, row)
        let move = LogicalOffset(inline: start.inline + offset.inline, block: start.block + offset.block - extent.start)
        links.append((row.top, try inner.pieces(in: column).map { inner.link($0, in: size, by: move) }))
      }
    }
    for spanner in spanners {
      guard let piece = try outer.piece(spanner.node, in: number) else { continue }
      links.append(
        (piece.offset.block, [outer.link(piece, in: size, by: LogicalOffset(inline: start.inline, block: start.block - contentStart))]))
    }
    return links.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.flatMap(\.element.links)
  }

  /// The column boxes, between which rules are drawn.
  ///
  /// - Parameter end: Where the content box ends, to which those of the last row reach.
  func rects(in number: Int, size: LayoutSize, from start: LogicalOffset, end: LayoutUnit? = nil) -> [LayoutRect] {
    rows.indices.filter { rows[$0].fragmentainer == number && !rows[$0].isEmpty }.flatMap { index -> [LayoutRect] in
      let row = rows[index]
      return row.columns.map { column in
        let offset = columnOffset(column, row)
        var block = row.height
        if let end, endsWithRow, row.top == rows.last?.top { block = max(block, end - offset.block) }
        let inner = flow.direction.physical(LogicalSize(inline: flow.columnSize, block: block))
        return LayoutRect(origin: flow.direction.physical(start + offset, outer: size, inner: inner), size: inner)
      }
    }
  }

  /// Out-of-flow boxes whose containing block is further up, at their static positions.
  func outOfFlow(in size: LayoutSize, from start: LogicalOffset) -> [OutOfFlowCandidate] {
    guard let content = flow.content, !content.outOfFlow.isEmpty else { return [] }
    let moves: [Fragmenter.Move] = inner.moves.enumerated().sorted { ($0.element.original, $0.offset) < ($1.element.original, $1.offset) }
      .map(\.element)
    return content.outOfFlow.map { candidate in
      var candidate = candidate
      let offset = flow.direction.logical(candidate.staticPosition, outer: content.size, inner: .zero)
      candidate.staticPosition = flow.direction.physical(
        start + offset + move(candidate.box, offset.block, moves), outer: size, inner: .zero)
      return candidate
    }
  }

  /// A box stands behind what comes before it, which says where it is if a break follows.
  private func move(_ box: BoxID, _ original: LayoutUnit, _ moves: [Fragmenter.Move]) -> LogicalOffset {
    let part = moves.last { $0.original < original || ($0.original == original && isAncestor($0.box, of: box)) } ?? moves.first
    guard let part else { return LogicalOffset() }
    let offset = part.offset + original - part.original
    var number = part.fragmentainer
    while offset > inner.columns.extent(number).end, number < (rows.last?.columns.last ?? 0) { number += 1 }
    guard let row = rows.first(where: { $0.columns.contains(number) }) else { return LogicalOffset() }
    let column = columnOffset(number, row), extent = inner.columns.extent(number)
    return LogicalOffset(inline: column.inline, block: column.block - extent.start + offset - original)
  }

  private func isAncestor(_ ancestor: BoxID, of box: BoxID) -> Bool {
    var parent = engine.tree[box].parent
    while !parent.isNone {
      if parent == ancestor { return true }
      parent = engine.tree[parent].parent
    }
    return false
  }
}
