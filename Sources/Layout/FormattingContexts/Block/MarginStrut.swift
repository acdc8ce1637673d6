internal import OffprintCSS
internal import OffprintCoreTypes

/// A set of adjoining margins that collapse. More margins may be added.
///
/// https://www.w3.org/TR/CSS22/box.html#collapsing-margins
struct MarginStrut: Hashable, Sendable {
  private var positive = LayoutUnit.zero
  private var negative = LayoutUnit.zero
  private var quirkyPositive = LayoutUnit.zero
  /// Whether the strut is at the start of a box that ignores quirky margins.
  var ignoresQuirky = false

  /// Whether margins are truncated at this edge: by `margin-trim`, or after an unforced break.
  /// https://drafts.csswg.org/css-break-3/#break-margins
  var isTrimmed = false

  /// - Parameter isQuirky: Whether the margin is specified by the user agent style sheet.
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
  /// The sum at the end of a box that ignores quirky margins.
  var sumWithoutQuirky: LayoutUnit { positive + negative }
}
