internal import OffprintCSS
internal import OffprintCoreTypes

/// The position properties after try tactics. https://drafts.csswg.org/css-anchor-position-1/#swap-due-to-a-try-tactic
struct FlippedPosition {
  var box: BoxStyle
  var align: AlignStyle
  private let own: WritingDirection
  private let container: WritingDirection

  init(_ style: ComputedStyle, container: WritingDirection) {
    (box, align) = (style.box, style.align)
    (own, self.container) = (WritingDirection(style), container)
  }

  mutating func apply(_ tactic: PositionFallback.Tactic) {
    // The axes are those of the box's own writing mode.
    switch tactic {
    case .flipX: flip(isX: true)
    case .flipY: flip(isX: false)
    case .flipBlock: flip(isX: !own.isHorizontal)
    case .flipInline: flip(isX: own.isHorizontal)
    case .flipStart: transpose()
    }
  }

  // MARK: Mirroring

  private mutating func flip(isX: Bool) {
    let inset = box.inset, margin = box.margin
    if isX {
      (box.inset.left, box.inset.right) = (inset.right.mirrored, inset.left.mirrored)
      (box.margin.left, box.margin.right) = (margin.right, margin.left)
    } else {
      (box.inset.top, box.inset.bottom) = (inset.bottom.mirrored, inset.top.mirrored)
      (box.margin.top, box.margin.bottom) = (margin.bottom, margin.top)
    }
    if isX == container.isHorizontal {
      align.justifySelf.keyword = align.justifySelf.keyword.mirrored
    } else {
      align.alignSelf.keyword = align.alignSelf.keyword.mirrored
    }
    guard let tracks else { return }
    box.positionArea =
      isX
      ? PositionArea(columns: tracks.columns.flipped, rows: tracks.rows)
      : PositionArea(columns: tracks.columns, rows: tracks.rows.flipped)
  }

  private var tracks: (columns: PositionArea.Span, rows: PositionArea.Span)? {
    box.positionArea.map { $0.tracks(container: container.areaDirections, own: own.areaDirections) }
  }

  // MARK: Swapping axes

  /// Swaps the block axis and the inline axis.
  private mutating func transpose() {
    let isTurned = own.isFlipped(horizontal: true) != own.isFlipped(horizontal: false)
    let inset = box.inset, margin = box.margin
    func turned<Value>(_ sides: PhysicalSides<Value>, _ change: (Value) -> Value) -> PhysicalSides<Value> {
      let (low, high) = isTurned ? (sides.right, sides.left) : (sides.left, sides.right)
      let (near, far) = isTurned ? (sides.bottom, sides.top) : (sides.top, sides.bottom)
      return PhysicalSides(top: change(low), right: change(far), bottom: change(high), left: change(near))
    }
    box.inset = turned(inset) { $0.transposed(isTurned) }
    box.margin = turned(margin) { $0 }
    swap(&box.width, &box.height)
    swap(&box.minWidth, &box.minHeight)
    swap(&box.maxWidth, &box.maxHeight)
    (box.width, box.height) = (box.width.transposed(isTurned), box.height.transposed(isTurned))
    let (inline, block) = (align.justifySelf, align.alignSelf)
    (align.justifySelf, align.alignSelf) = (block, inline)
    guard let tracks else { return }
    box.positionArea = PositionArea(
      columns: isTurned ? tracks.rows.flipped : tracks.rows, rows: isTurned ? tracks.columns.flipped : tracks.columns)
  }
}

extension AnchorFunction {
  /// The function for the opposite side.
  fileprivate var mirrored: AnchorFunction {
    guard !isSize else { return self }
    var result = self
    switch kind {
    case .left: result.kind = .right
    case .right: result.kind = .left
    case .top: result.kind = .bottom
    case .bottom: result.kind = .top
    case .start: result.kind = .end
    case .end: result.kind = .start
    case .selfStart: result.kind = .selfEnd
    case .selfEnd: result.kind = .selfStart
    case .percentage(let percent): result.kind = .percentage(100 - percent)
    default: break
    }
    return result
  }

  fileprivate func transposed(_ isTurned: Bool) -> AnchorFunction {
    var result = self
    switch kind {
    case .left: result.kind = isTurned ? .bottom : .top
    case .right: result.kind = isTurned ? .top : .bottom
    case .top: result.kind = isTurned ? .right : .left
    case .bottom: result.kind = isTurned ? .left : .right
    case .width: result.kind = .height
    case .height: result.kind = .width
    case .blockSize: result.kind = .inlineSize
    case .inlineSize: result.kind = .blockSize
    default: break
    }
    return result
  }
}

extension LengthPercentageAuto {
  fileprivate func changingAnchors(_ change: @escaping (AnchorFunction) -> AnchorFunction) -> LengthPercentageAuto {
    guard case .value(let length) = self, length.hasAnchor else { return self }
    return .value(length.changingAnchors(change))
  }
  fileprivate var mirrored: LengthPercentageAuto { changingAnchors(\.mirrored) }
  fileprivate func transposed(_ isTurned: Bool) -> LengthPercentageAuto { changingAnchors { $0.transposed(isTurned) } }
}

extension SizeValue {
  fileprivate func transposed(_ isTurned: Bool) -> SizeValue {
    guard case .value(let length) = self, length.hasAnchor else { return self }
    return .value(length.changingAnchors { $0.transposed(isTurned) })
  }
}

extension Alignment.Keyword {
  fileprivate var mirrored: Alignment.Keyword {
    switch self {
    case .start: .end
    case .end: .start
    case .selfStart: .selfEnd
    case .selfEnd: .selfStart
    case .flexStart: .flexEnd
    case .flexEnd: .flexStart
    case .left: .right
    case .right: .left
    default: self
    }
  }
}
