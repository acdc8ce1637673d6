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
    // A baseline may be outside of its item, so that the extent on one side is negative.
    var ascent: LayoutUnit?, descentBelow = LayoutUnit.min
    var descent: LayoutUnit?, ascentAbove = LayoutUnit.min
    var largest = LayoutUnit.zero
    for index in lines[line].items {
      let item = items[index]
      guard let sharing = baselineSharing(item) else {
        largest = max(largest, item.outerCross)
        continue
      }
      let distance = distanceToBaseline(item, sharing), rest = item.outerCross - distance
      if sharing.isStartSide {
        ascent = max(ascent ?? .min, distance)
        descentBelow = max(descentBelow, rest)
      } else {
        descent = max(descent ?? .min, distance)
        ascentAbove = max(ascentAbove, rest)
      }
    }
    lines[line].maxAscent = ascent
    lines[line].maxDescent = descent
    if let ascent { largest = max(largest, ascent + descentBelow) }
    if let descent { largest = max(largest, descent + ascentAbove) }
    lines[line].cross = largest
  }

  // MARK: Baselines

  func baselineSharing(_ item: ComputedStyle, _ alignment: FlexCrossAlignment) -> BaselineSharing? {
    guard alignment == .baseline || alignment == .lastBaseline else { return nil }
    return BaselineSharing(item.text.writingMode, in: direction, isBlockAxis: !isColumn, isLast: alignment == .lastBaseline)
  }

  /// The item's baseline alignment, unless it has `auto` cross margins. In Chromium items in columns participate too.
  /// https://drafts.csswg.org/css-flexbox-1/#valdef-align-items-baseline
  func baselineSharing(_ item: FlexItem) -> BaselineSharing? { item.hasAutoCrossMargin ? nil : item.baseline }

  /// The distance to the item's alignment baseline from its margin edge on the side of the baseline-sharing group. `wrap-reverse` swaps the
  /// sides.
  func distanceToBaseline(_ item: FlexItem, _ sharing: BaselineSharing) -> LayoutUnit {
    let known = item.result.map { sharing.distance($0, item.style, container: style) } ?? .zero
    let margin = sharing.isStartSide ? item.margin.crossStart : item.margin.crossEnd
    return margin + (isCrossReversed ? item.cross - known : known)
  }

  /// Determines the container's inner cross size from those of its lines. https://drafts.csswg.org/css-flexbox-1/#algo-cross-container
  private mutating func determineContainerCrossSize() {
    let sum = lines.reduce(gaps(lines.count, crossGap)) { $0 + $1.cross }
    if isColumn {
      crossSize = contentInline ?? sum
    } else {
      contentBlock = Sizing.containedBlock(style) ?? sum
      crossSize = innerBlock(content: contentBlock)
    }
    // The line of a single-line container has the container's size, which its minimum and maximum limit.
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
        // Unchanged input hits the layout cache. A new size is definite for the contents.
        let result = try layout(item, main: item.main, cross: size)
        items[index].result = result
        items[index].cross = cross(direction.logical(result.size))
      }
    }
  }
}
