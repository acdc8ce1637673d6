internal import OffprintCSS
internal import OffprintCoreTypes

/// The items of a flex or grid container in its unfragmented layout, from which its fragments are made.
///
/// https://drafts.csswg.org/css-flexbox-1/#pagination and https://drafts.csswg.org/css-grid-2/#pagination leave many cases undefined; the rules
/// are those of LayoutNG:
/// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/layout/grid/grid_layout_algorithm.cc
final class FragmentedRows {
  struct Item {
    let box: BoxID
    /// The input that lays it out at its final size.
    let input: LayoutInput
    /// From the container's border edges to the item's border edges.
    let offset: LogicalOffset
    /// The block-end edge of the rows that contain it, without its margin.
    let areaEnd: LayoutUnit
    var marginEnd = LayoutUnit.zero
    /// Whether its row grows with it.
    let growsRow: Bool
    /// The offset of `position: relative`.
    let shift: LayoutPoint
  }

  /// A grid row, a line of a flex container in the inline axis, or an item of one in the block axis.
  struct Row {
    /// Indexes into `items`.
    let items: Range<Int>
    let start: LayoutUnit
    let stack: Int
    /// Combines `break-before` of its items and `break-after` of the items of the previous row.
    let between: BreakBetween
  }

  /// Positioned children, at their static positions.
  struct OutOfFlow {
    let candidate: OutOfFlowCandidate
    let offset: LogicalOffset
  }

  private(set) var items: [Item] = []
  private(set) var rows: [Row] = []
  /// Rows of one stack follow each other. Lines of items in the block axis are stacks side by side.
  private(set) var stacks: [Range<Int>] = []
  /// The block-end edge of the contents of each stack.
  let ends: [LayoutUnit]
  var outOfFlow: [OutOfFlow] = []
  /// The content-box block size with size containment; nil without it.
  var containedBlock: LayoutUnit?
  var firstBaseline: LayoutUnit?
  var lastBaseline: LayoutUnit?
  /// Gap segments, relative to an unfragmented container of size `unfragmentedSize`.
  var gaps: [GapSegment] = []
  var unfragmentedSize = LayoutSize.zero
  /// `break-before` of the first rows and `break-after` of the last ones. https://drafts.csswg.org/css-break-3/#break-propagation
  private(set) var breakBefore = BreakBetween.auto
  private(set) var breakAfter = BreakBetween.auto
  /// Flex containers and grids differ in two rules that the specifications leave undefined. In Chromium, grid rows that begin after the end of a
  /// fragmentainer move to the next one, regardless of `break-before`, and a grid ends at the end of its tracks. A flex container ends at the
  /// end of its items, which is earlier if a margin in one of them is truncated at a break.
  enum Container { case flex, grid }
  var container = Container.grid

  /// - Parameters:
  ///   - stacks: The rows of each stack, in order.
  ///   - ends: The block-end edge of the contents of each stack.
  init(_ engine: LayoutEngine, stacks: [[(start: LayoutUnit, items: [Item])]], ends: [LayoutUnit]) {
    self.ends = ends
    for (number, stack) in stacks.enumerated() {
      var after = BreakBetween.auto
      let first = rows.count
      for (index, row) in stack.enumerated() {
        let before = row.items.reduce(BreakBetween.auto) { $0.joined(engine.propagatedBreak($1.box, isBefore: true)) }
        let range = items.count..<items.count + row.items.count
        if index == 0 { breakBefore = breakBefore.joined(before) }
        rows.append(Row(items: range, start: row.start, stack: number, between: index == 0 ? .auto : after.joined(before)))
        items += row.items
        after = row.items.reduce(BreakBetween.auto) { $0.joined(engine.propagatedBreak($1.box, isBefore: false)) }
      }
      self.stacks.append(first..<rows.count)
      breakAfter = breakAfter.joined(after)
    }
  }
}

extension LayoutEngine {
  /// Combines `break-before` of a box and its first descendants, or `break-after` of the box and its last descendants.
  /// https://drafts.csswg.org/css-break-3/#break-propagation
  fileprivate func propagatedBreak(_ box: BoxID, isBefore: Bool) -> BreakBetween {
    let known = isBefore ? breaksBefore[box] : breaksAfter[box]
    if let known { return known }
    let style = style(box)
    var value = isBefore ? style.box.breakBefore : style.box.breakAfter
    if !tree[box].hasInlineChildren, !Monolithic.contains(self, box, WritingDirection(style)) {
      let children = tree.children(of: box).filter { tree[$0].isInFlow && !tree[$0].isFloating && !tree[$0].isOutsideMarker }
      // The items of a line are side by side.
      let flow = style.align.flexDirection
      let isLine =
        tree[box].kind == .flexContainer && style.align.flexWrap == .nowrap && (flow == .row || flow == .rowReverse)
      let inner = isLine ? children : [isBefore ? children.first : children.last].compactMap { $0 }
      for child in inner {
        let own = propagatedBreak(child, isBefore: isBefore)
        value = isBefore ? own.joined(value) : value.joined(own)
      }
    }
    if isBefore { breaksBefore[box] = value } else { breaksAfter[box] = value }
    return value
  }
}
