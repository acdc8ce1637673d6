/// An integer beyond 2^53. `Double` would round it, so that order numbers that differ in their last digit would become equal.
package struct JSONInteger: Hashable, Sendable {
  /// The digits as in JSON: without a plus sign and leading zeros.
  package let digits: String

  /// - Parameter text: Decimal digits after an optional sign; leading zeros are allowed.
  /// - Returns: Nil for text of another form, integers up to 2^53, and integers beyond the range of `Double`.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    let unsigned = bytes.dropFirst(isNegative || bytes.first == UInt8(ascii: "+") ? 1 : 0)
    let magnitude = unsigned.drop { $0 == UInt8(ascii: "0") }
    guard magnitude.allSatisfy({ (0x30...0x39).contains($0) }), Self.isBeyondDouble(magnitude) else { return nil }
    digits = (isNegative ? "-" : "") + String(decoding: magnitude, as: UTF8.self)
    guard rounded.isFinite else { return nil }
  }

  private static func isBeyondDouble(_ magnitude: ArraySlice<UInt8>) -> Bool {
    let maximum = Array("9007199254740992".utf8)
    return magnitude.count == maximum.count ? maximum.lexicographicallyPrecedes(magnitude) : magnitude.count > maximum.count
  }

  var isNegative: Bool { digits.utf8.first == UInt8(ascii: "-") }

  /// The nearest `Double`.
  package var rounded: Double { Double(digits) ?? .infinity }
}

extension JSONInteger: Comparable {
  package static func < (left: JSONInteger, right: JSONInteger) -> Bool {
    guard left.isNegative == right.isNegative else { return left.isNegative }
    let (low, high) = left.isNegative ? (right.digits.utf8, left.digits.utf8) : (left.digits.utf8, right.digits.utf8)
    return low.count == high.count ? low.lexicographicallyPrecedes(high) : low.count < high.count
  }
}
