internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-gaps-1/#layout-painting
extension FlexContainer {
  /// The segments of gaps with rules; nil without rules.
  func gapSegments(outer: LayoutSize) -> [GapSegment]? {
    let align = style.align
    guard align.columnRule.isVisible || align.rowRule.isVisible, !lines.isEmpty else { return nil }
    let (main, cross) = isColumn ? (align.rowRule, align.columnRule) : (align.columnRule, align.rowRule)
    var builder = GapBuilder(direction, edges, outer: outer)
    if main.isVisible { addMainGaps(to: &builder) }
    if cross.isVisible { addCrossGaps(cross, to: &builder) }
    return builder.segments
  }

  /// Adds the gaps between the items of each line, with the line's cross size.
  private func addMainGaps(to builder: inout GapBuilder) {
    for (number, line) in lines.enumerated() {
      let gaps = mainGaps(line), run = flowed(line.crossOffset, line.crossOffset + line.cross, size: crossSize, isReversed: isCrossReversed)
      let isFirst = number == 0, isLast = number == lines.count - 1
      let near: LayoutUnit? = isFirst ? nil : crossGap, far: LayoutUnit? = isLast ? nil : crossGap
      for (index, gap) in gaps.enumerated() {
        builder.add(
          isColumnRule: !isColumn, gap: gap, run: run, index: isMainReversed ? gaps.count - 1 - index : index, of: gaps.count,
          junctions: isCrossReversed ? (far, near) : (near, far))
      }
    }
  }

  /// Adds the gaps between lines, with the container's main size.
  private func addCrossGaps(_ rule: GapRule, to builder: inout GapBuilder) {
    for (index, (line, next)) in zip(lines, lines.dropFirst()).enumerated() {
      let gap = flowed(line.crossOffset + line.cross, next.crossOffset, size: crossSize, isReversed: isCrossReversed)
      let holes = rule.breaks == .intersection ? merged(mainGaps(line) + mainGaps(next)) : []
      var start = LayoutUnit.zero, before: LayoutUnit?
      let number = isCrossReversed ? lines.count - 2 - index : index
      for hole in holes {
        builder.add(
          isColumnRule: isColumn, gap: gap, run: (start, hole.start), index: number, of: lines.count - 1,
          junctions: (before, hole.end - hole.start))
        (start, before) = (hole.end, hole.end - hole.start)
      }
      builder.add(
        isColumnRule: isColumn, gap: gap, run: (start, mainSize), index: number, of: lines.count - 1, junctions: (before, nil))
    }
  }

  /// The spaces between the margin boxes of a line's items, in axis order.
  private func mainGaps(_ line: FlexLine) -> [(start: LayoutUnit, end: LayoutUnit)] {
    let inner = items[line.items]
    let gaps = zip(inner, inner.dropFirst()).map { a, b in
      flowed(
        a.mainOffset + a.main + a.margin.mainEnd, b.mainOffset - b.margin.mainStart, size: mainSize, isReversed: isMainReversed)
    }
    return isMainReversed ? gaps.reversed() : gaps
  }

  private func flowed(_ start: LayoutUnit, _ end: LayoutUnit, size: LayoutUnit, isReversed: Bool) -> (start: LayoutUnit, end: LayoutUnit) {
    isReversed ? (size - end, size - start) : (start, end)
  }

  private func merged(_ ranges: [(start: LayoutUnit, end: LayoutUnit)]) -> [(start: LayoutUnit, end: LayoutUnit)] {
    var result: [(start: LayoutUnit, end: LayoutUnit)] = []
    for range in ranges.sorted(by: { $0.start < $1.start }) {
      if let last = result.last, range.start <= last.end {
        result[result.count - 1].end = max(last.end, range.end)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
