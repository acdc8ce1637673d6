import OffprintCoreTypes
import OffprintDOM

/// Writes hints as CSS text, so that each distinct text is parsed only once.
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

  /// Adds a declaration with `value` as a string token, or as `url()` if `isURL`.
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

/// Parses values of HTML attributes. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html
enum HintValue {
  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// A length in px or a percentage, as CSS text; nil if the value is not a number.
  ///
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-dimension-values
  static func dimension(_ bytes: Bytes, nonZero: Bool = false) -> [UInt8]? {
    guard let dimension = HTMLMicrosyntax.dimension(bytes), !nonZero || !dimension.isZero else { return nil }
    return dimension.number + Array(dimension.isPercentage ? "%".utf8 : "px".utf8)
  }

  static func isKeyword(_ bytes: Bytes, _ keyword: StaticString) -> Bool { equalsIgnoringCase(Array(bytes)[...], keyword) }
}
