import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// https://w3c.github.io/mathml-core/#radicals-msqrt-mroot
enum MathRadical {
  private static let character: UInt32 = 0x221A

  private struct Vertical {
    var rule: LayoutUnit
    var gap: LayoutUnit
    var extraAscender: LayoutUnit
    var raise: Double

    init(_ frame: MathFrame) {
      let isDisplay = frame.isDisplayStyle, standard = frame.defaultRule
      rule = frame.constant(.radicalRuleThickness, else: standard)
      gap = frame.constant(
        isDisplay ? .radicalDisplayStyleVerticalGap : .radicalVerticalGap,
        else: isDisplay ? standard + frame.xHeight / 4 : 5 * standard / 4)
      extraAscender = frame.constant(.radicalExtraAscender, else: rule.double)
      raise = frame.engine.fonts.mathConstant(.radicalDegreeBottomRaisePercent, frame.font.handle) ?? 0.6
    }
  }

  static func layout(_ frame: inout MathFrame, hasIndex: Bool) throws -> LayoutResult {
    let children = frame.children
    let base = try children.first.map { try frame.child($0) }
    let index = hasIndex && children.count > 1 ? try frame.child(children[1]) : nil
    let vertical = Vertical(frame), edges = frame.edges
    let baseAscent = base?.ascent ?? .zero, baseDescent = base?.descent ?? .zero
    let target = baseAscent + baseDescent + vertical.gap + vertical.rule
    let surd = frame.engine.fonts.stretch(character, .vertical, to: target.double, frame.font.handle)
    let surdBlock = LayoutUnit((surd?.ascent ?? 0) + (surd?.descent ?? 0)), surdInline = LayoutUnit(surd?.advance ?? 0)
    // https://w3c.github.io/mathml-core/#square-root
    var ascent = baseAscent + vertical.gap + vertical.rule + vertical.extraAscender
    var descent = max(baseDescent, surdBlock + vertical.extraAscender - ascent)
    var start = edges.inlineStart
    if let index {
      // https://w3c.github.io/mathml-core/#root-with-index
      let raise = LayoutUnit(surdBlock.double * vertical.raise), depth = descent
      ascent = max(ascent, raise - depth + index.ascent + index.descent)
      descent = max(depth, depth - raise + index.ascent + index.descent)
      let kern = kerns(frame, index.inlineSize)
      frame.place(
        index, inline: edges.inlineStart + kern.before,
        baseline: edges.blockStart + ascent + descent - raise - index.descent)
      start += kern.before + index.inlineSize + kern.after
    }
    let baseline = edges.blockStart + ascent
    if let base { frame.place(base, inline: start + surdInline, baseline: baseline) }
    let top = baseline - vertical.gap - baseAscent
    if let surd {
      MathGlyphs.add(
        surd, character, of: frame.box, to: &frame, inline: start, baseline: top + LayoutUnit(surd.ascent))
    }
    frame.addBar(inline: start + surdInline, middle: top, length: base?.inlineSize ?? .zero, thickness: vertical.rule)
    return try frame.finish(ascent: baseline, descent: descent + edges.blockEnd)
  }

  private static func kerns(_ frame: MathFrame, _ index: LayoutUnit) -> (before: LayoutUnit, after: LayoutUnit) {
    let before = frame.constant(.radicalKernBeforeDegree, else: 5 * frame.fontSize / 18)
    let after = frame.constant(.radicalKernAfterDegree, else: -10 * frame.fontSize / 18)
    return (before.clampedToZero, max(after, -index))
  }

  static func sizes(_ measure: MathMeasure, hasIndex: Bool) throws -> MinMaxSizes {
    let children = measure.children
    let font = measure.engine.inlineFont(measure.style).handle
    let surd = LayoutUnit(measure.engine.fonts.preferredStretchedInline(character, font))
    var sizes = MinMaxSizes(min: surd, max: surd)
    if let base = children.first { sizes = sizes + (try measure.contribution(base)) }
    guard hasIndex, children.count > 1 else { return sizes }
    let frame = try MathFrame(measure.engine, measure.box, fixedInput(measure))
    let index = try measure.contribution(children[1])
    let kern = kerns(frame, index.max)
    return sizes + index + (kern.before + kern.after)
  }

  /// An input with an arbitrary width, for a frame that only provides constants.
  private static func fixedInput(_ measure: MathMeasure) -> LayoutInput {
    var input = measure.input
    input.fixedInline = .zero
    return input
  }
}
