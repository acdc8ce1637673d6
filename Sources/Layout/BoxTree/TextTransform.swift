import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintTypography

/// https://drafts.csswg.org/css-text-3/#text-transform-property
enum TextTransform {
  /// - Parameter previous: The character before the text in its paragraph, because words continue across inline boxes.
  static func apply(_ bytes: [UInt8], style: ComputedStyle, previous: Unicode.Scalar? = nil) -> [UInt8] {
    let language = style.font.language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    return secured(transformed(bytes, style, language, previous), style.text.textSecurity)
  }

  private static func transformed(
    _ bytes: [UInt8], _ style: ComputedStyle, _ language: String, _ previous: Unicode.Scalar?
  ) -> [UInt8] {
    switch style.text.textTransform {
    case .none: bytes
    case .mathAuto: MathAlphabet.italic(bytes)
    case .uppercase: uppercase(bytes, language: language)
    case .lowercase: lowercase(bytes, language: language)
    case .capitalize: WordCapitals.apply(scalars(bytes), language: language, previous: previous)
    }
  }

  /// Writes one mark for each UTF-16 code unit, the unit of Chromium's strings. https://drafts.csswg.org/compat/#text-security
  private static func secured(_ bytes: [UInt8], _ security: TextSecurity) -> [UInt8] {
    let mark: String
    switch security {
    case .none: return bytes
    case .circle: mark = "◦"
    case .disc: mark = "•"
    case .square: mark = "■"
    }
    return scalars(bytes).flatMap { scalar in (0..<UTF16.width(scalar)).flatMap { _ in Array(mark.utf8) } }
  }

  static func scalars(_ bytes: [UInt8]) -> [Unicode.Scalar] { Array(String(decoding: bytes, as: UTF8.self).unicodeScalars) }

  static func isTurkic(_ language: String) -> Bool { language == "tr" || language == "az" }

  private static func isASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

  // MARK: Upper case

  private static func uppercase(_ bytes: [UInt8], language: String) -> [UInt8] {
    let isTurkic = isTurkic(language)
    if isASCII(bytes) && !isTurkic { return bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 } }
    if language == "el" { return GreekCapitals.apply(scalars(bytes)) }
    let isLithuanian = language == "lt"
    var afterSoftDotted = false
    return map(bytes) { scalar, _ in
      defer { afterSoftDotted = isLithuanian && (scalar == "i" || scalar == "j" || scalar == "į") }
      if isTurkic && scalar == "i" { return "İ" }
      if afterSoftDotted && scalar == "\u{307}" { return "" }
      if language == "hy" && scalar == "և" { return "ԵՎ" }
      return scalar.properties.uppercaseMapping
    }
  }

  // MARK: Lower case

  private static func lowercase(_ bytes: [UInt8], language: String) -> [UInt8] {
    let isTurkic = isTurkic(language)
    if isASCII(bytes) && !isTurkic { return bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }
    var previousIsLetter = false
    var skipsDot = false
    return map(bytes) { scalar, next in
      defer { previousIsLetter = scalar.properties.isAlphabetic || (previousIsLetter && scalar.properties.isCaseIgnorable) }
      if skipsDot, scalar == "\u{307}" {
        skipsDot = false
        return ""
      }
      skipsDot = isTurkic && scalar == "I" && next == "\u{307}"
      if isTurkic && scalar == "I" { return skipsDot ? "i" : "ı" }
      if isTurkic && scalar == "İ" { return "i" }
      if language == "lt", let dotted = lithuanian(scalar, next) { return dotted }
      if scalar == "Σ" && previousIsLetter && !(next?.properties.isAlphabetic ?? false) { return "ς" }
      return scalar.properties.lowercaseMapping
    }
  }

  /// Lithuanian keeps the dot of a lower case letter below another accent.
  private static func lithuanian(_ scalar: Unicode.Scalar, _ next: Unicode.Scalar?) -> String? {
    let hasAccent = next == "\u{300}" || next == "\u{301}" || next == "\u{303}"
    switch scalar {
    case "I": return hasAccent ? "i\u{307}" : nil
    case "J": return hasAccent ? "j\u{307}" : nil
    case "Į": return hasAccent ? "į\u{307}" : nil
    case "Ì": return "i\u{307}\u{300}"
    case "Í": return "i\u{307}\u{301}"
    case "Ĩ": return "i\u{307}\u{303}"
    default: return nil
    }
  }

  private static func map(_ bytes: [UInt8], _ transform: (Unicode.Scalar, Unicode.Scalar?) -> String) -> [UInt8] {
    let scalars = scalars(bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    for (index, scalar) in scalars.enumerated() {
      result.append(contentsOf: transform(scalar, index + 1 < scalars.count ? scalars[index + 1] : nil).utf8)
    }
    return result
  }
}

/// `text-transform: capitalize`: upper-cases the first letter of each word of https://www.unicode.org/reports/tr29/#Word_Boundaries.
enum WordCapitals {
  private enum Kind { case letter, digit, connector, middle, mark, other }

  static func apply(_ scalars: [Unicode.Scalar], language: String, previous: Unicode.Scalar?) -> [UInt8] {
    var result: [UInt8] = []
    var isInWord = previous.map { kind($0) != .other && kind($0) != .middle } ?? false
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      let kind = kind(scalar)
      if kind == .letter, !isInWord {
        result += capital(scalar, language: language).utf8
        // The Dutch digraph is one letter. https://drafts.csswg.org/css-text-3/#language-specific
        if language == "nl", scalar == "i" || scalar == "I", next == "j" || next == "J" {
          result += "J".utf8
          index += 1
        }
      } else {
        result += String(Character(scalar)).utf8
      }
      switch kind {
      case .letter, .digit, .connector: isInWord = true
      case .mark: break
      case .middle: isInWord = isInWord && next.map { self.kind($0) == .letter || self.kind($0) == .digit } ?? false
      case .other: isInWord = false
      }
      index += 1
    }
    return result
  }

  private static func capital(_ scalar: Unicode.Scalar, language: String) -> String {
    if scalar == "i", TextTransform.isTurkic(language) { return "İ" }
    if scalar == "և", language == "hy" { return "Եվ" }
    // Chromium ignores title case mappings of more than one character.
    let capital = scalar.properties.titlecaseMapping
    return capital.unicodeScalars.count == 1 ? capital : String(Character(scalar))
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar {
    // In Chromium words end at full stops.
    case "'", "’", "‘", "·", "\u{2027}", "\u{387}", "\u{55f}", "\u{5f4}", "\u{2024}", "\u{fe52}", "\u{ff07}": return .middle
    case "\u{200b}": return .other
    default: break
    }
    switch scalar.properties.generalCategory {
    case .decimalNumber: return .digit
    case .connectorPunctuation: return .connector
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: return .mark
    default: return scalar.properties.isAlphabetic && !isOfDictionary(scalar.value) ? .letter : .other
    }
  }

  /// Whether words of this script require a dictionary: ideographs, kana and Hangul. They end words of other scripts.
  private static func isOfDictionary(_ c: UInt32) -> Bool {
    (0xac00...0xd7a3).contains(c) || UTF8Scan.isIdeographic(c) && !(0xff01...0xff65).contains(c)
  }
}

/// Greek capitals lose their accents. An accent that separated two vowels is replaced by a diaeresis.
///
/// https://drafts.csswg.org/css-text-3/#language-specific, following CLDR.
enum GreekCapitals {
  static func apply(_ scalars: [Unicode.Scalar]) -> [UInt8] {
    var result: [UInt8] = []
    var previousHadAccent = false
    var index = 0
    while index < scalars.count {
      let letter = split(scalars, &index)
      guard let upper = letter.base else {
        result += letter.other.utf8
        previousHadAccent = false
        continue
      }
      let isIotaOrUpsilon = upper == "Ι" || upper == "Υ"
      if upper == "Η", letter.hasAccent, isAlone(scalars, letter.range) {
        result += "Ή".utf8
      } else if isIotaOrUpsilon, letter.hasDiaeresis || (previousHadAccent && !letter.hasAccent) {
        result += (upper == "Ι" ? "Ϊ" : "Ϋ").utf8
      } else {
        result += String(Character(upper)).utf8
      }
      if letter.hasIota { result += "Ι".utf8 }
      previousHadAccent =
        letter.hasAccent && "ΑΕΗΟΩ".unicodeScalars.contains(upper) || (isIotaOrUpsilon && letter.hasAccent && !letter.hasDiaeresis)
    }
    return result
  }

  private struct Letter {
    var base: Unicode.Scalar?
    var other = ""
    var hasAccent = false
    var hasDiaeresis = false
    var hasIota = false
    var range = 0..<0
  }

  /// Decomposes the letter at `index`, with the combining marks that follow.
  private static func split(_ scalars: [Unicode.Scalar], _ index: inout Int) -> Letter {
    let start = index
    let parts = CanonicalDecomposition.of(scalars[index])
    index += 1
    var letter = Letter()
    guard let first = parts.first, isVowel(first) else {
      letter.other = scalars[start].properties.uppercaseMapping
      return letter
    }
    letter.base = first.properties.uppercaseMapping.unicodeScalars.first
    for mark in parts.dropFirst() { note(mark, &letter) }
    while index < scalars.count, isMark(scalars[index]) {
      note(scalars[index], &letter)
      index += 1
    }
    letter.range = start..<index
    return letter
  }

  private static func isVowel(_ scalar: Unicode.Scalar) -> Bool { "αεηιουωΑΕΗΙΟΥΩ".unicodeScalars.contains(scalar) }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300, 0x301, 0x304, 0x306, 0x308, 0x313, 0x314, 0x342...0x345: true
    default: false
    }
  }

  private static func note(_ mark: Unicode.Scalar, _ letter: inout Letter) {
    switch mark.value {
    case 0x300, 0x301, 0x342, 0x343: letter.hasAccent = true
    case 0x308: letter.hasDiaeresis = true
    case 0x344:
      letter.hasAccent = true
      letter.hasDiaeresis = true
    case 0x345: letter.hasIota = true
    default: break
    }
  }

  private static func isAlone(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> Bool {
    let before = range.lowerBound > 0 && scalars[range.lowerBound - 1].properties.isAlphabetic
    let after = range.upperBound < scalars.count && scalars[range.upperBound].properties.isAlphabetic
    return !before && !after
  }
}
