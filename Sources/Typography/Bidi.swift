internal import COffprintPango

/// A run of text with one embedding level.
public struct BidiRun: Hashable, Sendable {
  public var range: Range<Int>
  public var level: UInt8
  public init(range: Range<Int>, level: UInt8) { self.range = range; self.level = level }
  public var isRightToLeft: Bool { level & 1 != 0 }
}

/// The base direction of a paragraph.
public enum BaseDirection: UInt8, Hashable, Sendable {
  case leftToRight, rightToLeft
  /// The direction of the first strong character, left-to-right without one (`unicode-bidi: plaintext`).
  case auto
}

/// https://www.unicode.org/reports/tr9/
public enum Bidi {
  /// The mirrored form of a character in right-to-left text. https://www.unicode.org/reports/tr9/#L4
  public static func mirrored(_ codepoint: UInt32) -> UInt32 { hb_unicode_mirroring(hb_unicode_funcs_get_default(), codepoint) }

  /// Whether a text may contain right-to-left characters: a quick scan of its bytes.
  public static func mayNeedReordering(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for (index, byte) in text.enumerated() where byte >= 0xd6 {
      // Lead bytes of U+0590 and following, U+08xx, U+200E and following, U+202A and following, U+FBxx and following, and of all
      // supplementary planes.
      if byte < 0xe0 || byte == 0xef || byte >= 0xf0 { return true }
      let second = index + 1 < text.count ? text[index + 1] : 0
      if byte == 0xe0, second < 0xa4 { return true }
      if byte == 0xe2, second == 0x80 || second == 0x81 { return true }
    }
    return false
  }

  /// The embedding levels of `text`, in logical order, with runs of equal levels merged. A line feed or paragraph separator ends a
  /// paragraph.
  public static func runs(_ text: UnsafeBufferPointer<UInt8>, base: BaseDirection) -> [BidiRun] {
    guard !text.isEmpty else { return [] }
    if base != .rightToLeft, !mayNeedReordering(text) { return [BidiRun(range: 0..<text.count, level: 0)] }
    var result: [BidiRun] = []
    var start = 0
    while start < text.count {
      let end = paragraphEnd(text, from: start)
      appendParagraph(text, start..<end, base, to: &result)
      start = end
    }
    return result
  }

  /// The embedding levels of `text`; see the overload for buffers.
  public static func runs(_ text: [UInt8], base: BaseDirection) -> [BidiRun] { text.withUnsafeBufferPointer { runs($0, base: base) } }

  private static func paragraphEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count {
      if text[index] == 0x0a { return index + 1 }
      if text[index] == 0xe2, index + 2 < text.count, text[index + 1] == 0x80, text[index + 2] == 0xa9 { return index + 3 }
      index += 1
    }
    return index
  }

  private static func appendParagraph(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ base: BaseDirection, to result: inout [BidiRun]
  ) {
    var codepoints: [FriBidiChar] = []
    var starts: [Int] = []
    codepoints.reserveCapacity(range.count)
    starts.reserveCapacity(range.count + 1)
    var index = range.lowerBound
    while index < range.upperBound {
      let (codepoint, length) = UTF8Decoding.decode(text, at: index, end: range.upperBound)
      codepoints.append(codepoint)
      starts.append(index)
      index += length
    }
    starts.append(range.upperBound)
    let levels = BidiIsolates(codepoints, base)?.levels { Self.levels($0, $1) } ?? Self.levels(codepoints, base).levels
    for character in codepoints.indices {
      let level = levels[character]
      if let last = result.last, last.level == level {
        result[result.count - 1].range = last.range.lowerBound..<starts[character + 1]
      } else {
        result.append(BidiRun(range: starts[character]..<starts[character + 1], level: level))
      }
    }
  }

  private static func levels(_ codepoints: [FriBidiChar], _ base: BaseDirection) -> (levels: [UInt8], base: UInt8) {
    let count = codepoints.count
    var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: count)
    var brackets = [FriBidiBracketType](repeating: 0, count: count)
    var levels = [FriBidiLevel](repeating: 0, count: count)
    fribidi_get_bidi_types(codepoints, Int32(clamping: count), &types)
    fribidi_get_bracket_types(codepoints, Int32(clamping: count), types, &brackets)
    var direction: FriBidiParType =
      switch base {
      case .leftToRight: offprint_fribidi_par_ltr()
      case .rightToLeft: offprint_fribidi_par_rtl()
      case .auto: offprint_fribidi_par_auto()
      }
    guard fribidi_get_par_embedding_levels_ex(types, brackets, Int32(clamping: count), &direction, &levels) != 0 else {
      let level: UInt8 = base == .rightToLeft ? 1 : 0
      return ([UInt8](repeating: level, count: count), level)
    }
    return (levels.map { UInt8(clamping: $0) }, direction == offprint_fribidi_par_rtl() ? 1 : 0)
  }

  /// Rule L2: the visual order, from left to right, of a line's items with these levels.
  public static func visualOrder(_ levels: [UInt8]) -> [Int] {
    var order = Array(levels.indices)
    guard let highest = levels.max(), let lowestOdd = levels.filter({ $0 & 1 != 0 }).min() else { return order }
    for level in stride(from: Int(highest), through: Int(lowestOdd), by: -1) {
      var index = 0
      while index < levels.count {
        guard Int(levels[index]) >= level else {
          index += 1
          continue
        }
        var end = index
        while end < levels.count, Int(levels[end]) >= level { end += 1 }
        order[index..<end].reverse()
        index = end
      }
    }
    return order
  }
}
