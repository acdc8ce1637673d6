internal import COffprintPango

/// The properties of the boundary before a byte of a text.
@frozen public struct TextBoundary: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A soft wrap opportunity.
  public static let lineBreak = TextBoundary(rawValue: 1)
  /// A forced line break, after a line feed or a paragraph separator.
  public static let mandatoryBreak = TextBoundary(rawValue: 2)
  /// Between grapheme clusters.
  public static let grapheme = TextBoundary(rawValue: 4)
  public static let wordStart = TextBoundary(rawValue: 8)
  public static let wordEnd = TextBoundary(rawValue: 16)
  /// Whitespace follows.
  public static let whitespace = TextBoundary(rawValue: 32)
  /// A line broken here ends with a hyphen.
  public static let hyphen = TextBoundary(rawValue: 64)
}

/// `word-break`.
public enum WordBreak: UInt8, Hashable, Sendable { case normal, breakAll, keepAll }

/// `line-break`.
public enum LineBreakStrictness: UInt8, Hashable, Sendable { case auto, loose, normal, strict, anywhere }

public enum TextBreaks {
  /// The boundaries of `text`: one entry before each byte, and one at the end.
  ///
  /// Soft wrap opportunities are those of UAX #14 with the changes Chromium makes: a line can be broken after any run of spaces and never
  /// before one, and pairs of ASCII characters follow rules that existing pages rely on.
  /// https://drafts.csswg.org/css-text-4/#line-breaking
  public static func boundaries(
    _ text: UnsafeBufferPointer<UInt8>, language: String = "", wordBreak: WordBreak = .normal, strictness: LineBreakStrictness = .auto
  ) -> [TextBoundary] {
    var result: [TextBoundary]
    if text.contains(where: { $0 >= 0x80 || $0 == 0 }) {
      result = unicodeBoundaries(text, language: language, strictness: strictness)
    } else {
      result = asciiBoundaries(text)
    }
    addLineBreaks(&result, text, strictness: strictness)
    switch wordBreak {
    case .normal: break
    case .breakAll: breakAll(&result, text)
    case .keepAll: keepAll(&result, text)
    }
    if strictness == .anywhere {
      for index in result.indices.dropFirst() where result[index].contains(.grapheme) { result[index].insert(.lineBreak) }
    }
    if let last = result.indices.last { result[last].remove(.lineBreak) }
    return result
  }

  /// The boundaries of `text`; see the overload for buffers.
  public static func boundaries(
    _ text: [UInt8], language: String = "", wordBreak: WordBreak = .normal, strictness: LineBreakStrictness = .auto
  ) -> [TextBoundary] {
    text.withUnsafeBufferPointer { boundaries($0, language: language, wordBreak: wordBreak, strictness: strictness) }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  /// Everything except soft wrap opportunities, for ASCII text.
  private static func asciiBoundaries(_ text: UnsafeBufferPointer<UInt8>) -> [TextBoundary] {
    var result = [TextBoundary](repeating: [], count: text.count + 1)
    var previous: UInt8 = 0
    for (index, byte) in text.enumerated() {
      var flags: TextBoundary = previous == 0x0d && byte == 0x0a ? [] : .grapheme
      if isSpace(byte) || byte == 0x0d || byte == 0x0c { flags.insert(.whitespace) }
      let isWord = isAlphanumeric(byte), wasWord = isAlphanumeric(previous)
      if isWord, !wasWord { flags.insert(.wordStart) }
      if wasWord, !isWord { flags.insert(.wordEnd) }
      if previous == 0x0a { flags.insert(.mandatoryBreak) }
      result[index] = flags
      previous = byte
    }
    result[text.count] = .grapheme
    if isAlphanumeric(previous) { result[text.count].insert(.wordEnd) }
    if previous == 0x0a { result[text.count].insert(.mandatoryBreak) }
    return result
  }

  /// A letter with as many bytes as those of the scripts with dictionaries, used as a placeholder to prevent breaks.
  private static let undividedLetter: [UInt8] = [0xe1, 0x8e, 0xa0]

  /// A placeholder for small kana unless `line-break` is strict: an ideograph with as many bytes. https://www.unicode.org/reports/tr14/#CJ
  private static let ideograph: [UInt8] = [0xe4, 0xb8, 0x80]

  /// The log attributes of any text, by byte offset.
  private static func unicodeBoundaries(
    _ text: UnsafeBufferPointer<UInt8>, language: String, strictness: LineBreakStrictness
  ) -> [TextBoundary] {
    var result = [TextBoundary](repeating: [], count: text.count + 1)
    var starts: [Int] = []
    starts.reserveCapacity(text.count + 1)
    var copy = Array(text)
    var index = 0, run = 0
    while index < text.count {
      starts.append(index)
      let (codepoint, length) = UTF8Decoding.decode(text, at: index, end: text.count)
      run = length == 3 && DictionaryBreaks.isCovered(codepoint) ? run + 1 : 0
      if run > DictionaryBreaks.longestRun { copy.replaceSubrange(index..<index + 3, with: undividedLetter) }
      if length == 3, strictness != .strict, isConditionalJapaneseStarter(codepoint) {
        copy.replaceSubrange(index..<index + 3, with: ideograph)
      }
      // Pango does not validate UTF-8, so invalid bytes are replaced by a single-byte character.
      if codepoint == 0 || (codepoint == 0xfffd && length == 1) { copy[index] = 0x3f }
      index += length
    }
    starts.append(text.count)
    var attributes = [PangoLogAttr](repeating: PangoLogAttr(), count: starts.count)
    // The machine's locale must not matter.
    let tag = pango_language_from_string(language.isEmpty ? "en" : language)
    copy.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        pango_get_log_attrs($0.baseAddress, Int32(clamping: $0.count), -1, tag, &attributes, Int32(clamping: attributes.count))
      }
    }
    for (character, start) in starts.enumerated() {
      result[start] = TextBoundary(rawValue: UInt8(truncatingIfNeeded: offprint_log_attr_flags(&attributes[character])))
    }
    if text.contains(where: { $0 == 0xe0 || $0 == 0xe1 || $0 == 0xea }) { DictionaryBreaks.apply(&result, text, starts) }
    result[0].remove([.lineBreak, .mandatoryBreak])
    return result
  }

  /// Adds breaks at spaces, between ASCII characters and around small kana.
  private static func addLineBreaks(_ result: inout [TextBoundary], _ text: UnsafeBufferPointer<UInt8>, strictness: LineBreakStrictness) {
    guard text.count > 1 else { return }
    for index in 1..<text.count {
      let previous = text[index - 1], next = text[index]
      if isSpace(next) {
        if previous != 0x0a { result[index].remove(.lineBreak) }
        if previous == 0x0a { result[index].insert(.lineBreak) }
      } else if isSpace(previous) {
        // Combining marks after a space belong to it.
        if result[index].contains(.grapheme) || next < 0x80 { result[index].insert(.lineBreak) }
      } else if next < 0x80, previous < 0x80 {
        let before = index > 1 ? text[index - 2] : 0
        if next < 0x20 || previous < 0x20 { continue }
        if ASCIILineBreaking.allowsBreak(before, previous, next) {
          result[index].insert(.lineBreak)
        } else {
          result[index].remove(.lineBreak)
        }
      } else if result[index].contains(.lineBreak), beginsWithHyphen(text, index) {
        result[index].remove(.lineBreak)
      }
    }
  }

  /// Whether a hyphen before `index` begins a word that continues with a letter, so that no break is allowed after it.
  ///
  /// https://www.unicode.org/reports/tr14/#LB20a
  private static func beginsWithHyphen(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let length = text[index - 1] == 0x2d ? 1 : 3, start = index - length
    guard start >= 0, length == 1 || text[start] == 0xe2 && text[start + 1] == 0x80 && [0x90, 0x92, 0x93].contains(text[start + 2]),
      start == 0 || isSpace(text[start - 1])
    else { return false }
    return LineBreakClass(UTF8Decoding.decode(text, at: index, end: text.count).codepoint).isLetter
  }

  /// Line breaking class CJ: small kana and the long vowel mark.
  private static func isConditionalJapaneseStarter(_ c: UInt32) -> Bool {
    switch c {
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308e, 0x3095, 0x3096, 0x30a1, 0x30a3, 0x30a5, 0x30a7,
      0x30a9, 0x30c3, 0x30e3, 0x30e5, 0x30e7, 0x30ee, 0x30f5, 0x30f6, 0x30fc, 0x31f0...0x31ff, 0xff67...0xff70:
      return true
    default: return false
    }
  }

  private static func codepoint(before index: Int, _ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var start = index - 1
    while start > 0, text[start] & 0xc0 == 0x80, index - start < 4 { start -= 1 }
    return start >= 0 ? UTF8Decoding.decode(text, at: start, end: index).codepoint : 0
  }

  /// Whether an offset is inside a character, or between two letters or digits.
  public static func isInsideWord(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index > 0, index < text.count else { return false }
    return text[index] & 0xc0 == 0x80
      || isLetterOrNumber(codepoint(before: index, text))
        && isLetterOrNumber(UTF8Decoding.decode(text, at: index, end: text.count).codepoint)
  }

  private static func isLetterOrNumber(_ c: UInt32) -> Bool {
    if c < 0x80 { return isAlphanumeric(UInt8(truncatingIfNeeded: c)) }
    return switch hb_unicode_general_category(hb_unicode_funcs_get_default(), c) {
    case HB_UNICODE_GENERAL_CATEGORY_LOWERCASE_LETTER, HB_UNICODE_GENERAL_CATEGORY_MODIFIER_LETTER,
      HB_UNICODE_GENERAL_CATEGORY_OTHER_LETTER, HB_UNICODE_GENERAL_CATEGORY_TITLECASE_LETTER,
      HB_UNICODE_GENERAL_CATEGORY_UPPERCASE_LETTER, HB_UNICODE_GENERAL_CATEGORY_DECIMAL_NUMBER,
      HB_UNICODE_GENERAL_CATEGORY_LETTER_NUMBER, HB_UNICODE_GENERAL_CATEGORY_OTHER_NUMBER:
      true
    default: false
    }
  }

  /// Calls `body` at each grapheme boundary between two letters or numbers.
  private static func forEachLetterPair(
    _ result: inout [TextBoundary], _ text: UnsafeBufferPointer<UInt8>, _ body: (inout TextBoundary) -> Void
  ) {
    guard text.count > 1 else { return }
    for index in 1..<text.count where result[index].contains(.grapheme) {
      let next = UTF8Decoding.decode(text, at: index, end: text.count).codepoint
      guard isLetterOrNumber(next) else { continue }
      var before = index
      repeat { before -= 1 } while before > 0 && (text[before] & 0xc0 == 0x80 || !result[before].contains(.grapheme))
      if isLetterOrNumber(UTF8Decoding.decode(text, at: before, end: index).codepoint) { body(&result[index]) }
    }
  }

  /// `word-break: break-all`: letters, numbers and the signs among them break like ideographs; in Chromium also before hyphens and opening
  /// brackets.
  private static func breakAll(_ result: inout [TextBoundary], _ text: UnsafeBufferPointer<UInt8>) {
    var before: UInt32?
    var index = 0
    while index < text.count {
      let (codepoint, length) = UTF8Decoding.decode(text, at: index, end: text.count)
      // A combining character belongs to its base.
      if result[index].contains(.grapheme) || index == 0 {
        if let before, !result[index].contains(.lineBreak), breaksAll(before, codepoint) { result[index].insert(.lineBreak) }
        before = codepoint
      }
      index += length
    }
  }

  private static func breaksAll(_ first: UInt32, _ second: UInt32) -> Bool {
    let before = LineBreakClass(first), after = LineBreakClass(second)
    // "+" and "|" are treated like letters, and a number can be separated from a "-" before it.
    let ends = first == 0x2b || first == 0x7c || before.endsPieceOfAll || first == 0x2d && (0x30...0x39).contains(second)
    return ends && (second == 0x7c || after.beginsPieceOfAll) && (second == 0x2b || !before.staysTogether(with: after))
  }

  /// `word-break: keep-all`: no breaks between letters or numbers.
  private static func keepAll(_ result: inout [TextBoundary], _ text: UnsafeBufferPointer<UInt8>) {
    forEachLetterPair(&result, text) { $0.remove(.lineBreak) }
  }
}

/// Where Chromium breaks between two printable ASCII characters: before opening brackets, and after "-" and "?", with exceptions. UAX #14
/// would break long URLs and fractions after "/" and elsewhere, which pages do not expect.
enum ASCIILineBreaking {
  /// One bit for each of the characters 0x20 to 0x7f.
  private struct CharacterSet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: StaticString, letters: Bool = false, digits: Bool = false) {
      characters.withUTF8Buffer { for byte in $0 { insert(byte) } }
      if letters {
        for byte in UInt8(0x41)...0x5a { insert(byte) }
        for byte in UInt8(0x61)...0x7a { insert(byte) }
      }
      if digits { for byte in UInt8(0x30)...0x39 { insert(byte) } }
    }

    private mutating func insert(_ byte: UInt8) {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }

    func contains(_ byte: UInt8) -> Bool { (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 != 0 }
  }

  private static let opening = CharacterSet("(<[{")
  private static let neverBefore = CharacterSet("!),./:;?]}")
  private static let neverAfter = CharacterSet("$'(/<@[^_`{\u{7f}", letters: true, digits: true)
  private static let alphanumeric = CharacterSet("", letters: true, digits: true)

  /// Whether a line can be broken between `first` and `second`, which are printable ASCII; `before` precedes them.
  static func allowsBreak(_ before: UInt8, _ first: UInt8, _ second: UInt8) -> Bool {
    guard !neverBefore.contains(second), !neverAfter.contains(first) else { return false }
    if first == 0x2d {  // "-"
      // "ABC-123" can be broken, a minus sign cannot be separated.
      if (0x30...0x39).contains(second) { return before < 0x80 && alphanumeric.contains(before) }
      return second != 0x24
    }
    if first == 0x3f { return second != 0x22 && second != 0x27 }  // "?"
    return opening.contains(second)
  }
}
