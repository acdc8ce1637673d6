extension PropertyTable {
  /// What a property takes, for tools: the page generator and the tests of fixtures.
  package struct Grammar: Sendable {
    package var name: String
    /// In the value definition syntax; of a shorthand empty. `as NAME`: that of another property.
    package var values: String
    /// The properties that a declaration sets: itself, or a shorthand's.
    package var longhands: [String]
    /// Whether a picture depends on it.
    package var isSupported: Bool
  }

  /// Every longhand and shorthand, in the table's order.
  ///
  /// https://drafts.csswg.org/css-values-4/#value-defs
  package static var grammars: [Grammar] {
    let rows = shared.longhands.dropFirst(2).map {
      Grammar(name: "\($0.name)", values: $0.kind.values, longhands: ["\($0.name)"], isSupported: support(of: $0) == .supported)
    }
    let shorthands = shared.shorthands.map {
      Grammar(
        name: "\($0.name)", values: "", longhands: $0.longhands.map { "\(shared[$0].name)" },
        isSupported: $0.longhands.contains { support(of: shared[$0]) == .supported })
    }
    return rows + shorthands
  }
}
