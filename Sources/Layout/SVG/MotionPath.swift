package import OffprintCSS
package import OffprintCoreTypes

/// A point on a path and its direction in degrees.
package struct MotionPosition {
  package var point: DisplayPoint
  package var angle: Double

  package init(point: DisplayPoint, angle: Double) {
    self.point = point
    self.angle = angle
  }

  /// The position at `distance` along a path, starting at the fraction `start` of its length. `unit` is the size of a CSS pixel in the
  /// path's units.
  ///
  /// - Parameter isRound: Whether the curves of the path are quarter ellipses.
  ///
  /// https://drafts.fxtf.org/motion-1/#calculating-path-distance
  package init(on path: VectorPath, at distance: LengthPercentage, unit: Double = 1, start: Double = 0, isRound: Bool = false) {
    let measure = SVGPathMeasure(path, isRound: isRound), length = measure.length
    let isClosed = path.elements.last == .close
    var used = distance.resolve(length / unit) * unit
    if isClosed, length > 0 {
      used = (used + start * length).truncatingRemainder(dividingBy: length)
      if used < 0 { used += length }
    }
    let place = measure.place(at: min(max(used, 0), length))
    var first = DisplayPoint(0, 0)
    if case .move(let point)? = path.elements.first { first = point }
    self.init(point: place?.point ?? first, angle: place?.angle ?? 0)
  }

  /// The position on a ray from `start` in a box of `width` × `height`. https://drafts.fxtf.org/motion-1/#ray-function
  ///
  /// - Parameter side: The longer side of the moved box.
  package init(
    on ray: MotionStyle.Ray, at distance: LengthPercentage, from start: DisplayPoint, width: Double, height: Double, side: Double
  ) {
    var length = Self.length(ray, start, width, height)
    if ray.isContained { length = max(0, length - side / 2) }
    let used = distance.resolve(length), angle = Double(ray.angle) - 90, step = SVGMath.direction(angle)
    self.init(point: DisplayPoint(start.x + step.x * used, start.y + step.y * used), angle: angle)
  }

  private static func length(_ ray: MotionStyle.Ray, _ start: DisplayPoint, _ width: Double, _ height: Double) -> Double {
    let sides = [start.x, width - start.x, start.y, height - start.y].map { abs($0) }
    let corners = [sides[0], sides[1]].flatMap { x in [sides[2], sides[3]].map { (x * x + $0 * $0).squareRoot() } }
    switch ray.size {
    case .closestSide: return sides.min() ?? 0
    case .farthestSide: return sides.max() ?? 0
    case .closestCorner: return corners.min() ?? 0
    case .farthestCorner: return corners.max() ?? 0
    case .sides:
      guard start.x >= 0, start.x <= width, start.y >= 0, start.y <= height else { return 0 }
      let step = SVGMath.direction(Double(ray.angle) - 90)
      let x = abs(step.x) < 1e-9 ? .infinity : (step.x > 0 ? width - start.x : start.x) / abs(step.x)
      let y = abs(step.y) < 1e-9 ? .infinity : (step.y > 0 ? height - start.y : start.y) / abs(step.y)
      return min(x, y)
    }
  }
}
