import OffprintCSS
import OffprintCoreTypes
import OffprintDOM

// https://html.spec.whatwg.org/multipage/rendering.html#the-fieldset-and-legend-elements
extension BoxTreeBuilder {
  /// The rendered legend comes first whatever is before it, and `display: flex` and `grid` are those of an anonymous box around all else.
  func fixFieldset(_ pending: inout PendingBox) {
    guard pending.box.pseudo == nil, isHTML(pending.box.node, .fieldset), let index = pending.children.firstIndex(where: isLegend) else {
      return
    }
    let legend = pending.children.remove(at: index)
    switch pending.box.kind {
    case .flexContainer, .gridContainer:
      var content = PendingBox(Box(kind: pending.box.kind, style: contentStyle(pending.box.style)), children: pending.children)
      content.box.isAnonymous = true
      wrapStrayTableParts(&content)
      fixItems(&content)
      pending.box.kind = .blockContainer
      pending.box.style = outerStyle(pending.box.style, isInline: pending.box.isInlineLevel)
      pending.children = [legend, content]
    case .blockContainer: pending.children.insert(legend, at: 0)
    default: pending.children.insert(legend, at: index)
    }
  }

  private func isLegend(_ child: PendingBox) -> Bool {
    child.box.pseudo == nil && child.box.isInFlow && isHTML(child.box.node, .legend)
  }

  private func contentStyle(_ style: ComputedStyle) -> ComputedStyle {
    let plain = arena.anonymousStyle(inheriting: style, display: style.box.display.blockified)
    return arena.modified(plain) {
      var align = style.align
      align.alignSelf = Alignment(.auto)
      align.justifySelf = Alignment(.auto)
      $0.align = arena.allocate(align)
    }
  }

  /// What aligns the items is the anonymous box's.
  private func outerStyle(_ style: ComputedStyle, isInline: Bool) -> ComputedStyle {
    arena.modified(style) {
      var box = style.box, align = style.align
      box.display = isInline ? .inlineBlock : .flowRoot
      align.alignContent = Alignment(.normal)
      align.alignItems = Alignment(.normal)
      align.justifyItems = Alignment(.normal)
      $0.box = arena.allocate(box)
      $0.align = arena.allocate(align)
    }
  }
}
