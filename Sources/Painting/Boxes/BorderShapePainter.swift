import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// Borders along basic shapes. https://drafts.csswg.org/css-borders-4/#border-shape
struct BorderShapePainter: FragmentPainter {
  let context: PaintContext

  /// The outline of the background: the only shape, or the outer one of two.
  func outline(_ style: ComputedStyle, _ geometry: BoxGeometry) -> VectorPath? {
    let shapes = style.border.shapes
    return shapes.first.map { path($0, default: shapes.count > 1 ? .borderBox : .halfBorderBox, style, geometry) }
  }

  /// Strokes a single shape with the border width, or fills the ring between two. As in Chromium, width, style and color come from one side.
  func paintBorder(_ style: ComputedStyle, _ geometry: BoxGeometry) {
    guard let side = relevantSide(style, geometry), let outer = outline(style, geometry) else { return }
    let color = side.color.resolve(style.text.color)
    guard !color.isTransparent else { return }
    if style.border.shapes.count > 1 {
      var ring = outer
      ring.elements += path(style.border.shapes[1], default: .paddingBox, style, geometry).elements
      ring.evenOdd = true
      return fill(ring, color)
    }
    var line = Stroke(width: Double(side.width))
    switch side.style {
    case .dashed: line.dashes = [line.width * 2, line.width]
    case .dotted:
      line.dashes = [0, line.width * 2]
      line.hasRoundCaps = true
    default: break
    }
    stroke(outer, line, color)
  }

  /// The first side that has a border, starting at the block-start side.
  private func relevantSide(
    _ style: ComputedStyle, _ geometry: BoxGeometry
  ) -> (width: Int, style: BorderLineStyle, color: ColorValue)? {
    let border = style.border, widths = geometry.border
    let sides = [
      (widths.top, border.style.top, border.color.top), (widths.left, border.style.left, border.color.left),
      (widths.bottom, border.style.bottom, border.color.bottom), (widths.right, border.style.right, border.color.right),
    ]
    return sides.first { $0.0 > 0 && $0.1.isVisible }
  }

  private func path(_ shape: BorderShape, default edge: BoxEdge, _ style: ComputedStyle, _ geometry: BoxGeometry) -> VectorPath {
    var rect = DisplayRect(geometry.rect(shape.box ?? edge))
    if (shape.box ?? edge) == .halfBorderBox {
      let border = geometry.border, whole = DisplayRect(geometry.borderBox)
      let (left, top) = (Double(border.left) / 2, Double(border.top) / 2)
      rect = DisplayRect(
        x: whole.x + left, y: whole.y + top, width: max(0, whole.width - left - Double(border.right) / 2),
        height: max(0, whole.height - top - Double(border.bottom) / 2))
    }
    return BasicShapeOutline(rect: rect, scale: scale, zoom: Double(style.zoom)).path(shape.shape)
  }
}
