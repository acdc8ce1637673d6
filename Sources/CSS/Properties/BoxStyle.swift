public import OffprintCoreTypes

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
  public var overflowClipMargin = OverflowClipMargin()
  public var marginTrim: MarginTrim = []
  public var textBoxTrim: TextBoxTrim = []
  /// nil is `auto`.
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
  /// Not of ruby, to which size containment does not apply. https://drafts.csswg.org/css-contain-2/#content-visibility
  public var contentVisibilityHidden: Bool { contentVisibility == .hidden && !display.isRuby }
  /// `contain` with what `content-visibility: auto` adds to it. Everything in the image is on screen, so nothing is skipped.
  /// https://drafts.csswg.org/css-contain-2/#content-visibility
  public var containment: Containment { contentVisibility == .auto ? contain.union([.layout, .paint, .style]) : contain }
  public var scrollSnap = ScrollSnapStyle()
  /// Of `::first-letter`; nil is `normal`.
  public var initialLetter: InitialLetter?
  public var boxDecorationBreak = BoxDecorationBreak.slice
  public var breakBefore = BreakBetween.auto
  public var breakAfter = BreakBetween.auto
  public var breakInside = BreakInside.auto
  /// The name of the pages that it is on; nil: those of its parent.
  public var page: ByteString?
  public var objectFit = ObjectFit.fill
  public var objectPosition = Position.center
  /// The part of a picture that is shown as if it were the whole: an `inset`; nil is `none`.
  public var objectViewBox: BasicShape?
  public var appearance = Appearance.none
  public var resize = Resize.none
  public var fieldSizingContent = false
  public var scrollbar = ScrollbarStyle()
  public var containerNames: [ByteString] = []
  /// The element's own; `ComputedStyle.zoom` has that of all around it too.
  public var zoom: Float = 1
  /// `display: -webkit-box` with `line-clamp`: its lines are counted, and it is laid out as a block container.
  public var isLineClampContainer = false
  /// Its contents are inline-level: it is a part of ruby, or an inline box there.
  public var inlinifiesContents = false
  /// `anchor-name`
  public var anchorNames: [ByteString] = []
  /// `position-anchor`; nil is `auto`.
  public var positionAnchor: ByteString?
  public var positionArea: PositionArea?
  public var positionTry = PositionTryStyle()
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
  public var cornerShape = PhysicalCorners<CornerShape>(all: .round)
  /// `border-shape`: none, one or two.
  public var shapes: [BorderShape] = []
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

/// https://drafts.csswg.org/css-overflow-4/#overflow-clip-margin
public struct OverflowClipMargin: Hashable, Sendable {
  public var box = BoxEdge.paddingBox
  /// px beyond the box.
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

/// What text is trimmed to. https://drafts.csswg.org/css-inline-3/#text-edges
public struct TextBoxEdge: Hashable, Sendable {
  public enum Over: UInt8, Hashable, Sendable { case text, cap, ex }
  public enum Under: UInt8, Hashable, Sendable { case text, alphabetic }
  public var over = Over.text
  public var under = Under.text
}

/// Which baseline of an atomic inline is aligned. https://drafts.csswg.org/css-inline-3/#baseline-source
public enum BaselineSource: UInt8, Sendable { case auto, first, last }

/// https://drafts.csswg.org/css-box-4/#margin-trim
public struct MarginTrim: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let blockStart = MarginTrim(rawValue: 1)
  public static let blockEnd = MarginTrim(rawValue: 2)
  public static let block: MarginTrim = [.blockStart, .blockEnd]
}
