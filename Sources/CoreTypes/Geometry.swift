/// A point in CSS px, physical axes.
@frozen public struct LayoutPoint: Hashable, Sendable, BitwiseCopyable {
  public var x: LayoutUnit
  public var y: LayoutUnit
  @inlinable public init(x: LayoutUnit = .zero, y: LayoutUnit = .zero) { self.x = x; self.y = y }
  @inlinable public static var zero: LayoutPoint { LayoutPoint() }
  @inlinable public static func + (a: LayoutPoint, b: LayoutPoint) -> LayoutPoint { LayoutPoint(x: a.x + b.x, y: a.y + b.y) }
  @inlinable public static func - (a: LayoutPoint, b: LayoutPoint) -> LayoutPoint { LayoutPoint(x: a.x - b.x, y: a.y - b.y) }
  @inlinable public static func += (a: inout LayoutPoint, b: LayoutPoint) { a = a + b }
}

/// A size in CSS px, physical axes.
@frozen public struct LayoutSize: Hashable, Sendable, BitwiseCopyable {
  public var width: LayoutUnit
  public var height: LayoutUnit
  @inlinable public init(width: LayoutUnit = .zero, height: LayoutUnit = .zero) { self.width = width; self.height = height }
  @inlinable public static var zero: LayoutSize { LayoutSize() }
  @inlinable public var isEmpty: Bool { width <= .zero || height <= .zero }
}

/// A rectangle in CSS px, physical axes.
@frozen public struct LayoutRect: Hashable, Sendable, BitwiseCopyable {
  public var origin: LayoutPoint
  public var size: LayoutSize
  @inlinable public init(origin: LayoutPoint = .zero, size: LayoutSize = .zero) { self.origin = origin; self.size = size }
  @inlinable public init(x: LayoutUnit, y: LayoutUnit, width: LayoutUnit, height: LayoutUnit) {
    self.init(origin: LayoutPoint(x: x, y: y), size: LayoutSize(width: width, height: height))
  }
  @inlinable public var minX: LayoutUnit { origin.x }
  @inlinable public var minY: LayoutUnit { origin.y }
  @inlinable public var maxX: LayoutUnit { origin.x + size.width }
  @inlinable public var maxY: LayoutUnit { origin.y + size.height }
  @inlinable public var isEmpty: Bool { size.isEmpty }

  @inlinable public func offset(by point: LayoutPoint) -> LayoutRect { LayoutRect(origin: origin + point, size: size) }

  /// Shrinks by `edges` on each side; the size never becomes negative.
  @inlinable public func inset(by edges: LayoutEdges) -> LayoutRect {
    LayoutRect(
      x: minX + edges.left, y: minY + edges.top, width: (size.width - edges.left - edges.right).clampedToZero,
      height: (size.height - edges.top - edges.bottom).clampedToZero)
  }

  @inlinable public func outset(by edges: LayoutEdges) -> LayoutRect {
    LayoutRect(
      x: minX - edges.left, y: minY - edges.top, width: size.width + edges.left + edges.right,
      height: size.height + edges.top + edges.bottom)
  }

  @inlinable public func union(_ other: LayoutRect) -> LayoutRect {
    let x = min(minX, other.minX), y = min(minY, other.minY)
    return LayoutRect(x: x, y: y, width: max(maxX, other.maxX) - x, height: max(maxY, other.maxY) - y)
  }

  @inlinable public func intersection(_ other: LayoutRect) -> LayoutRect {
    let x = max(minX, other.minX), y = max(minY, other.minY)
    return LayoutRect(
      x: x, y: y, width: (min(maxX, other.maxX) - x).clampedToZero, height: (min(maxY, other.maxY) - y).clampedToZero)
  }
}

/// Four lengths, one per physical side: margins, borders, paddings, insets.
@frozen public struct LayoutEdges: Hashable, Sendable, BitwiseCopyable {
  public var top: LayoutUnit
  public var right: LayoutUnit
  public var bottom: LayoutUnit
  public var left: LayoutUnit
  @inlinable public init(top: LayoutUnit = .zero, right: LayoutUnit = .zero, bottom: LayoutUnit = .zero, left: LayoutUnit = .zero) {
    self.top = top; self.right = right; self.bottom = bottom; self.left = left
  }
  @inlinable public static var zero: LayoutEdges { LayoutEdges() }
  @inlinable public var horizontal: LayoutUnit { left + right }
  @inlinable public var vertical: LayoutUnit { top + bottom }
  @inlinable public static func - (a: LayoutEdges, b: LayoutEdges) -> LayoutEdges {
    LayoutEdges(top: a.top - b.top, right: a.right - b.right, bottom: a.bottom - b.bottom, left: a.left - b.left)
  }
  @inlinable public static func + (a: LayoutEdges, b: LayoutEdges) -> LayoutEdges {
    LayoutEdges(top: a.top + b.top, right: a.right + b.right, bottom: a.bottom + b.bottom, left: a.left + b.left)
  }
}

/// Four values of any type, one per physical side.
@frozen public struct PhysicalSides<Value> {
  public var top: Value
  public var right: Value
  public var bottom: Value
  public var left: Value
  @inlinable public init(top: Value, right: Value, bottom: Value, left: Value) {
    self.top = top; self.right = right; self.bottom = bottom; self.left = left
  }
  @inlinable public init(all value: Value) { self.init(top: value, right: value, bottom: value, left: value) }
}
extension PhysicalSides: Equatable where Value: Equatable {}
extension PhysicalSides: Hashable where Value: Hashable {}
extension PhysicalSides: Sendable where Value: Sendable {}

/// Four values of any type, one per corner, clockwise from the top left.
@frozen public struct PhysicalCorners<Value> {
  public var topLeft: Value
  public var topRight: Value
  public var bottomRight: Value
  public var bottomLeft: Value
  @inlinable public init(topLeft: Value, topRight: Value, bottomRight: Value, bottomLeft: Value) {
    self.topLeft = topLeft; self.topRight = topRight; self.bottomRight = bottomRight; self.bottomLeft = bottomLeft
  }
  @inlinable public init(all value: Value) { self.init(topLeft: value, topRight: value, bottomRight: value, bottomLeft: value) }
}
extension PhysicalCorners: Equatable where Value: Equatable {}
extension PhysicalCorners: Hashable where Value: Hashable {}
extension PhysicalCorners: Sendable where Value: Sendable {}
