public import OffprintCSS
public import OffprintCoreTypes
public import OffprintTypography

/// The number of a fragment in its tree.
@frozen public struct FragmentID: Hashable, Sendable, BitwiseCopyable {
  public var raw: UInt32
  @inlinable public init(raw: UInt32) { self.raw = raw }
  @inlinable public init(_ index: Int) { raw = UInt32(truncatingIfNeeded: index) }
  @inlinable public static var none: FragmentID { FragmentID(raw: .max) }
  @inlinable public var index: Int { Int(raw) }
  @inlinable public var isNone: Bool { raw == .max }
}

/// A piece of a box as laid out. Immutable; its place is in its parent's link, so one fragment can be reused at another place.
public struct Fragment {
  public enum Kind: UInt8, Sendable {
    /// A box with edges: block-level, atomic, or a piece of an inline box on one line.
    case box
    /// A line box: no style of its own, groups the inline content of a line.
    case line
    /// A run of text: `payload` is a number in `FragmentTree.texts`.
    case text
  }

  public var kind: Kind
  /// The box it is a piece of; for lines, the block container.
  public var box: BoxID
  /// The box's style, or its `::first-line` variant.
  public var style: ComputedStyle
  /// Border-box size.
  public var size: LayoutSize
  public var border: LayoutEdges = .zero
  public var padding: LayoutEdges = .zero
  /// Children, in tree order, as numbers in `FragmentTree.links`.
  public var children: Range<Int> = 0..<0
  /// Text: number in `FragmentTree.texts`; an inline `svg` element: in `FragmentTree.drawings`; fractions and radicals with a bar: in
  /// `FragmentTree.bars`. Otherwise -1.
  public var payload: Int32 = -1
  /// A piece of an inline box: whether it has the edges at its left and right (physical for horizontal text, top and bottom else).
  public var hasStartEdge = true
  public var hasEndEdge = true
  /// The first baseline from the border-box block-start edge, where there is one.
  public var baseline: LayoutUnit?
  /// Tables whose borders collapse: number in `FragmentTree.collapsedBorders`; -1 elsewhere.
  public var collapsedBorders: Int32 = -1
  /// A cell of such a table, which paints its borders.
  public var hasCollapsedBorders = false
  /// Multi-column containers: number in `FragmentTree.columns`; -1 elsewhere.
  public var columns: Int32 = -1
  /// A part of a box that is broken in the block axis with `box-decoration-break: slice`.
  public var slice: FragmentSlice?
  /// Cells with `empty-cells: hide`, collapsed rows: nothing of their own is painted.
  public var isHiddenForPaint = false
  /// Neither it nor its contents are painted: a cell in collapsed columns, or an atomic inline that an ellipsis replaces.
  public var isOmittedFromPaint = false
  /// The box that `::first-line` makes in a line of `box`: painted like a piece of an inline box, no box of the element itself.
  public var isFirstLine = false
  /// False: a measurement left out glyphs or out-of-flow boxes of it or its descendants; never part of a page.
  var isComplete = true
  /// Fieldsets: the legend's border box, behind whose middle the block-start border runs, interrupted.
  public var legend: LayoutRect?
  /// The scrollable overflow area relative to the border box, this box included.
  public var overflow: LayoutRect

  /// Whether nothing of its own is painted. https://drafts.csswg.org/css-tables-3/#propdef-empty-cells
  public var paintsNothing: Bool {
    isHiddenForPaint
      || children.isEmpty && style.text.emptyCells == .hide && style.box.display == .tableCell && style.text.borderCollapse == .separate
  }

  public init(kind: Kind, box: BoxID, style: ComputedStyle, size: LayoutSize) {
    self.kind = kind; self.box = box; self.style = style; self.size = size
    overflow = LayoutRect(origin: .zero, size: size)
  }
}

/// What of a broken box is not in a fragment of it: its decorations are drawn as if it were whole, and then cut.
/// https://drafts.csswg.org/css-break-3/#break-decoration
public struct FragmentSlice: Sendable {
  /// Block sizes of the parts before and after it.
  public var before: LayoutUnit
  public var after: LayoutUnit
  /// The whole box's.
  public var border: LayoutEdges
  public var padding: LayoutEdges
}

/// A child fragment and where its border box begins, from its parent's border-box origin; relative positioning is included.
@frozen public struct FragmentLink: Sendable {
  public var fragment: FragmentID
  public var offset: LayoutPoint
  @inlinable public init(fragment: FragmentID, offset: LayoutPoint) { self.fragment = fragment; self.offset = offset }
}

/// A piece of shaped text on a line. Its fragment's size is advance × font height (ascent + descent).
public struct TextFragment: Sendable {
  /// Glyphs in visual order, positions from the fragment's left edge (top, in vertical text) at the baseline.
  public var glyphs: [PositionedGlyphRun]
  /// From the fragment's top (the line-over side) to the baseline.
  public var ascent: LayoutUnit
  /// UTF-8, as drawn.
  public var text: [UInt8]
  public var isRTL: Bool
  /// Boxes around the text on its line whose baselines are elsewhere, and how far below the text's they lie: what decorates a text is
  /// placed by the box that it comes from.
  public var baselineShifts: [(box: BoxID, shift: LayoutUnit)] = []
  /// In vertical text, the inline size of what is before it on its line and was split off because it is oriented differently.
  public var inlineBefore = LayoutUnit.zero
  /// `text-fit`: what sizes of the style's font are multiplied by.
  public var scale: Float = 1
  /// Combined text that is too wide is compressed from its left edge.
  public var horizontalScale: Float = 1
  /// `text-emphasis`: the middles of the characters with marks, px along the line from the fragment's start.
  public var emphasisCenters: [Float] = []
  /// In horizontal lines, from the baseline to the em boxes of the marks, before `scale`.
  public var emphasisDistance: (over: Float, under: Float) = (0, 0)
  /// Glyphs larger than those of text: how far from their pens their ink reaches at most, px.
  public var reach: Float = 0
  /// In vertical text, the marks stand upright.
  public var hasUprightMarks = false
  /// It replaces text that did not fit.
  public var isEllipsis = false
  /// The inline box whose contents an ellipsis follows.
  public var ellipsisParent = BoxID.none
  public init(glyphs: [PositionedGlyphRun], ascent: LayoutUnit, text: [UInt8], isRTL: Bool) {
    self.glyphs = glyphs; self.ascent = ascent; self.text = text; self.isRTL = isRTL
  }
}

/// The glyphs of one face.
public struct PositionedGlyphRun: Sendable {
  @frozen public struct Glyph: Sendable {
    public var id: UInt32
    /// CSS px from the fragment's left edge and the baseline, y down.
    public var x: Float
    public var y: Float
    @inlinable public init(id: UInt32, x: Float, y: Float) { self.id = id; self.x = x; self.y = y }
  }
  public var face: FaceInstance
  /// px
  public var size: Float
  public var glyphs: [Glyph]
  /// Vertical text set sideways: turned by 90° clockwise around its origin.
  public var isSideways = false
  /// Ideographs and kana: underlines do not leave their ink free.
  public var isIdeographic = false
  /// Slashes and underscores, by index: underlines do not leave their ink free.
  public var crossedGlyphs: [Int32] = []
  public init(face: FaceInstance, size: Float, glyphs: [Glyph]) { self.face = face; self.size = size; self.glyphs = glyphs }
}

/// All fragments of a page. The root is the initial containing block's.
public struct FragmentTree {
  public package(set) var fragments: [Fragment] = []
  public package(set) var links: [FragmentLink] = []
  public package(set) var texts: [TextFragment] = []
  /// By number of a text: the style of the `::first-line` around it, where that decorates it.
  public package(set) var firstLines: [Int32: ComputedStyle] = [:]
  public package(set) var collapsedBorders: [CollapsedBorders] = []
  /// The column boxes of multi-column containers, from their border boxes' corners, in order.
  public package(set) var columns: [[LayoutRect]] = []
  /// Gaps with rules, by container.
  public package(set) var gaps: [FragmentID: [GapSegment]] = [:]
  public package(set) var root: FragmentID = .none
  /// What inline `svg` elements show, by their fragments' payload, and the SVG of the page.
  public package(set) var drawings: [SVGDrawing] = []
  public package(set) var scene: SVGScene?
  /// The bars of fractions and radicals, from their boxes' corners: the upper edge of each is its middle line.
  public package(set) var bars: [LayoutRect] = []
  /// What painting needs to know of fonts beside glyphs.
  public package(set) var fonts = FragmentFonts()
  /// What the fragments' styles point into lives as long as they do.
  private let arenas: [StyleArena]

  /// Fragments whose styles are kept by who makes them.
  public init() { arenas = [] }

  init(of tree: BoxTree) { arenas = [tree.styled.arena, tree.arena] }

  /// Room for what most pages need, so that growing does not copy: memory counts from when it is written.
  mutating func reserve(boxCount: Int) {
    let count = min(boxCount, 200_000)
    fragments.reserveCapacity(count * 2)
    links.reserveCapacity(count * 2)
    texts.reserveCapacity(count / 2)
  }

  /// The number of a new list of column boxes; -1 where there is none to tell from another.
  mutating func add(columns list: [LayoutRect]) -> Int32 {
    guard list.count > 1 else { return -1 }
    columns.append(list)
    return Int32(truncatingIfNeeded: columns.count - 1)
  }

  /// Gives the fragments of boxes other styles that do not affect layout.
  package mutating func restyle(_ changes: [(fragment: Int, style: ComputedStyle)]) {
    for change in changes where fragments.indices.contains(change.fragment) { fragments[change.fragment].style = change.style }
  }

  @inlinable public subscript(id: FragmentID) -> Fragment { _read { yield fragments[id.index] } }
  public func children(of id: FragmentID) -> ArraySlice<FragmentLink> { links[fragments[id.index].children] }
}

/// The borders of a table in the collapsing model, in table-grid coordinates. https://drafts.csswg.org/css-tables-3/#border-collapsing
public struct CollapsedBorders: Sendable {
  public struct Edge: Sendable {
    public var style: BorderLineStyle
    public var width: LayoutUnit
    public var color: Color
    public init(style: BorderLineStyle, width: LayoutUnit, color: Color) { self.style = style; self.width = width; self.color = color }
  }
  /// A straight piece: centre line from start to end, in the table grid's border-box coordinates.
  public struct Segment: Sendable {
    public var rect: LayoutRect
    public var isHorizontal: Bool
    public var edge: Edge
    public init(rect: LayoutRect, isHorizontal: Bool, edge: Edge) { self.rect = rect; self.isHorizontal = isHorizontal; self.edge = edge }
  }
  public var segments: [Segment] = []
  public init() {}
}
