import CSS
import CoreTypes
import Layout

// Form controls as Chromium draws them where no style sheet says otherwise.
//
// https://drafts.csswg.org/css-ui-4/#appearance-switching
struct ControlPainter: FragmentPainter {
  let context: PaintContext

  /// What a colour scheme draws controls in.
  struct Palette {
    var line: Color
    var field: Color
    var track: Color
    var trackLine: Color
    var gaugeLine: Color
    var accent: Color
    var mark: Color

    init(isDark: Bool, isDisabled: Bool, accent own: Color?) {
      let grey = Color(r: 118, g: 118, b: 118)
      if isDark {
        let ground = Color(r: 59, g: 59, b: 59), edge = Color(r: 133, g: 133, b: 133)
        line = isDisabled ? Color(r: 98, g: 98, b: 98) : edge
        (field, track, trackLine, gaugeLine, mark) = (ground, ground, line, edge, ground)
        accent = isDisabled ? Color(r: 117, g: 117, b: 117) : own ?? Color(r: 153, g: 200, b: 255)
        return
      }
      line = isDisabled ? grey.with(alpha: 0.3) : grey
      field = isDisabled ? Color(r: 248, g: 248, b: 248) : .white
      track = isDisabled ? Color(r: 250, g: 250, b: 250) : Color(r: 239, g: 239, b: 239)
      trackLine = grey.with(alpha: isDisabled ? 0.3 : 0.5)
      gaugeLine = Color(r: 203, g: 203, b: 203)
      accent = isDisabled ? Color(r: 203, g: 203, b: 203) : own ?? Color(r: 0, g: 117, b: 255)
      mark = isDisabled ? Color(r: 248, g: 248, b: 248) : .white
    }
  }

  func paintControl(_ control: ControlSymbol, isDisabled: Bool, _ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    let area = LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border + fragment.padding)
    let box = DisplayRect(snap(area))
    guard box.width > 0, box.height > 0 else { return }
    let own = style.text.accentColor?.resolve(style.text.color), isRTL = style.text.direction == .rtl
    let isDark = style.text.isDarkScheme
    var palette = Palette(isDark: isDark, isDisabled: isDisabled, accent: own)
    // Marks contrast with what they are on.
    if let own, !isDisabled { palette.mark = own.isBright ? Color(r: 59, g: 59, b: 59) : .white }
    switch control {
    case .checkbox(let isChecked): paintCheckbox(square(in: box), isChecked, palette, isDisabled: isDisabled)
    case .radio(let isChecked): paintRadio(square(in: box), isChecked, palette, isDisabled: isDisabled)
    case .range(let fraction): paintRange(box, Double(fraction), isRTL: isRTL, palette)
    case .progress(let fraction):
      paintBar(box, 0...Double(fraction ?? 0), isRTL: isRTL, palette, isIndeterminate: fraction == nil)
    case .meter(let fraction, let level):
      let light = [Color(r: 16, g: 124, b: 16), Color(r: 255, g: 185, b: 0), Color(r: 216, g: 59, b: 1)]
      let dark = [Color(r: 116, g: 179, b: 116), Color(r: 242, g: 200, b: 18), Color(r: 233, g: 131, b: 93)]
      palette.accent = (isDark ? dark : light)[Int(level.rawValue)]
      palette.trackLine = palette.gaugeLine
      paintBar(box, 0...Double(fraction), isRTL: isRTL, palette)
    case .calendar: PickerIconPainter(context: context).paintCalendar(box, isDark ? .white : .black)
    case .clock: PickerIconPainter(context: context).paintClock(box, isDark ? .white : .black)
    }
  }

  private func square(in box: DisplayRect) -> DisplayRect {
    let side = min(box.width, box.height)
    return DisplayRect(x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side)
  }

  private func rounded(_ rect: DisplayRect, _ radius: Double) -> RoundedRect {
    RoundedRect(rect, radii: PhysicalCorners(all: DisplayRadius(radius, radius))).constrained()
  }

  private func ring(_ shape: RoundedRect, _ color: Color) {
    fillRing(shape, shape.inset(top: scale, right: scale, bottom: scale, left: scale), color)
  }

  private func paintCheckbox(_ box: DisplayRect, _ isChecked: Bool, _ palette: Palette, isDisabled: Bool) {
    let shape = rounded(box, 2 * scale)
    fill(shape, palette.field)
    guard isChecked else { return ring(shape, palette.line) }
    fill(shape, isDisabled ? Self.faded(palette) : palette.accent)
    var tick = VectorPath()
    tick.move(box.x + box.width * 0.2, box.y + box.height * 0.5)
    tick.line(box.x + box.width * 0.4, box.y + box.height * 0.7)
    tick.line(box.maxX - box.width * 0.2, box.y + box.height * 0.2)
    stroke(tick, Stroke(width: box.width * 0.16), palette.mark)
  }

  private func paintRadio(_ box: DisplayRect, _ isChecked: Bool, _ palette: Palette, isDisabled: Bool) {
    let shape = rounded(box, box.width / 2), accent = isDisabled ? Self.faded(palette) : palette.accent
    fill(shape, palette.field)
    ring(shape, isChecked ? accent : palette.line)
    if isChecked { fill(.ellipse(center: box.center, rx: box.width * 0.3, ry: box.height * 0.3), accent) }
  }

  /// What is chosen in disabled boxes: their line's colour, or on dark pages a lighter one.
  private static func faded(_ palette: Palette) -> Color { palette.line.isOpaque ? palette.accent : palette.line }

  private func paintRange(_ box: DisplayRect, _ fraction: Double, isRTL: Bool, _ palette: Palette) {
    let thickness = min(8 * scale, box.height), knob = min(16 * scale, box.height, box.width)
    let bar = DisplayRect(x: box.x, y: box.y + (box.height - thickness) / 2, width: box.width, height: thickness)
    let center = DisplayPoint(
      box.x + knob / 2 + (box.width - knob) * (isRTL ? 1 - fraction : fraction), box.y + box.height / 2)
    paintBar(bar, 0...((isRTL ? box.maxX - center.x : center.x - box.x) / max(box.width, 1)), isRTL: isRTL, palette, isWhole: true)
    fill(.ellipse(center: center, rx: knob / 2, ry: knob / 2), palette.accent)
  }

  /// A track and how much of it is filled; half as thick as its box unless it is the whole of it.
  private func paintBar(
    _ box: DisplayRect, _ part: ClosedRange<Double>, isRTL: Bool, _ palette: Palette, isWhole: Bool = false, isIndeterminate: Bool = false
  ) {
    let thickness = isWhole ? box.height : (box.height / 2).rounded()
    let bar = DisplayRect(x: box.x, y: box.y + ((box.height - thickness) / 2).rounded(.down), width: box.width, height: thickness)
    let shape = rounded(bar, thickness / 2)
    fill(shape, palette.track)
    let width = bar.width * min(max(part.upperBound, 0), 1)
    if isIndeterminate {
      fill(
        rounded(DisplayRect(x: bar.x + bar.width / 8, y: bar.y, width: bar.width / 5, height: bar.height), thickness / 2), palette.accent)
    } else if width > 0 {
      pushClip(.rounded(shape))
      fill(RoundedRect(DisplayRect(x: isRTL ? bar.maxX - width : bar.x, y: bar.y, width: width, height: bar.height)), palette.accent)
      popClip()
    }
    ring(shape, palette.trackLine)
  }

  /// The grip in the corner of a text area.
  func paintResizer(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    guard style.box.resize != .none, style.box.overflowX != .visible, style.text.visibility == .visible else { return }
    let area = BoxGeometry(context, fragment, offset).paddingBox, unit = scale * Double(style.zoom)
    guard Double(area.width) > 16 * unit, Double(area.height) > 16 * unit else { return }
    let isRTL = style.text.direction == .rtl
    let color = style.text.isDarkScheme ? Color(r: 0x9A, g: 0x9A, b: 0x9A) : Color(r: 0x66, g: 0x66, b: 0x66)
    for length in [7, 3] {
      for step in 0..<length {
        let x = Double(2 + step) * unit, y = Double(2 + length - 1 - step) * unit
        let left = isRTL ? Double(area.left) + x : Double(area.right) - x - unit
        fill(DisplayRect(x: left.rounded(), y: (Double(area.bottom) - y - unit).rounded(), width: unit, height: unit).enclosing, color)
      }
    }
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

extension Color {
  fileprivate func with(alpha: Float) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

  /// Whether dark marks are seen better on it than white ones.
  fileprivate var isBright: Bool { 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.6 }
}
