public import CoreTypes

/// The computed values of all properties for one element or pseudo-element: eight bytes that point into a `StyleArena`.
///
/// Values are in groups, each shared with the parent or with other elements until a declaration changes it. Valid as long as its arena is.
@frozen public struct ComputedStyle: Hashable, @unchecked Sendable {
  public let record: UnsafePointer<StyleRecord>
  @inlinable public init(record: UnsafePointer<StyleRecord>) { self.record = record }

  @inlinable public var font: FontStyle { unsafeAddress { record.pointee.font } }
  @inlinable public var text: TextStyle { unsafeAddress { record.pointee.text } }
  @inlinable public var box: BoxStyle { unsafeAddress { record.pointee.box } }
  @inlinable public var border: BorderStyle { unsafeAddress { record.pointee.border } }
  @inlinable public var background: BackgroundStyle { unsafeAddress { record.pointee.background } }
  @inlinable public var align: AlignStyle { unsafeAddress { record.pointee.align } }
  @inlinable public var effects: EffectStyle { unsafeAddress { record.pointee.effects } }
  @inlinable public var content: ContentStyle { unsafeAddress { record.pointee.content } }
  @inlinable public var origins: StyleOrigins { record.pointee.origins }
}

/// The groups of one style.
@frozen public struct StyleRecord {
  public var font: UnsafePointer<FontStyle>
  public var text: UnsafePointer<TextStyle>
  public var box: UnsafePointer<BoxStyle>
  public var border: UnsafePointer<BorderStyle>
  public var background: UnsafePointer<BackgroundStyle>
  public var align: UnsafePointer<AlignStyle>
  public var effects: UnsafePointer<EffectStyle>
  public var content: UnsafePointer<ContentStyle>
  /// Computed custom properties; nil where there is none.
  public var custom: UnsafePointer<CustomProperties>?
  public var origins: StyleOrigins = []
}

public struct CustomProperties: Sendable {
  /// By name, the tokens as UTF-8 after substitution.
  public var values: [Name: [UInt8]] = [:]
  public init() {}
}

// MARK: Inherited groups

/// Inherited: what chooses and shapes glyphs. https://drafts.csswg.org/css-fonts-4/
public struct FontStyle: Hashable, Sendable {
  public enum Slope: Hashable, Sendable {
    case normal, italic
    case oblique(Float)
  }
  public enum Family: Hashable, Sendable {
    case named(String)
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

  public var families: [Family] = [.generic("serif")]
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
  public var featureSettings: [Feature] = []
  /// The keyword that `size` comes from, 1 for `xx-small` to 8 for `xxx-large`; 0 where it comes from none.
  public var sizeKeyword: UInt8 = 4
  /// `size` does not follow from a keyword: it stays when the family becomes or ceases to be `monospace`.
  public var hasAbsoluteSize = false
  public var allowsSyntheticWeight = true
  public var allowsSyntheticStyle = true
  public var allowsSyntheticSmallCaps = true
  public var variantEmoji = VariantEmoji.normal
  public var opticalSizingAuto = true
  public var sizeAdjust: SizeAdjust?
  public var lineHeight: LineHeight = .normal
  /// px
  public var letterSpacing: Float = 0
  public var wordSpacing: LengthPercentage = .zero
  /// BCP 47, from `lang`; empty where unknown.
  public var language: String = ""
  public init() {}
}

/// Inherited: everything else about text, and the other inherited properties.
public struct TextStyle: Hashable, Sendable {
  public var color = Color.black
  public var direction = Direction.ltr
  public var writingMode = WritingMode.horizontalTb
  public var textOrientation = TextOrientation.mixed
  public var visibility = Visibility.visible
  public var textAlign = TextAlign.start
  public var textAlignLast = TextAlignLast.auto
  public var textJustify = TextJustify.auto
  public var textIndent = LengthPercentage.zero
  public var textIndentHanging = false
  public var textIndentEachLine = false
  public var whiteSpaceCollapse = WhiteSpaceCollapse.collapse
  public var textWrapMode = TextWrapMode.wrap
  public var textWrapStyle = TextWrapStyle.auto
  public var tabSize: TabSize = .spaces(8)
  public var overflowWrap = OverflowWrap.normal
  public var wordBreak = WordBreak.normal
  public var lineBreak = LineBreakStrictness.auto
  public var hyphens = Hyphens.manual
  /// nil is `auto`.
  public var hyphenateCharacter: String?
  public var textTransform = TextCase.none
  public var textTransformFullWidth = false
  public var textTransformFullSizeKana = false
  public var listStyleType = ListStyleType.counterStyle("disc")
  public var listStylePosition = ListStylePosition.outside
  public var listStyleImage = ImageValue.none
  public var quotes = Quotes.auto
  public var captionSide = CaptionSide.top
  public var borderCollapse = BorderCollapse.separate
  /// px
  public var borderSpacingHorizontal: Float = 0
  public var borderSpacingVertical: Float = 0
  public var emptyCells = EmptyCells.show
  public var orphans = 2
  public var widows = 2
  public var textShadow: [Shadow] = []
  public var underlineOffset: LengthPercentage?
  public var underlinePosition: UnderlinePosition = .init(rawValue: 0)
  public var skipInk = TextDecorationSkipInk.auto
  public var emphasisMark: String?
  public var emphasisColor = ColorValue.currentColor
  public var emphasisUnder = false
  public var emphasisLeft = false
  public var rubyUnder = false
  public var rubyAlign = RubyAlign.spaceAround
  /// `text-combine-upright: all`.
  public var textCombineUpright = false
  /// px; -webkit-text-stroke
  public var strokeWidth: Float = 0
  public var strokeColor = ColorValue.currentColor
  /// -webkit-text-fill-color; nil is currentcolor.
  public var fillColor: ColorValue?
  public var imageRendering = ImageRendering.auto
  public var imageOrientation = ImageOrientation.fromImage
  /// `color-scheme` as used.
  public var isDarkScheme = false
  public var colorScheme = ColorScheme(rawValue: 0)
  public var accentColor: ColorValue?
  public init() {}

  public struct ColorScheme: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let light = ColorScheme(rawValue: 1)
    public static let dark = ColorScheme(rawValue: 2)
  }
  public enum TabSize: Hashable, Sendable {
    case spaces(Float)
    case length(Float)
  }
  public struct UnderlinePosition: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let under = UnderlinePosition(rawValue: 1)
    public static let left = UnderlinePosition(rawValue: 2)
    public static let right = UnderlinePosition(rawValue: 4)
    public static let fromFont = UnderlinePosition(rawValue: 8)
  }
}

// MARK: Groups that are not inherited

/// Box generation, sizes and edges.
public struct BoxStyle: Hashable, Sendable {
  /// After blockification (https://drafts.csswg.org/css-display-3/#transformations).
  public var display = Display.inline
  /// As specified, before blockification: the static position of absolutely positioned boxes needs it.
  public var originalDisplay = Display.inline
  public var position = PositionKind.static
  public var float = Float_.none
  public var clear = Clear.none
  public var width = SizeValue.auto
  public var height = SizeValue.auto
  public var minWidth = SizeValue.auto
  public var minHeight = SizeValue.auto
  public var maxWidth = SizeValue.none
  public var maxHeight = SizeValue.none
  public var boxSizing = BoxSizing.contentBox
  public var margin = PhysicalSides<LengthPercentageAuto>(all: .zero)
  public var padding = PhysicalSides<LengthPercentage>(all: .zero)
  public var inset = PhysicalSides<LengthPercentageAuto>(all: .auto)
  public var overflowX = Overflow.visible
  public var overflowY = Overflow.visible
  /// px, with the edge it counts from.
  public var overflowClipMargin: Float = 0
  /// nil is `auto`.
  public var zIndex: Int?
  public var aspectRatio: AspectRatio?
  public var verticalAlign = VerticalAlign.baseline
  public var unicodeBidi = UnicodeBidi.normal
  public var tableLayout = TableLayout.auto
  public var contain: Containment = []
  public var containIntrinsicWidth: Float?
  public var containIntrinsicHeight: Float?
  public var containerType = ContainerType.normal
  public var contentVisibilityHidden = false
  public var boxDecorationBreak = BoxDecorationBreak.slice
  public var breakBefore = BreakBetween.auto
  public var breakAfter = BreakBetween.auto
  public var breakInside = BreakInside.auto
  public var objectFit = ObjectFit.fill
  public var objectPosition = Position.center
  public var appearance = Appearance.none
  public var resize = Resize.none
  public var fieldSizingContent = false
  public var scrollbarGutterStable = false
  public var containerNames: [String] = []
  public init() {}

  public struct AspectRatio: Hashable, Sendable {
    /// Width over height, above zero; nil where only the replaced element's own ratio counts.
    public var ratio: Float?
    /// `auto && <ratio>` or `auto`: a replaced element's own ratio wins.
    public var auto: Bool
    public init(ratio: Float?, auto: Bool) {
      self.ratio = ratio
      self.auto = auto
    }
  }
}

/// Borders, radii, outlines.
public struct BorderStyle: Hashable, Sendable {
  /// px; 0 where the style is none or hidden.
  public var width = PhysicalSides<Float>(all: 0)
  public var style = PhysicalSides<BorderLineStyle>(all: .none)
  public var color = PhysicalSides<ColorValue>(all: .currentColor)
  public var radius = PhysicalCorners<CornerRadius>(all: .zero)
  public var image = BorderImage()
  /// px; 0 where the style is none.
  public var outlineWidth: Float = 0
  public var outlineStyle = BorderLineStyle.none
  /// `outline-style: auto`, beside `solid`: drawn as a focus ring.
  public var outlineIsAuto = false
  public var outlineColor = ColorValue.currentColor
  public var outlineOffset: Float = 0
  public init() {}
}

public struct BackgroundStyle: Hashable, Sendable {
  public var color = ColorValue.color(.transparent)
  /// First is topmost. Always at least one.
  public var layers = [BackgroundLayer()]
  public var boxShadow: [Shadow] = []
  /// What `layers` is made of.
  public var lists = LayerLists()
  public init() {}
}

/// Flexbox, grid, multi-column and box alignment.
public struct AlignStyle: Hashable, Sendable {
  public var flexDirection = FlexDirection.row
  public var flexWrap = FlexWrap.nowrap
  /// `flex-wrap: balance`, beside `wrap` or `wrap-reverse`.
  public var flexWrapBalances = false
  /// At least 1.
  public var flexLineCount = 1
  public var flexGrow: Float = 0
  public var flexShrink: Float = 1
  public var flexBasis = SizeValue.auto
  public var order = 0
  public var alignItems = Alignment(.normal)
  public var alignSelf = Alignment(.auto)
  public var alignContent = Alignment(.normal)
  public var justifyItems = Alignment(.normal)
  public var justifySelf = Alignment(.auto)
  public var justifyContent = Alignment(.normal)
  /// nil is `normal`.
  public var rowGap: LengthPercentage?
  public var columnGap: LengthPercentage?
  public var gridTemplateRows = GridTemplate.none
  public var gridTemplateColumns = GridTemplate.none
  public var gridTemplateAreas: GridTemplateAreas?
  public var gridAutoRows: [TrackSize] = [.breadth(.auto)]
  public var gridAutoColumns: [TrackSize] = [.breadth(.auto)]
  public var gridAutoFlow = GridAutoFlow()
  public var gridRowStart = GridLine.auto
  public var gridRowEnd = GridLine.auto
  public var gridColumnStart = GridLine.auto
  public var gridColumnEnd = GridLine.auto
  /// nil is `auto`.
  public var columnCount: Int?
  /// px; nil is `auto`.
  public var columnWidth: Float?
  public var columnFill = ColumnFill.balance
  public var columnSpan = ColumnSpan.none
  public var columnRuleWidth: Float = 0
  public var columnRuleStyle = BorderLineStyle.none
  public var columnRuleColor = ColorValue.currentColor
  /// The properties of the old flexible boxes; those of `-webkit-box` containers and their items are in the ones above as well.
  public var webkitBox = WebkitBox()
  public init() {}

  public struct WebkitBox: Hashable, Sendable {
    public var isVertical = false
    public var isReverse = false
    public var align = Alignment.Keyword.stretch
    public var pack = Alignment.Keyword.start
    public var flex: Float = 0
    public var ordinal = 1
    public init() {}
  }
}

/// What changes painting and not layout, and other rare properties.
public struct EffectStyle: Hashable, Sendable {
  public var opacity: Float = 1
  public var transform: [TransformFunction] = []
  /// Individual transforms, applied before `transform`.
  public var translate: TransformFunction?
  public var rotate: TransformFunction?
  public var scale: TransformFunction?
  public var transformOrigin = Position.center
  public var transformOriginZ: Float = 0
  public var transformBox = TransformBox.borderBox
  public var transformStyle = TransformStyle.flat
  public var backfaceVisibility = BackfaceVisibility.visible
  /// px; nil is `none`.
  public var perspective: Float?
  public var perspectiveOrigin = Position.center
  public var filter: [FilterFunction] = []
  public var backdropFilter: [FilterFunction] = []
  public var mixBlendMode = BlendMode.normal
  public var isolation = Isolation.auto
  public var clipPath = ShapeValue.none
  public var mask: [BackgroundLayer] = []
  /// What `mask` is made of.
  public var maskLists = LayerLists.mask
  public var maskBorder: BorderImage?
  /// `clip: rect()`; nil sides are `auto`.
  public var clip: PhysicalSides<Float?>?
  public var shapeOutside = ShapeValue.none
  public var shapeMargin = LengthPercentage.zero
  public var shapeImageThreshold: Float = 0
  public var textDecorationLine: TextDecorationLine = []
  public var textDecorationStyle = TextDecorationStyle.solid
  public var textDecorationColor = ColorValue.currentColor
  public var textDecorationThickness = DecorationThickness.auto
  public var textOverflow = TextOverflow.clip
  /// `line-clamp`; nil is none.
  public var lineClamp: Int?
  /// `will-change` names a property that makes a stacking context or containing block.
  public var willChangeStackingContext = false
  public var willChangeContainingBlock = false
  /// What the cascade gave an element of SVG.
  public var svg = SVGPresentation()
  public init() {}

  public enum DecorationThickness: Hashable, Sendable {
    case auto, fromFont
    case value(LengthPercentage)
  }

  public var hasTransform: Bool { !transform.isEmpty || translate != nil || rotate != nil || scale != nil }
}

/// Generated content.
public struct ContentStyle: Hashable, Sendable {
  public var content = Content.normal
  public var counterReset: [CounterChange] = []
  public var counterIncrement: [CounterChange] = []
  public var counterSet: [CounterChange] = []
  public init() {}
}
