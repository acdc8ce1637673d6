internal import OffprintCSS
internal import OffprintCoreTypes

/// The items of a flex or grid container, placed without breaks, and what breaks have changed of that so far: rows move down behind
/// breaks, and grow with items that do.
///
/// https://drafts.csswg.org/css-flexbox-1/#pagination and https://drafts.csswg.org/css-grid-2/#pagination leave much of it open; the rules
/// are those of LayoutNG:
/// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/layout/grid/grid_layout_algorithm.cc
struct FragmentedRows {
  struct Item {
    let box: BoxID
    /// At its final size.
    let input: LayoutInput
    /// From the container's border edges to the item's, in the layout without breaks.
    let offset: LogicalOffset
    /// The block-end edge of the rows that it is in, without its margin, in the same layout.
    let areaEnd: LayoutUnit
    /// Its row grows with it.
    let growsRow: Bool
    /// Of `position: relative`.
    let shift: LayoutPoint
    /// It has begun in this fragmentainer or an earlier one.
    var hasBegun = false
  }

  /// A grid row, a line of a flex container in the inline axis, or an item of one in the block axis.
  struct Row {
    /// In `items`.
    let items: Range<Int>
    let start: LayoutUnit
    /// Rows of one stack follow each other. Lines of items in the block axis are stacks side by side.
    let stack: Int
    /// `break-before` of its items and `break-after` of those before.
    var between: BreakBetween
    /// How much breaks and grown rows before have moved it down.
    var delta = LayoutUnit.zero
    /// How much it has grown itself.
    var growth = LayoutUnit.zero
  }

  /// Positioned children, at their static positions in the layout without breaks.
  struct OutOfFlow {
    let candidate: OutOfFlowCandidate
    let offset: LogicalOffset
  }

  /// By row.
  var items: [Item] = []
  /// By stack.
  var rows: [Row] = []
  /// Where the contents of each stack end.
  var ends: [LayoutUnit] = []
  var outOfFlow: [OutOfFlow] = []
  /// What the container asks for without its edges where `contain` says so.
  var containedBlock: LayoutUnit?
  var firstBaseline: LayoutUnit?
  var lastBaseline: LayoutUnit?
  /// Pieces of gaps with rules, in a container of `unbrokenSize`.
  var gaps: [GapSegment] = []
  var unbrokenSize = LayoutSize.zero
  /// `break-before` of the first rows and `break-after` of the last ones. https://drafts.csswg.org/css-break-3/#break-propagation
  var breakBefore = BreakBetween.auto
  var breakAfter = BreakBetween.auto
  /// Whether the first row behind the end of a fragmentainer is a break opportunity like others. In Chromium those of grids are not: rows that
  /// begin behind the end are left to the next fragmentainer, whatever `break-before` asks for.
  var considersRowsBehindEnd = false
  /// Where the next fragment begins in the container.
  var start = LayoutUnit.zero
  /// The rows before are done.
  var firstRow = 0

  /// Moves the rows of a stack from one on.
  mutating func move(from row: Int, by distance: LayoutUnit) {
    let stack = rows[row].stack
    for index in row..<rows.count where rows[index].stack == stack { rows[index].delta += distance }
    ends[stack] += distance
  }

  /// Makes a row larger, which moves those behind it.
  mutating func grow(_ row: Int, by size: LayoutUnit) {
    let stack = rows[row].stack
    rows[row].growth += size
    for index in (row + 1)..<max(rows.count, row + 1) where rows[index].stack == stack { rows[index].delta += size }
    ends[stack] += size
  }
}

extension FragmentedRows {
  /// Collects rows in the order of their stacks.
  ///
  /// - Parameter order: The items of each row of a stack.
  init(_ engine: LayoutEngine, stacks: [[(start: LayoutUnit, items: [Item])]], ends: [LayoutUnit]) {
    self.ends = ends
    for (number, stack) in stacks.enumerated() {
      var after = BreakBetween.auto
      for (index, row) in stack.enumerated() {
        let before = row.items.reduce(BreakBetween.auto) { $0.joined(engine.propagatedBreak($1.box, isBefore: true)) }
        let range = items.count..<items.count + row.items.count
        if index == 0 { breakBefore = breakBefore.joined(before) }
        rows.append(Row(items: range, start: row.start, stack: number, between: index == 0 ? .auto : after.joined(before)))
        items += row.items
        after = row.items.reduce(BreakBetween.auto) { $0.joined(engine.propagatedBreak($1.box, isBefore: false)) }
      }
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
