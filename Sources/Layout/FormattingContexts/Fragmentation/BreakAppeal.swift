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
