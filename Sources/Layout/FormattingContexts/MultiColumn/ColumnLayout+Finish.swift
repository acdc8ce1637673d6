internal import OffprintCSS
internal import OffprintCoreTypes

// The fragment of a multi-column container.
extension ColumnLayout {
  /// Unlike other boxes, the container is not laid out again if its size requires that. Chromium ignores this case, too
  /// (`ColumnLayoutAlgorithm::Layout`).
  mutating func finish() throws -> LayoutResult {
    try layoutOutOfFlow()
    let consumed = builder?.consumedBefore ?? .zero
    let content = max(position, startEdge) + edges.blockEnd
    let intrinsic = Sizing.containedBlock(style).map { $0 + edges.blockSum } ?? content
    let total =
      builder?.totalSize(input, contents: consumed + intrinsic, inlineSize: inlineSize)
      ?? Sizing.blockSize(engine, box, input, edges: edges, contentBlock: intrinsic, inlineSize: inlineSize)
    let block = builder?.finish(total: total, intrinsic: intrinsic, endEdge: edges.blockEnd, floatsBroke: false) ?? total
    let logical = LogicalSize(inline: inlineSize, block: block)
    let shift = builder?.isBroken == true ? .zero : contentShift(block, intrinsic: content)
    return try result(logical, intrinsic: intrinsic, shift: shift)
  }

  private func contentShift(_ block: LayoutUnit, intrinsic: LayoutUnit) -> LayoutUnit {
    input.tableCell?.contentOffset(size: block, intrinsic: intrinsic) ?? BlockLayout.contentShift(style, free: block - intrinsic)
  }

  private func result(_ logical: LogicalSize, intrinsic: LayoutUnit, shift: LayoutUnit) throws -> LayoutResult {
    let size = direction.physical(logical)
    let border = Sizing.usedBorder(engine, box, input)
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    let pending = outOfFlow(in: size, shift: shift)
    var links = placed.flatMap { self.links($0, in: size, shift: shift) }
    let remaining = try OutOfFlowLayout.finish(engine, box, input, &fragment, border: border, links: &links, pending: pending)
    fragment.border = border
    fragment.padding = Sizing.usedPadding(engine, box, input)
    fragment.hasCollapsedBorders = input.tableCell?.border != nil
    builder?.cut(&fragment)
    Sizing.moveGutter(of: &fragment, engine, box)
    let isBaselineSuppressed = style.box.containment.contains(.layout)
    let first = isBaselineSuppressed ? nil : baseline(\.firstBaseline, shift) { min($0, $1) }
    fragment.baseline = first
    fragment.columns = engine.fragments.add(columns: rects(logical, size, shift))
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: intrinsic)
    engine.record(gapSegments(in: size, shift: shift), of: result.fragment)
    result.firstBaseline = first
    result.lastBaseline = isBaselineSuppressed ? nil : baseline(\.lastBaseline, shift) { max($0, $1) }
    // The baseline of a scroll container is its block-end margin edge. https://drafts.csswg.org/css-align-3/#baseline-export
    let margin = Sizing.logicalMargin(style, percentageBasis: input.percentageMargin, in: direction).blockEnd
    result.inlineBlockBaseline =
      Sizing.isScrollContainer(style)
      ? logical.block + margin : endsWithScrollContainer ? logical.block - edges.blockEnd : result.lastBaseline
    result.outOfFlow = remaining
    result.breaking = try builder?.result(size: logical.block) {
      direction.logical(try engine.layoutUnfragmented(box, input, inlineSize: inlineSize).size).block
    }
    return result
  }

  /// https://drafts.csswg.org/css-gaps-1/#layout-painting
  private func gapSegments(in size: LayoutSize, shift: LayoutUnit) -> [GapSegment]? {
    guard style.align.rowRule.isVisible, !rowGaps.isEmpty else { return nil }
    var gaps = GapBuilder(direction, edges, outer: size)
    for (number, gap) in rowGaps.enumerated() {
      let start = edges.blockStart - shift
      gaps.add(
        isColumnRule: false, gap: (gap.start - start, gap.end - start), run: (.zero, contentInline), index: number, of: rowGaps.count,
        junctions: (nil, nil))
    }
    return gaps.segments
  }

  private var endsWithScrollContainer: Bool {
    placed.last { $0.isColumn && $0.layout.lastBaseline != nil }.map { $0.layout.inlineBlockBaseline != $0.layout.lastBaseline } ?? false
  }

  /// The highest first baseline of columns and spanners, or the lowest last one.
  ///
  /// https://drafts.csswg.org/css-align-3/#baseline-export does not specify the column; these are Chromium's
  /// (`ColumnLayoutAlgorithm::PropagateBaselineFromChild`).
  private func baseline(
    _ path: KeyPath<LayoutResult, LayoutUnit?>, _ shift: LayoutUnit, _ choose: (LayoutUnit, LayoutUnit) -> LayoutUnit
  ) -> LayoutUnit? {
    let all = placed.compactMap { part in part.layout[keyPath: path].map { $0 + part.offset.block + shift } }
    return all.dropFirst().reduce(all.first) { known, next in known.map { choose($0, next) } }
  }

  /// The contents of columns are children of the container.
  private func links(_ part: Placed, in size: LayoutSize, shift: LayoutUnit) -> [FragmentLink] {
    let origin = origin(part, in: size, shift: shift)
    guard part.isColumn else { return [FragmentLink(fragment: part.layout.fragment, offset: origin)] }
    return engine.fragments.children(of: part.layout.fragment).map {
      FragmentLink(fragment: $0.fragment, offset: origin + $0.offset)
    }
  }

  func origin(_ part: Placed, in size: LayoutSize, shift: LayoutUnit) -> LayoutPoint {
    var offset = part.offset
    offset.block += shift
    return direction.physical(offset, outer: size, inner: part.layout.size)
  }

  /// The rectangles of the columns. In the last row they extend to the end of the container.
  private func rects(_ logical: LogicalSize, _ size: LayoutSize, _ shift: LayoutUnit) -> [LayoutRect] {
    let end = logical.block - edges.blockEnd
    return columnBoxes.map { column in
      var column = column
      column.offset.block += shift
      if let lastRow, column.offset.block == lastRow + shift {
        column.size.block = max(column.size.block, end - column.offset.block)
      }
      let inner = direction.physical(column.size)
      return LayoutRect(origin: direction.physical(column.offset, outer: size, inner: inner), size: inner)
    }
  }
}
