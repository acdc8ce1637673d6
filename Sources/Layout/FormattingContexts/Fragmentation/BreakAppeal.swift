internal import OffprintCoreTypes

/// How good a place is to break at. https://drafts.csswg.org/css-break-3/#unforced-breaks
enum BreakAppeal: UInt8, Comparable {
  /// No break opportunity at all: only to keep content from overflowing.
  case lastResort
  /// Against `break-before`, `break-after` or `break-inside: avoid`.
  case violatingAvoid
  /// Against `orphans` or `widows`.
  case violatingOrphansAndWidows
  case perfect

  static func < (a: BreakAppeal, b: BreakAppeal) -> Bool { a.rawValue < b.rawValue }
}

/// A break opportunity that was passed in the fragmentainer being filled.
struct Breakpoint {
  /// Of the child before which it is.
  var link: Int
  var fragmentainer: Int
  /// Without `break-inside: avoid` of the boxes around it.
  var appeal: BreakAppeal
  /// How many nodes were placed before it.
  var stamp: Int
}

/// A box whose contents are being placed.
struct BreakLevel {
  /// The best break opportunity in it so far, the last of equal ones.
  var best: Breakpoint?
  /// It is not to be broken.
  var avoids = false
  /// Where it begins.
  var fragmentainer = 0
  /// The opportunity before it; nil where it begins its fragmentainer.
  var before: Breakpoint?

  mutating func note(_ point: Breakpoint) {
    if let best, best.fragmentainer == point.fragmentainer, best.appeal > point.appeal { return }
    best = point
  }
}

/// Thrown to lay the flow out again, with a break where a better opportunity was passed.
struct EarlierBreakNeeded: Error {
  /// How many nodes stay in their places.
  var stamp: Int
}

/// Where an early break was found to be the best.
struct ChosenBreak: Hashable {
  var link: Int
  var fragmentainer: Int
}
