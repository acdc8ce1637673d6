public import OffprintCoreTypes

/// Box generation, sizes and edges.
public struct BoxStyle: Hashable, Sendable {
  /// After blockification. https://drafts.csswg.org/css-display-3/#transformations
  public var display = Display.inline
  /// As specified, before blockification; needed for the static position of absolutely positioned boxes.
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
  /// The margin in CSS px and its reference edge.
  public var overflowClipMargin = OverflowClipMargin()
  public var marginTrim: MarginTrim = []
  public var textBoxTrim: TextBoxTrim = []
  /// Nil for `auto`.
  public var zIndex: Int?
  public var aspectRatio: AspectRatio?
  public var verticalAlign = VerticalAlign.baseline
  public var baselineSource = BaselineSource.auto
  public var unicodeBidi = UnicodeBidi.normal
  public var tableLayout = TableLayout.auto
  public var contain: Containment = []
  public var containIntrinsicWidth: Float?
  public var containIntrinsicHeight: Float?
  public var containerType = ContainerType.normal
  public var scrollMarkerGroup = ScrollMarkerGroup.none
  public var contentVisibility = ContentVisibility.visible
  /// Whether the contents are skipped. Size containment, and thus `hidden`, does not apply to ruby boxes.
  /// https://drafts.csswg.org/css-contain-2/#content-visibility
  public var contentVisibilityHidden: Bool { contentVisibility == .hidden && !display.isRuby }
  /// `contain` combined with the containment of `content-visibility: auto`. All boxes of the image are considered on-screen, so nothing is skipped.
  /// https://drafts.csswg.org/css-contain-2/#content-visibility
  public var containment: Containment { contentVisibility == .auto ? contain.union([.layout, .paint, .style]) : contain }
  public var scrollSnap = ScrollSnapStyle()
  /// For `::first-letter`; nil for `normal`.
  public var initialLetter: InitialLetter?
  public var boxDecorationBreak = BoxDecorationBreak.slice
  public var breakBefore = BreakBetween.auto
  public var breakAfter = BreakBetween.auto
  public var breakInside = BreakInside.auto
  /// The page name; nil for `auto`.
  public var page: ByteString?
  public var objectFit = ObjectFit.fill
  public var objectPosition = Position.center
  /// The part of an image shown as if it were the whole, an inset shape; nil for `none`.
  public var objectViewBox: BasicShape?
  public var appearance = Appearance.none
  public var resize = Resize.none
  public var fieldSizingContent = false
  public var scrollbar = ScrollbarStyle()
  public var containerNames: [ByteString] = []
  /// The zoom of the element itself; `ComputedStyle.zoom` includes that of its ancestors.
  public var zoom: Float = 1
  /// Whether `display: -webkit-box` is combined with `line-clamp`. Such a box is laid out as a block container with limited lines.
  public var isLineClampContainer = false
  /// Whether the contents are inline-level because the box is part of a ruby, or an inline box inside one.
  public var inlinifiesContents = false
  /// `anchor-name`
  public var anchorNames: [ByteString] = []
  /// `position-anchor`; nil for `auto`.
  public var positionAnchor: ByteString?
  public var positionArea: PositionArea?
  public var positionTry = PositionTryStyle()
  public init() {}

  public struct AspectRatio: Hashable, Sendable {
    /// Width divided by height, positive; nil if only the natural ratio of the replaced element applies.
    public var ratio: Float?
    /// Whether `auto` is specified, so that the natural ratio of a replaced element takes precedence.
    public var auto: Bool
    public init(ratio: Float?, auto: Bool) {
      self.ratio = ratio
      self.auto = auto
    }
  }
}

/// Borders, radii and outlines.
public struct BorderStyle: Hashable, Sendable {
  /// In CSS px; 0 if the style is `none` or `hidden`.
  public var width = PhysicalSides<Float>(all: 0)
  public var style = PhysicalSides<BorderLineStyle>(all: .none)
  public var color = PhysicalSides<ColorValue>(all: .currentColor)
  public var radius = PhysicalCorners<CornerRadius>(all: .zero)
  public var cornerShape = PhysicalCorners<CornerShape>(all: .round)
  /// `border-shape`: no shape, one or two.
  public var shapes: [BorderShape] = []
  public var image = BorderImage()
  /// In CSS px; 0 if the style is `none`.
  public var outlineWidth: Float = 0
  public var outlineStyle = BorderLineStyle.none
  /// `outline-style: auto`, stored as `solid` and painted as a focus ring.
  public var outlineIsAuto = false
  public var outlineColor = ColorValue.currentColor
  public var outlineOffset: Float = 0
  public init() {}
}

public struct BackgroundStyle: Hashable, Sendable {
  public var color = ColorValue.color(.transparent)
  /// The topmost layer first; at least one.
  public var layers = [BackgroundLayer()]
  public var boxShadow: [Shadow] = []
  /// The property values from which `layers` is built.
  public var lists = LayerLists()
  public init() {}
}

/// https://drafts.csswg.org/css-overflow-4/#overflow-clip-margin
public struct OverflowClipMargin: Hashable, Sendable {
  public var box = BoxEdge.paddingBox
  /// In CSS px beyond the box.
  public var margin: Float = 0
  public init(box: BoxEdge = .paddingBox, margin: Float = 0) {
    self.box = box
    self.margin = margin
  }
}

/// https://drafts.csswg.org/css-inline-3/#text-box-trim
public struct TextBoxTrim: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let start = TextBoxTrim(rawValue: 1)
  public static let end = TextBoxTrim(rawValue: 2)
}

/// The edges to which text boxes are trimmed. https://drafts.csswg.org/css-inline-3/#text-edges
public struct TextBoxEdge: Hashable, Sendable {
  public enum Over: UInt8, Hashable, Sendable { case text, cap, ex }
  public enum Under: UInt8, Hashable, Sendable { case text, alphabetic }
  public var over = Over.text
  public var under = Under.text
}

/// The baseline by which an atomic inline is aligned. https://drafts.csswg.org/css-inline-3/#baseline-source
public enum BaselineSource: UInt8, Sendable { case auto, first, last }

/// https://drafts.csswg.org/css-box-4/#margin-trim
public struct MarginTrim: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let blockStart = MarginTrim(rawValue: 1)
  public static let blockEnd = MarginTrim(rawValue: 2)
  public static let block: MarginTrim = [.blockStart, .blockEnd]
}
