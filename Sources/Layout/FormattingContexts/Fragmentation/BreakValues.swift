internal import OffprintCSS

// https://drafts.csswg.org/css-break-3/#break-between
extension BreakBetween {
  func isForced(_ kind: FragmentainerKind) -> Bool {
    switch self {
    case .always, .all: true
    case .column: kind == .column
    case .page, .left, .right, .recto, .verso: kind == .page
    case .auto, .avoid, .avoidColumn, .avoidPage: false
    }
  }

  func isAvoided(_ kind: FragmentainerKind) -> Bool { self == .avoid || self == (kind == .page ? .avoidPage : .avoidColumn) }

  /// Of two values that meet, forced breaks win over those to avoid, and these over `auto`; of equal ones the later.
  /// https://drafts.csswg.org/css-break-3/#forced-breaks
  func joined(_ later: BreakBetween) -> BreakBetween { later.precedence >= precedence ? later : self }

  /// The pages that content behind a forced break goes on at, by their number from 0, modulo 2: right ones, of which the first is one, or left
  /// ones; nil: any. https://drafts.csswg.org/css-break-3/#valdef-break-before-left
  var pageParity: Int? {
    switch self {
    case .right, .recto: 0
    case .left, .verso: 1
    default: nil
    }
  }

  private var precedence: Int {
    switch self {
    case .auto: 0
    case .avoidColumn: 1
    case .avoidPage: 2
    case .avoid: 3
    case .column: 4
    case .page, .always, .all: 5
    case .left, .right, .recto, .verso: 6
    }
  }
}

// https://drafts.csswg.org/css-break-3/#break-within
extension BreakInside {
  func isAvoided(_ kind: FragmentainerKind) -> Bool { self == .avoid || self == (kind == .page ? .avoidPage : .avoidColumn) }
}
