import OffprintCSS
import OffprintCoreTypes

// Conversion of flex-relative offsets to fragments.

extension FlexContainer {
  /// Builds the container's fragment.
  func makeResult() throws -> LayoutResult {
    let inner = isColumn ? LogicalSize(inline: crossSize, block: mainSize) : LogicalSize(inline: mainSize, block: crossSize)
    let logical = LogicalSize(inline: inlineSize ?? inner.inline + edges.inlineSum, block: inner.block + edges.blockSum)
    let size = direction.physical(logical)
    let content = direction.physical(inner)
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    for item in items {
      guard let laidOut = item.result else { continue }
      let offset = flowOffset(item, laidOut.size)
      let point = direction.physical(offset, outer: size, inner: laidOut.size) + relativeOffset(item, content: content)
      links.append(FragmentLink(fragment: laidOut.fragment, offset: point))
      for var candidate in laidOut.outOfFlow {
        candidate.staticPosition += point
        pending.append(candidate)
      }
    }
    for child in outOfFlow { pending.append(candidate(child, inner: inner, outer: size)) }
    let border = Sizing.usedBorder(engine, box, input)
    var fragment = Fragment(kind: .box, box: box, style: style, size: size)
    let remaining = try OutOfFlowLayout.finish(engine, box, input, &fragment, border: border, links: &links, pending: pending)
    let baselines = containerBaselines(logical.block)
    fragment.border = border
    fragment.padding = Sizing.padding(style, percentageBasis: input.percentageMargin)
    Sizing.moveGutter(of: &fragment, engine, box)
    fragment.baseline = baselines.first
    var result = LayoutResult(
      fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: contentBlock + edges.blockSum)
    engine.record(gapSegments(outer: size), of: result.fragment)
    result.firstBaseline = baselines.first
    result.lastBaseline = baselines.last
    result.outOfFlow = remaining
    return result
  }

  func relativeOffset(_ item: FlexItem, content: LayoutSize) -> LayoutPoint {
    Sizing.relativeOffset(
      engine, item.box, width: direction.isHorizontal || definiteContentBlock != nil ? content.width : nil,
      height: !direction.isHorizontal || definiteContentBlock != nil ? content.height : nil, direction: direction)
  }

  /// The flow-relative offset of an item's border box from that of the container.
  func flowOffset(_ item: FlexItem, _ physical: LayoutSize) -> LogicalOffset {
    let own = direction.logical(physical)
    let main = isMainReversed ? mainSize - item.mainOffset - self.main(own) : item.mainOffset
    let cross = isCrossReversed ? crossSize - item.crossOffset - self.cross(own) : item.crossOffset
    return LogicalOffset(
      inline: edges.inlineStart + (isColumn ? cross : main), block: edges.blockStart + (isColumn ? main : cross))
  }

  func candidate(_ child: BoxID, inner: LogicalSize, outer: LayoutSize) -> OutOfFlowCandidate {
    let at = staticEdges(of: child)
    let content = LogicalRect(offset: LogicalOffset(inline: edges.inlineStart, block: edges.blockStart), size: inner)
    return StaticPositionRectangle(area: content, inlineEdge: at.inline, blockEdge: at.block).candidate(child, direction, outer: outer)
  }

  // MARK: Baselines

  /// https://drafts.csswg.org/css-flexbox-1/#flex-baselines
  ///
  /// First and last are flow-relative: reversals are undone.
  func containerBaselines(_ size: LayoutUnit) -> (first: LayoutUnit?, last: LayoutUnit?) {
    // https://drafts.csswg.org/css-contain-2/#containment-layout: no baselines.
    guard let front = lines.first, let back = lines.last, !style.box.containment.contains(.layout) else { return (nil, nil) }
    let (firstLine, lastLine) = isCrossReversed ? (back, front) : (front, back)
    let shared = (sharedBaselines(firstLine), sharedBaselines(lastLine))
    let firstItem = isMainReversed ? firstLine.items.last : firstLine.items.first
    let lastItem = isMainReversed ? lastLine.items.first : lastLine.items.last
    let first = shared.0.start ?? shared.0.end ?? firstItem.map { itemBaseline($0, isLast: false) }
    let last = shared.1.end ?? shared.1.start ?? lastItem.map { itemBaseline($0, isLast: true) }
    // Baselines of a scroll container are clamped to its border box.
    let isClamped = Sizing.isScrollContainer(style)
    func used(_ value: LayoutUnit) -> LayoutUnit { isClamped ? max(.zero, min(value, size)) : value }
    return (first.map(used), last.map(used))
  }

  /// The alignment baselines of a row at the start and end sides of the block axis, from the block-start edge.
  private func sharedBaselines(_ line: FlexLine) -> (start: LayoutUnit?, end: LayoutUnit?) {
    guard !isColumn else { return (nil, nil) }
    func place(_ cross: LayoutUnit) -> LayoutUnit { edges.blockStart + (isCrossReversed ? crossSize - cross : cross) }
    let low = line.maxAscent.map { place(line.crossOffset + $0) }
    let high = line.maxDescent.map { place(line.crossOffset + line.cross - $0) }
    return isCrossReversed ? (high, low) : (low, high)
  }

  /// An item's baseline, from the container's block-start border edge.
  private func itemBaseline(_ index: Int, isLast: Bool) -> LayoutUnit {
    let item = items[index]
    guard let result = item.result else { return .zero }
    return flowOffset(item, result.size).block + BaselineSharing.exported(result, item.style, container: style, isLast: isLast)
  }
}
