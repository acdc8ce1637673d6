import OffprintCoreTypes
import OffprintTypography

/// Which face each part of a text takes, and why.
public struct TextMatch: Hashable, Sendable, Codable {
  /// Why a part takes its face.
  public enum Reason: String, Hashable, Sendable, Codable {
    /// A family that was asked for has it.
    case family
    /// No family has it, and the font that text is in unless asked for does.
    case standard
    /// An emoji, and a font that draws those in colour.
    case emoji
    /// No family has it; of all other faces this is the first that does.
    case fallback
    /// No face has it: a box is drawn.
    case missing
  }

  /// The part, in the order of the text.
  public var text: String
  /// Of the face.
  public var family: String
  /// Of the face.
  public var postScriptName: String
  /// Where the face was read from.
  public var file: String
  /// The name in the list that brought it; nil where none did.
  public var asked: String?
  /// Why.
  public var reason: Reason
  /// Bolder, or slanted, by us.
  public var isSynthesized: Bool

  /// Spaces, controls and joiners take whatever face is beside them.
  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint { return true }
    return scalar.properties.generalCategory == .control
  }
}

extension FontLibrary {
  /// What `font-family: LIST` makes of a text.
  ///
  /// - Parameters:
  ///   - list: as in CSS: names, in quotes or not, separated by commas.
  ///   - text: whose characters may each need another face.
  ///   - weight: 1 to 1000.
  ///   - isItalic: whether italic faces are wanted.
  ///   - language: of the text, as `ja`; decides between the shapes of Chinese characters.
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

/// A `font-family` list as people write it on a command line.
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
