import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// Elements with an internal layout that ignores `display`, except for whether they are block-level.
extension BoxTreeBuilder {
  /// The style of images, frames and controls with a `display` of tables or ruby, which does not apply to them.
  ///
  /// By https://drafts.csswg.org/css-display-3/#layout-specific-display they are inline. In Chromium they are blocks, and controls with a
  /// native appearance are inline blocks.
  func unitStyle(_ node: NodeID, _ style: ComputedStyle, parent: Box) -> ComputedStyle {
    guard let display = unitDisplay(node, style, isInlinified: parent.style.box.inlinifiesContents) else { return style }
    var box = style.box
    box.display = display
    return arena.modified(style) { $0.box = arena.allocate(box) }
  }

  private func unitDisplay(_ node: NodeID, _ style: ComputedStyle, isInlinified: Bool) -> Display? {
    switch style.box.display {
    case .tableRowGroup, .tableHeaderGroup, .tableFooterGroup, .tableRow, .tableCell, .tableColumnGroup, .tableColumn, .tableCaption:
      guard isUnit(node) else { return nil }
      return isInlinified || style.box.appearance != .none && isControl(node) ? .inlineBlock : .block
    case .rubyText, .rubyBase, .rubyBaseContainer, .rubyTextContainer:
      guard isUnit(node) else { return nil }
      return isInlinified ? .inlineBlock : .block
    case .inlineTable: return style.box.appearance != .none && isControl(node) ? .inlineBlock : nil
    case .listItem, .table: return isControl(node) ? .block : nil
    // https://drafts.csswg.org/css-display-3/#unbox-html and #unbox-svg
    case .contents: return isUnboxable(node) ? nil : Display.none
    default: return nil
    }
  }

  private func isUnboxable(_ node: NodeID) -> Bool {
    guard document[node].namespace == .html else { return document[node].namespace != .svg }
    switch document[node].name {
    case .audio, .br, .canvas, .embed, .frame, .frameset, .iframe, .img, .input, .meter, .object, .progress, .select, .textarea, .video,
      .wbr:
      return false
    default: return true
    }
  }

  private func isControl(_ node: NodeID) -> Bool {
    guard document[node].namespace == .html else { return false }
    switch document[node].name {
    case .button, .input, .meter, .progress, .select, .textarea: return true
    default: return false
    }
  }

  private func isUnit(_ node: NodeID) -> Bool {
    if document[node].namespace == .svg { return document[node].name == .svg }
    guard document[node].namespace == .html else { return false }
    switch document[node].name {
    case .canvas, .embed, .fieldset, .iframe, .img, .video: return true
    case .object: return images.byNode[node] != nil || document.isReplacedObject(node)
    default: return isControl(node)
    }
  }
}
