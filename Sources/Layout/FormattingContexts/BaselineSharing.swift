import OffprintCSS
import OffprintCoreTypes

/// The participation of a box in baseline alignment along one axis of its container.
///
/// https://drafts.csswg.org/css-align-3/#generate-baselines, https://drafts.csswg.org/css-align-3/#baseline-sharing-group
struct BaselineSharing: Hashable {
  /// The writing mode whose block axis is the axis of alignment, in which the box's baseline is measured.
  let mode: WritingMode
  /// `last baseline`: measured from the block-end edge in `mode`.
  let isLast: Bool
  /// Whether the box's baseline-sharing group is aligned at the start side of the container's axis. The other group is aligned at the end
  /// side.
  let isStartSide: Bool

  /// - Parameter isBlockAxis: Whether boxes are aligned along the container's block axis, as in a row, or along its inline axis.
  init(_ item: WritingMode, in container: WritingDirection, isBlockAxis: Bool, isLast: Bool) {
    let isParallel = (item == .horizontalTb) == container.isHorizontal
    self.isLast = isLast
    if isBlockAxis {
      mode = isParallel ? item : container.mode
      isStartSide = (mode == container.mode) != isLast
    } else {
      // The inline axis of a parallel box has no baseline: one is synthesized in an orthogonal mode.
      let across: WritingMode = item == .horizontalTb ? (container.isRTL ? .verticalRl : .verticalLr) : .horizontalTb
      mode = isParallel ? across : item
      let beginsAtRight = mode == .verticalRl || mode == .sidewaysRl
      isStartSide = (beginsAtRight == container.isRTL) != isLast
    }
  }

  /// The box's own baseline in this axis; nil if it must be synthesized.
  func own(_ result: LayoutResult, _ item: ComputedStyle) -> LayoutUnit? {
    guard item.text.writingMode == mode else { return nil }
    return isLast ? result.lastBaseline : result.firstBaseline
  }

  /// The distance from the border edge, on the side of the baseline-sharing group, to the baseline.
  func distance(_ result: LayoutResult, _ item: ComputedStyle, container: ComputedStyle) -> LayoutUnit {
    let block = WritingDirection(mode: mode).logical(result.size).block
    let baseline = own(result, item) ?? Self.synthesized(block, mode, container: container)
    return isLast ? block - baseline : baseline
  }

  /// A baseline relative to the block-start border edge: the line-under edge, or the center if the container's dominant baseline is
  /// central.
  ///
  /// https://drafts.csswg.org/css-inline-3/#baseline-synthesis
  static func synthesized(_ block: LayoutUnit, _ mode: WritingMode, container: ComputedStyle) -> LayoutUnit {
    if LineMetrics.isCentral(container) { return block / 2 }
    return mode == .verticalLr ? .zero : block
  }

  /// The baseline of a box that its container exports, relative to the block-start border edge.
  static func exported(_ result: LayoutResult, _ item: ComputedStyle, container: ComputedStyle, isLast: Bool) -> LayoutUnit {
    let mode = container.text.writingMode
    if item.text.writingMode == mode, let own = isLast ? result.lastBaseline : result.firstBaseline { return own }
    return synthesized(WritingDirection(mode: mode).logical(result.size).block, mode, container: container)
  }
}
