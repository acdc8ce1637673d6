internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-gaps-1/#layout-painting
extension GridAssembly {
  /// The segments of gaps with rules; nil without rules.
  func gapSegments() -> [GapSegment]? {
    let align = grid.style.align
    guard align.columnRule.isVisible || align.rowRule.isVisible, let columns = grid.positions.columns, let rows = grid.positions.rows else {
      return nil
    }
    var builder = GapBuilder(grid.direction, grid.edges, outer: outer)
    if align.columnRule.isVisible { add(.columns, columns, rows, align.columnRule, to: &builder) }
    if align.rowRule.isVisible { add(.rows, rows, columns, align.rowRule, to: &builder) }
    return builder.segments
  }

  /// - Parameters:
  ///   - tracks: The tracks that the gaps separate.
  ///   - cross: The tracks along the gaps.
  private func add(
    _ axis: GridAxis, _ tracks: GridTrackPositions, _ cross: GridTrackPositions, _ rule: GapRule, to builder: inout GapBuilder
  ) {
    guard tracks.starts.count > 1, !cross.starts.isEmpty, tracks.starts.count * cross.starts.count <= 1_000_000 else { return }
    for gap in 0..<(tracks.starts.count - 1) {
      let visible = visibleCells(axis, gap, cross.starts.count, rule)
      var first: Int?
      func end(_ last: Int) {
        guard let start = first else { return }
        first = nil
        let junctions = (
          start: start > 0 ? cross.gap(before: start) : nil, end: last + 1 < cross.starts.count ? cross.gap(before: last + 1) : nil
        )
        builder.add(
          isColumnRule: axis == .columns, gap: (tracks.starts[gap] + tracks.sizes[gap], tracks.starts[gap + 1]),
          run: (cross.starts[start], cross.starts[last] + cross.sizes[last]), index: gap, of: tracks.starts.count - 1, junctions: junctions)
      }
      for cell in cross.starts.indices {
        if visible[cell] {
          if first == nil { first = cell }
          if rule.breaks == .intersection { end(cell) }
        } else {
          end(cell - 1)
        }
      }
      end(cross.starts.count - 1)
    }
  }

  /// For each cross track, whether the gap has a rule there. Items that span the gap interrupt it, unless rules do not break.
  private func visibleCells(_ axis: GridAxis, _ gap: Int, _ count: Int, _ rule: GapRule) -> [Bool] {
    var spanned = [Bool](repeating: false, count: count), before = spanned, behind = spanned
    for item in grid.items {
      let span = item.spans[axis], cross = item.spans[axis.other].clamped(to: 0..<count)
      for cell in cross {
        if span.contains(gap) { before[cell] = true }
        if span.contains(gap + 1) { behind[cell] = true }
        if span.contains(gap), span.contains(gap + 1) { spanned[cell] = true }
      }
    }
    return (0..<count).map { cell in
      if rule.breaks != .none, spanned[cell] { return false }
      switch rule.visibility {
      case .normal, .all: return true
      case .around: return before[cell] || behind[cell]
      case .between: return before[cell] && behind[cell]
      }
    }
  }
}

extension GridTrackPositions {
  fileprivate func gap(before track: Int) -> LayoutUnit { (starts[track] - starts[track - 1] - sizes[track - 1]).clampedToZero }
}
