import OffprintCSS
import OffprintCoreTypes

// Distribution of extra block size to rows and sections. The specification leaves the order undefined; this is Chromium's.
// https://drafts.csswg.org/css-tables-3/#height-distribution-algorithm
extension TableRows {
  /// Grows rows so that, with the spacing between them, they fill `size`: first by their percentages, then non-empty rows without a height,
  /// then empty ones, then all.
  ///
  /// - Parameters:
  ///   - basis: The basis of percentages; if nil, such rows are treated like others.
  ///   - spanStarts: For a cell that spans the rows: the rows of the table in which such cells start.
  mutating func grow(_ rows: Range<Int>, to size: LayoutUnit, basis: LayoutUnit? = nil, spanStarts: Set<Int>? = nil) {
    guard size > total(rows), !rows.isEmpty else { return }
    let deficits = rows.map { row -> LayoutUnit in
      guard let basis, let percent = percents[row] else { return .zero }
      return (LayoutUnit(basis.double * percent / 100) - heights[row]).clampedToZero
    }
    let isEmpty = zip(rows, deficits).map { heights[$0] == .zero && $1 == .zero }
    let isFixed = rows.map { percents[$0] == nil ? isConstrained[$0] : basis != nil }
    let deficit = deficits.reduce(.zero, +)
    if deficit > .zero { give(min(deficit, size - total(rows)), to: rows, by: deficits.map(\.double)) }
    let rest = size - total(rows)
    guard rest > .zero else { return }
    func weights(_ test: (Int) -> Bool, _ weight: (Int) -> Double) -> [Double]? {
      let values = rows.indices.map { test($0 - rows.lowerBound) ? weight($0) : 0 }
      return values.contains { $0 > 0 } ? values : nil
    }
    let height: (Int) -> Double = { [heights] in heights[$0].double }
    if let spanStarts, let starting = weights({ $0 > 0 && spanStarts.contains(rows.lowerBound + $0) }, { _ in 1 }) {
      return give(rest, to: rows, by: starting)
    }
    if let free = weights({ !isEmpty[$0] && !isFixed[$0] }, height) { return give(rest, to: rows, by: free) }
    if spanStarts != nil {
      if !isEmpty.contains(false) { return give(rest, to: rows, by: rows.map { $0 == rows.upperBound - 1 ? 1 : 0 }) }
    } else if let empty = weights({ isEmpty[$0] && !isFixed[$0] }, { _ in 1 }) ?? weights({ isEmpty[$0] }, { _ in 1 }) {
      return give(rest, to: rows, by: empty)
    }
    if let all = weights({ !isEmpty[$0] }, height) { give(rest, to: rows, by: all) }
  }

  private mutating func give(_ amount: LayoutUnit, to rows: Range<Int>, by weights: [Double]) {
    heights.replaceSubrange(rows, with: ColumnSizing.share(amount, by: weights, onto: Array(heights[rows])))
  }

  /// Distributes the extra block size of a table to its sections: first by their percentages, then to bodies, preferring those without a
  /// height.
  mutating func distribute(_ blockSize: LayoutUnit) {
    let sections = table.grid.sections
    let room = (blockSize - table.edges.blockSum).clampedToZero
    guard !sections.isEmpty, room > sectionSizes.reduce(.zero, +) else { return }
    // The spacing is subtracted even in a table without columns, which has none.
    let spacing = table.collapsed == nil ? table.style.borderSpacing.block : .zero
    let available = (room - spacing * (sections.count + 1)).clampedToZero
    guard available > sectionSizes.reduce(.zero, +) else { return }
    let heights = sections.map { Sizing.LogicalSizes(engine.style($0.box)).block }
    var sizes = sectionSizes
    let deficits = zip(sizes, heights).map { size, height -> Double in
      guard case .value(.percentage(let percent)) = height else { return 0 }
      return max(0, available.double * Double(percent) / 100 - size.double)
    }
    let deficit = LayoutUnit(deficits.reduce(0, +))
    sizes = ColumnSizing.share(min(deficit, available - sizes.reduce(.zero, +)), by: deficits, onto: sizes)
    let rest = available - sizes.reduce(.zero, +)
    if rest > .zero { sizes = ColumnSizing.share(rest, by: shares(sizes, heights), onto: sizes) }
    for (index, section) in sections.enumerated() where sizes[index] != sectionSizes[index] {
      sectionSizes[index] = sizes[index]
      grow(section.rows, to: sizes[index], basis: sizes[index])
    }
  }

  /// The weights with which sections grow; zero for the others.
  private func shares(_ sizes: [LayoutUnit], _ heights: [SizeValue]) -> [Double] {
    let sections = table.grid.sections
    let hasBody = sections.contains(where: \.isBody)
    /// 0: `auto`, 1: a length, 2: a percentage
    let ranks = heights.map { height -> Int in
      guard case .value(let length) = height else { return 0 }
      if case .percentage = length { return 2 }
      return length.hasPercentage ? 0 : 1
    }
    let open = sections.indices.filter { sections[$0].isBody || !hasBody }
    let rank = open.map { ranks[$0] }.min() ?? 0
    let chosen = Set(open.filter { ranks[$0] == rank })
    let isWeighted = chosen.contains { sizes[$0] > .zero }
    return sections.indices.map { chosen.contains($0) ? (isWeighted ? sizes[$0].double : 1) : 0 }
  }
}
