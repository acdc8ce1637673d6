internal import OffprintCoreTypes

/// How text is scaled so that its lines fill or fit their box. https://drafts.csswg.org/css-text-5/#text-fit-property
public struct TextFit: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case none, grow, shrink }

  public enum Method: Hashable, Sendable {
    /// All lines are scaled by the same factor: that of the line that allows the least change.
    case consistent
    /// Each line is scaled by its own factor, except for the last lines of paragraphs.
    case perLine
    /// Each line is scaled by its own factor.
    case perLineAll
  }
  public var kind = Kind.none
  public var method = Method.consistent
  /// The maximum factor of `grow`, or the minimum of `shrink`; 1 is 100%.
  public var limit: Float?

  public init() {}

  /// Limits `factor`: `grow` does not shrink text, and `shrink` does not grow it.
  public func limited(_ factor: Double) -> Double {
    switch kind {
    case .none: 1
    case .grow: max(1, limit.map { min(factor, Double($0)) } ?? factor)
    case .shrink: min(1, limit.map { max(factor, Double($0)) } ?? factor)
    }
  }
}

extension TextFit: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let method: String? =
      switch method {
      case .consistent: nil
      case .perLine: "per-line"
      case .perLineAll: "per-line-all"
      }
    let limit = limit.map { ComputedTextWriter.number(Double($0) * 100) + "%" }
    return ["\(kind)", method, limit].compactMap { $0 }.joined(separator: " ")
  }
}

extension ValueParser {
  mutating func textFit() -> TextFit? {
    var fit = TextFit()
    let kinds: [(StaticString, TextFit.Kind)] = [("none", .none), ("grow", .grow), ("shrink", .shrink)]
    let methods: [(StaticString, TextFit.Method)] = [("consistent", .consistent), ("per-line", .perLine), ("per-line-all", .perLineAll)]
    guard let kind = keyword(of: kinds) else { return nil }
    fit.kind = kind
    fit.method = keyword(of: methods) ?? .consistent
    guard !isAtEnd() else { return fit }
    guard let limit = percentage(0...1_000_000) else { return nil }
    fit.limit = Float(limit / 100)
    return fit
  }
}
