/// `position-area`: the tracks of the 3 × 3 grid around the anchor. https://drafts.csswg.org/css-anchor-position-1/#position-area
public struct PositionArea: Hashable, Sendable {
  /// A range of tracks, from the one before the anchor (0) to the one after it (2).
  public struct Span: Hashable, Sendable {
    public var first: UInt8
    public var last: UInt8
    public static let all = Span(first: 0, last: 2)
    public static let before = Span(first: 0, last: 0)
    public static let center = Span(first: 1, last: 1)
    public static let after = Span(first: 2, last: 2)
    static let spanBefore = Span(first: 0, last: 1)
    static let spanAfter = Span(first: 1, last: 2)

    /// The span in the opposite direction.
    public var flipped: Span { Span(first: 2 - last, last: 2 - first) }
  }
  /// The axis of a keyword; `any` is the axis that the other keyword does not use.
  enum Axis: UInt8, Hashable, Sendable { case x, y, block, inline, any }
  /// The box whose writing mode determines the direction.
  enum Frame: UInt8, Hashable, Sendable { case physical, container, own }
  struct Part: Hashable, Sendable {
    var axis: Axis
    var frame: Frame
    var span: Span
  }
  var first: Part
  /// Nil if only `first` is specified.
  var second: Part?

  /// The directions of a box, to which keywords can be relative.
  public struct Directions {
    public var isHorizontal: Bool
    /// Whether the start is on the right or at the bottom.
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

  /// The tracks by physical axis. A single keyword applies to both axes if it is ambiguous; otherwise it spans the whole of the other axis.
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
    // Of two ambiguous keywords the first is for the block axis.
    let isFirstColumn = isHorizontal(first) ?? isHorizontal(other).map { !$0 } ?? !directions(first).isHorizontal
    return isFirstColumn ? (span(first, true), span(other, false)) : (span(other, true), span(first, false))
  }

  /// Serialized with the horizontal or block axis first. `span-all` is omitted if the other keyword is unambiguous.
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
  /// Whether two keywords can be combined: each is for one axis, and logical ones are relative to the same box.
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
  /// Parses `none`, or one or two keywords.
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
