import OffprintCoreTypes

/// Looks up named character references in a single blob, whose entries' offsets are computed once.
struct NamedCharacterReferences {
  static let shared = NamedCharacterReferences()
  /// The length of the longest name that is recognized without a semicolon.
  static let longestLegacyName = 6
  static let longestName = 32

  private let starts: [UInt32]

  private init() {
    var starts: [UInt32] = []
    starts.reserveCapacity(2200)
    var isSeparated = true
    for (offset, byte) in Self.blob.enumerated() {
      let isSeparator = byte == 0x20 || byte == 0x0A
      if isSeparated, !isSeparator { starts.append(UInt32(truncatingIfNeeded: offset)) }
      isSeparated = isSeparator
    }
    self.starts = starts
  }

  private static var blob: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: namedCharacterReferenceTable.utf8Start, count: namedCharacterReferenceTable.utf8CodeUnitCount)
  }

  /// The code points of the reference named `name`; with `legacyOnly`, only of one that needs no semicolon.
  func lookup(_ name: some RandomAccessCollection<UInt8>, legacyOnly: Bool) -> (Unicode.Scalar, Unicode.Scalar?)? {
    let blob = Self.blob
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      let start = Int(starts[middle])
      switch compare(name, blob, start) {
      case 0: return codePoints(blob, start + name.count, legacyOnly: legacyOnly)
      case ..<0: high = middle
      default: low = middle + 1
      }
    }
    return nil
  }

  private func compare(_ name: some RandomAccessCollection<UInt8>, _ blob: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start
    for byte in name {
      let other = blob[index]
      guard other != UInt8(ascii: "="), other != UInt8(ascii: "!") else { return 1 }
      if byte != other { return Int(byte) - Int(other) }
      index += 1
    }
    return blob[index] == UInt8(ascii: "=") || blob[index] == UInt8(ascii: "!") ? 0 : -1
  }

  private func codePoints(
    _ blob: UnsafeBufferPointer<UInt8>, _ start: Int, legacyOnly: Bool
  ) -> (Unicode.Scalar, Unicode.Scalar?)? {
    if legacyOnly, blob[start] != UInt8(ascii: "!") { return nil }
    var values: [UInt32] = [0]
    for byte in blob[(start + 1)...] {
      if let digit = byte.hexDigitValue {
        values[values.count - 1] = values[values.count - 1] << 4 | digit
        continue
      }
      guard byte == UInt8(ascii: "+") else { break }
      values.append(0)
    }
    guard let first = Unicode.Scalar(values[0]) else { return nil }
    return (first, values.count > 1 ? Unicode.Scalar(values[1]) : nil)
  }
}

extension HTMLTokenizer {
  /// Appends the characters of the reference at the `&` at `start` to `text`. Returns its end, or nil if it is not a reference.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
  mutating func appendCharacterReference(at start: Int, inAttribute: Bool) -> Int? {
    let next = byte(at: start + 1)
    if next == UInt8(ascii: "#") { return appendNumericReference(at: start + 2) }
    guard next.isASCIILetter else { return nil }
    var end = start + 1
    let limit = min(source.count, end + NamedCharacterReferences.longestName)
    while end < limit, source[end].isASCIILetter || source[end].isASCIIDigit { end += 1 }
    if byte(at: end) == UInt8(ascii: ";"), let found = NamedCharacterReferences.shared.lookup(source[(start + 1)..<end], legacyOnly: false)
    {
      append(found)
      return end + 1
    }
    let longest = min(end, start + 1 + NamedCharacterReferences.longestLegacyName)
    for candidate in stride(from: longest, to: start + 2, by: -1) {
      guard let found = NamedCharacterReferences.shared.lookup(source[(start + 1)..<candidate], legacyOnly: true) else { continue }
      if byte(at: candidate) == UInt8(ascii: ";") {
        append(found)
        return candidate + 1
      }
      let follower = byte(at: candidate)
      if inAttribute, follower == UInt8(ascii: "=") || follower.isASCIILetter || follower.isASCIIDigit { return nil }
      append(found)
      return candidate
    }
    return nil
  }

  private mutating func append(_ found: (Unicode.Scalar, Unicode.Scalar?)) {
    text.appendUTF8(found.0)
    if let second = found.1 { text.appendUTF8(second) }
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-state
  private mutating func appendNumericReference(at start: Int) -> Int? {
    let isHexadecimal = byte(at: start) | 0x20 == UInt8(ascii: "x")
    let base: UInt32 = isHexadecimal ? 16 : 10
    var index = isHexadecimal ? start + 1 : start
    let digits = index
    var value: UInt32 = 0
    while index < source.count, let digit = source[index].hexDigitValue, digit < base {
      value = min(value * base + digit, 0x110000)
      index += 1
    }
    guard index > digits else { return nil }
    if byte(at: index) == UInt8(ascii: ";") { index += 1 }
    append((characterReferenceScalar(value), nil))
    return index
  }
}

/// https://html.spec.whatwg.org/multipage/parsing.html#numeric-character-reference-end-state
func characterReferenceScalar(_ value: UInt32) -> Unicode.Scalar {
  let mapped = (0x80..<0xA0).contains(value) ? UInt32(windows1252Controls[Int(value) - 0x80]) : value
  guard mapped != 0, let scalar = Unicode.Scalar(mapped) else { return "\u{FFFD}" }
  return scalar
}

/// The code points of bytes 80 to 9F in windows-1252.
let windows1252Controls: [UInt16] = [
  0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
  0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
]

extension [UInt8] {
  mutating func appendUTF8(_ scalar: Unicode.Scalar) {
    if let encoded = UTF8.encode(scalar) { append(contentsOf: encoded) }
  }
}
