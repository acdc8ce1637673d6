internal import CSS
internal import CoreTypes
internal import Typography

// https://html.spec.whatwg.org/multipage/rendering.html#converting-a-character-width-to-pixels
extension Sizing {
  /// The content size of a control in its inline axis; nil where that is its contents'.
  static func controlInline(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    let item = engine.tree[box]
    guard item.control == .textField || item.control == .textArea else { return nil }
    let metrics = engine.inlineFont(item.style).metrics
    let average = metrics.averageAdvance > 0 ? metrics.averageAdvance : metrics.zeroAdvance
    let width = LayoutUnit((Double(average) * Double(item.controlColumns)).rounded(.up))
    return item.control == .textField ? width + fieldSlack : width
  }

  /// Room that text fields have beyond their average characters.
  private static let fieldSlack = LayoutUnit(11)

  /// The content size of a control in its block axis; nil where that is its contents'.
  static func controlBlock(_ engine: LayoutEngine, _ box: BoxID) -> LayoutUnit? {
    let item = engine.tree[box]
    switch item.control {
    case .textArea: return engine.inlineFont(item.style).lineHeight * Int(item.controlRows)
    case .listBox:
      // An option is a line and the px below it.
      return (engine.inlineFont(item.style).lineHeight + LayoutUnit(1)) * Int(item.controlRows)
    default: return nil
    }
  }
}
