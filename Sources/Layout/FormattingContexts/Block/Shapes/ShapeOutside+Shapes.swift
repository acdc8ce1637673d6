internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-shapes-1/#supported-basic-shapes, with shape-margin, in the axes of the lines.
extension ShapeOutside {
  /// A rounded rectangle with `shape-margin`; nil if empty.
  func rounded(_ box: ShapeBox, _ radii: PhysicalCorners<RoundedShape.Radius>) -> FloatShape? {
    guard box.right > box.left, box.bottom > box.top else { return nil }
    var outer = box
    outer.left -= spread; outer.top -= spread; outer.right += spread; outer.bottom += spread
    let radii = radii.constrained(to: box).outset(by: spread)
    let a = line(ShapePoint(x: outer.left, y: outer.top)), b = line(ShapePoint(x: outer.right, y: outer.bottom))
    return .rounded(
      RoundedShape(
        left: min(a.x, b.x), top: min(a.y, b.y), right: max(a.x, b.x), bottom: max(a.y, b.y), corners: lineCorners(radii)))
  }

  /// `.some(nil)` for an empty shape; nil if it cannot be determined, so that the margin box is used.
  func basic(_ shape: BasicShape, in box: ShapeBox) -> FloatShape?? {
    switch shape {
    case .inset(let sides, let radii): return .some(inset(sides, radii, box))
    case .circle(let radius, let at):
      let center = point(at, box)
      let size = circleRadius(radius, center, box)
      return .some(ellipse(center, size, size))
    case .ellipse(let horizontal, let vertical, let at):
      let center = point(at, box)
      let rx = sideRadius(horizontal, center.x - box.left, box.right - center.x, box.width)
      let ry = sideRadius(vertical, center.y - box.top, box.bottom - center.y, box.height)
      return .some(ellipse(center, rx, ry))
    case .polygon(_, let points, _):
      // Chromium ignores `round` of polygons here.
      return .some(PolygonShape([points.map { line(point($0, box)) }], margin: spread).map { .polygon($0) })
    case .path(_, let data):
      let zoom = Double(style.zoom)
      return .some(outline(VectorPath(svgPath: data.utf8).mapped(.scaling(zoom, zoom)), box))
    case .shape(_, let shape): return .some(outline(ShapePathOutline.path(shape, width: box.width, height: box.height), box))
    }
  }

  /// The polygons of a path, which is relative to the corner of its reference box.
  private func outline(_ path: VectorPath, _ box: ShapeBox) -> FloatShape? {
    let loops = path.flattened().map { loop in loop.map { line(ShapePoint(x: box.left + $0.x, y: box.top + $0.y)) } }
    return PolygonShape(loops, margin: spread).map { .polygon($0) }
  }

  private func point(_ position: Position, _ box: ShapeBox) -> ShapePoint {
    ShapePoint(x: box.left + position.x.resolve(box.width), y: box.top + position.y.resolve(box.height))
  }

  private func inset(_ sides: PhysicalSides<LengthPercentage>, _ radii: PhysicalCorners<CornerRadius>, _ box: ShapeBox) -> FloatShape? {
    var inner = box
    inner.left += sides.left.resolve(box.width)
    inner.right -= sides.right.resolve(box.width)
    inner.top += sides.top.resolve(box.height)
    inner.bottom -= sides.bottom.resolve(box.height)
    return rounded(inner, corners(radii, box.width, box.height))
  }

  // MARK: Ellipses

  private func ellipse(_ center: ShapePoint, _ rx: Double, _ ry: Double) -> FloatShape? {
    guard rx > 0, ry > 0 else { return nil }
    let (x, y) = direction.isHorizontal ? (rx, ry) : (ry, rx)
    return .ellipse(EllipseShape(center: line(center), rx: x + spread, ry: y + spread))
  }

  private func circleRadius(_ radius: BasicShape.Radius, _ center: ShapePoint, _ box: ShapeBox) -> Double {
    let distances = [center.x - box.left, box.right - center.x, center.y - box.top, box.bottom - center.y].map(abs)
    switch radius {
    case .closestSide: return distances.min() ?? 0
    case .farthestSide: return distances.max() ?? 0
    case .value(let length): return length.resolve(((box.width * box.width + box.height * box.height) / 2).squareRoot())
    }
  }

  private func sideRadius(_ radius: BasicShape.Radius, _ start: Double, _ end: Double, _ size: Double) -> Double {
    switch radius {
    case .closestSide: min(abs(start), abs(end))
    case .farthestSide: max(abs(start), abs(end))
    case .value(let length): length.resolve(size)
    }
  }

  // MARK: Line-relative axes

  /// A physical point of the margin box in line-relative coordinates. https://drafts.csswg.org/css-writing-modes-4/#line-directions
  func line(_ point: ShapePoint) -> ShapePoint {
    if direction.isHorizontal { return point }
    return ShapePoint(
      x: direction.mode == .sidewaysLr ? marginBox.bottom - point.y : point.y,
      y: direction.isFlippedBlocks ? marginBox.right - point.x : point.x)
  }

  private func lineCorners(_ radii: PhysicalCorners<RoundedShape.Radius>) -> RoundedShape.Corners {
    func turned(_ radius: RoundedShape.Radius) -> RoundedShape.Radius { .init(x: radius.y, y: radius.x) }
    if direction.isHorizontal {
      return .init(startLeft: radii.topLeft, startRight: radii.topRight, endRight: radii.bottomRight, endLeft: radii.bottomLeft)
    }
    var result = RoundedShape.Corners(
      startLeft: turned(radii.topLeft), startRight: turned(radii.bottomLeft), endRight: turned(radii.bottomRight),
      endLeft: turned(radii.topRight))
    if direction.isFlippedBlocks {
      result = .init(startLeft: result.endLeft, startRight: result.endRight, endRight: result.startRight, endLeft: result.startLeft)
    }
    guard direction.mode == .sidewaysLr else { return result }
    return .init(startLeft: result.startRight, startRight: result.startLeft, endRight: result.endLeft, endLeft: result.endRight)
  }
}
