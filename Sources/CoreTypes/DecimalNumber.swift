extension Double {
  /// A decimal number as users write it: digits with an optional sign, fraction and exponent.
  ///
  /// Swift's own initializer also accepts hexadecimal numbers, `inf` and `nan`, which are invalid in options, fields and parameters.
  /// - Returns: nil for any other text, and for values beyond the range of `Double`.
  package init?(decimal text: some StringProtocol) {
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let value = Double(text), value.isFinite else { return nil }
    self = value
  }
}
