import OffprintCSS
import OffprintCoreTypes

/// The icons that open the pickers of date and time inputs.
struct PickerIconPainter: FragmentPainter {
  let context: PaintContext

  func paintCalendar(_ box: DisplayRect, _ color: Color) {
    let unit = box.width / 24
    func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> DisplayRect {
      DisplayRect(x: box.x + x * unit, y: box.y + y * unit, width: width * unit, height: height * unit)
    }
    func corners(_ radius: Double) -> PhysicalCorners<DisplayRadius> {
      PhysicalCorners(all: DisplayRadius(radius * unit, radius * unit))
    }
    fillRing(RoundedRect(rect(2.5, 3, 19, 20), radii: corners(2)), RoundedRect(rect(4.5, 8.5, 15, 12.5)), color)
    for x in [5.5, 16.5] { fill(RoundedRect(rect(x, 1, 2, 2)), color) }
  }

  func paintClock(_ box: DisplayRect, _ color: Color) {
    let unit = box.width / 14, center = box.center
    let face = DisplayRect(x: center.x - 6 * unit, y: center.y - 6 * unit, width: 12 * unit, height: 12 * unit)
    let outer = RoundedRect(face, radii: PhysicalCorners(all: DisplayRadius(6 * unit, 6 * unit)))
    let line = 1.3 * unit
    fillRing(outer, outer.inset(top: line, right: line, bottom: line, left: line), color)
    var hands = VectorPath()
    hands.move(center.x, center.y - 3.6 * unit)
    hands.line(center.x, center.y + 0.2 * unit)
    hands.line(center.x + 2.6 * unit, center.y + 2 * unit)
    stroke(hands, Stroke(width: 1.1 * unit), color)
  }
}
