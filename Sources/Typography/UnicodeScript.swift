import OffprintCoreTypes
internal import COffprintPango

/// The script of a character, by its four-letter code. https://www.unicode.org/reports/tr24/
public struct UnicodeScript: Hashable, Sendable {
  /// The code of ISO 15924: `Latn`, `Hani`.
  public let tag: FontTag

  public init(tag: String) { self.tag = FontTag(tag) }

  /// The script of a character.
  public init(of codepoint: UInt32) {
    tag = FontTag(raw: hb_unicode_script(hb_unicode_funcs_get_default(), codepoint).rawValue)
  }

  /// The English name, or the code if the name is not known.
  public var name: String { UnicodeScript.names[tag.description] ?? tag.description }

  private static let names: [ByteString: String] = [
    "Adlm": "Adlam", "Arab": "Arabic", "Armn": "Armenian", "Beng": "Bengali", "Bopo": "Bopomofo", "Brai": "Braille",
    "Cans": "Canadian Aboriginal",
    "Cher": "Cherokee", "Copt": "Coptic", "Cyrl": "Cyrillic", "Deva": "Devanagari", "Egyp": "Egyptian hieroglyphs", "Ethi": "Ethiopic",
    "Geor": "Georgian", "Goth": "Gothic", "Grek": "Greek", "Gujr": "Gujarati", "Guru": "Gurmukhi", "Hang": "Hangul", "Hani": "Han",
    "Hebr": "Hebrew", "Hira": "Hiragana", "Java": "Javanese", "Kana": "Katakana", "Khmr": "Khmer", "Knda": "Kannada", "Laoo": "Lao",
    "Latn": "Latin", "Mlym": "Malayalam", "Mong": "Mongolian", "Mymr": "Myanmar", "Nkoo": "N’Ko", "Orya": "Odia", "Runr": "Runic",
    "Sinh": "Sinhala", "Syrc": "Syriac", "Taml": "Tamil", "Telu": "Telugu", "Tfng": "Tifinagh", "Thaa": "Thaana", "Thai": "Thai",
    "Tibt": "Tibetan", "Yiii": "Yi", "Zyyy": "common", "Zinh": "inherited", "Zzzz": "unassigned",
  ]
}

extension UnicodeScript {
  /// Whether a character has emoji presentation by default.
  public static func isEmoji(_ codepoint: UInt32) -> Bool {
    TextCharacter.isEmojiPresentation(codepoint) || TextCharacter.isRegionalIndicator(codepoint)
  }
}
