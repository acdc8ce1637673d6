import OffprintCoreTypes

/// The static position rectangle of a child of a flex or grid container, as if it were the only item.
///
/// https://drafts.csswg.org/css-position-3/#static-position-rectangle
struct StaticPositionRectangle {
  /// Relative to the start edges of the container's border box.
  var area: LogicalRect
  /// The alignment of the child in the rectangle.
  var inlineEdge: OutOfFlowCandidate.Edge
  var blockEdge: OutOfFlowCandidate.Edge

  /// - Parameter outer: The size of the container's border box.
  func candidate(_ child: BoxID, _ direction: WritingDirection, outer: LayoutSize) -> OutOfFlowCandidate {
    let point = LogicalOffset(
      inline: area.offset.inline + inlineEdge.position(in: area.size.inline),
      block: area.offset.block + blockEdge.position(in: area.size.block))
    var candidate = OutOfFlowCandidate(box: child, staticPosition: direction.physical(point, outer: outer, inner: .zero))
    let (horizontal, vertical) = direction.isHorizontal ? (inlineEdge, blockEdge) : (blockEdge, inlineEdge)
    candidate.horizontalEdge = direction.isFlipped(horizontal: true) ? horizontal.opposite : horizontal
    candidate.verticalEdge = direction.isFlipped(horizontal: false) ? vertical.opposite : vertical
    return candidate
  }
}

extension OutOfFlowCandidate.Edge {
  fileprivate func position(in size: LayoutUnit) -> LayoutUnit {
    switch self {
    case .start: .zero
    case .center: size / 2
    case .end: size
    }
  }

  var opposite: Self {
    switch self {
    case .start: .end
    case .center: .center
    case .end: .start
    }
  }
}
