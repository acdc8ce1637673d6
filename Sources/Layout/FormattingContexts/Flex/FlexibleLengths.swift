import OffprintCSS
import OffprintCoreTypes

// §9.3 Main size determination, §9.7 Resolving flexible lengths.

extension FlexContainer {
  /// https://drafts.csswg.org/css-flexbox-1/#algo-line-break
  mutating func collectLines() {
    guard !items.isEmpty else { return }
    guard isMultiLine else {
      lines = [FlexLine(items: items.indices)]
      return
    }
    let limit = lineLimit
    if style.align.flexWrapBalances {
      lines = balancer(items.map(\.outerHypothetical), limit: limit)
        .lines(minimumLines: style.align.flexLineCount).map { FlexLine(items: $0) }
      return
    }
    var start = 0
    var used = LayoutUnit.zero
    for index in items.indices {
      let size = items[index].outerHypothetical
      if index > start, used + mainGap + size > limit {
        lines.append(FlexLine(items: start..<index))
        start = index
        used = size
      } else {
        used += index > start ? mainGap + size : size
      }
    }
    lines.append(FlexLine(items: start..<items.count))
  }

  func balancer(_ sizes: [LayoutUnit], limit: LayoutUnit) -> FlexLineBalancer {
    // `innerBlock` subtracts the container's edges from an infinite size.
    let isInfinite = limit > LayoutUnit(16_777_216)
    return FlexLineBalancer(sizes: sizes.map(\.clampedToZero), gap: mainGap, limit: isInfinite ? nil : limit)
  }

  /// The maximum size of a line: the container's inner main size or, for columns of `auto` size, its maximum.
  private var lineLimit: LayoutUnit {
    guard isColumn else { return contentInline ?? .max }
    return innerBlock(content: .max)
  }

  /// The container's inner block size for a content size, which it equals if there is no definite size.
  func innerBlock(content: LayoutUnit) -> LayoutUnit {
    let size = Sizing.blockSize(
      engine, box, input, edges: edges, contentBlock: content + edges.blockSum, inlineSize: inlineSize ?? edges.inlineSum)
    return (size - edges.blockSum).clampedToZero
  }

  func hypotheticalSum(_ line: FlexLine) -> LayoutUnit {
    items[line.items].reduce(gaps(line.items.count, mainGap)) { $0 + $1.outerHypothetical }
  }

  /// https://drafts.csswg.org/css-flexbox-1/#algo-main-container
  mutating func determineContainerMainSize() {
    guard isColumn else {
      mainSize = contentInline ?? .zero
      return
    }
    contentBlock = lines.reduce(.zero) { max($0, hypotheticalSum($1)) }
    if let contained = Sizing.containedBlock(style) { contentBlock = contained }
    mainSize = innerBlock(content: contentBlock)
  }

  /// https://drafts.csswg.org/css-flexbox-1/#resolve-flexible-lengths
  mutating func resolveFlexibleLengths(line: Int) {
    let range = lines[line].items
    // 1. Determine the used flex factor.
    let isGrowing = hypotheticalSum(lines[line]) < mainSize
    // 2. Size inflexible items.
    for index in range {
      let item = items[index]
      let isInflexible = isGrowing ? item.grow == 0 || item.base > item.hypothetical : item.shrink == 0 || item.base < item.hypothetical
      items[index].isFrozen = isInflexible
      items[index].main = isInflexible ? item.hypothetical : item.base
    }
    // 3. Calculate the initial free space.
    let initial = freeSpace(range)
    // 4. Loop. Each round freezes at least one item.
    var rounds = 0
    while rounds <= range.count, range.contains(where: { !items[$0].isFrozen }) {
      distribute(range, isGrowing: isGrowing, initial: initial)
      rounds += 1
    }
  }

  private func freeSpace(_ range: Range<Int>) -> LayoutUnit {
    items[range].reduce(mainSize - gaps(range.count, mainGap)) { $0 - ($1.isFrozen ? $1.main : $1.base) - $1.margin.mainSum }
  }

  private mutating func distribute(_ range: Range<Int>, isGrowing: Bool, initial: LayoutUnit) {
    var unfrozen: [Int] = []
    var factors = 0.0
    var weights = 0.0
    for index in range where !items[index].isFrozen {
      unfrozen.append(index)
      factors += isGrowing ? items[index].grow : items[index].shrink
      weights += weight(items[index], isGrowing: isGrowing)
    }
    // b. Calculate the remaining free space.
    var remaining = freeSpace(range)
    if factors < 1 {
      let share = initial * factors
      if abs(share.double) < abs(remaining.double) { remaining = share }
    }
    // c. Distribute free space proportionally to the flex factors. Rounding errors carry over, so that the shares add up.
    var passed = 0.0
    var given = LayoutUnit.zero
    var violation = LayoutUnit.zero
    var clamped: [LayoutUnit] = []
    clamped.reserveCapacity(unfrozen.count)
    for index in unfrozen {
      let item = items[index]
      passed += weight(item, isGrowing: isGrowing)
      let total = weights > 0 ? LayoutUnit(rounding: remaining.double * (passed / weights)) : .zero
      let share = (isGrowing && remaining < .zero) || (!isGrowing && remaining > .zero) ? LayoutUnit.zero : total - given
      given = total
      // d. Fix minimum and maximum violations.
      let target = item.base + share
      let size = max(item.clampMain(target), item.mainEdges)
      violation += size - target
      clamped.append(size - target)
      items[index].main = size
    }
    // e. Freeze over-flexed items.
    for (position, index) in unfrozen.enumerated() {
      let difference = clamped[position]
      items[index].isFrozen = violation == .zero || (violation > .zero ? difference > .zero : difference < .zero)
    }
  }

  private func weight(_ item: FlexItem, isGrowing: Bool) -> Double {
    isGrowing ? item.grow : item.shrink * (item.base - item.mainEdges).clampedToZero.double
  }
}
