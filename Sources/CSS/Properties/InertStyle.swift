/// The noninitial computed values of properties that do not affect images, as text. They are computed only for
/// reports (`StyleBuilder.reportsAll`), so that `cursor` or `user-select` have no cost in rendering.
struct InertStyle: StyleGroup {
  static var index: GroupIndex { .none }
  /// The values by the number of the longhand.
  var values: [Int: String] = [:]

  /// The values that a child inherits.
  func inherited(_ table: PropertyTable) -> InertStyle {
    InertStyle(values: values.filter { $0.key < table.longhands.count && table.longhands[$0.key].isInherited })
  }
}

/// A property that is parsed and has no effect on an image.
final class InertLonghand: LonghandKind, @unchecked Sendable {
  typealias Body = @Sendable (inout ValueParser) -> String?
  private let initial: String
  private let body: Body

  /// - Parameters:
  ///   - number: The number of the longhand, under which its value is stored.
  ///   - initial: The initial value; empty if Chromium does not report the property.
  init(number: Int, grammar: String, initial: String, _ body: @escaping Body) {
    self.initial = initial
    self.body = body
    super.init(offset: number, grammar: grammar)
  }

  override func parse(_ parser: inout ValueParser) -> StoredValue? { body(&parser).map { InertValue($0) } }

  override func copy(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
    let value = from.assumingMemoryBound(to: InertStyle.self).pointee.values[offset]
    to.assumingMemoryBound(to: InertStyle.self).pointee.values[offset] = value
  }

  override func read(_ group: UnsafeRawPointer, _ writer: ComputedTextWriter) -> String? {
    if initial.isEmpty { return nil }
    let text = group.assumingMemoryBound(to: InertStyle.self).pointee.values[offset] ?? initial
    return text.split(byte: " ").map { $0 == Self.currentColor ? writer.text(writer.color) : String($0) }.joined(separator: " ")
  }

  /// The keyword is stored, because descendants inherit it.
  static let currentColor = "currentcolor"
}

/// A value of a property without effect: its text.
private final class InertValue: StoredValue, @unchecked Sendable {
  private let text: String

  init(_ text: String) {
    self.text = text
    super.init()
  }

  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    group.assumingMemoryBound(to: InertStyle.self).pointee.values[offset] = text
  }
}

extension TableBuilder {
  /// A property that is parsed and has no effect on an image.
  mutating func inert(
    _ name: StaticString, _ grammar: String, initial: String, inherited: Bool = false, _ parse: @escaping InertLonghand.Body
  ) {
    let number = longhands.count
    append(
      Longhand(name, .none, isInherited: inherited) { InertLonghand(number: number, grammar: grammar, initial: initial, parse) })
  }
}
