import OffprintCSS
import OffprintCoreTypes

// §9.5 Main-axis alignment, §9.6 Cross-axis alignment. https://drafts.csswg.org/css-flexbox-1/#main-alignment

extension FlexContainer {
  /// The offset of the first item or line, and the space between them in addition to the gap.
  struct Distribution {
    var start = LayoutUnit.zero
    var between = LayoutUnit.zero
  }

  /// `justify-content` and `align-content`, flex-relative: 0 is the start side of the (reversed) axis.
  ///
  /// https://drafts.csswg.org/css-align-3/#distribution-values
  private func distribution(_ value: Alignment, free: LayoutUnit, count: Int, isMain: Bool) -> Distribution {
    let isReversed = isMain ? isMainReversed : isCrossReversed
    // The flow-relative start of the axis, which is the fallback of safe alignment.
    let start = isReversed ? free : LayoutUnit.zero
    let end = isReversed ? LayoutUnit.zero : free
    let overflows = free < .zero
    if overflows, value.overflow == .safe { return Distribution(start: start) }
    switch value.keyword {
    case .center, .anchorCenter: return Distribution(start: free / 2)
    case .flexEnd: return Distribution(start: free)
    case .start, .selfStart, .baseline: return Distribution(start: start)
    case .end, .selfEnd, .lastBaseline: return Distribution(start: end)
    case .left, .right: return Distribution(start: isMain && isAtMainEnd(value.keyword) ? end : start)
    case .spaceBetween:
      return overflows || count < 2 ? Distribution() : Distribution(between: free / (count - 1))
    case .spaceAround:
      guard !overflows, count > 0 else { return Distribution(start: start) }
      return Distribution(start: free / count / 2, between: free / count)
    case .spaceEvenly:
      guard !overflows, count > 0 else { return Distribution(start: start) }
      return Distribution(start: free / (count + 1), between: free / (count + 1))
    default: return Distribution()
    }
  }

  /// 12. Distribute any remaining free space. https://drafts.csswg.org/css-flexbox-1/#algo-main-align
  mutating func alignMainAxis(line: Int) {
    let range = lines[line].items
    var free = items[range].reduce(mainSize - gaps(range.count, mainGap)) { $0 - $1.outerMain }
    let autoCount = items[range].reduce(0) { $0 + ($1.isAutoMargin.mainStart ? 1 : 0) + ($1.isAutoMargin.mainEnd ? 1 : 0) }
    if autoCount > 0, free > .zero {
      let share = free / autoCount
      for index in range {
        if items[index].isAutoMargin.mainStart { items[index].margin.mainStart += share }
        if items[index].isAutoMargin.mainEnd { items[index].margin.mainEnd += share }
      }
      free = .zero
    }
    let spacing = distribution(style.align.justifyContent, free: free, count: range.count, isMain: true)
    var offset = spacing.start
    for index in range {
      items[index].mainOffset = offset + items[index].margin.mainStart
      offset += items[index].outerMain + mainGap + spacing.between
    }
  }

  /// 13. to 16. Aligns the lines in the container, and the items in their lines. https://drafts.csswg.org/css-flexbox-1/#cross-alignment
  mutating func alignCrossAxis() {
    let free = lines.reduce(crossSize - gaps(lines.count, crossGap)) { $0 - $1.cross }
    let spacing =
      isMultiLine
      ? distribution(style.align.alignContent, free: free, count: lines.count, isMain: false) : Distribution()
    var offset = spacing.start
    for index in lines.indices {
      lines[index].crossOffset = offset
      for number in lines[index].items {
        var item = items[number]
        alignCross(&item, in: lines[index])
        items[number] = item
      }
      offset += lines[index].cross + crossGap + spacing.between
    }
  }

  private func alignCross(_ item: inout FlexItem, in line: FlexLine) {
    let free = line.cross - item.outerCross
    // 13. Resolve cross-axis `auto` margins.
    if item.hasAutoCrossMargin {
      let isBoth = item.isAutoMargin.crossStart && item.isAutoMargin.crossEnd
      if free > .zero {
        if item.isAutoMargin.crossStart { item.margin.crossStart += isBoth ? free / 2 : free }
        item.crossOffset = line.crossOffset + item.margin.crossStart
      } else {
        // The item keeps the block-start or inline-start side and overflows the other one.
        item.crossOffset = line.crossOffset + item.margin.crossStart + (isCrossReversed ? free : .zero)
      }
      return
    }
    // 14. Align along the cross axis.
    item.crossOffset = line.crossOffset + item.margin.crossStart + crossShift(item, free: free, in: line)
  }

  private func crossShift(_ item: FlexItem, free: LayoutUnit, in line: FlexLine) -> LayoutUnit {
    if free < .zero, item.isSafe { return isCrossReversed ? free : .zero }
    switch item.alignment {
    case .start, .stretch: return .zero
    case .end: return free
    case .center: return free / 2
    case .baseline, .lastBaseline:
      guard let sharing = baselineSharing(item) else { return .zero }
      let distance = distanceToBaseline(item, sharing)
      return sharing.isStartSide
        ? (line.maxAscent ?? distance) - distance : free - ((line.maxDescent ?? distance) - distance)
    }
  }

  // MARK: align-self

  /// `align-self`, flex-relative. https://drafts.csswg.org/css-align-3/#align-self-property
  func crossAlignment(of child: BoxID) -> (alignment: FlexCrossAlignment, isSafe: Bool) {
    let own = engine.style(child).align.alignSelf
    // `align-self` does not apply in `-webkit-box` containers.
    let value = own.keyword == .auto || isWebkitBox ? style.align.alignItems : own
    let isSafe = value.overflow == .safe
    let start = isCrossReversed ? FlexCrossAlignment.end : .start
    let end = isCrossReversed ? FlexCrossAlignment.start : .end
    switch value.keyword {
    case .flexStart: return (.start, isSafe)
    case .flexEnd: return (.end, isSafe)
    case .start, .left: return (start, isSafe)
    case .end, .right: return (end, isSafe)
    case .selfStart: return (isOpposite(child) ? end : start, isSafe)
    case .selfEnd: return (isOpposite(child) ? start : end, isSafe)
    case .center, .anchorCenter: return (.center, isSafe)
    case .baseline: return (.baseline, isSafe)
    case .lastBaseline: return (.lastBaseline, isSafe)
    default: return (.stretch, isSafe)
    }
  }

  /// Whether the item's start side in the cross axis is the container's end side.
  private func isOpposite(_ child: BoxID) -> Bool {
    let isHorizontal = direction.isHorizontal == isColumn
    return direction.isFlipped(horizontal: isHorizontal) != WritingDirection(engine.style(child)).isFlipped(horizontal: isHorizontal)
  }

  // MARK: Out-of-flow children

  /// The flow-relative edges of the content box for the static position of an out-of-flow child, as if it were the only item.
  /// https://drafts.csswg.org/css-flexbox-1/#abspos-items
  func staticEdges(of child: BoxID) -> (inline: OutOfFlowCandidate.Edge, block: OutOfFlowCandidate.Edge) {
    let main = flowEdge(flexEdge(style.align.justifyContent), isReversed: isMainReversed)
    let cross: OutOfFlowCandidate.Edge =
      switch crossAlignment(of: child).alignment {
      case .center: .center
      // A single box has no baseline-sharing group, so the fallback alignment applies, which is flow-relative.
      case .baseline: .start
      case .lastBaseline: .end
      case .end: flowEdge(.end, isReversed: isCrossReversed)
      case .start, .stretch: flowEdge(.start, isReversed: isCrossReversed)
      }
    return isColumn ? (cross, main) : (main, cross)
  }

  private func flexEdge(_ value: Alignment) -> OutOfFlowCandidate.Edge {
    let start: OutOfFlowCandidate.Edge = isMainReversed ? .end : .start
    let end: OutOfFlowCandidate.Edge = isMainReversed ? .start : .end
    switch value.keyword {
    case .center, .spaceAround, .spaceEvenly, .anchorCenter: return .center
    case .flexEnd: return .end
    case .start, .selfStart, .baseline: return start
    case .end, .selfEnd, .lastBaseline: return end
    case .left, .right: return isAtMainEnd(value.keyword) ? end : start
    default: return .start
    }
  }

  /// Whether `left` or `right` is the end of the main axis. In a vertical main axis they behave as `start`.
  private func isAtMainEnd(_ side: Alignment.Keyword) -> Bool {
    guard isColumn else { return (side == .right) != direction.isRTL }
    return !direction.isHorizontal && (side == .right) != direction.isFlippedBlocks
  }

  private func flowEdge(_ edge: OutOfFlowCandidate.Edge, isReversed: Bool) -> OutOfFlowCandidate.Edge {
    guard isReversed else { return edge }
    switch edge {
    case .start: return .end
    case .center: return .center
    case .end: return .start
    }
  }
}
