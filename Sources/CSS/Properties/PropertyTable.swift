/// All supported properties: the basis of parsing, the cascade, `@supports` and the documentation of support.
public struct PropertyTable: Sendable {
  static let shared = PropertyTable()

  /// By property; the first two are `custom` and `all`.
  let longhands: [Longhand]
  let shorthands: [Shorthand]
  /// Maps the hash of a name to the index of a longhand, or after those, of a shorthand.
  private let entries: HashTable<UInt16>
  let aliases: [(alias: StaticString, name: StaticString)]

  private init() {
    var builder = TableBuilder()
    builder.registerText()
    builder.registerFonts()
    builder.registerBoxes()
    builder.registerDecorations()
    builder.registerAlignment()
    builder.registerEffects()
    builder.registerLogical()
    builder.registerWithoutEffect()
    builder.registerSVG()
    builder.registerShorthands()
    builder.registerBackgroundShorthands()
    builder.registerAlignmentShorthands()
    builder.registerTextShorthands()
    builder.numberShorthands()
    builder.registerAliases()
    builder.nameUnits()
    builder.nameOrigins()
    longhands = builder.longhands
    shorthands = builder.shorthands
    entries = builder.entries
    aliases = builder.aliases
  }

  enum Entry {
    case longhand(PropertyID)
    case shorthand(Int)
  }

  func lookup(_ name: ArraySlice<UInt8>) -> Entry? { entries[name.foldedHash].map { entry($0) } }

  func entry(_ number: UInt16) -> Entry {
    Int(number) < longhands.count ? .longhand(PropertyID(rawValue: number)) : .shorthand(Int(number) - longhands.count)
  }

  /// Calls `body` for each longhand that a declaration of `entry` sets.
  func forEachLonghand(of entry: Entry, _ body: (PropertyID) -> Void) {
    switch entry {
    case .longhand(let property): body(property)
    case .shorthand(let index): shorthands[index].longhands.forEach(body)
    }
  }

  func number(ofShorthand index: Int) -> UInt16 { UInt16(truncatingIfNeeded: longhands.count + index) }

  subscript(property: PropertyID) -> Longhand { longhands[Int(property.rawValue) < longhands.count ? Int(property.rawValue) : 0] }
}

extension PropertyID {
  /// The longhand with this name; `custom` if absent.
  static func named(_ name: StaticString) -> PropertyID {
    let bytes = name.withUTF8Buffer { Array($0) }
    if case .longhand(let property)? = PropertyTable.shared.lookup(bytes[...]) { return property }
    return .custom
  }

  /// The longhand with this name; nil if absent.
  public init?(name: ArraySlice<UInt8>) {
    guard case .longhand(let property)? = PropertyTable.shared.lookup(name), property != .custom else { return nil }
    self = property
  }

  public var name: String { "\(PropertyTable.shared[self].name)" }
}
