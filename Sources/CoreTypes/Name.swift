/// An interned name: element and attribute names, classes, ids, custom properties. Two names of one `NameTable` are equal exactly if their
/// bytes are.
@frozen public struct Name: Hashable, Sendable, BitwiseCopyable {
  public var raw: UInt32
  @inlinable public init(raw: UInt32) { self.raw = raw }
  /// The empty name, the same in every table.
  @inlinable public static var empty: Name { Name(raw: 0) }
}

/// Assigns a number to each distinct byte string. It is a value type: one table with the names of the standards is created once and copied
/// for each page.
public struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = [0]  // the end of name i; its start is the end of name i - 1
  private var slots: [UInt32]  // open addressing; each slot is a name's number + 1, or 0
  private var mask: Int

  public init() {
    slots = Array(repeating: 0, count: 1024)
    mask = 1023
    slots[Self.hash([][...]) & mask] = 1
  }

  public var count: Int { ends.count }

  /// The number of `text`, assigned if it is new.
  public mutating func intern(_ text: ArraySlice<UInt8>) -> Name {
    text.withUnsafeBufferPointer { intern($0) }
  }

  public mutating func intern(_ text: [UInt8]) -> Name { intern(text[...]) }

  public mutating func intern(_ text: String) -> Name { intern(Array(text.utf8)) }

  @discardableResult
  public mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> Name {
    var slot = Self.hash(text) & mask
    while slots[slot] != 0 {
      let candidate = slots[slot] - 1
      if equals(candidate, text) { return Name(raw: candidate) }
      slot = (slot + 1) & mask
    }
    let number = UInt32(ends.count)
    bytes.append(contentsOf: text)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    slots[slot] = number + 1
    if ends.count * 2 > slots.count { grow() }
    return Name(raw: number)
  }

  /// The number of `text`, or nil if it is not in the table, in which case it matches nothing.
  public func lookup(_ text: ArraySlice<UInt8>) -> Name? {
    text.withUnsafeBufferPointer { text in
      var slot = Self.hash(text) & mask
      while slots[slot] != 0 {
        let candidate = slots[slot] - 1
        if equals(candidate, text) { return Name(raw: candidate) }
        slot = (slot + 1) & mask
      }
      return nil
    }
  }

  /// The bytes of `name`; empty if `name` is out of range, which can only happen with a name of another table.
  public subscript(name: Name) -> ArraySlice<UInt8> { bytes[range(name.raw)] }

  public func string(_ name: Name) -> String { String(decoding: self[name], as: UTF8.self) }

  private func range(_ number: UInt32) -> Range<Int> {
    let index = Int(number)
    guard index > 0, index < ends.count else { return 0..<0 }
    return Int(ends[index - 1])..<Int(ends[index])
  }

  private func equals(_ number: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = range(number)
    guard range.count == text.count else { return false }
    return bytes.withUnsafeBufferPointer { $0[range].elementsEqual(text) }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for number in 0..<UInt32(ends.count) {
      var slot = Self.hash(bytes[range(number)]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = number + 1
    }
  }

  private static func hash(_ text: some Sequence<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash ^ (hash >> 29)) & Int.max
  }
}
