public import OffprintCoreTypes

extension FontStyle {
  /// A component of `font-variant-alternates`. https://drafts.csswg.org/css-fonts-4/#font-variant-alternates-prop
  public struct Alternate: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
      case historicalForms, stylistic, styleset, characterVariant, swash, ornaments, annotation

      /// The functions in values and the blocks in `@font-feature-values`.
      static let names: [(kind: Kind, name: StaticString)] = [
        (.historicalForms, "historical-forms"), (.stylistic, "stylistic"), (.styleset, "styleset"),
        (.characterVariant, "character-variant"), (.swash, "swash"), (.ornaments, "ornaments"), (.annotation, "annotation"),
      ]

      var takesList: Bool { self == .styleset || self == .characterVariant }
    }
    public var kind: Kind
    public var names: [ByteString]

    var text: String {
      let name = Kind.names.first { $0.kind == kind }.map { "\($0.name)" } ?? ""
      return kind == .historicalForms ? name : name + "(" + names.map(\.text).joined(separator: ", ") + ")"
    }
  }
}

/// Names for font features and palettes, defined by `@font-feature-values` and `@font-palette-values` rules. The last definition wins.
///
/// https://drafts.csswg.org/css-fonts-4/#font-feature-values
public struct FontFeatureValues: Sendable {
  private struct Key: Hashable {
    var family: ByteString
    var kind: FontStyle.Alternate.Kind
    var name: ByteString
  }
  private var values: [Key: [Int]] = [:]
  private var families: Set<ByteString> = []
  private var palettes: [ByteString: [FontPaletteRule]] = [:]

  public init() {}

  mutating func define(_ palette: FontPaletteRule, named name: String) {
    guard palettes[name, default: []].count < 1000 else { return }
    palettes[name, default: []].append(palette)
  }

  /// The definitions of a name in `font-palette`, for all families, in order; the last one for a family wins.
  public func palettes(_ name: ByteString) -> [FontPaletteRule] { palettes[name] ?? [] }

  mutating func define(_ name: String, _ kind: FontStyle.Alternate.Kind, of family: String, as numbers: [Int]) {
    families.insert(family.lowercased())
    values[Key(family: ByteString(family.lowercased()), kind: kind, name: ByteString(name))] = numbers
  }

  /// The OpenType features of a style's alternates, from the first family with any `@font-feature-values`.
  public func features(_ style: FontStyle) -> [FontStyle.Feature] {
    let family = style.families.lazy.compactMap { family -> ByteString? in
      if case .named(let name) = family, families.contains(name.text.lowercased()) { ByteString(name.text.lowercased()) } else { nil }
    }.first
    return style.variantAlternates.flatMap { alternate -> [FontStyle.Feature] in
      if alternate.kind == .historicalForms { return [FontStyle.Feature(tag: Self.tag("hist"), value: 1)] }
      guard let family else { return [] }
      return alternate.names.flatMap { name in
        Self.features(alternate.kind, values[Key(family: family, kind: alternate.kind, name: name)] ?? [])
      }
    }
  }

  private static func features(_ kind: FontStyle.Alternate.Kind, _ numbers: [Int]) -> [FontStyle.Feature] {
    guard let first = numbers.first else { return [] }
    func feature(_ tag: String, _ value: Int) -> FontStyle.Feature { FontStyle.Feature(tag: Self.tag(tag), value: value) }
    func numbered(_ prefix: String, _ number: Int) -> String { prefix + (number < 10 ? "0" : "") + String(number) }
    switch kind {
    case .historicalForms: return []
    case .stylistic: return [feature("salt", first)]
    case .swash: return [feature("swsh", first), feature("cswh", first)]
    case .ornaments: return [feature("ornm", first)]
    case .annotation: return [feature("nalt", first)]
    case .styleset: return numbers.filter { (1...20).contains($0) }.map { feature(numbered("ss", $0), 1) }
    case .characterVariant:
      return (1...99).contains(first) ? [feature(numbered("cv", first), numbers.count > 1 ? numbers[1] : 1)] : []
    }
  }

  private static func tag(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// A `@font-palette-values` rule. https://drafts.csswg.org/css-fonts-4/#font-palette-values
public struct FontPaletteRule: Sendable {
  public enum Base: Sendable { case light, dark, index(Int) }
  /// In lowercase.
  public var family: ByteString
  public var base = Base.index(0)
  public var overrides: [(index: Int, color: Color)] = []
}
