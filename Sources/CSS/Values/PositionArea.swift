/// `position-area`: which of the columns and rows around the anchor. https://drafts.csswg.org/css-anchor-position-1/#position-area
public struct PositionArea: Hashable, Sendable {
  /// From the track before the anchor (0) to the one behind it (2).
  public struct Span: Hashable, Sendable {
    public var first: UInt8
    public var last: UInt8
    public static let all = Span(first: 0, last: 2)
    public static let before = Span(first: 0, last: 0)
    public static let center = Span(first: 1, last: 1)
    public static let after = Span(first: 2, last: 2)
    static let spanBefore = Span(first: 0, last: 1)
    static let spanAfter = Span(first: 1, last: 2)

    /// Seen from the other side.
    public var flipped: Span { Span(first: 2 - last, last: 2 - first) }
  }
  /// The axis that a keyword is about; `any`: what the other one leaves.
  enum Axis: UInt8, Hashable, Sendable { case x, y, block, inline, any }
  /// Whose directions it follows.
  enum Frame: UInt8, Hashable, Sendable { case physical, container, own }
  struct Part: Hashable, Sendable {
    var axis: Axis
    var frame: Frame
    var span: Span
  }
  var first: Part
  /// Nil: the keyword `first` alone.
  var second: Part?

  /// The directions of a box that parts can follow.
  public struct Directions {
    public var isHorizontal: Bool
    /// The start is at the right, at the bottom.
    public var isFlippedX: Bool
    public var isFlippedY: Bool
    public init(isHorizontal: Bool, isFlippedX: Bool, isFlippedY: Bool) {
      (self.isHorizontal, self.isFlippedX, self.isFlippedY) = (isHorizontal, isFlippedX, isFlippedY)
    }
  }

  public init(columns: Span, rows: Span) {
    first = Part(axis: .x, frame: .physical, span: columns)
    second = Part(axis: .y, frame: .physical, span: rows)
  }

  init(first: Part, second: Part?) { (self.first, self.second) = (first, second) }

  /// By physical axis. A keyword alone leaves the other axis whole, or is for both where it says no axis.
  public func tracks(container: Directions, own: Directions) -> (columns: Span, rows: Span) {
    func directions(_ part: Part) -> Directions { part.frame == .own ? own : container }
    func isHorizontal(_ part: Part) -> Bool? {
      switch part.axis {
      case .x: true
      case .y: false
      case .inline: directions(part).isHorizontal
      case .block: !directions(part).isHorizontal
      case .any: nil
      }
    }
    func span(_ part: Part, _ isColumn: Bool) -> Span {
      guard part.frame != .physical else { return part.span }
      let directions = directions(part)
      return (isColumn ? directions.isFlippedX : directions.isFlippedY) ? part.span.flipped : part.span
    }
    let other = second ?? (first.axis == .any ? first : Part(axis: .any, frame: .physical, span: .all))
    // Of two without an axis the first is of the block axis.
    let isFirstColumn = isHorizontal(first) ?? isHorizontal(other).map { !$0 } ?? !directions(first).isHorizontal
    return isFirstColumn ? (span(first, true), span(other, false)) : (span(other, true), span(first, false))
  }

  /// The horizontal or block axis first, and without the `span-all` that one keyword alone stands for.
  var css: String {
    guard let second else { return Self.word(first) }
    if first.span == .all, second.axis != .any { return Self.word(second) }
    if second.span == .all, first.axis != .any { return Self.word(first) }
    let isSwapped = first.axis == .y && second.axis == .x || first.axis == .inline && second.axis == .block
    return (isSwapped ? [second, first] : [first, second]).map(Self.word).joined(separator: " ")
  }

  private static func word(_ part: Part) -> String { keywords.first { $0.1 == part }.map { "\($0.0)" } ?? "" }

  private static func axis(
    _ axis: Axis, _ frame: Frame, _ words: (StaticString, StaticString, StaticString, StaticString)
  ) -> [(StaticString, Part)] {
    func part(_ span: Span) -> Part { Part(axis: axis, frame: frame, span: span) }
    return [(words.0, part(.before)), (words.1, part(.after)), (words.2, part(.spanBefore)), (words.3, part(.spanAfter))]
  }

  static let keywords: [(StaticString, Part)] =
    axis(.x, .physical, ("left", "right", "span-left", "span-right"))
    + axis(.y, .physical, ("top", "bottom", "span-top", "span-bottom"))
    + axis(.x, .container, ("x-start", "x-end", "span-x-start", "span-x-end"))
    + axis(.y, .container, ("y-start", "y-end", "span-y-start", "span-y-end"))
    + axis(.x, .own, ("self-x-start", "self-x-end", "span-self-x-start", "span-self-x-end"))
    + axis(.y, .own, ("self-y-start", "self-y-end", "span-self-y-start", "span-self-y-end"))
    + axis(.block, .container, ("block-start", "block-end", "span-block-start", "span-block-end"))
    + axis(.inline, .container, ("inline-start", "inline-end", "span-inline-start", "span-inline-end"))
    + axis(.block, .own, ("self-block-start", "self-block-end", "span-self-block-start", "span-self-block-end"))
    + axis(.inline, .own, ("self-inline-start", "self-inline-end", "span-self-inline-start", "span-self-inline-end"))
    + axis(.any, .container, ("start", "end", "span-start", "span-end"))
    + axis(.any, .own, ("self-start", "self-end", "span-self-start", "span-self-end"))
    + [
      ("center", Part(axis: .any, frame: .physical, span: .center)), ("span-all", Part(axis: .any, frame: .physical, span: .all)),
    ]
}

extension PositionArea.Part {
  /// Of two keywords each is of one axis; logical ones follow the same box.
  fileprivate func goes(with other: Self) -> Bool {
    switch (axis, other.axis) {
    case (.x, .y), (.y, .x): true
    case (.block, .inline), (.inline, .block): frame == other.frame
    case (.any, .any): frame == other.frame || frame == .physical || other.frame == .physical
    case (.any, _): frame == .physical
    case (_, .any): other.frame == .physical
    default: false
    }
  }
}

extension ValueParser {
  /// `none`, or one or two keywords.
  mutating func positionArea() -> PositionArea?? {
    if keyword("none") { return .some(nil) }
    return positionAreaKeywords().map { .some($0) }
  }

  mutating func positionAreaKeywords() -> PositionArea? {
    guard let first = keyword(of: PositionArea.keywords) else { return nil }
    guard let second = keyword(of: PositionArea.keywords) else { return PositionArea(first: first, second: nil) }
    return first.goes(with: second) ? PositionArea(first: first, second: second) : nil
  }
}
