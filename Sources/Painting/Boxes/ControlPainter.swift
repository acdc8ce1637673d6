import CSS
import CoreTypes
import Layout

// Form controls as Chromium draws them where no style sheet says otherwise.
//
// https://drafts.csswg.org/css-ui-4/#appearance-switching
struct ControlPainter: FragmentPainter {
  let context: PaintContext

  private static let line = Color(r: 118, g: 118, b: 118)
  private static let track = Color(r: 239, g: 239, b: 239)
  private static let trackLine = Color(r: 178, g: 178, b: 178)
  private static let accent = Color(r: 0, g: 117, b: 255)
  private static let faded = Color(r: 203, g: 203, b: 203)

  func paintControl(_ control: ControlSymbol, isDisabled: Bool, _ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    let area = LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border + fragment.padding)
    let box = DisplayRect(snap(area))
    guard box.width > 0, box.height > 0 else { return }
    let accent = isDisabled ? Self.faded : style.text.accentColor?.resolve(style.text.color) ?? Self.accent
    let line = isDisabled ? Self.faded : Self.line
    switch control {
    case .checkbox(let isChecked): paintCheckbox(square(in: box), isChecked, line: line, accent: accent)
    case .radio(let isChecked): paintRadio(square(in: box), isChecked, line: line, accent: accent)
    case .range(let fraction): paintRange(box, Double(fraction), isRTL: style.text.direction == .rtl, accent)
    case .progress(let fraction): paintBar(box, Double(fraction ?? 0), isRTL: style.text.direction == .rtl, accent)
    case .meter(let fraction, let level):
      let colors = [Color(r: 16, g: 124, b: 16), Color(r: 255, g: 185, b: 0), Color(r: 216, g: 59, b: 1)]
      paintBar(box, Double(fraction), isRTL: style.text.direction == .rtl, colors[Int(level.rawValue)])
    }
  }

  private func square(in box: DisplayRect) -> DisplayRect {
    let side = min(box.width, box.height)
    return DisplayRect(x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side)
  }

  private func rounded(_ rect: DisplayRect, _ radius: Double) -> RoundedRect {
    RoundedRect(rect, radii: PhysicalCorners(all: DisplayRadius(radius, radius))).constrained()
  }

  private func paintCheckbox(_ box: DisplayRect, _ isChecked: Bool, line: Color, accent: Color) {
    let shape = rounded(box, 2 * scale)
    guard isChecked else {
      fill(shape, .white)
      fillRing(shape, shape.inset(top: scale, right: scale, bottom: scale, left: scale), line)
      return
    }
    fill(shape, accent)
    var tick = VectorPath()
    tick.move(box.x + box.width * 0.2, box.y + box.height * 0.5)
    tick.line(box.x + box.width * 0.4, box.y + box.height * 0.7)
    tick.line(box.maxX - box.width * 0.2, box.y + box.height * 0.2)
    stroke(tick, Stroke(width: box.width * 0.16), .white)
  }

  private func paintRadio(_ box: DisplayRect, _ isChecked: Bool, line: Color, accent: Color) {
    let shape = rounded(box, box.width / 2)
    fill(shape, .white)
    fillRing(shape, shape.inset(top: scale, right: scale, bottom: scale, left: scale), isChecked ? accent : line)
    guard isChecked else { return }
    fill(.ellipse(center: box.center, rx: box.width * 0.3, ry: box.height * 0.3), accent)
  }

  private func paintRange(_ box: DisplayRect, _ fraction: Double, isRTL: Bool, _ accent: Color) {
    let thickness = min(8 * scale, box.height), knob = min(16 * scale, box.height, box.width)
    let bar = DisplayRect(x: box.x, y: box.y + (box.height - thickness) / 2, width: box.width, height: thickness)
    let center = DisplayPoint(
      box.x + knob / 2 + (box.width - knob) * (isRTL ? 1 - fraction : fraction), box.y + box.height / 2)
    paintBar(bar, (isRTL ? box.maxX - center.x : center.x - box.x) / max(box.width, 1), isRTL: isRTL, accent, isWhole: true)
    fill(.ellipse(center: center, rx: knob / 2, ry: knob / 2), accent)
  }

  /// A track and how much of it is filled; half as thick as its box unless it is the whole of it.
  private func paintBar(_ box: DisplayRect, _ fraction: Double, isRTL: Bool, _ color: Color, isWhole: Bool = false) {
    let thickness = isWhole ? box.height : (box.height / 2).rounded()
    let bar = DisplayRect(x: box.x, y: box.y + ((box.height - thickness) / 2).rounded(.down), width: box.width, height: thickness)
    let shape = rounded(bar, thickness / 2)
    fill(shape, Self.track)
    fillRing(shape, shape.inset(top: scale, right: scale, bottom: scale, left: scale), Self.trackLine)
    let width = bar.width * min(max(fraction, 0), 1)
    guard width > 0 else { return }
    pushClip(.rounded(shape))
    fill(RoundedRect(DisplayRect(x: isRTL ? bar.maxX - width : bar.x, y: bar.y, width: width, height: bar.height)), color)
    popClip()
  }

  /// The arrow at the end of a drop-down box.
  func paintMenuArrow(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    guard style.box.appearance != .none, style.text.visibility == .visible else { return }
    let area = DisplayRect(snap(LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border)))
    guard area.width > 16 * scale, area.height > 4 * scale else { return }
    let x = style.text.direction == .rtl ? area.x + 8 * scale : area.maxX - 8 * scale, y = area.y + area.height / 2
    var arrow = VectorPath()
    arrow.move(x - 4 * scale, y - 2 * scale)
    arrow.line(x, y + 2 * scale)
    arrow.line(x + 4 * scale, y - 2 * scale)
    stroke(arrow, Stroke(width: 2 * scale), style.text.color)
  }
}
