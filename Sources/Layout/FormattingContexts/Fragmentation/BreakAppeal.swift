internal import CoreTypes

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
  var appeal: BreakAppeal
  /// Without `break-inside: avoid` of the boxes around it.
  var ownAppeal: BreakAppeal

  func isBetter(than appeal: BreakAppeal, own: BreakAppeal) -> Bool {
    self.appeal != appeal ? self.appeal > appeal : ownAppeal > own
  }
}

/// Thrown to lay the flow out again, with a break where a better opportunity was passed.
struct EarlierBreakNeeded: Error {}

/// Where an early break was found to be the best.
struct EarlyBreak: Hashable {
  var link: Int
  var fragmentainer: Int
}
