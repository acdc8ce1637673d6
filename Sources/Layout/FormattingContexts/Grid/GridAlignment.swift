import OffprintCSS
import OffprintCoreTypes

extension GridContainer {
  /// `justify-content` and `align-content`. https://drafts.csswg.org/css-align-3/#distribution-grid
  func place(_ sizing: GridTrackSizing, _ axis: GridAxis) -> GridTrackPositions {
    let alignment = axis == .columns ? style.align.justifyContent : style.align.alignContent
    let free = (content[axis] ?? sizing.total) - sizing.total
    let visible = sizing.tracks.lazy.filter { !$0.isCollapsed }.count
    let isRTL = axis == .columns && direction.isRTL
    let spacing = distribution(alignment, free: free, count: visible, isRTL: isRTL, isColumns: axis == .columns)
    var starts: [LayoutUnit] = []
    starts.reserveCapacity(sizing.tracks.count)
    var offset = spacing.start
    var isFirst = true
    for track in sizing.tracks {
      // Collapsed tracks have their gutters on both sides in one place.
      if !track.isCollapsed {
        if !isFirst { offset += sizing.gap + spacing.between }
        isFirst = false
      }
      starts.append(offset)
      offset += track.base
    }
    return GridTrackPositions(starts: starts, sizes: sizing.tracks.map(\.base))
  }

  private func distribution(
    _ alignment: Alignment, free: LayoutUnit, count: Int, isRTL: Bool, isColumns: Bool
  ) -> (start: LayoutUnit, between: LayoutUnit) {
    if alignment.overflow == .safe, free < .zero { return (.zero, .zero) }
    switch alignment.keyword {
    case .end, .flexEnd, .lastBaseline: return (free, .zero)
    case .left: return (isRTL ? free : .zero, .zero)
    case .right: return (isColumns && !isRTL ? free : .zero, .zero)
    case .center, .anchorCenter: return (free / 2, .zero)
    case .spaceBetween where free > .zero && count > 1: return (.zero, free / (count - 1))
    case .spaceAround where free > .zero && count > 0: return (free / count / 2, free / count)
    case .spaceEvenly where free > .zero: return (free / (count + 1), free / (count + 1))
    default: return (.zero, .zero)
    }
  }

  // MARK: Baselines

  /// Items that share a row (or column) and align their baselines are moved to where the farthest of them is.
  ///
  /// https://drafts.csswg.org/css-grid-2/#algo-baseline-shims
  mutating func alignBaselines(_ axis: GridAxis) throws {
    let participants = items.indices.filter { index in
      let edge = items[index].alignment[axis].edge
      return edge == .firstBaseline || edge == .lastBaseline
    }
    guard !participants.isEmpty else { return }
    var farthest: [Int: LayoutUnit] = [:]
    var own: [(index: Int, group: Int, distance: LayoutUnit)] = []
    for index in participants {
      let item = items[index]
      let isLast = item.alignment[axis].edge == .lastBaseline
      let distance = try baselineDistance(item, axis, isLast: isLast)
      // The groups of last baselines have negative numbers.
      let group = isLast ? -item.spans[axis].upperBound : item.spans[axis].lowerBound
      own.append((index, group, distance))
      farthest[group] = max(farthest[group] ?? .min, distance)
    }
    for entry in own { setShim((farthest[entry.group] ?? entry.distance) - entry.distance, axis, of: entry.index) }
  }

  /// From the margin edge on the start side to the first baseline, or from that on the end side to the last one.
  private func baselineDistance(_ item: GridItem, _ axis: GridAxis, isLast: Bool) throws -> LayoutUnit {
    let inline = area(item, .columns), block = axis == .columns ? area(item, .rows) : nil
    let result = try layout(item, inline: axis == .columns ? nil : inline, block: block, isMeasure: true)
    let margin = margin(item, area: inline), size = direction.logical(result.size)[axis]
    let baseline = baseline(item, result, axis, isLast: isLast)
    return isLast ? margin.end(axis) + size - baseline : margin.start(axis) + baseline
  }

  /// From the border edge on the start side; made up from the border box where the item has none.
  func baseline(_ item: GridItem, _ result: LayoutResult, _ axis: GridAxis, isLast: Bool) -> LayoutUnit {
    let size = direction.logical(result.size)[axis]
    let own = (axis == .rows) == item.isParallel ? (isLast ? result.lastBaseline : result.firstBaseline) : nil
    guard let own else {
      // Across lines that run down the alphabetic baseline is at their left.
      if axis == .columns, direction.isHorizontal { return direction.isRTL ? size : .zero }
      let isCentral =
        axis == .rows && (direction.mode == .verticalRl || direction.mode == .verticalLr)
        && style.text.textOrientation != .sideways
      return isCentral ? size / 2 : size
    }
    let isHorizontal = direction.isHorizontal(axis)
    let isOpposite = direction.isFlipped(horizontal: isHorizontal) != WritingDirection(item.style).isFlipped(horizontal: isHorizontal)
    return isOpposite ? size - own : own
  }
}
