public import OffprintCoreTypes

/// Inherited properties that select fonts and shape text. https://drafts.csswg.org/css-fonts-4/
public struct FontStyle: Hashable, Sendable {
  public enum Slope: Hashable, Sendable {
    case normal, italic
    case oblique(Float)
  }
  public enum Family: Hashable, Sendable {
    case named(ByteString)
    case generic(String)
  }
  public enum Kerning: UInt8, Hashable, Sendable { case auto, normal, none }
  public struct Feature: Hashable, Sendable {
    public var tag: UInt32
    public var value: Int
    public init(tag: UInt32, value: Int) {
      self.tag = tag
      self.value = value
    }
  }
  /// `font-variant-emoji`
  @frozen public enum VariantEmoji: UInt8, Hashable, Sendable { case normal, text, emoji, unicode }
  /// `font-size-adjust`
  public struct SizeAdjust: Hashable, Sendable {
    public enum Metric: UInt8, Hashable, Sendable { case exHeight, capHeight, chWidth, icWidth, icHeight }
    public var metric: Metric
    /// Nil for `from-font`.
    public var value: Float?
  }
  public struct AdjustedSize: Hashable, Sendable {
    public var size: Float
    public var adjust: SizeAdjust
  }
  public struct Variation: Hashable, Sendable {
    public var tag: UInt32
    public var value: Float
    public init(tag: UInt32, value: Float) {
      self.tag = tag
      self.value = value
    }
  }

  /// `font-palette`
  public indirect enum Palette: Hashable, Sendable {
    case normal, light, dark
    /// The name of a `@font-palette-values` rule.
    case custom(ByteString)
    case mix(Palette, Palette, PaletteMixMethod)
  }
  public var palette = Palette.normal

  /// Initially the standard font, which is serif except for some languages.
  public var families: [Family] = [.generic("-webkit-standard")]
  /// In CSS px.
  public var size: Float = 16
  public var weight: Float = 400
  /// In percent.
  public var stretch: Float = 100
  public var slope: Slope = .normal
  public var kerning: Kerning = .auto
  /// The OpenType features of `font-variant-*` followed by those of `font-feature-settings`.
  public var features: [Feature] = []
  /// The features of `font-variant-*` alone.
  public var variantFeatures: [Feature] = []
  public var variations: [Variation] = []
  /// The property values from which `features` is built.
  public var variantLigatures: [Feature] = []
  public var variantCaps: [Feature] = []
  public var variantNumeric: [Feature] = []
  public var variantEastAsian: [Feature] = []
  public var variantPosition: [Feature] = []
  /// `font-variant-alternates`; its features depend on the family, see `FontFeatureValues`.
  public var variantAlternates: [Alternate] = []
  public var featureSettings: [Feature] = []
  /// The keyword from which `size` results, from 1 for `xx-small` to 8 for `xxx-large`; 0 if absent.
  public var sizeKeyword: UInt8 = 4
  /// Whether `size` does not derive from a keyword, so that it is unchanged when the family changes to or from `monospace`.
  public var hasAbsoluteSize = false
  /// Whether `size` is relative to that of the parent, such as `em` and percentages.
  public var isSizeRelative = false
  public var allowsSyntheticWeight = true
  public var allowsSyntheticStyle = true
  public var allowsSyntheticSmallCaps = true
  public var variantEmoji = VariantEmoji.normal
  public var opticalSizingAuto = true
  public var sizeAdjust: SizeAdjust?
  /// The size, before `font-size-adjust`, of the nearest element with that property and a size above 0.
  public var adjustedSize: AdjustedSize?
  /// `math-style: compact`
  public var isMathCompact = false
  /// `math-shift: compact`
  public var isMathShiftCompact = false
  public var mathDepth: Int16 = 0
  public var lineHeight: LineHeight = .normal
  /// In CSS px.
  public var letterSpacing: Float = 0
  public var wordSpacing: LengthPercentage = .zero
  /// False for `text-spacing-trim: space-all`.
  public var trimsSpacing = true
  /// `text-autospace: normal`
  public var spacesIdeographs = false
  /// BCP 47 language tag from `lang`; empty if unknown.
  public var language: String = ""
  public init() {}
}
