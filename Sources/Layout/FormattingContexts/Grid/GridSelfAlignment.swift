import OffprintCSS
import OffprintCoreTypes

/// `justify-self` or `align-self` of a grid item, in terms of the container's axis. https://drafts.csswg.org/css-align-3/#self-alignment
struct GridSelfAlignment {
  enum Edge { case start, center, end, firstBaseline, lastBaseline }
  enum Stretch {
    case none
    /// `normal`: boxes with a preferred aspect ratio keep it.
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

  /// `auto` margins take precedence, and keep to the start side where there is no room for them.
  mutating func apply(autoMargins start: Bool, _ end: Bool) {
    guard start || end else { return }
    edge = start && end ? .center : start ? .end : .start
    stretch = .none
    isSafe = true
  }

  /// How `align-self` places a box at its static position in flow, in a rectangle without height.
  ///
  /// https://drafts.csswg.org/css-align-3/#align-abspos
  static func staticBlockEdge(_ style: ComputedStyle, container: ComputedStyle) -> OutOfFlowCandidate.Edge {
    switch style.align.alignSelf.keyword {
    case .auto, .normal, .stretch, .baseline: .start
    default: GridSelfAlignment(style, .rows, container: container, isAnonymous: false, isReplaced: false).staticEdge
    }
  }

  /// Which edge of a box is at its static position.
  var staticEdge: OutOfFlowCandidate.Edge {
    switch edge {
    case .start, .firstBaseline: .start
    case .center: .center
    case .end, .lastBaseline: .end
    }
  }

  /// Where an item goes in space that is left over, or lacking.
  func offset(free: LayoutUnit) -> LayoutUnit {
    if isSafe && free < .zero { return .zero }
    switch edge {
    case .start, .firstBaseline: return .zero
    case .center: return free / 2
    case .end, .lastBaseline: return free
    }
  }
}
