internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// https://html.spec.whatwg.org/multipage/rendering.html#converting-a-character-width-to-pixels
extension Sizing {
  /// The intrinsic content-box inline size of a control; nil if its contents determine it.
  static func controlInlineSize(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    let item = engine.tree[box]
    guard !item.style.box.fieldSizingContent else { return nil }
    let font = engine.inlineFont(item.style), metrics = font.metrics
    switch item.control {
    case .textField, .textArea: break
    // 129 CSS px: the length of a slider's track in Chromium.
    case .slider: return LayoutUnit(129 * Double(item.style.zoom))
    case .fileUpload where item.controlColumns > 0:
      return LayoutUnit((Double(metrics.zeroAdvance + font.letterSpacing) * Double(item.controlColumns)).rounded(.up))
    default: return nil
    }
    // The average advance of a font with many full-width (CJK) glyphs is too wide for other text, and is ignored. The factor 1.7 is Chromium's.
    let hasValidAverage = metrics.averageCharWidth > 0 && metrics.averageCharWidth <= metrics.zeroAdvance * 1.7
    let average = hasValidAverage ? Double(max(metrics.averageCharWidth, metrics.averageCharWidth.rounded())) : Double(metrics.zeroAdvance)
    var width = average * Double(item.controlColumns)
    if item.control == .textField {
      if hasValidAverage { width += max(0, Double(metrics.maxCharWidth) - average) }
      width += fieldButtonWidth(item)
    } else {
      let overflow = WritingDirection(item.style).isHorizontal ? item.style.box.overflowY : item.style.box.overflowX
      // Chromium reserves space for a scrollbar even if the text does not overflow.
      if overflow != .hidden, overflow != .clip { width += scrollbarThickness }
    }
    return LayoutUnit(width.rounded(.up))
  }

  /// The intrinsic inline sizes of a text field or text area with `field-sizing: content`: the larger of its text and the caret, plus its button.
  /// Chromium's caret is 1 CSS px wide.
  ///
  /// https://drafts.csswg.org/css-forms-1/#field-sizing
  static func fieldSizingContentSizes(_ sizes: MinMaxSizes, _ item: Box, hasPlaceholder: Bool) -> MinMaxSizes {
    guard item.control == .textField || item.control == .textArea, item.style.box.fieldSizingContent else { return sizes }
    let caret = LayoutUnit(Double(item.style.zoom)), button = LayoutUnit(fieldButtonWidth(item))
    // The button does not add to the width of a placeholder, which may extend under it (Chromium).
    if hasPlaceholder { return MinMaxSizes(min: max(sizes.min, caret + button), max: max(sizes.max, caret + button)) }
    return MinMaxSizes(min: max(sizes.min, caret) + button, max: max(sizes.max, caret) + button)
  }

  /// The width of the button in a text field. The sizes are Chromium's.
  private static func fieldButtonWidth(_ item: Box) -> Double {
    let zoom = Double(item.style.zoom)
    switch item.fieldButton {
    case .none: return 0
    case .spin: return spinButtonWidth * zoom
    case .cancel:
      let side = (9 * Double(item.style.font.size) / zoom / 13).rounded()
      return (max(5, min(side, 21)) + 4) * zoom
    }
  }

  // In CSS px.
  private static let scrollbarThickness = 15.0
  private static let spinButtonWidth = 15.0

  /// The intrinsic content-box block size of a control; nil if its contents determine it.
  ///
  /// - Parameter tallestOption: The block size of a list box's tallest option; nil without options.
  static func controlBlockSize(_ engine: LayoutEngine, _ box: BoxID, tallestOption: @autoclosure () -> LayoutUnit?) -> LayoutUnit? {
    let item = engine.tree[box]
    switch item.control {
    case .textField:
      // The line height of the primary font, even if the text uses fallback fonts.
      return engine.inlineFont(item.style).lineHeight
    case .menu:
      // Ascent and descent without the line gap, and 2 CSS px. With `appearance: none`, the label's line box determines the height.
      guard item.style.box.appearance != .none, !item.style.box.fieldSizingContent else { return nil }
      return engine.inlineFont(item.style).height.height + LayoutUnit(Double(item.style.zoom) * 2)
    case .textArea:
      // https://drafts.csswg.org/css-forms-1/#field-sizing
      guard !item.style.box.fieldSizingContent else { return nil }
      let overflow = WritingDirection(item.style).isHorizontal ? item.style.box.overflowX : item.style.box.overflowY
      let bar = overflow == .scroll ? LayoutUnit(scrollbarThickness) : .zero
      return engine.inlineFont(item.style).lineHeight * Int(item.controlRows) + bar
    case .listBox:
      guard !item.style.box.fieldSizingContent else { return nil }
      if item.style.box.appearance == .baseSelect {
        // https://html.spec.whatwg.org/multipage/rendering.html#the-select-element-2
        return max(LayoutUnit(24 * Double(item.style.zoom)), engine.inlineFont(item.style).lineHeight) * Int(item.controlRows)
      }
      // An empty list box has rows of one line of text and 1 px of padding.
      let row = tallestOption() ?? engine.inlineFont(item.style).height.height + LayoutUnit(1)
      return row * Int(item.controlRows)
    default: return nil
    }
  }
}
