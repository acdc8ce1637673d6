import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/multipage/rendering.html#the-input-element-as-a-text-entry-widget
extension BoxTreeBuilder {
  /// The fields, and at the end the icon of the picker.
  mutating func dateField(_ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    let type = inputType(node)
    var field = PendingBox(controlBox(style, node: node, .dateField))
    field.box.controlColumns = 0
    let text = DateFieldText.text(type, document.attribute(.value, of: node))
    var words = fields(text, style) { box in
      box.padding = WritingDirection(style).sides(inlineStart: .zero, inlineEnd: .zero, block: .length(style.zoom))
    }
    words.box.isInlineLevel = false
    // Each part is as wide as the widest that can stand there.
    words.children.append(widest(type, style))
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

  private mutating func widest(_ type: String, _ style: ComputedStyle) -> PendingBox {
    fields(Array(DateFieldText.widest(type).utf8), style) { box in
      if style.text.writingMode == .horizontalTb { box.height = .value(.zero) } else { box.width = .value(.zero) }
      box.contain = .layout
    }
  }

  /// The parts of a date or time, a px of room around each of them.
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
      var field = Box(kind: .inline, style: part.isField ? padded : plain)
      field.isAnonymous = true
      field.isInlineLevel = true
      var texts: [PendingBox] = []
      appendText(part.text, node: .none, style: field.style, into: &texts)
      block.children.append(PendingBox(field, children: texts))
    }
    return block
  }

  /// Sizes are those of Chromium's; of a disabled field only the room of the icon is left.
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
