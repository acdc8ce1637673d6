public import OffprintCSS
import OffprintCoreTypes
public import OffprintTypography

extension FontDescription {
  /// The font description for a computed style.
  public init(_ style: OffprintCSS.FontStyle) {
    let caps = FontDescription.caps(style.variantFeatures)
    var features: [FontFeature] = []
    for feature in style.features where caps == .normal || !FontDescription.isCapsFeature(feature.tag) {
      features.append(FontFeature(tag: FontTag(raw: feature.tag), value: UInt32(clamping: feature.value)))
    }
    let slope: OffprintTypography.FontStyle =
      switch style.slope {
      case .normal: .normal
      case .italic: .italic
      case .oblique(let angle): .oblique(angle)
      }
    let kerning: FontKerning =
      switch style.kerning {
      case .auto: .auto
      case .normal: .normal
      case .none: .none
      }
    // Chromium does not adjust a size of 0: the font keeps the adjusted size that it inherits (`FontBuilder::UpdateAdjustedSize`).
    let adjusted = style.size == 0 && style.sizeAdjust != nil ? style.adjustedSize : nil
    self.init(
      families: style.families.map(FontDescription.family), size: adjusted?.size ?? style.size, weight: style.weight,
      stretch: style.stretch, style: slope, caps: caps, kerning: kerning, emoji: FontDescription.emoji(style.variantEmoji),
      features: features, variations: style.variations.map { FontVariation(tag: FontTag(raw: $0.tag), value: $0.value) },
      opticalSizing: style.opticalSizingAuto, synthesizesWeight: style.allowsSyntheticWeight,
      synthesizesStyle: style.allowsSyntheticStyle, synthesizesSmallCaps: style.allowsSyntheticSmallCaps,
      sizeAdjust: (adjusted?.adjust ?? style.sizeAdjust).map { FontDescription.sizeAdjust($0) },
      language: style.language)
    trimsSpacing = style.trimsSpacing
    spacesIdeographs = style.spacesIdeographs
    if style.palette != .normal { palette = FontPalette(style.palette) { _ in nil } }
  }

  private static func emoji(_ emoji: OffprintCSS.FontStyle.VariantEmoji) -> FontVariantEmoji {
    switch emoji {
    case .normal: .normal
    case .text: .text
    case .emoji: .emoji
    case .unicode: .unicode
    }
  }

  private static func sizeAdjust(_ adjust: OffprintCSS.FontStyle.SizeAdjust) -> FontSizeAdjust {
    let metric: FontSizeAdjust.Metric =
      switch adjust.metric {
      case .exHeight: .exHeight
      case .capHeight: .capHeight
      case .chWidth: .chWidth
      case .icWidth: .icWidth
      case .icHeight: .icHeight
      }
    return FontSizeAdjust(metric: metric, value: adjust.value)
  }

  private static func family(_ family: OffprintCSS.FontStyle.Family) -> FontFamilyName {
    switch family {
    case .named(let name): .named(name)
    case .generic(let keyword): GenericFontFamily(keyword: keyword).map(FontFamilyName.generic) ?? .named(ByteString(keyword))
    }
  }

  private static let smcp = FontTag("smcp").raw, c2sc = FontTag("c2sc").raw, pcap = FontTag("pcap").raw, c2pc = FontTag("c2pc").raw
  private static let unic = FontTag("unic").raw, titl = FontTag("titl").raw

  private static func isCapsFeature(_ tag: UInt32) -> Bool { [smcp, c2sc, pcap, c2pc, unic, titl].contains(tag) }

  /// The `font-variant-caps` value for OpenType features. The font context synthesizes forms that a face lacks.
  private static func caps(_ features: [OffprintCSS.FontStyle.Feature]) -> FontCaps {
    guard !features.isEmpty else { return .normal }
    func has(_ tag: UInt32) -> Bool { features.contains { $0.tag == tag && $0.value != 0 } }
    if has(smcp) { return has(c2sc) ? .allSmallCaps : .smallCaps }
    if has(pcap) { return has(c2pc) ? .allPetiteCaps : .petiteCaps }
    return has(unic) ? .unicase : has(titl) ? .titlingCaps : .normal
  }
}

/// The parts of a computed font that inline layout uses, resolved once for each font.
struct InlineFont {
  var handle: FontHandle
  var metrics: FontMetrics
  /// The ascent and descent for line boxes, see `FontHeight`.
  var height: FontHeight
  /// The used `line-height`.
  var lineHeight: LayoutUnit
  var isNormalLineHeight: Bool
  var hasFixedLineHeight = false
  /// The factor of `text-fit`, and the leading of the unscaled font.
  var scale = 1.0
  var leading = LayoutUnit.zero
  var letterSpacing: Float
  var wordSpacing: Float

  init(_ style: OffprintCSS.FontStyle, _ fonts: FontContext, _ values: FontFeatureValues) {
    var style = style
    // `font-feature-settings` take precedence over alternates, so they come last.
    if !style.variantAlternates.isEmpty { style.features.insert(contentsOf: values.features(style), at: 0) }
    var description = FontDescription(style)
    if style.palette != .normal { description.palettes = values.palettes(of: style.palette) }
    handle = fonts.font(description)
    metrics = fonts.metrics(handle)
    height = FontHeight(ascent: LayoutUnit(rounding: Double(metrics.ascent)), descent: LayoutUnit(rounding: Double(metrics.descent)))
    letterSpacing = style.letterSpacing
    wordSpacing = Float(style.wordSpacing.resolve(Double(style.size)))
    isNormalLineHeight = false
    switch style.lineHeight {
    case .normal:
      lineHeight = LayoutUnit(rounding: Double(metrics.lineSpacing))
      isNormalLineHeight = true
    case .number(let factor): lineHeight = LayoutUnit(LayoutUnit(rounding: Double(style.size)).float * factor)
    case .length(let px):
      lineHeight = LayoutUnit(rounding: Double(px))
      hasFixedLineHeight = true
    }
  }
}

/// A dictionary by box, stored in an array for fast access.
struct BoxTable<Value> {
  private var values: [Value?]
  init(count: Int) { values = Array(repeating: nil, count: count) }
  subscript(box: BoxID) -> Value? {
    get { values.indices.contains(box.index) ? values[box.index] : nil }
    set { if values.indices.contains(box.index) { values[box.index] = newValue } }
  }
}

/// The caches of inline layout: fonts by the address of their computed style, items by block container.
struct InlineCache {
  fileprivate var fonts: [UnsafePointer<OffprintCSS.FontStyle>: InlineFont] = [:]
  var items: BoxTable<InlineItems>
  var firstLineItems: [BoxID: InlineItems] = [:]
  var firstLineStyles: [BoxID: ComputedStyle?] = [:]
  /// The levels in containers of interrupted paragraphs; empty if all text is left-to-right.
  var interruptedLevels: [BoxID: [BidiRun]] = [:]
  private var knowsTextBoxTrim: Bool?
  private var knowsAnnotations: Bool?

  init(boxCount: Int) { items = BoxTable(count: boxCount) }

  /// Whether the page has any `text-box-trim`.
  mutating func hasTextBoxTrim(_ tree: BoxTree) -> Bool {
    if let cached = knowsTextBoxTrim { return cached }
    let found = tree.boxes.contains { !$0.style.box.textBoxTrim.isEmpty }
    knowsTextBoxTrim = found
    return found
  }

  /// Whether any text of the page may have ruby or emphasis marks.
  mutating func hasAnnotations(_ tree: BoxTree) -> Bool {
    if let cached = knowsAnnotations { return cached }
    let found =
      tree.boxes.contains { $0.isRubyColumn || $0.style.text.emphasisMark != nil }
      || tree.styled.pseudoStyles.keys.contains { $0.pseudo == .firstLine || $0.pseudo == .detailsFirstLine }
    knowsAnnotations = found
    return found
  }
}

extension LayoutEngine {
  func inlineFont(_ style: ComputedStyle) -> InlineFont {
    let pointer = style.record.pointee.font
    if let cached = inlineCache.fonts[pointer] { return cached }
    let font = InlineFont(pointer.pointee, fonts, tree.styled.fontFeatureValues)
    inlineCache.fonts[pointer] = font
    return font
  }
}

extension HyphenationLimits {
  /// The values of `auto` are Chromium's.
  init(_ limits: HyphenateLimits) {
    self.init()
    if limits.word > 0 { word = Int(limits.word) }
    if limits.before > 0 { before = Int(limits.before) }
    if limits.after > 0 { after = Int(limits.after) }
  }
}

extension FontFeatureValues {
  /// The palettes for each font family with rules for the palette's names.
  fileprivate func palettes(of palette: OffprintCSS.FontStyle.Palette) -> [FontDescription.FamilyPalette] {
    let rules = Dictionary(palette.names.map { ($0, self.palettes($0)) }, uniquingKeysWith: { first, _ in first })
    var families: [ByteString] = []
    for name in palette.names {
      for rule in rules[name] ?? [] where !families.contains(rule.family) { families.append(rule.family) }
    }
    return families.map { family in
      FontDescription.FamilyPalette(
        family: family, palette: FontPalette(palette) { name in rules[name]?.last { $0.family == family }.map { FontPalette($0) } })
    }
  }
}

extension FontPalette {
  /// - Parameter named: Resolves the name of a `@font-palette-values` rule; nil if the family has no such rule.
  fileprivate init(_ palette: OffprintCSS.FontStyle.Palette, named: (ByteString) -> FontPalette?) {
    switch palette {
    case .normal: self.init()
    case .light: self.init(base: .light)
    case .dark: self.init(base: .dark)
    case .custom(let name): self = named(name) ?? FontPalette()
    case .mix(let a, let b, let method): self.init(mixing: FontPalette(a, named: named), FontPalette(b, named: named), method)
    }
  }

  fileprivate init(_ rule: FontPaletteRule) {
    let base: FontPalette.Base =
      switch rule.base {
      case .light: .light
      case .dark: .dark
      case .index(let index): .index(index)
      }
    self.init(base: base, overrides: rule.overrides.map { FontPalette.Override(index: $0.index, color: $0.color) })
  }
}
