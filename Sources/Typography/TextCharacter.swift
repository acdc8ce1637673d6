internal import COffprintPango

/// Character properties for itemization and spacing.
enum TextCharacter {
  /// Characters without a visible glyph, which a face need not have.
  static func isIgnorable(_ c: UInt32) -> Bool {
    if c < 0x20 || c == 0x7f || c == 0xad { return true }
    if c < 0x34f { return false }
    switch c {
    case 0x34f, 0x61c, 0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0x3164,
      0xfe00...0xfe0f, 0xfeff, 0xffa0, 0xfff0...0xfff8, 0x1d173...0x1d17a, 0xe0000...0xe0fff:
      return true
    default: return false
    }
  }

  /// Characters without letter spacing.
  static func isZeroWidth(_ c: UInt32) -> Bool {
    c < 0x20 && c != 0x09 || (0x7f...0x9f).contains(c) || c == 0xad || (0x200b...0x200f).contains(c) || (0x202a...0x202e).contains(c)
      || (0x2060...0x206f).contains(c) || c == 0xfeff || c == 0xfffc
  }

  /// Characters with word spacing. https://drafts.csswg.org/css-text-4/#word-separator
  static func isWordSeparator(_ c: UInt32) -> Bool { c == 0x20 || c == 0xa0 || c == 0x09 || c == 0x0a }

  /// Line ends and other control characters, which remain in the text and are invisible.
  static func isControl(_ c: UInt32) -> Bool { c < 0x20 || (0x7f...0x9f).contains(c) || c == 0x2028 || c == 0x2029 }

  static func isMark(_ c: UInt32) -> Bool {
    if c < 0x300 { return false }
    let category = hb_unicode_general_category(hb_unicode_funcs_get_default(), c)
    return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK || category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK
      || category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK
  }

  static func isRegionalIndicator(_ c: UInt32) -> Bool { (0x1f1e6...0x1f1ff).contains(c) }

  /// `Emoji_Presentation`.
  static func isEmojiPresentation(_ c: UInt32) -> Bool {
    guard c >= 0x231a, let scalar = Unicode.Scalar(c) else { return false }
    return scalar.properties.isEmojiPresentation
  }

  /// `Emoji`, except digits and similar characters.
  static func isEmoji(_ c: UInt32) -> Bool {
    guard c >= 0xa9, let scalar = Unicode.Scalar(c) else { return false }
    return scalar.properties.isEmoji
  }

  /// Whether the character at `index` continues the cluster so far.
  static func extendsCluster(_ codepoints: [UInt32], at index: Int, clusterStart: Int) -> Bool {
    let c = codepoints[index], previous = codepoints[index - 1]
    if c < 0x300 { return false }
    if c == 0x200d || c == 0x200c || (0xfe00...0xfe0f).contains(c) || (0xe0020...0xe007f).contains(c) || (0xe0100...0xe01ef).contains(c) {
      return !isControl(previous)
    }
    if (0x1f3fb...0x1f3ff).contains(c) { return isEmoji(previous) || previous == 0xfe0f }
    if previous == 0x200d, isEmoji(c), index - clusterStart >= 2 { return true }
    if isRegionalIndicator(c), isRegionalIndicator(previous) { return index - clusterStart == 1 }
    return isMark(c) && !isControl(previous)
  }

  /// Whether a cluster has emoji presentation. https://www.unicode.org/reports/tr51/#Presentation_Style
  static func isEmojiCluster(_ cluster: ArraySlice<UInt32>, _ variant: FontVariantEmoji) -> Bool {
    guard let base = cluster.first, base >= 0x23 else { return false }
    let second = cluster.count > 1 ? cluster[cluster.startIndex + 1] : 0
    if second == 0xfe0e { return false }
    if second == 0xfe0f { return isEmoji(base) || cluster.last == 0x20e3 }
    guard base >= 0xa9 else { return false }
    switch variant {
    case .text: return cluster.count > 1 && isEmojiPresentation(base)
    case .emoji: return isEmoji(base)
    case .normal, .unicode:
      return isEmojiPresentation(base) || (cluster.count > 1 && isEmoji(base) && (0x1f3fb...0x1f3ff).contains(second))
        || (cluster.count > 2 && isEmoji(base) && cluster.contains(0x200d))
    }
  }

  /// Whether text presentation is requested for a cluster that could have emoji presentation.
  /// https://drafts.csswg.org/css-fonts-4/#font-variant-emoji-prop
  static func isTextCluster(_ cluster: ArraySlice<UInt32>, _ variant: FontVariantEmoji) -> Bool {
    guard let base = cluster.first, isEmoji(base) else { return false }
    let second = cluster.count > 1 ? cluster[cluster.startIndex + 1] : 0
    if second == 0xfe0e || second == 0xfe0f { return second == 0xfe0e }
    switch variant {
    case .text: return cluster.count == 1
    case .unicode: return cluster.count == 1 && !isEmojiPresentation(base)
    case .normal, .emoji: return false
    }
  }

  /// The capital for a synthesized small capital: one character or two.
  static func uppercase(_ c: UInt32) -> (UInt32, UInt32?)? {
    if c < 0x80 { return (0x61...0x7a).contains(c) ? (c - 32, nil) : nil }
    guard let scalar = Unicode.Scalar(c), scalar.properties.isLowercase else { return nil }
    let upper = Array(scalar.properties.uppercaseMapping.unicodeScalars)
    guard let first = upper.first, first.value != c else { return nil }
    return (first.value, upper.count > 1 ? upper[1].value : nil)
  }

  static func isUppercase(_ c: UInt32) -> Bool {
    if c < 0x80 { return (0x41...0x5a).contains(c) }
    return Unicode.Scalar(c)?.properties.isUppercase ?? false
  }
}
