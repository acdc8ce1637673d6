import OffprintCSS
import OffprintCoreTypes

// §9.9 Intrinsic sizes. https://drafts.csswg.org/css-flexbox-1/#intrinsic-sizes

extension FlexContainer {
  /// The min-content and max-content inline sizes of the content box.
  mutating func intrinsicContentSizes() throws -> MinMaxSizes {
    var sizes = isColumn ? try columnSizes() : try rowSizes()
    sizes.min = sizes.min.clampedToZero
    sizes.max = max(sizes.max, sizes.min)
    return sizes
  }

  private func contribution(_ item: FlexItem) throws -> MinMaxSizes {
    var input = itemInput(item)
    if item.isParallel, stretches(item), !isColumn, !isMultiLine { input.fixedBlock = item.definiteCross }
    return try Sizing.contribution(engine, item.box, direction, input)
  }

  /// The largest contribution in a multi-line container, otherwise the sum. By https://drafts.csswg.org/css-flexbox-1/#intrinsic-main-sizes
  /// an item contributes its hypothetical size if its flex factors do not allow it to reach its content contribution. Chromium applies that
  /// only to bases independent of the contents, and uses the content contribution otherwise.
  private mutating func rowSizes() throws -> MinMaxSizes {
    var sizes = MinMaxSizes()
    var outer: [LayoutUnit] = []
    try determineMainSizes()
    for item in items {
      let content = try contribution(item)
      // Items of a `-webkit-box` may be narrower whatever their flexibility.
      let min = isMultiLine || isWebkitBox || canReach(content.min, item) ? content.min : item.hypothetical
      let max = canReach(content.max, item) ? content.max : item.hypothetical
      let margin = item.margin.mainSum
      sizes.max += max + margin
      outer.append(max + margin)
      sizes.min = isMultiLine ? Swift.max(sizes.min, min + margin) : sizes.min + min + margin
    }
    let gaps = gaps(items.count, mainGap)
    if !isMultiLine { sizes.min += gaps }
    sizes.max += gaps
    if isMultiLine, style.align.flexWrapBalances, style.align.flexLineCount > 1 {
      // The largest of the balanced lines.
      let lines = balancer(outer, limit: .max).lines(minimumLines: style.align.flexLineCount)
      sizes.max = lines.reduce(.zero) { largest, line in
        Swift.max(largest, outer[line].reduce(self.gaps(line.count, mainGap), +))
      }
    }
    return sizes
  }

  private func canReach(_ size: LayoutUnit, _ item: FlexItem) -> Bool {
    let basis = item.style.align.flexBasis.isAuto ? mainValue(item) : item.style.align.flexBasis
    if !item.hasDefiniteBasis || Sizing.isContentKeyword(basis) { return true }
    return !(size > item.base && item.grow == 0) && !(size < item.base && item.shrink == 0)
  }

  /// https://drafts.csswg.org/css-flexbox-1/#intrinsic-cross-sizes
  private mutating func columnSizes() throws -> MinMaxSizes {
    var contributions: [MinMaxSizes] = []
    var sizes = MinMaxSizes()
    for item in items {
      let content = try contribution(item) + item.margin.crossSum
      contributions.append(content)
      sizes.encompass(content)
    }
    guard isMultiLine, items.count > 1 else { return sizes }
    try determineMainSizes()
    collectLines()
    sizes.max = lines.reduce(gaps(lines.count, crossGap)) { sum, line in
      sum + contributions[line.items].reduce(.zero) { max($0, $1.max) }
    }
    return sizes
  }
}
