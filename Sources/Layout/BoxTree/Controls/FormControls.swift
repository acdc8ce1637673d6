import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// Form controls. Anonymous boxes represent the elements of their user agent shadow trees.
//
// https://html.spec.whatwg.org/multipage/rendering.html#form-controls
extension BoxTreeBuilder {
  /// The box of a form control that is not rendered from its children; nil for other elements.
  mutating func formControl(_ node: NodeID, style: ComputedStyle) -> PendingBox? {
    switch document[node].name {
    case .input: return input(node, style: style)
    case .textarea: return textArea(node, style: style)
    case .select: return isListBox(node) || style.box.appearance == .baseSelect ? nil : menu(node, style: style)
    case .progress, .meter: return gauge(node, style: style)
    default: return nil
    }
  }

  private mutating func input(_ node: NodeID, style: ComputedStyle) -> PendingBox? {
    let value = document.attribute(.value, of: node)
    switch inputType(node) {
    case "hidden", "image": return nil
    case "checkbox": return symbol(.checkbox(isChecked: isSet(.checked, node)), node, style, width: 13, height: 13)
    case "radio": return symbol(.radio(isChecked: radioGroups.isChecked(node)), node, style, width: 13, height: 13)
    case "range":
      let isUpright = style.text.writingMode != .horizontalTb
      // A list of suggestions reserves space for tick marks on both sides, even without valid options.
      let marks = rangeMarks(node), across: Float = marks == nil ? 16 : 22
      return symbol(
        .range(rangeFraction(node), marks: marks ?? []), node, style, width: isUpright ? across : 129, height: isUpright ? 129 : across)
    case "submit": return inputButton(value.map { Array($0) } ?? Array("Submit".utf8), node, style)
    case "reset": return inputButton(value.map { Array($0) } ?? Array("Reset".utf8), node, style)
    case "button": return inputButton(value.map { Array($0) } ?? [], node, style)
    case "color": return colorWell(node, style)
    case "file": return fileUpload(node, style)
    case "password":
      let dots = (value ?? []).filter { $0 & 0xC0 != 0x80 }.flatMap { _ in Array("•".utf8) }
      return textField(node, style, text: dots)
    case "date", "datetime-local", "month", "week", "time": return dateField(node, style)
    case "number": return numberField(node, style, value: value ?? [])
    default: return textField(node, style, text: Array(value ?? []))
    }
  }

  func inputType(_ node: NodeID) -> String {
    guard let type = document.attribute(.type, of: node), type.count < 20 else { return "text" }
    return String(decoding: type.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }

  func isSet(_ attribute: Name, _ node: NodeID) -> Bool { document.attribute(attribute, of: node) != nil }

  // MARK: Boxes

  /// The box of a control: atomic whatever its `display`, with its contents centered in the block axis.
  func controlBox(_ style: ComputedStyle, node: NodeID, _ control: ControlKind) -> Box {
    var box = Box(kind: .blockContainer, style: centered(NativeAppearance.adjusted(style, control, arena)))
    box.node = node
    box.control = control
    box.isInlineLevel = isInlineLevel(style.box.display)
    return box
  }

  /// - Parameter isSafe: Contents that do not fit overflow at the end only, not on both sides.
  func centered(_ style: ComputedStyle, isSafe: Bool = false) -> ComputedStyle {
    guard style.align.alignContent.keyword == .normal else { return style }
    var align = style.align
    align.alignContent = Alignment(.center, isSafe ? .safe : .unsafe)
    return arena.modified(style) { $0.align = arena.allocate(align) }
  }

  /// A `fieldset` is a block container and a `legend` a block-level box, whatever their `display` is.
  ///
  /// https://html.spec.whatwg.org/#the-fieldset-and-legend-elements
  func adoptFieldset(_ box: inout Box) {
    if isHTML(box.node, .fieldset), box.kind == .inline {
      (box.kind, box.isInlineLevel) = (.blockContainer, true)
    } else if isHTML(box.node, .legend), box.isInlineLevel || box.kind == .inline {
      if box.kind == .inline { box.kind = .blockContainer }
      box.isInlineLevel = false
    }
  }

  /// Makes a `<button>` shrink-to-fit, with its children centered in the block axis.
  func adoptButton(_ box: inout Box) {
    guard !box.node.isNone, document[box.node].name == .button, document[box.node].namespace == .html else { return }
    becomeButton(&box)
  }

  func becomeButton(_ box: inout Box) {
    box.control = .button
    box.style = NativeAppearance.adjusted(box.style, .button, arena)
    if box.kind == .inline {
      box.kind = .blockContainer
      box.isInlineLevel = true
    }
    if box.kind == .blockContainer { box.style = centered(box.style, isSafe: true) }
  }

  /// The text block of a control.
  mutating func editor(
    _ text: [UInt8], _ style: ComputedStyle, wraps: Bool = false, change: (inout BoxStyle) -> Void = { _ in }
  ) -> PendingBox {
    let plain = arena.anonymousStyle(inheriting: style, display: .block)
    var box = plain.box, words = plain.text
    box.unicodeBidi = style.box.unicodeBidi
    // `text-indent` does not apply to an empty editor.
    if text.isEmpty { words.textIndent = .zero }
    if !wraps {
      words.whiteSpaceCollapse = .preserve
      words.textWrapMode = .nowrap
      box.overflowX = .clip
      box.overflowY = .clip
    }
    change(&box)
    var block = anonymousBlock([], inheriting: style)
    block.box.style = arena.modified(plain) {
      $0.box = arena.allocate(box)
      $0.text = arena.allocate(words)
    }
    // An empty editor has the height of a line.
    appendText(text.isEmpty ? [0xE2, 0x80, 0x8B] : text, node: .none, style: block.box.style, into: &block.children)
    return block
  }

  // MARK: Text

  mutating func textField(_ node: NodeID, _ style: ComputedStyle, text: [UInt8]) -> PendingBox {
    var field = PendingBox(controlBox(style, node: node, .textField))
    field.box.controlColumns = count(.size, node, default: 20)
    let line = text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).flatMap { Array($0) }
    field.children = [line.isEmpty ? placeholder(node, style) ?? editor([], style) : editor(line, style)]
    if style.box.fieldSizingContent, inputType(node) == "search" { field.box.fieldButton = .cancel }
    return field
  }

  /// A number field. Values that are not numbers are not shown. If both bounds are specified, the field is wide enough for these and its
  /// buttons.
  /// https://html.spec.whatwg.org/multipage/input.html#number-state-(type=number)
  private mutating func numberField(_ node: NodeID, _ style: ComputedStyle, value: ArraySlice<UInt8>) -> PendingBox {
    let isNumber = FieldNumber(type: "number")?.value(value) != nil
    var field = textField(node, style, text: isNumber ? Array(value) : [])
    if let columns = NumberFieldSize.columns(
      minimum: document.attribute(.min, of: node), maximum: document.attribute(.max, of: node), step: document.attribute(.step, of: node))
    {
      field.box.controlColumns = columns
      field.box.fieldButton = .spin
    } else {
      field.box.controlColumns = 20
      if style.box.fieldSizingContent { field.box.fieldButton = .spin }
    }
    return field
  }

  private mutating func placeholder(_ node: NodeID, _ style: ComputedStyle) -> PendingBox? {
    guard let text = document.attribute(.placeholder, of: node), !text.isEmpty, let own = styled.style(of: node, .placeholder)
    else { return nil }
    var block = anonymousBlock([], inheriting: own)
    block.box.style = own
    block.box.pseudo = .placeholder
    appendText(text, node: .none, style: own, into: &block.children)
    return block
  }

  private mutating func textArea(_ node: NodeID, style: ComputedStyle) -> PendingBox {
    var area = PendingBox(controlBox(style, node: node, .textArea))
    area.box.style = scrollable(NativeAppearance.adjusted(style, .textArea, arena))
    area.box.controlColumns = count(.cols, node, default: 20)
    area.box.controlRows = count(.rows, node, default: 2)
    let text = textContent(node)
    if text.isEmpty, let placeholder = placeholder(node, style) {
      area.children = [placeholder]
    } else {
      area.children = [editor(text, style, wraps: true)]
    }
    return area
  }

  /// The style of a `textarea`, whose contents never overflow visibly:
  /// https://html.spec.whatwg.org/multipage/rendering.html#the-textarea-element-2
  private func scrollable(_ style: ComputedStyle) -> ComputedStyle {
    guard style.box.overflowX == .visible || style.box.overflowY == .visible else { return style }
    var box = style.box
    if box.overflowX == .visible { box.overflowX = .auto }
    if box.overflowY == .visible { box.overflowY = .auto }
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }

  func textContent(_ node: NodeID) -> [UInt8] {
    var text: [UInt8] = []
    var child = document[node].firstChild
    while !child.isNone {
      if document[child].kind == .text { text += document.data(of: child) }
      child = document[child].nextSibling
    }
    return text
  }

  func count(_ attribute: Name, _ node: NodeID, default value: UInt16) -> UInt16 {
    guard let bytes = document.attribute(attribute, of: node), let number = HTMLMicrosyntax.nonNegativeInteger(bytes), number > 0 else {
      return value
    }
    return UInt16(min(number, 10_000))
  }

  // MARK: Buttons

  private mutating func inputButton(_ label: [UInt8], _ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    let style = NativeAppearance.isNative(style, .button) ? withNormalLineHeight(style) : style
    var button = PendingBox(controlBox(style, node: node, .button))
    button.children = [
      editor(label, style) {
        $0.overflowX = .visible; $0.overflowY = .visible
      }
    ]
    return button
  }

  /// Controls with a native appearance ignore `line-height`. https://drafts.csswg.org/css-ui-4/#appearance-switching
  func withNormalLineHeight(_ style: ComputedStyle) -> ComputedStyle {
    guard style.font.lineHeight != .normal else { return style }
    var font = style.font
    font.lineHeight = .normal
    return arena.modified(style) { $0.font = arena.allocate(font) }
  }

  private mutating func fileUpload(_ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    var chooser = PendingBox(controlBox(atStart(style), node: node, .fileUpload))
    chooser.box.controlColumns = 34
    let own = styled.style(of: node, .fileSelectorButton) ?? style
    var button = PendingBox(controlBox(own, node: .none, .button))
    button.box.isInlineLevel = true
    button.children = [editor(Array((isSet(.multiple, node) ? "Choose Files" : "Choose File").utf8), own)]
    var line = anonymousBlock([button], inheriting: style)
    appendText(Array("No file chosen".utf8), node: .none, style: line.box.style, into: &line.children)
    chooser.children = [line]
    return chooser
  }

  /// The contents of a file chooser are aligned to the top.
  private func atStart(_ style: ComputedStyle) -> ComputedStyle {
    guard style.align.alignContent.keyword == .normal else { return style }
    var align = style.align
    align.alignContent = Alignment(.start)
    return arena.modified(style) { $0.align = arena.allocate(align) }
  }

  private mutating func colorWell(_ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    var well = PendingBox(controlBox(style, node: node, .button))
    var swatch = anonymousBlock([], inheriting: style)
    let color = NativeAppearance.color(document.attribute(.value, of: node) ?? [])
    swatch.box.hasInlineChildren = false
    swatch.box.style = NativeAppearance.swatch(swatch.box.style, color, arena)
    // The baseline of a flex container is the lower edge of the swatch.
    var frame = Box(kind: .flexContainer, style: arena.anonymousStyle(inheriting: style, display: .flex))
    frame.isAnonymous = true
    var box = frame.style.box
    let whole = SizeValue.value(.percentage(100))
    if style.text.writingMode == .horizontalTb { box.height = whole } else { box.width = whole }
    frame.style = arena.modified(frame.style) { $0.box = arena.allocate(box) }
    well.children = [PendingBox(frame, children: [swatch])]
    return well
  }

  // MARK: Symbols

  /// A control painted as a unit; an empty box if it has no native appearance.
  private mutating func symbol(
    _ symbol: ControlSymbol, _ node: NodeID, _ style: ComputedStyle, width: Float, height: Float
  ) -> PendingBox {
    var isPlain = style.box.appearance == .none
    switch symbol {
    case .progress, .meter: isPlain = style.isPlainGauge
    default: break
    }
    if isPlain {
      return parts(of: symbol, node, style) ?? plainTickBox(symbol, node, style)
    }
    var content = ReplacedContent(
      kind: .control(symbol, isDisabled: isDisabled(node)), naturalWidth: width, naturalHeight: height, naturalRatio: nil)
    if isGridCheckbox(symbol, style) {
      if style.text.writingMode == .horizontalTb { content.naturalWidth = 0 } else { content.naturalHeight = 0 }
    }
    return replacedBox(content, node: node, style: bare(style, symbol))
  }

  /// A checkbox or radio button that is a grid container: Chromium sizes it by its tracks, of which it has none.
  private func isGridCheckbox(_ symbol: ControlSymbol, _ style: ComputedStyle) -> Bool {
    guard style.box.display == .grid || style.box.display == .inlineGrid else { return false }
    switch symbol {
    case .checkbox, .radio: return true
    default: return false
    }
  }

  /// A checkbox or radio button without native appearance: a normal box with its pseudo-elements.
  private mutating func plainTickBox(_ symbol: ControlSymbol, _ node: NodeID, _ style: ComputedStyle) -> PendingBox {
    let isPlain: Bool
    switch symbol {
    case .checkbox, .radio: isPlain = styled.style(of: node, .before) != nil || styled.style(of: node, .after) != nil
    default: isPlain = false
    }
    guard isPlain, style.box.display != .inline else { return PendingBox(controlBox(style, node: node, .fileUpload)) }
    var box = PendingBox(principalBox(style, node: node))
    generatePseudo(.before, of: node, into: &box.children, parent: box.box)
    generatePseudo(.after, of: node, into: &box.children, parent: box.box)
    finish(&box)
    return box
  }

  /// Removes borders and padding from checkboxes and radio buttons, which ignore them.
  private func bare(_ style: ComputedStyle, _ symbol: ControlSymbol) -> ComputedStyle {
    switch symbol {
    case .checkbox, .radio: break
    case .range: return unpainted(style)
    default: return style
    }
    var box = style.box, border = style.border
    box.padding = PhysicalSides(all: .zero)
    border.width = PhysicalSides(all: 0)
    border.style = PhysicalSides(all: .none)
    return arena.modified(style) {
      $0.box = arena.allocate(box)
      $0.border = arena.allocate(border)
      $0.background = arena.initialStyle.record.pointee.background
    }
  }

  /// Makes the borders and background of a slider transparent; the borders still take space.
  private func unpainted(_ style: ComputedStyle) -> ComputedStyle {
    var border = style.border
    border.color = PhysicalSides(all: .color(.transparent))
    return arena.modified(style) {
      $0.border = arena.allocate(border)
      $0.background = arena.initialStyle.record.pointee.background
    }
  }

  private mutating func gauge(_ node: NodeID, style: ComputedStyle) -> PendingBox {
    let isMeter = document[node].name == .meter
    let symbol = isMeter ? meterSymbol(node) : progressSymbol(node)
    // The size is specified by the user agent style sheet: a gauge has no intrinsic size.
    return self.symbol(symbol, node, style, width: 0, height: 0)
  }
}
