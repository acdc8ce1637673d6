internal import OffprintCoreTypes

/// The key of a stored value: SHA-256 over everything that can change it.
package struct CacheKey: Hashable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64)

  /// From a digest of 32 bytes; nil for any other length.
  package init?(_ digest: some Collection<UInt8>) {
    guard digest.count == 32 else { return nil }
    self.init(exactly: digest)
  }

  /// From 64 hexadecimal digits.
  package init?(hex: String) {
    guard let bytes = Hex.decode(hex.utf8) else { return nil }
    self.init(bytes)
  }

  /// Whether a name could be mistaken for a key: 64 hexadecimal digits in any case. Such a name only ever refers to the value of that key.
  package static func isKeyShaped(_ name: String) -> Bool { name.utf8.count == 64 && CacheKey(hex: name) != nil }

  fileprivate init(exactly digest: some Sequence<UInt8>) {
    words = (0, 0, 0, 0)
    for (index, byte) in digest.enumerated() {
      switch index / 8 {
      case 0: words.0 = words.0 << 8 | UInt64(byte)
      case 1: words.1 = words.1 << 8 | UInt64(byte)
      case 2: words.2 = words.2 << 8 | UInt64(byte)
      default: words.3 = words.3 << 8 | UInt64(byte)
      }
    }
  }

  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(32)
    for word in [words.0, words.1, words.2, words.3] {
      for shift in stride(from: 56, through: 0, by: -8) { result.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
    return result
  }

  package static func == (a: CacheKey, b: CacheKey) -> Bool { a.words == b.words }
  /// A digest is uniformly distributed, so any word of it is a good hash.
  package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

  /// 62 bits of the key, which identify its lock between processes.
  var lockNumber: Int64 { Int64(words.0 >> 2) }
}

extension CacheKey: CustomStringConvertible {
  /// 64 lowercase hexadecimal digits.
  package var description: String { Hex.encode(bytes) }
}

/// One named input of a key, stored with the entry so that two keys can be compared part by part.
package struct CacheKeyPart: Hashable, Sendable {
  package var name: String
  /// The first eight bytes of the part's SHA-256, in hexadecimal.
  package var digest: String
  /// The value for people if it is short; otherwise empty.
  package var summary: String

  package init(name: String, digest: String, summary: String = "") {
    self.name = name
    self.digest = digest
    self.summary = summary
  }
}

/// Builds a key from named parts. Every value is encoded with a type tag and its length, so that different lists of values have different
/// encodings; long values are replaced by their SHA-256. The key is the digest of the whole encoding.
package struct CanonicalEncoder {
  /// The values of one part.
  package struct Fields {
    fileprivate var bytes: [UInt8]
    /// A longer value is encoded as its digest; the encoded length tells which form it is.
    private static let maximumInline = 256

    package mutating func append(_ value: String) {
      var value = value
      value.withUTF8 { append(tag: "s", $0) }
    }
    package mutating func append(_ value: [UInt8]) { value.withUnsafeBufferPointer { append(tag: "b", $0) } }
    package mutating func append(_ value: Int) { append(tag: "i", UInt64(bitPattern: Int64(value))) }
    /// All NaNs are encoded alike, as are both zeros.
    package mutating func append(_ value: Double) { append(tag: "d", (value.isNaN ? .nan : value == 0 ? 0 : value).bitPattern) }
    package mutating func append(_ value: Bool) { append(tag: "t", value ? 1 : 0) }
    package mutating func appendNone() { append(tag: "n", 0) }
    /// The number of values that follow, which makes nested lists unambiguous.
    package mutating func append(count: Int) { append(tag: "c", UInt64(bitPattern: Int64(count))) }

    private mutating func append(tag: Unicode.Scalar, _ number: UInt64) {
      bytes.append(UInt8(truncatingIfNeeded: tag.value))
      bytes.append(number)
    }

    private mutating func append(tag: Unicode.Scalar, _ value: UnsafeBufferPointer<UInt8>) {
      append(tag: tag, UInt64(value.count))
      if value.count <= Self.maximumInline {
        bytes.append(contentsOf: value)
      } else {
        var hash = SHA256()
        hash.update(UnsafeRawBufferPointer(value))
        bytes.append(contentsOf: hash.digest())
      }
    }
  }

  private struct Part {
    var name: String
    /// The range of its values in `encoded`.
    var range: Range<Int>
    var summary: String
  }

  /// Names and values of the parts, each preceded by its length.
  private var encoded: [UInt8] = []
  private var added: [Part] = []

  /// - Parameter domain: The kind of key and its version. Keys of different domains are always different.
  package init(domain: String) {
    encoded.reserveCapacity(1536)
    added.reserveCapacity(24)
    append(name: domain)
  }

  /// Adds a part that consists of several values.
  package mutating func add(_ name: String, summary: String = "", _ build: (inout Fields) -> Void) {
    append(name: name)
    let place = encoded.count
    encoded.append(UInt64(0))
    // The buffer is moved, not copied.
    var fields = Fields(bytes: encoded)
    encoded = []
    build(&fields)
    encoded = fields.bytes
    let range = place + 8..<encoded.count
    encoded.write(UInt64(range.count), at: place)
    added.append(Part(name: name, range: range, summary: summary))
  }

  /// The parts so far, in the order they were added.
  package var parts: [CacheKeyPart] {
    added.map { part in
      let digest = SHA256.hash(Array(encoded[part.range]))
      return CacheKeyPart(name: part.name, digest: Hex.encode(digest.prefix(8)), summary: Self.line(part.summary))
    }
  }

  /// At most 80 characters, without control characters.
  private static func line(_ text: String) -> String {
    if text.utf8.count <= 80, text.utf8.allSatisfy({ $0 >= 0x20 }) { return text }
    return String(text.unicodeScalars.prefix(80).map { $0.value < 0x20 ? " " : Character($0) })
  }

  package mutating func add(_ name: String, _ value: String) {
    add(name, summary: value.utf8.count <= 80 ? value : "") { $0.append(value) }
  }
  /// For large text or data; the summary is only its size.
  package mutating func add(_ name: String, _ value: [UInt8]) { add(name, summary: "\(value.count) bytes") { $0.append(value) } }
  package mutating func add(_ name: String, _ value: Int) { add(name, summary: "\(value)") { $0.append(value) } }
  package mutating func add(_ name: String, _ value: Double) { add(name, summary: "\(value)") { $0.append(value) } }
  package mutating func add(_ name: String, _ value: Bool) { add(name, summary: "\(value)") { $0.append(value) } }
  package mutating func add(_ name: String, _ value: Double?) {
    guard let value else { return add(name, summary: "none") { $0.appendNone() } }
    add(name, value)
  }
  package mutating func add(_ name: String, _ value: String?) {
    guard let value else { return add(name, summary: "none") { $0.appendNone() } }
    add(name, value)
  }
  package mutating func add(_ name: String, _ values: [String]) {
    add(name, summary: values.joined(separator: ", ")) { fields in
      fields.append(count: values.count)
      values.forEach { fields.append($0) }
    }
  }

  /// The key of the parts so far.
  package var key: CacheKey { CacheKey(exactly: SHA256.hash(encoded)) }

  private mutating func append(name: String) {
    encoded.append(UInt64(name.utf8.count))
    encoded.append(contentsOf: name.utf8)
  }
}

extension [UInt8] {
  /// Appends eight bytes, the most significant first.
  fileprivate mutating func append(_ number: UInt64) { Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) } }

  /// Overwrites eight bytes, the most significant first.
  fileprivate mutating func write(_ number: UInt64, at place: Int) {
    Swift.withUnsafeBytes(of: number.bigEndian) { replaceSubrange(place..<place + 8, with: $0) }
  }
}

enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func isLowercaseDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    var high: UInt8?
    for byte in text {
      let lower = byte | 0x20
      let value: UInt8
      switch byte {
      case 0x30...0x39: value = byte - 0x30
      case _ where lower >= 0x61 && lower <= 0x66: value = lower - 0x61 + 10
      default: return nil
      }
      if let first = high {
        result.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return result
  }
}
