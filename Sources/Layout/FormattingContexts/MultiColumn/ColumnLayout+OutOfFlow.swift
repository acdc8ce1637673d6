internal import OffprintCoreTypes

// Absolutely positioned boxes in columns. https://drafts.csswg.org/css-position-3/#abspos-layout
extension ColumnLayout {
  /// Lays out the boxes whose containing blocks are in the columns so far: before a spanner, and at the end.
  ///
  /// - Parameter rest: The content after the columns. Boxes that continue there have no final size yet.
  mutating func layoutOutOfFlow(before rest: BreakToken? = nil) throws {
    var columns = placed.indices.filter { placed[$0].isColumn }
    let unfinished = rest?.unfinishedBoxes ?? []
    guard var layout = fragmentedOutOfFlow(columns.map { placed[$0].layout }, except: unfinished) else { return }
    for part in columns {
      placed[part].layout.outOfFlow.removeAll { !$0.fragmentedContainer.isNone && !unfinished.contains($0.fragmentedContainer) }
    }
    let left = try layout.layout()
    layout.addPieces()
    for column in layout.added {
      columns.append(placed.count)
      append(column)
    }
    for item in left where columns.indices.contains(item.fragmentainer) {
      placed[columns[item.fragmentainer]].layout.outOfFlow.append(item.candidate)
    }
  }

  /// Nil if there are no positioned boxes to lay out in the columns.
  func fragmentedOutOfFlow(_ columns: [LayoutResult], except unfinished: Set<BoxID> = []) -> FragmentedOutOfFlow? {
    guard columns.contains(where: { !$0.outOfFlow.isEmpty }) else { return nil }
    var layout = FragmentedOutOfFlow(engine, box, direction, inlineSize: columnSize)
    for column in columns { layout.add(fragmentainer: column, except: unfinished) }
    return layout.isEmpty ? nil : layout
  }

  /// Appends a column with only positioned boxes after the last one.
  private mutating func append(_ column: LayoutResult) {
    guard let last = placed.last(where: \.isColumn) else { return }
    let start = LogicalOffset(inline: last.offset.inline + stride, block: last.offset.block)
    placed.append(Placed(layout: column, offset: start))
    let height = direction.logical(column.size).block
    columnBoxes.append(LogicalRect(offset: start, size: LogicalSize(inline: columnSize, block: height)))
  }

  /// Positioned boxes whose containing block is the container or an ancestor, at offsets from the border edge.
  func outOfFlow(in size: LayoutSize, shift: LayoutUnit) -> [OutOfFlowCandidate] {
    placed.flatMap { part in
      part.layout.outOfFlow.map { candidate in
        var candidate = candidate
        candidate.staticPosition += origin(part, in: size, shift: shift)
        return candidate
      }
    }
  }
}

extension BreakToken {
  /// The boxes that end in another fragmentainer.
  fileprivate var unfinishedBoxes: Set<BoxID> {
    var result: Set<BoxID> = [], waiting = [self]
    while let token = waiting.popLast() {
      if token.isInside, !token.isAtBlockEnd { result.insert(token.box) }
      waiting += token.children
    }
    return result
  }
}
