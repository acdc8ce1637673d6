import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// https://drafts.csswg.org/css-shapes-1/#supported-basic-shapes and https://drafts.csswg.org/css-masking-1/#the-clip-path
extension PaintContext {
  func clipPath(_ value: ShapeValue, _ fragment: Fragment, _ offset: LayoutPoint) -> ClipShape? {
    let shape: BasicShape
    let edge: BoxEdge
    switch value {
    case .none, .image, .reference: return nil
    case .box(let box): return .rounded(referenceShape(box, fragment, offset))
    case .shape(let basic, let box): (shape, edge) = (basic, box ?? .borderBox)
    }
    return BasicShapeOutline(rect: referenceRect(edge, fragment, offset), scale: scale, zoom: Double(fragment.style.zoom)).clip(shape)
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
