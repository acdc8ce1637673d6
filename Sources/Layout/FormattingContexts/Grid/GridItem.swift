import OffprintCSS
import OffprintCoreTypes

/// A grid item. https://drafts.csswg.org/css-grid-2/#grid-items
struct GridItem {
  let box: BoxID
  let style: ComputedStyle
  /// Whether the item's inline axis is parallel to the container's.
  let isParallel: Bool
  let alignment: GridAxes<GridSelfAlignment>
  /// Indices of tracks in the implicit grid.
  var spans = GridAxes(columns: 0..<1, rows: 0..<1)
  /// nil if the item does not participate in baseline alignment in the axis.
  let baseline: GridAxes<BaselineSharing?>
  /// The distance to the shared baseline of its tracks, from the side of the baseline-sharing group; nil for the fallback alignment.
  var sharedBaseline = GridAxes<LayoutUnit?>(columns: nil, rows: nil)
  /// The shim added by baseline alignment on the side of the baseline-sharing group.
  var baselineShim = GridAxes(columns: LayoutUnit.zero, rows: LayoutUnit.zero)
  var isSubgrid = GridAxes(columns: false, rows: false)
  /// Index into the container's subgrids, otherwise -1.
  var subgrid = -1
  let hasRatio: Bool
  /// Whether the inline size may depend on the block size of the area.
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

  /// Whether this is a column flex container that wraps, whose width depends on its height.
  private static func isColumnWrap(_ box: Box) -> Bool {
    box.kind == .flexContainer && box.style.align.flexWrap != .nowrap
      && (box.style.align.flexDirection == .column || box.style.align.flexDirection == .columnReverse)
  }

  /// Whether an `auto` size stretches to the area in an axis. https://drafts.csswg.org/css-grid-2/#grid-item-sizing
  ///
  /// - Parameter isOtherKnown: Whether the area's size in the other axis is definite.
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
      // With an aspect ratio the block axis only stretches if the `auto` inline axis does not, and the inline axis only if the block axis
      // does not determine the size.
      guard (axis == .columns) == isParallel else { return other.isAuto && otherStretch == .none }
      if case .value(let length) = other { return length.hasPercentage && !isOtherKnown }
      return !(other.isAuto && otherStretch == .explicit && isOtherKnown)
    }
  }
}
