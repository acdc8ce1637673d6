public import OffprintCoreTypes

/// Inherited: what chooses and shapes glyphs. https://drafts.csswg.org/css-fonts-4/
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
    /// nil is `from-font`.
    public var value: Float?
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
    /// Of a `@font-palette-values` rule.
    case custom(ByteString)
    case mix(Palette, Palette, PaletteMixMethod)
  }
  public var palette = Palette.normal

  /// At first the standard font, which is serif and in some languages another.
  public var families: [Family] = [.generic("-webkit-standard")]
  /// px
  public var size: Float = 16
  public var weight: Float = 400
  /// Percent.
  public var stretch: Float = 100
  public var slope: Slope = .normal
  public var kerning: Kerning = .auto
  /// `font-feature-settings` behind what `font-variant-*` asks for, as OpenType features in order.
  public var features: [Feature] = []
  /// Features of `font-variant-*` alone.
  public var variantFeatures: [Feature] = []
  public var variations: [Variation] = []
  /// What `features` is made of.
  public var variantLigatures: [Feature] = []
  public var variantCaps: [Feature] = []
  public var variantNumeric: [Feature] = []
  public var variantEastAsian: [Feature] = []
  public var variantPosition: [Feature] = []
  /// `font-variant-alternates`: what it asks for depends on the family, see `FontFeatureValues`.
  public var variantAlternates: [Alternate] = []
  public var featureSettings: [Feature] = []
  /// The keyword that `size` comes from, 1 for `xx-small` to 8 for `xxx-large`; 0 where it comes from none.
  public var sizeKeyword: UInt8 = 4
  /// `size` does not follow from a keyword: it stays when the family becomes or ceases to be `monospace`.
  public var hasAbsoluteSize = false
  /// `size` is a multiple of the parent's, as `em` and percentages are.
  public var isSizeRelative = false
  public var allowsSyntheticWeight = true
  public var allowsSyntheticStyle = true
  public var allowsSyntheticSmallCaps = true
  public var variantEmoji = VariantEmoji.normal
  public var opticalSizingAuto = true
  public var sizeAdjust: SizeAdjust?
  /// `math-style: compact`
  public var isMathCompact = false
  /// `math-shift: compact`
  public var isMathShiftCompact = false
  public var mathDepth: Int16 = 0
  public var lineHeight: LineHeight = .normal
  /// px
  public var letterSpacing: Float = 0
  public var wordSpacing: LengthPercentage = .zero
  /// `text-spacing-trim` is not `space-all`.
  public var trimsSpacing = true
  /// `text-autospace: normal`
  public var spacesIdeographs = false
  /// BCP 47, from `lang`; empty where unknown.
  public var language: String = ""
  public init() {}
}
