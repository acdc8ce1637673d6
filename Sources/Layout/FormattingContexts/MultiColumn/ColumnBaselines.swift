internal import OffprintCSS
internal import OffprintCoreTypes

// Where the last lines of the columns stand.
extension ColumnRows {
  /// The lowest of the columns' last baselines, and of those of spanning elements, from the content edge.
  ///
  /// https://drafts.csswg.org/css-align-3/#baseline-export leaves open which column's is meant: browsers take the lowest.
  func lastBaseline(in outer: Fragmenter) -> LayoutUnit? {
    let lines = lines(of: inner.root).compactMap(lineBaseline).max()
    let spanning = spanners.compactMap { spanner -> LayoutUnit? in
      guard outer.nodes.indices.contains(spanner.node) else { return nil }
      let node = outer.nodes[spanner.node]
      return engine.fragments[node.fragment].baseline.map { node.offset + $0 - contentStart }
    }.max()
    return [lines, spanning].compactMap { $0 }.max()
  }

  /// The in-flow lines and other boxes that have a baseline of their own, as numbers of nodes.
  private func lines(of root: Int) -> [Int] {
    var found: [Int] = [], open = [root]
    while let number = open.popLast() {
      guard inner.nodes.indices.contains(number) else { continue }
      let node = inner.nodes[number], fragment = engine.fragments[node.fragment]
      if fragment.kind == .line || (node.children.isEmpty && fragment.baseline != nil) {
        found.append(number)
      } else {
        open += node.children.filter { isInFlow(inner.nodes[$0].fragment) }
      }
    }
    return found
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
