internal import OffprintCSS
internal import OffprintCoreTypes

// Makes the fragments of one fragmentainer.
extension Fragmenter {
  /// A fragment, or a part of one. `offset.block` counts from the flow's start.
  struct Piece {
    var fragment: FragmentID
    var offset: LogicalOffset
    var shift: LayoutPoint
  }

  /// What stands in a fragmentainer.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func pieces(in number: Int) throws -> [Piece] {
    nodes.indices.contains(root) ? try pieces(of: nodes[root], in: number) : []
  }

  /// Asks all children of a box, of which most are in other fragmentainers.
  private func pieces(of node: Node, in number: Int) throws -> [Piece] {
    try node.children.compactMap { index in
      try engine.tick()
      return try piece(index, in: number)
    }
  }

  func piece(_ index: Int, in number: Int) throws -> Piece? {
    // Nodes are large: one that is elsewhere is not copied.
    guard number >= nodes[index].first, number <= nodes[index].reach else { return nil }
    let node = nodes[index]
    // Pages lie end to end: what is not broken is on all that it reaches over.
    if rules.isPaged, node.isWhole, number != node.first { return nil }
    if node.isWhole || (node.children.isEmpty && node.rows == nil && node.first == node.reach && unchanged(node)) {
      return Piece(fragment: node.fragment, offset: LogicalOffset(inline: node.inline, block: node.offset), shift: node.shift)
    }
    let extent = columns.extent(number)
    let isUnbroken = extent.end == .max || number >= node.insets.unbrokenFrom
    let start = extent.start + node.insets.start, gap = number == node.gapFragmentainer ? node.endGap : .zero
    let end = isUnbroken ? node.end : extent.end - node.insets.end - gap
    let from = number == node.first ? min(node.offset, max(end, start)) : start
    // It may end before the columns in which the spanning elements in it stand.
    let isEnded = node.end < end && node.follow > node.end && node.gapFragmentainer < 0
    var to = number == node.last || isEnded ? max(from, node.end + node.endBeyond) : number < node.last ? max(from, end) : from
    // The start edge is not broken, nor what is in it and sticks out.
    if !isEnded, number < node.last, number >= node.first, node.endGap == .zero || number != node.gapFragmentainer {
      if number == node.first { to = max(to, node.offset + startEdge(node)) }
      to = max(to, try lowestEnd(node, number))
    }
    if number < node.last, !isEnded, endsWithContents(node, number) { to = try contentEnd(node, number, from: from) ?? to }
    return Piece(
      fragment: try part(node, number, from: from, to: to), offset: LogicalOffset(inline: node.inline, block: from), shift: node.shift)
  }

  /// Of what ends in a fragmentainer: what cannot be broken sticks out of it, with the boxes around it.
  private func lowestEnd(_ node: Node, _ number: Int) throws -> LayoutUnit {
    try node.children.reduce(.min) { end, index in
      try engine.tick()
      guard nodes[index].first <= number, nodes[index].last >= number else { return end }
      return max(end, nodes[index].last == number ? nodes[index].end : try lowestEnd(nodes[index], number))
    }
  }

  /// Before a spanning element parts of boxes are as long as their contents, and those of groups of rows that are broken between rows always.
  private func endsWithContents(_ node: Node, _ number: Int) -> Bool {
    if columns.segment(number) != columns.segment(number + 1) { return number + 1 <= node.last && !columns.isLastKnown(number) }
    let segment = columns.segment(number)
    if spanners.indices.contains(segment), columns.segment(node.last) > segment, number >= spanners[segment].flowEnd { return true }
    let fragment = engine.fragments[node.fragment]
    guard fragment.kind == .box, engine.tree[fragment.box].kind == .tableRowGroup else { return false }
    return node.children.allSatisfy { nodes[$0].last <= number || nodes[$0].first > number }
  }

  private func contentEnd(_ node: Node, _ number: Int, from: LayoutUnit) throws -> LayoutUnit? {
    var end: LayoutUnit?
    for index in node.children {
      try engine.tick()
      guard nodes[index].first <= number, nodes[index].reach >= number else { continue }
      let child = nodes[index]
      let piece = engine.fragments[child.fragment]
      guard piece.kind != .box || !engine.tree[piece.box].isOutOfFlow else { continue }
      // One that goes on behind the spanning element ends as this one does.
      let own = child.last > number ? try contentEnd(child, number, from: max(from, child.offset)) : child.end
      if let own { end = max(end ?? own, own) }
    }
    let edge = number == node.first ? node.offset + startEdge(node) : from
    return end.map { max($0, edge) } ?? edge
  }

  private func startEdge(_ node: Node) -> LayoutUnit {
    let fragment = engine.fragments[node.fragment]
    return fragment.kind == .box ? direction.logical(fragment.border + fragment.padding).blockStart : .zero
  }

  private func unchanged(_ node: Node) -> Bool { direction.logical(engine.fragments[node.fragment].size).block == node.size }

  private func part(_ node: Node, _ number: Int, from: LayoutUnit, to: LayoutUnit) throws -> FragmentID {
    let whole = engine.fragments[node.fragment]
    var part = whole
    part.size = direction.physical(LogicalSize(inline: direction.logical(whole.size).inline, block: to - from))
    cutEdges(&part, node, number)
    if node.first < node.last, whole.style.box.boxDecorationBreak == .slice {
      part.slice = FragmentSlice(
        before: (from - node.offset).clampedToZero, after: (node.end - to).clampedToZero, border: whole.border, padding: whole.padding)
    }
    part.overflow = LayoutRect(origin: .zero, size: part.size)
    if whole.collapsedBorders >= 0 { part.collapsedBorders = try collapsedBorders(of: node, whole, in: number, from: from) }
    var links: [FragmentLink] = []
    if let rows = node.rows {
      let start = nested[rows].contentStart - from
      let inline = direction.logical(whole.border + whole.padding).inlineStart
      links = try nested[rows].links(in: number, of: self, size: part.size, from: LogicalOffset(inline: inline, block: start))
      part.columns = engine.fragments.add(
        columns: nested[rows].rects(in: number, size: part.size, from: LogicalOffset(inline: inline, block: start)))
    } else {
      links = (try repeatedPieces(of: node, in: number) + pieces(of: node, in: number)).map { piece in
        link(piece, in: part.size, by: LogicalOffset(block: .zero - from))
      }
    }
    return engine.append(part, children: links)
  }

  func link(_ piece: Piece, in size: LayoutSize, by move: LogicalOffset) -> FragmentLink {
    let inner = engine.fragments[piece.fragment].size
    return FragmentLink(
      fragment: piece.fragment, offset: direction.physical(piece.offset + move, outer: size, inner: inner) + piece.shift)
  }

  /// https://drafts.csswg.org/css-break-3/#break-decoration
  private func cutEdges(_ part: inout Fragment, _ node: Node, _ number: Int) {
    guard part.style.box.boxDecorationBreak == .slice else { return }
    var border = direction.logical(part.border), padding = direction.logical(part.padding)
    if number > node.first {
      border.blockStart = .zero
      padding.blockStart = .zero
    }
    if number != node.last {
      border.blockEnd = .zero
      padding.blockEnd = .zero
    }
    part.border = direction.physical(border)
    part.padding = direction.physical(padding)
  }
}
