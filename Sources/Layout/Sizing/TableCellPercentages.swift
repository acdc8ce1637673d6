internal import OffprintCSS
internal import OffprintCoreTypes

/// Percentages of the block sizes of boxes in table cells while rows are measured. https://drafts.csswg.org/css-tables-3/#row-layout
enum TableCellPercentages {
  /// Boxes between a cell and a replaced element that are looked through.
  private static let maximumDepth = 64

  /// The specified content height of the cell that a replaced element is in, which Chromium takes for its percentages, also while it measures
  /// rows; nil where there is no such cell. Other boxes have no basis until the row has its height.
  ///
  /// - Parameter isIntrinsic: Intrinsic sizes look through blocks of `auto` height in quirks mode, layout does not.
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

  /// A child with a percentage height and `overflow: auto` or `scroll` adds nothing to the height of its row: the basis is 0 then. nil for
  /// other boxes, which are as high as their contents. Chromium has the rule where the cell or its table has a height; the specification
  /// has it everywhere.
  static func basis(_ engine: LayoutEngine, scroller child: BoxID, in cell: LayoutInput) -> LayoutUnit? {
    guard cell.isTableCellMeasure, cell.tableCell?.isRestricted == true else { return nil }
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
