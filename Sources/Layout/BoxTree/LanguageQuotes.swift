import OffprintCoreTypes
import OffprintCSS

/// Quotation marks by language, for `quotes: auto`: the entries of CLDR that differ from English and from their parent language.
enum LanguageQuotes {
  private static let table: [(marks: String, languages: String)] = [
    ("„”‚’", "agq ff"),
    ("«»‹›", "am az-cyrl fa fr-ch gsw jgo kkj mzn rm wae"),
    ("”“’‘", "ar ur"),
    (
      "«»“”",
      """
      ast bm br ca dyo el es eu ewo it kab kk mg mua nnh pt-ao pt-ch pt-cv pt-gq pt-gw pt-lu pt-mo pt-mz pt-pt pt-st \
      pt-tl sc sg sq ti
      """
    ),
    ("«»„“", "bas be cv ky os ru sah uk"),
    ("„“„“", "bg lt"),
    ("„”‘’", "bs"),
    ("„“‚‘", "bs-cyrl cs de dsb et hr hsb is ksh lb luy mk sk sl"),
    ("«»‘’", "dua ksf nb nn no rw"),
    (
      "“”‘’",
      """
      es-419 es-ar es-bo es-br es-bz es-cl es-co es-cr es-cu es-do es-ec es-gt es-hn es-mx es-ni es-pa es-pe es-pr \
      es-py es-sv es-uy es-ve ff-adlm uz-arab uz-cyrl yue-hans
      """
    ),
    ("””’’", "fi he lag rn se sn sv yi"),
    ("«»«»", "fr hy yav"),
    ("«»”“", "fr-ca"),
    ("‘’“”", "fur ia ti-er"),
    ("„”»«", "hu"),
    ("「」『』", "ja yue zh-hant zh-tw zh-hk zh-mo"),
    ("„“«»", "ka"),
    ("‘’‘’", "nl"),
    ("„”«»", "nmg pl ro"),
    ("«»„”", "shi zgh"),
    ("„“‘‘", "sr"),
    ("“”“”", "tk"),
    ("»«›‹", "ug"),
    ("“”’‘", "uz"),
  ]

  private static let byLanguage: [Substring: String] = Dictionary(
    table.flatMap { row in row.languages.split(byte: " ").map { ($0, row.marks) } }, uniquingKeysWith: { $1 })

  /// The quotation marks of the longest known prefix of a language tag. https://drafts.csswg.org/css-content-3/#quotes-property
  static func pairs(_ language: String) -> [QuotePair] {
    var tag = Substring(language.prefix(40).lowercased())
    var marks: String?
    while marks == nil, !tag.isEmpty {
      marks = byLanguage[tag]
      tag = tag.lastIndex(ofByte: "-").map { tag[..<$0] } ?? ""
    }
    let characters = (marks ?? "“”‘’").map { String($0) }
    return [QuotePair(open: characters[0], close: characters[1]), QuotePair(open: characters[2], close: characters[3])]
  }
}
