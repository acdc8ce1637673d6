import OffprintCSS
import OffprintCoreTypes

/// The baselines of tracks: the largest distances from the side that a group of items is aligned at to their baselines, by track.
struct GridBaselines {
  var start: [Int: LayoutUnit] = [:]
  var end: [Int: LayoutUnit] = [:]

  /// "A box that spans multiple shared alignment contexts participates in its start-most (end-most) one."
  /// https://drafts.csswg.org/css-align-3/#baseline-sharing-group
  mutating func add(_ distance: LayoutUnit, _ span: Range<Int>, _ sharing: BaselineSharing) {
    if sharing.isStartSide {
      start[span.lowerBound] = max(start[span.lowerBound] ?? .min, distance)
    } else {
      end[span.upperBound - 1] = max(end[span.upperBound - 1] ?? .min, distance)
    }
  }

  func farthest(_ span: Range<Int>, _ sharing: BaselineSharing) -> LayoutUnit? {
    sharing.isStartSide ? start[span.lowerBound] : end[span.upperBound - 1]
  }
}

extension GridContainer {
  /// Items that share a row (or column) and align their baselines are moved to where the farthest of them is.
  ///
  /// https://drafts.csswg.org/css-grid-2/#algo-baseline-shims
  /// - Parameter results: The items' layouts in their areas, once tracks have their sizes.
  @discardableResult
  mutating func alignBaselines(_ axis: GridAxis, _ results: [LayoutResult]? = nil) throws -> GridBaselines {
    var shared = GridBaselines()
    var own: [(index: Int, distance: LayoutUnit)] = []
    let tracks = items.contains { $0.baseline[axis] != nil } ? tracks(axis) : []
    for index in items.indices {
      let item = items[index]
      guard let sharing = item.baseline[axis] else { continue }
      let result = try results.map { $0[index] } ?? baselineResult(item, axis)
      setBaselineCyclic(sharing.own(result, item.style) == nil && dependsOnTracks(item, axis, tracks), axis, of: index)
      guard !items[index].isBaselineCyclic[axis] else {
        setBaseline(nil, shim: .zero, axis, of: index)
        continue
      }
      let distance =
        sharing.distance(result, item.style, container: style)
        + sharing.margin(margin(item, area: area(item, .columns)), axis)
      own.append((index, distance))
      shared.add(distance, item.spans[axis], sharing)
    }
    for entry in own {
      guard let sharing = items[entry.index].baseline[axis] else { continue }
      let farthest = shared.farthest(items[entry.index].spans[axis], sharing) ?? entry.distance
      setBaseline(farthest, shim: farthest - entry.distance, axis, of: entry.index)
    }
    return shared
  }

  /// What baseline alignment adds to a contribution. The baseline of an item's inline axis is that of its size, whatever this is: Chromium
  /// so takes away what is more than the baseline of the tracks.
  func baselineShim(_ item: GridItem, _ axis: GridAxis, size: LayoutUnit, _ margin: LogicalEdges) -> LayoutUnit {
    guard let sharing = item.baseline[axis], let shared = item.sharedBaseline[axis], (axis == .columns) == item.isParallel else {
      return item.baselineShim[axis]
    }
    let baseline = BaselineSharing.synthesized(size, sharing.mode, container: style)
    return shared - sharing.margin(margin, axis) - (sharing.isLast ? size - baseline : baseline)
  }

  /// The item's layout before the tracks of an axis have sizes: as small as it can be in its inline axis.
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

  /// Whether the item's size in the axis is a part of that of its tracks, which depends on their contents.
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
  /// The margin on the side that the group is aligned at.
  func margin(_ margin: LogicalEdges, _ axis: GridAxis) -> LayoutUnit { isStartSide ? margin.start(axis) : margin.end(axis) }
}
