internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Ascent and descent relative to a baseline.
struct FontHeight: Hashable {
  var ascent: LayoutUnit
  var descent: LayoutUnit
  /// The neutral element of `unite`.
  static let none = FontHeight(ascent: .min, descent: .min)
  var isNone: Bool { ascent == .min }
  var height: LayoutUnit { ascent + descent }

  mutating func unite(_ other: FontHeight) {
    guard !other.isNone else { return }
    if isNone {
      self = other
    } else {
      ascent = max(ascent, other.ascent)
      descent = max(descent, other.descent)
    }
  }

  /// The extents of the same box moved down by `shift`.
  func moved(by shift: LayoutUnit) -> FontHeight { isNone ? self : FontHeight(ascent: ascent - shift, descent: descent + shift) }

  /// Adds half the leading on each side, any odd pixel below. https://drafts.csswg.org/css-inline-3/#inline-height
  func withLeading(lineHeight: LayoutUnit) -> FontHeight {
    let leading = lineHeight - height
    let above = LayoutUnit(
      (leading / 2).raw < 0 && leading.raw % 2 != 0 ? LayoutUnit(raw: (leading.raw - 1) / 2).floor : (leading / 2).floor)
    return FontHeight(ascent: ascent + above, descent: descent + leading - above)
  }

  /// The same height, centered on the baseline, for the central baseline of vertical text.
  /// https://drafts.csswg.org/css-inline-3/#baseline-synthesis
  var halved: FontHeight {
    let half = height / 2
    return FontHeight(ascent: height - half, descent: half)
  }

  /// Like `halved`, in whole pixels with the odd one above: Chromium rounds font boxes (`FontMetrics::IntAscentInternal`).
  var centered: FontHeight {
    let half = LayoutUnit((height / 2).floor)
    return FontHeight(ascent: height - half, descent: half)
  }
}
