public import OffprintCSS
public import OffprintCoreTypes
public import OffprintTypography

/// The index of a fragment in its tree.
@frozen public struct FragmentID: Hashable, Sendable, BitwiseCopyable {
  public var raw: UInt32
  @inlinable public init(raw: UInt32) { self.raw = raw }
  @inlinable public init(_ index: Int) { raw = UInt32(truncatingIfNeeded: index) }
  @inlinable public static var none: FragmentID { FragmentID(raw: .max) }
  @inlinable public var index: Int { Int(raw) }
  @inlinable public var isNone: Bool { raw == .max }
}

/// A box fragment, line or text as laid out. Immutable. Its offset is in the parent's link, so that it can be reused at another position.
public struct Fragment {
  public enum Kind: UInt8, Sendable {
    /// A fragment of a block-level, atomic or inline box.
    case box
    /// A line box, which groups the inline contents of a line.
    case line
    /// A run of text. `payload` is an index into `FragmentTree.texts`.
    case text
  }

  public var kind: Kind
  /// The box of the fragment; for lines, the block container.
  public var box: BoxID
  /// The box's style, or its `::first-line` variant.
  public var style: ComputedStyle
  /// The border-box size.
  public var size: LayoutSize
  public var border: LayoutEdges = .zero
  public var padding: LayoutEdges = .zero
  /// The children in tree order, as indices into `FragmentTree.links`.
  public var children: Range<Int> = 0..<0
  /// An index into `FragmentTree.texts` for text, into `FragmentTree.drawings` for inline `svg` elements, into `FragmentTree.bars` for
  /// fractions and radicals with a bar. Otherwise -1.
  public var payload: Int32 = -1
  /// Fragments of inline boxes: whether this one has the left and right edges (top and bottom in vertical text).
  public var hasStartEdge = true
  public var hasEndEdge = true
  /// The first baseline relative to the block-start border edge, if any.
  public var baseline: LayoutUnit?
  /// Tables with collapsed borders: index into `FragmentTree.collapsedBorders`, otherwise -1.
  public var collapsedBorders: Int32 = -1
  /// Whether this is a cell of such a table, which paints its borders.
  public var hasCollapsedBorders = false
  /// Multi-column containers: index into `FragmentTree.columns`, otherwise -1.
  public var columns: Int32 = -1
  /// Set for fragments of a box that breaks in the block axis with `box-decoration-break: slice`.
  public var slice: FragmentSlice?
  /// Whether the decorations of the box are not painted, for cells with `empty-cells: hide` and collapsed rows.
  public var isHiddenForPaint = false
  /// Neither it nor its contents are painted: a cell in collapsed columns, or an atomic inline that an ellipsis replaces.
  public var isOmittedFromPaint = false
  /// The box that `::first-line` makes in a line of `box`: painted like a piece of an inline box, no box of the element itself.
  public var isFirstLine = false
  /// False if glyphs or out-of-flow boxes are omitted here or in descendants, by a measurement. Never part of a page.
  var isComplete = true
  /// Fieldsets: the border box of the legend. The block-start border is aligned with its center and interrupted there.
  public var legend: LayoutRect?
  /// The scrollable overflow area including this box, relative to the border box.
  public var overflow: LayoutRect

  /// Whether no decorations of the box are painted. https://drafts.csswg.org/css-tables-3/#propdef-empty-cells
  public var paintsNothing: Bool {
    isHiddenForPaint
      || children.isEmpty && style.text.emptyCells == .hide && style.box.display == .tableCell && style.text.borderCollapse == .separate
  }

  public init(kind: Kind, box: BoxID, style: ComputedStyle, size: LayoutSize) {
    self.kind = kind; self.box = box; self.style = style; self.size = size
    overflow = LayoutRect(origin: .zero, size: size)
  }
}

/// The parts of a broken box outside of a fragment. Decorations are painted for the entire box, and then sliced.
/// https://drafts.csswg.org/css-break-3/#break-decoration
public struct FragmentSlice: Sendable {
  /// The block sizes of the parts before and after this one.
  public var before: LayoutUnit
  public var after: LayoutUnit
  /// The edges of the entire box.
  public var border: LayoutEdges
  public var padding: LayoutEdges
}

/// A child fragment and the offset of its border box from the parent's, including relative position.
@frozen public struct FragmentLink: Sendable {
  public var fragment: FragmentID
  public var offset: LayoutPoint
  @inlinable public init(fragment: FragmentID, offset: LayoutPoint) { self.fragment = fragment; self.offset = offset }
}

/// A piece of shaped text on a line. The fragment's size is the advance by the font height (ascent + descent).
public struct TextFragment: Sendable {
  /// The glyphs in visual order, relative to the left edge (top in vertical text) and the baseline.
  public var glyphs: [PositionedGlyphRun]
  /// The distance from the top (the line-over side) to the baseline.
  public var ascent: LayoutUnit
  /// The rendered text in UTF-8.
  public var text: [UInt8]
  public var isRTL: Bool
  /// The boxes around the text on its line with other baselines, and the distances of these below the text's. Text decorations are
  /// positioned by the box that they come from.
  public var baselineShifts: [(box: BoxID, shift: LayoutUnit)] = []
  /// In vertical text, the inline size of preceding text on the line that was split off because its orientation differs.
  public var inlineBefore = LayoutUnit.zero
  /// The factor of `text-fit` for font sizes.
  public var scale: Float = 1
  /// The horizontal scale of combined text that is too wide, relative to its left edge.
  public var horizontalScale: Float = 1
  /// `text-emphasis`: the centers of characters with marks, in px along the line from the fragment's start.
  public var emphasisCenters: [Float] = []
  /// In horizontal lines, the distances from the baseline to the em boxes of the marks, before `scale`.
  public var emphasisDistance: (over: Float, under: Float) = (0, 0)
  /// For large glyphs, the maximum distance of their ink from their origins in px.
  public var outset: Float = 0
  /// Whether the marks are upright in vertical text.
  public var hasUprightMarks = false
  /// Whether this text is an ellipsis.
  public var isEllipsis = false
  /// The inline box whose contents precede the ellipsis.
  public var ellipsisParent = BoxID.none
  public init(glyphs: [PositionedGlyphRun], ascent: LayoutUnit, text: [UInt8], isRTL: Bool) {
    self.glyphs = glyphs; self.ascent = ascent; self.text = text; self.isRTL = isRTL
  }
}

/// The glyphs of one face.
public struct PositionedGlyphRun: Sendable {
  @frozen public struct Glyph: Sendable {
    public var id: UInt32
    /// In CSS px from the fragment's left edge and the baseline, y down.
    public var x: Float
    public var y: Float
    @inlinable public init(id: UInt32, x: Float, y: Float) { self.id = id; self.x = x; self.y = y }
  }
  public var face: FaceInstance
  /// In px.
  public var size: Float
  public var glyphs: [Glyph]
  /// Whether glyphs are sideways in vertical text: rotated by 90° clockwise around the origin.
  public var isSideways = false
  /// Whether the text is ideographs or kana, whose ink underlines do not skip.
  public var isIdeographic = false
  /// The indices of slashes and underscores, whose ink underlines do not skip.
  public var crossedGlyphs: [Int32] = []
  public init(face: FaceInstance, size: Float, glyphs: [Glyph]) { self.face = face; self.size = size; self.glyphs = glyphs }
}

/// All fragments of a page. The root is that of the initial containing block.
public struct FragmentTree {
  public package(set) var fragments: [Fragment] = []
  public package(set) var links: [FragmentLink] = []
  public package(set) var texts: [TextFragment] = []
  /// By index of a text: the style of the `::first-line` around it, if it decorates the text.
  public package(set) var firstLines: [Int32: ComputedStyle] = [:]
  public package(set) var collapsedBorders: [CollapsedBorders] = []
  /// The column boxes of multi-column containers in order, relative to the containers' border boxes.
  public package(set) var columns: [[LayoutRect]] = []
  /// Gaps with rules, by container.
  public package(set) var gaps: [FragmentID: [GapSegment]] = [:]
  public package(set) var root: FragmentID = .none
  /// The contents of inline `svg` elements by the payload of their fragments, and the SVG scene of the page.
  public package(set) var drawings: [SVGDrawing] = []
  public package(set) var scene: SVGScene?
  /// The bars of fractions and radicals, relative to their boxes. The upper edge of each rectangle is the center line.
  public package(set) var bars: [LayoutRect] = []
  /// Font information for painting, in addition to glyphs.
  public package(set) var fonts = FragmentFonts()
  /// Retains the arenas that the fragments' styles point into.
  private let arenas: [StyleArena]

  /// Creates a tree whose styles the caller retains.
  public init() { arenas = [] }

  init(of tree: BoxTree) { arenas = [tree.styled.arena, tree.arena] }

  /// Reserves capacity for typical pages, to avoid copies. Memory that is never written is not committed.
  mutating func reserve(boxCount: Int) {
    let count = min(boxCount, 200_000)
    fragments.reserveCapacity(count * 2)
    links.reserveCapacity(count * 2)
    texts.reserveCapacity(count / 2)
  }

  /// Adds a list of column boxes and returns its index; -1 for a single column.
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

/// The collapsed borders of a table, in the coordinates of the table grid. https://drafts.csswg.org/css-tables-3/#border-collapsing
public struct CollapsedBorders: Sendable {
  public struct Edge: Sendable {
    public var style: BorderLineStyle
    public var width: LayoutUnit
    public var color: Color
    public init(style: BorderLineStyle, width: LayoutUnit, color: Color) { self.style = style; self.width = width; self.color = color }
  }
  /// A straight border segment, in the coordinates of the table grid's border box.
  public struct Segment: Sendable {
    public var rect: LayoutRect
    public var isHorizontal: Bool
    public var edge: Edge
    public init(rect: LayoutRect, isHorizontal: Bool, edge: Edge) { self.rect = rect; self.isHorizontal = isHorizontal; self.edge = edge }
  }
  public var segments: [Segment] = []
  public init() {}
}
