public import OffprintCoreTypes

/// `anchor()` or `anchor-size()`. https://drafts.csswg.org/css-anchor-position-1/#anchor-pos
public struct AnchorFunction: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case left, right, top, bottom, start, end, selfStart, selfEnd, inside, outside
    /// A percentage of the distance from the start edge to the end edge.
    case percentage(Double)
    case width, height, blockSize, inlineSize
  }
  /// Nil for the default anchor.
  public var name: ByteString?
  /// Nil for the size on the axis of the property.
  public var kind: Kind?
  public var isSize: Bool

  /// The serialized arguments.
  var css: String {
    var words: [String] = name.map { [$0.text] } ?? []
    switch kind {
    case nil: break
    case .percentage(50): words.append("center")
    case .percentage(let percent): words.append(ComputedTextWriter.number(percent) + "%")
    case .blockSize: words.append("block")
    case .inlineSize: words.append("inline")
    case .selfStart: words.append("self-start")
    case .selfEnd: words.append("self-end")
    case let kind?: words.append("\(kind)")
    }
    return words.joined(separator: " ")
  }
}

extension MathExpression {
  public var hasAnchor: Bool {
    switch self {
    case .number, .percentage, .dimension, .basisSize: false
    case .anchor: true
    case .sum(let terms), .min(let terms), .max(let terms): terms.contains(where: \.hasAnchor)
    case .product(let term, _), .abs(let term), .sign(let term): term.hasAnchor
    case .clamp(let a, let b, let c): a.hasAnchor || b.hasAnchor || c.hasAnchor
    case .round(_, let a, let b), .mod(let a, let b), .rem(let a, let b): a.hasAnchor || b.hasAnchor
    }
  }

  /// The expression with resolved anchors in px; nil if an anchor does not exist and has no fallback.
  public func resolvingAnchors(_ value: (AnchorFunction) -> Double?) -> MathExpression? {
    replacingLeaves { leaf in
      guard case .anchor(let function, let fallback) = leaf else { return leaf }
      return value(function).map { .number($0) } ?? fallback?.resolvingAnchors(value)
    }
  }
}

extension MathExpression {
  func changingAnchors(_ change: (AnchorFunction) -> AnchorFunction) -> MathExpression {
    let changed = replacingLeaves { leaf in
      guard case .anchor(let function, let fallback) = leaf else { return leaf }
      return .anchor(change(function), fallback: fallback?.changingAnchors(change))
    }
    return changed ?? self
  }
}

extension LengthPercentage {
  public var hasAnchor: Bool { if case .math(let expression) = self { expression.hasAnchor } else { false } }

  public func changingAnchors(_ change: (AnchorFunction) -> AnchorFunction) -> LengthPercentage {
    guard case .math(let expression) = self else { return self }
    return .math(expression.changingAnchors(change))
  }

  /// Nil if an anchor is missing and has no fallback.
  public func resolvingAnchors(_ value: (AnchorFunction) -> Double?) -> LengthPercentage? {
    guard case .math(let expression) = self else { return self }
    return expression.resolvingAnchors(value).map { .math($0) }
  }
}

extension ValueParser {
  /// Parses the arguments of `anchor()` or `anchor-size()`.
  mutating func anchorBody(isSize: Bool) -> CalcValue? {
    let sides: [(StaticString, AnchorFunction.Kind)] = [
      ("left", .left), ("right", .right), ("top", .top), ("bottom", .bottom), ("start", .start), ("end", .end), ("self-start", .selfStart),
      ("self-end", .selfEnd), ("inside", .inside), ("outside", .outside), ("center", .percentage(50)),
    ]
    let sizes: [(StaticString, AnchorFunction.Kind)] = [
      ("width", .width), ("height", .height), ("block", .blockSize), ("inline", .inlineSize), ("self-block", .blockSize),
      ("self-inline", .inlineSize),
    ]
    var function = AnchorFunction(name: nil, kind: nil, isSize: isSize)
    var fallback: CalcValue?
    // Name and side in either order.
    while !isAtEnd() {
      if function.kind == nil, let kind = keyword(of: isSize ? sizes : sides) {
        function.kind = kind
      } else if function.kind == nil, !isSize, let percent = percentage() {
        function.kind = .percentage(percent)
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

  /// Parses a `<dashed-ident>`.
  mutating func dashedIdentifier() -> ByteString? {
    guard let word = peekIdentifier(), word.starts(with: "--".utf8) else { return nil }
    advance()
    return ByteString(String(decoding: word, as: UTF8.self))
  }
}
