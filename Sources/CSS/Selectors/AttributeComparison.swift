/// Compares an attribute value with that of a selector, in time linear in both.
///
/// https://drafts.csswg.org/selectors-4/#attribute-representation
struct AttributeComparison {
  let operation: AttributeTest.Operation
  let ignoresCase: Bool

  func holds(_ bytes: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    switch operation {
    case .exists: return true
    case .equals: return bytes.count == value.count && starts(bytes, with: value)
    case .includes: return hasWord(bytes, value)
    case .dashMatch: return starts(bytes, with: value) && (bytes.count == value.count || bytes[value.count] == 0x2D)
    case .prefix: return !value.isEmpty && starts(bytes, with: value)
    case .suffix:
      guard !value.isEmpty, bytes.count >= value.count else { return false }
      return starts(UnsafeBufferPointer(rebasing: bytes[(bytes.count - value.count)...]), with: value)
    case .substring:
      guard !value.isEmpty, bytes.count >= value.count else { return false }
      return contains(bytes, value)
    }
  }

  private func starts(_ bytes: UnsafeBufferPointer<UInt8>, with value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= value.count else { return false }
    var index = 0
    if ignoresCase {
      while index < value.count, asciiLowercased(bytes[index]) == asciiLowercased(value[index]) { index += 1 }
    } else {
      while index < value.count, bytes[index] == value[index] { index += 1 }
    }
    return index == value.count
  }

  /// Whether `value` is a word of the attribute. An empty value or one with whitespace never matches.
  private func hasWord(_ bytes: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !value.isEmpty, !value.contains(where: isHTMLSpace) else { return false }
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, !isHTMLSpace(bytes[end]) { end += 1 }
      if end - start == value.count, starts(UnsafeBufferPointer(rebasing: bytes[start..<end]), with: value) { return true }
      start = end + 1
    }
    return false
  }

  /// The Knuth–Morris–Pratt algorithm; short values are compared at each position instead.
  private func contains(_ bytes: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
    if value.count <= 8 {
      return (0...(bytes.count - value.count)).contains { starts(UnsafeBufferPointer(rebasing: bytes[$0...]), with: value) }
    }
    let borders = borders(of: value)
    var matched = 0
    for byte in bytes {
      let byte = folded(byte)
      while matched > 0, folded(value[matched]) != byte { matched = Int(borders[matched - 1]) }
      if folded(value[matched]) == byte { matched += 1 }
      if matched == value.count { return true }
    }
    return false
  }

  /// The failure function: for each prefix of `value`, the length of its longest proper suffix that is also a prefix.
  private func borders(of value: UnsafeBufferPointer<UInt8>) -> [UInt32] {
    var borders = [UInt32](repeating: 0, count: value.count)
    var matched = 0
    for index in value.indices.dropFirst() {
      while matched > 0, folded(value[matched]) != folded(value[index]) { matched = Int(borders[matched - 1]) }
      if folded(value[matched]) == folded(value[index]) { matched += 1 }
      borders[index] = UInt32(truncatingIfNeeded: matched)
    }
    return borders
  }

  @inline(__always) private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? asciiLowercased(byte) : byte }
}
