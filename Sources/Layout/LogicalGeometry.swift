public import OffprintCSS
public import OffprintCoreTypes

/// A size along the writing mode's axes. https://drafts.csswg.org/css-writing-modes-4/#logical-dimensions
@frozen public struct LogicalSize: Hashable, Sendable {
  public var inline: LayoutUnit
  public var block: LayoutUnit
  @inlinable public init(inline: LayoutUnit = .zero, block: LayoutUnit = .zero) { self.inline = inline; self.block = block }
}

/// An offset from the inline-start and block-start edges.
@frozen public struct LogicalOffset: Hashable, Sendable {
  public var inline: LayoutUnit
  public var block: LayoutUnit
  @inlinable public init(inline: LayoutUnit = .zero, block: LayoutUnit = .zero) { self.inline = inline; self.block = block }
  @inlinable public static func + (a: LogicalOffset, b: LogicalOffset) -> LogicalOffset {
    LogicalOffset(inline: a.inline + b.inline, block: a.block + b.block)
  }
}

@frozen public struct LogicalRect: Hashable, Sendable {
  public var offset: LogicalOffset
  public var size: LogicalSize
  @inlinable public init(offset: LogicalOffset = .init(), size: LogicalSize = .init()) { self.offset = offset; self.size = size }
}

/// Four lengths by flow-relative side.
@frozen public struct LogicalEdges: Hashable, Sendable {
  public var inlineStart: LayoutUnit
  public var inlineEnd: LayoutUnit
  public var blockStart: LayoutUnit
  public var blockEnd: LayoutUnit
  @inlinable public init(
    inlineStart: LayoutUnit = .zero, inlineEnd: LayoutUnit = .zero, blockStart: LayoutUnit = .zero, blockEnd: LayoutUnit = .zero
  ) {
    self.inlineStart = inlineStart; self.inlineEnd = inlineEnd; self.blockStart = blockStart; self.blockEnd = blockEnd
  }
  @inlinable public var inlineSum: LayoutUnit { inlineStart + inlineEnd }
  @inlinable public var blockSum: LayoutUnit { blockStart + blockEnd }
  @inlinable public static func + (a: LogicalEdges, b: LogicalEdges) -> LogicalEdges {
    LogicalEdges(
      inlineStart: a.inlineStart + b.inlineStart, inlineEnd: a.inlineEnd + b.inlineEnd, blockStart: a.blockStart + b.blockStart,
      blockEnd: a.blockEnd + b.blockEnd)
  }
}

/// `writing-mode` and `direction`, for mapping between flow-relative and physical coordinates.
@frozen public struct WritingDirection: Hashable, Sendable {
  public var mode: WritingMode
  public var direction: Direction
  @inlinable public init(mode: WritingMode = .horizontalTb, direction: Direction = .ltr) { self.mode = mode; self.direction = direction }
  @inlinable public init(_ style: ComputedStyle) { self.init(mode: style.text.writingMode, direction: style.text.direction) }

  @inlinable public var isHorizontal: Bool { mode == .horizontalTb }
  @inlinable public var isRTL: Bool { direction == .rtl }
  /// Whether the block axis runs from right to left.
  @inlinable public var isFlippedBlocks: Bool { mode == .verticalRl || mode == .sidewaysRl }
  /// Whether the inline axis runs from right to left or from bottom to top.
  @inlinable public var isFlippedInline: Bool { (direction == .rtl) != (mode == .sidewaysLr) }

  /// Whether an axis starts at the right or at the bottom.
  func isFlipped(horizontal: Bool) -> Bool {
    horizontal == isHorizontal ? isFlippedInline : !isHorizontal && isFlippedBlocks
  }

  @inlinable public func isParallel(to other: WritingDirection) -> Bool { isHorizontal == other.isHorizontal }

  @inlinable public func logical(_ size: LayoutSize) -> LogicalSize {
    isHorizontal ? LogicalSize(inline: size.width, block: size.height) : LogicalSize(inline: size.height, block: size.width)
  }
  @inlinable public func physical(_ size: LogicalSize) -> LayoutSize {
    isHorizontal ? LayoutSize(width: size.inline, height: size.block) : LayoutSize(width: size.block, height: size.inline)
  }

  /// The physical offset of a box of physical size `inner` at `offset` in a container of physical size `outer`.
  @inlinable public func physical(_ offset: LogicalOffset, outer: LayoutSize, inner: LayoutSize) -> LayoutPoint {
    if isHorizontal {
      return LayoutPoint(x: isFlippedInline ? outer.width - offset.inline - inner.width : offset.inline, y: offset.block)
    }
    return LayoutPoint(
      x: isFlippedBlocks ? outer.width - offset.block - inner.width : offset.block,
      y: isFlippedInline ? outer.height - offset.inline - inner.height : offset.inline)
  }

  /// The logical offset of a box of physical size `inner` at `point` in a container of physical size `outer`.
  @inlinable public func logical(_ point: LayoutPoint, outer: LayoutSize, inner: LayoutSize) -> LogicalOffset {
    if isHorizontal {
      return LogicalOffset(inline: isFlippedInline ? outer.width - point.x - inner.width : point.x, block: point.y)
    }
    return LogicalOffset(
      inline: isFlippedInline ? outer.height - point.y - inner.height : point.y,
      block: isFlippedBlocks ? outer.width - point.x - inner.width : point.x)
  }

  @inlinable public func logical(_ edges: LayoutEdges) -> LogicalEdges {
    let sides = logicalSides(PhysicalSides(top: edges.top, right: edges.right, bottom: edges.bottom, left: edges.left))
    return LogicalEdges(
      inlineStart: sides.inlineStart, inlineEnd: sides.inlineEnd, blockStart: sides.blockStart, blockEnd: sides.blockEnd)
  }

  @inlinable public func physical(_ edges: LogicalEdges) -> LayoutEdges {
    if isHorizontal {
      return LayoutEdges(
        top: edges.blockStart, right: isFlippedInline ? edges.inlineStart : edges.inlineEnd, bottom: edges.blockEnd,
        left: isFlippedInline ? edges.inlineEnd : edges.inlineStart)
    }
    return LayoutEdges(
      top: isFlippedInline ? edges.inlineEnd : edges.inlineStart, right: isFlippedBlocks ? edges.blockStart : edges.blockEnd,
      bottom: isFlippedInline ? edges.inlineStart : edges.inlineEnd, left: isFlippedBlocks ? edges.blockEnd : edges.blockStart)
  }

  /// The four values of a physical property, by flow-relative side.
  @inlinable public func logicalSides<Value>(
    _ sides: PhysicalSides<Value>
  ) -> (inlineStart: Value, inlineEnd: Value, blockStart: Value, blockEnd: Value) {
    if isHorizontal {
      return isFlippedInline ? (sides.right, sides.left, sides.top, sides.bottom) : (sides.left, sides.right, sides.top, sides.bottom)
    }
    let (start, end) = isFlippedInline ? (sides.bottom, sides.top) : (sides.top, sides.bottom)
    return isFlippedBlocks ? (start, end, sides.right, sides.left) : (start, end, sides.left, sides.right)
  }
}
