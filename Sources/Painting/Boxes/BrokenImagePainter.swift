import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// The placeholder of an image that failed to load. https://html.spec.whatwg.org/multipage/rendering.html#images-3
struct BrokenImagePainter: FragmentPainter {
  let context: PaintContext

  private static let side = 16.0
  private static let silver = Color(r: 192, g: 192, b: 192)
  private static let line = Color(r: 150, g: 150, b: 150)

  /// Paints a thin frame with the icon in its corner if the box is large enough, or the icon alone if `hasFrame` is false.
  func paint(_ fragment: Fragment, _ offset: LayoutPoint, hasFrame: Bool, hasIcon: Bool) {
    let unit = scale * Double(fragment.style.zoom)
    let box = BoxGeometry(context, fragment, offset).contentBox
    guard hasFrame else { return paintIcon(DisplayPoint(Double(box.left), Double(box.top)), unit) }
    let needed = clampedPixel((Self.side + 4) * unit)
    guard box.width >= needed, box.height >= needed else { return }
    let width = max(1, clampedPixel(unit.rounded(.down)))
    let outer = RoundedRect(DisplayRect(box))
    fillRing(outer, outer.inset(PixelEdges(top: width, right: width, bottom: width, left: width)), Self.silver)
    let isRTL = fragment.style.text.direction == .rtl
    let inset = 2 * unit
    let x = isRTL ? Double(box.right) - inset - Self.side * unit : Double(box.left) + inset
    if hasIcon { paintIcon(DisplayPoint(x, Double(box.top) + inset), unit) }
  }

  /// The icon of a torn landscape photo.
  private func paintIcon(_ origin: DisplayPoint, _ unit: Double) {
    func path(_ points: [(Double, Double)]) -> VectorPath {
      .polygon(points.map { DisplayPoint(origin.x + $0.0 * unit, origin.y + $0.1 * unit) })
    }
    func ellipse(_ x: Double, _ y: Double, _ rx: Double, _ ry: Double) -> VectorPath {
      .ellipse(center: DisplayPoint(origin.x + x * unit, origin.y + y * unit), rx: rx * unit, ry: ry * unit)
    }
    // The remaining pieces: the upper part, and a corner below the tear.
    for piece in [
      path([(0, 0), (11, 0), (16, 5), (16, 8), (14, 8), (6, 16), (0, 16)]), path([(16, 10.5), (16, 16), (10, 16)]),
    ] {
      pushClip(.path(piece))
      fill(path([(0, 0), (11, 0), (16, 5), (16, 16), (0, 16)]), Self.line)
      fill(path([(1, 1), (10, 1), (15, 5), (15, 15), (1, 15)]), Color(r: 199, g: 216, b: 244))
      fill(path([(1, 1), (10, 1), (10, 3), (1, 3)]), Color(r: 226, g: 235, b: 251))
      fill(ellipse(4.6, 5, 2.8, 1.6), .white)
      pushClip(.path(path([(1, 9), (15, 9), (15, 15), (1, 15)])))
      fill(ellipse(7.2, 16, 6.5, 6.4), Color(r: 88, g: 174, b: 57))
      fill(ellipse(14, 16, 3, 2.8), Color(r: 88, g: 174, b: 57))
      popClip()
      fill(path([(10, 0), (11, 0), (16, 5), (10, 5)]), Self.line)
      fill(path([(11, 1), (11, 4), (14.5, 4)]), Color(r: 215, g: 215, b: 215))
      popClip()
    }
  }
}
