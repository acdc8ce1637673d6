import OffprintCSS
import OffprintCoreTypes

// §9.4 Cross size determination. https://drafts.csswg.org/css-flexbox-1/#cross-sizing

extension FlexContainer {
  mutating func determineCrossSizes() throws {
    // 7. The hypothetical cross size of each item.
    for index in items.indices {
      let item = items[index]
      let fixed = !isMultiLine && stretches(item) ? item.definiteCross : nil
      let result = try layout(item, main: item.main, cross: fixed)
      items[index].result = result
      items[index].cross = cross(direction.logical(result.size))
    }
    for index in lines.indices { calculateCrossSize(line: index) }
    determineContainerCrossSize()
    stretchLines()
    try stretchItems()
  }

  /// 8. The cross size of a line. https://drafts.csswg.org/css-flexbox-1/#algo-cross-line
  private mutating func calculateCrossSize(line: Int) {
    var ascent: LayoutUnit?, descentBelow = LayoutUnit.zero
    var descent: LayoutUnit?, ascentAbove = LayoutUnit.zero
    var largest = LayoutUnit.zero
    for index in lines[line].items {
      let item = items[index]
      switch baselineGroup(item) {
      case .first:
        let above = distanceToBaseline(item)
        ascent = max(ascent ?? .min, above)
        descentBelow = max(descentBelow, item.outerCross - above)
      case .last:
        let below = item.outerCross - distanceToBaseline(item)
        descent = max(descent ?? .min, below)
        ascentAbove = max(ascentAbove, item.outerCross - below)
      case nil: largest = max(largest, item.outerCross)
      }
    }
    lines[line].maxAscent = ascent ?? .zero
    lines[line].maxDescent = descent ?? .zero
    if let ascent { largest = max(largest, ascent + descentBelow) }
    if let descent { largest = max(largest, descent + ascentAbove) }
    lines[line].cross = largest
  }

  enum BaselineGroup { case first, last }

  /// Whether the item takes part in baseline alignment: its cross margins must not be `auto`. Like in browsers, what flows across the
  /// main axis does, with its lower edge.
  /// https://drafts.csswg.org/css-flexbox-1/#valdef-align-items-baseline
  func baselineGroup(_ item: FlexItem) -> BaselineGroup? {
    guard !isColumn, !item.hasAutoCrossMargin else { return nil }
    switch item.alignment {
    case .baseline: return .first
    case .lastBaseline: return .last
    default: return nil
    }
  }

  /// From the cross-start margin edge to the baseline the item is aligned by.
  func distanceToBaseline(_ item: FlexItem) -> LayoutUnit {
    let known = item.alignment == .lastBaseline ? item.result?.lastBaseline : item.result?.firstBaseline
    let baseline = (item.isParallel ? known : nil) ?? synthesizedBaseline(item)
    return item.margin.crossStart + (isCrossReversed ? item.cross - baseline : baseline)
  }

  /// From the border box: alphabetic under it, central through its middle. https://drafts.csswg.org/css-inline-3/#baseline-synthesis
  func synthesizedBaseline(_ item: FlexItem) -> LayoutUnit {
    let block = direction.logical(item.result?.size ?? .zero).block
    let isCentral = (direction.mode == .verticalRl || direction.mode == .verticalLr) && style.text.textOrientation != .sideways
    return isCentral ? block / 2 : block
  }

  /// The container's inner cross size, known as soon as its lines are. https://drafts.csswg.org/css-flexbox-1/#algo-cross-container
  private mutating func determineContainerCrossSize() {
    let sum = lines.reduce(gaps(lines.count, crossGap)) { $0 + $1.cross }
    if isColumn {
      crossSize = contentInline ?? sum
    } else {
      contentBlock = Sizing.containedBlock(style) ?? sum
      crossSize = innerBlock(content: contentBlock)
    }
    // The line of a single-line container is as large as the container, which its minimum and maximum bound.
    if !isMultiLine, !lines.isEmpty { lines[0].cross = crossSize }
  }

  /// 9. Handle `align-content: stretch`. https://drafts.csswg.org/css-flexbox-1/#algo-line-stretch
  private mutating func stretchLines() {
    let keyword = style.align.alignContent.keyword
    guard isMultiLine, keyword == .stretch || keyword == .normal else { return }
    let sum = lines.reduce(gaps(lines.count, crossGap)) { $0 + $1.cross }
    let free = crossSize - sum
    guard free > .zero, !lines.isEmpty else { return }
    var given = LayoutUnit.zero
    for index in lines.indices {
      let total = LayoutUnit(rounding: free.double * Double(index + 1) / Double(lines.count))
      lines[index].cross += total - given
      given = total
    }
  }

  /// 11. The used cross size of each item. https://drafts.csswg.org/css-flexbox-1/#algo-stretch
  private mutating func stretchItems() throws {
    for line in lines {
      for index in line.items where stretches(items[index]) {
        let item = items[index]
        let size = item.clampCross(max(line.cross - item.margin.crossSum, item.crossEdges))
        // The same input gives the same result from the cache; another one makes the size definite for the contents.
        let result = try layout(item, main: item.main, cross: size)
        items[index].result = result
        items[index].cross = cross(direction.logical(result.size))
      }
    }
  }
}
