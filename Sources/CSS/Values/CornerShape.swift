internal import OffprintCoreTypes

/// The curvature of a corner with a radius. https://drafts.csswg.org/css-borders-4/#corner-shaping
public struct CornerShape: Hashable, Sendable {
  /// The parameter of `superellipse()`: 1 is round, 0 is a straight line, negative values are concave.
  public var parameter: Float

  public static let round = CornerShape(parameter: 1)
}

extension CornerShape: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    "superellipse(" + ComputedTextWriter.number(Double(parameter)) + ")"
  }
}

extension ValueParser {
  fileprivate static let cornerShapes: [(StaticString, Float)] = [
    ("round", 1), ("scoop", -1), ("bevel", 0), ("notch", -.infinity), ("square", .infinity), ("squircle", 2),
  ]

  mutating func cornerShape() -> CornerShape? {
    if let parameter = keyword(of: Self.cornerShapes) { return CornerShape(parameter: parameter) }
    return function("superellipse") { parser in
      if parser.keyword("infinity") { return CornerShape(parameter: .infinity) }
      if parser.keyword("-infinity") { return CornerShape(parameter: -.infinity) }
      return parser.number().map { CornerShape(parameter: Float($0)) }
    }
  }
}
