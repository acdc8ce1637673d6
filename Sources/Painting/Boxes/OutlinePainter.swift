import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// https://drafts.csswg.org/css-ui-4/#outline and https://drafts.csswg.org/css-multicol-1/#column-gaps-and-rules
struct OutlinePainter: FragmentPainter {
  let context: PaintContext

  func paintOutline(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    guard fragment.kind == .box, style.border.outlineWidth > 0, style.border.outlineStyle.isVisible,
      style.text.visibility == .visible, tree[fragment.box].kind != .tableGrid || fragment.size != .zero,
      tree[fragment.box].kind != .tableColumn, tree[fragment.box].kind != .tableColumnGroup
    else { return }
    if style.border.outlineIsAuto { return paintFocusRing(fragment, offset) }
    let width = max(1, clampedPixel(length(min(style.border.outlineWidth, 1e6)).rounded(.down)))
    let distance = Double(clampedPixel(length(max(-1e6, min(style.border.outlineOffset, 1e6))).rounded()))
    var shape = outlined(fragment, offset)
    // A negative offset is limited so that the outline does not turn inside out.
    let minimum = -min(shape.rect.width, shape.rect.height) / 2
    let outset = max(distance, minimum.rounded(.up))
    // The inner edge follows the shape of the border edge, however thick the outline is.
    let inner = shape.isRounded ? shape.spread(outset) : nil
    shape = shape.spread(outset + Double(width))
    let edge = BorderEdge(
      width: width, style: style.border.outlineStyle == .double && width < 3 ? .solid : style.border.outlineStyle,
      color: style.border.outlineColor.resolve(style.text.color))
    borders.paintEdges(
      [edge, edge, edge, edge], outer: shape, widths: PixelEdges(top: width, right: width, bottom: width, left: width),
      inner: inner)
  }

  /// The border edge that the outline follows. Corners rounded by the native appearance of a control do not count, only those of its style.
  /// Radio buttons are round.
  private func outlined(_ fragment: Fragment, _ offset: LayoutPoint) -> RoundedRect {
    let box = tree[fragment.box], shape = BoxGeometry(context, fragment, offset).borderShape
    if box.kind == .replaced, tree.replaced.indices.contains(Int(box.replaced)),
      case .control(.radio, _) = tree.replaced[Int(box.replaced)].kind
    {
      let radius = DisplayRadius(shape.rect.width / 2, shape.rect.height / 2)
      return RoundedRect(shape.rect, radii: PhysicalCorners(all: radius))
    }
    guard box.control != .none, !box.node.isNone, tree.styled.style(of: box.node).border.radius == PhysicalCorners(all: .zero) else {
      return shape
    }
    return RoundedRect(shape.rect)
  }

  /// Paints `outline-style: auto` as Chromium's focus ring: two pixels of the outline color along the edge, surrounded by one white pixel.
  private func paintFocusRing(_ fragment: Fragment, _ offset: LayoutPoint) {
    let border = fragment.style.border
    var shape = outlined(fragment, offset)
    let distance = length(max(-1e6, min(border.outlineOffset, 1e6))).rounded()
    shape = shape.spread(max(distance, (-min(shape.rect.width, shape.rect.height) / 2).rounded(.up)))
    func ring(from inner: Double, to outer: Double, _ color: Color) {
      var outside = shape.spread(outer * scale)
      if !outside.isRounded { outside = outside.mapRadii { _ in DisplayRadius(scale * 2, scale * 2) } }
      fillRing(outside, shape.spread(inner * scale), color)
    }
    ring(from: 1, to: 2, .white)
    ring(from: -1, to: 1, border.outlineColor.resolve(fragment.style.text.color))
  }
}
