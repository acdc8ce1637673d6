internal import OffprintCSS
internal import OffprintCoreTypes

extension LayoutEngine {
  /// Whether layout may stop inside a box at the cutoff: nothing above depends on the box's block size, and the box is not the containing block
  /// of contents that may be placed from its end.
  func passesCutoff(_ box: BoxID) -> Bool {
    let item = tree[box]
    switch item.kind {
    case .blockContainer, .gridContainer, .tableWrapper: break
    default: return false
    }
    guard item.specialLayout == nil, item.control == .none, item.isInFlow, !tree.isElement(box, .fieldset) else { return false }
    let style = item.style
    let scrolls = [style.box.overflowX, style.box.overflowY].contains { $0 == .auto || $0 == .scroll }
    guard !scrolls || RootLayout.passesOverflowToViewport(self, box) else { return false }
    return cutoff?.containers.contains(box.index) == false && isPaintedFromTop(style)
  }

  /// Whether layout may leave out everything from `box` on in tree order.
  func mayLeaveOut(from box: BoxID) -> Bool { cutoff.map { box.index > $0.lastUnbounded } ?? false }

  /// Whether the ink of a box above the cutoff does not depend on the box's height.
  func isPaintedFromTop(_ style: ComputedStyle) -> Bool {
    let isInFlow = style.box.position == .static || style.box.position == .relative
    guard style.text.writingMode == .horizontalTb, isInFlow, !ContainingBlock.isEstablished(by: style, isFixed: true),
      !style.effects.willChangePosition, style.box.aspectRatio == nil, style.box.textBoxTrim.isEmpty, style.box.contain.isEmpty,
      !style.align.isMultiColumn
    else { return false }
    guard style.effects.opacity == 1, style.effects.clip == nil, style.effects.lineClamp == nil, style.effects.clipPath == .none,
      style.effects.mask.allSatisfy({ $0.image == .none })
    else { return false }
    let lines = [style.border.style.left, style.border.style.right]
    let radius = style.border.radius
    let corners = [radius.topLeft, radius.topRight, radius.bottomRight, radius.bottomLeft]
    return style.background.layers.allSatisfy { $0.image == .none } && style.border.outlineWidth == 0
      && !corners.contains { $0.vertical.hasPercentage } && !lines.contains(.dashed) && !lines.contains(.dotted)
  }
}

extension GridContainer {
  /// Removes the items of rows below the cutoff, if the rows above do not depend on them.
  ///
  /// In a container of indefinite height, an `auto` row is as high as its highest item, see
  /// https://drafts.csswg.org/css-grid-2/#algo-track-sizing.
  mutating func dropItemsBelowCutoff() throws {
    guard let cutoff = input.cutoff, hasIndependentRows, let end = try firstRow(below: cutoff - edges.blockStart) else { return }
    guard items.allSatisfy({ $0.spans.rows.lowerBound < end || engine.mayLeaveOut(from: $0.box) }) else { return }
    keepRows(upTo: end)
  }

  /// Whether each row depends on its own items only.
  private var hasIndependentRows: Bool {
    guard inherited.rows == nil, content.rows == nil, input.fixedBlock == nil, !input.stretchBlock, outOfFlow.isEmpty,
      !engine.specifiesBlockSize(style)
    else { return false }
    guard !dependsOnAvailableSize(.rows), !style.align.columnRule.isVisible, !style.align.rowRule.isVisible,
      Sizing.containedBlock(style) == nil
    else { return false }
    let hasAutoRows = tracks(.rows).allSatisfy { $0.minimum.isAuto && $0.maximum.isAuto && !$0.isCollapsed }
    return hasAutoRows && items.allSatisfy { $0.subgrid < 0 && $0.isParallel && !$0.dependsOnBlockSize }
  }

  /// The first row that starts below `offset` and is not spanned from above; nil without one.
  private func firstRow(below offset: LayoutUnit) throws -> Int? {
    var byRow = [[Int]](repeating: [], count: counts.rows)
    for (index, item) in items.enumerated() where byRow.indices.contains(item.spans.rows.lowerBound) {
      byRow[item.spans.rows.lowerBound].append(index)
    }
    // The first row is kept, so that there is always one.
    var start = LayoutUnit.zero, spanned = 1
    for (row, indices) in byRow.enumerated() {
      if start >= offset, row >= spanned { return row }
      var size = LayoutUnit.zero
      for index in indices {
        spanned = max(spanned, items[index].spans.rows.upperBound)
        if items[index].spans.rows.count == 1 { size = max(size, try outerBlockSize(items[index])) }
      }
      start += size + gaps.rows
    }
    return nil
  }
}

extension TableLayout {
  /// Whether rows can be left out at the end: the heights of those above depend on their own cells only, and nothing painted spans all rows.
  func hasIndependentRows(blockSize: LayoutUnit?) -> Bool {
    guard blockSize == nil, !engine.specifiesBlockSize(style), engine.isPaintedFromTop(style) else { return false }
    return grid.sections.allSatisfy { isPaintedByRow($0.box) && Sizing.LogicalSizes(engine.style($0.box)).block.isAuto }
      && grid.columns.allSatisfy { isPaintedByRow($0.box) && isPaintedByRow($0.group) } && grid.outOfFlow.isEmpty
  }

  private func isPaintedByRow(_ box: BoxID) -> Bool {
    box.isNone || engine.isPaintedFromTop(engine.style(box)) && engine.cutoff?.containers.contains(box.index) == false
  }
}

extension LayoutEngine {
  /// Whether a style specifies any block size.
  fileprivate func specifiesBlockSize(_ style: ComputedStyle) -> Bool {
    let sizes = Sizing.LogicalSizes(style)
    guard sizes.block.isAuto, sizes.minBlock.isAuto, case .none = sizes.maxBlock else { return true }
    return false
  }
}

extension TableGrid {
  /// The grid without its rows from `end` on.
  func prefix(rows end: Int) -> TableGrid {
    var result = self
    result.rows = Array(rows.prefix(end))
    result.cells = Array(cells.prefix(result.rows.last?.cells.upperBound ?? 0))
    result.sections = sections.compactMap { section in
      guard section.rows.lowerBound < end else { return nil }
      var section = section
      section.rows = section.rows.lowerBound..<min(section.rows.upperBound, end)
      return section
    }
    return result
  }
}
