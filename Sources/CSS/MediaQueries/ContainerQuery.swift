import OffprintDOM

/// The condition of a `@container` rule.
///
/// https://drafts.csswg.org/css-conditional-5/#container-queries
struct ContainerQuery: Sendable {
  let list: TokenList
  /// Empty if the query has no name.
  let name: [UInt8]
  /// Empty if the query tests only the name.
  let condition: Range<Int>
  /// Index of the enclosing `@container` rule's query, which must match as well.
  let outer: Int?

  /// The axes on which the container must have containment.
  let axes: ContainerSize.Axes

  init(list: TokenList, name: [UInt8], condition: Range<Int>, outer: Int?) {
    self.list = list
    self.name = name
    self.condition = condition
    self.outer = outer
    axes = condition.reduce(into: []) { axes, index in
      guard list.kind(index) == .ident, let used = Self.axes(of: list.lowercased(index)) else { return }
      axes.formUnion(used)
    }
  }

  private static func axes(of word: String) -> ContainerSize.Axes? {
    let isRange = word.hasPrefix("min-") || word.hasPrefix("max-")
    switch isRange ? word.dropFirst(4) : word[...] {
    case "width": return .width
    case "height": return .height
    case "inline-size": return .inline
    case "block-size": return .block
    case "aspect-ratio", "orientation": return [.inline, .block]
    default: return nil
    }
  }

  /// Whether the condition matches a container of this size. Unknown features do not match.
  ///
  /// - Parameter custom: The value of a custom property of the container, without surrounding whitespace.
  func matches(_ size: ContainerSize?, custom: @escaping (ArraySlice<UInt8>) -> [UInt8]?) -> Bool {
    if list.trimmed(condition).isEmpty { return true }
    let features = FeatureEvaluator(list: list) { size?.feature($0) }
    let conditions = ConditionParser(list: list, parenthesized: { features.evaluate($0) }, function: { styleQuery($0, custom) })
    return conditions.evaluate(condition) ?? false
  }

  /// Evaluates `style(--name: value)` or `style(--name)`. https://drafts.csswg.org/css-conditional-5/#style-container
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
