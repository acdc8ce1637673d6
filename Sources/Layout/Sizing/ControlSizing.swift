internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// https://html.spec.whatwg.org/multipage/rendering.html#converting-a-character-width-to-pixels
extension Sizing {
  /// The intrinsic content size of a control in its inline axis; nil if it is that of its contents.
  static func controlInline(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    let item = engine.tree[box]
    guard !item.style.box.fieldSizingContent else { return nil }
    let font = engine.inlineFont(item.style), metrics = font.metrics
    switch item.control {
    case .textField, .textArea: break
    case .slider: return LayoutUnit(129 * Double(item.style.zoom))
    case .fileChooser where item.controlColumns > 0:
      return LayoutUnit((Double(metrics.zeroAdvance + font.letterSpacing) * Double(item.controlColumns)).rounded(.up))
    default: return nil
    }
    // Averages of fonts with full-width characters do not represent text.
    let isAverage = metrics.averageAdvance > 0 && metrics.averageAdvance <= metrics.zeroAdvance * 1.7
    let average = isAverage ? Double(max(metrics.averageAdvance, metrics.averageAdvance.rounded())) : Double(metrics.zeroAdvance)
    var width = average * Double(item.controlColumns)
    if item.control == .textField {
      if isAverage { width += max(0, Double(metrics.glyphBoxWidth) - average) }
      width += fieldButton(item)
    } else {
      let overflow = WritingDirection(item.style).isHorizontal ? item.style.box.overflowY : item.style.box.overflowX
      // Space for a scroll bar is always reserved.
      if overflow != .hidden, overflow != .clip { width += scrollBar }
    }
    return LayoutUnit(width.rounded(.up))
  }

  /// The content size of a text field or text area with `field-sizing: content`: its text, or the caret, and its button. The sizes are
  /// Chromium's.
  ///
  /// https://drafts.csswg.org/css-forms-1/#field-sizing
  static func fieldContent(_ sizes: MinMaxSizes, _ item: Box, hasPlaceholder: Bool) -> MinMaxSizes {
    guard item.control == .textField || item.control == .textArea, item.style.box.fieldSizingContent else { return sizes }
    let caret = LayoutUnit(Double(item.style.zoom)), button = LayoutUnit(fieldButton(item))
    // A placeholder may overlap the button.
    if hasPlaceholder { return MinMaxSizes(min: max(sizes.min, caret + button), max: max(sizes.max, caret + button)) }
    return MinMaxSizes(min: max(sizes.min, caret) + button, max: max(sizes.max, caret) + button)
  }

  private static func fieldButton(_ item: Box) -> Double {
    let zoom = Double(item.style.zoom)
    switch item.fieldButton {
    case .none: return 0
    case .spin: return scrollBar * zoom
    case .cancel:
      let side = (9 * Double(item.style.font.size) / zoom / 13).rounded()
      return (max(5, min(side, 21)) + 4) * zoom
    }
  }

  private static let scrollBar = 15.0

  /// The intrinsic content size of a control in its block axis; nil if it is that of its contents.
  ///
  /// - Parameter tallestOption: For a list box.
  static func controlBlock(_ engine: LayoutEngine, _ box: BoxID, tallestOption: @autoclosure () -> LayoutUnit?) -> LayoutUnit? {
    let item = engine.tree[box]
    switch item.control {
    case .textField:
      // A line of the field's first font, even if its text uses fallback fonts.
      return engine.inlineFont(item.style).lineHeight
    case .menu:
      // Excludes the line gap. Without a native appearance the height is that of the label's line.
      guard item.style.box.appearance != .none, !item.style.box.fieldSizingContent else { return nil }
      return engine.inlineFont(item.style).height.height + LayoutUnit(Double(item.style.zoom) * 2)
    case .textArea:
      // https://drafts.csswg.org/css-forms-1/#field-sizing
      guard !item.style.box.fieldSizingContent else { return nil }
      let overflow = WritingDirection(item.style).isHorizontal ? item.style.box.overflowX : item.style.box.overflowY
      let bar = overflow == .scroll ? LayoutUnit(scrollBar) : .zero
      return engine.inlineFont(item.style).lineHeight * Int(item.controlRows) + bar
    case .listBox:
      guard !item.style.box.fieldSizingContent else { return nil }
      if item.style.box.appearance == .baseSelect {
        // https://html.spec.whatwg.org/multipage/rendering.html#the-select-element-2
        return max(LayoutUnit(24 * Double(item.style.zoom)), engine.inlineFont(item.style).lineHeight) * Int(item.controlRows)
      }
      // Without options a row is a line of text and the padding below it.
      let row = tallestOption() ?? engine.inlineFont(item.style).height.height + LayoutUnit(1)
      return row * Int(item.controlRows)
    default: return nil
    }
  }
}
