import OffprintCoreTypes

extension HTMLMicrosyntax {
  /// `#` and six digits; nil for an invalid color.
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-a-legacy-colour-value
  public static func legacyColor(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    if bytes.isEmpty { return nil }
    let text = Array(Array(bytes).trimmingHTMLSpaces)
    if text.lazy.map(\.asciiLowercased).elementsEqual("transparent".utf8) { return nil }
    if text.count == 4, text[0] == UInt8(ascii: "#"), text.dropFirst().allSatisfy(isHexDigit) {
      return [UInt8(ascii: "#")] + text.dropFirst().flatMap { [$0, $0] }
    }
    let digits = colorDigits(text), zero = UInt8(ascii: "0")
    var length = digits.count / 3
    var parts = (0..<3).map { digits[($0 * length)..<(($0 + 1) * length)] }
    if length > 8 {
      parts = parts.map { $0.suffix(8) }
      length = 8
    }
    while length > 2, parts.allSatisfy({ $0.first == zero }) {
      parts = parts.map { $0.dropFirst() }
      length -= 1
    }
    return [UInt8(ascii: "#")] + parts.flatMap { $0.count == 1 ? [zero] + $0 : Array($0.prefix(2)) }
  }

  /// Reduces hexadecimal digits, whose number is a positive multiple of three, to six: steps 6 to 12.
  private static func colorDigits(_ text: [UInt8]) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    var digits = String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { scalar in
      scalar.value > 0xFFFF ? [zero, zero] : [scalar.isASCII ? UInt8(scalar.value) : zero]
    }
    if digits.count > 128 { digits.removeSubrange(128...) }
    if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
    digits = digits.map { isHexDigit($0) ? $0 : zero }
    while digits.isEmpty || digits.count % 3 != 0 { digits.append(zero) }
    return digits
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (byte | 0x20) &- 0x61 < 6 }
}
