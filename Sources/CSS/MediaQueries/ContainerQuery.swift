import DOM

/// The condition of a `@container` rule.
///
/// https://drafts.csswg.org/css-conditional-5/#container-queries
struct ContainerQuery: Sendable {
  let list: TokenList
  /// Empty where any container will do.
  let name: [UInt8]
  let condition: Range<Int>
  /// The query of the `@container` rule around this one, which must hold as well.
  let outer: Int?

  /// Whether the condition holds for a container of this size; unknown features make it false.
  func matches(width: Double, height: Double?) -> Bool {
    let features = FeatureEvaluator(list: list) { name in
      switch name {
      case "width", "inline-size": return .length(width)
      case "height", "block-size": return height.map { .length($0) }
      case "aspect-ratio": return height.map { .ratio(width, $0) }
      case "orientation": return height.map { .keyword($0 >= width ? "portrait" : "landscape") }
      default: return nil
      }
    }
    return ConditionParser(list: list, parenthesized: { features.evaluate($0) }, function: { _ in nil }).evaluate(condition) ?? false
  }
}
