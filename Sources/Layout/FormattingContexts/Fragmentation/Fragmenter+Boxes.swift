internal import OffprintCSS
internal import OffprintCoreTypes

// One box: its contents, and how large it becomes by them.
extension Fragmenter {
  /// What came of a box's contents.
  struct Outcome {
    var nodes: [Int] = []
    /// By how much the end of the contents moved.
    var growth = LayoutUnit.zero
    /// Where they end, from the box's start.
    var required = LayoutUnit.zero
    var last: Int
    var reach: Int
    var isChanged = false
    /// The last child cannot be broken, sticks out of its fragmentainer, and reaches the end of the contents.
    var endsUnbroken = false
    var excess = Excess()
    var repeated: RepeatedRows?
  }

  private static let maximumDepth = 400

  /// Puts a child where `place` says, behind a break opportunity.
  mutating func placeChild(_ child: Child, behind appeal: BreakAppeal, _ place: Place) throws -> Int {
    let fragment = engine.fragments[child.id], avoids = rules.avoidsInside(fragment)
    let isAtStart = place.offset <= start(place.fragmentainer, place.insets)
    let before = Breakpoint(link: child.link, fragmentainer: place.fragmentainer, appeal: appeal, stamp: nodes.count)
    levels.append(BreakLevel(avoids: avoids, fragmentainer: place.fragmentainer, before: isAtStart ? nil : before))
    let number = try placeChild(child, place)
    // Like in browsers, a box that began earlier is not broken again for what comes behind it.
    if let level = levels.popLast(), var best = level.best, best.fragmentainer == level.fragmentainer, !levels.isEmpty {
      if avoids { best.appeal = min(best.appeal, .violatingAvoid) }
      levels[levels.count - 1].note(best)
    }
    return number
  }

  /// Puts a child where `place` says.
  mutating func placeChild(_ child: Child, _ place: Place, isItem: Bool = false) throws -> Int {
    try engine.tick()
    let fragment = engine.fragments[child.id]
    let number = try placeChild(child, fragment, place, isItem: isItem)
    let node = nodes[number]
    // A forced break is one all the same.
    if rules.avoidsInside(fragment), node.first == node.last { noteUnbreakable(node.size, at: node.offset, in: node.first) }
    if rules.avoidsInside(fragment), node.reach > node.last { findings.avoidedReach = max(findings.avoidedReach, node.reach) }
    return number
  }

  private mutating func placeChild(_ child: Child, _ fragment: Fragment, _ place: Place, isItem: Bool) throws -> Int {
    if rules.isMonolithic(fragment) || place.depth >= Self.maximumDepth {
      return append(unbroken(child, place))
    }
    if let flow = engine.multiColumnFlows[child.id] {
      let end = end(place.fragmentainer, place.insets)
      let fits = end == .max || place.offset + max(child.size, flow.reach) <= end
      let edges = direction.logical(fragment.border + fragment.padding)
      if isWatched(place.fragmentainer) {
        findings.tallest = max(
          findings.tallest,
          rules.isEmptyContainer(fragment) && flow.tallest == .zero ? child.size : max(flow.tallest, max(edges.blockStart, edges.blockEnd)))
      }
      // As long as columns around it have no size, columns are balanced whatever `column-fill` is.
      let isMeasured = end == .max && flow.fills && !flow.isDefinite && place.fragmentainer < place.insets.unbrokenFrom
      if fits && !isMeasured || !engine.mayWalkFlows || (rules.isEmptyContainer(fragment) && flow.reach <= child.size) {
        return append(node(child, place))
      }
      return try placeColumns(isMeasured ? flow.balanced : flow, child, fragment, place)
    }
    guard engine.blockExtents[child.id]?.containsFloats ?? true else { return try placeBox(child, fragment, place, isItem: isItem) }
    let outer = floats
    floats = Floats()
    defer { floats = outer }
    return try placeBox(child, fragment, place, isItem: isItem)
  }

  /// What cannot be broken: higher than a page it goes on over the next ones, and what follows it comes behind that.
  mutating func unbroken(_ child: Child, _ place: Place) -> Node {
    var node = node(child, place)
    guard rules.isPaged else { return node }
    node.last = advance(from: node.first, to: node.end, place.insets, recordingFrom: .max)
    node.reach = node.last
    return node
  }

  func node(_ child: Child, _ place: Place) -> Node {
    Node(
      fragment: child.id, inline: child.inline, shift: child.shift, offset: place.offset, size: child.size, first: place.fragmentainer,
      last: place.fragmentainer, reach: place.fragmentainer, follow: place.offset + child.size, insets: place.insets)
  }

  private func inner(_ place: Place, _ fragment: Fragment, _ edges: LogicalEdges) -> Place {
    var inner = place
    inner.depth += 1
    inner.edge = max(place.edge, max(edges.blockStart, edges.blockEnd))
    if !place.avoids, rules.avoidsInside(fragment) { (inner.avoids, inner.avoidsFrom) = (true, place.offset) }
    if rules.pages.isUsed { inner.page = rules.pages.used(fragment.style, outer: place.page) }
    if fragment.style.box.boxDecorationBreak == .clone {
      inner.insets.start += edges.blockStart
      inner.insets.end += edges.blockEnd
    }
    return inner
  }

  private mutating func placeBox(_ child: Child, _ fragment: Fragment, _ place: Place, isItem: Bool) throws -> Int {
    let edges = direction.logical(fragment.border + fragment.padding)
    let extent = isItem || engine.tree[fragment.box].kind == .tableCell ? nil : engine.blockExtents[child.id]
    var inner = inner(place, fragment, edges)
    if isWatched(place.fragmentainer) { findings.tallest = max(findings.tallest, max(edges.blockStart, edges.blockEnd)) }
    if rules.clips(fragment), let extent, extent.fixed != nil || extent.content > extent.max {
      inner.insets.unbrokenFrom = min(
        place.insets.unbrokenFrom,
        advance(from: place.fragmentainer, to: place.offset + child.size, place.insets, recordingFrom: .max))
    }
    if let extent, extent.fixed != nil || extent.content > extent.max {
      let size = extent.fixed ?? extent.max
      inner.keepsStart = place.offset + size <= end(place.fragmentainer, place.insets)
    }
    if inner.insets.end > place.insets.end, let fixed = extent?.fixed { endInset(&inner, place, edges, fixed) }
    if let extent { inner.fixedEnd = max(place.fixedEnd, place.offset + (extent.fixed ?? extent.min)) }
    let list = children(of: child.id)
    let outcome =
      rules.isParallel(fragment)
      ? try placeRows(list, in: fragment, inner, contentStart: edges.blockStart)
      : try placeFlow(
        list, in: fragment, inner, contentStart: edges.blockStart,
        containsFloats: engine.blockExtents[child.id]?.containsFloats ?? true)
    let isFixed = extent.map { $0.fixed != nil } ?? hasOwnSize(fragment)
    var node = node(child, place)
    node.size = extent.map { size($0, outcome, edges) } ?? usedSize(child, fragment, outcome, edges, isItem: isItem)
    if inner.insets.end > place.insets.end, outcome.last > place.fragmentainer, !isFixed {
      // The edges that are repeated take room in each fragment.
      node.size = max(node.size, outcome.required + edges.blockEnd)
    }
    node.follow = node.end
    node.size = max(node.size, edges.blockSum)
    node.children = outcome.nodes
    node.excess = outcome.excess
    if let rows = outcome.repeated {
      node.repeated = repeated.count
      repeated.append(rows)
    }
    try end(
      &node, fragment, outcome, inner, place, isFixed: isFixed,
      encloses: extent?.encloses(growth: outcome.growth) ?? !isFixed, isTight: extent?.isTight(growth: outcome.growth) ?? false)
    if extent?.fixed != nil, node.last == outcome.excess.fragmentainer { node.endBeyond = outcome.excess.last }
    if !isFixed, !rules.isParallel(fragment) { inheritEndGap(&node) }
    node.reach = max(node.last, outcome.reach)
    node.isWhole = !outcome.isChanged && node.size == child.size && node.first == node.reach
    return append(node)
  }

  /// Room for a repeated end edge is kept as long as a box of its own size goes on. https://drafts.csswg.org/css-break-3/#break-decoration
  private mutating func endInset(_ inner: inout Place, _ place: Place, _ edges: LogicalEdges, _ size: LayoutUnit) {
    var left = size - edges.blockSum, number = place.fragmentainer, top = place.offset
    while case let bottom = end(number, place.insets), bottom < .max, case let room = bottom - top - edges.blockSum, room < left {
      // None of it finds room.
      guard room > .zero || number == place.fragmentainer else { return }
      left -= room.clampedToZero
      number += 1
      top = start(number, place.insets)
    }
    (inner.insets.endsIn, inner.insets.endBehind) = (number, place.insets.end)
  }

  private func size(_ extent: BlockExtent, _ outcome: Outcome, _ edges: LogicalEdges) -> LayoutUnit {
    // What sticks out of the fragmentainers before the last is of the box's size, too.
    if let fixed = extent.fixed { return fixed - outcome.excess.total }
    let content = extent.content + outcome.growth
    // Spanning elements take their margins along, too.
    if extent.min <= edges.blockSum { return min(content, extent.max) }
    return max(extent.min - outcome.excess.total, min(content, extent.max))
  }

  private func hasOwnSize(_ fragment: Fragment) -> Bool {
    switch engine.tree[fragment.box].kind {
    case .tableWrapper, .tableGrid, .tableRowGroup, .tableRow, .tableCell: return false
    default: break
    }
    switch Sizing.LogicalSizes(fragment.style).block {
    case .auto, .minContent, .maxContent, .none: return false
    default: return true
    }
  }

  private func maximum(_ fragment: Fragment, _ edges: LogicalEdges) -> LayoutUnit {
    guard case .value(let maximum) = Sizing.LogicalSizes(fragment.style).maxBlock, let size = maximum.resolveIfDefinite(nil) else {
      return .max
    }
    return Sizing.borderBox(size, fragment.style, edges: edges.blockSum)
  }

  /// Finds the fragmentainer in which a box ends.
  ///
  /// - Parameters:
  ///   - encloses: It is as large as its contents.
  ///   - isTight: It is no larger.
  private mutating func end(
    _ node: inout Node, _ fragment: Fragment, _ outcome: Outcome, _ inner: Place, _ place: Place, isFixed: Bool, encloses: Bool,
    isTight: Bool
  ) throws {
    if outcome.endsUnbroken, endsWithContents(node, fragment, outcome, place) {
      // What is as long as what cannot be broken in it ends with that.
      (node.last, node.endsUnbroken) = (outcome.last, true)
      let edge = direction.logical(fragment.border + fragment.padding).blockEnd, end = end(node.last, place.insets)
      guard edge > .zero, node.end > end, fragment.style.box.boxDecorationBreak == .slice else { return }
      if isTight {
        record(shortage: node.end - end, in: node.last)
        try resort(to: node.last)
      }
      moveEndEdge(&node, edge, from: node.end - edge, behind: node.last, end, place)
      return
    }
    if isFixed, inner.insets.end > place.insets.end || inner.insets.start > place.insets.start {
      // Each fragment has edges of its own.
      let edges = inner.insets.start - place.insets.start + inner.insets.end - place.insets.end
      while case let end = end(node.last, place.insets), node.end > end, edges < end - start(node.last, place.insets) {
        node.last += 1
        node.size += edges
      }
      node.follow = node.end
    } else {
      if isFixed { skipRepeatedEdges(&node, place) } else { dropEndSpacing(&node, fragment, outcome, place) }
      node.last = advance(from: place.fragmentainer, to: node.end, place.insets, recordingFrom: outcome.last)
      if !encloses { endBehindSpanner(&node, outcome, place) }
    }
    if node.last > outcome.last, inner.avoids, outcome.last == place.fragmentainer {
      try preferEarlier(than: .perfect, outcome.last)
      noteViolation(in: outcome.last)
    }
    if encloses { node.last = max(node.last, outcome.last) }
    try keepEndEdge(node, fragment, outcome, isTight: isTight)
    if isWatched(outcome.last) {
      findings.tallest = max(findings.tallest, direction.logical(fragment.border + fragment.padding).blockEnd)
    }
    if fragment.style.box.boxDecorationBreak == .slice { moveEndEdge(&node, fragment, place, contentsEnd: outcome.last) }
  }

  /// What boxes around it repeat in each fragmentainer is not of its size.
  private mutating func skipRepeatedEdges(_ node: inout Node, _ place: Place) {
    guard place.insets.start > .zero || place.insets.end > .zero else { return }
    var number = place.fragmentainer
    while case let bottom = end(number, place.insets), node.end > bottom {
      node.size += columns.end(number) - bottom + place.insets.start
      number += 1
    }
    node.follow = node.end
  }

  /// It ends where the last of its contents is, not before nor behind.
  private mutating func endsWithContents(_ node: Node, _ fragment: Fragment, _ outcome: Outcome, _ place: Place) -> Bool {
    guard outcome.last > node.first else { return true }
    let edge = direction.logical(fragment.border + fragment.padding).blockEnd
    return node.end > start(outcome.last, place.insets) && node.end - edge <= node.offset + outcome.required
  }

  /// What is left free below the last row of a table, and the margin at the end of a formatting context's root, are cut off at the end of the
  /// fragmentainer. https://drafts.csswg.org/css-break-3/#break-margins
  private mutating func dropEndSpacing(_ node: inout Node, _ fragment: Fragment, _ outcome: Outcome, _ place: Place) {
    let edge = direction.logical(fragment.border + fragment.padding).blockEnd
    let isTable = engine.tree[fragment.box].kind == .tableGrid
    guard edge == .zero || isTable, !outcome.nodes.isEmpty else { return }
    let bottom = end(outcome.last, place.insets), needed = node.offset + outcome.required + edge
    guard node.end > bottom, isTable || needed <= bottom, endsWithSpace(node, fragment, bottom) else { return }
    node.size = min(node.end, max(needed, bottom)) - node.offset
    node.follow = node.end
  }

  private func endsWithSpace(_ node: Node, _ fragment: Fragment, _ bottom: LayoutUnit) -> Bool {
    switch engine.tree[fragment.box].kind {
    case .tableGrid: return true
    case .blockContainer:
      guard let extent = engine.blockExtents[node.fragment] else { return false }
      return extent.fixed == nil && node.offset + extent.min <= bottom
    default: return false
    }
  }

  /// A box of its own size ends behind the spanning elements in it.
  private mutating func endBehindSpanner(_ node: inout Node, _ outcome: Outcome, _ place: Place) {
    let segment = columns.segment(outcome.last)
    guard columns.segment(place.fragmentainer) != segment else { return }
    var first = outcome.last
    while first > 0, columns.segment(first - 1) == segment { first -= 1 }
    node.follow = max(node.end, start(first, place.insets))
    node.last = max(node.last, first)
  }

  /// The end edge is not broken: all of it goes on in the next fragmentainer, like in browsers even where it finds no room.
  private mutating func moveEndEdge(_ node: inout Node, _ fragment: Fragment, _ place: Place, contentsEnd: Int = 0) {
    let edge = direction.logical(fragment.border + fragment.padding).blockEnd, contentEnd = node.end - edge
    guard node.last > node.first, edge > .zero, contentEnd > node.offset else { return }
    // A start edge that finds no room has all in its fragmentainer.
    let startEdge = direction.logical(fragment.border + fragment.padding).blockStart
    let ended =
      contentEnd <= node.offset + startEdge
      ? node.first : advance(from: node.first, to: contentEnd, place.insets, recordingFrom: .max)
    let number = max(ended, contentsEnd)
    let end = end(number, place.insets)
    guard end != .max, node.end > end, number + 1 <= node.last else { return }
    moveEndEdge(&node, edge, from: contentEnd, behind: number, end, place)
  }

  private mutating func moveEndEdge(
    _ node: inout Node, _ edge: LayoutUnit, from contentEnd: LayoutUnit, behind number: Int, _ end: LayoutUnit, _ place: Place
  ) {
    node.endGap = end - contentEnd
    node.gapFragmentainer = number
    node.last = number + 1
    node.size = start(node.last, place.insets) + edge - node.offset
    node.follow = node.end
    node.endsUnbroken = node.end > self.end(node.last, place.insets)
  }

  /// Where only the end edge of the last box inside goes on, a box ends with the contents of that, too.
  private func inheritEndGap(_ node: inout Node) {
    guard node.endGap == .zero, let child = node.children.last.map({ nodes[$0] }), child.endGap > .zero,
      child.gapFragmentainer < node.last
    else { return }
    (node.endGap, node.gapFragmentainer) = (child.endGap, child.gapFragmentainer)
  }

  /// Between the last child and the end edge of its parent there is no break opportunity, unless space is left there.
  /// https://drafts.csswg.org/css-break-3/#possible-breaks
  private mutating func keepEndEdge(_ node: Node, _ fragment: Fragment, _ outcome: Outcome, isTight: Bool) throws {
    let edge = direction.logical(fragment.border + fragment.padding).blockEnd
    guard node.last > outcome.last, edge > .zero, isTight || node.size <= outcome.required + edge else { return }
    try resort(to: outcome.last)
  }

  /// A break where there is no opportunity.
  private mutating func resort(to number: Int) throws {
    try preferEarlier(than: .lastResort, number)
    noteViolation(in: number)
  }

  private func usedSize(_ child: Child, _ fragment: Fragment, _ outcome: Outcome, _ edges: LogicalEdges, isItem: Bool) -> LayoutUnit {
    guard !hasOwnSize(fragment), outcome.growth != .zero else { return child.size }
    if isItem || engine.tree[fragment.box].kind == .tableCell { return max(child.size, outcome.required + edges.blockEnd) }
    return min(child.size + outcome.growth, max(child.size, maximum(fragment, edges)))
  }

  // MARK: Multi-column containers inside

  private mutating func placeColumns(_ flow: MultiColumnFlow, _ child: Child, _ fragment: Fragment, _ place: Place) throws -> Int {
    let edges = direction.logical(fragment.border + fragment.padding)
    var inner = inner(place, fragment, edges)
    inner.offset = place.offset + edges.blockStart
    if case let end = end(inner.fragmentainer, inner.insets), inner.offset > end {
      record(shortage: inner.offset - end, in: inner.fragmentainer)
      try resort(to: inner.fragmentainer)
    }
    while case let end = end(inner.fragmentainer, inner.insets), inner.offset > end { inner.fragmentainer += 1 }
    var rows = ColumnRows(engine, flow)
    try rows.layout(in: &self, inner, startEdge: edges.blockStart)
    var node = node(child, place)
    if let start = rows.start, start.fragmentainer > node.first, inner.offset == node.offset {
      // All of it moved.
      (node.offset, node.first, node.last) = (start.offset, start.fragmentainer, start.fragmentainer)
    }
    let contentEnd = rows.end - node.offset
    node.size = flow.isDefinite ? child.size : max(flow.limits.min, min(flow.limits.max, contentEnd + edges.blockEnd))
    node.follow = node.end
    node.last = advance(from: node.first, to: node.end, place.insets, recordingFrom: rows.last)
    if node.last > node.first, inner.avoids {
      try preferEarlier(than: .perfect, node.first)
      noteViolation(in: node.first)
    }
    // Between the last row and the end edge is no opportunity.
    if node.last > rows.last, edges.blockEnd > .zero, node.size <= contentEnd + edges.blockEnd { try resort(to: rows.last) }
    if fragment.style.box.boxDecorationBreak == .slice { moveEndEdge(&node, fragment, place) }
    node.reach = max(node.last, rows.reach(in: self))
    node.isWhole = node.size == child.size && node.first == node.reach && rows.isUnbroken
    node.rows = nested.count
    nested.append(rows)
    return append(node)
  }
}
