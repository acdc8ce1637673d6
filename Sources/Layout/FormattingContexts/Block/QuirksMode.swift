internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// Layout rules of quirks mode. https://quirks.spec.whatwg.org
enum QuirksMode {
  /// Whether margins of the user agent style sheet are ignored at the edges of a box, which applies to `body` and table cells.
  ///
  /// https://html.spec.whatwg.org/#margin-collapsing-quirks
  static func swallowsMargins(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard Sizing.isQuirksMode(engine) else { return false }
    return engine.tree[box].kind == .tableCell || engine.tree.isElement(box, .body)
  }

  /// The block size of the border box with which the root element, or its `body`, fills the viewport; nil for other boxes.
  ///
  /// https://quirks.spec.whatwg.org/#the-html-element-fills-the-viewport-quirk and #the-body-element-fills-the-html-element-quirk
  static func viewportFill(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) -> LayoutUnit? {
    guard Sizing.isQuirksMode(engine), input.fixedBlock == nil, !engine.isViewportHeightAuto else { return nil }
    let item = engine.tree[box]
    guard item.isInFlow, item.kind == .blockContainer, !item.isInlineLevel, Sizing.LogicalSizes(item.style).block.isAuto else { return nil }
    let direction = WritingDirection(item.style)
    let basis = input.percentageMargin
    var size = direction.logical(engine.viewport).block - Sizing.logicalMargin(item.style, percentageBasis: basis, in: direction).blockSum
    if item.isRoot { return size.clampedToZero }
    guard engine.tree.isElement(box, .body), !item.parent.isNone, engine.tree[item.parent].isRoot else { return nil }
    let root = engine.style(item.parent)
    if case .value(let height) = Sizing.LogicalSizes(root).block,
      let fixed = height.resolveIfDefinite(direction.logical(engine.viewport).block)
    {
      return (fixed - Sizing.logicalMargin(item.style, percentageBasis: basis, in: direction).blockSum).clampedToZero
    }
    let around = Sizing.border(root) + Sizing.padding(root, percentageBasis: basis) + Sizing.margin(root, percentageBasis: basis)
    size -= direction.logical(around).blockSum
    return size.clampedToZero
  }

  /// Whether the nearest block container around a box takes its percentage basis from its own containing block.
  static func passesPercentageBlock(around box: BoxID, _ engine: LayoutEngine) -> Bool {
    func isSkipped(_ id: BoxID) -> Bool { engine.tree[id].kind == .inline || engine.tree[id].isAnonymous }
    var current = engine.tree[box].parent
    while !current.isNone, isSkipped(current) { current = engine.tree[current].parent }
    return !current.isNone && BlockFormattingContext.passesPercentageBlock(engine, current)
  }

  /// Whether the specified width of a cell is also its minimum width.
  ///
  /// https://quirks.spec.whatwg.org/#the-table-cell-nowrap-minimum-width-calculation-quirk
  static func keepsWidth(_ engine: LayoutEngine, _ cell: BoxID) -> Bool {
    let box = engine.tree[cell]
    guard Sizing.isQuirksMode(engine), box.pseudo == nil, !box.node.isNone else { return false }
    return engine.tree.styled.document.hasAttribute(.nowrap, of: box.node)
  }

  /// Whether the first in-flow child of a list item is a list.
  static func beginsWithList(_ engine: LayoutEngine, _ item: BoxID) -> Bool {
    guard Sizing.isQuirksMode(engine) else { return false }
    let first = engine.tree.children(of: item).first { child in
      let box = engine.tree[child]
      return !box.isOutsideMarker && box.isInFlow
    }
    guard let first, !engine.tree[first].node.isNone else { return false }
    let document = engine.tree.styled.document, node = engine.tree[first].node
    return document.isHTMLElement(node, .ul) || document.isHTMLElement(node, .ol)
  }

  /// Whether a block margin of a child is specified by the user agent style sheet.
  static func isQuirky(_ engine: LayoutEngine, _ child: BoxID, isStart: Bool) -> Bool {
    guard Sizing.isQuirksMode(engine) else { return false }
    let box = engine.tree[child]
    guard box.pseudo == nil, !box.node.isNone, !box.isAnonymous else { return false }
    return box.style.origins.contains(isStart ? .quirkyMarginTop : .quirkyMarginBottom)
  }
}
