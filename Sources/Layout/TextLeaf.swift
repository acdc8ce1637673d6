internal import OffprintCSS
internal import OffprintCoreTypes

// Boxes of nothing but text, which most items are: their lines are the same whatever block size they are given.

extension LayoutEngine {
  /// Whether what is in a block container is laid out without regard to its block size.
  func isTextLeaf(_ box: BoxID) -> Bool {
    let item = tree[box]
    guard item.kind == .blockContainer, item.hasInlineChildren, !item.isRoot, !item.isListItem,
      !tree.isControl(box)
    else { return false }
    let style = item.style
    guard style.text.writingMode == .horizontalTb, style.align.alignContent.keyword == .normal, !style.align.isMultiColumn,
      style.box.aspectRatio == nil, !Sizing.isScrollContainer(style), style.box.containment.isEmpty,
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

  /// Lays a text leaf out with the block size its text has, and gives its fragment the one that was asked for.
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
