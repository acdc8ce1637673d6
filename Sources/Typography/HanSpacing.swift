internal import COffprintPango

/// Classes of East Asian punctuation by which half of their square is blank, and which pairs are set closer.
///
/// https://drafts.csswg.org/css-text-4/#text-spacing-classes
enum HanSpacing {
  enum Kind: UInt8 {
    case other, open, close, middle, openNarrow, closeNarrow
    // Classes determined by the font.
    case dot, colon, semicolon, openQuote, closeQuote
  }

  static func kind(of codepoint: UInt32) -> Kind {
    switch codepoint {
    case 0x28, 0x5b, 0x7b: .openNarrow
    case 0x29, 0x5d, 0x7d: .closeNarrow
    case 0x2018, 0x201c: .openQuote
    case 0x2019, 0x201d: .closeQuote
    case 0x3000, 0x30fb: .middle
    case 0x3001, 0x3002, 0xff0c, 0xff0e: .dot
    case 0x3008, 0x300a, 0x300c, 0x300e, 0x3010, 0x3014, 0x3016, 0x3018, 0x301a, 0x301d, 0xff08, 0xff3b, 0xff5b, 0xff5f: .open
    case 0x3009, 0x300b, 0x300d, 0x300f, 0x3011, 0x3015, 0x3017, 0x3019, 0x301b, 0x301e, 0x301f, 0xff09, 0xff3d, 0xff5d, 0xff60: .close
    case 0xff1a: .colon
    case 0xff1b: .semicolon
    default: .other
    }
  }

  /// How a face positions the punctuation that differs between languages.
  struct Face {
    /// Whether it has half-width alternates.
    var hasHalves = false
    var dot = Kind.other, colon = Kind.other, semicolon = Kind.other
    var hasWideQuotes = false

    func kind(of codepoint: UInt32) -> Kind {
      switch HanSpacing.kind(of: codepoint) {
      case .dot: dot
      case .colon: colon
      case .semicolon: semicolon
      case .openQuote: hasWideQuotes ? .open : .openNarrow
      case .closeQuote: hasWideQuotes ? .close : .closeNarrow
      case let kind: kind
      }
    }
  }

  struct FaceKey: Hashable {
    var face: UInt64
    var language: UInt
    var isUpright: Bool
  }

  /// Whether the second of two characters loses the space before it.
  static func trimsSecond(_ first: Kind, _ second: Kind) -> Bool {
    second == .open && [.open, .middle, .close, .openNarrow].contains(first)
  }

  /// Whether the first of two characters loses the space after it.
  static func trimsFirst(_ first: Kind, _ second: Kind) -> Bool {
    first == .close && [.close, .middle, .closeNarrow].contains(second)
  }
}

// https://drafts.csswg.org/css-text-4/#text-spacing-trim-property
extension FontContext {
  /// The characters of an item that are set at half width, and those before which breaking the text would change the glyphs.
  func trimmedPunctuation(_ item: ShapeItem, _ run: ShapedRun, _ resolved: ResolvedFont) -> (halves: [Int], unsafe: Set<Int>) {
    guard resolved.description.trimsSpacing, item.cluster == nil, let instance = item.face else { return ([], []) }
    let around = max(0, item.range.lowerBound - 1)..<min(scratch.codepoints.count, item.range.upperBound + 1)
    guard scratch.codepoints[around].contains(where: { $0 >= 0x2018 && HanSpacing.kind(of: $0) != .other }) else { return ([], []) }
    let face = hanFace(instance, resolved, isUpright: run.isUpright)
    guard face.hasHalves else { return ([], []) }
    var halves: [Int] = [], unsafe: Set<Int> = []
    var last = HanSpacing.Kind.other
    for index in around {
      let kind = face.kind(of: scratch.codepoints[index])
      defer { last = kind }
      guard index > around.lowerBound else { continue }
      let first = HanSpacing.trimsFirst(last, kind), second = HanSpacing.trimsSecond(last, kind)
      guard first || second else { continue }
      unsafe.insert(index)
      let trimmed = first ? index - 1 : index
      if item.range.contains(trimmed), halves.last != trimmed { halves.append(trimmed) }
    }
    return (halves, unsafe)
  }

  /// How much narrower a closing bracket before `end` is at the end of a line, if it would not fit otherwise; nil if there is no such
  /// bracket. https://drafts.csswg.org/css-text-4/#valdef-text-spacing-trim-normal
  public func trimAtLineEnd(_ run: ShapedRun, before end: Int, of text: UnsafeBufferPointer<UInt8>) -> Float? {
    guard end <= text.count, end <= run.textRange.upperBound, run.letterSpacing == 0, let resolved = resolvedFont(run.font),
      resolved.description.trimsSpacing
    else { return nil }
    var start = end - 1
    while start > run.textRange.lowerBound, text[start] & 0xc0 == 0x80 { start -= 1 }
    guard start >= run.textRange.lowerBound, FontContext.isClosingBracket(text, at: start),
      let (face, size) = run.faces(from: start, to: end).first, hanFace(face, resolved, isUpright: run.isUpright).hasHalves
    else { return nil }
    let advance = run.width(from: start, to: end)
    // A bracket that is set at half width already cannot be trimmed again.
    return advance > size * 0.75 ? advance / 2 : nil
  }

  public static func isClosingBracket(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard index >= 0, index < text.count, text[index] >= 0xe3 else { return false }
    return HanSpacing.kind(of: UTF8Decoding.decode(text, at: index, end: text.count).codepoint) == .close
  }

  private func hanFace(_ instance: FaceInstance, _ resolved: ResolvedFont, isUpright: Bool) -> HanSpacing.Face {
    let key = HanSpacing.FaceKey(
      face: instance.identifier, language: resolved.language.map { UInt(bitPattern: $0) } ?? 0, isUpright: isUpright)
    if let cached = hanFaces[key] { return cached }
    var face = HanSpacing.Face()
    let features = instance.face.features
    // Fonts with contextual spacing features of their own are not changed.
    face.hasHalves =
      features.contains(FontTag(isUpright ? "vhal" : "halt")) && !features.contains(FontTag(isUpright ? "vchw" : "chws"))
    if face.hasHalves {
      face.dot = kind(of: 0x3001, instance, resolved, isUpright: isUpright)
      face.colon = isUpright ? .other : kind(of: 0xff1a, instance, resolved, isUpright: false)
      face.semicolon = isUpright ? .other : kind(of: 0xff1b, instance, resolved, isUpright: false)
      face.hasWideQuotes = isWide(0x201c, instance, resolved)
    }
    hanFaces[key] = face
    return face
  }

  /// The position of a character's ink in its em box.
  private func kind(
    of codepoint: UInt32, _ instance: FaceInstance, _ resolved: ResolvedFont, isUpright: Bool
  ) -> HanSpacing.Kind {
    guard let (glyph, _) = glyph(codepoint, instance, resolved, isUpright: isUpright), let font = hbFont(for: instance) else {
      return .other
    }
    var extents = hb_glyph_extents_t()
    guard hb_font_get_glyph_extents(font, glyph, &extents) != 0 else { return .other }
    let half = Double(instance.face.info.unitsPerEm) / 2
    guard !isUpright else { return .close }
    let left = Double(extents.x_bearing), width = Double(extents.width)
    if left + width <= half { return .close }
    return width <= half && left >= half / 2 ? .middle : .other
  }

  private func isWide(_ codepoint: UInt32, _ instance: FaceInstance, _ resolved: ResolvedFont) -> Bool {
    glyph(codepoint, instance, resolved, isUpright: false).map { Double($0.advance) >= Double(instance.face.info.unitsPerEm) } ?? false
  }

  /// The glyph of a single character, in the form for the language.
  private func glyph(
    _ codepoint: UInt32, _ instance: FaceInstance, _ resolved: ResolvedFont, isUpright: Bool
  ) -> (glyph: UInt32, advance: Int32)? {
    guard let font = hbFont(for: instance), let buffer = hb_buffer_create() else { return nil }
    defer { hb_buffer_destroy(buffer) }
    hb_buffer_set_content_type(buffer, HB_BUFFER_CONTENT_TYPE_UNICODE)
    hb_buffer_add(buffer, codepoint, 0)
    hb_buffer_set_direction(buffer, isUpright ? HB_DIRECTION_TTB : HB_DIRECTION_LTR)
    hb_buffer_set_script(buffer, HB_SCRIPT_HAN)
    if let language = resolved.language { hb_buffer_set_language(buffer, language) }
    HarfBuzz.shape(font, buffer)
    var count: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &count), let positions = hb_buffer_get_glyph_positions(buffer, nil), count == 1,
      infos[0].codepoint != 0
    else { return nil }
    return (infos[0].codepoint, positions[0].x_advance)
  }
}

/// Detects boundaries of ideographs and letters or digits. https://drafts.csswg.org/css-text-4/#text-autospace-property
public enum AutoSpacing {
  private enum Kind { case ideograph, letter, other }

  private static func kind(of codepoint: UInt32) -> Kind {
    switch codepoint {
    case 0..<0x30: return .other
    case 0x3041...0x3096, 0x309d...0x309f, 0x30a1...0x30fa, 0x30fc...0x30ff, 0x31c0...0x31ef, 0x31f0...0x31ff: return .ideograph
    case 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303b: return .ideograph
    // Chromium treats Hangul like ideographs.
    case 0x1100...0x11ff, 0x3131...0x318e, 0xa960...0xa97c, 0xac00...0xd7fb: return .ideograph
    case 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0x20000...0x3ffff: return .ideograph
    // Full-width forms contain their own space.
    case 0xff00...0xffef, 0x3000...0x33ff: return .other
    default:
      guard let properties = Unicode.Scalar(codepoint)?.properties else { return .other }
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: return .letter
      default: return .other
      }
    }
  }

  /// Whether space is inserted between two characters.
  public static func isNeeded(between first: UInt32, and second: UInt32) -> Bool {
    guard max(first, second) >= 0x3000 else { return false }
    let kinds = (kind(of: first), kind(of: second))
    return kinds == (.ideograph, .letter) || kinds == (.letter, .ideograph)
  }
}
