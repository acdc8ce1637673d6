/// Fills the property table.
struct TableBuilder {
  var longhands: [Longhand] = []
  var shorthands: [Shorthand] = []
  var entries = HashTable<UInt16>(minimumCapacity: 1024)
  var aliases: [(alias: StaticString, name: StaticString)] = []
  private var shorthandNames: [StaticString] = []

  init() {
    // `custom` and `all` have numbers, but are not found by name.
    for name in ["--*", "all"] as [StaticString] {
      longhands.append(Longhand(name, .none) { LonghandKind(grammar: "") })
    }
  }

  private static func hash(_ name: StaticString) -> UInt64 { name.withUTF8Buffer { $0.foldedHash } }

  mutating func append(_ longhand: Longhand) {
    entries[Self.hash(longhand.name)] = UInt16(longhands.count)
    longhands.append(longhand)
  }

  private mutating func append(
    _ name: StaticString, _ group: GroupIndex, _ phase: ComputePhase, _ make: @escaping @Sendable () -> LonghandKind
  ) {
    append(Longhand(name, group, phase: phase, make))
  }

  /// A property that is one stored field of a group.
  @inline(__always) mutating func field<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, _ grammar: String,
    phase: ComputePhase = .rest,
    read: (@Sendable (Value, ComputedTextWriter) -> String)? = nil, _ parse: @escaping @Sendable (inout ValueParser) -> Value?
  ) {
    let offset = Self.offset(path)
    append(name, Group.index, phase) { PlainLonghand(offset: offset, grammar: grammar, read: read, parse) }
  }

  /// A property that is one stored field of lengths and percentages.
  @inline(__always) mutating func field<Group: StyleGroup, Value: LengthRelative>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, _ grammar: String,
    phase: ComputePhase = .rest,
    read: (@Sendable (Value, ComputedTextWriter) -> String)? = nil, _ parse: @escaping @Sendable (inout ValueParser) -> Value?
  ) {
    let offset = Self.offset(path)
    append(name, Group.index, phase) { SpecifiedLonghand(offset: offset, grammar: grammar, read: read, Self.lengths(parse)) }
  }

  /// Parses values of lengths and percentages; compiled for each type, not for each row.
  @inline(never) private static func lengths<Value: LengthRelative>(
    _ parse: @escaping @Sendable (inout ValueParser) -> Value?
  ) -> @Sendable (inout ValueParser) -> Specified<Value>? {
    { $0.specifiedLengths(parse) }
  }

  /// A property that is one stored field of a group, whose values may be relative to the element.
  @inline(__always) mutating func specified<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, _ grammar: String,
    phase: ComputePhase = .rest,
    read: (@Sendable (Value, ComputedTextWriter) -> String)? = nil, _ parse: @escaping @Sendable (inout ValueParser) -> Specified<Value>?
  ) {
    let offset = Self.offset(path)
    append(name, Group.index, phase) { SpecifiedLonghand(offset: offset, grammar: grammar, read: read, parse) }
  }

  /// A property that is a keyword.
  @inline(__always) mutating func keywords<Group: StyleGroup, Value: Equatable & Sendable>(
    _ name: StaticString, _ path: WritableKeyPath<Group, Value>, phase: ComputePhase = .rest,
    _ table: @autoclosure @escaping @Sendable () -> [(StaticString, Value)]
  ) {
    let offset = Self.offset(path)
    append(name, Group.index, phase) { KeywordLonghand(offset: offset, table(), areEqual: { $0 == $1 }) }
  }

  /// Every path in the table is one of stored fields, which have an offset; the table's test shows it.
  @inline(__always) private static func offset<Group, Value>(_ path: WritableKeyPath<Group, Value>) -> Int {
    MemoryLayout<Group>.offset(of: path) ?? 0
  }

  /// A property that is several fields.
  mutating func fields<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ grammar: String, phase: ComputePhase = .rest, parse: @escaping @Sendable (inout ValueParser) -> Value?,
    set: @escaping @Sendable (inout Group, Value) -> Void, get: @escaping @Sendable (Group) -> Value
  ) {
    specifiedFields(name, grammar, phase: phase, parse: { $0.specified(parse) }, set: set, get: get)
  }

  /// A property that is several fields of lengths and percentages.
  mutating func fields<Group: StyleGroup, Value: LengthRelative>(
    _ name: StaticString, _ grammar: String, phase: ComputePhase = .rest, parse: @escaping @Sendable (inout ValueParser) -> Value?,
    set: @escaping @Sendable (inout Group, Value) -> Void, get: @escaping @Sendable (Group) -> Value
  ) {
    specifiedFields(name, grammar, phase: phase, parse: Self.lengths(parse), set: set, get: get)
  }

  /// A property that is several fields, whose values may be relative to the element.
  mutating func specifiedFields<Group: StyleGroup, Value: Sendable>(
    _ name: StaticString, _ grammar: String, phase: ComputePhase = .rest,
    parse: @escaping @Sendable (inout ValueParser) -> Specified<Value>?,
    set: @escaping @Sendable (inout Group, Value) -> Void, get: @escaping @Sendable (Group) -> Value
  ) {
    append(name, Group.index, phase) { FieldsLonghand(grammar: grammar, parse, set: set, get: get) }
  }

  /// A flow-relative property: parsed as its physical partners, stored in one of them.
  mutating func logical(_ name: StaticString, _ mapping: LogicalMapping) {
    let physical = self[mapping.targets[0]]
    let row = Longhand(name, physical.group, isInherited: physical.isInherited, logical: mapping) { LogicalLonghand(physical) }
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

  /// Numbers the shorthands, after all longhands.
  mutating func numberShorthands() {
    for (index, shorthand) in shorthandNames.enumerated() { entries[Self.hash(shorthand)] = UInt16(longhands.count + index) }
  }

  /// Registers an alias of a longhand or shorthand, with the same number.
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
