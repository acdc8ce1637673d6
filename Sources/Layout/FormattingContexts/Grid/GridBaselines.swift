import OffprintCSS
import OffprintCoreTypes

/// The alignment baselines of tracks: for each track the largest distance to a baseline, from the side of the baseline-sharing group.
struct GridBaselines: Equatable {
  var start: [Int: LayoutUnit] = [:]
  var end: [Int: LayoutUnit] = [:]

  /// The baseline shared by an item's tracks, and the item's shim, both without the edges of subgrids next to the item.
  struct Item {
    var shared: LayoutUnit
    var shim: LayoutUnit
  }

  init() {}

  init(_ inherited: [SubgridTracks.Baselines]) {
    for (index, track) in inherited.enumerated() {
      start[index] = track.start
      end[index] = track.end
    }
  }

  /// "A box that spans multiple shared alignment contexts participates in its start-most (end-most) one."
  /// https://drafts.csswg.org/css-align-3/#baseline-sharing-group
  mutating func add(_ distance: LayoutUnit, _ span: Range<Int>, isStartSide: Bool) {
    if isStartSide {
      start[span.lowerBound] = max(start[span.lowerBound] ?? .min, distance)
    } else {
      end[span.upperBound - 1] = max(end[span.upperBound - 1] ?? .min, distance)
    }
  }

  func farthest(_ span: Range<Int>, isStartSide: Bool) -> LayoutUnit? { isStartSide ? start[span.lowerBound] : end[span.upperBound - 1] }
}

extension GridContainer {
  /// Determines the shims that align the baselines of items sharing a row (or column), including items of subgrids.
  ///
  /// https://drafts.csswg.org/css-grid-2/#algo-baseline-shims
  /// - Parameter results: The items' layouts in their areas, after tracks are sized.
  mutating func alignBaselines(_ axis: GridAxis, _ results: [LayoutResult]? = nil) throws {
    guard hasBaselines(axis) else { return }
    if inherited[axis].map({ $0.sizes.isEmpty }) ?? true { try findBaselines(axis, results) }
    for index in items.indices {
      let item = items[index]
      guard let sharing = item.baseline[axis], !item.isSubgrid[axis] else { continue }
      let result = try results.map { $0[index] } ?? baselineResult(item, axis)
      let distance = baselineDistance(item, result, sharing, axis)
      let isCyclic = isCyclic(item, result, sharing, axis)
      let shared = isCyclic ? nil : baselines[axis].farthest(item.spans[axis], isStartSide: sharing.isStartSide)
      setBaseline(shared, shim: (shared ?? distance) - distance, axis, of: index)
    }
  }

  private func hasBaselines(_ axis: GridAxis) -> Bool {
    items.contains { $0.baseline[axis] != nil } || subgrids.contains { $0.hasBaselines(axis) }
  }

  private mutating func findBaselines(_ axis: GridAxis, _ results: [LayoutResult]?) throws {
    var found = GridBaselines(), visited: [(place: NestedPosition, distance: LayoutUnit, isStartSide: Bool)?] = []
    var number = 0
    try collect(axis, { $0 }) { grid, item, place in
      let isOwn = grid.box == box
      if isOwn { while items.indices.contains(number), items[number].box != item.box { number += 1 } }
      guard let sharing = item.baseline[axis], !item.isSubgrid[axis] else { return visited.append(nil) }
      let known = isOwn ? results.flatMap { $0.indices.contains(number) ? $0[number] : nil } : nil
      let result = try known ?? grid.baselineResult(item, axis)
      guard !isOwn || !grid.isCyclic(item, result, sharing, axis) else { return visited.append(nil) }
      let isStartSide = sharing.isStartSide != place.isReversed
      let distance = grid.baselineDistance(item, result, sharing, axis) + (isStartSide ? place.start : place.end)
      visited.append((place, distance, isStartSide))
      found.add(distance, place.span, isStartSide: isStartSide)
    }
    baselines[axis] = found
    nestedBaselines[axis] = visited.map { entry in
      guard let entry, let shared = found.farthest(entry.place.span, isStartSide: entry.isStartSide) else { return nil }
      return GridBaselines.Item(
        shared: shared - (entry.isStartSide ? entry.place.start : entry.place.end), shim: shared - entry.distance)
    }
  }

  private func baselineDistance(_ item: GridItem, _ result: LayoutResult, _ sharing: BaselineSharing, _ axis: GridAxis) -> LayoutUnit {
    sharing.distance(result, item.style, container: style) + sharing.margin(margin(item, area: area(item, .columns)), axis)
  }

  /// Whether the item's size depends on its tracks' while their size depends on its synthesized baseline. Such items use the fallback
  /// alignment.
  /// https://drafts.csswg.org/css-grid-2/#row-align
  private func isCyclic(_ item: GridItem, _ result: LayoutResult, _ sharing: BaselineSharing, _ axis: GridAxis) -> Bool {
    sharing.own(result, item.style) == nil && inherited[axis] == nil && dependsOnTracks(item, axis, tracks(axis))
  }

  /// The shim added to a contribution by baseline alignment. A baseline in the item's inline axis is synthesized from its size, so it is
  /// recomputed for each size. In Chromium the result may be negative.
  func baselineShim(_ item: GridItem, _ axis: GridAxis, size: LayoutUnit, _ margin: LogicalEdges) -> LayoutUnit {
    guard let sharing = item.baseline[axis], let shared = item.sharedBaseline[axis], (axis == .columns) == item.isParallel else {
      return item.baselineShim[axis]
    }
    let baseline = BaselineSharing.synthesized(size, sharing.mode, container: style)
    return shared - sharing.margin(margin, axis) - (sharing.isLast ? size - baseline : baseline)
  }

  /// The layout of an item before the tracks of an axis are sized: at its minimum size in the inline axis.
  private func baselineResult(_ item: GridItem, _ axis: GridAxis) throws -> LayoutResult {
    let inline = area(item, .columns), block = axis == .columns ? area(item, .rows) : nil
    guard (axis == .columns) == item.isParallel else {
      return try layout(item, inline: axis == .columns ? nil : inline, block: block, isMeasure: true)
    }
    var input = try stretchedInput(item, inline: axis == .columns ? nil : inline, block: block)
    input.isMeasure = true
    input.availableInline = .zero
    return try engine.layout(item.box, input)
  }

  /// Whether the item's size in the axis depends on that of its tracks, which depends on their contents.
  private func dependsOnTracks(_ item: GridItem, _ axis: GridAxis, _ tracks: [GridTrack]) -> Bool {
    let span = item.spans[axis]
    guard span.contains(where: { tracks.indices.contains($0) && tracks[$0].dependsOnContent }) else { return false }
    let sizes = Sizing.LogicalSizes(item.style, isHorizontal: direction.isHorizontal)
    let values = axis == .columns ? [sizes.inline, sizes.minInline, sizes.maxInline] : [sizes.block, sizes.minBlock, sizes.maxBlock]
    return values.contains { value in
      switch value {
      case .value(let length): length.hasPercentage
      case .stretch: true
      default: false
      }
    }
  }
}

extension BaselineSharing {
  /// The margin on the side of the baseline-sharing group.
  func margin(_ margin: LogicalEdges, _ axis: GridAxis) -> LayoutUnit { isStartSide ? margin.start(axis) : margin.end(axis) }
}
