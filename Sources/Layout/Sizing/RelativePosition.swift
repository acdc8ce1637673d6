internal import OffprintCSS
internal import OffprintCoreTypes

extension Sizing {
  /// The physical offset of a relatively positioned box; zero for others. Sticky boxes are moved after layout, see `StickyPositioning`.
  ///
  /// - Parameters:
  ///   - width: The content width of the containing block, the basis of percentages for `left` and `right`.
  ///   - height: Its content height if it does not depend on the contents; otherwise percentages behave as `auto`.
  ///   - direction: The direction of the containing block.
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
    // If over-constrained, the start side of the containing block takes precedence.
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
