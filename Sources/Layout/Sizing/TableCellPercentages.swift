internal import OffprintCSS
internal import OffprintCoreTypes

/// Percentage block sizes of boxes in table cells while rows are measured. https://drafts.csswg.org/css-tables-3/#row-layout
enum TableCellPercentages {
  /// The maximum number of boxes between a cell and a replaced element.
  private static let maximumDepth = 64

  /// The specified content height of the cell around a replaced element. Chromium uses it as the percentage basis of replaced elements even
  /// while it measures rows; other boxes have no basis until the row has a height. nil without such a cell.
  ///
  /// - Parameter isIntrinsic: Whether intrinsic sizes are computed. In quirks mode these ignore blocks of `auto` height in between, unlike
  ///   layout.
  static func basis(_ engine: LayoutEngine, replaced child: BoxID, isIntrinsic: Bool) -> LayoutUnit? {
    guard engine.tree[child].kind == .replaced, hasPercentage(engine.style(child)) else { return nil }
    var box = engine.tree[child].parent
    for _ in 0..<maximumDepth {
      guard !box.isNone else { return nil }
      let item = engine.tree[box]
      if item.kind == .tableCell { return height(item.style) }
      guard item.kind == .inline || item.kind == .blockContainer && (item.isAnonymous || isIntrinsic && isQuirky(engine, item)) else {
        return nil
      }
      box = item.parent
    }
    return nil
  }

  /// A percentage basis of 0 for a child with `overflow: auto` or `scroll`, so that it does not contribute to the height of its row; nil
  /// for other boxes, whose percentages behave as `auto`. Chromium only applies this rule if the cell or its table has a specified height,
  /// unlike the specification.
  static func basis(_ engine: LayoutEngine, scroller child: BoxID, in cell: LayoutInput) -> LayoutUnit? {
    guard cell.isTableCellMeasure, cell.tableCell?.hasRestrictedBlockSize == true else { return nil }
    let style = engine.style(child), isHorizontal = style.text.writingMode == .horizontalTb
    guard case .value(let length) = Sizing.LogicalSizes(style).block, length.hasPercentage else { return nil }
    let overflow = isHorizontal ? style.box.overflowY : style.box.overflowX
    return overflow == .auto || overflow == .scroll ? .zero : nil
  }

  private static func isQuirky(_ engine: LayoutEngine, _ item: Box) -> Bool {
    Sizing.isQuirksMode(engine) && !item.isOutOfFlow && Sizing.LogicalSizes(item.style).block.isAuto
  }

  private static func hasPercentage(_ style: ComputedStyle) -> Bool {
    let sizes = Sizing.LogicalSizes(style)
    return [sizes.block, sizes.minBlock, sizes.maxBlock].contains { value in
      if case .value(let length) = value { length.hasPercentage } else { false }
    }
  }

  private static func height(_ cell: ComputedStyle) -> LayoutUnit? {
    guard case .value(let length) = Sizing.LogicalSizes(cell).block, let size = length.resolveIfDefinite(nil) else { return nil }
    guard cell.box.boxSizing == .borderBox else { return size }
    let edges = Sizing.border(cell) + Sizing.padding(cell, percentageBasis: .zero)
    return (size - WritingDirection(cell).logical(edges).blockSum).clampedToZero
  }
}
