internal import OffprintCSS
internal import OffprintCoreTypes

/// The header and the footer of a table, which each of its parts has. https://drafts.csswg.org/css-tables-3/#repeated-headers
struct RepeatedRows {
  var header: FragmentID?
  var footer: FragmentID?
  /// What they take of each fragmentainer, with the space between them and the rows.
  var start = LayoutUnit.zero
  var end = LayoutUnit.zero
  /// Between the last row and the footer.
  var gap = LayoutUnit.zero
  /// Nodes.
  var headerNode: Int?
  var footerNode: Int?

  /// What rows keep free.
  func insets(of child: Fragmenter.Child, _ outer: Fragmenter.Insets) -> Fragmenter.Insets {
    var insets = outer
    guard child.id != header, child.id != footer else { return insets }
    insets.start += start
    insets.end += end
    return insets
  }

  mutating func note(_ child: Fragmenter.Child, _ number: Int) {
    if child.id == header { headerNode = number }
    if child.id == footer { footerNode = number }
  }
}

extension Fragmenter {
  /// Like in browsers, headers and footers are repeated that are not to be broken (on pages none is) and take no more than a quarter of the
  /// fragmentainer each.
  func repeatedRows(_ children: [Child], in fragment: Fragment, _ place: Place) -> RepeatedRows? {
    guard fragment.kind == .box, engine.tree[fragment.box].kind == .tableGrid, children.count > 1 else { return nil }
    let extent = columns.extent(place.fragmentainer)
    guard extent.end != .max, place.fragmentainer < place.insets.unbrokenFrom else { return nil }
    let most = (extent.end - extent.start) / 4
    func isRepeated(_ child: Child, _ display: Display) -> Bool {
      let piece = engine.fragments[child.id]
      guard piece.kind == .box, engine.tree[piece.box].kind == .tableRowGroup, piece.style.box.display == display else { return false }
      return (rules.isPaged || rules.avoidsInside(piece)) && child.size > .zero && child.size <= most
    }
    var rows = RepeatedRows()
    if let first = children.first, isRepeated(first, .tableHeaderGroup) {
      rows.header = first.id
      rows.start = children[1].start - first.start
    }
    if let last = children.last, isRepeated(last, .tableFooterGroup), last.id != rows.header {
      rows.footer = last.id
      rows.gap = last.start - children[children.count - 2].end
      rows.end = last.size + rows.gap
    }
    return rows.header == nil && rows.footer == nil ? nil : rows
  }

  /// Where they are in the part of a table that is in a fragmentainer.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func repeatedPieces(of node: Node, in number: Int) throws -> [Piece] {
    guard let index = node.repeated, repeated.indices.contains(index) else { return [] }
    let rows = repeated[index]
    guard let end = try rowsEnd(node, rows, in: number) else { return [] }
    var pieces: [Piece] = []
    if let header = rows.headerNode.map({ nodes[$0] }), header.isWhole, number > header.last {
      let start = columns.extent(number).start + node.insets.start
      pieces.append(Piece(fragment: header.fragment, offset: LogicalOffset(inline: header.inline, block: start), shift: header.shift))
    }
    if let footer = rows.footerNode.map({ nodes[$0] }), footer.isWhole, number < footer.first {
      pieces.append(
        Piece(fragment: footer.fragment, offset: LogicalOffset(inline: footer.inline, block: end + rows.gap), shift: footer.shift))
    }
    return pieces
  }

  /// Where the last row in a fragmentainer ends; nil: there is none.
  private func rowsEnd(_ table: Node, _ rows: RepeatedRows, in number: Int) throws -> LayoutUnit? {
    let extent = columns.extent(number)
    var end: LayoutUnit?
    func note(_ index: Int, depth: Int) throws {
      try engine.tick()
      guard nodes[index].first <= number, nodes[index].last >= number else { return }
      let node = nodes[index]
      guard engine.fragments[node.fragment].kind == .box else { return }
      if node.last == number {
        end = max(end ?? .min, node.end)
      } else if depth == 0, engine.tree[engine.fragments[node.fragment].box].kind == .tableRowGroup {
        for child in node.children { try note(child, depth: 1) }
      } else {
        end = max(end ?? .min, extent.end - node.insets.end)
      }
    }
    for child in table.children where child != rows.headerNode && child != rows.footerNode { try note(child, depth: 0) }
    return end
  }
}
