import OffprintCoreTypes
import OffprintTypography

/// Freely licensed fonts for scripts that the bundled fonts lack, as packaged by Debian. `offprint fonts add` installs them from there.
public struct FontPack: Hashable, Sendable {
  /// Its name, for example `cjk`.
  public var name: String
  /// A short description of its contents.
  public var summary: String
  /// The Debian package that contains its files.
  public var package: String
  /// The prefixes of its files' names; empty for all fonts of the package.
  public var filePrefixes: [String] = []
  /// The family it provides, if it provides a single one. Diagnostics suggest the pack to pages that use this family.
  public var family: String?
  /// ISO 15924 codes.
  public var scripts: [String] = []
  /// An SPDX identifier, or where the license is stated.
  public var licence = "OFL-1.1"
  /// Whether it is a hyphenation dictionary, for `hyphens: auto`.
  var isHyphenation: Bool { package.hasPrefix("hyphen-") }

  /// Whether a file of the package belongs to the pack.
  func holds(file: String) -> Bool {
    if isHyphenation { return file.hasPrefix("hyph_") && file.hasSuffix(".dic") }
    let isFont = [".ttf", ".otf", ".ttc", ".otc"].contains { file.lowercased().hasSuffix($0) }
    return isFont && (filePrefixes.isEmpty || filePrefixes.contains { file.hasPrefix($0) })
  }

  private static let indic = [
    "Bengali", "Devanagari", "Gujarati", "Gurmukhi", "Kannada", "Malayalam", "MeeteiMayek", "OlChiki", "Oriya", "Sinhala", "Tamil",
    "Telugu",
  ]
  private static let southeastAsian = [
    "Balinese", "Batak", "Cham", "Javanese", "Khmer", "Lao", "Myanmar", "Sundanese", "Tagalog", "TaiLe", "TaiTham", "TaiViet",
  ]
  private static func noto(_ names: [String]) -> [String] { names.flatMap { ["NotoSans\($0)-", "NotoSerif\($0)-", "NotoLooped\($0)-"] } }

  /// Debian's hyphenation dictionaries.
  private static let hyphenations = [
    ("af", "Afrikaans"), ("be", "Belarusian"), ("bg", "Bulgarian"), ("bn", "Bengali"), ("ca", "Catalan"), ("cs", "Czech"),
    ("da", "Danish"), ("de", "German"), ("el", "Greek"), ("en-gb", "British English"), ("en-us", "American English"), ("es", "Spanish"),
    ("fr", "French"), ("gl", "Galician"), ("hi", "Hindi"), ("hr", "Croatian"), ("hu", "Hungarian"), ("id", "Indonesian"),
    ("is", "Icelandic"), ("it", "Italian"), ("lt", "Lithuanian"), ("lv", "Latvian"), ("mn", "Mongolian"), ("nl", "Dutch"),
    ("no", "Norwegian"), ("pl", "Polish"), ("pt-br", "Brazilian Portuguese"), ("pt-pt", "Portuguese"), ("ro", "Romanian"),
    ("ru", "Russian"), ("sk", "Slovak"), ("sl", "Slovenian"), ("sr", "Serbian"), ("sv", "Swedish"), ("ta", "Tamil"), ("te", "Telugu"),
    ("uk", "Ukrainian"), ("zu", "Zulu"),
  ].map { code, language in
    FontPack(
      name: "hyphens-\(code)", summary: "hyphenation of \(language), for hyphens: auto", package: "hyphen-\(code)",
      licence: "its package's")
  }

  /// All packs, sorted by script.
  public static let all: [FontPack] =
    [
      FontPack(name: "emoji", summary: "color emoji", package: "fonts-noto-color-emoji", scripts: ["Zsye"]),
      FontPack(
        name: "cjk", summary: "Chinese, Japanese and Korean", package: "fonts-noto-cjk", filePrefixes: ["NotoSansCJK-", "NotoSerifCJK-"],
        scripts: ["Hani", "Hira", "Kana", "Hang", "Bopo"]),
      FontPack(
        name: "arabic", summary: "Arabic, Persian, Urdu", package: "fonts-noto-core",
        filePrefixes: ["NotoSansArabic-", "NotoNaskhArabic-", "NotoKufiArabic-", "NotoNastaliqUrdu-"], scripts: ["Arab"]),
      FontPack(
        name: "hebrew", summary: "Hebrew and Yiddish", package: "fonts-noto-core", filePrefixes: noto(["Hebrew"]) + ["NotoRashiHebrew-"],
        scripts: ["Hebr"]),
      FontPack(
        name: "indic", summary: "Hindi, Bengali, Tamil and other scripts of India and Sri Lanka", package: "fonts-noto-core",
        filePrefixes: noto(indic),
        scripts: ["Beng", "Deva", "Gujr", "Guru", "Knda", "Mlym", "Mtei", "Olck", "Orya", "Sinh", "Taml", "Telu"]),
      FontPack(name: "thai", summary: "Thai", package: "fonts-noto-core", filePrefixes: noto(["Thai"]), scripts: ["Thai"]),
      FontPack(
        name: "southeast-asian", summary: "Khmer, Lao, Burmese, Javanese and others", package: "fonts-noto-core",
        filePrefixes: noto(southeastAsian),
        scripts: ["Bali", "Batk", "Cham", "Java", "Khmr", "Laoo", "Mymr", "Sund", "Tglg", "Tale", "Lana", "Tavt"]),
      FontPack(
        name: "symbols", summary: "symbols, mathematics, music, Braille", package: "fonts-noto-core",
        filePrefixes: noto(["Math", "Symbols", "Symbols2"]) + ["NotoMusic-"], scripts: ["Brai"]),
      FontPack(
        name: "world", summary: "all scripts of Noto except Chinese, Japanese and Korean", package: "fonts-noto-core",
        filePrefixes: ["Noto"]),
      FontPack(name: "inter", summary: "the family Inter", package: "fonts-inter", family: "Inter"),
      FontPack(name: "roboto", summary: "the family Roboto", package: "fonts-roboto-unhinted", family: "Roboto", licence: "Apache-2.0"),
      FontPack(name: "open-sans", summary: "the family Open Sans", package: "fonts-open-sans", family: "Open Sans", licence: "Apache-2.0"),
      FontPack(name: "lato", summary: "the family Lato", package: "fonts-lato", family: "Lato"),
      FontPack(name: "jetbrains-mono", summary: "the family JetBrains Mono", package: "fonts-jetbrains-mono", family: "JetBrains Mono"),
      FontPack(name: "fira-code", summary: "the family Fira Code", package: "fonts-firacode", family: "Fira Code"),
      FontPack(
        name: "carlito", summary: "the family Carlito, with the widths of Calibri", package: "fonts-crosextra-carlito", family: "Calibri"),
      FontPack(
        name: "caladea", summary: "the family Caladea, with the widths of Cambria", package: "fonts-crosextra-caladea", family: "Cambria",
        licence: "Apache-2.0"),
    ] + hyphenations

  /// The pack with that name.
  public static func named(_ name: String) -> FontPack? { all.first { $0.name == name } }

  /// The pack that supports a character; nil if none is known, for example for private-use characters.
  static func covering(_ codepoint: UInt32) -> FontPack? {
    if UnicodeScript.isEmoji(codepoint) { return named("emoji") }
    if CharacterKind(codepoint) != .assigned { return nil }
    let script = UnicodeScript(of: codepoint).tag.description
    if let pack = all.first(where: { $0.scripts.contains(script) }) { return pack }
    switch codepoint {
    case 0x3000...0x303f, 0x3190...0x33ff, 0xfe10...0xfe6f, 0xff00...0xffef: return named("cjk")
    case 0x1f000...0x1faff: return named("emoji")
    default: return script == "Zyyy" || script == "Zinh" ? named("symbols") : named("world")
    }
  }

  /// Instructions for installing the pack.
  var hint: String { "install \(family == nil ? "them" : "it") with 'apt-get install \(package)' and then 'offprint fonts add \(name)'" }
}

/// Whether Unicode assigns a character.
enum CharacterKind {
  case assigned, privateUse, unassigned

  init(_ codepoint: UInt32) {
    switch Unicode.Scalar(codepoint)?.properties.generalCategory {
    case .privateUse: self = .privateUse
    case nil, .unassigned, .surrogate: self = .unassigned
    default: self = .assigned
    }
  }
}
