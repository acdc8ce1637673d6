import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// https://w3c.github.io/mathml-core/#layout-of-mfrac
enum MathFraction {
  static func layout(_ frame: inout MathFrame) throws -> LayoutResult {
    let children = frame.children
    guard children.count == 2 else { return try MathRow.layout(&frame) }
    let numerator = try frame.child(children[0]), denominator = try frame.child(children[1])
    let thickness = lineThickness(frame)
    let shift = thickness > .zero ? barShifts(frame, numerator, denominator, thickness) : stackShifts(frame, numerator, denominator)
    let ascent = max(shift.up + numerator.ascent, denominator.ascent - shift.down).clampedToZero + frame.edges.blockStart
    let descent = max(numerator.descent - shift.up, shift.down + denominator.descent).clampedToZero + frame.edges.blockEnd
    frame.place(numerator, inline: frame.centered(numerator), baseline: ascent - shift.up)
    frame.place(denominator, inline: frame.centered(denominator), baseline: ascent + shift.down)
    frame.addBar(
      inline: frame.edges.inlineStart, middle: ascent - frame.axisHeight, length: frame.contentInline, thickness: thickness)
    return try frame.finish(ascent: ascent, descent: descent)
  }

  /// https://w3c.github.io/mathml-core/#dfn-linethickness
  private static func lineThickness(_ frame: MathFrame) -> LayoutUnit {
    let standard = frame.constant(.fractionRuleThickness, else: frame.defaultRule)
    return (MathAttributes.length("linethickness", frame.box, frame.engine, basis: standard) ?? standard).clampedToZero
  }

  /// https://w3c.github.io/mathml-core/#fraction-with-nonzero-line-thickness
  private static func barShifts(
    _ frame: MathFrame, _ numerator: MathChild, _ denominator: MathChild, _ thickness: LayoutUnit
  ) -> (up: LayoutUnit, down: LayoutUnit) {
    let isDisplay = frame.isDisplayStyle
    let gap = (isDisplay ? 3 : 1) * frame.defaultRule
    let over = frame.constant(isDisplay ? .fractionNumDisplayStyleGapMin : .fractionNumeratorGapMin, else: gap)
    let under = frame.constant(isDisplay ? .fractionDenomDisplayStyleGapMin : .fractionDenominatorGapMin, else: over.double)
    let up = frame.constant(isDisplay ? .fractionNumeratorDisplayStyleShiftUp : .fractionNumeratorShiftUp)
    let down = frame.constant(isDisplay ? .fractionDenominatorDisplayStyleShiftDown : .fractionDenominatorShiftDown)
    let axis = frame.axisHeight
    return (max(up, axis + thickness / 2 + over + numerator.descent), max(down, thickness / 2 + under + denominator.ascent - axis))
  }

  /// https://w3c.github.io/mathml-core/#fraction-with-zero-line-thickness
  private static func stackShifts(
    _ frame: MathFrame, _ numerator: MathChild, _ denominator: MathChild
  ) -> (up: LayoutUnit, down: LayoutUnit) {
    let isDisplay = frame.isDisplayStyle
    let minimum = frame.constant(isDisplay ? .stackDisplayStyleGapMin : .stackGapMin, else: (isDisplay ? 7 : 3) * frame.defaultRule)
    let up = frame.constant(isDisplay ? .stackTopDisplayStyleShiftUp : .stackTopShiftUp)
    let down = frame.constant(isDisplay ? .stackBottomDisplayStyleShiftDown : .stackBottomShiftDown)
    let missing = minimum - (down - denominator.ascent + up - numerator.descent)
    guard missing > .zero else { return (up, down) }
    return (up + missing / 2, down + (missing - missing / 2))
  }
}
