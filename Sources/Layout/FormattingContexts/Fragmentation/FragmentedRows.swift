internal import OffprintCSS
internal import OffprintCoreTypes

/// The items of a flex or grid container that is to be broken, placed without breaks.
///
/// https://drafts.csswg.org/css-flexbox-1/#pagination and https://drafts.csswg.org/css-grid-2/#pagination leave much of it open; the rules
/// are those of LayoutNG:
/// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/layout/grid/grid_layout_algorithm.cc
final class FragmentedRows {
  struct Item {
    let box: BoxID
    /// At its final size.
    let input: LayoutInput
    /// From the container's border edges to the item's.
    let offset: LogicalOffset
    /// The block-end edge of the rows that it is in, without its margin.
    let areaEnd: LayoutUnit
    var marginEnd = LayoutUnit.zero
    /// Its row grows with it.
    let growsRow: Bool
    /// Of `position: relative`.
    let shift: LayoutPoint
  }

  /// A grid row, a line of a flex container in the inline axis, or an item of one in the block axis.
  struct Row {
    /// In `items`.
    let items: Range<Int>
    let start: LayoutUnit
    let stack: Int
    /// `break-before` of its items and `break-after` of those before.
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
  /// Where the contents of each stack end.
  let ends: [LayoutUnit]
  var outOfFlow: [OutOfFlow] = []
  /// What the container asks for without its edges where `contain` says so.
  var containedBlock: LayoutUnit?
  var firstBaseline: LayoutUnit?
  var lastBaseline: LayoutUnit?
  /// Pieces of gaps with rules, in a container of `unbrokenSize`.
  var gaps: [GapSegment] = []
  var unbrokenSize = LayoutSize.zero
  /// `break-before` of the first rows and `break-after` of the last ones. https://drafts.csswg.org/css-break-3/#break-propagation
  private(set) var breakBefore = BreakBetween.auto
  private(set) var breakAfter = BreakBetween.auto
  /// The rules of flex containers and grids differ in two places, which the specifications leave open. In Chromium rows of a grid that begin
  /// behind the end of a fragmentainer are left to the next one, whatever `break-before` asks for, and a grid ends where its tracks do. A flex
  /// container ends where its items do, which is earlier if a margin in one of them is cut off at a break.
  enum Container { case flex, grid }
  var container = Container.grid

  /// - Parameters:
  ///   - stacks: The rows of each, in their order.
  ///   - ends: Where the contents of each stack end.
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
  /// `break-before` of a box and the first boxes in it, or `break-after` of the last ones.
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
