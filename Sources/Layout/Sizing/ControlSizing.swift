internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// https://html.spec.whatwg.org/multipage/rendering.html#converting-a-character-width-to-pixels
extension Sizing {
  /// The content size of a control in its inline axis; nil where that is its contents'.
  static func controlInline(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    let item = engine.tree[box]
    guard item.control == .textField || item.control == .textArea, !item.style.box.fieldSizingContent else { return nil }
    let metrics = engine.inlineFont(item.style).metrics
    // Averages that are those of full-width characters say nothing about text.
    let isAverage = metrics.averageAdvance > 0 && metrics.averageAdvance <= metrics.zeroAdvance * 1.7
    let average = isAverage ? Double(max(metrics.averageAdvance, metrics.averageAdvance.rounded())) : Double(metrics.zeroAdvance)
    var width = average * Double(item.controlColumns)
    if item.control == .textField {
      if isAverage { width += max(0, Double(metrics.glyphBoxWidth) - average) }
      if item.hasSpinButtons { width += scrollBar * Double(item.style.zoom) }
    } else {
      let overflow = WritingDirection(item.style).isHorizontal ? item.style.box.overflowY : item.style.box.overflowX
      // Room for a scroll bar, whether there is one or not.
      if overflow != .hidden, overflow != .clip { width += scrollBar }
    }
    return LayoutUnit(width.rounded(.up))
  }

  private static let scrollBar = 15.0

  /// The content size of a control in its block axis; nil where that is its contents'.
  static func controlBlock(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    let item = engine.tree[box]
    switch item.control {
    case .textField:
      // A line of the field's own font, whatever other fonts its text needs.
      return engine.inlineFont(item.style).lineHeight
    case .menu:
      // Without the gap between lines; without a native look it is as high as its label's line.
      guard item.style.box.appearance != .none else { return nil }
      return engine.inlineFont(item.style).height.height + LayoutUnit(Double(item.style.zoom) * 2)
    case .textArea:
      // https://drafts.csswg.org/css-forms-1/#field-sizing
      return item.style.box.fieldSizingContent ? nil : engine.inlineFont(item.style).lineHeight * Int(item.controlRows)
    case .listBox:
      guard !item.style.box.fieldSizingContent else { return nil }
      // An option is at least 1.2 em high, and the px below it.
      let least = LayoutUnit((Double(item.style.font.size) * 1.2).rounded(.up))
      return (max(engine.inlineFont(item.style).lineHeight, least) + LayoutUnit(1)) * Int(item.controlRows)
    default: return nil
    }
  }
}
