package import OffprintCoreTypes
import Glibc

/// The SVG `transform` attribute. https://www.w3.org/TR/css-transforms-1/#svg-syntax
package enum SVGTransformList {
  private static let maximumFunctions = 1000

  /// Nil on an error; the attribute is then ignored.
  package static func parse(_ bytes: some Sequence<UInt8>) -> AffineTransform? {
    var scanner = SVGNumberScanner(bytes)
    var result = AffineTransform.identity
    scanner.skipSpace()
    for _ in 0..<maximumFunctions where !scanner.isAtEnd {
      guard let name = scanner.word() else { return nil }
      scanner.skipSpace()
      guard scanner.skip(UInt8(ascii: "(")) else { return nil }
      var values: [Double] = []
      while values.count < 7 {
        guard let value = scanner.number() else { break }
        values.append(value)
        let hasComma = scanner.skipSpaceAndComma()
        if hasComma, scanner.next == UInt8(ascii: ")") { return nil }
      }
      scanner.skipSpace()
      guard scanner.skip(UInt8(ascii: ")")), let next = matrix(name, values) else { return nil }
      result = result.concatenating(next)
      scanner.skipSpaceAndComma()
    }
    return scanner.isAtEnd && result.isFinite ? result : nil
  }

  private static func matrix(_ name: String, _ v: [Double]) -> AffineTransform? {
    switch (name, v.count) {
    case ("matrix", 6): return AffineTransform(a: v[0], b: v[1], c: v[2], d: v[3], e: v[4], f: v[5])
    case ("translate", 1): return .translation(v[0], 0)
    case ("translate", 2): return .translation(v[0], v[1])
    case ("scale", 1): return AffineTransform(a: v[0], b: 0, c: 0, d: v[0], e: 0, f: 0)
    case ("scale", 2): return AffineTransform(a: v[0], b: 0, c: 0, d: v[1], e: 0, f: 0)
    case ("rotate", 1): return rotation(v[0])
    case ("rotate", 3):
      return .translation(v[1], v[2]).concatenating(rotation(v[0])).concatenating(.translation(-v[1], -v[2]))
    case ("skewX", 1): return AffineTransform(a: 1, b: 0, c: tan(v[0] * .pi / 180), d: 1, e: 0, f: 0)
    case ("skewY", 1): return AffineTransform(a: 1, b: tan(v[0] * .pi / 180), c: 0, d: 1, e: 0, f: 0)
    default: return nil
    }
  }

  private static func rotation(_ degrees: Double) -> AffineTransform {
    let c = cos(degrees * .pi / 180), s = sin(degrees * .pi / 180)
    return AffineTransform(a: c, b: s, c: -s, d: c, e: 0, f: 0)
  }
}

/// Scans numbers in SVG attributes. https://www.w3.org/TR/SVG2/types.html#InterfaceSVGNumber
package struct SVGNumberScanner {
  package let bytes: [UInt8]
  package private(set) var index = 0

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package var isAtEnd: Bool { index >= bytes.count }
  package var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  package mutating func advance() { if index < bytes.count { index += 1 } }

  package mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  package mutating func skipSpace() {
    while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) { index += 1 }
  }

  /// Skips whitespace and at most one comma.
  @discardableResult package mutating func skipSpaceAndComma() -> Bool {
    skipSpace()
    guard skip(0x2C) else { return false }
    skipSpace()
    return true
  }

  /// Consumes ASCII letters.
  package mutating func word() -> String? {
    let start = index
    while index < bytes.count, (bytes[index] | 0x20) &- 0x61 < 26 { index += 1 }
    return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
  }

  /// Consumes a number; nothing is consumed on failure.
  package mutating func number() -> Double? {
    var end = index, digits = 0
    if end < bytes.count, bytes[end] == 0x2B || bytes[end] == 0x2D { end += 1 }
    while end < bytes.count, isDigit(bytes[end]) { end += 1; digits += 1 }
    if end < bytes.count, bytes[end] == 0x2E {
      var fraction = end + 1
      while fraction < bytes.count, isDigit(bytes[fraction]) { fraction += 1; digits += 1 }
      if fraction > end + 1 || digits > 0 { end = fraction }
    }
    guard digits > 0 else { return nil }
    if end < bytes.count, bytes[end] | 0x20 == 0x65 {
      var exponent = end + 1
      if exponent < bytes.count, bytes[exponent] == 0x2B || bytes[exponent] == 0x2D { exponent += 1 }
      let first = exponent
      while exponent < bytes.count, isDigit(bytes[exponent]) { exponent += 1 }
      if exponent > first { end = exponent }
    }
    var text = String(decoding: bytes[index..<end], as: UTF8.self)
    if text.utf8.last == 0x2E { text.append("0") }
    guard let value = Double(text), value.isFinite else { return nil }
    index = end
    return max(-1e9, min(1e9, value))
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
