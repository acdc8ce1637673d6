/// `anchor()` or `anchor-size()`. https://drafts.csswg.org/css-anchor-position-1/#anchor-pos
public struct AnchorFunction: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case left, right, top, bottom, start, end, inside, outside
    /// Of the way from the start to the end.
    case percentage(Double)
    case width, height, blockSize, inlineSize
  }
  /// Nil is the default anchor.
  public var name: String?
  /// Nil is the size of the property's own axis.
  public var kind: Kind?
  public var isSize: Bool

  /// What stands in its brackets.
  var css: String {
    var words: [String] = name.map { [$0] } ?? []
    switch kind {
    case nil: break
    case .percentage(50): words.append("center")
    case .percentage(let percent): words.append(ComputedTextWriter.number(percent) + "%")
    case .blockSize: words.append("block")
    case .inlineSize: words.append("inline")
    case let kind?: words.append("\(kind)")
    }
    return words.joined(separator: " ")
  }
}

/// `position-area`: which of the three columns and rows around the anchor, by physical axis.
/// https://drafts.csswg.org/css-anchor-position-1/#position-area
public struct PositionArea: Hashable, Sendable {
  /// From the track before the anchor (0) to the one behind it (2).
  public struct Span: Hashable, Sendable {
    public var first: UInt8
    public var last: UInt8
    public static let all = Span(first: 0, last: 2)
    public static let before = Span(first: 0, last: 0)
    public static let center = Span(first: 1, last: 1)
    public static let after = Span(first: 2, last: 2)
  }
  public var columns: Span
  public var rows: Span

  var css: String {
    func word(_ span: Span, _ before: String, _ after: String) -> String {
      switch (span.first, span.last) {
      case (0, 0): before
      case (2, 2): after
      case (1, 1): "center"
      case (0, 1): "span-" + before
      case (1, 2): "span-" + after
      default: "span-all"
      }
    }
    return word(columns, "left", "right") + " " + word(rows, "top", "bottom")
  }
}

extension MathExpression {
  public var hasAnchor: Bool {
    switch self {
    case .number, .percentage, .dimension: false
    case .anchor: true
    case .sum(let terms), .min(let terms), .max(let terms): terms.contains(where: \.hasAnchor)
    case .product(let term, _), .abs(let term), .sign(let term): term.hasAnchor
    case .clamp(let a, let b, let c): a.hasAnchor || b.hasAnchor || c.hasAnchor
    case .round(_, let a, let b), .mod(let a, let b), .rem(let a, let b): a.hasAnchor || b.hasAnchor
    }
  }

  /// With what anchors come to in px; nil where there is no such anchor and nothing stands in for it.
  public func resolvingAnchors(_ value: (AnchorFunction) -> Double?) -> MathExpression? {
    func all(_ terms: [MathExpression]) -> [MathExpression]? {
      let found = terms.compactMap { $0.resolvingAnchors(value) }
      return found.count == terms.count ? found : nil
    }
    func two(_ a: MathExpression, _ b: MathExpression) -> (MathExpression, MathExpression)? {
      guard let a = a.resolvingAnchors(value), let b = b.resolvingAnchors(value) else { return nil }
      return (a, b)
    }
    switch self {
    case .number, .percentage, .dimension: return self
    case .anchor(let function, let fallback): return value(function).map { .number($0) } ?? fallback?.resolvingAnchors(value)
    case .sum(let terms): return all(terms).map { .sum($0) }
    case .min(let terms): return all(terms).map { .min($0) }
    case .max(let terms): return all(terms).map { .max($0) }
    case .product(let term, let factor): return term.resolvingAnchors(value).map { .product($0, factor) }
    case .abs(let term): return term.resolvingAnchors(value).map { .abs($0) }
    case .sign(let term): return term.resolvingAnchors(value).map { .sign($0) }
    case .clamp(let a, let b, let c): return all([a, b, c]).map { .clamp($0[0], $0[1], $0[2]) }
    case .round(let strategy, let a, let b): return two(a, b).map { .round(strategy, $0.0, $0.1) }
    case .mod(let a, let b): return two(a, b).map { .mod($0.0, $0.1) }
    case .rem(let a, let b): return two(a, b).map { .rem($0.0, $0.1) }
    }
  }
}

extension LengthPercentage {
  public var hasAnchor: Bool { if case .math(let expression) = self { expression.hasAnchor } else { false } }

  /// Nil where an anchor is missing.
  public func resolvingAnchors(_ value: (AnchorFunction) -> Double?) -> LengthPercentage? {
    guard case .math(let expression) = self else { return self }
    return expression.resolvingAnchors(value).map { .math($0) }
  }
}

extension ValueParser {
  /// The body of `anchor()` or `anchor-size()`.
  mutating func anchorBody(isSize: Bool) -> CalcValue? {
    let sides: [(StaticString, AnchorFunction.Kind)] = [
      ("left", .left), ("right", .right), ("top", .top), ("bottom", .bottom), ("start", .start), ("end", .end), ("self-start", .start),
      ("self-end", .end), ("inside", .inside), ("outside", .outside), ("center", .percentage(50)),
    ]
    let sizes: [(StaticString, AnchorFunction.Kind)] = [
      ("width", .width), ("height", .height), ("block", .blockSize), ("inline", .inlineSize), ("self-block", .blockSize),
      ("self-inline", .inlineSize),
    ]
    var function = AnchorFunction(name: nil, kind: nil, isSize: isSize)
    var fallback: CalcValue?
    // Name and side come in either order.
    while !isAtEnd() {
      if function.kind == nil, let kind = keyword(of: isSize ? sizes : sides) {
        function.kind = kind
      } else if function.kind == nil, !isSize, let token = peek(), token.kind == .percentage {
        advance()
        function.kind = .percentage(token.number)
      } else if function.name == nil, let name = dashedIdentifier() {
        function.name = name
      } else if comma() || function == AnchorFunction(name: nil, kind: nil, isSize: true) {
        guard let value = anchorFallback() else { return nil }
        fallback = value
        break
      } else {
        return nil
      }
    }
    guard isAtEnd(), isSize || function.kind != nil else { return nil }
    return CalcValue(type: .length, node: .anchor(function, fallback: fallback?.node))
  }

  private mutating func anchorFallback() -> CalcValue? {
    guard let value = lengthPercentage() else { return nil }
    switch value {
    case .length(let px): return CalcValue(type: .length, node: .number(Double(px)))
    case .percentage(let percent): return CalcValue(type: .length, node: .percentage(Double(percent)))
    case .sum(let px, let percent): return CalcValue(type: .length, node: .sum([.number(Double(px)), .percentage(Double(percent))]))
    case .math(let node): return CalcValue(type: .length, node: node)
    }
  }

  /// A name that an author chose.
  mutating func dashedIdentifier() -> String? {
    guard let word = peekIdentifier(), word.starts(with: "--".utf8) else { return nil }
    advance()
    return String(decoding: word, as: UTF8.self)
  }

  /// `none`, or one or two keywords. Logical ones are those of horizontal text from left to right.
  mutating func positionArea() -> PositionArea?? {
    if keyword("none") { return .some(nil) }
    enum Axis { case x, y, both }
    typealias Span = PositionArea.Span
    let spanBefore = Span(first: 0, last: 1), spanAfter = Span(first: 1, last: 2)
    let x: [(StaticString, Span)] = [
      ("left", .before), ("right", .after), ("span-left", spanBefore), ("span-right", spanAfter), ("x-start", .before), ("x-end", .after),
      ("span-x-start", spanBefore), ("span-x-end", spanAfter), ("inline-start", .before), ("inline-end", .after),
      ("span-inline-start", spanBefore), ("span-inline-end", spanAfter), ("self-inline-start", .before), ("self-inline-end", .after),
      ("span-self-inline-start", spanBefore), ("span-self-inline-end", spanAfter),
    ]
    let y: [(StaticString, Span)] = [
      ("top", .before), ("bottom", .after), ("span-top", spanBefore), ("span-bottom", spanAfter), ("y-start", .before), ("y-end", .after),
      ("span-y-start", spanBefore), ("span-y-end", spanAfter), ("block-start", .before), ("block-end", .after),
      ("span-block-start", spanBefore), ("span-block-end", spanAfter), ("self-block-start", .before), ("self-block-end", .after),
      ("span-self-block-start", spanBefore), ("span-self-block-end", spanAfter),
    ]
    let both: [(StaticString, Span)] = [
      ("center", .center), ("span-all", .all), ("start", .before), ("end", .after), ("span-start", spanBefore), ("span-end", spanAfter),
      ("self-start", .before), ("self-end", .after), ("span-self-start", spanBefore), ("span-self-end", spanAfter),
    ]
    func next(_ parser: inout ValueParser) -> (Axis, Span)? {
      if let span = parser.keyword(of: x) { return (.x, span) }
      if let span = parser.keyword(of: y) { return (.y, span) }
      return parser.keyword(of: both).map { (.both, $0) }
    }
    guard let first = next(&self) else { return nil }
    guard let second = next(&self) else {
      switch first.0 {
      case .x: return .some(PositionArea(columns: first.1, rows: .all))
      case .y: return .some(PositionArea(columns: .all, rows: first.1))
      case .both: return .some(PositionArea(columns: first.1, rows: first.1))
      }
    }
    switch (first.0, second.0) {
    case (.x, .x), (.y, .y): return nil
    case (.x, _), (.both, .y): return .some(PositionArea(columns: first.1, rows: second.1))
    case (.y, _), (.both, .x), (.both, .both): return .some(PositionArea(columns: second.1, rows: first.1))
    }
  }
}
