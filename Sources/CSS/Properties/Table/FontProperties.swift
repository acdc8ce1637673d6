import OffprintCoreTypes

// https://drafts.csswg.org/css-fonts-4/

struct FontSizeValue: Sendable { var px: Float, keyword: UInt8, isAbsolute: Bool, isRelative = false }

extension TableBuilder {
  mutating func registerFonts() {
    field(
      "font-family", \FontStyle.families, "[ <family-name> | <generic-family> ]#", phase: .first
    ) { $0.fontFamilies() }
    specified(
      "font-weight", \FontStyle.weight, "normal | bold | bolder | lighter | <number [1,1000]>",
      phase: .first
    ) { $0.fontWeight() }
    field(
      "font-stretch", \FontStyle.stretch, "normal | <percentage [0,∞]> | <width-keyword>",
      phase: .first
    ) { $0.fontStretch() }
    field("font-style", \FontStyle.slope, "normal | italic | oblique <angle>?", phase: .first) {
      $0.fontSlope()
    }
    specifiedFields(
      "font-size", "<absolute-size> | <relative-size> | <length-percentage [0,∞]> | math",
      phase: .fontSize, parse: { $0.fontSize() },
      set: { (style: inout FontStyle, value: FontSizeValue) in
        style.size = value.px
        style.sizeKeyword = value.keyword
        style.hasAbsoluteSize = value.isAbsolute
        style.isSizeRelative = value.isRelative
      },
      get: { FontSizeValue(px: $0.size, keyword: $0.sizeKeyword, isAbsolute: $0.hasAbsoluteSize, isRelative: $0.isSizeRelative) })
    specified(
      "line-height", \FontStyle.lineHeight, "normal | <number [0,∞]> | <length-percentage [0,∞]>",
      phase: .lineHeight
    ) {
      $0.lineHeight()
    }
    specified("letter-spacing", \FontStyle.letterSpacing, "normal | <length-percentage>") {
      $0.letterSpacing()
    }
    field("word-spacing", \FontStyle.wordSpacing, "normal | <length-percentage>") {
      parser -> LengthPercentage? in
      parser.keyword("normal") ? .zero : parser.lengthPercentage()
    }
    registerMath()
    keywords(
      "text-spacing-trim", \FontStyle.trimsSpacing,
      [("normal", true), ("space-all", false), ("space-first", true), ("trim-start", true)])
    keywords("text-autospace", \FontStyle.spacesIdeographs, [("no-autospace", false), ("normal", true)])
    registerFontFeatures()
    change(["font-size", "letter-spacing", "word-spacing"]) { $0.allowsUnitlessLength = true }
  }

  private mutating func registerFontFeatures() {
    keywords(
      "font-kerning", \FontStyle.kerning, phase: .first,
      [("auto", .auto), ("normal", .normal), ("none", .none)])
    field(
      "font-variant-ligatures", \FontStyle.variantLigatures, "normal | none | <ligature-values>",
      phase: .first, read: { features, _ in FontFeature.keywords(features, FontFeature.ligatures) }
    ) { parser in
      if parser.keyword("none") { return FontFeature.list("liga=0 clig=0 dlig=0 hlig=0 calt=0") }
      return parser.variantFeatures(FontFeature.ligatures)
    }
    field(
      "font-variant-caps", \FontStyle.variantCaps, "normal | small-caps | all-small-caps | …",
      phase: .first, read: { features, _ in FontFeature.keywords(features, FontFeature.caps) }
    ) { parser in
      parser.variantFeatures(FontFeature.caps)
    }
    field(
      "font-variant-numeric", \FontStyle.variantNumeric, "normal | <numeric-values>", phase: .first,
      read: { features, _ in FontFeature.keywords(features, FontFeature.numeric) }
    ) { parser in
      parser.variantFeatures(FontFeature.numeric)
    }
    field(
      "font-variant-east-asian", \FontStyle.variantEastAsian, "normal | <east-asian-values>",
      phase: .first, read: { features, _ in FontFeature.keywords(features, FontFeature.eastAsian) }
    ) { parser in
      parser.variantFeatures(FontFeature.eastAsian)
    }
    field(
      "font-variant-position", \FontStyle.variantPosition, "normal | sub | super", phase: .first,
      read: { features, _ in FontFeature.keywords(features, FontFeature.position) }
    ) { parser in
      parser.variantFeatures(FontFeature.position)
    }
    field(
      "font-feature-settings", \FontStyle.featureSettings,
      "normal | [ <string> [ <integer> | on | off ]? ]#", phase: .first
    ) {
      $0.featureSettings()
    }
    field(
      "font-variation-settings", \FontStyle.variations, "normal | [ <string> <number> ]#",
      phase: .first
    ) { $0.variationSettings() }
    keywords(
      "font-synthesis-weight", \FontStyle.allowsSyntheticWeight, phase: .first,
      [("auto", true), ("none", false)])
    keywords(
      "font-synthesis-style", \FontStyle.allowsSyntheticStyle, phase: .first,
      [("auto", true), ("none", false)])
    keywords(
      "font-optical-sizing", \FontStyle.opticalSizingAuto, phase: .first,
      [("auto", true), ("none", false)])
    field(
      "font-size-adjust", \FontStyle.sizeAdjust,
      "none | [ ex-height | cap-height | ch-width | ic-width | ic-height ]? [ from-font | <number [0,∞]> ]",
      phase: .first
    ) { $0.fontSizeAdjust() }
    keywords(
      "font-synthesis-small-caps", \FontStyle.allowsSyntheticSmallCaps, phase: .first,
      [("auto", true), ("none", false)])
    field(
      "font-variant-alternates", \FontStyle.variantAlternates,
      "normal | [ historical-forms || stylistic(<name>) || styleset(<name>#) || character-variant(<name>#) || swash(<name>) || …(<name>) ]",
      phase: .first,
      read: { value, _ in value.isEmpty ? "normal" : value.map(\.text).joined(separator: " ") }
    ) { $0.variantAlternates() }
    keywords(
      "font-variant-emoji", \FontStyle.variantEmoji, phase: .first,
      [("normal", .normal), ("text", .text), ("emoji", .emoji), ("unicode", .unicode)])
    field(
      "font-palette", \FontStyle.palette, "normal | light | dark | <palette-identifier> | <palette-mix()>", phase: .first
    ) { $0.fontPalette() }
    // What `lang` sets.
    field(
      "-webkit-locale", \FontStyle.language, "auto | <string>", phase: .first,
      read: { language, _ in language.isEmpty ? "auto" : ComputedTextWriter.quoted(language) }
    ) { $0.keyword("auto") ? "" : $0.string() }
  }
}

/// OpenType features of the keywords of `font-variant-*`.
enum FontFeature {
  typealias Row = (keyword: StaticString, features: [FontStyle.Feature], exclusion: Int)

  static func tag(_ name: Substring) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  /// Parses a list of features such as `liga clig=0`.
  static func list(_ text: String) -> [FontStyle.Feature] {
    text.split(byte: " ").map { item in
      let parts = item.split(byte: "=")
      return FontStyle.Feature(tag: tag(parts[0]), value: parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
    }
  }

  private static func table(_ rows: [(StaticString, String, Int)]) -> [Row] {
    rows.map { ($0.0, list($0.1), $0.2) }
  }

  // Keywords with the same number in the last column are mutually exclusive.
  static let ligatures = table([
    ("common-ligatures", "liga clig", 0), ("no-common-ligatures", "liga=0 clig=0", 0),
    ("discretionary-ligatures", "dlig", 1),
    ("no-discretionary-ligatures", "dlig=0", 1), ("historical-ligatures", "hlig", 2),
    ("no-historical-ligatures", "hlig=0", 2),
    ("contextual", "calt", 3), ("no-contextual", "calt=0", 3),
  ])
  static let caps = table([
    ("small-caps", "smcp", 0), ("all-small-caps", "c2sc smcp", 0), ("petite-caps", "pcap", 0),
    ("all-petite-caps", "c2pc pcap", 0),
    ("unicase", "unic", 0), ("titling-caps", "titl", 0),
  ])
  static let numeric = table([
    ("lining-nums", "lnum", 0), ("oldstyle-nums", "onum", 0), ("proportional-nums", "pnum", 1),
    ("tabular-nums", "tnum", 1),
    ("diagonal-fractions", "frac", 2), ("stacked-fractions", "afrc", 2), ("ordinal", "ordn", 3),
    ("slashed-zero", "zero", 4),
  ])
  static let eastAsian = table([
    ("jis78", "jp78", 0), ("jis83", "jp83", 0), ("jis90", "jp90", 0), ("jis04", "jp04", 0),
    ("simplified", "smpl", 0),
    ("traditional", "trad", 0),
    ("full-width", "fwid", 1), ("proportional-width", "pwid", 1), ("ruby", "ruby", 2),
  ])
  static let position = table([("sub", "subs", 0), ("super", "sups", 0)])
}

extension ValueParser {
  mutating func variantFeatures(_ table: [FontFeature.Row]) -> [FontStyle.Feature]? {
    if keyword("normal") { return [] }
    var used: Set<Int> = []
    var result: [FontStyle.Feature] = []
    search: while !isAtEnd() {
      for row in table where keyword(row.keyword) {
        guard used.insert(row.exclusion).inserted else { return nil }
        result += row.features
        continue search
      }
      break
    }
    return used.isEmpty ? nil : result
  }

  /// https://drafts.csswg.org/css-fonts-4/#font-variant-alternates-prop
  mutating func variantAlternates() -> [FontStyle.Alternate]? {
    if keyword("normal") { return [] }
    var result: [FontStyle.Alternate] = []
    search: while !isAtEnd() {
      for (kind, name) in FontStyle.Alternate.Kind.names where !result.contains(where: { $0.kind == kind }) {
        if kind == .historicalForms {
          guard keyword(name) else { continue }
          result.append(FontStyle.Alternate(kind: kind, names: []))
          continue search
        }
        guard let names = function(name, { parser in parser.commaList { $0.customIdentifier() } }) else { continue }
        guard kind.takesList || names.count == 1 else { return nil }
        result.append(FontStyle.Alternate(kind: kind, names: names))
        continue search
      }
      break
    }
    return result.isEmpty ? nil : result
  }

  private static let sizeAdjustMetrics: [(StaticString, FontStyle.SizeAdjust.Metric)] = [
    ("ex-height", .exHeight), ("cap-height", .capHeight), ("ch-width", .chWidth),
    ("ic-width", .icWidth), ("ic-height", .icHeight),
  ]

  /// https://drafts.csswg.org/css-fonts-5/#font-size-adjust-prop
  mutating func fontSizeAdjust() -> FontStyle.SizeAdjust?? {
    if keyword("none") { return .some(nil) }
    let metric = keyword(of: Self.sizeAdjustMetrics) ?? .exHeight
    if keyword("from-font") { return FontStyle.SizeAdjust(metric: metric, value: nil) }
    return float(Self.nonNegative).map { FontStyle.SizeAdjust(metric: metric, value: $0) }
  }

  private mutating func featureTag() -> UInt32? {
    attempt { parser in
      guard let text = parser.string(), text.utf8.count == 4,
        text.utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E })
      else { return nil }
      return FontFeature.tag(text[...])
    }
  }

  mutating func featureSettings() -> [FontStyle.Feature]? {
    if keyword("normal") { return [] }
    return commaList { parser -> FontStyle.Feature? in
      guard let tag = parser.featureTag() else { return nil }
      if parser.keyword("on") { return FontStyle.Feature(tag: tag, value: 1) }
      if parser.keyword("off") { return FontStyle.Feature(tag: tag, value: 0) }
      return FontStyle.Feature(tag: tag, value: parser.integer(min: 0) ?? 1)
    }
  }

  mutating func variationSettings() -> [FontStyle.Variation]? {
    if keyword("normal") { return [] }
    return commaList { parser -> FontStyle.Variation? in
      guard let tag = parser.featureTag(), let value = parser.float() else { return nil }
      return FontStyle.Variation(tag: tag, value: value)
    }
  }

  private static let genericFamilies: [(StaticString, String)] = [
    ("serif", "serif"), ("sans-serif", "sans-serif"), ("monospace", "monospace"),
    ("cursive", "cursive"), ("fantasy", "fantasy"),
    ("system-ui", "system-ui"), ("ui-serif", "ui-serif"),
    ("ui-sans-serif", "ui-sans-serif"), ("ui-monospace", "ui-monospace"),
    ("ui-rounded", "ui-rounded"), ("math", "math"),
    ("emoji", "emoji"),
    ("fangsong", "fangsong"), ("-webkit-body", "-webkit-body"),
  ]

  mutating func fontFamilies() -> [FontStyle.Family]? {
    commaList { parser -> FontStyle.Family? in
      if let name = parser.string() { return .named(ByteString(name)) }
      if let generic = parser.function("generic", { $0.customIdentifier() }) {
        return .generic(generic.text)
      }
      if let generic = parser.attempt({ parser -> String? in
        guard let name = parser.keyword(of: Self.genericFamilies) else { return nil }
        return parser.peek()?.kind == .ident ? nil : name
      }) {
        return .generic(generic)
      }
      guard let first = parser.customIdentifier() else { return nil }
      var name = first.text
      while let word = parser.peekIdentifier() {
        parser.advance()
        name += " " + String(decoding: word, as: UTF8.self)
      }
      return .named(ByteString(name))
    }
  }

  /// https://drafts.csswg.org/css-fonts-4/#relative-weights
  mutating func fontWeight() -> Specified<Float>? {
    if keyword("normal") { return .value(400) }
    if keyword("bold") { return .value(700) }
    if keyword("bolder") {
      return .relative { element in
        let weight = element.parent.font.weight
        return weight < 350 ? 400 : weight < 550 ? 700 : weight < 900 ? 900 : weight
      }
    }
    if keyword("lighter") {
      return .relative { element in
        let weight = element.parent.font.weight
        return weight < 100 ? weight : weight < 550 ? 100 : weight < 750 ? 400 : 700
      }
    }
    return float(1...1000).map { .value($0) }
  }

  static let stretchKeywords: [(StaticString, Float)] = [
    ("normal", 100), ("ultra-condensed", 50), ("extra-condensed", 62.5), ("condensed", 75),
    ("semi-condensed", 87.5),
    ("semi-expanded", 112.5),
    ("expanded", 125), ("extra-expanded", 150), ("ultra-expanded", 200),
  ]

  mutating func fontStretch() -> Float? {
    keyword(of: Self.stretchKeywords) ?? percentage(Self.nonNegative).map { Float($0) }
  }

  mutating func fontSlope() -> FontStyle.Slope? {
    if keyword("normal") { return .normal }
    if keyword("italic") { return .italic }
    guard keyword("oblique") else { return nil }
    let isMath = peekMathFunction() != nil
    guard let angle = angle() else { return .oblique(14) }
    if isMath { return .oblique(Float(Swift.min(Swift.max(angle, -90), 90))) }
    return angle >= -90 && angle <= 90 ? .oblique(Float(angle)) : nil
  }

  private static let sizeKeywords: [(StaticString, UInt8)] = [
    ("xx-small", 1), ("x-small", 2), ("small", 3), ("medium", 4), ("large", 5), ("x-large", 6),
    ("xx-large", 7), ("xxx-large", 8),
    ("-webkit-xxx-large", 8),
  ]

  /// The size of a keyword (1 to 8) in CSS px. As in Chromium, `medium` is 13 px for `monospace`.
  ///
  /// https://drafts.csswg.org/css-fonts-4/#absolute-size-mapping
  static func fontSize(keyword: UInt8, isMonospace: Bool, quirks: Bool) -> Float {
    let sizes: [Float] =
      isMonospace
      ? (quirks ? [9, 9, 10, 13, 16, 20, 26, 40] : [9, 10, 12, 13, 16, 20, 26, 39])
      : [9, 10, 13, 16, 18, 24, 32, 48]
    let index = Int(keyword) - 1
    return sizes.indices.contains(index) ? sizes[index] : 16
  }

  mutating func fontSize() -> Specified<FontSizeValue>? {
    if let keyword = keyword(of: Self.sizeKeywords) {
      return .value(
        FontSizeValue(px: Self.fontSize(keyword: keyword, isMonospace: false, quirks: false), keyword: keyword, isAbsolute: false))
    }
    if keyword("math") { return .relative { $0.mathFontSize } }
    if keyword("larger") { return Self.relativeFontSize { Float(Double($0) * 1.2) } }
    if keyword("smaller") { return Self.relativeFontSize { Float(Double($0) / 1.2) } }
    let isFontRelative = isNextFontRelative()
    guard let value = specifiedLengths({ $0.lengthPercentage(nonNegative: true) }) else { return nil }
    if case .value(.length(let px)) = value, !isFontRelative {
      return .value(FontSizeValue(px: Self.clampedFontSize(Double(px)), keyword: 0, isAbsolute: true))
    }
    return .relative { element in
      let parent = element.parent.font
      let px = value.computed(element).resolve(Double(parent.size))
      return FontSizeValue(
        px: Self.clampedFontSize(px), keyword: 0, isAbsolute: isFontRelative ? parent.hasAbsoluteSize : true, isRelative: isFontRelative)
    }
  }

  private static func relativeFontSize(_ change: @escaping @Sendable (Float) -> Float) -> Specified<FontSizeValue> {
    .relative { element in
      let parent = element.parent.font
      return FontSizeValue(px: change(parent.size), keyword: 0, isAbsolute: parent.hasAbsoluteSize, isRelative: true)
    }
  }

  private static func clampedFontSize(_ px: Double) -> Float { Float(Swift.min(Swift.max(px, 0), 10_000)) }

  private mutating func isNextFontRelative() -> Bool {
    guard let token = peek() else { return false }
    if token.kind == .percentage { return true }
    guard token.kind == .dimension, let unit = Unit(buffer.bytes(token.value)) else { return false }
    return [.em, .ex, .ch, .ic, .cap].contains(unit)
  }

  mutating func lineHeight() -> Specified<LineHeight>? {
    if keyword("normal") { return .value(.normal) }
    if let factor = float(Self.nonNegative) { return .value(.number(factor)) }
    return fontPercentage(nonNegative: true)?.map { .length(Float(Swift.min($0, Self.lengthLimit))) }
  }

  mutating func letterSpacing() -> Specified<Float>? {
    keyword("normal") ? .value(0) : fontPercentage(nonNegative: false)?.map { Float($0) }
  }

  /// Parses a length in px or a percentage of the font size.
  private mutating func fontPercentage(nonNegative: Bool) -> Specified<Double>? {
    guard let value = specifiedLengths({ $0.lengthPercentage(nonNegative: nonNegative) }) else { return nil }
    if case .value(.length(let px)) = value { return .value(Double(px)) }
    return .relative { value.computed($0).resolve(Double($0.fontSize)) }
  }
}
