import DOM

/// The condition of a `@container` rule.
///
/// https://drafts.csswg.org/css-conditional-5/#container-queries
struct ContainerQuery: Sendable {
  let list: TokenList
  /// Empty where any container will do.
  let name: [UInt8]
  /// Empty where any container of that name will do.
  let condition: Range<Int>
  /// The query of the `@container` rule around this one, which must hold as well.
  let outer: Int?

  /// The axes that the container must have containment in.
  let needsWidth: Bool
  let needsHeight: Bool

  init(list: TokenList, name: [UInt8], condition: Range<Int>, outer: Int?) {
    self.list = list
    self.name = name
    self.condition = condition
    self.outer = outer
    let words = Set(condition.filter { list.kind($0) == .ident }.map { list.lowercased($0) })
    let height = words.filter { word in ["height", "block-size", "aspect-ratio", "orientation"].contains { word.hasSuffix($0) } }
    needsHeight = !height.isEmpty
    needsWidth = needsHeight || words.contains { $0.hasSuffix("width") || $0.hasSuffix("inline-size") }
  }

  /// Whether the condition holds for a container of this size; unknown features make it false.
  ///
  /// - Parameter custom: the value of a custom property of the container, without whitespace at its ends.
  func matches(width: Double?, height: Double?, custom: @escaping (ArraySlice<UInt8>) -> [UInt8]?) -> Bool {
    if list.trimmed(condition).isEmpty { return true }
    let features = FeatureEvaluator(list: list) { name in
      guard let width else { return nil }
      switch name {
      case "width", "inline-size": return .length(width)
      case "height", "block-size": return height.map { .length($0) }
      case "aspect-ratio": return height.map { .ratio(width, $0) }
      case "orientation": return height.map { .keyword($0 >= width ? "portrait" : "landscape") }
      default: return nil
      }
    }
    let conditions = ConditionParser(list: list, parenthesized: { features.evaluate($0) }, function: { styleQuery($0, custom) })
    return conditions.evaluate(condition) ?? false
  }

  /// `style(--name: value)` and `style(--name)`. https://drafts.csswg.org/css-conditional-5/#style-container
  private func styleQuery(_ index: Int, _ custom: (ArraySlice<UInt8>) -> [UInt8]?) -> Bool? {
    guard list.isFunction(index, "style") else { return nil }
    let range = list.trimmed(list.contents(index))
    guard !range.isEmpty, list.kind(range.lowerBound) == .ident, list.value(range.lowerBound).starts(with: [0x2D, 0x2D]) else { return nil }
    let value = custom(list.value(range.lowerBound))
    let colon = list.skipWhitespace(range.lowerBound + 1)
    if colon >= range.upperBound { return value != nil }
    guard list.kind(colon) == .colon else { return nil }
    return value.map { $0.elementsEqual(list.source(list.trimmed((colon + 1)..<range.upperBound))) } ?? false
  }
}
