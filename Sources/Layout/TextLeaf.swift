internal import OffprintCSS
internal import OffprintCoreTypes

// Boxes that contain only text, like most items. Their lines do not depend on the block size.

extension LayoutEngine {
  /// Whether the contents of a block container do not depend on its block size.
  func isTextLeaf(_ box: BoxID) -> Bool { tree[box].kind == .blockContainer && hasTextAlone(box) }

  /// The same for a table cell, whose own block size and percentages do not matter either.
  func isTextCell(_ box: BoxID) -> Bool {
    let style = tree[box].style
    guard tree[box].kind == .tableCell, tree[box].specialLayout == nil, !tree[box].hasBlockEndBaseline, style.isUncontained,
      style.effects.lineClamp == nil
    else { return false }
    let hasPercentage =
      style.box.padding.top.hasPercentage || style.box.padding.right.hasPercentage || style.box.padding.bottom.hasPercentage
      || style.box.padding.left.hasPercentage
    return !hasPercentage && hasTextAlone(box)
  }

  private func hasTextAlone(_ box: BoxID) -> Bool {
    let item = tree[box]
    guard item.hasInlineChildren, !item.isRoot, !item.isListItem,
      !tree.isControl(box)
    else { return false }
    let style = item.style
    guard style.text.writingMode == .horizontalTb, style.align.alignContent.keyword == .normal, !hasColumns || !style.align.isMultiColumn,
      style.box.aspectRatio == nil, !Sizing.isScrollContainer(style), style.box.contain.isEmpty, style.box.contentVisibility != .auto,
      style.box.containerType == .normal
    else { return false }
    return holdsOnlyText(box, depth: 0)
  }

  private func holdsOnlyText(_ box: BoxID, depth: Int) -> Bool {
    var count = 0
    for child in tree.children(of: box) {
      count += 1
      let item = tree[child]
      if item.isTextual { continue }
      guard item.kind == .inline, item.isInFlow, item.style.box.position == .static, depth < 4, count < 32,
        holdsOnlyText(child, depth: depth + 1)
      else { return false }
    }
    return true
  }

  /// Sets a measured text cell to its final block size, with its contents moved by `shift`.
  func finishTextCell(_ measured: LayoutResult, block: LayoutUnit, shift: LayoutUnit) -> LayoutResult {
    guard block != measured.size.height || shift != .zero else { return measured }
    var result = measured
    result.size.height = block
    result.firstBaseline = measured.firstBaseline.map { $0 + shift }
    result.lastBaseline = measured.lastBaseline.map { $0 + shift }
    result.inlineBlockBaseline = measured.inlineBlockBaseline.map { $0 + shift }
    var fragment = fragments[measured.fragment]
    fragment.size.height = block
    fragment.overflow = LayoutRect(origin: .zero, size: fragment.size)
    fragment.baseline = fragment.baseline.map { $0 + shift }
    var links = Array(fragments.children(of: measured.fragment))
    for index in links.indices { links[index].offset.y += shift }
    result.fragment = append(fragment, children: links)
    return result
  }

  /// Lays out a text leaf with its intrinsic block size, and then sets the size of its fragment.
  func layoutTextLeaf(_ box: BoxID, _ input: LayoutInput, block: LayoutUnit) throws -> LayoutResult {
    var natural = input
    natural.fixedBlock = nil
    natural.fixedBlockIsDefinite = true
    natural.stretchBlock = false
    natural.availableBlock = nil
    natural.percentageBlock = nil
    var result = try layout(box, natural)
    let height = max(block, Sizing.edges(self, box, input).blockSum)
    guard result.size.height != height else { return result }
    var fragment = fragments[result.fragment]
    fragment.size.height = height
    fragment.overflow = LayoutRect(origin: .zero, size: fragment.size)
    result.size.height = height
    result.fragment = append(fragment, children: Array(fragments.children(of: result.fragment)))
    return result
  }
}
