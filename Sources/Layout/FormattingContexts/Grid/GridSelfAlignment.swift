import OffprintCSS
import OffprintCoreTypes

/// `justify-self` or `align-self` of a grid item, relative to the container's axis. https://drafts.csswg.org/css-align-3/#self-alignment
struct GridSelfAlignment {
  enum Edge { case start, center, end, firstBaseline, lastBaseline }
  enum Stretch {
    case none
    /// `normal`: boxes with a preferred aspect ratio do not stretch in both axes.
    case implicit
    case explicit
  }
  var edge = Edge.start
  var stretch = Stretch.none
  var isSafe = false

  init(_ item: ComputedStyle, _ axis: GridAxis, container: ComputedStyle, isAnonymous: Bool, isReplaced: Bool) {
    let direction = WritingDirection(container)
    let value = Self.specified(item, axis, container: container, isAnonymous: isAnonymous)
    let isRTL = direction.isRTL && axis == .columns
    let isHorizontal = direction.isHorizontal(axis)
    let isOpposite = direction.isFlipped(horizontal: isHorizontal) != WritingDirection(item).isFlipped(horizontal: isHorizontal)
    isSafe = value.overflow == .safe
    switch value.keyword {
    case .stretch: stretch = .explicit
    case .auto, .normal: stretch = isReplaced ? .none : .implicit
    case .center, .anchorCenter, .legacyCenter: edge = .center
    case .end, .flexEnd: edge = .end
    case .selfStart: edge = isOpposite ? .end : .start
    case .selfEnd: edge = isOpposite ? .start : .end
    case .left, .legacyLeft: edge = isRTL ? .end : .start
    case .right, .legacyRight: edge = axis == .columns && !isRTL ? .end : .start
    case .baseline: edge = .firstBaseline
    case .lastBaseline: edge = .lastBaseline
    case .start, .flexStart, .spaceBetween, .spaceAround, .spaceEvenly: break
    }
  }

  private static func specified(_ item: ComputedStyle, _ axis: GridAxis, container: ComputedStyle, isAnonymous: Bool) -> Alignment {
    let own = axis == .columns ? item.align.justifySelf : item.align.alignSelf
    if own.keyword != .auto && !isAnonymous { return own }
    return axis == .columns ? container.align.justifyItems : container.align.alignItems
  }

  /// Applies `auto` margins, which take precedence. Without free space the item is at the start side.
  mutating func apply(autoMargins start: Bool, _ end: Bool) {
    guard start || end else { return }
    edge = start && end ? .center : start ? .end : .start
    stretch = .none
    isSafe = true
  }

  /// The alignment by `align-self` of a box at its static position in flow, whose rectangle has no height.
  ///
  /// https://drafts.csswg.org/css-align-3/#align-abspos
  static func staticBlockEdge(_ style: ComputedStyle, container: ComputedStyle) -> OutOfFlowCandidate.Edge {
    switch style.align.alignSelf.keyword {
    case .auto, .normal, .stretch, .baseline: .start
    default: GridSelfAlignment(style, .rows, container: container, isAnonymous: false, isReplaced: false).staticEdge
    }
  }

  /// The edge of the box that is at its static position.
  var staticEdge: OutOfFlowCandidate.Edge {
    switch edge {
    case .start, .firstBaseline: .start
    case .center: .center
    case .end, .lastBaseline: .end
    }
  }

  /// The offset of an item in positive or negative free space.
  func offset(free: LayoutUnit) -> LayoutUnit {
    if isSafe && free < .zero { return .zero }
    switch edge {
    case .start, .firstBaseline: return .zero
    case .center: return free / 2
    case .end, .lastBaseline: return free
    }
  }
}
