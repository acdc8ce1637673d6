internal import OffprintCSS
internal import OffprintCoreTypes

// The initial height of balanced columns. https://drafts.csswg.org/css-multicol-1/#column-balancing
extension ColumnLayout {
  /// Content between two forced breaks.
  private struct Run {
    var size: LayoutUnit
    var columns = 1

    /// The height of a column, rounded up so that the columns hold all of the content.
    var height: LayoutUnit {
      let count = Int64(max(1, columns))
      return LayoutUnit(raw: Int32(clamping: (Int64(size.raw) + count - 1) / count))
    }
  }

  /// Measures the content up to the next spanner by laying it out in one column of unlimited height.
  mutating func contentHeight(
    at offset: LayoutUnit, _ outer: LayoutUnit?, _ token: BreakToken?, balances: Bool
  ) throws -> LayoutUnit {
    spanner = .none
    var runs = try measure(token)
    if !spanner.isNone, runs.count > 1 {
      // Before the spanner was known, content of parallel flows was not kept before it.
      runs = try measure(token)
    }
    if builder?.space?.isMeasuringColumns == true { builder?.note(unbreakable: tallestUnbreakable) }
    let tallest = runs.reduce(LayoutUnit.zero) { max($0, $1.size) }
    guard tallestUnbreakable < tallest else { return constrained(tallestUnbreakable, at: offset, outer) }
    if balances { distribute(&runs) }
    return constrained(runs.reduce(.zero) { max($0, $1.height) }, at: offset, outer)
  }

  private mutating func measure(_ token: BreakToken?) throws -> [Run] {
    var runs: [Run] = [], next = token
    tallestUnbreakable = .zero
    repeat {
      try engine.check()
      let column = try layoutColumn(next, nil, isBalanced: true, minimum: .lastResort)
      guard let breaking = column.breaking else { break }
      runs.append(Run(size: max(breaking.blockSize, direction.logical(column.size).block)))
      tallestUnbreakable = max(tallestUnbreakable, breaking.tallestUnbreakable)
      if !breaking.spanner.isNone {
        spanner = breaking.spanner
        break
      }
      next = breaking.token
    } while next != nil
    return runs
  }

  /// Distributes the remaining columns as soft breaks to the runs with the highest columns.
  private func distribute(_ runs: inout [Run]) {
    guard runs.count < count else { return }
    for _ in runs.count..<count {
      guard let tallest = runs.indices.max(by: { runs[$0].height < runs[$1].height }) else { return }
      runs[tallest].columns += 1
    }
  }

  /// Clamps a column height: at least the unbreakable content, and at most the container and the outer fragmentainer.
  func constrained(_ size: LayoutUnit, at offset: LayoutUnit, _ outer: LayoutUnit?) -> LayoutUnit {
    var size = max(size, tallestUnbreakable)
    if let outer { size = min(size, outer) }
    if let rowEnd { size = min(size, (rowEnd - offset).clampedToZero) }
    // The table determines the size of a cell.
    guard engine.tree[box].kind != .tableCell else { return size }
    let range = Sizing.explicitMinMaxBlock(engine, box, input, edges: edges)
    let used = edges.blockSum + (builder?.consumedBefore ?? .zero) + offset - (rowSize == nil ? startEdge : rowStart)
    var limit = range.max
    if let definite, definite + edges.blockSum > used || !isByRatio { limit = min(limit, definite + edges.blockSum) }
    limit = max(limit, range.min)
    return limit == .max ? size : min(size, (limit - used).clampedToZero)
  }

  /// In Chromium, an aspect ratio that leaves no space for content does not limit the height.
  private var isByRatio: Bool {
    Sizing.blockExtent(engine, box, input, edges: edges, contentBlock: .zero, inlineSize: inlineSize).fixed == nil
  }
}
