import OffprintCoreTypes

/// Where an absolutely positioned child of a flex or grid container would stand as its only item.
///
/// https://drafts.csswg.org/css-position-3/#static-position-rectangle
struct StaticPositionRectangle {
  /// From the container's border-box start edges.
  var area: LogicalRect
  /// How the child is aligned in the rectangle.
  var inlineEdge: OutOfFlowCandidate.Edge
  var blockEdge: OutOfFlowCandidate.Edge

  /// - Parameter outer: the container's border box.
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
