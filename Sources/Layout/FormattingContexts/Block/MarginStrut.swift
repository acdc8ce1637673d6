internal import OffprintCSS
internal import OffprintCoreTypes

/// A set of adjoining margins, collapsed: what may still grow as more of them meet.
///
/// https://www.w3.org/TR/CSS22/box.html#collapsing-margins
struct MarginStrut: Hashable, Sendable {
  private var positive = LayoutUnit.zero
  private var negative = LayoutUnit.zero
  private var quirkyPositive = LayoutUnit.zero
  /// The strut is at the start of a box that swallows quirky margins.
  var ignoresQuirky = false

  /// The strut is at an edge where no margins are left: by `margin-trim`, or behind a break that is not forced.
  /// https://drafts.csswg.org/css-break-3/#break-margins
  var isTrimmed = false

  /// `isQuirky` margins come from the user-agent sheet.
  mutating func append(_ margin: LayoutUnit, isQuirky: Bool = false) {
    if isTrimmed || isQuirky && ignoresQuirky { return }
    if margin < .zero {
      negative = min(negative, margin)
    } else if isQuirky {
      quirkyPositive = max(quirkyPositive, margin)
    } else {
      positive = max(positive, margin)
    }
  }

  var sum: LayoutUnit { max(positive, quirkyPositive) + negative }
  /// The sum at the end of a box that swallows quirky margins.
  var sumWithoutQuirky: LayoutUnit { positive + negative }
}
