import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// Text boxes. https://drafts.csswg.org/css-text-3/#transforming
extension BoxTreeBuilder {
  /// Adds a text box in the style of its parent, unless the text is empty. Readers must only use properties that apply to text.
  mutating func appendText(
    _ bytes: some Collection<UInt8>, node: NodeID, style: ComputedStyle, into siblings: inout [PendingBox], pseudo: PseudoElement? = nil
  ) {
    guard !bytes.isEmpty else { return }
    let start = UInt32(truncatingIfNeeded: tree.text.count)
    if style.text.textTransform == .none, style.text.textSecurity == .none {
      tree.text.append(contentsOf: bytes)
    } else {
      tree.text.append(contentsOf: TextTransform.apply(Array(bytes), style: style, previous: previousCharacter))
    }
    previousCharacter = lastCharacter(bytes)
    var box = Box(kind: .text, style: style)
    box.node = node
    box.pseudo = pseudo
    box.isInlineLevel = true
    box.text = TextRange(start: start, end: UInt32(truncatingIfNeeded: tree.text.count))
    var pending = PendingBox(box)
    pending.isCollapsibleSpace = isCollapsibleSpace(bytes, style: style)
    pending.isSpace = pending.isCollapsibleSpace || style.text.whiteSpaceCollapse != .collapse && bytes.allSatisfy(Self.isSpace)
    siblings.append(isCombined(style) && !pending.isCollapsibleSpace ? combined(pending, style) : pending)
  }

  private func isCombined(_ style: ComputedStyle) -> Bool {
    style.text.textCombineUpright && (style.text.writingMode == .verticalRl || style.text.writingMode == .verticalLr)
  }

  /// https://drafts.csswg.org/css-writing-modes-4/#text-combine
  private func combined(_ text: PendingBox, _ style: ComputedStyle) -> PendingBox {
    let horizontal = arena.modified(arena.anonymousStyle(inheriting: style, display: .inlineBlock)) {
      var text = style.text
      text.writingMode = .horizontalTb
      text.textCombineUpright = false
      text.textIndent = .zero
      text.textAlign = .start
      text.textAlignLast = .auto
      text.textWrapMode = .nowrap
      $0.text = arena.allocate(text)
      var font = style.font
      font.letterSpacing = 0
      font.lineHeight = .number(1)
      $0.font = arena.allocate(font)
    }
    var box = Box(kind: .blockContainer, style: horizontal)
    box.isAnonymous = true
    box.isInlineLevel = true
    box.specialLayout = .combinedText
    box.hasInlineChildren = true
    var text = text
    text.box.style = unmarked(horizontal)
    return PendingBox(box, children: [text])
  }

  /// Combined text has one emphasis mark, that of its box.
  private func unmarked(_ style: ComputedStyle) -> ComputedStyle {
    guard style.text.emphasisMark != nil else { return style }
    return arena.modified(style) {
      var text = style.text
      text.emphasisMark = nil
      $0.text = arena.allocate(text)
    }
  }

  /// Words continue across inline boxes. https://drafts.csswg.org/css-text-3/#valdef-text-transform-capitalize
  func continuesWords(_ display: Display) -> Bool { display == .inline || display == .ruby || display == .rubyText }

  private func lastCharacter(_ bytes: some Collection<UInt8>) -> Unicode.Scalar? {
    String(decoding: bytes.suffix(4), as: UTF8.self).unicodeScalars.last
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D || byte == 0x0C }

  func isCollapsibleSpace(_ bytes: some Collection<UInt8>, style: ComputedStyle) -> Bool {
    switch style.text.whiteSpaceCollapse {
    case .collapse: bytes.allSatisfy(Self.isSpace)
    case .preserveBreaks: bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    default: false
    }
  }
}
