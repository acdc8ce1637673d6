internal import OffprintCSS
internal import OffprintCoreTypes

extension Fragmenter {
  /// Where the floats of a block formatting context went.
  struct Floats {
    /// Where the last one begins.
    private(set) var top = LayoutUnit.min
    private var left = LayoutUnit.min
    private var right = LayoutUnit.min

    /// Where a box must begin that clears them.
    func clearance(_ value: Clear) -> LayoutUnit {
      switch value {
      case .none: .min
      case .left: left
      case .right: right
      default: max(left, right)
      }
    }

    /// By where they end in the unbroken flow: where they end.
    private(set) var ends: [LayoutUnit: LayoutUnit] = [:]

    mutating func noteEnd(_ original: LayoutUnit, _ end: LayoutUnit) { ends[original] = max(ends[original] ?? end, end) }

    mutating func take(_ side: Float_, from start: LayoutUnit, to end: LayoutUnit) {
      top = max(top, start)
      if side == .right { right = max(right, end) } else { left = max(left, end) }
    }
  }

  /// How far down the contents go in each fragmentainer from `first` on, with what sticks out of its parent, but for what that clips.
  func reaches(from first: Int) -> [LayoutUnit] {
    guard nodes.indices.contains(root), nodes[root].reach >= first else { return [] }
    var ends = Array(repeating: LayoutUnit.min, count: nodes[root].reach - first + 1)
    note(root, from: first, &ends)
    return ends
  }

  private func note(_ index: Int, from first: Int, _ ends: inout [LayoutUnit]) {
    let node = nodes[index]
    guard node.reach >= first else { return }
    if node.size > .zero || index == root, ends.indices.contains(node.last - first) {
      ends[node.last - first] = max(ends[node.last - first], node.end)
    }
    guard index == root || !rules.clips(engine.fragments[node.fragment]) else { return }
    for child in node.children { note(child, from: first, &ends) }
    if let rows = node.rows {
      for spanner in nested[rows].spanners { note(spanner.node, from: first, &ends) }
    } else if let flow = engine.multiColumnFlows[node.fragment], ends.indices.contains(node.last - first) {
      ends[node.last - first] = max(ends[node.last - first], node.offset + flow.reach)
    }
  }

  /// How far down a box and what sticks out of it go, but for what is clipped.
  func lowestEnd(_ index: Int) -> LayoutUnit {
    guard nodes.indices.contains(index) else { return .zero }
    let node = nodes[index]
    guard !rules.clips(engine.fragments[node.fragment]) else { return node.end }
    return node.children.reduce(node.end) { max($0, lowestEnd($1)) }
  }
}
