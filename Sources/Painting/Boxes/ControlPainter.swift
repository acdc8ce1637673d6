import OffprintCSS
import OffprintCoreTypes
import Glibc
import OffprintLayout

// Form controls with native appearance, in the look of Chromium.
//
// https://drafts.csswg.org/css-ui-4/#appearance-switching
struct ControlPainter: FragmentPainter {
  let context: PaintContext

  /// Colors of controls in one color scheme.
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
    let box = paintedBox(of: control, fragment, offset)
    guard box.width > 0, box.height > 0 else { return }
    let own = style.text.accentColor?.resolve(style.text.color)
    let isDark = style.text.isDarkScheme, unit = scale * Double(style.zoom)
    let accent = isDisabled ? nil : own, beside = control.besideAccent
    let isDrawnDark = accent.flatMap { accent in beside.map { accent.wantsDark(isDark, light: $0) } } ?? isDark
    var palette = Palette(isDark: isDrawnDark, isDisabled: isDisabled, accent: own)
    switch control {
    case .checkbox(let isChecked): paintCheckbox(square(in: box), isChecked, palette, isDisabled: isDisabled, unit)
    case .radio(let isChecked): paintRadio(square(in: box), isChecked, palette, isDisabled: isDisabled, unit)
    case .range(let fraction, let marks):
      if !marks.isEmpty { paintMarks(marks, box, style) }
      paintRange(box, Double(fraction), style, palette)
    case .progress(let fraction):
      paintBar(box, fraction: fraction.map { Double($0) }, style, palette)
    case .meter(let fraction, let level):
      let light = [Color(r: 16, g: 124, b: 16), Color(r: 255, g: 185, b: 0), Color(r: 216, g: 59, b: 1)]
      let dark = [Color(r: 116, g: 179, b: 116), Color(r: 242, g: 200, b: 18), Color(r: 233, g: 131, b: 93)]
      palette.accent = (isDark ? dark : light)[Int(level.rawValue)]
      palette.trackLine = palette.gaugeLine
      paintBar(box, fraction: Double(fraction), style, palette)
    case .thumb: fill(.ellipse(center: box.center, rx: box.width / 2 - scale / 2, ry: box.height / 2 - scale / 2), palette.accent)
    case .calendar: PickerIconPainter(context: context).paintCalendar(box, isDark ? .white : .black)
    case .media(let icon): MediaIconPainter(context: context).paint(icon, box)
    case .clock: PickerIconPainter(context: context).paintClock(box, isDark ? .white : .black)
    }
  }

  /// The area that a control fills, in device pixels. A progress bar is half as thick as its border box, in which Chromium's theme paints
  /// it, and not snapped. The bar of a meter is an element in the content box: it is snapped, and at least 2 px thick because of its
  /// border. Other controls fill the content box.
  private func paintedBox(of control: ControlSymbol, _ fragment: Fragment, _ offset: LayoutPoint) -> DisplayRect {
    let border = LayoutRect(origin: offset, size: fragment.size), style = fragment.style
    let isUpright = style.text.writingMode != .horizontalTb
    func bar(_ box: DisplayRect, _ start: Double, _ thickness: Double) -> DisplayRect {
      isUpright
        ? DisplayRect(x: box.x + start, y: box.y, width: thickness, height: box.height)
        : DisplayRect(x: box.x, y: box.y + start, width: box.width, height: thickness)
    }
    if case .progress = control {
      let box = DisplayRect(snap(border)), across = isUpright ? box.width : box.height
      return bar(box, across / 4, across / 2)
    }
    let box = DisplayRect(snap(border.inset(by: fragment.border + fragment.padding))), across = isUpright ? box.width : box.height
    guard case .meter = control else { return box }
    let thickness = max((across / 2).rounded(), 2 * scale * Double(style.zoom))
    return bar(box, ((across - thickness) / 2).rounded(), thickness)
  }

  private func square(in box: DisplayRect) -> DisplayRect {
    let side = min(box.width, box.height)
    return DisplayRect(x: box.x + (box.width - side) / 2, y: box.y + (box.height - side) / 2, width: side, height: side)
  }

  private func rounded(_ rect: DisplayRect, _ radius: Double) -> RoundedRect {
    RoundedRect(rect, radii: PhysicalCorners(all: DisplayRadius(radius, radius))).constrained()
  }

  private func ring(_ shape: RoundedRect, _ color: Color, _ width: Double? = nil) {
    let width = width ?? scale
    fillRing(shape, shape.inset(top: width, right: width, bottom: width, left: width), color)
  }

  private func paintCheckbox(_ box: DisplayRect, _ isChecked: Bool, _ palette: Palette, isDisabled: Bool, _ unit: Double) {
    let shape = rounded(box, 2 * unit)
    fill(shape, palette.field)
    guard isChecked else { return ring(shape, palette.line, unit) }
    fill(shape, isDisabled ? Self.faded(palette) : palette.accent)
    var tick = VectorPath()
    tick.move(box.x + box.width * 0.2, box.y + box.height * 0.5)
    tick.line(box.x + box.width * 0.4, box.y + box.height * 0.7)
    tick.line(box.maxX - box.width * 0.2, box.y + box.height * 0.2)
    stroke(tick, Stroke(width: box.width * 0.16), palette.mark)
  }

  private func paintRadio(_ box: DisplayRect, _ isChecked: Bool, _ palette: Palette, isDisabled: Bool, _ unit: Double) {
    let shape = rounded(box, box.width / 2), accent = isDisabled ? Self.faded(palette) : palette.accent
    fill(shape, palette.field)
    ring(shape, isChecked ? accent : palette.line, unit)
    if isChecked { fill(.ellipse(center: box.center, rx: box.width * 0.3, ry: box.height * 0.3), accent) }
  }

  /// The color of the selected part of disabled controls: that of their line, or in dark schemes a lighter one.
  private static func faded(_ palette: Palette) -> Color { palette.line.isOpaque ? palette.accent : palette.line }

  /// Paints a slider along the inline axis; in vertical writing modes from top to bottom.
  private func paintRange(_ box: DisplayRect, _ fraction: Double, _ style: ComputedStyle, _ palette: Palette) {
    let isUpright = style.text.writingMode != .horizontalTb,
      isReversed = (style.text.direction == .rtl) != (style.text.writingMode == .sidewaysLr)
    let unit = scale * Double(style.zoom), inset = min(unit, box.width / 4, box.height / 4)
    let length = isUpright ? box.height : box.width, across = isUpright ? box.width : box.height
    let thickness = min(8 * unit, across), knob = min(16 * unit, across, length), radius = max(0, knob / 2 - inset / 2)
    // The thumb is snapped to whole pixels.
    let place = ((length - knob) * (isReversed ? 1 - fraction : fraction)).rounded(.toNearestOrAwayFromZero) + knob / 2
    let bar = DisplayRect(x: inset, y: (across - thickness) / 2, width: length - 2 * inset, height: thickness)
    let filled = isReversed ? length - place - inset : place - inset
    func turned(_ rect: DisplayRect) -> DisplayRect {
      isUpright
        ? DisplayRect(x: box.x + rect.y, y: box.y + rect.x, width: rect.height, height: rect.width)
        : DisplayRect(x: box.x + rect.x, y: box.y + rect.y, width: rect.width, height: rect.height)
    }
    let shape = rounded(turned(bar), thickness / 2)
    fill(shape, palette.track)
    if filled > 0 {
      pushClip(.rounded(shape))
      let part = DisplayRect(x: isReversed ? bar.maxX - filled : bar.x, y: bar.y, width: filled, height: bar.height)
      fill(RoundedRect(turned(part)), palette.accent)
      popClip()
    }
    ring(shape, palette.trackLine)
    let center = isUpright ? DisplayPoint(box.x + across / 2, box.y + place) : DisplayPoint(box.x + place, box.y + across / 2)
    fill(.ellipse(center: center, rx: radius, ry: radius), palette.accent)
  }

  /// Paints the tick marks of a slider's `datalist` in its text color, beside the track, at the center positions of the thumb.
  private func paintMarks(_ marks: [Float], _ box: DisplayRect, _ style: ComputedStyle) {
    let isUpright = style.text.writingMode != .horizontalTb,
      isReversed = (style.text.direction == .rtl) != (style.text.writingMode == .sidewaysLr)
    let unit = scale * Double(style.zoom), length = isUpright ? box.height : box.width, across = isUpright ? box.width : box.height
    let knob = min(16 * unit, across, length)
    let start = isUpright ? box.y : box.x, top = (isUpright ? box.x : box.y) + across / 2 + 7 * unit
    for mark in marks {
      let place = knob / 2 + (length - knob) * Double(isReversed ? 1 - mark : mark) - unit / 2
      let x = (start + place).rounded(.down), y = top.rounded(.down)
      let rect =
        isUpright
        ? DisplayRect(x: y, y: x, width: 4 * unit, height: unit) : DisplayRect(x: x, y: y, width: unit, height: 4 * unit)
      fill(rect.enclosing, style.text.color)
    }
  }

  /// Paints a track and its filled part, along the inline axis.
  private func paintBar(_ box: DisplayRect, fraction: Double?, _ style: ComputedStyle, _ palette: Palette) {
    let isUpright = style.text.writingMode != .horizontalTb
    let isReversed = (style.text.direction == .rtl) != (style.text.writingMode == .sidewaysLr)
    let length = isUpright ? box.height : box.width, across = isUpright ? box.width : box.height
    func part(_ start: Double, _ size: Double) -> DisplayRect {
      let start = isReversed ? length - start - size : start
      return isUpright
        ? DisplayRect(x: box.x, y: box.y + start, width: across, height: size)
        : DisplayRect(x: box.x + start, y: box.y, width: size, height: across)
    }
    let shape = rounded(part(0, length), across / 2)
    fill(shape, palette.track)
    if let fraction {
      let size = length * min(max(fraction, 0), 1)
      if size > 0 {
        pushClip(.rounded(shape))
        fill(RoundedRect(part(0, size)), palette.accent)
        popClip()
      }
    } else {
      fill(rounded(part(0, length / 5), across / 2), palette.accent)
    }
    ring(shape, palette.trackLine)
  }

  /// Paints the resize grip in the corner of a text area.
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

  /// Paints the arrow at the inline end of a drop-down control.
  func paintMenuArrow(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    guard style.box.appearance != .none, style.text.visibility == .visible else { return }
    let area = DisplayRect(snap(LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border)))
    let unit = scale * Double(style.zoom)
    let direction = WritingDirection(style), isHorizontal = direction.isHorizontal
    guard (isHorizontal ? area.width : area.height) > 16 * unit, (isHorizontal ? area.height : area.width) > 4 * unit else { return }
    let (start, end) = isHorizontal ? (area.x, area.maxX) : (area.y, area.maxY)
    let inline = direction.isFlippedInline ? start + 8 * unit : end - 8 * unit
    let block = isHorizontal ? area.y + area.height / 2 : area.x + area.width / 2
    // The arrow points to the block end.
    let tip = (direction.isFlippedBlocks ? -2 : 2) * unit
    func point(_ along: Double, _ across: Double) -> (Double, Double) {
      isHorizontal ? (inline + along, block + across) : (block + across, inline + along)
    }
    var arrow = VectorPath()
    let (from, middle, to) = (point(-4 * unit, -tip), point(0, tip), point(4 * unit, -tip))
    arrow.move(from.0, from.1)
    arrow.line(middle.0, middle.1)
    arrow.line(to.0, to.1)
    stroke(arrow, Stroke(width: 2 * unit), style.text.color)
  }
}

extension ControlSymbol {
  /// The color adjacent to the accent color in light schemes; nil if the control has no accent.
  fileprivate var besideAccent: Color? {
    switch self {
    case .checkbox(true), .radio(true): .white
    case .range, .progress: Color(r: 239, g: 239, b: 239)
    default: nil
    }
  }
}

extension Color {
  fileprivate func with(alpha: Float) -> Color { Color(red: red, green: green, blue: blue, alpha: alpha) }

  /// Whether a control with this accent color is painted in the dark scheme: the scheme is switched if the contrast with the adjacent color
  /// is less than 3:1 and the other scheme has more. https://drafts.csswg.org/css-ui-4/#widget-accent
  ///
  /// - Parameter light: The color adjacent to the accent in light schemes.
  fileprivate func wantsDark(_ isDark: Bool, light: Color) -> Bool {
    let light = contrast(with: light), dark = contrast(with: Color(r: 59, g: 59, b: 59)), minimum: Float = 3
    return isDark ? !(dark < minimum && light > dark) : light < minimum && dark > light
  }

  private func contrast(with other: Color) -> Float {
    let (a, b) = (luminance + 0.05, other.luminance + 0.05)
    return max(a, b) / min(a, b)
  }

  /// https://www.w3.org/TR/WCAG21/#dfn-relative-luminance
  private var luminance: Float {
    func linear(_ value: Float) -> Float {
      let value = min(max(value, 0), 1)
      return value <= 0.04045 ? value / 12.92 : Float(pow(Double((value + 0.055) / 1.055), 2.4))
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
