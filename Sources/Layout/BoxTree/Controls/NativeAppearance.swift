import OffprintCSS
import OffprintCoreTypes

/// The native appearance of controls whose borders and background are not styled by the page: a border of one pixel, slightly rounded. The
/// rest of the computed border width becomes padding.
///
/// https://drafts.csswg.org/css-ui-4/#appearance-switching
enum NativeAppearance {
  private static let radius: Float = 2

  static func adjusted(_ style: ComputedStyle, _ control: ControlKind, _ arena: StyleArena) -> ComputedStyle {
    guard isNative(style, control) else { return style }
    var border = style.border, box = style.box, background = style.background
    let line = max(1, style.zoom.rounded(.down)), extra = border.width.top - line
    border.width = PhysicalSides(all: line)
    border.style = PhysicalSides(all: .solid)
    let radius = LengthPercentage.length(Self.radius * style.zoom)
    border.radius = PhysicalCorners(all: CornerRadius(horizontal: radius, vertical: radius))
    if control == .button, case .color(let color) = border.color.top, color.isOpaque {
      border.color = PhysicalSides(all: .color(Color(r: 118, g: 118, b: 118)))
    }
    if control == .menu {
      background.color = .color(style.text.isDarkScheme ? Color(r: 59, g: 59, b: 59) : .white)
    } else if control == .button, !style.text.isDarkScheme, case .color(let face) = background.color, !face.isOpaque {
      // The background of a disabled button is opaque, like that of an enabled one.
      background.color = .color(Color(r: 239, g: 239, b: 239))
    }
    if extra > 0 { box.padding = box.padding.adding(extra) }
    return arena.modified(style) {
      $0.border = arena.allocate(border)
      $0.box = arena.allocate(box)
      $0.background = arena.allocate(background)
    }
  }

  static func isNative(_ style: ComputedStyle, _ control: ControlKind) -> Bool {
    style.box.appearance != .none && isUntouched(style, control)
  }

  /// Whether neither border nor background are set by the author. List boxes, and controls without a border, have no native appearance.
  ///
  /// https://drafts.csswg.org/css-ui-4/#appearance-disabling-properties
  private static func isUntouched(_ style: ComputedStyle, _ control: ControlKind) -> Bool {
    guard control != .listBox, style.border.width.top > 0 else { return false }
    return style.origins.isDisjoint(with: [.authorBackground, .authorBorder, .authorBorderRadius])
  }

  // MARK: Color wells

  /// Parses `#rrggbb`; black if invalid.
  static func color(_ bytes: ArraySlice<UInt8>) -> Color {
    let digits = bytes.dropFirst().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard bytes.first == UInt8(ascii: "#"), bytes.count == 7, digits.count == 6 else { return .black }
    func part(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: digits[index] * 16 + digits[index + 1]) }
    return Color(r: part(0), g: part(2), b: part(4))
  }

  static func swatch(_ style: ComputedStyle, _ color: Color, _ arena: StyleArena) -> ComputedStyle {
    var box = style.box, border = style.border, background = style.background, align = style.align
    align.flexGrow = 1
    // The padding of the swatch's wrapper is physical in Chromium's style sheet: `padding: 4px 2px`.
    let vertical = LengthPercentageAuto.value(.length(4)), horizontal = LengthPercentageAuto.value(.length(2))
    box.margin = PhysicalSides(top: vertical, right: horizontal, bottom: vertical, left: horizontal)
    box.boxSizing = .borderBox
    border.width = PhysicalSides(all: 1)
    border.style = PhysicalSides(all: .solid)
    border.color = PhysicalSides(all: .color(Color(r: 119, g: 119, b: 119)))
    background.color = .color(color)
    return arena.modified(style) {
      $0.box = arena.allocate(box)
      $0.border = arena.allocate(border)
      $0.background = arena.allocate(background)
      $0.align = arena.allocate(align)
    }
  }
}

extension PhysicalSides where Value == LengthPercentage {
  fileprivate func adding(_ px: Float) -> PhysicalSides<LengthPercentage> {
    func add(_ value: LengthPercentage) -> LengthPercentage {
      switch value {
      case .length(let length): .length(length + px)
      case .percentage(let percent): .sum(px: px, percent: percent)
      case .sum(let length, let percent): .sum(px: length + px, percent: percent)
      case .math(let expression): .math(.sum([expression, .number(Double(px))]))
      }
    }
    return PhysicalSides(top: add(top), right: add(right), bottom: add(bottom), left: add(left))
  }
}
