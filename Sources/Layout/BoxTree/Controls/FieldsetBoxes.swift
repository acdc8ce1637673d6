import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/#anonymous-fieldset-content-box
extension BoxTreeBuilder {
  /// Moves the rendered legend to the front. If the `fieldset` is a flex or grid container, its other contents move to an anonymous box,
  /// which becomes that container.
  mutating func generateFieldsetContent(_ node: NodeID, in pending: inout PendingBox) {
    guard isHTML(node, .fieldset) else { return }
    guard let legend = pending.children.firstIndex(where: { $0.isInFlow && $0.box.pseudo == nil && isHTML($0.box.node, .legend) }) else {
      return
    }
    guard pending.box.kind == .flexContainer || pending.box.kind == .gridContainer else {
      if pending.box.kind == .blockContainer { pending.children.insert(pending.children.remove(at: legend), at: 0) }
      return
    }
    var content = PendingBox(Box(kind: pending.box.kind, style: fieldsetContentStyle(pending.box.style)))
    content.box.isAnonymous = true
    content.children = pending.children
    var label = content.children.remove(at: legend)
    label.box.isInlineLevel = false
    finish(&content)
    var align = pending.box.style.align
    align.alignContent = Alignment(.normal)
    pending.box.style = arena.modified(pending.box.style) { $0.align = arena.allocate(align) }
    pending.box.kind = .blockContainer
    pending.children = [label, content]
  }

  /// The style of the anonymous content box: it takes over the alignment properties and fills a definite height.
  private func fieldsetContentStyle(_ style: ComputedStyle) -> ComputedStyle {
    let display: Display = style.box.display.blockified
    let plain = arena.anonymousStyle(inheriting: style, display: display)
    var align = style.align, box = plain.box
    align.alignSelf = Alignment(.auto)
    align.justifySelf = Alignment(.auto)
    (align.columnCount, align.columnWidth, align.columnHeight) = (nil, nil, nil)
    if style.text.writingMode == .horizontalTb { box.height = .stretch } else { box.width = .stretch }
    return arena.modified(plain) {
      $0.align = arena.allocate(align)
      $0.box = arena.allocate(box)
    }
  }
}
