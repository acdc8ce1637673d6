internal import CSS
internal import CoreTypes

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
  }

  private static let maximumDepth = 400

  /// Puts a child where `place` says.
  mutating func placeChild(_ child: Child, _ place: Place, isItem: Bool = false) throws -> Int {
    try engine.tick()
    let fragment = engine.fragments[child.id]
    if rules.isMonolithic(fragment) || place.depth >= Self.maximumDepth { return append(node(child, place)) }
    if let flow = engine.multiColumnFlows[child.id] {
      let end = end(place.fragmentainer, place.insets)
      let fits = end == .max || place.offset + child.size <= end
      if fits || !engine.mayWalkFlows { return append(node(child, place)) }
      return try placeColumns(flow, child, fragment, place)
    }
    return try placeBox(child, fragment, place, isItem: isItem)
  }

  func node(_ child: Child, _ place: Place) -> Node {
    Node(
      fragment: child.id, inline: child.inline, shift: child.shift, offset: place.offset, size: child.size, first: place.fragmentainer,
      last: place.fragmentainer, reach: place.fragmentainer, follow: place.offset + child.size, insets: place.insets)
  }

  private func inner(_ place: Place, _ fragment: Fragment, _ edges: LogicalEdges) -> Place {
    var inner = place
    inner.depth += 1
    inner.avoids = place.avoids || BreakRules.avoidsInside(fragment)
    if fragment.style.box.boxDecorationBreak == .clone {
      inner.insets.start += edges.blockStart
      inner.insets.end += edges.blockEnd
    }
    return inner
  }

  private mutating func placeBox(_ child: Child, _ fragment: Fragment, _ place: Place, isItem: Bool) throws -> Int {
    let edges = direction.logical(fragment.border + fragment.padding)
    let inner = inner(place, fragment, edges)
    let list = children(of: child.id)
    let outcome =
      rules.isParallel(fragment)
      ? try placeRows(list, in: fragment, inner, contentStart: edges.blockStart)
      : try placeFlow(list, in: fragment, inner, contentStart: edges.blockStart)
    var node = node(child, place)
    node.size = usedSize(child, fragment, outcome, edges, isItem: isItem)
    if inner.insets.end > place.insets.end, outcome.last > place.fragmentainer, !hasOwnSize(fragment) {
      // The edges that are repeated take room in each fragment.
      node.size = max(node.size, outcome.required + edges.blockEnd)
    }
    node.follow = node.end
    node.size = max(node.size, edges.blockSum)
    node.children = outcome.nodes
    try end(&node, fragment, outcome, inner, place)
    node.reach = max(node.last, outcome.reach)
    node.isWhole = !outcome.isChanged && node.size == child.size && node.first == node.reach
    return append(node)
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
  private mutating func end(_ node: inout Node, _ fragment: Fragment, _ outcome: Outcome, _ inner: Place, _ place: Place) throws {
    if outcome.endsUnbroken {
      // What is as long as what cannot be broken in it ends with that.
      node.last = outcome.last
      return
    }
    if hasOwnSize(fragment), inner.insets.end > place.insets.end || inner.insets.start > place.insets.start {
      // Each fragment has edges of its own.
      let edges = inner.insets.start - place.insets.start + inner.insets.end - place.insets.end
      while case let end = end(node.last, place.insets), node.end > end, edges < end - start(node.last, place.insets) {
        node.last += 1
        node.size += edges
      }
      node.follow = node.end
    } else {
      node.last = advance(from: place.fragmentainer, to: node.end, place.insets, recordingFrom: outcome.last)
    }
    if node.last > outcome.last, inner.avoids, outcome.last == place.fragmentainer {
      try preferEarlier(than: .violatingAvoid, own: place.avoids ? .perfect : .violatingAvoid, outcome.last)
      if isWatched(outcome.last) { findings.hasViolation = true }
    }
    if !hasOwnSize(fragment) { node.last = max(node.last, outcome.last) }
    try keepEndEdge(node, fragment, outcome)
  }

  /// Between the last child and the end edge of its parent there is no break opportunity, unless space is left there.
  /// https://drafts.csswg.org/css-break-3/#possible-breaks
  private mutating func keepEndEdge(_ node: Node, _ fragment: Fragment, _ outcome: Outcome) throws {
    let edge = direction.logical(fragment.border + fragment.padding).blockEnd
    guard node.last > outcome.last, edge > .zero, !outcome.nodes.isEmpty, node.size <= outcome.required + edge else { return }
    try preferEarlier(than: .lastResort, own: .lastResort, outcome.last)
    if isWatched(outcome.last) { findings.hasViolation = true }
  }

  private func usedSize(_ child: Child, _ fragment: Fragment, _ outcome: Outcome, _ edges: LogicalEdges, isItem: Bool) -> LayoutUnit {
    guard !hasOwnSize(fragment), outcome.growth != .zero else { return child.size }
    if isItem || engine.tree[fragment.box].kind == .tableCell { return max(child.size, outcome.required + edges.blockEnd) }
    if case .value(let minimum) = Sizing.LogicalSizes(fragment.style).minBlock, minimum.resolveIfDefinite(nil) ?? .epsilon > .zero {
      return max(child.size, outcome.required + edges.blockEnd)
    }
    return min(child.size + outcome.growth, max(child.size, maximum(fragment, edges)))
  }

  // MARK: Multi-column containers inside

  private mutating func placeColumns(_ flow: MultiColumnFlow, _ child: Child, _ fragment: Fragment, _ place: Place) throws -> Int {
    let edges = direction.logical(fragment.border + fragment.padding)
    var inner = inner(place, fragment, edges)
    inner.offset = place.offset + edges.blockStart
    while case let end = end(inner.fragmentainer, inner.insets), inner.offset > end { inner.fragmentainer += 1 }
    var rows = ColumnRows(engine, flow)
    try rows.layout(in: &self, inner)
    var node = node(child, place)
    let block = rows.used + edges.blockSum
    node.size = flow.isDefinite ? child.size : max(flow.limits.min, min(flow.limits.max, block))
    node.follow = node.end
    node.last = advance(from: place.fragmentainer, to: node.end, place.insets, recordingFrom: rows.last)
    node.reach = max(node.last, rows.reach(in: self))
    node.isWhole = node.size == child.size && node.first == node.reach && rows.isUnbroken
    node.rows = nested.count
    nested.append(rows)
    return append(node)
  }
}
