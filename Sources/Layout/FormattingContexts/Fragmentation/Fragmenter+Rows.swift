internal import OffprintCSS
internal import OffprintCoreTypes

// Children side by side: flex and grid items, the cells of a row.
extension Fragmenter {
  /// How the children of one row, or of all, end.
  private struct Row {
    var delta = LayoutUnit.zero
    var fragmentainer: Int
  }

  /// Items that end before others begin are above them; what they grow by moves those. Between rows is a break opportunity.
  mutating func placeRows(_ children: [Child], in fragment: Fragment, _ place: Place, contentStart: LayoutUnit) throws -> Outcome {
    var outcome = Outcome(last: place.fragmentainer, reach: place.fragmentainer)
    var start = place.fragmentainer
    while case let end = end(start, place.insets), place.offset + contentStart > end { start += 1 }
    let items = children.filter { !engine.tree[engine.fragments[$0.id].box].isOutOfFlow }
    let isRow = engine.tree[fragment.box].kind == .tableRow
    let flex = fragment.style.align.flexDirection
    let isColumnFlex = engine.tree[fragment.box].kind == .flexContainer && (flex == .column || flex == .columnReverse)
    var required = contentStart, original = contentStart
    for line in lines(items, of: fragment) {
      var row = Row(fragmentainer: start)
      var behind = BreakBetween.auto
      let groups = isColumnFlex ? column(line, fragment) : groups(line)
      for (index, group) in groups.enumerated() {
        behind = try placeGroup(group, index, behind, &row, isRow ? direction.logical(fragment.size).block : nil, place, &outcome)
      }
      outcome.last = max(outcome.last, row.fragmentainer)
      let end = line.reduce(contentStart) { max($0, isRow ? min($1.end, direction.logical(fragment.size).block) : $1.end) }
      original = max(original, end)
      required = max(required, end + row.delta)
    }
    outcome.required = required
    outcome.growth = required - original
    outcome.reach = max(outcome.reach, outcome.last)
    // What cannot be broken in an item sticks out of its fragmentainer, and the item, and the row with it.
    outcome.endsUnbroken = outcome.nodes.contains { index in
      let node = nodes[index]
      return node.end == place.offset + required && node.first == node.reach && node.last == outcome.last
        && node.end > end(node.last, place.insets)
    }
    for child in children where engine.tree[engine.fragments[child.id].box].isOutOfFlow {
      let number = try placePositioned(child, .zero, growth: outcome.growth, place)
      take(number, child, place, &outcome)
    }
    return outcome
  }

  private func take(_ number: Int, _ child: Child, _ place: Place, _ outcome: inout Outcome) {
    let node = nodes[number]
    outcome.nodes.append(number)
    outcome.reach = max(outcome.reach, node.reach)
    if !node.isWhole || node.offset - place.offset != child.start { outcome.isChanged = true }
  }

  /// The lines of a flex container whose main axis is the block axis stand side by side.
  private func lines(_ items: [Child], of fragment: Fragment) -> [[Child]] {
    let flex = fragment.style.align.flexDirection
    guard engine.tree[fragment.box].kind == .flexContainer, flex == .column || flex == .columnReverse,
      fragment.style.align.flexWrap != .nowrap
    else { return [items] }
    var lines: [[Child]] = []
    for item in items {
      let isNext = lines.last?.last.map { flex == .column ? item.start < $0.start : item.start > $0.start } ?? true
      if isNext { lines.append([item]) } else { lines[lines.count - 1].append(item) }
    }
    return lines
  }

  /// The items of a line in the block axis, one after the other.
  private func column(_ line: [Child], _ fragment: Fragment) -> [[Child]] {
    let items = line.map { [$0] }
    return fragment.style.align.flexDirection == .columnReverse ? items.reversed() : items
  }

  /// Items that overlap in the block axis, in order.
  private func groups(_ items: [Child]) -> [[Child]] {
    var groups: [[Child]] = []
    var end = LayoutUnit.min
    for item in items.enumerated().sorted(by: { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }).map(\.element) {
      if groups.isEmpty || item.start >= end && !(groups.last?.first?.start == item.start) {
        groups.append([item])
      } else {
        groups[groups.count - 1].append(item)
      }
      end = max(end, item.end)
    }
    return groups
  }

  /// - Parameter limit: Where a table row ends; cells that span more rows reach further.
  private mutating func placeGroup(
    _ group: [Child], _ index: Int, _ behind: BreakBetween, _ row: inout Row, _ limit: LayoutUnit?, _ place: Place,
    _ outcome: inout Outcome
  ) throws -> BreakBetween {
    guard let first = group.first else { return behind }
    let between = group.reduce(behind) { rules.joined($0, rules.before($1.id)) }
    let start = first.start, end = group.reduce(start) { max($0, $1.end) }
    var position = place.offset + start + row.delta, number = row.fragmentainer
    let isForced = index > 0 && rules.isForced(between)
    let appeal: BreakAppeal = index == 0 ? .lastResort : rules.avoids(between) ? .violatingAvoid : .perfect
    let opportunity = Opportunity(
      link: first.link, isForced: isForced, appeal: appeal, size: end - start,
      margin: isForced ? rules.startMargin(first.id, basis: .zero) : .zero, parity: isForced ? BreakRules.parity(between) : nil)
    _ = try breakIfNeeded(opportunity, &position, &number, place)
    let delta = position - place.offset - start
    let result = try placeItems(group, Row(delta: delta, fragmentainer: number), limit, place, &outcome)
    stretch(group, outcome.nodes.suffix(group.count), end: place.offset + end + result.delta, original: end, place, &outcome)
    row = result
    return group.reduce(BreakBetween.auto) { rules.joined($0, rules.after($1.id)) }
  }

  private mutating func placeItems(
    _ group: [Child], _ row: Row, _ limit: LayoutUnit?, _ place: Place, _ outcome: inout Outcome
  ) throws -> Row {
    let outer = levels
    defer { levels = outer }
    var done: [(end: LayoutUnit, delta: LayoutUnit, last: Int)] = []
    for child in group {
      levels = outer
      var above: Row?
      for item in done where item.end <= child.start {
        above = Row(delta: max(above?.delta ?? item.delta, item.delta), fragmentainer: max(above?.fragmentainer ?? 0, item.last))
      }
      let begin = above ?? row
      let piece = engine.fragments[child.id]
      var position = place.offset + child.start + begin.delta, number = begin.fragmentainer
      let unbreakable = rules.isMonolithic(piece) ? child.size : nil
      let opportunity = Opportunity(
        link: child.link, appeal: done.isEmpty ? .lastResort : .perfect, unbreakable: unbreakable, size: child.size,
        isCandidate: above != nil)
      var inner = place
      inner.isBehindBreak = try breakIfNeeded(opportunity, &position, &number, place)
      (inner.offset, inner.fragmentainer, inner.original) = (position, number, place.original + child.start)
      levels.append(BreakLevel(avoids: rules.avoidsInside(piece), fragmentainer: number))
      let node = try placeChild(child, inner, isItem: true)
      take(node, child, place, &outcome)
      moves.append(Move(original: inner.original, offset: position, fragmentainer: number, box: piece.box))
      done.append((child.end, nodes[node].follow - place.offset - child.end, nodes[node].last))
    }
    let counted = limit.map { limit in done.filter { $0.end <= limit } } ?? done
    guard let first = counted.first else { return row }
    return counted.reduce(into: Row(delta: first.delta, fragmentainer: first.last)) { result, item in
      result.delta = max(result.delta, item.delta)
      result.fragmentainer = max(result.fragmentainer, item.last)
    }
  }

  /// Items that reached to the end of their row still do.
  private mutating func stretch(
    _ group: [Child], _ placed: ArraySlice<Int>, end: LayoutUnit, original: LayoutUnit, _ place: Place, _ outcome: inout Outcome
  ) {
    for (child, number) in zip(group, placed) where child.end == original && nodes[number].end < end {
      let fragment = engine.fragments[child.id]
      guard !rules.isMonolithic(fragment), nodes[number].rows == nil,
        Sizing.LogicalSizes(fragment.style).block.isAuto || engine.tree[fragment.box].kind == .tableCell
      else { continue }
      nodes[number].size = end - nodes[number].offset
      nodes[number].follow = end
      nodes[number].last = advance(from: nodes[number].last, to: end, place.insets, recordingFrom: .max)
      nodes[number].reach = max(nodes[number].reach, nodes[number].last)
      nodes[number].isWhole = false
      outcome.reach = max(outcome.reach, nodes[number].reach)
      outcome.isChanged = true
    }
  }
}
