import OffprintCoreTypes

/// A specified value.
class StoredValue: @unchecked Sendable {
  /// Whether the unit is `__qem`, for user agent margins that collapse away in quirks mode.
  let isQuirky: Bool
  init(isQuirky: Bool = false) { self.isQuirky = isQuirky }
  /// Writes the computed value into `group`, with the field at byte offset `offset`.
  func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {}
}

/// A value stored in a single field.
final class FieldValue<Value: Sendable>: StoredValue, @unchecked Sendable {
  let value: Value
  init(_ value: Value) {
    self.value = value
    super.init()
  }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    (group + offset).assumingMemoryBound(to: Value.self).pointee = value
  }
}

/// A value stored in a single field and relative to the element.
final class RelativeFieldValue<Value>: StoredValue, @unchecked Sendable {
  let compute: @Sendable (ElementContext) -> Value
  init(_ compute: @escaping @Sendable (ElementContext) -> Value, isQuirky: Bool) {
    self.compute = compute
    super.init(isQuirky: isQuirky)
  }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    (group + offset).assumingMemoryBound(to: Value.self).pointee = compute(element)
  }
}

extension StoredValue {
  /// Creates the value of a property that is stored in a single field.
  static func field<Value>(_ value: Specified<Value>, isQuirky: Bool = false) -> StoredValue {
    switch value {
    case .value(let value): FieldValue(value)
    case .relative(let compute): RelativeFieldValue(compute, isQuirky: isQuirky)
    }
  }
}

/// A value stored in several fields and relative to the element.
final class RelativeFieldsValue<Group, Value>: StoredValue, @unchecked Sendable {
  let compute: @Sendable (ElementContext) -> Value
  let set: @Sendable (inout Group, Value) -> Void
  init(_ compute: @escaping @Sendable (ElementContext) -> Value, set: @escaping @Sendable (inout Group, Value) -> Void) {
    self.compute = compute
    self.set = set
    super.init()
  }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    set(&group.assumingMemoryBound(to: Group.self).pointee, compute(element))
  }
}

/// A value stored in several fields.
final class FieldsValue<Group, Value: Sendable>: StoredValue, @unchecked Sendable {
  let value: Value
  let set: @Sendable (inout Group, Value) -> Void
  init(_ value: Value, set: @escaping @Sendable (inout Group, Value) -> Void) {
    self.value = value
    self.set = set
    super.init()
  }
  override func store(to group: UnsafeMutableRawPointer, offset: Int, element: ElementContext) {
    set(&group.assumingMemoryBound(to: Group.self).pointee, value)
  }
}
