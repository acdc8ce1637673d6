package import OffprintCSS
package import OffprintCoreTypes
import OffprintLayout

/// Outlines of basic shapes in a reference box. https://drafts.csswg.org/css-shapes-1/#supported-basic-shapes
package struct BasicShapeOutline {
  let rect: DisplayRect
  /// Units of `rect` per CSS px.
  let scale: Double
  /// Units of path data per CSS px. Other lengths are already zoomed.
  let zoom: Double

  package init(rect: DisplayRect, scale: Double, zoom: Double = 1) { self.rect = rect; self.scale = scale; self.zoom = zoom }

  /// The shape as a path, in the units of `rect`.
  package func path(_ shape: BasicShape) -> VectorPath {
    switch clip(shape) {
    case .path(let path), .stroke(let path, _): return path
    case .rounded(let shape):
      var path = VectorPath()
      path.add(shape)
      return path
    case .rect(let rect):
      var path = VectorPath()
      path.add(RoundedRect(rect))
      return path
    }
  }

  func clip(_ shape: BasicShape) -> ClipShape {
    let r = rect
    let width = r.width / scale, height = r.height / scale
    func px(_ value: LengthPercentage, _ basis: Double) -> Double { value.resolve(basis) * scale }
    func point(_ position: Position) -> DisplayPoint { DisplayPoint(r.x + px(position.x, width), r.y + px(position.y, height)) }
    switch shape {
    case .inset(let sides, let corners):
      var (top, bottom) = (px(sides.top, height), px(sides.bottom, height)), (left, right) = (px(sides.left, width), px(sides.right, width))
      // Opposite insets that overlap are reduced in proportion.
      if top + bottom > r.height, top + bottom > 0 { (top, bottom) = (top * r.height / (top + bottom), bottom * r.height / (top + bottom)) }
      if left + right > r.width, left + right > 0 { (left, right) = (left * r.width / (left + right), right * r.width / (left + right)) }
      let rect = DisplayRect(x: r.x + left, y: r.y + top, width: max(0, r.width - left - right), height: max(0, r.height - top - bottom))
      func radius(_ c: CornerRadius) -> DisplayRadius { DisplayRadius(max(0, px(c.horizontal, width)), max(0, px(c.vertical, height))) }
      let radii = PhysicalCorners(
        topLeft: radius(corners.topLeft), topRight: radius(corners.topRight), bottomRight: radius(corners.bottomRight),
        bottomLeft: radius(corners.bottomLeft))
      return .rounded(RoundedRect(rect, radii: radii).constrained())
    case .circle(let radius, let at):
      let center = point(at)
      let size = self.radius(radius, center, r, (r.width * r.width + r.height * r.height).squareRoot() / 2.0.squareRoot(), axis: nil)
      return .path(.ellipse(center: center, rx: max(size, 0), ry: max(size, 0)))
    case .ellipse(let x, let y, let at):
      let center = point(at)
      let rx = self.radius(x, center, r, r.width, axis: .horizontal), ry = self.radius(y, center, r, r.height, axis: .vertical)
      return .path(.ellipse(center: center, rx: max(rx, 0), ry: max(ry, 0)))
    case .polygon(let evenOdd, let points, let radius):
      let corners = points.map { point($0) }, size = px(radius, (width * width + height * height).squareRoot() / 2.0.squareRoot())
      var path = size > 0 ? VectorPath.polygon(corners, radius: size) : .polygon(corners)
      path.evenOdd = evenOdd
      return .path(path)
    case .path(let evenOdd, let data):
      var path = VectorPath(svgPath: data.utf8).mapped(
        AffineTransform(a: scale * zoom, b: 0, c: 0, d: scale * zoom, e: r.x, f: r.y))
      path.evenOdd = evenOdd
      return .path(path)
    case .shape(let evenOdd, let shape):
      var path = ShapePathOutline.path(shape, width: width, height: height).mapped(
        AffineTransform(a: scale, b: 0, c: 0, d: scale, e: r.x, f: r.y))
      path.evenOdd = evenOdd
      return .path(path)
    }
  }

  private enum Axis { case horizontal, vertical }

  private func radius(_ value: BasicShape.Radius, _ center: DisplayPoint, _ r: DisplayRect, _ basis: Double, axis: Axis?) -> Double {
    let horizontal = [abs(center.x - r.x), abs(r.maxX - center.x)], vertical = [abs(center.y - r.y), abs(r.maxY - center.y)]
    let distances =
      switch axis {
      case .horizontal: horizontal
      case .vertical: vertical
      case nil: horizontal + vertical
      }
    switch value {
    case .closestSide: return distances.min() ?? 0
    case .farthestSide: return distances.max() ?? 0
    case .value(let v): return v.resolve(basis / scale) * scale
    }
  }
}
