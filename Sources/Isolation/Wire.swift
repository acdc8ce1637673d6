/// Malformed data. A worker may send anything.
struct WireError: Error, Hashable {
  var reason: String
  init(_ reason: String) { self.reason = reason }
}

/// Encodes values in sequence: numbers as eight bytes in little-endian order, variable-length values preceded by their length.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
  mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }
  mutating func add(_ value: Bool) { bytes.append(value ? 1 : 0) }
  mutating func add(_ value: Double) { add(value.bitPattern) }
  mutating func add(_ value: [UInt8]) {
    add(value.count)
    bytes += value
  }
  mutating func add(_ value: String) {
    add(value.utf8.count)
    bytes += value.utf8
  }
  mutating func add<T>(_ value: T?, _ body: (inout WireWriter, T) -> Void) {
    add(value != nil)
    if let value { body(&self, value) }
  }
  mutating func add<T>(_ values: [T], _ body: (inout WireWriter, T) -> Void) {
    add(values.count)
    for value in values { body(&self, value) }
  }
}

/// Decodes what `WireWriter` encoded. Any other input is an error, and never allocates more memory than the input has bytes.
struct WireReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func take(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.count - position else { throw WireError("the message ends early") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func number() throws(WireError) -> UInt64 { try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) } }
  mutating func integer() throws(WireError) -> Int { Int(Int64(bitPattern: try number())) }
  mutating func flag() throws(WireError) -> Bool {
    switch try take(1).first {
    case 0: return false
    case 1: return true
    default: throw WireError("a flag is neither 0 nor 1")
    }
  }
  mutating func double() throws(WireError) -> Double { Double(bitPattern: try number()) }
  mutating func byteArray() throws(WireError) -> [UInt8] { Array(try take(try integer())) }
  /// Invalid UTF-8 is replaced by U+FFFD.
  mutating func string() throws(WireError) -> String { String(decoding: try take(try integer()), as: UTF8.self) }
  mutating func optional<T>(_ body: (inout WireReader) throws(WireError) -> T) throws(WireError) -> T? {
    try flag() ? try body(&self) : nil
  }
  mutating func array<T>(_ body: (inout WireReader) throws(WireError) -> T) throws(WireError) -> [T] {
    let count = try integer()
    // Each element takes at least one byte.
    guard count >= 0, count <= bytes.count - position else { throw WireError("a list is longer than the message") }
    var values: [T] = []
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }
  mutating func named<T: RawRepresentable>(_ type: T.Type) throws(WireError) -> T where T.RawValue == String {
    let name = try string()
    guard let value = T(rawValue: name) else { throw WireError("unknown \(type) '\(name.prefix(40))'") }
    return value
  }
  func end() throws(WireError) {
    guard position == bytes.count else { throw WireError("the message has extra data") }
  }
}
