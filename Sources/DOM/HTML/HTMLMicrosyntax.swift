import OffprintCoreTypes

/// Numbers in HTML attributes, following Chromium where it differs from the standard: numbers that do not fit into 32 bits are errors, and
/// lengths with `*` are ignored.
///
/// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html
public enum HTMLMicrosyntax {
  /// Nil for an error, and outside of -2³¹ to 2³¹ - 1.
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-integers
  public static func integer(_ text: some Collection<UInt8>) -> Int? {
    var rest = Array(text)[...]
    skipWhitespace(&rest)
    let isNegative = takeSign(&rest)
    guard let magnitude = magnitude(takeDigits(&rest)) else { return nil }
    let value = isNegative ? -magnitude : magnitude
    return Int32(exactly: value).map(Int.init)
  }

  /// Nil for an error, negative values, and above 2³¹ - 1.
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-non-negative-integers
  public static func nonNegativeInteger(_ text: some Collection<UInt8>) -> Int? { integer(text).flatMap { $0 >= 0 ? $0 : nil } }

  /// The value clamped to the range; nil for an error and negative values.
  /// https://html.spec.whatwg.org/multipage/common-dom-interfaces.html#clamped-to-the-range
  public static func clampedInteger(_ text: some Collection<UInt8>, _ range: ClosedRange<Int>) -> Int? {
    var rest = Array(text)[...]
    skipWhitespace(&rest)
    let isNegative = takeSign(&rest)
    guard let magnitude = magnitude(takeDigits(&rest)), !isNegative || magnitude == 0 else { return nil }
    return min(max(magnitude, range.lowerBound), range.upperBound)
  }

  /// Nil for an error and infinite values.
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-floating-point-number-values
  public static func floatingPoint(_ text: some Collection<UInt8>) -> Double? {
    var rest = Array(text)[...]
    skipWhitespace(&rest)
    let isNegative = takeSign(&rest)
    var number = takeDigits(&rest), fraction = ArraySlice<UInt8>()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard !number.isEmpty || !fraction.isEmpty else { return nil }
    if !fraction.isEmpty { number += [UInt8(ascii: ".")] + fraction }
    if number.first == UInt8(ascii: ".") { number = [UInt8(ascii: "0")] + number }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      let isSmall = takeSign(&rest), exponent = takeDigits(&rest)
      if !exponent.isEmpty { number += Array(isSmall ? "e-".utf8 : "e".utf8) + exponent }
    }
    guard let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite else { return nil }
    return isNegative ? -value : value
  }

  /// Nil if the whole text is not a valid number, or the value is infinite.
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-floating-point-number
  public static func validFloatingPoint(_ text: [UInt8]) -> Double? {
    let isPlain = text.allSatisfy { isDigit($0) || $0 == 0x2D || $0 == 0x2B || $0 == 0x2E || $0 | 0x20 == 0x65 }
    guard isPlain, let first = text.first, let last = text.last, first != 0x2B, isDigit(last) else { return nil }
    return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A length in px, or a percentage.
  public struct Dimension: Equatable, Sendable {
    /// Digits with an optional fraction.
    public var number: [UInt8]
    public var isPercentage: Bool
    public var isZero: Bool { number.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") } }
  }

  /// Nil for an error. Digits beyond the range of lengths are omitted.
  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-dimension-values
  public static func dimension(_ text: some Collection<UInt8>) -> Dimension? {
    var rest = Array(text)[...]
    skipWhitespace(&rest)
    let digits = takeDigits(&rest)
    if digits.isEmpty { return nil }
    var number = Array(digits.drop { $0 == UInt8(ascii: "0") })
    number = number.isEmpty ? [UInt8(ascii: "0")] : number.count > 9 ? Array("999999999".utf8) : number
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = takeDigits(&rest)
      if !fraction.isEmpty { number += [UInt8(ascii: ".")] + fraction.prefix(16) }
    }
    if rest.first == UInt8(ascii: "*") { return nil }
    return Dimension(number: number, isPercentage: rest.first == UInt8(ascii: "%"))
  }

  // MARK: Parsing steps

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func skipWhitespace(_ rest: inout ArraySlice<UInt8>) { rest = rest.drop(while: \.isHTMLSpace) }

  /// - Returns: Whether it is a minus sign.
  private static func takeSign(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else { return false }
    rest.removeFirst()
    return sign == UInt8(ascii: "-")
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest[digits.endIndex...]
    return digits
  }

  /// Nil without digits; clamped to 2⁴⁰.
  private static func magnitude(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.isEmpty ? nil : digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1 << 40) }
  }
}
