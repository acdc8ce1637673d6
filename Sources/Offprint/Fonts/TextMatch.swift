import OffprintCoreTypes
import OffprintTypography

/// The face chosen for a part of a text, and the reason.
public struct TextMatch: Hashable, Sendable, Codable {
  /// Why a part uses its face.
  public enum Reason: String, Hashable, Sendable, Codable {
    /// A requested family supports it.
    case family
    /// No requested family supports it, but the default font does.
    case standard
    /// It is an emoji and uses a color font.
    case emoji
    /// No requested family supports it; this is the first of all other faces that does.
    case fallback
    /// No face supports it; a missing-glyph box is drawn.
    case missing
  }

  /// The part; parts are in text order.
  public var text: String
  /// The family of the face.
  public var family: String
  /// The PostScript name of the face.
  public var postScriptName: String
  /// The file of the face.
  public var file: String
  /// The requested name that selected the face; nil if none did.
  public var asked: String?
  /// Why the face was chosen.
  public var reason: Reason
  /// Whether boldness or slant is synthesized.
  public var isSynthesized: Bool

  /// Spaces, control characters and joiners use the face of adjacent text.
  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint { return true }
    return scalar.properties.generalCategory == .control
  }
}

extension FontLibrary {
  /// Shows which faces `font-family: LIST` selects for a text.
  ///
  /// - Parameters:
  ///   - list: Family names as in CSS, quoted or not, separated by commas.
  ///   - text: The text, whose characters may each need another face.
  ///   - weight: 1 to 1000.
  ///   - isItalic: Whether italic faces are requested.
  ///   - language: The language of the text, such as `ja`; selects between regional forms of Chinese characters.
  public func match(_ list: String, text: String, weight: Float = 400, isItalic: Bool = false, language: String = "") -> [TextMatch] {
    let asked = FamilyList(list)
    let context = FontContext(fonts: FontSet(registry: registry))
    var description = FontDescription(families: asked.families, size: 16, weight: weight, style: isItalic ? .italic : .normal)
    description.language = language
    let bytes = Array(text.utf8)
    let run = context.shape(bytes, font: context.font(description))
    var parts: [(start: Int, face: FaceInstance, isMissing: Bool)] = []
    for segment in run.segments {
      for glyph in run.glyphs[segment.glyphs] {
        let isMissing = MissingGlyph.codepoint(of: glyph.glyph) != nil
        if let last = parts.last, last.face === segment.face, last.isMissing == isMissing { continue }
        parts.append((Int(glyph.cluster), segment.face, isMissing))
      }
    }
    return parts.indices.map { index in
      let end = index + 1 < parts.count ? parts[index + 1].start : bytes.count
      let piece = String(decoding: bytes[min(parts[index].start, end)..<end], as: UTF8.self)
      return answer(piece, parts[index].face, isMissing: parts[index].isMissing, asked)
    }
  }

  private func answer(_ text: String, _ instance: FaceInstance, isMissing: Bool, _ asked: FamilyList) -> TextMatch {
    let face = instance.face
    func has(_ family: FontFamilyName) -> Bool { registry.faces(for: family).contains { $0 === face } }
    let name = zip(asked.families, asked.names).first { has($0.0) }?.1
    let reason: TextMatch.Reason =
      isMissing
      ? .missing
      : face.info.hasColor && text.unicodeScalars.contains { $0.properties.isEmoji && $0.value > 0xff }
        ? .emoji : name != nil ? .family : has(.generic(.serif)) ? .standard : .fallback
    return TextMatch(
      text: text, family: face.info.family, postScriptName: face.info.postScriptName, file: face.path, asked: isMissing ? nil : name,
      reason: reason, isSynthesized: instance.isSyntheticBold || instance.isSyntheticOblique)
  }
}

/// A `font-family` list as typed on a command line.
struct FamilyList {
  private(set) var names: [String] = []
  private(set) var families: [FontFamilyName] = []

  /// https://drafts.csswg.org/css-fonts-4/#font-family-prop, without escapes.
  init(_ text: String) {
    var name = "", quote: Character?, wasQuoted = false
    for character in text + "," {
      if let open = quote {
        if character == open { quote = nil } else { name.append(character) }
      } else if character == "\"" || character == "'" {
        (quote, wasQuoted) = (character, true)
      } else if character == "," {
        append(name, isQuoted: wasQuoted)
        (name, wasQuoted) = ("", false)
      } else {
        name.append(character)
      }
    }
    if quote != nil { append(name, isQuoted: true) }
  }

  private mutating func append(_ text: String, isQuoted: Bool) {
    let name = text.splitOnASCIIWhitespace().joined(separator: " ")
    guard !name.isEmpty else { return }
    names.append(name)
    let generic = isQuoted ? nil : GenericFontFamily(keyword: name)
    families.append(generic.map(FontFamilyName.generic) ?? .named(ByteString(name)))
  }
}
