import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// The border, padding and content edges of a box, snapped to device pixels.
struct BoxGeometry {
  let borderBox: PixelRect
  let border: PixelEdges
  let padding: PixelEdges
  /// The border box with its corners.
  let borderShape: RoundedRect
  /// The sides at which the box is broken.
  let cut: Cut

  init(_ context: PaintContext, _ fragment: Fragment, _ offset: LayoutPoint) {
    let isHorizontal = fragment.style.text.writingMode == .horizontalTb
    // A fragment of an inline box has no edges where the box is broken across lines.
    let hasLeft = fragment.hasStartEdge || !isHorizontal, hasRight = fragment.hasEndEdge || !isHorizontal
    let hasTop = fragment.hasStartEdge || isHorizontal, hasBottom = fragment.hasEndEdge || isHorizontal
    cut = Cut(fragment)
    borderBox = context.snap(LayoutRect(origin: offset, size: fragment.size))
    var border = PixelEdges(
      top: hasTop ? context.borderWidth(fragment.border.top) : 0, right: hasRight ? context.borderWidth(fragment.border.right) : 0,
      bottom: hasBottom ? context.borderWidth(fragment.border.bottom) : 0, left: hasLeft ? context.borderWidth(fragment.border.left) : 0)
    if border.left + border.right > borderBox.width {
      border.left = min(border.left, borderBox.width)
      border.right = borderBox.width - border.left
    }
    if border.top + border.bottom > borderBox.height {
      border.top = min(border.top, borderBox.height)
      border.bottom = borderBox.height - border.top
    }
    self.border = border
    let content = context.snap(LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border + fragment.padding))
    padding = PixelEdges(
      top: max(0, content.top - borderBox.top - border.top), right: max(0, borderBox.right - border.right - content.right),
      bottom: max(0, borderBox.bottom - border.bottom - content.bottom), left: max(0, content.left - borderBox.left - border.left))
    borderShape = Self.shape(
      context, fragment, DisplayRect(borderBox), hasLeft: hasLeft && !cut.left, hasTop: hasTop && !cut.top,
      hasRight: hasRight && !cut.right, hasBottom: hasBottom && !cut.bottom)
  }

  /// The sides at which a box is fragmented in the block axis.
  struct Cut {
    var top = false, right = false, bottom = false, left = false

    init(_ fragment: Fragment) {
      guard let slice = fragment.slice else { return }
      let start = slice.before > .zero, end = slice.after > .zero
      switch fragment.style.text.writingMode {
      case .horizontalTb: (top, bottom) = (start, end)
      case .verticalRl, .sidewaysRl: (right, left) = (start, end)
      case .verticalLr, .sidewaysLr: (left, right) = (start, end)
      }
    }

    /// The rectangle without limits at the sides where the box is not broken.
    func openRect(of rect: PixelRect) -> PixelRect {
      let far = 100_000_000
      return PixelRect(
        left: left ? rect.left : -far, top: top ? rect.top : -far, right: right ? rect.right : far, bottom: bottom ? rect.bottom : far)
    }
  }

  /// The background positioning area of a fragmented box with `box-decoration-break: slice`: that of the unfragmented box.
  func rect(_ box: BoxEdge, of slice: FragmentSlice, _ mode: WritingMode, scale: Double) -> DisplayRect {
    var rect = DisplayRect(borderBox)
    let before = slice.before.double * scale, after = slice.after.double * scale
    switch mode {
    case .horizontalTb: rect = DisplayRect(x: rect.x, y: rect.y - before, width: rect.width, height: rect.height + before + after)
    case .verticalRl, .sidewaysRl:
      rect = DisplayRect(x: rect.x - after, y: rect.y, width: rect.width + before + after, height: rect.height)
    case .verticalLr, .sidewaysLr:
      rect = DisplayRect(x: rect.x - before, y: rect.y, width: rect.width + before + after, height: rect.height)
    }
    let edges: LayoutEdges =
      switch box {
      case .contentBox, .fillBox: slice.border + slice.padding
      case .paddingBox: slice.border
      default: .zero
      }
    let left = edges.left.double * scale, top = edges.top.double * scale
    return DisplayRect(
      x: rect.x + left, y: rect.y + top, width: max(0, rect.width - left - edges.right.double * scale),
      height: max(0, rect.height - top - edges.bottom.double * scale))
  }

  /// https://drafts.csswg.org/css-backgrounds-3/#border-radius
  private static func shape(
    _ context: PaintContext, _ fragment: Fragment, _ rect: DisplayRect, hasLeft: Bool, hasTop: Bool, hasRight: Bool, hasBottom: Bool
  ) -> RoundedRect {
    let radius = fragment.style.border.radius
    if radius == PhysicalCorners(all: .zero) { return RoundedRect(rect) }
    let width = fragment.size.width.double, height = fragment.size.height.double
    let shapes = fragment.style.border.cornerShape
    func resolve(_ corner: CornerRadius, _ shape: CornerShape, _ exists: Bool) -> DisplayRadius {
      guard exists else { return .zero }
      let x = corner.horizontal.resolve(width) * context.scale, y = corner.vertical.resolve(height) * context.scale
      return x > 0 && y > 0 && x.isFinite && y.isFinite ? DisplayRadius(x, y, curvature: Double(shape.parameter)) : .zero
    }
    let radii = PhysicalCorners(
      topLeft: resolve(radius.topLeft, shapes.topLeft, hasLeft && hasTop),
      topRight: resolve(radius.topRight, shapes.topRight, hasRight && hasTop),
      bottomRight: resolve(radius.bottomRight, shapes.bottomRight, hasRight && hasBottom),
      bottomLeft: resolve(radius.bottomLeft, shapes.bottomLeft, hasLeft && hasBottom))
    return RoundedRect(rect, radii: radii).constrained()
  }

  var paddingBox: PixelRect { borderBox.insetBy(border) }
  var contentBox: PixelRect { borderBox.insetBy(border + padding) }
  var paddingShape: RoundedRect { border.isZero ? borderShape : borderShape.inset(border) }
  var contentShape: RoundedRect { borderShape.inset(border + padding) }

  func rect(_ edge: BoxEdge) -> PixelRect {
    switch edge {
    case .paddingBox: paddingBox
    case .contentBox, .fillBox: contentBox
    default: borderBox
    }
  }

  func shape(_ edge: BoxEdge) -> RoundedRect {
    switch edge {
    case .paddingBox: paddingShape
    case .contentBox, .fillBox: contentShape
    default: borderShape
    }
  }
}

extension Fragment {
  /// The whole of a box that is broken in the block axis, and its offset; nil for any other box.
  func unfragmented(at offset: LayoutPoint) -> (Fragment, LayoutPoint)? {
    guard let slice else { return nil }
    var (whole, offset) = (self, offset)
    whole.slice = nil
    (whole.border, whole.padding) = (slice.border, slice.padding)
    if style.text.writingMode == .horizontalTb {
      whole.size.height += slice.before + slice.after
      offset.y -= slice.before
    } else {
      whole.size.width += slice.before + slice.after
      let isLeftToRight = style.text.writingMode == .verticalLr || style.text.writingMode == .sidewaysLr
      offset.x -= isLeftToRight ? slice.before : slice.after
    }
    return (whole, offset)
  }
}
