import OffprintCSS
import OffprintCoreTypes

/// Four values by flex-relative side.
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

/// The alignment of an item in its line, flex-relative.
enum FlexCrossAlignment: UInt8, Sendable {
  case start, center, end, stretch, baseline, lastBaseline
}

/// The state of a flex item. All sizes are border-box sizes.
struct FlexItem {
  let box: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  /// Whether the item's inline axis is parallel to the container's.
  let isParallel: Bool
  /// Whether the main axis is the item's inline axis.
  let isMainInline: Bool
  /// Border and padding in the item's own axes.
  let edges: LogicalEdges
  /// `auto` margins are 0 until free space is distributed.
  var margin: FlexSides<LayoutUnit>
  let isAutoMargin: FlexSides<Bool>
  let alignment: FlexCrossAlignment
  let isSafe: Bool
  /// nil if the item does not participate in baseline alignment.
  let baseline: BaselineSharing?
  let grow: Double
  let shrink: Double

  /// The cross size before layout, if it is definite or stretched.
  var definiteCross: LayoutUnit?
  var crossLimits = (min: LayoutUnit.zero, max: LayoutUnit.max)
  var base = LayoutUnit.zero
  /// Whether the used flex basis is independent of the contents.
  var hasDefiniteBasis = false
  var mainLimits = (min: LayoutUnit.zero, max: LayoutUnit.max)
  var hypothetical = LayoutUnit.zero
  /// The target main size; finally the used one.
  var main = LayoutUnit.zero
  var isFrozen = false
  var cross = LayoutUnit.zero
  var result: LayoutResult?
  /// Flex-relative offsets of the border box from the container's content edges.
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
  /// The largest distance from the cross-start margin edge to the baseline, among items aligned at that side.
  var maxAscent: LayoutUnit?
  /// The largest distance from the baseline to the cross-end margin edge, among items aligned at that side.
  var maxDescent: LayoutUnit?
}
