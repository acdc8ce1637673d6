internal import OffprintCSS
internal import OffprintCoreTypes

// Where the last lines of the columns stand.
extension ColumnRows {
  /// The lowest of the columns' last baselines, and of those of spanning elements, from the content edge.
  ///
  /// https://drafts.csswg.org/css-align-3/#baseline-export leaves open which column's is meant: browsers take the lowest.
  func lastBaseline(in outer: Fragmenter) -> LayoutUnit? {
    let lines = lines(of: inner.root, in: inner).compactMap(lineBaseline).max()
    let spanning = spanners.compactMap { spanner -> LayoutUnit? in
      self.lines(of: spanner.node, in: outer).compactMap { number -> LayoutUnit? in
        let node = outer.nodes[number]
        return lastBaseline(of: node.fragment, depth: 0).map { node.offset + $0 - contentStart }
      }.max()
    }.max()
    return [lines, spanning].compactMap { $0 }.max()
  }

  /// The in-flow lines and other boxes that have a baseline of their own, as numbers of nodes.
  private func lines(of root: Int, in fragmenter: Fragmenter) -> [Int] {
    var found: [Int] = [], open = [root]
    while let number = open.popLast() {
      guard fragmenter.nodes.indices.contains(number) else { continue }
      let node = fragmenter.nodes[number], fragment = engine.fragments[node.fragment]
      if fragment.kind == .line || (node.children.isEmpty && fragment.baseline != nil) {
        found.append(number)
      } else {
        open += node.children.filter { isInFlow(fragmenter.nodes[$0].fragment) }
      }
    }
    return found
  }

  /// That of the last line in a fragment which was laid out whole, from its block-start edge.
  private func lastBaseline(of id: FragmentID, depth: Int) -> LayoutUnit? {
    let fragment = engine.fragments[id]
    guard fragment.kind == .box, depth < 64 else { return fragment.baseline }
    for link in engine.fragments.children(of: id).reversed() where isInFlow(link.fragment) {
      guard let own = lastBaseline(of: link.fragment, depth: depth + 1) else { continue }
      return flow.direction.logical(link.offset, outer: fragment.size, inner: engine.fragments[link.fragment].size).block + own
    }
    return fragment.baseline
  }

  private func isInFlow(_ id: FragmentID) -> Bool {
    let fragment = engine.fragments[id]
    guard fragment.kind == .box else { return fragment.kind == .line }
    return !engine.tree[fragment.box].isFloating && !engine.tree[fragment.box].isOutOfFlow
  }

  private func lineBaseline(_ number: Int) -> LayoutUnit? {
    let node = inner.nodes[number]
    guard let row = rows.first(where: { $0.columns.contains(node.first) }) else { return nil }
    return engine.fragments[node.fragment].baseline.map {
      row.top - contentStart + node.offset - inner.columns.extent(node.first).start + $0
    }
  }
}
