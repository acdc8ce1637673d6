internal import COffprintPango

/// The script in which each character is shaped: common characters inherit it from the preceding text, and a closing bracket and the text
/// after it from its opening bracket.
///
/// https://www.unicode.org/reports/tr24/#Common, and Chromium's `ScriptRunIterator`.
struct ScriptRuns {
  /// The script of the last character; common until a character determines it.
  private(set) var script: hb_script_t
  private var brackets: [(closing: UInt32, script: hb_script_t)] = []
  /// The limit is that of Chromium.
  private static let maximumBrackets = 32

  init(_ script: hb_script_t = HB_SCRIPT_COMMON) { self.script = script }

  static func own(_ codepoint: UInt32) -> hb_script_t? {
    let script = hb_unicode_script(hb_unicode_funcs_get_default(), codepoint)
    return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN ? nil : script
  }

  mutating func advance(_ codepoint: UInt32) -> hb_script_t {
    if let own = ScriptRuns.own(codepoint) {
      if script == HB_SCRIPT_COMMON {
        for index in brackets.indices where brackets[index].script == HB_SCRIPT_COMMON { brackets[index].script = own }
      }
      script = own
    } else if let closing = ScriptRuns.closing(of: codepoint) {
      if brackets.count == ScriptRuns.maximumBrackets { brackets.removeFirst() }
      brackets.append((closing, script))
    } else if !brackets.isEmpty, let opening = brackets.lastIndex(where: { $0.closing == codepoint }) {
      if brackets[opening].script != HB_SCRIPT_COMMON { script = brackets[opening].script }
      brackets.removeSubrange(opening...)
    }
    return script
  }

  /// The closing counterpart of an opening bracket; nil for other characters.
  private static func closing(of codepoint: UInt32) -> UInt32? {
    switch codepoint {
    case 0x28: return 0x29
    case 0x5b, 0x7b: return codepoint + 2
    case 0x207d, 0x208d, 0x2308, 0x230a, 0x2329, 0xff5f, 0xff62: return codepoint + 1
    case 0x2768...0x2775, 0x27e6...0x27ef, 0x2e22...0x2e29, 0x3008...0x3011, 0x3014...0x301b:
      return codepoint & 1 == 0 ? codepoint + 1 : nil
    case 0x2983...0x2998: return codepoint & 1 == 1 ? codepoint + 1 : nil
    case 0xff08: return 0xff09
    case 0xff3b, 0xff5b: return codepoint + 2
    default: return nil
    }
  }

  /// The state before `text[offset]`, from as much of the preceding text as matters in practice.
  static func before(_ offset: Int, in text: UnsafeBufferPointer<UInt8>) -> ScriptRuns {
    var runs = ScriptRuns()
    var index = max(0, offset - maximumContext)
    while index < offset, text[index] & 0xc0 == 0x80 { index += 1 }
    while index < offset {
      let (codepoint, length) = UTF8Decoding.decode(text, at: index, end: offset)
      _ = runs.advance(codepoint)
      index += length
    }
    return runs
  }

  /// Whether the text before `text[offset]`, which has no script of its own, gives it a script other than Latin.
  static func isOtherThanLatin(before offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = offset
    let first = max(0, offset - maximumContext)
    while index > first {
      var start = index - 1
      while start > first, text[start] & 0xc0 == 0x80 { start -= 1 }
      let byte = text[start]
      if byte < 0x80 {
        if (0x61...0x7a).contains(byte | 0x20) { return false }
      } else if let script = own(UTF8Decoding.decode(text, at: start, end: text.count).codepoint) {
        return script != HB_SCRIPT_LATIN
      }
      index = start
    }
    return false
  }

  private static let maximumContext = 256
}
