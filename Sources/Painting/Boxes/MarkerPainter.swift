import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// List markers that are shapes. https://drafts.csswg.org/css-counter-styles-3/#predefined-counters
struct MarkerPainter: FragmentPainter {
  let context: PaintContext

  /// Paints a disc, circle, square or triangle. Sizes follow Chromium's formulas from the font ascent.
  func paint(_ symbol: MarkerSymbol, _ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    let color = style.text.fillColor?.resolve(style.text.color) ?? style.text.color
    let ascent = symbolAscent(style)
    switch symbol {
    case .disclosureOpen, .disclosureClosed: return paintDisclosure(symbol, fragment, offset, color)
    case .disc, .circle, .square: break
    }
    let size = (ascent * 2 / 3 + 1) / 2
    let top = 3 * (ascent - ascent * 2 / 3) / 2
    // Measured from the start of the line and from its line-over side, which is the right side in vertical writing modes.
    let corner =
      style.text.writingMode == .horizontalTb
      ? LayoutPoint(x: LayoutUnit(1), y: LayoutUnit(top))
      : LayoutPoint(x: fragment.size.width - LayoutUnit(top + size), y: LayoutUnit(1))
    let rect = snap(LayoutRect(origin: offset + corner, size: LayoutSize(width: LayoutUnit(size), height: LayoutUnit(size))))
    let shape = DisplayRect(rect)
    switch symbol {
    case .square: fill(rect, color)
    case .disc: fill(.ellipse(center: shape.center, rx: shape.width / 2, ry: shape.height / 2), color)
    case .circle:
      let inner = shape.insetBy(scale / 2)
      stroke(.ellipse(center: inner.center, rx: inner.width / 2, ry: inner.height / 2), Stroke(width: scale), color)
    default: break
    }
  }

  /// The font ascent in whole CSS px.
  private func symbolAscent(_ style: ComputedStyle) -> Int {
    guard let metrics = fragments.fonts.metrics(of: style) else { return Int(max(0, min(1e5, style.font.size * 0.9)).rounded()) }
    return Int(max(0, min(1e5, metrics.ascent)))
  }

  /// Paints a triangle, centered in the line. It points to the block end if open, and to the inline end if closed.
  private func paintDisclosure(_ symbol: MarkerSymbol, _ fragment: Fragment, _ offset: LayoutPoint, _ color: Color) {
    let r = DisplayRect(snap(LayoutRect(origin: offset, size: fragment.size)))
    let side = min(r.width, r.height), direction = WritingDirection(fragment.style)
    guard side > 0 else { return }
    let center = r.center
    let corner =
      direction.isHorizontal ? DisplayPoint(r.x, center.y - side / 2) : DisplayPoint(center.x - side / 2, r.y)
    var isOpen = false
    if case .disclosureOpen = symbol { isOpen = true }
    let isBackward = isOpen ? direction.isFlippedBlocks : direction.isFlippedInline
    func point(_ along: Double, _ across: Double) -> DisplayPoint {
      let along = isBackward ? 1 - along : along
      let (x, y) = isOpen == direction.isHorizontal ? (across, along) : (along, across)
      return DisplayPoint(corner.x + x * side, corner.y + y * side)
    }
    fill(.polygon([point(0.07, 0), point(0.93, 0.5), point(0.07, 1)]), color)
  }
}
