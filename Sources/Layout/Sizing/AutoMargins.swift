internal import OffprintCSS
internal import OffprintCoreTypes

extension LogicalEdges {
  /// Distributes free space to the `auto` margins in the inline axis. These edges must be zero before.
  /// https://www.w3.org/TR/CSS22/visudet.html#blockwidth
  mutating func resolveAutoInlineMargins(
    _ margin: PhysicalSides<LengthPercentageAuto>, _ direction: WritingDirection, freeSpace: LayoutUnit
  ) {
    let sides = direction.logicalSides(margin)
    guard freeSpace > .zero else { return }
    switch (sides.inlineStart.isAuto, sides.inlineEnd.isAuto) {
    case (true, true):
      inlineStart = freeSpace / 2
      inlineEnd = freeSpace - inlineStart
    case (true, false): inlineStart = freeSpace
    case (false, true): inlineEnd = freeSpace
    case (false, false): break
    }
  }
}
