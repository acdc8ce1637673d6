public import OffprintCoreTypes

// Computed values of keyword properties. The cases are the CSS keywords in camel case.

/// https://drafts.csswg.org/css-display-3/
public enum Display: UInt8, Hashable, Sendable {
  case none, contents
  case block, flowRoot, listItem, inline, inlineBlock
  case flex, inlineFlex, grid, inlineGrid
  case table, inlineTable, tableRowGroup, tableHeaderGroup, tableFooterGroup, tableRow, tableCell, tableColumnGroup, tableColumn,
    tableCaption
  case ruby, rubyBase, rubyText, rubyBaseContainer, rubyTextContainer
  /// `inline list-item`
  case inlineListItem
  /// `flow-root list-item` and `inline flow-root list-item`
  case flowRootListItem, inlineFlowRootListItem
  /// `-webkit-box`, laid out as a flex container except with `-webkit-line-clamp`.
  case webkitBox, webkitInlineBox
  /// `inline math` and `block math`. https://w3c.github.io/mathml-core/#new-display-math-value
  case math, blockMath
}

public enum PositionKind: UInt8, Hashable, Sendable { case `static`, relative, absolute, fixed, sticky }
public enum Float_: UInt8, Hashable, Sendable { case none, left, right }
public enum Clear: UInt8, Hashable, Sendable { case none, left, right, both }
public enum Overflow: UInt8, Hashable, Sendable { case visible, hidden, clip, scroll, auto }
public enum BoxSizing: UInt8, Hashable, Sendable { case contentBox, borderBox }
public enum Direction: UInt8, Hashable, Sendable { case ltr, rtl }
public enum WritingMode: UInt8, Hashable, Sendable { case horizontalTb, verticalRl, verticalLr, sidewaysRl, sidewaysLr }
public enum TextOrientation: UInt8, Hashable, Sendable { case mixed, upright, sideways }
public enum UnicodeBidi: UInt8, Hashable, Sendable { case normal, embed, isolate, bidiOverride, isolateOverride, plaintext }
public enum Visibility: UInt8, Hashable, Sendable { case visible, hidden, collapse }
public enum BorderLineStyle: UInt8, Hashable, Sendable {
  // In ascending precedence of collapsed borders.
  case none, hidden, inset, groove, outset, ridge, dotted, dashed, solid, double
  public var isVisible: Bool { self != .none && self != .hidden }
}

public enum TextAlign: UInt8, Hashable, Sendable {
  case start, end, left, right, center, justify, matchParent, webkitLeft, webkitRight, webkitCenter
}
public enum TextAlignLast: UInt8, Hashable, Sendable { case auto, start, end, left, right, center, justify }
public enum RubyAlign: UInt8, Hashable, Sendable { case start, center, spaceBetween, spaceAround }
public enum TextJustify: UInt8, Hashable, Sendable { case auto, none, interWord, interCharacter }
public enum WhiteSpaceCollapse: UInt8, Hashable, Sendable { case collapse, preserve, preserveBreaks, preserveSpaces, breakSpaces }
public enum TextWrapMode: UInt8, Hashable, Sendable { case wrap, nowrap }
public enum TextWrapStyle: UInt8, Hashable, Sendable { case auto, balance, pretty, stable }
public enum OverflowWrap: UInt8, Hashable, Sendable { case normal, breakWord, anywhere }
public enum WordBreak: UInt8, Hashable, Sendable { case normal, breakAll, keepAll, breakWord, autoPhrase }
public enum LineBreakStrictness: UInt8, Hashable, Sendable { case auto, loose, normal, strict, anywhere }
public enum Hyphens: UInt8, Hashable, Sendable { case none, manual, auto }
public enum TextCase: UInt8, Hashable, Sendable { case none, capitalize, uppercase, lowercase, mathAuto }
/// `-webkit-text-security`: the symbol that replaces each character.
public enum TextSecurity: UInt8, Hashable, Sendable { case none, circle, disc, square }
public enum ListStylePosition: UInt8, Hashable, Sendable { case outside, inside }
public enum CaptionSide: UInt8, Hashable, Sendable { case top, bottom }
public enum BorderCollapse: UInt8, Hashable, Sendable { case separate, collapse }
public enum EmptyCells: UInt8, Hashable, Sendable { case show, hide }
public enum TableLayout: UInt8, Hashable, Sendable { case auto, fixed }
public enum TextOverflow: UInt8, Hashable, Sendable { case clip, ellipsis }
public enum BoxDecorationBreak: UInt8, Hashable, Sendable { case slice, clone }
public enum ObjectFit: UInt8, Hashable, Sendable { case fill, contain, cover, none, scaleDown }
public enum ImageOrientation: UInt8, Hashable, Sendable { case fromImage, none }
public enum ImageRendering: UInt8, Hashable, Sendable { case auto, crispEdges, pixelated }
public enum FlexDirection: UInt8, Hashable, Sendable { case row, rowReverse, column, columnReverse }
public enum FlexWrap: UInt8, Hashable, Sendable { case nowrap, wrap, wrapReverse }
public enum Isolation: UInt8, Hashable, Sendable { case auto, isolate }
public enum BreakBetween: UInt8, Hashable, Sendable {
  case auto, avoid, avoidColumn, avoidPage, column, page, left, right, recto, verso, always, all
}
public enum BreakInside: UInt8, Hashable, Sendable { case auto, avoid, avoidColumn, avoidPage }
public enum ColumnFill: UInt8, Hashable, Sendable { case balance, auto, balanceAll }
/// https://drafts.csswg.org/css-multicol-2/#propdef-column-wrap
public enum ColumnWrap: UInt8, Hashable, Sendable { case auto, nowrap, wrap }
public enum ColumnSpan: UInt8, Hashable, Sendable { case none, all }
public enum ContainerType: UInt8, Hashable, Sendable { case normal, size, inlineSize }
public enum TextDecorationStyle: UInt8, Hashable, Sendable { case solid, double, dotted, dashed, wavy }
public enum TextDecorationSkipInk: UInt8, Hashable, Sendable { case auto, none, all }
public enum TransformBox: UInt8, Hashable, Sendable { case contentBox, borderBox, fillBox, strokeBox, viewBox }
public enum TransformStyle: UInt8, Hashable, Sendable { case flat, preserve3d }
public enum BackfaceVisibility: UInt8, Hashable, Sendable { case visible, hidden }
public enum Appearance: UInt8, Hashable, Sendable { case none, auto, button, textfield, baseSelect, other }
/// The text that a ruby annotation wider than its base may overlap.
public enum RubyOverhang: UInt8, Hashable, Sendable { case auto, none, spaces }
/// `scroll-marker-group`
public enum ScrollMarkerGroup: UInt8, Hashable, Sendable { case none, before, after, beforeTabs, afterTabs }
public enum Resize: UInt8, Hashable, Sendable { case none, both, horizontal, vertical, block, inline }

public struct TextDecorationLine: OptionSet, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let underline = TextDecorationLine(rawValue: 1)
  public static let overline = TextDecorationLine(rawValue: 2)
  public static let lineThrough = TextDecorationLine(rawValue: 4)
}

/// https://drafts.csswg.org/css-contain-2/#content-visibility
public enum ContentVisibility: Hashable, Sendable { case visible, auto, hidden }

public struct Containment: OptionSet, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let size = Containment(rawValue: 1)
  public static let inlineSize = Containment(rawValue: 2)
  public static let layout = Containment(rawValue: 4)
  public static let paint = Containment(rawValue: 8)
  public static let style = Containment(rawValue: 16)
}

/// The keywords that browsers support. https://drafts.csswg.org/css-inline-3/#transverse-alignment
public enum VerticalAlign: Hashable, Sendable {
  case baseline, sub, `super`, top, textTop, middle, bottom, textBottom
  /// Aligns the middle of the box with the parent's baseline: `align=middle` of images.
  case baselineMiddle
  /// A length or percentage; percentages refer to the line height.
  case raise(LengthPercentage)
}

public enum LineHeight: Hashable, Sendable {
  case normal
  case number(Float)
  /// In CSS px.
  case length(Float)
}

/// https://drafts.csswg.org/css-align-3/
public struct Alignment: Hashable, Sendable {
  public enum Keyword: UInt8, Hashable, Sendable {
    case auto, normal, stretch, baseline, lastBaseline, center, start, end, selfStart, selfEnd, flexStart, flexEnd, left, right,
      spaceBetween,
      spaceAround, spaceEvenly, legacyLeft, legacyRight, legacyCenter, anchorCenter
  }
  public enum OverflowPosition: UInt8, Hashable, Sendable { case `default`, safe, unsafe }
  public var keyword: Keyword
  public var overflow: OverflowPosition
  public init(_ keyword: Keyword, _ overflow: OverflowPosition = .default) {
    self.keyword = keyword
    self.overflow = overflow
  }
}

public enum ListStyleType: Hashable, Sendable {
  case none
  /// The name of a counter style, including predefined ones such as `disc` and `decimal`.
  case counterStyle(ByteString)
  /// An anonymous counter style: `symbols()`.
  case symbols(CounterStyleRule)
  case string(String)
}

/// https://drafts.csswg.org/css-content-3/#content-property
public enum ContentItem: Hashable, Sendable {
  case text(String)
  case image(ImageValue)
  case attribute(name: String, fallback: String)
  case counter(name: ByteString, style: ListStyleType)
  case counters(name: ByteString, separator: String, style: ListStyleType)
  case openQuote, closeQuote, noOpenQuote, noCloseQuote

  public var isCounter: Bool {
    switch self {
    case .counter, .counters: true
    default: false
    }
  }
}

public enum Content: Hashable, Sendable {
  case normal
  case none
  case items([ContentItem])
}

public enum Quotes: Hashable, Sendable {
  case auto
  case none
  case pairs([QuotePair])
}

public struct QuotePair: Hashable, Sendable {
  public var open: String
  public var close: String
  public init(open: String, close: String) {
    self.open = open
    self.close = close
  }
}

public struct CounterChange: Hashable, Sendable {
  public var name: ByteString
  /// Nil for a reversed counter without a start value.
  public var value: Int?
  /// `counter-reset: reversed(…)`
  public var reversed = false
  public init(name: ByteString, value: Int?, reversed: Bool = false) {
    self.name = name
    self.value = value
    self.reversed = reversed
  }
}
