internal import Synchronization

/// The groups of `StyleRecord`; `none` for properties that do not affect images.
enum GroupIndex: UInt8, Sendable { case font, text, box, border, background, align, effects, content, svg, none }

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

extension SVGStyle: StyleGroup { static var index: GroupIndex { .svg } }

/// The order in which properties are computed, because later ones refer to earlier ones.
enum ComputePhase: UInt8, Sendable, CaseIterable { case first, fontSize, lineHeight, color, rest }

/// A longhand: one row of the table. Changed only while the table is filled.
final class Longhand: @unchecked Sendable {
  let name: StaticString
  let group: GroupIndex
  let phase: ComputePhase
  let isInherited: Bool
  let logical: LogicalMapping?
  var allowsUnitlessLength = false
  var allowsHashlessColor = false
  /// The unit of values that are plain numbers.
  var numberUnit = ""
  /// The fact that a winning declaration records: its origin, or for margins the unit `__qem`.
  var origins: StyleOrigins = []
  var isMargin: Bool { origins.rawValue >= StyleOrigins.quirkyMarginTop.rawValue }
  private let make: @Sendable () -> LonghandKind
  private let made = AtomicLazyReference<LonghandKind>()

  init(
    _ name: StaticString, _ group: GroupIndex, phase: ComputePhase = .rest, isInherited: Bool? = nil, logical: LogicalMapping? = nil,
    _ make: @escaping @Sendable () -> LonghandKind
  ) {
    self.name = name
    self.group = group
    self.phase = phase
    self.isInherited = isInherited ?? (group == .font || group == .text || group == .svg)
    self.logical = logical
    self.make = make
  }

  /// Created on first use: a page declares few of the properties, and creating each type of value is expensive for the runtime.
  var kind: LonghandKind { made.load() ?? made.storeIfNil(make()) }
}

/// Parses and stores a longhand. Kinds are classes instead of closures for each row: there are hundreds of rows, and each closure would be
/// compiled separately.
class LonghandKind: @unchecked Sendable {
  /// The byte offset of the field in its group.
  let offset: Int
  private let grammar: String

  init(offset: Int = 0, grammar: String) {
    self.offset = offset
    self.grammar = grammar
  }

  /// The grammar, for documentation.
  var values: String { grammar }
  /// The type of the field; nil if there are several fields.
  var valueType: ObjectIdentifier? { nil }
  /// Parses a specified value; nil if invalid.
  func parse(_ parser: inout ValueParser) -> StoredValue? { nil }
  /// Copies the value from one group to another.
  func copy(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {}
  /// Interpolates the values of two groups; nil if they cannot be interpolated.
  func interpolated(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ part: Double) -> StoredValue? { nil }
  /// Adds the value of `b` to that of `a`; nil if they cannot be added.
  func sum(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ composition: AnimationStyle.Composition) -> StoredValue? { nil }
  /// The value in a group; nil if it is not stored.
  func stored(_ group: UnsafeRawPointer) -> StoredValue? { nil }
  /// The text of the value in a group; nil if it is not stored.
  func read(_ group: UnsafeRawPointer, _ writer: ComputedTextWriter) -> String? { nil }
}

/// A property with one stored field.
class FieldLonghand<Value: Sendable>: LonghandKind, @unchecked Sendable {
  typealias Read = @Sendable (Value, ComputedTextWriter) -> String
  private let reader: Read?

  init(offset: Int, grammar: String, read: Read?) {
    reader = read
    super.init(offset: offset, grammar: grammar)
  }

  override final var valueType: ObjectIdentifier? { ObjectIdentifier(Value.self) }

  func specify(_ parser: inout ValueParser) -> Specified<Value>? { nil }

  override final func parse(_ parser: inout ValueParser) -> StoredValue? {
    guard let value = specify(&parser) else { return nil }
    return StoredValue.field(value, isQuirky: parser.isQuirky)
  }

  override final func copy(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
    (to + offset).assumingMemoryBound(to: Value.self).pointee = (from + offset).assumingMemoryBound(to: Value.self).pointee
  }

  override final func interpolated(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ part: Double) -> StoredValue? {
    let from = (a + offset).assumingMemoryBound(to: Value.self).pointee, to = (b + offset).assumingMemoryBound(to: Value.self).pointee
    return OffprintCSS.interpolated(from, to, part).map { FieldValue($0) }
  }

  override final func sum(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ composition: AnimationStyle.Composition) -> StoredValue? {
    let under = (a + offset).assumingMemoryBound(to: Value.self).pointee, over = (b + offset).assumingMemoryBound(to: Value.self).pointee
    return OffprintCSS.sum(under, over, composition).map { FieldValue($0) }
  }

  override final func stored(_ group: UnsafeRawPointer) -> StoredValue? {
    FieldValue((group + offset).assumingMemoryBound(to: Value.self).pointee)
  }

  override func read(_ group: UnsafeRawPointer, _ writer: ComputedTextWriter) -> String? {
    let value = (group + offset).assumingMemoryBound(to: Value.self).pointee
    return reader?(value, writer) ?? writer.text(value)
  }
}

/// A property whose values are the same for all elements with the same color scheme.
final class PlainLonghand<Value: Sendable>: FieldLonghand<Value>, @unchecked Sendable {
  typealias Body = @Sendable (inout ValueParser) -> Value?
  private let body: Body

  init(offset: Int, grammar: String, read: Read?, _ body: @escaping Body) {
    self.body = body
    super.init(offset: offset, grammar: grammar, read: read)
  }

  override func specify(_ parser: inout ValueParser) -> Specified<Value>? { parser.specified(body) }
}

/// A property with its own way of resolving values relative to the element.
final class SpecifiedLonghand<Value: Sendable>: FieldLonghand<Value>, @unchecked Sendable {
  typealias Body = @Sendable (inout ValueParser) -> Specified<Value>?
  private let body: Body

  init(offset: Int, grammar: String, read: Read?, _ body: @escaping Body) {
    self.body = body
    super.init(offset: offset, grammar: grammar, read: read)
  }

  override func specify(_ parser: inout ValueParser) -> Specified<Value>? { body(&parser) }
}

/// A keyword property. Equality is passed as a parameter, as in all generic classes here: if `Value` required it, the runtime would search
/// all conformances of the program for each of about eighty types, which takes several milliseconds at each start.
final class KeywordLonghand<Value: Sendable>: FieldLonghand<Value>, @unchecked Sendable {
  private let table: [(StaticString, Value)]
  private let areEqual: @Sendable (Value, Value) -> Bool

  init(offset: Int, _ table: [(StaticString, Value)], areEqual: @escaping @Sendable (Value, Value) -> Bool) {
    self.table = table
    self.areEqual = areEqual
    super.init(offset: offset, grammar: "", read: nil)
  }

  override var values: String { table.map { "\($0.0)" }.joined(separator: " | ") }

  override func specify(_ parser: inout ValueParser) -> Specified<Value>? { parser.keyword(of: table).map { .value($0) } }

  override func read(_ group: UnsafeRawPointer, _ writer: ComputedTextWriter) -> String? {
    let value = (group + offset).assumingMemoryBound(to: Value.self).pointee
    return table.first { areEqual($0.1, value) }.map { "\($0.0)" } ?? ComputedTextWriter.keyword("\(value)")
  }
}

/// A property with several fields.
final class FieldsLonghand<Group, Value: Sendable>: LonghandKind, @unchecked Sendable {
  typealias Body = @Sendable (inout ValueParser) -> Specified<Value>?
  typealias Set = @Sendable (inout Group, Value) -> Void
  typealias Get = @Sendable (Group) -> Value
  private let body: Body
  private let set: Set
  private let get: Get

  init(grammar: String, _ body: @escaping Body, set: @escaping Set, get: @escaping Get) {
    self.body = body
    self.set = set
    self.get = get
    super.init(grammar: grammar)
  }

  override func parse(_ parser: inout ValueParser) -> StoredValue? {
    switch body(&parser) {
    case .value(let value)?: FieldsValue(value, set: set)
    case .relative(let compute)?: RelativeFieldsValue(compute, set: set)
    case nil: nil
    }
  }

  override func copy(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
    set(&to.assumingMemoryBound(to: Group.self).pointee, get(from.assumingMemoryBound(to: Group.self).pointee))
  }

  override func interpolated(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ part: Double) -> StoredValue? {
    let from = get(a.assumingMemoryBound(to: Group.self).pointee), to = get(b.assumingMemoryBound(to: Group.self).pointee)
    return OffprintCSS.interpolated(from, to, part).map { FieldsValue($0, set: set) }
  }

  override func sum(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ composition: AnimationStyle.Composition) -> StoredValue? {
    let under = get(a.assumingMemoryBound(to: Group.self).pointee), over = get(b.assumingMemoryBound(to: Group.self).pointee)
    return OffprintCSS.sum(under, over, composition).map { FieldsValue($0, set: set) }
  }

  override func stored(_ group: UnsafeRawPointer) -> StoredValue? {
    FieldsValue(get(group.assumingMemoryBound(to: Group.self).pointee), set: set)
  }

  override func read(_ group: UnsafeRawPointer, _ writer: ComputedTextWriter) -> String? {
    writer.text(get(group.assumingMemoryBound(to: Group.self).pointee))
  }
}

/// A flow-relative property: parsed as its physical partners, stored in one of them.
final class LogicalLonghand: LonghandKind, @unchecked Sendable {
  private let physical: LonghandKind

  init(_ physical: Longhand) {
    self.physical = physical.kind
    super.init(offset: self.physical.offset, grammar: "as \(physical.name)")
  }

  override var valueType: ObjectIdentifier? { physical.valueType }
  override func parse(_ parser: inout ValueParser) -> StoredValue? { physical.parse(&parser) }
  override func copy(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) { physical.copy(from, to) }
}

struct Shorthand: Sendable {
  let name: StaticString
  let longhands: [PropertyID]
  /// Whether unitless lengths and hashless colors are allowed is determined by its longhands.
  var hasQuirks = false
  let parse: @Sendable (inout ValueParser, inout ShorthandValues) -> Bool
}
