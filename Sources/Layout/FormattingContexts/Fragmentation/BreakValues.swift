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

  /// Combines two values at the same boundary: forced breaks override avoided ones, and these override `auto`. The later of equal values wins.
  /// https://drafts.csswg.org/css-break-3/#forced-breaks
  func joined(_ later: BreakBetween) -> BreakBetween { later.precedence >= precedence ? later : self }

  /// The index of the page after a forced break, modulo 2: 0 for right pages (the first page is one), 1 for left
  /// pages; nil for any page. https://drafts.csswg.org/css-break-3/#valdef-break-before-left
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
