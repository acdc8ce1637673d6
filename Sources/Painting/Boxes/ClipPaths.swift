import CSS
import CoreTypes
import Layout

// https://drafts.csswg.org/css-shapes-1/#supported-basic-shapes and https://drafts.csswg.org/css-masking-1/#the-clip-path
extension DisplayListBuilder {
  func clipPath(_ value: ShapeValue, _ fragment: Fragment, _ offset: LayoutPoint) -> ClipShape? {
    let shape: BasicShape
    let edge: BoxEdge
    switch value {
    case .none, .image, .reference: return nil
    case .box(let box): return .rounded(referenceShape(box, fragment, offset))
    case .shape(let basic, let box): (shape, edge) = (basic, box ?? .borderBox)
    }
    let r = referenceRect(edge, fragment, offset)
    let width = r.width / scale, height = r.height / scale
    func px(_ value: LengthPercentage, _ basis: Double) -> Double { value.resolve(basis) * scale }
    func point(_ position: Position) -> DisplayPoint { DisplayPoint(r.x + px(position.x, width), r.y + px(position.y, height)) }
    switch shape {
    case .inset(let sides, let corners):
      var (top, bottom) = (px(sides.top, height), px(sides.bottom, height)), (left, right) = (px(sides.left, width), px(sides.right, width))
      // Insets that overlap share the space in proportion.
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
    case .polygon(let evenOdd, let points):
      var path = VectorPath.polygon(points.map { point($0) })
      path.evenOdd = evenOdd
      return .path(path)
    case .path(let evenOdd, let data):
      var path = SVGPathParser.parse(data).mapped(AffineTransform(a: scale, b: 0, c: 0, d: scale, e: r.x, f: r.y))
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

  private func referenceRect(_ edge: BoxEdge, _ fragment: Fragment, _ offset: LayoutPoint) -> DisplayRect {
    func exact(_ rect: LayoutRect) -> DisplayRect {
      DisplayRect(x: x(rect.minX), y: y(rect.minY), width: rect.size.width.double * scale, height: rect.size.height.double * scale)
    }
    let border = LayoutRect(origin: offset, size: fragment.size)
    switch edge {
    case .paddingBox: return exact(border.inset(by: fragment.border))
    case .contentBox, .fillBox: return exact(border.inset(by: fragment.border + fragment.padding))
    case .marginBox: return exact(border.outset(by: margins(fragment)))
    default: return exact(border)
    }
  }

  private func margins(_ fragment: Fragment) -> LayoutEdges {
    func px(_ value: LengthPercentageAuto) -> LayoutUnit {
      if case .value(.length(let length)) = value { LayoutUnit(length) } else { .zero }
    }
    let m = fragment.style.box.margin
    return LayoutEdges(top: px(m.top), right: px(m.right), bottom: px(m.bottom), left: px(m.left))
  }

  private func referenceShape(_ edge: BoxEdge, _ fragment: Fragment, _ offset: LayoutPoint) -> RoundedRect {
    if edge == .marginBox { return RoundedRect(referenceRect(edge, fragment, offset)) }
    return BoxGeometry(self, fragment, offset).shape(edge)
  }
}
