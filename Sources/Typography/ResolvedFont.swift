internal import COffprintPango

/// A description with its faces, in the order in which they are tried for a character.
struct ResolvedFont {
  struct Entry {
    var instance: FaceInstance
    /// The code points the entry is used for; empty for all.
    var characters = CharacterRanges()

    func isUsed(for codepoint: UInt32) -> Bool { characters.contains(codepoint) }
  }

  var description: FontDescription
  var size: Double
  var entries: [Entry]
  /// The first face used for a space, which provides the metrics; nil if there are no fonts at all.
  var primary: FaceInstance?
  /// Whether the primary face is tried first and has all printable ASCII.
  var primaryHasASCII: Bool
  var metrics: FontMetrics
  /// The features, without those that letter spacing disables.
  var features: [hb_feature_t]
  var language: OpaquePointer?
  /// Which letters are drawn as synthesized small capitals because the face lacks the feature.
  var synthesizedCaps: SynthesizedCaps
}

struct SynthesizedCaps: OptionSet {
  var rawValue: UInt8
  static let lowercase = SynthesizedCaps(rawValue: 1)
  static let uppercase = SynthesizedCaps(rawValue: 2)
}

extension FontContext {
  /// https://drafts.csswg.org/css-fonts-4/#font-matching-algorithm, for the families of a description.
  func resolve(_ description: FontDescription) -> ResolvedFont {
    var entries: [ResolvedFont.Entry] = []
    for family in description.families.prefix(64) { appendEntries(of: family, description, to: &entries) }
    // Chromium tries its standard font last.
    appendEntries(of: .generic(.standard), description, to: &entries)
    if entries.isEmpty, let face = fonts.registry.orderedFallbackFaces.first {
      entries.append(ResolvedFont.Entry(instance: instance(of: face, description)))
    }
    let primary = (entries.first { $0.isUsed(for: 0x20) } ?? entries.first)?.instance
    var resolved = ResolvedFont(
      description: description, size: Double(description.usableSize), entries: entries, primary: primary, primaryHasASCII: false,
      metrics: FontMetrics(), features: [], language: nil, synthesizedCaps: [])
    if let primary, let first = entries.first, first.instance === primary, first.characters.isAll {
      resolved.primaryHasASCII = (0x20...0x7e).allSatisfy { primary.face.covers($0) }
    }
    resolved.metrics = makeMetrics(resolved, size: primary.map { size(of: $0, in: resolved) } ?? resolved.size)
    if !description.language.isEmpty { resolved.language = hb_language_from_string(description.language, -1) }
    setFeatures(&resolved)
    return resolved
  }

  private func appendEntries(of family: FontFamilyName, _ description: FontDescription, to entries: inout [ResolvedFont.Entry]) {
    if case .named(let name) = family, let web = fonts.webFamilies[name.text.lowercased()] {
      let matched = FontMatching.match(web.map(\.capabilities), FaceRequest(description))
      for index in matched.reversed() {  // a composite face: the last rule takes precedence
        let capabilities = web[index].capabilities
        entries.append(
          ResolvedFont.Entry(
            instance: instance(of: web[index].face, description, within: capabilities, web[index].overrides, family: name.text),
            characters: web[index].characters))
      }
      return
    }
    let index = fonts.registry.index
    let found =
      switch family {
      case .named(let name): index.lookup(name.text)
      case .generic(let generic): regional(generic, description.language) ?? index.lookup(generic)
      }
    guard let found else { return }
    let faces = found.map { fonts.registry.faces[$0] }
    guard let best = FontMatching.match(faces.map { FaceCapabilities($0.info) }, FaceRequest(description)).first else { return }
    let instance = instance(of: faces[best], description)
    if !entries.contains(where: { $0.instance === instance && $0.characters.isAll }) {
      entries.append(ResolvedFont.Entry(instance: instance))
    }
  }

  /// The standard and sans-serif font for Chinese, Japanese and Korean text, and the monospace font for Japanese: the pan-CJK family in its
  /// regional form.
  private func regional(_ generic: GenericFontFamily, _ language: String) -> [Int]? {
    guard let region = FontContext.region(language) else { return nil }
    switch generic {
    case .standard, .sansSerif: return fonts.registry.index.lookup("Noto Sans CJK \(region)")
    case .monospace: return region == "JP" ? fonts.registry.index.lookup("Noto Sans Mono CJK JP") : nil
    default: return nil
    }
  }

  /// The face with the variations of a description, and the synthesized styles it needs.
  func instance(
    of face: FontFace, _ description: FontDescription, within declared: FaceCapabilities? = nil,
    _ overrides: FontFaceOverrides = FontFaceOverrides(), family: String? = nil
  ) -> FaceInstance {
    let capabilities = declared ?? FaceCapabilities(face.info)
    var bold = false, oblique = false
    if !face.info.hasColor {
      if description.synthesizesWeight {
        bold =
          declared == nil
          ? description.weight > capabilities.weight.upperBound + 200
          : description.weight >= 600 && capabilities.weight.upperBound < 600
      }
      if description.synthesizesStyle, declared == nil ? description.style.isItalic : description.style.isSteep {
        oblique = !capabilities.isItalic && capabilities.oblique == nil
      }
    }
    let variations = variations(of: face, description, capabilities)
    var key = InstanceKey(face: face.identifier, variations: variations, bold: bold, oblique: oblique, overrides: overrides)
    if face.info.hasColorPaints { key.palette = description.palette(of: family ?? face.info.family) }
    return instance(key, face)
  }

  /// A fallback face for a character: Chromium selects the regular face and synthesizes boldness and slant.
  func fallbackInstance(of face: FontFace, _ description: FontDescription) -> FaceInstance {
    let isPlain = face.info.hasColor
    let bold = !isPlain && description.synthesizesWeight && description.weight >= 600 && face.info.weight < 600
    let oblique = !isPlain && description.synthesizesStyle && description.style.isItalic && !face.info.isItalic
    let variations = variations(of: face, description, FaceCapabilities(face.info))
    let isVariable = variations.contains { $0.tag == FontTag("wght") }
    var key = InstanceKey(face: face.identifier, variations: variations, bold: bold && !isVariable, oblique: oblique)
    if face.info.hasColorPaints { key.palette = description.palette(of: face.info.family) }
    return instance(key, face)
  }

  private func variations(of face: FontFace, _ description: FontDescription, _ capabilities: FaceCapabilities) -> [FontVariation] {
    guard !face.info.axes.isEmpty else { return [] }
    var result: [FontVariation] = []
    for axis in face.info.axes {
      var value = axis.defaultValue
      switch axis.tag {
      case FontTag("wght"): value = min(max(description.weight, capabilities.weight.lowerBound), capabilities.weight.upperBound)
      case FontTag("wdth"): value = min(max(description.stretch, capabilities.stretch.lowerBound), capabilities.stretch.upperBound)
      case FontTag("opsz") where description.opticalSizing: value = description.size
      case FontTag("ital"): value = description.style == .italic ? 1 : axis.defaultValue
      case FontTag("slnt"):
        switch description.style {
        case .normal: break
        case .italic: value = -14
        case .oblique(let angle): value = -angle
        }
      default: break
      }
      if let explicit = description.variations.last(where: { $0.tag == axis.tag }) { value = explicit.value }
      value = min(max(value, min(axis.minimum, axis.maximum)), max(axis.minimum, axis.maximum))
      if value != axis.defaultValue { result.append(FontVariation(tag: axis.tag, value: value)) }
    }
    return result.sorted { $0.tag < $1.tag }
  }

  private func makeMetrics(_ resolved: ResolvedFont, size: Double) -> FontMetrics {
    guard let primary = resolved.primary else {
      var metrics = FontMetrics()
      metrics.size = Float(size)
      return metrics
    }
    let face = primary.face
    var units = face.info.metrics
    if !primary.variations.isEmpty, let font = hbFont(for: primary) { units.vary(font) }
    if units.xHeight <= 0 { units.xHeight = face.top(of: 0x78) }
    if units.capHeight <= 0 { units.capHeight = face.top(of: 0x48) }
    primary.overrides.apply(to: &units, unitsPerEm: Double(face.info.unitsPerEm))
    var metrics = FontMetrics(face: units, unitsPerEm: Double(face.info.unitsPerEm), size: size)
    // From the first face that is used for the character, even if it lacks the character.
    func advance(_ codepoint: UInt32) -> Double? {
      let instance = resolved.entries.first { $0.isUsed(for: codepoint) }?.instance ?? primary
      let glyph = instance.face.glyph(for: codepoint)
      guard glyph != 0, let font = hbFont(for: instance) else { return nil }
      let used = instance === primary ? size : self.size(of: instance, in: resolved)
      return Double(hb_font_get_glyph_h_advance(font, glyph)) * FontMetrics.glyphScale(used, unitsPerEm: instance.face.info.unitsPerEm)
    }
    metrics.spaceAdvance = Float(advance(0x20) ?? 0)
    metrics.zeroAdvance = Float(advance(0x30) ?? size / 2)
    metrics.icAdvance = Float(advance(0x6c34) ?? size)
    return metrics
  }

  private func setFeatures(_ font: inout ResolvedFont) {
    let description = font.description
    if description.kerning == .none { font.features.append(FontContext.feature(FontTag("kern"), 0)) }
    let candidates = Self.capsFeatures(description.caps)
    let found = candidates.first { $0.allSatisfy { font.primary?.face.hasFeature(FontTag($0)) ?? false } }
    let hasFeatures = found != nil, tags = found ?? candidates.last ?? []
    for tag in tags { font.features.append(FontContext.feature(FontTag(tag), 1)) }
    if !hasFeatures, description.synthesizesSmallCaps {
      switch description.caps {
      case .smallCaps, .petiteCaps: font.synthesizedCaps = .lowercase
      case .allSmallCaps, .allPetiteCaps: font.synthesizedCaps = [.lowercase, .uppercase]
      case .unicase: font.synthesizedCaps = .uppercase
      case .normal, .titlingCaps: break
      }
    }
    for feature in description.features.prefix(256) { font.features.append(FontContext.feature(feature.tag, feature.value)) }
  }

  /// Petite capitals fall back to small capitals if the font has none. https://drafts.csswg.org/css-fonts-4/#font-variant-caps-prop
  private static func capsFeatures(_ caps: FontCaps) -> [[String]] {
    switch caps {
    case .normal: [[]]
    case .smallCaps: [["smcp"]]
    case .allSmallCaps: [["smcp", "c2sc"]]
    case .petiteCaps: [["pcap"], ["smcp"]]
    case .allPetiteCaps: [["pcap", "c2pc"], ["smcp", "c2sc"]]
    case .unicase: [["unic"]]
    case .titlingCaps: [["titl"]]
    }
  }

  static func feature(_ tag: FontTag, _ value: UInt32) -> hb_feature_t {
    hb_feature_t(tag: tag.raw, value: value, start: 0, end: UInt32.max)
  }
}

extension FaceMetrics {
  /// Applies the `MVAR` deltas of an instance. https://learn.microsoft.com/typography/opentype/spec/mvar
  mutating func vary(_ font: OpaquePointer) {
    func delta(_ tag: hb_ot_metrics_tag_t) -> Double { Double(hb_ot_metrics_get_variation(font, tag)) }
    ascender += delta(HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER)
    descender += delta(HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER)
    lineGap += delta(HB_OT_METRICS_TAG_HORIZONTAL_LINE_GAP)
    if xHeight > 0 { xHeight += delta(HB_OT_METRICS_TAG_X_HEIGHT) }
    if capHeight > 0 { capHeight += delta(HB_OT_METRICS_TAG_CAP_HEIGHT) }
    underlinePosition += delta(HB_OT_METRICS_TAG_UNDERLINE_OFFSET)
    underlineThickness += delta(HB_OT_METRICS_TAG_UNDERLINE_SIZE)
    strikeoutPosition += delta(HB_OT_METRICS_TAG_STRIKEOUT_OFFSET)
    strikeoutThickness += delta(HB_OT_METRICS_TAG_STRIKEOUT_SIZE)
  }
}

extension FontFace {
  /// The feature tags of the face, sorted, without duplicates.
  public var features: [FontTag] {
    var tags: Set<UInt32> = []
    for table in [FontTag("GSUB"), FontTag("GPOS")] {
      let count = min(hb_ot_layout_table_get_feature_tags(hbFace, table.raw, 0, nil, nil), 4096)
      var found = [hb_tag_t](repeating: 0, count: Int(count))
      var length = count
      _ = hb_ot_layout_table_get_feature_tags(hbFace, table.raw, 0, &length, &found)
      tags.formUnion(found.prefix(Int(length)))
    }
    return tags.map { FontTag(raw: $0) }.sorted()
  }

  /// The scripts that the face has layout rules for, sorted, without duplicates.
  public var scripts: [FontTag] {
    var tags: Set<UInt32> = []
    for table in [FontTag("GSUB"), FontTag("GPOS")] {
      let count = min(hb_ot_layout_table_get_script_tags(hbFace, table.raw, 0, nil, nil), 1024)
      var found = [hb_tag_t](repeating: 0, count: Int(count))
      var length = count
      _ = hb_ot_layout_table_get_script_tags(hbFace, table.raw, 0, &length, &found)
      tags.formUnion(found.prefix(Int(length)))
    }
    return tags.map { FontTag(raw: $0) }.sorted()
  }

  /// The number of characters that the face has glyphs for.
  public var coverageCount: Int {
    guard let set = hb_set_create() else { return 0 }
    defer { hb_set_destroy(set) }
    hb_face_collect_unicodes(hbFace, set)
    return Int(hb_set_get_population(set))
  }

  func hasFeature(_ tag: FontTag) -> Bool { features.contains(tag) }
}
