public import OffprintCoreTypes

/// A four-byte OpenType tag: a feature, an axis, a table, a script.
@frozen public struct FontTag: Hashable, Sendable, Comparable, BitwiseCopyable {
  public var raw: UInt32
  @inlinable public init(raw: UInt32) { self.raw = raw }

  /// The tag with the first four bytes of `text`, padded with spaces.
  public init(_ text: some StringProtocol) {
    var raw: UInt32 = 0
    var count = 0
    for byte in text.utf8.prefix(4) {
      raw = raw << 8 | UInt32(byte)
      count += 1
    }
    while count < 4 {
      raw = raw << 8 | 0x20
      count += 1
    }
    self.raw = raw
  }

  @inlinable public static func < (a: FontTag, b: FontTag) -> Bool { a.raw < b.raw }
}

extension FontTag: CustomStringConvertible {
  public var description: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: raw >> $0) }
    return String(decoding: bytes.map { $0 >= 0x20 && $0 < 0x7f ? $0 : 0x3f }, as: UTF8.self)
  }
}

/// A feature of `font-feature-settings`, or one that a `font-variant` value enables.
@frozen public struct FontFeature: Hashable, Sendable, BitwiseCopyable {
  public var tag: FontTag
  public var value: UInt32
  @inlinable public init(tag: FontTag, value: UInt32) { self.tag = tag; self.value = value }
  public init(_ tag: String, _ value: UInt32 = 1) { self.init(tag: FontTag(tag), value: value) }
}

/// An axis value of `font-variation-settings`.
@frozen public struct FontVariation: Hashable, Sendable, BitwiseCopyable {
  public var tag: FontTag
  public var value: Float
  @inlinable public init(tag: FontTag, value: Float) { self.tag = tag; self.value = value }
  public init(_ tag: String, _ value: Float) { self.init(tag: FontTag(tag), value: value) }
}

/// https://drafts.csswg.org/css-fonts-4/#generic-font-families
public enum GenericFontFamily: UInt8, Hashable, Sendable, CaseIterable {
  /// The font used if no family is specified.
  case standard
  case serif, sansSerif, monospace, cursive, fantasy, systemUI, math, emoji, uiSerif, uiSansSerif, uiMonospace, uiRounded, fangsong

  /// The CSS keyword.
  public var keyword: String {
    switch self {
    case .standard: "-webkit-standard"
    case .serif: "serif"
    case .sansSerif: "sans-serif"
    case .monospace: "monospace"
    case .cursive: "cursive"
    case .fantasy: "fantasy"
    case .systemUI: "system-ui"
    case .math: "math"
    case .emoji: "emoji"
    case .uiSerif: "ui-serif"
    case .uiSansSerif: "ui-sans-serif"
    case .uiMonospace: "ui-monospace"
    case .uiRounded: "ui-rounded"
    case .fangsong: "fangsong"
    }
  }

  /// The generic family of a CSS keyword, ignoring case.
  public init?(keyword: String) {
    let lower = keyword.lowercased()
    guard let found = GenericFontFamily.allCases.first(where: { $0.keyword == lower }) else { return nil }
    self = found
  }
}

/// One entry of `font-family`.
public enum FontFamilyName: Hashable, Sendable {
  /// A family, PostScript or full name, compared case-insensitively.
  case named(ByteString)
  case generic(GenericFontFamily)
}

/// `font-style`.
@frozen public enum FontStyle: Hashable, Sendable {
  case normal
  case italic
  /// Degrees, clockwise; CSS's default angle is 14.
  case oblique(Float)

  /// Chromium synthesizes a slant of installed faces only for this style, where italic means 14 degrees.
  var isItalic: Bool { self == .italic || self == .oblique(14) }
  /// Chromium synthesizes a slant of faces of `@font-face` rules from this angle on.
  var isSteep: Bool {
    if case .oblique(let angle) = self { return angle >= 14 }
    return self == .italic
  }
}

/// `font-variant-caps`.
@frozen public enum FontCaps: UInt8, Hashable, Sendable {
  case normal, smallCaps, allSmallCaps, petiteCaps, allPetiteCaps, unicase, titlingCaps
}

/// `font-kerning`.
@frozen public enum FontKerning: UInt8, Hashable, Sendable { case auto, normal, none }

/// `font-variant-emoji` and, for single characters, variation selectors.
@frozen public enum FontVariantEmoji: UInt8, Hashable, Sendable { case normal, text, emoji, unicode }

/// Everything that selects a face and affects shaping: the computed `font` properties of an element, as plain values.
public struct FontDescription: Hashable, Sendable {
  public var families: [FontFamilyName]
  /// In CSS px.
  public var size: Float
  /// 1 to 1000.
  public var weight: Float
  /// As a percentage; 100 is normal.
  public var stretch: Float
  public var style: FontStyle
  public var caps: FontCaps
  public var kerning: FontKerning
  public var emoji: FontVariantEmoji
  /// Later features override earlier ones.
  public var features: [FontFeature]
  public var variations: [FontVariation]
  /// `font-optical-sizing: auto`: the `opsz` axis follows the size in px.
  public var opticalSizing: Bool
  /// `font-synthesis-weight`, `-style`, `-small-caps`.
  public var synthesizesWeight: Bool
  public var synthesizesStyle: Bool
  public var synthesizesSmallCaps: Bool
  public var sizeAdjust: FontSizeAdjust?
  /// A BCP 47 tag, or empty.
  public var language: String
  /// `font-palette`, and the `@font-palette-values` rules in order, with lowercased families.
  public var palette = FontPalette()
  public var palettes: [FamilyPalette] = []

  /// The `@font-palette-values` rule for a family.
  public struct FamilyPalette: Hashable, Sendable {
    public var family: ByteString
    public var palette: FontPalette
    public init(family: ByteString, palette: FontPalette) { self.family = family; self.palette = palette }
  }

  func palette(of family: String) -> FontPalette {
    guard !palettes.isEmpty else { return palette }
    let name = ByteString(family.lowercased())
    return palettes.last { $0.family == name }?.palette ?? palette
  }

  /// `text-spacing-trim`: whether adjacent full-width punctuation is set closer.
  public var trimsSpacing = true
  /// `text-autospace`: whether space is inserted between ideographs and other letters.
  public var spacesIdeographs = false

  public init(
    families: [FontFamilyName] = [.generic(.serif)], size: Float = 16, weight: Float = 400, stretch: Float = 100,
    style: FontStyle = .normal, caps: FontCaps = .normal, kerning: FontKerning = .auto, emoji: FontVariantEmoji = .normal,
    features: [FontFeature] = [], variations: [FontVariation] = [], opticalSizing: Bool = true, synthesizesWeight: Bool = true,
    synthesizesStyle: Bool = true, synthesizesSmallCaps: Bool = true, sizeAdjust: FontSizeAdjust? = nil, language: String = ""
  ) {
    self.families = families; self.size = size; self.weight = weight; self.stretch = stretch; self.style = style
    self.caps = caps; self.kerning = kerning; self.emoji = emoji; self.features = features; self.variations = variations
    self.opticalSizing = opticalSizing; self.synthesizesWeight = synthesizesWeight
    self.synthesizesStyle = synthesizesStyle; self.synthesizesSmallCaps = synthesizesSmallCaps; self.sizeAdjust = sizeAdjust;
    self.language = language
  }

  /// The size limited to a usable range: finite, not negative, at most 10 000 px.
  var usableSize: Float { size > 0 ? min(size, 10_000) : 0 }
}

/// A `FontDescription` resolved by a `FontContext`; cheap to store, compare and pass. Valid until that context uses other fonts.
@frozen public struct FontHandle: Hashable, Sendable, BitwiseCopyable {
  public var index: UInt32
  @inlinable public init(index: UInt32) { self.index = index }
}
