internal import OffprintCSS
internal import OffprintCoreTypes

/// The position at which the layout of a box resumes in the next fragmentainer.
final class BreakToken {
  /// Where layout resumes, relative to the box.
  enum Position: UInt8 {
    /// The box has no fragment yet.
    case before
    case inside
    /// The box has ended, but some of its contents have not: they are in a flow parallel to that of its siblings.
    /// https://drafts.csswg.org/css-break-3/#parallel-flows
    case pastEnd
  }

  /// The cause of the break before the box, or in it. Margins that adjoin an unforced break are truncated.
  enum Cause: UInt8 {
    case unforced
    /// https://drafts.csswg.org/css-break-3/#forced-breaks
    case forced
    /// https://drafts.csswg.org/css-multicol-1/#spanning-columns
    case spanner
  }

  let box: BoxID
  let position: Position
  let cause: Cause
  /// Whether every child that is not among `children` is finished.
  var hasSeenAllChildren = false
  /// The number of the last fragment, from 0.
  var sequence = 0
  /// The sum of the block sizes of the fragments so far. A fragment that ends the box but has a parallel flow consumes the remainder of its
  /// fragmentainer.
  var consumed = LayoutUnit.zero
  var children: [BreakToken] = []
  /// The inline content from which the next line starts.
  var line: InlineState?
  /// The remaining items of a flex or grid container.
  var rows: RowProgress?
  /// The unfragmented layout of a table.
  var table: FragmentedTable?
  /// The value that forces the break before the box.
  var breakBefore = BreakBetween.auto

  init(_ box: BoxID, _ position: Position, _ cause: Cause) { self.box = box; self.position = position; self.cause = cause }

  /// Whether the box has a fragment already.
  var isInside: Bool { position != .before }
  var isAtBlockEnd: Bool { position == .pastEnd }
  var isForced: Bool { cause == .forced }
}

/// An earlier break opportunity, which may turn out to be better than the later ones. https://drafts.csswg.org/css-break-3/#unforced-breaks
final class EarlyBreak {
  enum Location {
    case before(BoxID)
    case inside(BoxID, EarlyBreak)
    /// In the box itself, before one of the lines of its fragment.
    case line(Int)
  }
  let location: Location
  let appeal: BreakAppeal

  init(_ location: Location, _ appeal: BreakAppeal) { self.location = location; self.appeal = appeal }

  func isBefore(_ box: BoxID) -> Bool { if case .before(box) = location { true } else { false } }

  func inside(_ box: BoxID) -> EarlyBreak? { if case .inside(box, let inner) = location { inner } else { nil } }
}

/// The part of `LayoutResult` that concerns fragmentation.
final class BreakResult {
  /// The index of the fragment among the fragments of the box.
  var sequence = 0
  var token: BreakToken?
  /// The appeal of the worst break in the fragment.
  var appeal = BreakAppeal.perfect
  /// The best earlier opportunity in it.
  var earlyBreak: EarlyBreak?
  /// The minimum additional block size with which less content would move to the next fragmentainer.
  var shortage: LayoutUnit?
  /// The largest unbreakable block size, while columns are measured.
  var tallestUnbreakable = LayoutUnit.zero
  /// The block-end edge of the fragment's overflow, from its block-start edge.
  var blockSize = LayoutUnit.zero
  /// `break-before` of the first boxes in it, `break-after` of the last. https://drafts.csswg.org/css-break-3/#break-propagation
  var breakBefore = BreakBetween.auto
  var breakAfter = BreakBetween.auto
  /// The spanner that ends the row of columns.
  var spanner = BoxID.none
  var findings: Findings = []

  struct Findings: OptionSet {
    var rawValue: UInt8
    /// The spanner is the first content of its parent after the previous break.
    static let isEmptySpannerParent = Findings(rawValue: 1)
    /// Content overflows the fragmentainer because every break before it was worse.
    static let isClamped = Findings(rawValue: 2)
    /// A break in it is an in-flow break of its parent, even after the end of the box.
    static let staysInFlow = Findings(rawValue: 4)
  }

  func note(shortage value: LayoutUnit?) {
    guard let value, value > .zero else { return }
    shortage = min(shortage ?? value, value)
  }

  /// Whether it is broken in its parent's flow, not only in a parallel flow.
  var continuesInParentFlow: Bool { token.map { $0.isInside && !$0.isAtBlockEnd } ?? false }
}
