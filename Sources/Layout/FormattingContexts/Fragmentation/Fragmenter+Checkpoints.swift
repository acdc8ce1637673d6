internal import OffprintCoreTypes

// The walk may be taken up again where a fragmentainer began.
extension Fragmenter {
  /// What a walk has found so far. What is only added to is a number.
  struct State {
    var nodes: Int
    var moves: Int
    var spanners: Int
    var nested: Int
    var repeated: Int
    var columns: Fragmentainers
    var levels: [BreakLevel]
    var findings: Findings
    var reached: (fragmentainer: Int, offset: LayoutUnit)
    var floats: Floats
  }

  /// Before the child `index` of a flow.
  struct Checkpoint<Flow> {
    var flow: Flow
    var index: Int
    var state: State
  }

  var state: State {
    State(
      nodes: nodes.count, moves: moves.count, spanners: spanners.count, nested: nested.count, repeated: repeated.count,
      columns: columns, levels: levels, findings: findings, reached: reached, floats: floats)
  }

  mutating func restore(_ state: State) {
    // What was too little for the break that is taken back, still is.
    let shortages = findings.shortages
    nodes.removeSubrange(min(state.nodes, nodes.count)...)
    moves.removeSubrange(min(state.moves, moves.count)...)
    spanners.removeSubrange(min(state.spanners, spanners.count)...)
    nested.removeSubrange(min(state.nested, nested.count)...)
    repeated.removeSubrange(min(state.repeated, repeated.count)...)
    columns = state.columns
    levels = state.levels
    findings = state.findings
    findings.shortages = shortages
    reached = state.reached
    floats = state.floats
  }
}
