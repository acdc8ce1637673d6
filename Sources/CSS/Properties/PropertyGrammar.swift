extension PropertyTable {
  /// The grammar of a property, for the page generator and the tests of fixtures.
  package struct Grammar: Sendable {
    package var name: String
    /// In value definition syntax; empty for shorthands. `as NAME` refers to the grammar of another property.
    package var values: String
    /// The longhands that a declaration sets: the property itself, or those of the shorthand.
    package var longhands: [String]
    /// Whether the property affects rendering.
    package var isSupported: Bool
  }

  /// All longhands and shorthands, in table order.
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
