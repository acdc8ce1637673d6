internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-flexbox-1/#pagination
extension FlexContainer {
  /// The rows of a container to be fragmented: its lines or, in a column container, the items.
  func fragmentedRows() throws -> FragmentedRows {
    let inner = isColumn ? LogicalSize(inline: crossSize, block: mainSize) : LogicalSize(inline: mainSize, block: crossSize)
    let logical = LogicalSize(inline: inlineSize ?? inner.inline + edges.inlineSum, block: inner.block + edges.blockSum)
    let outer = direction.physical(logical), content = direction.physical(inner)
    let rows = isColumn ? columnRows(content) : lineRows(content)
    rows.container = .flex
    rows.containedBlock = Sizing.containedBlock(style)
    (rows.firstBaseline, rows.lastBaseline) = containerBaselines(logical.block)
    (rows.gaps, rows.unfragmentedSize) = (gapSegments(outer: outer) ?? [], outer)
    for child in outOfFlow {
      let candidate = candidate(child, inner: inner, outer: outer)
      let offset = direction.logical(candidate.staticPosition, outer: outer, inner: .zero)
      rows.outOfFlow.append(FragmentedRows.OutOfFlow(candidate: candidate, offset: offset))
    }
    return rows
  }

  private func lineRows(_ content: LayoutSize) -> FragmentedRows {
    let stack = lines.map { line in
      let start = edges.blockStart + (isCrossReversed ? crossSize - line.crossOffset - line.cross : line.crossOffset)
      return (
        start: start,
        items: line.items.compactMap { index -> FragmentedRows.Item? in
          let item = items[index]
          let margin = isCrossReversed ? item.margin.crossStart : item.margin.crossEnd
          return fragmentedItem(item, content, marginEnd: margin) { _, _ in start + line.cross - margin }
        }
      )
    }.sorted { $0.start < $1.start }
    return FragmentedRows(engine, stacks: [stack], ends: [edges.blockStart + contentBlock])
  }

  private func columnRows(_ content: LayoutSize) -> FragmentedRows {
    var stacks: [[(start: LayoutUnit, items: [FragmentedRows.Item])]] = [], ends: [LayoutUnit] = []
    for line in lines {
      var stack: [(start: LayoutUnit, items: [FragmentedRows.Item])] = [], end = edges.blockStart
      for index in line.items {
        let item = items[index]
        let (before, after) =
          isMainReversed ? (item.margin.mainEnd, item.margin.mainStart) : (item.margin.mainStart, item.margin.mainEnd)
        guard let fragmented = fragmentedItem(item, content, marginEnd: after, areaEnd: { $0 + $1 }) else { continue }
        stack.append((start: fragmented.offset.block - before, items: [fragmented]))
        end = max(end, fragmented.areaEnd + after)
      }
      stacks.append(stack.sorted { $0.start < $1.start })
      ends.append(end)
    }
    return FragmentedRows(engine, stacks: stacks, ends: ends)
  }

  /// - Parameter areaEnd: The end of the item's area, given its block offset and block size.
  private func fragmentedItem(
    _ item: FlexItem, _ content: LayoutSize, marginEnd: LayoutUnit, areaEnd: (LayoutUnit, LayoutUnit) -> LayoutUnit
  ) -> FragmentedRows.Item? {
    guard let result = item.result else { return nil }
    let offset = flowOffset(item, result.size)
    return FragmentedRows.Item(
      box: item.box, input: flexedInput(item, main: item.main, cross: stretches(item) ? item.cross : nil), offset: offset,
      areaEnd: areaEnd(offset.block, direction.logical(result.size).block), marginEnd: marginEnd, growsRow: growsRow(item),
      shift: relativeOffset(item, content: content))
  }

  /// Whether the row grows by the block size that fragmentation adds to the item
  /// (`FlexLayoutAlgorithm::MinBlockSizeShouldEncompassIntrinsicSize`).
  private func growsRow(_ item: FlexItem) -> Bool {
    let isAutoContainer = Sizing.LogicalSizes(style).block.isAuto
    let block = Sizing.LogicalSizes(item.style, isHorizontal: direction.isHorizontal).block
    guard isColumn else {
      // An item stretched to a container with a specified size keeps that size.
      if !isMultiLine, stretches(item), !isAutoContainer { return false }
      return block.isAuto
    }
    let canShrink = item.shrink != 0
    if !item.hasDefiniteBasis, !canShrink { return true }
    let isAuto = block.isAuto || Sizing.isContentKeyword(block)
    let minimum = Sizing.LogicalSizes(item.style, isHorizontal: direction.isHorizontal).minBlock
    return isAuto && (!canShrink || minimum.isAuto && !Sizing.isScrollContainer(item.style))
  }
}
