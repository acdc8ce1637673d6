public import OffprintCoreTypes

/// Fallback positions of a positioned box, and its visibility. https://drafts.csswg.org/css-anchor-position-1/#fallback
public struct PositionTryStyle: Hashable, Sendable {
  public enum Order: UInt8, Hashable, Sendable { case normal, mostWidth, mostHeight, mostBlockSize, mostInlineSize }
  /// The conditions under which the box is hidden.
  public struct Visibility: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let anchorsVisible = Visibility(rawValue: 2)
    public static let noOverflow = Visibility(rawValue: 4)
  }
  public var fallbacks: [PositionFallback] = []
  public var order = Order.normal
  public var visibility = Visibility.anchorsVisible
  public init() {}
}

/// An item of `position-try-fallbacks`.
public struct PositionFallback: Hashable, Sendable {
  public enum Tactic: UInt8, Hashable, Sendable { case flipBlock, flipInline, flipStart, flipX, flipY }
  /// The name of a `@position-try` rule.
  public var name: ByteString?
  public var tactics: [Tactic] = []
  public var area: PositionArea?
}

extension PositionFallback {
  fileprivate static let tactics: [(StaticString, Tactic)] = [
    ("flip-block", .flipBlock), ("flip-inline", .flipInline), ("flip-start", .flipStart), ("flip-x", .flipX), ("flip-y", .flipY),
  ]

  fileprivate var css: String {
    if let area { return area.css }
    let words = tactics.compactMap { tactic in Self.tactics.first { $0.1 == tactic }.map { "\($0.0)" } }
    return ((name.map { [$0.text] } ?? []) + words).joined(separator: " ")
  }
}

extension TableBuilder {
  mutating func registerPositionTry() {
    field(
      "position-try-fallbacks", \BoxStyle.positionTry.fallbacks, "none | [ [ <dashed-ident> || <try-tactic> ] | <position-area> ]#",
      read: { list, _ in list.isEmpty ? "none" : list.map(\.css).joined(separator: ", ") }
    ) { parser -> [PositionFallback]? in parser.keyword("none") ? [] : parser.commaList { $0.positionFallback() } }
    keywords(
      "position-try-order", \BoxStyle.positionTry.order,
      [
        ("normal", .normal), ("most-width", .mostWidth), ("most-height", .mostHeight), ("most-block-size", .mostBlockSize),
        ("most-inline-size", .mostInlineSize),
      ])
    field(
      "position-visibility", \BoxStyle.positionTry.visibility, "always | [ anchors-visible || no-overflow ]",
      read: { value, _ in value.css }
    ) { $0.positionVisibility() }
  }
}

extension PositionTryStyle.Visibility {
  fileprivate static let words: [(StaticString, Self)] = [
    ("anchors-visible", .anchorsVisible), ("no-overflow", .noOverflow),
  ]
  fileprivate var css: String {
    isEmpty ? "always" : Self.words.filter { contains($0.1) }.map { "\($0.0)" }.joined(separator: " ")
  }
}

extension ValueParser {
  fileprivate mutating func positionFallback() -> PositionFallback? {
    if let area = attempt({ $0.positionAreaKeywords() }) { return PositionFallback(area: area) }
    var result = PositionFallback()
    while let token = peek(), token.kind == .ident {
      if let tactic = keyword(of: PositionFallback.tactics), !result.tactics.contains(tactic) {
        result.tactics.append(tactic)
      } else if result.name == nil, let name = dashedIdentifier() {
        result.name = name
      } else {
        return nil
      }
    }
    return result == PositionFallback() ? nil : result
  }

  fileprivate mutating func positionVisibility() -> PositionTryStyle.Visibility? {
    if keyword("always") { return [] }
    var result: PositionTryStyle.Visibility = []
    while let word = keyword(of: PositionTryStyle.Visibility.words) {
      guard result.isDisjoint(with: word) else { return nil }
      result.formUnion(word)
    }
    return result.isEmpty ? nil : result
  }
}

/// The properties allowed in `@position-try`. https://drafts.csswg.org/css-anchor-position-1/#fallback-rule
enum PositionTryRule {
  private static let properties: Set<PropertyID> = Set(
    [
      "top", "right", "bottom", "left", "inset-block-start", "inset-block-end", "inset-inline-start", "inset-inline-end", "margin-top",
      "margin-right", "margin-bottom", "margin-left", "margin-block-start", "margin-block-end", "margin-inline-start", "margin-inline-end",
      "width", "height", "min-width", "min-height", "max-width", "max-height", "block-size", "inline-size", "min-block-size",
      "min-inline-size", "max-block-size", "max-inline-size", "align-self", "justify-self", "position-anchor", "position-area",
    ].map { PropertyID.named($0) })

  static func allows(_ declaration: Declaration) -> Bool { properties.contains(declaration.property) }
}

extension StyleSheetParser {
  mutating func consumePositionTry(_ prelude: Range<Int>, _ open: Int) {
    guard prelude.count == 1, list.kind(prelude.lowerBound) == .ident, list.value(prelude.lowerBound).starts(with: "--".utf8) else {
      return report(.invalidAtRule, "The rule is not valid", prelude)
    }
    let name = String(decoding: list.value(prelude.lowerBound), as: UTF8.self)
    builder.positionTries[name] = keyframeDeclarations(open).filter(PositionTryRule.allows)
  }
}
