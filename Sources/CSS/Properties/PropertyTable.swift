/// The groups of `StyleRecord`; `none` for properties that are understood and change nothing in a picture.
enum GroupIndex: UInt8, Sendable { case font, text, box, border, background, align, effects, content, none }

protocol StyleGroup: Hashable, Sendable, StyleStored {
  static var index: GroupIndex { get }
  init()
}
extension FontStyle: StyleGroup { static var index: GroupIndex { .font } }
extension TextStyle: StyleGroup { static var index: GroupIndex { .text } }
extension BoxStyle: StyleGroup { static var index: GroupIndex { .box } }
extension BorderStyle: StyleGroup { static var index: GroupIndex { .border } }
extension BackgroundStyle: StyleGroup { static var index: GroupIndex { .background } }
extension AlignStyle: StyleGroup { static var index: GroupIndex { .align } }
extension EffectStyle: StyleGroup { static var index: GroupIndex { .effects } }
extension ContentStyle: StyleGroup { static var index: GroupIndex { .content } }

/// In which order properties are computed, because later ones refer to earlier ones.
enum ComputePhase: UInt8, Sendable, CaseIterable { case first, fontSize, lineHeight, color, rest }

/// A longhand: one row of the table. Changed only while the table is filled.
final class Longhand: @unchecked Sendable {
  typealias Parse = @Sendable (inout ValueParser) -> StoredValue?
  typealias Read = @Sendable (UnsafeRawPointer, ComputedTextWriter) -> String
  typealias Copy = @Sendable (_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) -> Void

  let name: StaticString
  let group: GroupIndex
  let phase: ComputePhase
  let isInherited: Bool
  /// Of the field in its group.
  let offset: Int
  /// What it takes, for people.
  let values: @Sendable () -> String
  /// The type of the field; nil where there are several.
  let valueType: ObjectIdentifier?
  let logical: LogicalMapping?
  var allowsUnitlessLength = false
  var allowsHashlessColor = false
  let parse: Parse
  let copy: Copy
  /// The text of the value in a group; nil for what is not stored.
  let read: Read?
  /// The unit of values that are plain numbers.
  var numberUnit = ""
  /// What a winning declaration is recorded as: of the author's, or for margins one in `__qem`.
  var origins: StyleOrigins = []
  var isMargin: Bool { origins.rawValue >= StyleOrigins.quirkyMarginTop.rawValue }

  init(
    name: StaticString, group: GroupIndex, phase: ComputePhase = .rest, isInherited: Bool, offset: Int,
    values: @escaping @Sendable () -> String,
    valueType: ObjectIdentifier? = nil, logical: LogicalMapping? = nil, parse: @escaping Parse, copy: @escaping Copy,
    read: Read? = nil
  ) {
    self.name = name
    self.group = group
    self.phase = phase
    self.isInherited = isInherited
    self.offset = offset
    self.values = values
    self.valueType = valueType
    self.logical = logical
    self.parse = parse
    self.copy = copy
    self.read = read
  }
}

struct Shorthand: Sendable {
  let name: StaticString
  let longhands: [PropertyID]
  /// Unitless lengths and hashless colours are those of its longhands.
  var hasQuirks = false
  let parse: @Sendable (inout ValueParser, inout ShorthandValues) -> Bool
}

/// Every property the engine knows: drives parsing, the cascade, `@supports` and the support page.
public struct PropertyTable: Sendable {
  static let shared = PropertyTable()

  /// By property; the first two are `custom` and `all`.
  let longhands: [Longhand]
  let shorthands: [Shorthand]
  /// The hash of a name, to a longhand's number or, behind those, a shorthand's.
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

  /// The properties that a declaration of `entry` sets.
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
  /// The longhand called `name` in the table, `custom` if there is none.
  static func named(_ name: StaticString) -> PropertyID {
    let bytes = name.withUTF8Buffer { Array($0) }
    if case .longhand(let property)? = PropertyTable.shared.lookup(bytes[...]) { return property }
    return .custom
  }

  /// The longhand called `name`; nil where there is none.
  public init?(name: ArraySlice<UInt8>) {
    guard case .longhand(let property)? = PropertyTable.shared.lookup(name), property != .custom else { return nil }
    self = property
  }

  public var name: String { "\(PropertyTable.shared[self].name)" }
}

/// Fills the table.
struct TableBuilder {
  var longhands: [Longhand] = []
  var shorthands: [Shorthand] = []
  var entries = HashTable<UInt16>(minimumCapacity: 1024)
  var aliases: [(alias: StaticString, name: StaticString)] = []
  private var shorthandNames: [StaticString] = []

  init() {
    // `custom` and `all` have numbers; neither is looked up by name.
    for name in ["--*", "all"] as [StaticString] {
      longhands.append(
        Longhand(name: name, group: .none, isInherited: false, offset: 0, values: { "" }, parse: { _ in nil }, copy: { _, _ in }))
    }
  }

  private static func hash(_ name: StaticString) -> UInt64 { name.withUTF8Buffer { $0.foldedHash } }

  private mutating func append(_ longhand: Longhand) {
    entries[Self.hash(longhand.name)] = UInt16(longhands.count)
    longhands.append(longhand)
  }

  /// A property that is one stored field of a group, whose values may be relative to the element.
  mutating func specified<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, _ values: @escaping @autoclosure @Sendable () -> String,
    phase: ComputePhase = .rest,
    read: @escaping @Sendable (Value, ComputedTextWriter) -> String = { $1.text($0) },
    _ parse: @escaping @Sendable (inout ValueParser) -> Specified<Value>?
  ) {
    // Every path in the table is one of stored fields, which have an offset; the table's test shows it.
    let offset = MemoryLayout<Group>.offset(of: path) ?? 0
    append(
      Longhand(
        name: name, group: Group.index, phase: phase, isInherited: Group.index == .font || Group.index == .text, offset: offset,
        values: values, valueType: ObjectIdentifier(Value.self),
        parse: { parser in
          guard let value = parse(&parser) else { return nil }
          let stored: StoredValue =
            switch value {
            case .value(let value): FieldValue(value)
            case .relative(let compute): RelativeFieldValue(compute)
            }
          stored.isQuirky = parser.isQuirky
          return stored
        },
        copy: { from, to in
          (to + offset).assumingMemoryBound(to: Value.self).pointee = (from + offset).assumingMemoryBound(to: Value.self).pointee
        }, read: { read(($0 + offset).assumingMemoryBound(to: Value.self).pointee, $1) }))
  }

  /// A property that is one stored field of lengths and percentages.
  mutating func field<Group: StyleGroup, Value: LengthRelative>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, _ values: @escaping @autoclosure @Sendable () -> String,
    phase: ComputePhase = .rest,
    read: @escaping @Sendable (Value, ComputedTextWriter) -> String = { $1.text($0) },
    _ parse: @escaping @Sendable (inout ValueParser) -> Value?
  ) {
    specified(name, path, values(), phase: phase, read: read) { $0.specifiedLengths(parse) }
  }

  /// A property that is one stored field of a group.
  mutating func field<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, _ values: @escaping @autoclosure @Sendable () -> String,
    phase: ComputePhase = .rest,
    read: @escaping @Sendable (Value, ComputedTextWriter) -> String = { $1.text($0) },
    _ parse: @escaping @Sendable (inout ValueParser) -> Value?
  ) {
    specified(name, path, values(), phase: phase, read: read) { $0.specified(parse) }
  }

  /// A property that is a keyword.
  mutating func keywords<Group: StyleGroup, Value: Equatable & Sendable>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, phase: ComputePhase = .rest, _ table: [(StaticString, Value)]
  ) {
    field(
      name, path, table.map { "\($0.0)" }.joined(separator: " | "), phase: phase,
      read: { value, _ in table.first { $0.1 == value }.map { "\($0.0)" } ?? ComputedTextWriter.keyword("\(value)") }
    ) { $0.keyword(of: table) }
  }

  /// A property that is several fields.
  mutating func fields<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ values: @escaping @autoclosure @Sendable () -> String, phase: ComputePhase = .rest,
    parse: @escaping @Sendable (inout ValueParser) -> Value?,
    set: @escaping @Sendable (inout Group, Value) -> Void, get: @escaping @Sendable (Group) -> Value
  ) {
    specifiedFields(name, values(), phase: phase, parse: { $0.specified(parse) }, set: set, get: get)
  }

  /// A property that is several fields of lengths and percentages.
  mutating func fields<Group: StyleGroup, Value: LengthRelative>(
    _ name: StaticString, _ values: @escaping @autoclosure @Sendable () -> String, phase: ComputePhase = .rest,
    parse: @escaping @Sendable (inout ValueParser) -> Value?,
    set: @escaping @Sendable (inout Group, Value) -> Void, get: @escaping @Sendable (Group) -> Value
  ) {
    specifiedFields(name, values(), phase: phase, parse: { $0.specifiedLengths(parse) }, set: set, get: get)
  }

  /// A property that is several fields, whose values may be relative to the element.
  mutating func specifiedFields<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ values: @escaping @autoclosure @Sendable () -> String, phase: ComputePhase = .rest,
    parse: @escaping @Sendable (inout ValueParser) -> Specified<Value>?,
    set: @escaping @Sendable (inout Group, Value) -> Void, get: @escaping @Sendable (Group) -> Value
  ) {
    append(
      Longhand(
        name: name, group: Group.index, phase: phase, isInherited: Group.index == .font || Group.index == .text, offset: 0,
        values: values,
        parse: { parser in
          switch parse(&parser) {
          case .value(let value)?: FieldsValue(value, set: set)
          case .relative(let compute)?: RelativeFieldsValue(compute, set: set)
          case nil: nil
          }
        },
        copy: { from, to in
          set(&to.assumingMemoryBound(to: Group.self).pointee, get(from.assumingMemoryBound(to: Group.self).pointee))
        }, read: { $1.text(get($0.assumingMemoryBound(to: Group.self).pointee)) }))
  }

  /// A property that is parsed and has no effect on a picture.
  mutating func accepted(
    _ name: StaticString, _ values: @escaping @autoclosure @Sendable () -> String, inherited: Bool = false,
    _ parse: @escaping @Sendable (inout ValueParser) -> Bool
  ) {
    append(
      Longhand(
        name: name, group: .none, isInherited: inherited, offset: 0, values: values, parse: { parse(&$0) ? StoredValue() : nil },
        copy: { _, _ in }))
  }

  /// A flow-relative property: parsed as its physical partners, stored in one of them.
  mutating func logical(_ name: StaticString, _ mapping: LogicalMapping) {
    let physical = self[mapping.targets[0]]
    let row = Longhand(
      name: name, group: physical.group, isInherited: physical.isInherited, offset: physical.offset, values: { "as \(physical.name)" },
      valueType: physical.valueType, logical: mapping, parse: physical.parse, copy: physical.copy)
    row.allowsUnitlessLength = physical.allowsUnitlessLength
    append(row)
  }

  mutating func shorthand(
    _ name: StaticString, _ longhands: [StaticString], quirks: Bool = false,
    _ parse: @escaping @Sendable (inout ValueParser, inout ShorthandValues) -> Bool
  ) {
    shorthands.append(Shorthand(name: name, longhands: longhands.map { id($0) }, hasQuirks: quirks, parse: parse))
    shorthandNames.append(name)
  }

  /// Numbers the shorthands, behind all longhands.
  mutating func numberShorthands() {
    for (index, shorthand) in shorthandNames.enumerated() { entries[Self.hash(shorthand)] = UInt16(longhands.count + index) }
  }

  /// Another name of a longhand or shorthand, which has its number.
  mutating func alias(_ alias: StaticString, _ name: StaticString) {
    guard let number = entries[Self.hash(name)] else { return }
    entries[Self.hash(alias)] = number
    aliases.append((alias, name))
  }

  func id(_ name: StaticString) -> PropertyID { PropertyID(rawValue: entries[Self.hash(name)] ?? 0) }

  subscript(property: PropertyID) -> Longhand { longhands[Int(property.rawValue)] }

  mutating func change(_ names: [StaticString], _ body: (Longhand) -> Void) {
    for name in names { body(longhands[Int(id(name).rawValue)]) }
  }
}
