internal import OffprintCSS
internal import OffprintCoreTypes

// Children one below the other: blocks, lines, the rows of tables, and the floats among them.
extension Fragmenter {
  /// The state of a box whose children are being placed.
  private struct Flow {
    let fragment: Fragment
    var place: Place
    /// Of the rows that each part of a table repeats.
    var repeated: RepeatedRows?
    let contentStart: LayoutUnit
    /// The box is a block formatting context root.
    let containsFloats: Bool
    /// Nothing so far has a size: like in browsers, what has none either has no place that a break could be forced before.
    var isCollapsed = false
    /// By links: of lines of inline boxes that blocks split, how many are before and behind.
    var splits: [Int: SplitLines] = [:]
    /// How many of them are in this fragmentainer.
    var splitHere = 0
    var outcome: Outcome
    /// By how much the next child is moved against the unbroken flow.
    var shift = LayoutUnit.zero
    var fragmentainer: Int
    var hasInFlow = false
    /// Nothing is in its column yet since a spanning element.
    var followsSpanner = false
    var isBehindEmptyRun = false
    /// What the last child says about a break behind it.
    var behind = BreakBetween.auto
    /// The name of the page that it ends on.
    var pageBehind: Int32?
    var lineCount = 0
    var lineNumber = 0
    /// Lines of the box in this fragmentainer.
    var linesHere = 0
    var lines: [(child: Child, stamp: Int)] = []
    var firstInFlow: Int?
    var lastChild: FragmentID?
    /// What is kept free around the box.
    let outer: Insets
    var endOfInFlow: (original: LayoutUnit, placed: LayoutUnit)
    var floats: [(original: LayoutUnit, end: LayoutUnit)] = []
    var markers: [Child] = []
    var outOfFlow: [(child: Child, shift: LayoutUnit)] = []

    /// Lines of the same inline boxes are before and behind.
    mutating func begin(_ split: SplitLines?) {
      guard let split else { return }
      lineNumber = split.before
      linesHere = split.here
      lineCount = split.total
    }

    init(_ fragment: Fragment, _ place: Place, contentStart: LayoutUnit, containsFloats: Bool) {
      self.fragment = fragment; self.place = place; self.contentStart = contentStart; self.containsFloats = containsFloats
      outer = place.insets
      fragmentainer = place.fragmentainer
      outcome = Outcome(last: place.fragmentainer, reach: place.fragmentainer)
      endOfInFlow = (contentStart, contentStart)
    }

    mutating func take(_ number: Int, _ node: Node, _ child: Child) {
      outcome.nodes.append(number)
      outcome.reach = max(outcome.reach, node.reach)
      if !node.isWhole || node.offset - place.offset != child.start { outcome.isChanged = true }
    }
  }

  /// - Parameter contentStart: From the box's block-start edge.
  mutating func placeFlow(
    _ children: [Child], in fragment: Fragment, _ place: Place, contentStart: LayoutUnit, containsFloats: Bool = true
  ) throws -> Outcome {
    var flow = Flow(fragment, place, contentStart: contentStart, containsFloats: containsFloats)
    flow.lineCount = children.reduce(0) { $0 + (engine.fragments[$1.id].kind == .line ? 1 : 0) }
    flow.isCollapsed = !containsFloats && place.depth > 0 && contentStart == .zero
    flow.begin(place.split)
    flow.splits = splitLines(children, in: fragment)
    flow.repeated = repeatedRows(children, in: fragment, place)
    try self.place(withFloatsInPlace(children), &flow)
    flow.place.insets = place.insets
    var outcome = try finish(&flow)
    outcome.repeated = flow.repeated
    return outcome
  }

  /// Where an earlier break is needed in the last fragmentainers, the walk goes back to where they began, not to the flow's start: the pages of
  /// a long table would cost more the more there are.
  private mutating func place(_ children: [Child], _ flow: inout Flow) throws {
    var checkpoint: Checkpoint<Flow>?
    var index = 0
    while index < children.count {
      if flow.fragmentainer > checkpoint?.flow.fragmentainer ?? flow.place.fragmentainer {
        checkpoint = Checkpoint(flow: flow, index: index, state: state)
      }
      do {
        try place(children[index], &flow)
        index += 1
      } catch let error as EarlierBreakNeeded {
        guard let checkpoint, checkpoint.state.nodes <= error.stamp else { throw error }
        (flow, index) = (checkpoint.flow, checkpoint.index)
        restore(checkpoint.state)
        countReturn(in: flow.fragmentainer)
      }
    }
  }

  private mutating func place(_ child: Child, _ flow: inout Flow) throws {
    let piece = engine.fragments[child.id], box = engine.tree[piece.box]
    if piece.kind == .line {
      try placeLine(child, &flow)
    } else if box.isOutOfFlow {
      flow.outOfFlow.append((child, flow.shift))
    } else if box.isOutsideMarker {
      flow.markers.append(child)
    } else if box.isFloating {
      try placeFloat(child, piece, &flow)
    } else if rules.isSpanner(piece) {
      try placeSpanner(child, piece, &flow)
    } else {
      try placeBlock(child, piece, &flow)
    }
  }

  // MARK: In flow

  /// A child in its place, and all after it.
  private mutating func take(_ child: Child, _ number: Int, _ flow: inout Flow) {
    let node = nodes[number]
    flow.take(number, node, child)
    flow.shift = node.follow - flow.place.offset - child.end
    flow.fragmentainer = node.last
    flow.endOfInFlow = (max(flow.endOfInFlow.original, child.end), max(flow.endOfInFlow.placed, node.follow - flow.place.offset))
    flow.isBehindEmptyRun = isEmptyRun(child)
    if !flow.isBehindEmptyRun { (flow.hasInFlow, flow.followsSpanner) = (true, false) }
    if child.size > .zero || child.start > flow.contentStart { flow.isCollapsed = false }
    if flow.firstInFlow == nil { flow.firstInFlow = number }
    moves.append(
      Move(
        original: flow.place.original + child.start, offset: node.offset, fragmentainer: node.first,
        box: engine.fragments[child.id].box))
  }

  private func childPlace(_ position: LayoutUnit, _ child: Child, _ flow: Flow) -> Place {
    var place = flow.place
    place.offset = position
    place.fragmentainer = flow.fragmentainer
    place.original = flow.place.original + child.start
    if flow.hasInFlow { place.keepsStart = false }
    place.split = nil
    place.isBehindBreak = false
    if var split = flow.splits[child.link], split.own > 0, split.isRun {
      split.here = flow.splitHere
      place.split = split
    }
    return place
  }

  private mutating func placeLine(_ child: Child, _ flow: inout Flow) throws {
    let style = flow.fragment.style.text
    var appeal = BreakAppeal.perfect
    // Like in browsers, too few lines between two breaks are not come back to.
    var isCandidate = true
    // The lines of a part between two breaks are the widows of the one before; so are, like in browsers, those of a block directly behind a break.
    let minimum = flow.linesHere == flow.lineNumber && !flow.place.isBehindBreak ? style.orphans : max(style.orphans, style.widows)
    let lacksWidows = flow.lineNumber > 0 && flow.lineCount - flow.lineNumber < style.widows
    let lead = lead(child, flow)
    let trims = TextBoxTrimming.columnTrims(engine, engine.fragments[child.id], size: child.size, in: flow.fragment.box)
    let size = child.size + lead - trims.end
    if flow.followsSpanner {
      appeal = .lastResort
    } else if flow.lines.isEmpty, !flow.hasInFlow {
      // Only floats make it begin below the start of its block.
      appeal = child.start - lead > flow.contentStart ? .perfect : .lastResort
    } else if flow.linesHere < minimum {
      appeal = .violatingOrphansAndWidows
      isCandidate = flow.linesHere == flow.lineNumber
    }
    var position = flow.place.offset + child.start + flow.shift
    if child.start > flow.endOfInFlow.original, let end = floats.ends[flow.place.original + child.start], end >= position {
      // It stands below a float, which was broken.
      position = end
      while case let end = self.end(flow.fragmentainer, flow.place.insets), position > end {
        flow.fragmentainer += 1
        flow.linesHere = 0
      }
    }
    position -= lead
    var opportunity = Opportunity(
      link: child.link, appeal: appeal, unbreakable: size, size: size, isCandidate: isCandidate)
    if lacksWidows, appeal == .perfect {
      // As many lines go on as `orphans` can spare; a break that leaves too few is no worse than others.
      opportunity.appealAsCandidate = .violatingOrphansAndWidows
      let first = flow.lineNumber - flow.lines.count
      let index = max(flow.lineCount - style.widows, flow.lineNumber - flow.linesHere + style.orphans) - first
      if index + first < flow.lineNumber, flow.lines.indices.contains(index) {
        opportunity.fallback = (flow.lines[index].child.link, flow.lines[index].stamp)
      }
    }
    flow.lines.append((child, nodes.count))
    if try breakIfNeeded(opportunity, &position, &flow.fragmentainer, flow.place) {
      flow.linesHere = 0
      position -= trims.start
    }
    position += lead
    var child = child
    if flow.lineNumber + 1 == flow.lineCount { child.size -= trims.end }
    let number = append(unbroken(child, childPlace(position, child, flow)))
    take(child, number, &flow)
    flow.lineNumber += 1
    flow.linesHere += 1
    flow.behind = .auto
  }

  /// The gap above a line that its annotations or an initial letter need: lines do not break there. A gap that ends at a float is not one.
  private func lead(_ child: Child, _ flow: Flow) -> LayoutUnit {
    let gap = child.start - flow.endOfInFlow.original
    guard gap > .zero, flow.floats.isEmpty, floats.ends[flow.place.original + child.start] == nil else { return .zero }
    return gap
  }

  private mutating func placeBlock(_ child: Child, _ piece: Fragment, _ flow: inout Flow) throws {
    let basis = direction.logical(flow.fragment.size).inline
    let between = rules.joined(flow.behind, rules.before(child.id))
    let page = rules.pages.isUsed ? rules.startPage(child.id, outer: flow.place.page) : nil
    let isOtherPage = page.map { $0 != flow.pageBehind ?? $0 } ?? false
    let isForced =
      flow.hasInFlow && (!flow.followsSpanner || flow.isBehindEmptyRun)
      && !(flow.isCollapsed && child.size == .zero && child.start == .zero)
      && (isOtherPage || rules.isForced(between))
    if let repeated = flow.repeated { flow.place.insets = repeated.insets(of: child, flow.outer) }
    let gap = child.start - flow.endOfInFlow.original
    // What is left free above a table's first row belongs to the table's edge.
    let hasGap = !rules.isOfRows(flow.fragment) && gap > rules.startMargin(child.id, basis: basis).clampedToZero
    let isSeparated = flow.hasInFlow && !flow.followsSpanner || hasGap
    // A header is not left alone: it would be in the next part anyway.
    let isKept = !isSeparated || isEmptyRun(child) || flow.repeated.map { $0.header == flow.lastChild && !flow.followsSpanner } ?? false
    var appeal: BreakAppeal = isKept ? .lastResort : rules.avoids(between) ? .violatingAvoid : .perfect
    if let split = flow.splits[child.link], split.isBad(at: flow.splitHere, flow.fragment.style.text) {
      appeal = min(appeal, .violatingOrphansAndWidows)
    }
    var position = flow.place.offset + child.start + flow.shift
    if case let cleared = floats.clearance(piece.style.box.clear), cleared >= position {
      position = cleared
      while case let end = end(flow.fragmentainer, flow.place.insets), position > end {
        flow.fragmentainer += 1
        flow.linesHere = 0
      }
    }
    // What spans the columns has no size in them.
    let isBehind = position >= end(flow.fragmentainer, flow.place.insets)
    let sizeInColumns = isBehind ? sizeBeforeSpanner(child.id) : nil
    let opportunity = Opportunity(
      link: child.link, isForced: isForced, appeal: appeal, unbreakable: rules.isMonolithic(piece) ? child.size : nil,
      size: sizeInColumns ?? child.size, child: sizeInColumns == nil ? child.id : nil,
      isCandidate: flow.splits[child.link]?.continuesLine != true,
      margin: isForced ? rules.startMargin(child.id, basis: basis) : .zero, end: isForced ? endBeforeBreak(flow, basis) : .zero,
      parity: isForced ? BreakRules.parity(between) : nil, page: page)
    let isBehindBreak = try breakIfNeeded(opportunity, &position, &flow.fragmentainer, flow.place)
    if isBehindBreak { (flow.linesHere, flow.splitHere) = (0, 0) }
    let before = flow.fragmentainer
    var place = childPlace(position, child, flow)
    place.isBehindBreak = isBehindBreak || flow.followsSpanner
    let number = try placeChild(child, behind: appeal, place)
    take(child, number, &flow)
    flow.repeated?.note(child, number)
    flow.lastChild = child.id
    if page != nil { flow.pageBehind = rules.endPage(child.id, outer: flow.place.page) }
    if flow.fragmentainer != before { flow.linesHere = 0 }
    if let split = flow.splits[child.link] {
      let isBroken = isBehindBreak || flow.fragmentainer != before
      flow.splitHere = split.continuesLine && isBroken ? 1 : flow.fragmentainer != before ? split.own : flow.splitHere + split.own
    }
    flow.behind = rules.after(child.id)
  }

  /// The margin before a forced break needs room in the flow itself, and where an edge is behind it.
  private func endBeforeBreak(_ flow: Flow, _ basis: LayoutUnit) -> LayoutUnit {
    let hasEdge = flow.fragment.kind == .box && direction.logical(flow.fragment.border + flow.fragment.padding).blockEnd > .zero
    guard flow.place.depth == 0 || hasEdge, let last = flow.lastChild else { return .zero }
    return flow.place.offset + flow.endOfInFlow.placed + rules.endMargin(last, basis: basis)
  }

  /// The block size of what is in a box before the first element in it that spans the columns.
  private func sizeBeforeSpanner(_ id: FragmentID, depth: Int = 0) -> LayoutUnit? {
    let fragment = engine.fragments[id]
    guard depth < Self.maximumNesting, fragment.kind == .box, engine.multiColumnFlows[id] == nil, !rules.isMonolithic(fragment) else {
      return nil
    }
    for child in children(of: id) {
      let piece = engine.fragments[child.id]
      if rules.isSpanner(piece) {
        let margin = Sizing.logicalMargin(piece.style, percentageBasis: spannerInline, in: direction).blockStart
        return (child.start - margin).clampedToZero
      }
      if child.size > .zero { return sizeBeforeSpanner(child.id, depth: depth + 1).map { child.start + $0 } }
    }
    return nil
  }

  private static var maximumNesting: Int { 64 }

  // MARK: Floats

  /// The children with each float behind the line that it stands beside, or the last before it: that says how far it is moved.
  private func withFloatsInPlace(_ children: [Child]) -> [Child] {
    func isFloat(_ child: Child) -> Bool {
      let piece = engine.fragments[child.id]
      return piece.kind == .box && engine.tree[piece.box].isFloating
    }
    guard children.contains(where: isFloat), children.contains(where: { engine.fragments[$0.id].kind == .line }) else { return children }
    var ordered: [Child] = []
    for child in children {
      guard isFloat(child) else {
        ordered.append(child)
        continue
      }
      // Past the lines that begin below it.
      let behind = ordered.reversed().prefix { $0.start > child.start && engine.fragments[$0.id].kind == .line }.count
      ordered.insert(child, at: ordered.count - behind)
    }
    return ordered
  }

  /// Floats break for themselves, parallel to what they float in. https://drafts.csswg.org/css-break-3/#parallel-flows
  private mutating func placeFloat(_ child: Child, _ piece: Fragment, _ flow: inout Flow) throws {
    let outer = levels
    defer { levels = outer }
    levels = [BreakLevel()]
    var fragmentainer = flow.fragmentainer
    var position = flow.place.offset + child.start + flow.shift
    // Not above a float that comes before it, nor beside one that it clears. https://www.w3.org/TR/CSS22/visuren.html#float-rules
    if case let least = max(floats.top, floats.clearance(piece.style.box.clear)), least > position {
      position = least
      while case let end = end(fragmentainer, flow.place.insets), end < .max, position >= end { fragmentainer += 1 }
    }
    let opportunity = Opportunity(
      link: child.link, appeal: .perfect, unbreakable: rules.isMonolithic(piece) ? child.size : nil, size: child.size)
    let isBehindBreak = try breakIfNeeded(opportunity, &position, &fragmentainer, flow.place)
    var place = childPlace(position, child, flow)
    place.isBehindBreak = isBehindBreak
    place.fragmentainer = fragmentainer
    let number = try placeChild(child, behind: .perfect, place)
    flow.take(number, nodes[number], child)
    flow.floats.append((child.end, nodes[number].end))
    floats.take(piece.style.box.float, from: position, to: nodes[number].end)
    floats.noteEnd(flow.place.original + child.end, nodes[number].end)
  }

  // MARK: Spanning elements

  private mutating func placeSpanner(_ child: Child, _ piece: Fragment, _ flow: inout Flow) throws {
    let margin = Sizing.logicalMargin(piece.style, percentageBasis: spannerInline, in: direction)
    let insets = flow.place.insets
    var end = flow.place.offset + child.start + flow.shift - margin.blockStart
    if flow.place.depth > 0, flow.hasInFlow, direction.logical(flow.fragment.border + flow.fragment.padding).blockEnd == .zero {
      // The margin of what is before it is that of the box around them, which goes on behind it.
      end = min(end, flow.place.offset + flow.endOfInFlow.placed)
    }
    if case let bottom = self.end(flow.fragmentainer, insets), !flow.hasInFlow, end > bottom {
      // The start edges of the boxes that it is in find no room.
      record(shortage: end - bottom, in: flow.fragmentainer)
      try preferEarlier(than: .lastResort, flow.fragmentainer)
    }
    var start = start(flow.fragmentainer, insets)
    let isEndless = columns.end(flow.fragmentainer) == .max
    if flow.place.avoids, !isEndless, end > start, flow.place.avoidsFrom > start, !isFollowed(piece) {
      // The columns end inside a box that is not to be broken, and could have ended before it.
      try preferEarlier(than: .perfect, flow.fragmentainer)
      noteViolation(in: flow.fragmentainer)
    }
    if flow.place.avoids, isEndless, isWatched(flow.fragmentainer), flow.place.avoidsFrom >= start {
      findings.tallest = max(findings.tallest, end - flow.place.avoidsFrom)
    }
    let column = flow.fragmentainer
    // It stands below what breaks beside the flow, too, and below what sticks out. Like in browsers, columns with nothing else count as forced.
    if reached.fragmentainer >= flow.fragmentainer {
      // Not so where boxes that are not to be broken were.
      let first = max(flow.fragmentainer, findings.avoidedReach)
      if isWatched(first), first <= reached.fragmentainer {
        findings.forcedBreaks += reached.fragmentainer - first
        if first == flow.fragmentainer { for number in first...reached.fragmentainer { findings.shortages.forget(number) } }
      }
      flow.fragmentainer = reached.fragmentainer
      start = self.start(flow.fragmentainer, insets)
      end = max(end, reached.offset)
    }
    let segment = columns.segment(flow.fragmentainer)
    let isFirst = flow.fragmentainer == 0 || columns.segment(flow.fragmentainer - 1) != segment
    let hasBoxes = flow.place.fragmentainer >= flow.fragmentainer || nodes.last.map { $0.last >= flow.fragmentainer } ?? false
    // Like in browsers, columns with boxes have room for the edges around them, even for those that are elsewhere.
    let hasEdge = hasBoxes && flow.place.edge > .zero
    if hasEdge, isWatched(flow.fragmentainer) { findings.tallest = max(findings.tallest, flow.place.edge) }
    spanners.append(
      Spanner(
        link: child.link, child: child, fragmentainer: flow.fragmentainer, flowEnd: column, start: flow.place.original + child.start,
        end: flow.place.original + child.end, hasContentBefore: !isFirst || end > start || hasEdge,
        hasBoxesBefore: hasBoxes))
    columns.close(flow.fragmentainer, at: max(start, end), isSpanner: true)
    flow.fragmentainer += 1
    flow.shift = self.start(flow.fragmentainer, insets) - flow.place.offset - (child.end + margin.blockEnd)
    // Its end margin is no gap in front of what follows: that begins with its own.
    let behind = child.end + margin.blockEnd
    flow.endOfInFlow = (max(flow.endOfInFlow.original, behind), max(flow.endOfInFlow.placed, behind + flow.shift))
    flow.hasInFlow = true
    flow.isCollapsed = false
    (flow.followsSpanner, flow.isBehindEmptyRun) = (true, false)
    flow.linesHere = 0
    flow.behind = .auto
    flow.outcome.isChanged = true
  }

  /// Like in browsers, where anything follows in the same box, be it out of flow, the break before a spanning element is a forced one.
  private func isFollowed(_ spanner: Fragment) -> Bool {
    let next = engine.tree[spanner.box].nextSibling
    return !next.isNone && !MultiColumnLayout.isSpanner(next, engine)
  }

  // MARK: The end

  private mutating func finish(_ flow: inout Flow) throws -> Outcome {
    for marker in flow.markers { placeMarker(marker, &flow) }
    flow.outcome.last = flow.fragmentainer
    var original = flow.endOfInFlow.original, placed = flow.hasInFlow ? original + flow.shift : flow.endOfInFlow.placed
    if flow.hasInFlow, flow.shift == .zero { placed = flow.endOfInFlow.placed }
    let size = direction.logical(flow.fragment.size).block
    for float in flow.floats where flow.containsFloats && float.original <= size {
      original = max(original, float.original)
      placed = max(placed, float.end - flow.place.offset)
    }
    flow.outcome.required = placed
    flow.outcome.growth = placed - original
    flow.outcome.reach = max(flow.outcome.reach, flow.fragmentainer)
    flow.outcome.endsUnbroken = endsUnbroken(flow)
    flow.outcome.excess = excess(flow)
    for (child, shift) in flow.outOfFlow { try placeOutOfFlow(child, shift, &flow) }
    return flow.outcome
  }

  private mutating func excess(_ flow: Flow) -> Excess {
    var result = Excess()
    for index in flow.outcome.nodes {
      let node = nodes[index]
      if !node.children.isEmpty, node.excess.fragmentainer >= 0 {
        result.total += node.excess.total
        (result.last, result.fragmentainer) = (node.excess.last, node.excess.fragmentainer)
      }
      guard node.children.isEmpty, node.first == node.last else { continue }
      guard node.offset <= start(node.last, flow.place.insets), node.end > end(node.last, flow.place.insets) else { continue }
      let before = node.last == result.fragmentainer ? result.last : .zero
      (result.last, result.fragmentainer) = (max(before, node.end - end(node.last, flow.place.insets)), node.last)
      result.total += result.last - before
    }
    return result
  }

  private mutating func endsUnbroken(_ flow: Flow) -> Bool {
    guard let last = flow.outcome.nodes.last else { return false }
    let node = nodes[last], fragment = engine.fragments[node.fragment]
    let isUnbreakable = rules.isMonolithic(fragment) && !engine.tree[fragment.box].isOutOfFlow && !engine.tree[fragment.box].isFloating
    let edges = direction.logical(flow.fragment.border + flow.fragment.padding).blockSum
    // In a later fragmentainer that of what was laid out says nothing.
    let isFirst = flow.fragmentainer == flow.place.fragmentainer
    // Spanning elements in it do not break what is behind them.
    let isBehindSpanner = node.reach == node.last && isFirstOfSegment(node.last) && node.first < node.last
    let isWhole = node.endsUnbroken || node.first == node.reach || isBehindSpanner
    let size = isFirst ? direction.logical(flow.fragment.size).block - edges : flow.outcome.required - flow.contentStart
    return (isUnbreakable || node.endsUnbroken || node.children.last.map { nodes[$0].end == node.end } ?? false) && isWhole
      && node.end > end(node.last, flow.place.insets)
      && node.end >= flow.place.offset + flow.contentStart + size
  }

  private func isFirstOfSegment(_ number: Int) -> Bool { number > 0 && columns.segment(number - 1) != columns.segment(number) }

  /// Beside the first line.
  private mutating func placeMarker(_ marker: Child, _ flow: inout Flow) {
    let first = flow.firstInFlow.map { nodes[$0] }
    var place = flow.place
    place.offset += marker.start
    if let first { (place.offset, place.fragmentainer) = (first.offset + marker.start - flow.contentStart, first.first) }
    let number = append(node(marker, place))
    flow.take(number, nodes[number], marker)
  }

  private mutating func placeOutOfFlow(_ child: Child, _ shift: LayoutUnit, _ flow: inout Flow) throws {
    let placed = try placePositioned(child, shift, growth: flow.outcome.growth, flow.place)
    flow.take(placed, nodes[placed], child)
  }
}
