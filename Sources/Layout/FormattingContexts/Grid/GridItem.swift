import OffprintCSS
import OffprintCoreTypes

/// A grid item. https://drafts.csswg.org/css-grid-2/#grid-items
struct GridItem {
  let box: BoxID
  let style: ComputedStyle
  /// The item's inline axis is parallel to the container's.
  let isParallel: Bool
  let alignment: GridAxes<GridSelfAlignment>
  /// In tracks of the implicit grid, counted from 0.
  var spans = GridAxes(columns: 0..<1, rows: 0..<1)
  /// nil: the item is not aligned by its baseline in the axis.
  let baseline: GridAxes<BaselineSharing?>
  /// From the side that the item's group is aligned at to the baseline of its tracks; nil: the item goes to that side.
  var sharedBaseline = GridAxes<LayoutUnit?>(columns: nil, rows: nil)
  /// What baseline alignment adds on the side that the item's group is aligned at.
  var baselineShim = GridAxes(columns: LayoutUnit.zero, rows: LayoutUnit.zero)
  var isSubgrid = GridAxes(columns: false, rows: false)
  /// Number among the container's subgrids; -1: none.
  var subgrid = -1
  let hasRatio: Bool
  /// Its inline size may depend on the block size of its area.
  let dependsOnBlockSize: Bool

  init(_ engine: LayoutEngine, _ box: BoxID, _ style: ComputedStyle, container: ComputedStyle) {
    self.box = box; self.style = style
    let direction = WritingDirection(container)
    let node = engine.tree[box]
    let isAnonymous = node.isAnonymous && node.node.isNone
    let margin = direction.logicalSides(style.box.margin)
    func alignment(_ axis: GridAxis, _ start: Bool, _ end: Bool) -> GridSelfAlignment {
      var result = GridSelfAlignment(
        style, axis, container: container, isAnonymous: isAnonymous, isReplaced: engine.tree.isReplacedForAlignment(box))
      result.apply(autoMargins: start, end)
      return result
    }
    self.alignment = GridAxes(
      columns: alignment(.columns, margin.inlineStart.isAuto, margin.inlineEnd.isAuto),
      rows: alignment(.rows, margin.blockStart.isAuto, margin.blockEnd.isAuto))
    func sharing(_ axis: GridAxis, _ edge: GridSelfAlignment.Edge) -> BaselineSharing? {
      guard edge == .firstBaseline || edge == .lastBaseline else { return nil }
      return BaselineSharing(style.text.writingMode, in: direction, isBlockAxis: axis == .rows, isLast: edge == .lastBaseline)
    }
    baseline = GridAxes(columns: sharing(.columns, self.alignment.columns.edge), rows: sharing(.rows, self.alignment.rows.edge))
    isParallel = WritingDirection(style).isParallel(to: direction)
    hasRatio = Sizing.preferredAspectRatio(engine, box) != nil
    dependsOnBlockSize = Self.dependsOnBlockSize(engine, box, in: direction)
  }

  /// Whether the inline size of a grid's child may depend on the block size of its area.
  static func dependsOnBlockSize(_ engine: LayoutEngine, _ child: BoxID, in direction: WritingDirection) -> Bool {
    let style = engine.style(child)
    return !WritingDirection(style).isParallel(to: direction) || hasPercentageBlock(style) || isColumnWrap(engine.tree[child])
      || Sizing.preferredAspectRatio(engine, child) != nil
  }

  private static func hasPercentageBlock(_ style: ComputedStyle) -> Bool {
    let sizes = Sizing.LogicalSizes(style)
    return [sizes.block, sizes.minBlock, sizes.maxBlock].contains { value in
      switch value {
      case .value(let length): length.hasPercentage
      case .stretch: true
      default: false
      }
    }
  }

  /// Flexible boxes in columns that wrap get as wide as their height makes them.
  private static func isColumnWrap(_ box: Box) -> Bool {
    box.kind == .flexContainer && box.style.align.flexWrap != .nowrap
      && (box.style.align.flexDirection == .column || box.style.align.flexDirection == .columnReverse)
  }

  /// Whether an `auto` size fills the area in an axis. https://drafts.csswg.org/css-grid-2/#grid-item-sizing
  ///
  /// - Parameter isOtherKnown: The area's size in the other axis is definite.
  func stretches(_ axis: GridAxis, in direction: WritingDirection, isOtherKnown: Bool) -> Bool {
    if isSubgrid[axis] { return true }
    let sizes = Sizing.LogicalSizes(style, isHorizontal: direction.isHorizontal)
    let own = axis == .columns ? sizes.inline : sizes.block, other = axis == .columns ? sizes.block : sizes.inline
    guard own.isAuto else { return false }
    switch alignment[axis].stretch {
    case .none: return false
    case .explicit: return true
    case .implicit:
      guard hasRatio else { return true }
      let otherStretch = alignment[axis.other].stretch
      // With a ratio the block axis stretches only where the inline axis, which is `auto`, does not, and the inline axis only where the
      // block axis does not give the size.
      guard (axis == .columns) == isParallel else { return other.isAuto && otherStretch == .none }
      if case .value(let length) = other { return length.hasPercentage && !isOtherKnown }
      return !(other.isAuto && otherStretch == .explicit && isOtherKnown)
    }
  }
}
