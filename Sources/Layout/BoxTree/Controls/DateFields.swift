import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/multipage/rendering.html#the-input-element-as-a-text-entry-widget
extension BoxTreeBuilder {
  /// The fields, followed by the icon of the picker.
  mutating func dateField(_ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    let type = inputType(node)
    var field = PendingBox(controlBox(style, node: node, .dateField))
    field.box.controlColumns = 0
    let value = document.attribute(.value, of: node)
    let precision = DateFieldText.Precision(
      type, value: value, step: document.attribute(.step, of: node), minimum: document.attribute(.min, of: node))
    // Chromium indents the text twice: in the first line, and in the box around the fields.
    let indented = style.text.textIndent == .zero ? style : withIndent(doubled(style.text.textIndent), style)
    var words = fields([], style) { box in
      box.padding = WritingDirection(style).sides(inlineStart: .zero, inlineEnd: .zero, block: .length(style.zoom))
    }
    words.box.isInlineLevel = false
    // Each field is as wide as its widest value.
    let shown = fields(DateFieldText.text(type, value, precision), indented) { $0.contain = .inlineSize }
    words.children = [shown, widest(type, precision, withIndent(.zero, style))]
    words.box.hasInlineChildren = false
    words.box.control = .dateFields
    finish(&words)
    var frame = Box(kind: .flexContainer, style: arena.anonymousStyle(inheriting: style, display: .flex))
    frame.isAnonymous = true
    var align = frame.style.align
    align.justifyContent = Alignment(.spaceBetween)
    align.alignItems = Alignment(.center)
    frame.style = arena.modified(frame.style) { $0.align = arena.allocate(align) }
    field.children = [PendingBox(frame, children: [words, pickerIcon(type, node, style)])]
    return field
  }

  private func doubled(_ indent: LengthPercentage) -> LengthPercentage {
    switch indent {
    case .length(let px): .length(2 * px)
    case .percentage(let percent): .percentage(2 * percent)
    case .sum(let px, let percent): .sum(px: 2 * px, percent: 2 * percent)
    case .math: indent
    }
  }

  private func withIndent(_ indent: LengthPercentage, _ style: ComputedStyle) -> ComputedStyle {
    guard style.text.textIndent != indent else { return style }
    var text = style.text
    text.textIndent = indent
    return arena.modified(style) { $0.text = arena.allocate(text) }
  }

  private mutating func widest(_ type: String, _ precision: DateFieldText.Precision, _ style: ComputedStyle) -> PendingBox {
    fields(Array(DateFieldText.widest(type, precision).utf8), style) { box in
      if style.text.writingMode == .horizontalTb { box.height = .value(.zero) } else { box.width = .value(.zero) }
      box.contain = .layout
    }
  }

  /// The fields of a date or time, each with a padding of one pixel.
  private mutating func fields(_ text: [UInt8], _ style: ComputedStyle, change: (inout BoxStyle) -> Void) -> PendingBox {
    var block = editor(text, style, change: change)
    let plain = arena.anonymousStyle(inheriting: block.box.style, display: .inline), side = LengthPercentage.length(style.zoom)
    let padded = arena.modified(plain) {
      var box = plain.box
      box.padding = WritingDirection(style).sides(inlineStart: side, inlineEnd: side, block: .zero)
      $0.box = arena.allocate(box)
    }
    block.children = []
    for part in DateFieldText.parts(text) {
      var field = Box(kind: .inline, style: part.isField ? padded : part.text.elementsEqual("\u{202f}".utf8) ? unspaced(plain) : plain)
      field.isAnonymous = true
      field.isInlineLevel = true
      var texts: [PendingBox] = []
      appendText(part.text, node: .none, style: field.style, into: &texts)
      block.children.append(PendingBox(field, children: texts))
    }
    return block
  }

  /// Removes letter spacing, which Chromium does not apply to the narrow space before AM or PM.
  private func unspaced(_ style: ComputedStyle) -> ComputedStyle {
    guard style.font.letterSpacing != 0 else { return style }
    var font = style.font
    font.letterSpacing = 0
    return arena.modified(style) { $0.font = arena.allocate(font) }
  }

  /// The icon of the picker in Chromium's sizes. Disabled fields only reserve its space.
  private mutating func pickerIcon(_ type: String, _ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    let isTime = type == "time", side = style.font.size / style.zoom * (isTime ? 1.05 : 1)
    let kind: ReplacedContent.Kind = isDisabled(node) ? .empty : .control(isTime ? .clock : .calendar, isDisabled: false)
    let plain = arena.anonymousStyle(inheriting: style, display: .block)
    var box = plain.box, align = plain.align
    func px(_ value: Float) -> LengthPercentageAuto { .value(.length(value * style.zoom)) }
    let gap: Float = isTime ? 11 : 2, end: Float = isTime ? 3 : 2
    box.margin = WritingDirection(style).sides(inlineStart: px(gap), inlineEnd: px(end), block: px(end))
    align.flexShrink = 0
    let content = ReplacedContent(kind: kind, naturalWidth: side, naturalHeight: side, naturalRatio: nil)
    return replacedBox(
      content, node: .none,
      style: arena.modified(plain) {
        $0.box = arena.allocate(box)
        $0.align = arena.allocate(align)
      })
  }
}
