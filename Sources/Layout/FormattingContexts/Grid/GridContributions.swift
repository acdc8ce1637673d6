import OffprintCSS
import OffprintCoreTypes

// The contributions of items to their tracks. https://drafts.csswg.org/css-grid-2/#algo-single-span-items

extension GridContainer {
  /// The input of an item in its area, in the item's own axes; nil sizes are indefinite.
  func itemInput(_ item: GridItem, inline: LayoutUnit?, block: LayoutUnit?) -> LayoutInput {
    let (own, other) = item.isParallel ? (inline, block) : (block, inline)
    var result = LayoutInput(availableInline: own, availableBlock: other)
    result.percentageMargin = inline ?? .zero
    result.autoInline = .fitContent
    result.isMeasure = input.isMeasure
    if item.subgrid >= 0 { result.context = subgridContext(item) }
    return result
  }

  /// The margins in the container's axes. Percentages resolve against the inline size of the item's area.
  func margin(_ item: GridItem, area: LayoutUnit?) -> LogicalEdges {
    Sizing.logicalMargin(item.style, percentageBasis: area ?? .zero, in: direction)
  }

  func itemEdges(_ item: GridItem, area: LayoutUnit?) -> LogicalEdges {
    var input = LayoutInput(availableInline: area)
    input.percentageMargin = area ?? .zero
    return Sizing.edges(engine, item.box, input)
  }

  /// The border and padding in the container's axes.
  func containerEdges(_ item: GridItem, area: LayoutUnit?) -> LogicalEdges {
    var input = LayoutInput(availableInline: area)
    input.percentageMargin = area ?? .zero
    return direction.logical(Sizing.usedBorder(engine, item.box, input) + Sizing.usedPadding(engine, item.box, input))
  }

  /// Lays out an item in its area. `block` is nil while rows are sized.
  func layout(_ item: GridItem, inline: LayoutUnit?, block: LayoutUnit?, isMeasure: Bool = false) throws -> LayoutResult {
    var input = try stretchedInput(item, inline: inline, block: block)
    // Text leaves are laid out only once, so their lines are kept.
    if isMeasure, !engine.isTextLeaf(item.box) { input.isMeasure = true }
    if input.fixedBlock == nil, !item.dependsOnBlockSize, engine.isTextLeaf(item.box) {
      input.availableBlock = nil
      input.percentageBlock = nil
    }
    return try engine.layout(item.box, input)
  }

  /// The input with fixed sizes in the axes in which the item stretches.
  func stretchedInput(_ item: GridItem, inline: LayoutUnit?, block: LayoutUnit?) throws -> LayoutInput {
    var input = itemInput(item, inline: inline, block: block)
    let margin = margin(item, area: inline)
    let edges = itemEdges(item, area: inline)
    for (axis, area) in [(GridAxis.columns, inline), (.rows, block)] {
      let isOtherKnown = axis == .columns ? block != nil : inline != nil
      guard let area, item.stretches(axis, in: direction, isOtherKnown: isOtherKnown) else { continue }
      let size = (area - margin.sum(axis)).clampedToZero
      let isInline = (axis == .columns) == item.isParallel
      if item.isSubgrid[axis] {
        if isInline { input.fixedInline = size } else { input.fixedBlock = size }
      } else if isInline {
        let limits = try Sizing.minMaxInline(
          engine, item.box, input, edges: edges, isStretched: item.alignment[axis].stretch == .explicit)
        input.fixedInline = max(limits.min, min(size, limits.max))
      } else {
        let limits = Sizing.explicitMinMaxBlock(engine, item.box, input, edges: edges)
        let stretched = max(max(limits.min, edges.blockSum), min(size, limits.max))
        if item.hasRatio, item.alignment[axis].stretch == .implicit {
          // The contents may exceed the stretched size.
          input.stretchBlock = true
          input.availableBlock = stretched
        } else {
          input.fixedBlock = stretched
        }
      }
    }
    return input
  }

  // MARK: Contributions

  /// The contributions of all items to the tracks of an axis, including those of subgrids.
  func contributions(_ axis: GridAxis, _ sizing: GridTrackSizing) throws -> [GridContribution] {
    var dependsBefore = [0]
    for track in sizing.tracks { dependsBefore.append((dependsBefore.last ?? 0) + (track.dependsOnContent ? 1 : 0)) }
    guard dependsBefore.last ?? 0 > 0 else { return [] }
    var result: [GridContribution] = []
    result.reserveCapacity(items.count)
    var visited = 0
    try collect(axis, { $0 }) { grid, item, place in
      let nested = nestedBaselines[axis].indices.contains(visited) ? nestedBaselines[axis][visited] : nil
      visited += 1
      // Fixed tracks ignore contributions.
      guard dependsBefore[place.span.upperBound] > dependsBefore[place.span.lowerBound] else { return }
      var item = item
      if let nested { (item.sharedBaseline[axis], item.baselineShim[axis]) = (nested.shared, nested.shim) }
      result.append(try grid.contribution(item, axis, place.span, extra: place.start + place.end, sizing))
    }
    return result
  }

  /// - Parameters:
  ///   - span: The span in the tracks being sized. If this is a subgrid, those are an ancestor's.
  ///   - extra: Edges and gaps of subgrids next to the item.
  private func contribution(
    _ item: GridItem, _ axis: GridAxis, _ span: Range<Int>, extra: LayoutUnit, _ sizing: GridTrackSizing
  ) throws -> GridContribution {
    let inline = axis == .rows ? area(item, .columns) : nil
    if item.isSubgrid[axis] { return GridContribution(span: span, minimum: extra, minContent: extra, maxContent: extra) }
    let margins = margin(item, area: inline)
    let margin = margins.sum(axis) + extra
    func outer(_ size: LayoutUnit) -> LayoutUnit { size + margin + baselineShim(item, axis, size: size, margins) }
    let sizes = try axis == .columns ? columnSizes(item) : rowSizes(item, inline: inline)
    let minimum = try minimumContribution(item, axis, content: sizes, span, margin: outer(sizes.min) - sizes.min, inline: inline, sizing)
    return GridContribution(span: span, minimum: outer(minimum), minContent: outer(sizes.min), maxContent: outer(sizes.max))
  }

  /// The size of the area in an axis with sized or fixed tracks, otherwise nil.
  func area(_ item: GridItem, _ axis: GridAxis) -> LayoutUnit? {
    positions[axis].map { $0.area(item.spans[axis]).size }
  }

  /// The min-content and max-content contributions in the inline axis, without margins.
  private func columnSizes(_ item: GridItem) throws -> MinMaxSizes {
    let block = area(item, .rows)
    var input = itemInput(item, inline: nil, block: block)
    if let block, item.dependsOnBlockSize { try stretchBlock(item, block, &input) }
    return try Sizing.contribution(engine, item.box, direction, input)
  }

  /// Sets the block size of an item that stretches to its rows, because its inline size depends on it: through an aspect ratio, or as an
  /// orthogonal flow.
  private func stretchBlock(_ item: GridItem, _ block: LayoutUnit, _ input: inout LayoutInput) throws {
    let sizes = Sizing.LogicalSizes(item.style, isHorizontal: direction.isHorizontal)
    // The columns are not sized yet, so the inline axis does not stretch.
    guard sizes.block.isAuto, item.alignment.rows.stretch != .none else { return }
    let size = (block - margin(item, area: nil).blockSum).clampedToZero, edges = itemEdges(item, area: nil)
    if item.isParallel {
      let limits = Sizing.explicitMinMaxBlock(engine, item.box, input, edges: edges)
      input.fixedBlock = max(limits.min, min(size, limits.max))
    } else {
      let limits = try Sizing.minMaxInline(engine, item.box, input, edges: edges)
      input.fixedInline = max(limits.min, min(size, limits.max))
    }
  }

  /// The contribution of an item to its row without baseline alignment, which could only increase it.
  func outerBlockSize(_ item: GridItem) throws -> LayoutUnit {
    let inline = area(item, .columns)
    return try rowSizes(item, inline: inline).max + margin(item, area: inline).blockSum
  }

  /// The contributions in the block axis, from a layout at the width of the columns.
  private func rowSizes(_ item: GridItem, inline: LayoutUnit?) throws -> MinMaxSizes {
    if item.isParallel {
      let block = direction.logical(try layout(item, inline: inline, block: nil, isMeasure: true).size).block
      return MinMaxSizes(min: block, max: block)
    }
    let input = try stretchedInput(item, inline: inline, block: nil)
    return try Sizing.contribution(engine, item.box, WritingDirection(item.style), input)
  }

  /// The minimum contribution, without margins. https://drafts.csswg.org/css-grid-2/#minimum-contribution
  private func minimumContribution(
    _ item: GridItem, _ axis: GridAxis, content: MinMaxSizes, _ span: Range<Int>, margin: LayoutUnit, inline: LayoutUnit?,
    _ sizing: GridTrackSizing
  ) throws -> LayoutUnit {
    let sizes = Sizing.LogicalSizes(item.style, isHorizontal: direction.isHorizontal)
    switch axis == .columns ? sizes.inline : sizes.block {
    case .value(let length) where !length.hasPercentage: return content.min
    case .minContent, .maxContent, .calcSize: return content.min
    default: break
    }
    let edges = containerEdges(item, area: inline).sum(axis)
    switch axis == .columns ? sizes.minInline : sizes.minBlock {
    case .auto, .none, .content: return automaticMinimum(item, content.min, span, axis, edges: edges, margin: margin, sizing)
    case .value(let length):
      let minimum = Sizing.borderBox(length.resolveIfDefinite(nil) ?? .zero, item.style, edges: edges)
      return min(minimum, max(content.min, minimum))
    case .maxContent: return content.max
    default: return content.min
    }
  }

  /// https://drafts.csswg.org/css-grid-2/#min-size-auto
  private func automaticMinimum(
    _ item: GridItem, _ content: LayoutUnit, _ span: Range<Int>, _ axis: GridAxis, edges: LayoutUnit, margin: LayoutUnit,
    _ sizing: GridTrackSizing
  ) -> LayoutUnit {
    let tracks = sizing.tracks[span]
    let spansAuto = tracks.contains { $0.minimum.isAuto }
    let spansFlex = tracks.contains { $0.flexFactor != nil }
    guard !Sizing.isScrollContainer(item.style), spansAuto, span.count == 1 || !spansFlex else { return edges }
    // Tracks with a fixed maximum limit the content-based minimum.
    var limit = sizing.gaps(span)
    for track in tracks {
      guard case .fixed(let size) = track.maximum else { return content }
      limit += size
    }
    return min(content, max(limit - margin, edges))
  }
}
