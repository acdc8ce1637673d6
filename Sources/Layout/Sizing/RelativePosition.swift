internal import OffprintCSS
internal import OffprintCoreTypes

extension Sizing {
  /// How far relative positioning moves a box, physically; zero for others. Sticky boxes are moved last of all, see `StickyPositioning`.
  ///
  /// - Parameters:
  ///   - width: The containing block's content width, what percentages of `left` and `right` refer to.
  ///   - height: Its content height where it does not depend on the contents; else percentages behave as `auto`.
  ///   - direction: The containing block's.
  ///
  /// https://drafts.csswg.org/css-position-3/#relpos-insets
  static func relativeOffset(
    _ engine: LayoutEngine, _ child: BoxID, width: LayoutUnit?, height: LayoutUnit?, direction: WritingDirection
  ) -> LayoutPoint {
    let style = engine.style(child)
    guard style.box.position == .relative else { return .zero }
    let inset = style.box.inset
    func used(_ value: LengthPercentageAuto, _ basis: LayoutUnit?) -> LayoutUnit? {
      if case .value(let length) = value { length.resolveIfDefinite(basis) } else { nil }
    }
    let sides = PhysicalSides(
      top: used(inset.top, height), right: used(inset.right, width), bottom: used(inset.bottom, height), left: used(inset.left, width))
    // Over-constrained: the start side of the containing block wins.
    let isRightFirst = direction.isHorizontal ? direction.isFlippedInline : direction.isFlippedBlocks
    let isBottomFirst = direction.isHorizontal ? false : direction.isFlippedInline
    func shift(_ start: LayoutUnit?, _ end: LayoutUnit?, endWins: Bool) -> LayoutUnit {
      if endWins, let end { return -end }
      return start ?? end.map { -$0 } ?? .zero
    }
    return LayoutPoint(
      x: shift(sides.left, sides.right, endWins: isRightFirst), y: shift(sides.top, sides.bottom, endWins: isBottomFirst))
  }
}
