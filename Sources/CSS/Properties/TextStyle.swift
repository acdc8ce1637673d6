public import OffprintCoreTypes

/// Other inherited properties, most of them about text.
public struct TextStyle: Hashable, Sendable {
  public var color = Color.black
  public var direction = Direction.ltr
  /// The direction of the nearest box that is not inline: for floats and `clear` of the children, that of their containing block.
  var blockDirection = Direction.ltr
  public var writingMode = WritingMode.horizontalTb
  public var textOrientation = TextOrientation.mixed
  public var visibility = Visibility.visible
  public var textAlign = TextAlign.start
  public var textAlignLast = TextAlignLast.auto
  public var textJustify = TextJustify.auto
  public var textIndent = LengthPercentage.zero
  public var textIndentHanging = false
  /// `text-box-edge`; `auto` is stored as `text`.
  public var textBoxEdge = TextBoxEdge()
  public var textIndentEachLine = false
  public var whiteSpaceCollapse = WhiteSpaceCollapse.collapse
  public var textWrapMode = TextWrapMode.wrap
  public var textWrapStyle = TextWrapStyle.auto
  public var textFit = TextFit()
  public var tabSize: TabSize = .spaces(8)
  public var overflowWrap = OverflowWrap.normal
  public var wordBreak = WordBreak.normal
  public var lineBreak = LineBreakStrictness.auto
  public var hyphens = Hyphens.manual
  public var hyphenateLimits = HyphenateLimits()
  /// Nil for `auto`.
  public var hyphenateCharacter: String?
  public var textTransform = TextCase.none
  public var textSecurity = TextSecurity.none
  public var listStyleType = ListStyleType.counterStyle("disc")
  public var listStylePosition = ListStylePosition.outside
  public var listStyleImage = ImageValue.none
  public var quotes = Quotes.auto
  public var captionSide = CaptionSide.top
  public var borderCollapse = BorderCollapse.separate
  /// In CSS px.
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
  public var rubyOverhang = RubyOverhang.auto
  /// True for `text-combine-upright: all`.
  public var textCombineUpright = false
  /// `-webkit-text-stroke-width` in CSS px.
  public var strokeWidth: Float = 0
  public var strokeColor = ColorValue.currentColor
  /// `-webkit-text-fill-color`; nil for `currentcolor`.
  public var fillColor: ColorValue?
  public var imageRendering = ImageRendering.auto
  public var imageOrientation = ImageOrientation.fromImage
  /// The used color scheme.
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

/// `hyphenate-limit-chars`: the minimum number of characters in a word, before a hyphen and after it; 0 for `auto`.
public struct HyphenateLimits: Hashable, Sendable {
  public var word: UInt8 = 0
  public var before: UInt8 = 0
  public var after: UInt8 = 0

  var css: String {
    func text(_ value: UInt8) -> String { value == 0 ? "auto" : "\(value)" }
    if before == after { return before == 0 ? text(word) : "\(text(word)) \(text(before))" }
    return "\(text(word)) \(text(before))" + (after == 0 ? "" : " \(text(after))")
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-text-4/#hyphenate-char-limits
  mutating func hyphenateLimits() -> HyphenateLimits? {
    guard let values = list(max: 3, { $0.keyword("auto") ? 0 : $0.integer(min: 1).map { UInt8(clamping: $0) } }), let word = values.first
    else { return nil }
    return HyphenateLimits(
      word: word, before: values.count > 1 ? values[1] : 0, after: values.last.flatMap { values.count > 1 ? $0 : 0 } ?? 0)
  }
}
