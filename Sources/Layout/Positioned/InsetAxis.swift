internal import OffprintCSS
internal import OffprintCoreTypes

/// One physical axis of an out-of-flow box: its inset-modified containing block, and its position in that.
///
/// https://drafts.csswg.org/css-position-3/#insets and #abspos-margins
struct InsetAxis {
  enum Position { case start, center, end }

  /// The insets from left and right, or top and bottom; nil for `auto`.
  let start: LayoutUnit?
  let end: LayoutUnit?
  /// The size of the containing block.
  let size: LayoutUnit
  let margin: (start: LayoutUnit, end: LayoutUnit)
  var isAutoMargin: (start: Bool, end: Bool)
  let staticPoint: LayoutUnit
  let staticEdge: OutOfFlowCandidate.Edge

  /// Whether this is the containing block's inline axis.
  var isInlineAxis = true
  /// Whether the containing block starts at the right or bottom.
  var isFlipped = false
  /// The self-alignment in physical terms; nil for `normal`.
  private var alignment: Position?
  /// Whether the alignment is `stretch`; `normal` only stretches some boxes.
  private(set) var isStretch = false
  private var overflow = Alignment.OverflowPosition.default
  /// The range that overflowing boxes may be shifted into; nil for the containing block.
  var limit: (low: LayoutUnit, high: LayoutUnit)?

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
    overflow = value.overflow
    func side(_ isStart: Bool, flipped: Bool) -> Position { isStart != flipped ? .start : .end }
    switch value.keyword {
    case .auto, .normal: alignment = nil
    case .stretch: isStretch = true
    case .center, .anchorCenter, .legacyCenter: alignment = .center
    // Baseline alignment falls back to `start` and `end`: https://drafts.csswg.org/css-align-3/#align-abspos
    case .start, .flexStart, .baseline: alignment = side(true, flipped: isFlipped)
    case .end, .flexEnd, .lastBaseline: alignment = side(false, flipped: isFlipped)
    case .selfStart: alignment = side(true, flipped: isOwnFlipped)
    case .selfEnd: alignment = side(false, flipped: isOwnFlipped)
    case .left, .legacyLeft: alignment = .start
    case .right, .legacyRight: alignment = .end
    case .spaceBetween, .spaceAround, .spaceEvenly: alignment = nil
    }
  }

  /// Applies the default alignment of `position-area` in place of `normal`.
  mutating func place(_ place: AnchorPositioning.Place?) {
    guard let place else { return }
    switch place {
    case .start: alignment = .start
    case .center, .anchor: alignment = .center
    case .end: alignment = .end
    }
    overflow = .default
  }

  private var hasBothInsets: Bool { start != nil && end != nil }

  /// Whether an `auto` size fills the inset-modified containing block.
  var stretches: Bool { hasBothInsets && alignment == nil }

  /// The size of the inset-modified containing block.
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

  /// The offset of the border box of a box of `boxSize`.
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
      // In the inline axis a box that is too wide overflows at the end.
      if free < .zero, isInlineAxis { return isFlipped ? start + free : start }
      return start + free / 2
    case (true, false): return start + free
    case (false, true): return start + margin.start
    case (false, false): break
    }
    let initial: Position = isFlipped ? .end : .start
    var place = alignment ?? initial
    if overflow == .safe, free < .zero { place = initial }
    var at = start
    switch place {
    case .start: break
    case .center: at += free / 2
    case .end: at += free
    }
    if alignment != nil || isStretch, overflow == .default, free < .zero { at = movedBack(at, outer, from: start, to: size - end) }
    return at + margin.start
  }

  /// Shifts a margin box of size `outer` at `place` into its inset-modified containing block, from `start` to `end`. A larger box is
  /// shifted into the union of that and the containing block, or aligned with their start.
  /// https://drafts.csswg.org/css-align-3/#auto-safety-position
  func movedBack(_ place: LayoutUnit, _ outer: LayoutUnit, from start: LayoutUnit, to end: LayoutUnit) -> LayoutUnit {
    if outer <= end - start { return max(start, min(place, end - outer)) }
    let limit = limit ?? (.zero, size)
    let low = min(limit.low, start), high = max(limit.high, end)
    if outer > high - low { return isFlipped ? high - outer : low }
    return max(low, min(place, high - outer))
  }

  /// The offset of the border box if the margin box is centered on an anchor from `low` to `high`.
  func centered(_ boxSize: LayoutUnit, on low: LayoutUnit, _ high: LayoutUnit, isUnsafe: Bool) -> LayoutUnit {
    let outer = boxSize + margin.start + margin.end, room = room
    let place = (low + high - outer) / 2
    return (isUnsafe ? place : movedBack(place, outer, from: room.start, to: room.start + room.size)) + margin.start
  }

  /// The inset-modified containing block with `auto` as 0, which determines whether a position fits.
  var room: (start: LayoutUnit, size: LayoutUnit) {
    (start ?? .zero, size - (start ?? .zero) - (end ?? .zero))
  }

  /// Whether the margin box is inside `room`.
  func fits(_ place: LayoutUnit, _ boxSize: LayoutUnit) -> Bool {
    let low = place - margin.start, high = place + boxSize + margin.end
    return low >= room.start && high <= room.start + room.size
  }
}
