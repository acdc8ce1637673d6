internal import OffprintCSS
internal import OffprintCoreTypes

/// Where the layout of a box goes on in the next fragmentainer.
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

  /// What the break before the box, or in it, is due to: margins that adjoin an unforced break are truncated.
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
  /// Each child that is not among `children` is done.
  var hasSeenAllChildren = false
  /// The number of the last fragment, from 0.
  var sequence = 0
  /// The sum of the block sizes of the fragments so far. A fragment that ends the box but has a parallel flow counts as the whole rest of its
  /// fragmentainer.
  var consumed = LayoutUnit.zero
  var children: [BreakToken] = []
  /// The line to go on with.
  var line: InlineState?
  /// The items of a flex or grid container.
  var rows: RowProgress?
  /// The table whose fragments the box has.
  var table: FragmentedTable?
  /// Of a forced break before the box.
  var breakBefore = BreakBetween.auto

  init(_ box: BoxID, _ position: Position, _ cause: Cause) { self.box = box; self.position = position; self.cause = cause }

  /// The box was broken inside.
  var isInside: Bool { position != .before }
  var isAtBlockEnd: Bool { position == .pastEnd }
  var isForced: Bool { cause == .forced }
}

/// A break opportunity that was passed, and may turn out to be better than what comes after it. https://drafts.csswg.org/css-break-3/#unforced-breaks
final class EarlyBreak {
  enum Place {
    case before(BoxID)
    case inside(BoxID, EarlyBreak)
    /// In the box itself, before one of the lines of its fragment.
    case line(Int)
  }
  let place: Place
  let appeal: BreakAppeal

  init(_ place: Place, _ appeal: BreakAppeal) { self.place = place; self.appeal = appeal }

  func isBefore(_ box: BoxID) -> Bool { if case .before(box) = place { true } else { false } }

  func inside(_ box: BoxID) -> EarlyBreak? { if case .inside(box, let inner) = place { inner } else { nil } }
}

/// What fragmentation adds to `LayoutResult`.
final class BreakResult {
  /// The number of the fragment among those of the box, from 0.
  var sequence = 0
  var token: BreakToken?
  /// Of the worst break in the fragment.
  var appeal = BreakAppeal.perfect
  /// The best opportunity that was passed in it.
  var earlyBreak: EarlyBreak?
  /// How much more room would have kept the first thing that was pushed on.
  var shortage: LayoutUnit?
  /// The largest block size that cannot be broken, when columns are measured.
  var tallestUnbreakable = LayoutUnit.zero
  /// The block-end edge of the fragment's overflow, from its block-start edge.
  var blockSize = LayoutUnit.zero
  /// `break-before` of the first boxes in it, `break-after` of the last. https://drafts.csswg.org/css-break-3/#break-propagation
  var breakBefore = BreakBetween.auto
  var breakAfter = BreakBetween.auto
  /// The element that spans the columns, and ends them.
  var spanner = BoxID.none
  var findings: Findings = []

  struct Findings: OptionSet {
    var rawValue: UInt8
    /// Nothing was before the spanning element in its parent since the break before.
    static let isEmptySpannerParent = Findings(rawValue: 1)
    /// Content overflows the fragmentainer since every break before it was worse.
    static let isClamped = Findings(rawValue: 2)
    /// A break in it counts in its parent even behind the end of the box.
    static let staysInFlow = Findings(rawValue: 4)
  }

  func note(shortage value: LayoutUnit?) {
    guard let value, value > .zero else { return }
    shortage = min(shortage ?? value, value)
  }

  /// A break in the flow of the box itself, not in one beside it.
  var continuesInParentFlow: Bool { token.map { $0.isInside && !$0.isAtBlockEnd } ?? false }
}
