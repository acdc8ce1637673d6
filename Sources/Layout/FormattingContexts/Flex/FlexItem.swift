import OffprintCSS
import OffprintCoreTypes

/// Four values by flex-relative side: from main-start to main-end, from cross-start to cross-end.
/// https://drafts.csswg.org/css-flexbox-1/#box-model
struct FlexSides<Value> {
  var mainStart: Value
  var mainEnd: Value
  var crossStart: Value
  var crossEnd: Value
}

extension FlexSides where Value == LayoutUnit {
  var mainSum: LayoutUnit { mainStart + mainEnd }
  var crossSum: LayoutUnit { crossStart + crossEnd }
}

/// Where an item goes in its line's cross axis, flex-relative.
enum FlexCrossAlignment: UInt8, Sendable {
  case start, center, end, stretch, baseline, lastBaseline
}

/// A flex item on its way through the algorithm. Sizes are border-box sizes.
struct FlexItem {
  let box: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  /// The item's inline axis is parallel to the container's.
  let isParallel: Bool
  /// The main axis is the item's inline axis.
  let isMainInline: Bool
  /// Border and padding in the item's own axes.
  let edges: LogicalEdges
  /// `auto` is 0 until free space is distributed.
  var margin: FlexSides<LayoutUnit>
  let isAutoMargin: FlexSides<Bool>
  let alignment: FlexCrossAlignment
  let isSafe: Bool
  /// nil: the item is not aligned by its baseline.
  let baseline: BaselineSharing?
  let grow: Double
  let shrink: Double

  /// The cross size a definite size or stretching gives before layout.
  var definiteCross: LayoutUnit?
  var crossLimits = (min: LayoutUnit.zero, max: LayoutUnit.max)
  var base = LayoutUnit.zero
  /// The used flex basis does not depend on the contents.
  var hasDefiniteBasis = false
  var mainLimits = (min: LayoutUnit.zero, max: LayoutUnit.max)
  var hypothetical = LayoutUnit.zero
  /// The target main size, and later the used one.
  var main = LayoutUnit.zero
  var isFrozen = false
  var cross = LayoutUnit.zero
  var result: LayoutResult?
  /// From the container's content edges, flex-relative, to the border box.
  var mainOffset = LayoutUnit.zero
  var crossOffset = LayoutUnit.zero

  var mainEdges: LayoutUnit { isMainInline ? edges.inlineSum : edges.blockSum }
  var crossEdges: LayoutUnit { isMainInline ? edges.blockSum : edges.inlineSum }
  var outerHypothetical: LayoutUnit { hypothetical + margin.mainSum }
  var outerMain: LayoutUnit { main + margin.mainSum }
  var outerCross: LayoutUnit { cross + margin.crossSum }
  var hasAutoCrossMargin: Bool { isAutoMargin.crossStart || isAutoMargin.crossEnd }

  func clampMain(_ size: LayoutUnit) -> LayoutUnit { max(mainLimits.min, min(size, mainLimits.max)) }
  func clampCross(_ size: LayoutUnit) -> LayoutUnit { max(crossLimits.min, min(size, crossLimits.max)) }
}

/// A flex line: a range of the container's items.
struct FlexLine {
  var items: Range<Int>
  var cross = LayoutUnit.zero
  var crossOffset = LayoutUnit.zero
  /// The largest distance from the cross-start margin edge to the baseline among items aligned at that side.
  var maxAscent: LayoutUnit?
  /// The largest distance from the baseline to the cross-end margin edge among items aligned at that side.
  var maxDescent: LayoutUnit?
}
