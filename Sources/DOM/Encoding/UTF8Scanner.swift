/// Validates UTF-8, processing ASCII a word at a time.
enum UTF8Scanner {
  static func isValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { source in
      var index = 0
      while index < source.count {
        index = plainEnd(source, from: index)
        guard index < source.count else { return true }
        guard source[index] == 0x0D else { return false }
        index += 1
      }
      return true
    }
  }

  static func isValidWithoutReturns(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { plainEnd($0, from: 0) == $0.count }
  }

  /// The index of the first carriage return or invalid UTF-8 at or after `start`.
  static func plainEnd(_ source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < source.count {
      while index + 8 <= source.count {
        let word = UnsafeRawBufferPointer(source).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let returns = word ^ 0x0D0D_0D0D_0D0D_0D0D
        let hasReturn = (returns &- 0x0101_0101_0101_0101) & ~returns & 0x8080_8080_8080_8080
        if word & 0x8080_8080_8080_8080 | hasReturn != 0 { break }
        index += 8
      }
      guard index < source.count else { break }
      let byte = source[index]
      if byte == 0x0D { return index }
      if byte < 0x80 {
        index += 1
      } else {
        let length = sequenceLength(source, at: index)
        guard length > 0 else { return index }
        index += length
      }
    }
    return index
  }

  /// The length of the valid multibyte sequence at `index`; 0 if it is invalid.
  private static func sequenceLength(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let (length, valid) = analyse(source, at: index)
    return valid ? length : 0
  }

  /// How many bytes are replaced by one U+FFFD: the longest prefix of a valid sequence.
  ///
  /// https://encoding.spec.whatwg.org/#utf-8-decoder
  static func maximalSubpart(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int { analyse(source, at: index).length }

  private static func analyse(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> (length: Int, valid: Bool) {
    let lead = source[index]
    var lower: UInt8 = 0x80
    var upper: UInt8 = 0xBF
    let needed: Int
    switch lead {
    case 0xC2...0xDF: needed = 1
    case 0xE0...0xEF:
      needed = 2
      if lead == 0xE0 { lower = 0xA0 }
      if lead == 0xED { upper = 0x9F }
    case 0xF0...0xF4:
      needed = 3
      if lead == 0xF0 { lower = 0x90 }
      if lead == 0xF4 { upper = 0x8F }
    default: return (1, false)
    }
    for step in 1...needed {
      guard index + step < source.count, source[index + step] >= lower, source[index + step] <= upper else { return (step, false) }
      lower = 0x80
      upper = 0xBF
    }
    return (needed + 1, true)
  }
}
