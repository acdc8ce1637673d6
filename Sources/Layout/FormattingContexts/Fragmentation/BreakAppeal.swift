internal import OffprintCoreTypes

/// The quality of a break opportunity, in ascending order. https://drafts.csswg.org/css-break-3/#unforced-breaks
enum BreakAppeal: UInt8, Comparable {
  /// Not a break opportunity, but content would overflow otherwise.
  case lastResort
  /// Violates `break-before`, `break-after` or `break-inside: avoid`.
  case violatingAvoid
  /// Violates `orphans` or `widows`.
  case violatingOrphansAndWidows
  case perfect

  static func < (a: BreakAppeal, b: BreakAppeal) -> Bool { a.rawValue < b.rawValue }
}
