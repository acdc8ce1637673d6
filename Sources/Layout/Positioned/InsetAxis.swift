internal import CSS
internal import CoreTypes

/// One physical axis of an absolutely positioned box: the inset-modified containing block, and where the box goes in it.
///
/// https://drafts.csswg.org/css-position-3/#insets and #abspos-margins
struct InsetAxis {
  enum Position { case start, center, end }

  /// Insets from the left and right, or top and bottom; nil is `auto`.
  let start: LayoutUnit?
  let end: LayoutUnit?
  /// The containing block's.
  let size: LayoutUnit
  let margin: (start: LayoutUnit, end: LayoutUnit)
  let isAutoMargin: (start: Bool, end: Bool)
  let staticPoint: LayoutUnit
  let staticEdge: OutOfFlowCandidate.Edge

  /// The containing block's inline axis; else its block axis.
  var isInlineAxis = true
  /// The containing block's start is at the right or bottom.
  var isFlipped = false
  /// Self-alignment, physically; nil is `normal`.
  private var alignment: Position?
  private var isStretch = false
  private var isSafe = false

  init(
    start: LengthPercentageAuto, end: LengthPercentageAuto, size: LayoutUnit, margin: (LayoutUnit, LayoutUnit),
    isAutoMargin: (Bool, Bool), staticPoint: LayoutUnit, staticEdge: OutOfFlowCandidate.Edge
  ) {
    func used(_ value: LengthPercentageAuto) -> LayoutUnit? {
      if case .value(let length) = value { length.resolve(size) } else { nil }
    }
    self.start = used(start)
    self.end = used(end)
    self.size = size
    self.margin = margin
    self.isAutoMargin = isAutoMargin
    self.staticPoint = staticPoint
    self.staticEdge = staticEdge
  }

  mutating func setAlignment(_ value: Alignment, isOwnFlipped: Bool) {
    isSafe = value.overflow == .safe
    func side(_ isStart: Bool, flipped: Bool) -> Position { isStart != flipped ? .start : .end }
    switch value.keyword {
    case .auto, .normal, .baseline: alignment = nil
    case .stretch: isStretch = true
    case .center, .anchorCenter, .legacyCenter: alignment = .center
    case .start, .flexStart: alignment = side(true, flipped: isFlipped)
    case .end, .flexEnd, .lastBaseline: alignment = side(false, flipped: isFlipped)
    case .selfStart: alignment = side(true, flipped: isOwnFlipped)
    case .selfEnd: alignment = side(false, flipped: isOwnFlipped)
    case .left, .legacyLeft: alignment = .start
    case .right, .legacyRight: alignment = .end
    case .spaceBetween, .spaceAround, .spaceEvenly: alignment = nil
    }
  }

  /// What `position-area` makes of `normal`.
  mutating func place(_ place: AnchorPositioning.Place?) {
    guard let place else { return }
    switch place {
    case .start: alignment = .start
    case .center, .anchor: alignment = .center
    case .end: alignment = .end
    }
    isSafe = false
  }

  private var hasBothInsets: Bool { start != nil && end != nil }

  /// An `auto` size fills the inset-modified containing block.
  var stretches: Bool { hasBothInsets && alignment == nil }

  /// The inset-modified containing block's size.
  var available: LayoutUnit {
    if start == nil, end == nil {
      switch staticEdge {
      case .start: return (size - staticPoint).clampedToZero
      case .end: return staticPoint.clampedToZero
      case .center: return (min(staticPoint, size - staticPoint) * 2).clampedToZero
      }
    }
    return (size - (start ?? .zero) - (end ?? .zero)).clampedToZero
  }

  /// Where the border box of a box of `boxSize` begins.
  func position(size boxSize: LayoutUnit) -> LayoutUnit {
    let outer = boxSize + margin.start + margin.end
    guard let start else {
      if let end { return size - end - margin.end - boxSize }
      switch staticEdge {
      case .start: return staticPoint + margin.start
      case .end: return staticPoint - margin.end - boxSize
      case .center: return staticPoint - outer / 2 + margin.start
      }
    }
    guard let end else { return start + margin.start }
    let free = size - start - end - outer
    switch (isAutoMargin.start, isAutoMargin.end) {
    case (true, true):
      // In the inline axis a box that is too wide sticks out at the end.
      if free < .zero, isInlineAxis { return isFlipped ? start + free : start }
      return start + free / 2
    case (true, false): return start + free
    case (false, true): return start + margin.start
    case (false, false): break
    }
    var place = alignment ?? (isFlipped ? .end : .start)
    if isSafe, free < .zero { place = isFlipped ? .end : .start }
    switch place {
    case .start: return start + margin.start
    case .center: return start + free / 2 + margin.start
    case .end: return start + free + margin.start
    }
  }
}
