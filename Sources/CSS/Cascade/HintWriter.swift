import CoreTypes
import DOM

/// Writes declarations as text, which are then parsed once for each distinct text.
struct HintWriter {
  var text: [UInt8] = []

  mutating func add(_ declaration: StaticString) {
    text.append(contentsOf: UnsafeBufferPointer(start: declaration.utf8Start, count: declaration.utf8CodeUnitCount))
    text.append(0x3B)
  }

  mutating func add(_ property: StaticString, _ value: some Sequence<UInt8>) {
    text.append(contentsOf: UnsafeBufferPointer(start: property.utf8Start, count: property.utf8CodeUnitCount))
    text.append(0x3A)
    text.append(contentsOf: value)
    text.append(0x3B)
  }

  mutating func add(_ property: StaticString, _ value: String) { add(property, value.utf8) }

  mutating func add(_ property: StaticString, px: some Sequence<UInt8>) {
    add(property, Array(px) + [0x70, 0x78])
  }

  /// A string token of `value`, behind `property:`; `isURL` puts it into `url()`.
  mutating func add(_ property: StaticString, quoted value: some Sequence<UInt8>, isURL: Bool) {
    var quoted: [UInt8] = isURL ? Array("url(\"".utf8) : [0x22]
    for byte in value {
      if byte == 0x22 || byte == 0x5C { quoted.append(0x5C) }
      if byte == 0x0A || byte == 0x0D || byte == 0x0C { continue }
      quoted.append(byte)
    }
    quoted.append(contentsOf: isURL ? [0x22, 0x29] : [0x22])
    add(property, quoted)
  }
}

/// Values of HTML attributes. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html
enum HintValue {
  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// A length in px or a percentage as CSS text; nil where there is no number.
  ///
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-dimension-values
  static func dimension(_ bytes: Bytes, nonZero: Bool = false) -> [UInt8]? {
    var index = bytes.startIndex
    while index < bytes.endIndex, isHTMLSpace(bytes[index]) { index += 1 }
    if index < bytes.endIndex, bytes[index] == 0x2B { index += 1 }
    var number: [UInt8] = []
    while index < bytes.endIndex, isDigit(bytes[index]), number.count < 9 {
      number.append(bytes[index])
      index += 1
    }
    guard !number.isEmpty else { return nil }
    if index + 1 < bytes.endIndex, bytes[index] == 0x2E, isDigit(bytes[index + 1]) {
      number.append(0x2E)
      index += 1
      while index < bytes.endIndex, isDigit(bytes[index]) {
        if number.count < 20 { number.append(bytes[index]) }
        index += 1
      }
    }
    if nonZero, !number.contains(where: { $0 != 0x30 && $0 != 0x2E }) { return nil }
    if index < bytes.endIndex, bytes[index] == 0x25 { return number + [0x25] }
    return number + [0x70, 0x78]
  }

  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-integers
  static func integer(_ bytes: Bytes) -> Int? {
    var index = bytes.startIndex
    while index < bytes.endIndex, isHTMLSpace(bytes[index]) { index += 1 }
    var isNegative = false
    if index < bytes.endIndex, bytes[index] == 0x2D || bytes[index] == 0x2B {
      isNegative = bytes[index] == 0x2D
      index += 1
    }
    guard index < bytes.endIndex, isDigit(bytes[index]) else { return nil }
    var value = 0
    while index < bytes.endIndex, isDigit(bytes[index]) {
      value = min(value * 10 + Int(bytes[index] - 0x30), Int(Int32.max))
      index += 1
    }
    return isNegative ? -value : value
  }

  static func nonNegative(_ bytes: Bytes) -> Int? { integer(bytes).flatMap { $0 >= 0 ? $0 : nil } }

  static func isKeyword(_ bytes: Bytes, _ keyword: StaticString) -> Bool { equalsIgnoringCase(Array(bytes)[...], keyword) }

  /// The six digits behind `#`. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-a-legacy-colour-value
  static func legacyColor(_ bytes: Bytes) -> [UInt8]? {
    let text = Array(bytes.trimmingHTMLSpaces)
    if text.isEmpty { return nil }
    if equalsIgnoringCase(text[...], "transparent") { return nil }
    if text.count == 4, text[0] == 0x23, text.dropFirst().allSatisfy(isHex) { return [0x23] + text.dropFirst().flatMap { [$0, $0] } }
    var scalars = String(decoding: text, as: UTF8.self).unicodeScalars.flatMap {
      $0.value > 0xFFFF ? [UInt8(0x30), 0x30] : [$0.isASCII ? UInt8($0.value) : 0x30]
    }
    if scalars.count > 128 { scalars.removeSubrange(128...) }
    if scalars.first == 0x23 { scalars.removeFirst() }
    var digits = scalars.map { isHex($0) ? $0 : 0x30 }
    while digits.isEmpty || digits.count % 3 != 0 { digits.append(0x30) }
    var length = digits.count / 3
    var parts = (0..<3).map { Array(digits[($0 * length)..<(($0 + 1) * length)]) }
    if length > 8 {
      parts = parts.map { Array($0.suffix(8)) }
      length = 8
    }
    while length > 2, parts.allSatisfy({ $0.first == 0x30 }) {
      parts = parts.map { Array($0.dropFirst()) }
      length -= 1
    }
    if length > 2 { parts = parts.map { Array($0.prefix(2)) } }
    return [0x23] + parts.flatMap { $0.count == 1 ? [0x30] + $0 : $0 }
  }

  private static func isHex(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
}
