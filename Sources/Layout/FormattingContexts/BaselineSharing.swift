import OffprintCSS
import OffprintCoreTypes

/// How a box takes part in baseline alignment in one axis of its container.
///
/// https://drafts.csswg.org/css-align-3/#generate-baselines, https://drafts.csswg.org/css-align-3/#baseline-sharing-group
struct BaselineSharing: Hashable {
  /// The writing mode whose block axis is the axis of alignment, in which the box's baseline is measured.
  let mode: WritingMode
  /// `last baseline`: measured from the box's block-end edge in `mode`.
  let isLast: Bool
  /// The box is in the group that is aligned at the start side of the container's axis; the other group is at the end side.
  let isStartSide: Bool

  /// - Parameter isBlockAxis: boxes are aligned along the container's block axis, as in a row; else along its inline axis.
  init(_ item: WritingMode, in container: WritingDirection, isBlockAxis: Bool, isLast: Bool) {
    let isParallel = (item == .horizontalTb) == container.isHorizontal
    self.isLast = isLast
    if isBlockAxis {
      mode = isParallel ? item : container.mode
      isStartSide = (mode == container.mode) != isLast
    } else {
      // A box whose block axis is the other one has no baseline here: one is synthesized in a mode across its own.
      let across: WritingMode = item == .horizontalTb ? (container.isRTL ? .verticalRl : .verticalLr) : .horizontalTb
      mode = isParallel ? across : item
      let beginsAtRight = mode == .verticalRl || mode == .sidewaysRl
      isStartSide = (beginsAtRight == container.isRTL) != isLast
    }
  }

  /// The box has a baseline in this axis; nil: it is to be synthesized.
  func own(_ result: LayoutResult, _ item: ComputedStyle) -> LayoutUnit? {
    guard item.text.writingMode == mode else { return nil }
    return isLast ? result.lastBaseline : result.firstBaseline
  }

  /// From the border edge on the side that the box's group is aligned at to its baseline.
  func distance(_ result: LayoutResult, _ item: ComputedStyle, container: ComputedStyle) -> LayoutUnit {
    let block = WritingDirection(mode: mode).logical(result.size).block
    let baseline = own(result, item) ?? Self.synthesized(block, mode, container: container)
    return isLast ? block - baseline : baseline
  }

  /// From the block-start edge of a border box: its line-under edge, or its middle where the container's baseline is the central one.
  ///
  /// https://drafts.csswg.org/css-inline-3/#baseline-synthesis
  static func synthesized(_ block: LayoutUnit, _ mode: WritingMode, container: ComputedStyle) -> LayoutUnit {
    if LineMetrics.isCentral(container) { return block / 2 }
    return mode == .verticalLr ? .zero : block
  }

  /// A box's baseline for its container's, from the border-box block-start edge.
  static func exported(_ result: LayoutResult, _ item: ComputedStyle, container: ComputedStyle, isLast: Bool) -> LayoutUnit {
    let mode = container.text.writingMode
    if item.text.writingMode == mode, let own = isLast ? result.lastBaseline : result.firstBaseline { return own }
    return synthesized(WritingDirection(mode: mode).logical(result.size).block, mode, container: container)
  }
}
