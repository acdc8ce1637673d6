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
      // The gutters on both sides of collapsed tracks coincide.
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
}
