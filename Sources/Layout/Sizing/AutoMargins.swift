internal import OffprintCSS
internal import OffprintCoreTypes

extension LogicalEdges {
  /// Distributes free space to `auto` margins in the inline axis, which are zero before.
  /// https://www.w3.org/TR/CSS22/visudet.html#blockwidth
  mutating func resolveAutoInline(_ margin: PhysicalSides<LengthPercentageAuto>, _ direction: WritingDirection, free: LayoutUnit) {
    let sides = direction.logicalSides(margin)
    guard free > .zero else { return }
    switch (sides.inlineStart.isAuto, sides.inlineEnd.isAuto) {
    case (true, true):
      inlineStart = free / 2
      inlineEnd = free - inlineStart
    case (true, false): inlineStart = free
    case (false, true): inlineEnd = free
    case (false, false): break
    }
  }
}
