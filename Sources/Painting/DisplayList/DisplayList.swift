public import OffprintCSS
public import OffprintCoreTypes
public import OffprintImages
public import OffprintTypography

/// What to draw, in order: plain data in device pixels, origin at the picture's top left corner.
public struct DisplayList: Sendable {
  public package(set) var items: [DisplayItem] = []
  /// The picture.
  public var bounds: PixelRect
  /// How far what shows through filtered backdrops reaches beyond what is drawn.
  public package(set) var backdropReach = 0
  /// Characters of its text that no font has, each once, in the order in which they are drawn.
  public package(set) var missingCharacters: [UInt32] = []
  /// Glyphs are drawn at whole pixels instead of quarters.
  public package(set) var hasWholeGlyphPositions = false
  public init(bounds: PixelRect) { self.bounds = bounds }
}

/// A command with the pixels it may touch.
public struct DisplayItem: Sendable {
  public var command: DisplayCommand
  /// In the picture's pixels, transforms applied, clipped.
  public var bounds: PixelRect
  /// Of a command that opens something: the index of the one that closes it.
  public var end = 0
  public init(command: DisplayCommand, bounds: PixelRect) { self.command = command; self.bounds = bounds }
}

public enum DisplayCommand: Sendable {
  case fillRect(PixelRect, Color)
  case fillRoundedRect(RoundedRect, Color)
  /// What lies between two shapes.
  case fillRing(outer: RoundedRect, inner: RoundedRect, Color)
  case fillPath(VectorPath, Color)
  case strokePath(VectorPath, Stroke, Color)
  case pattern(Pattern)
  case glyphs(GlyphRun)
  case shadow(BoxShadow)
  case backdrop(Backdrop)
  case pushClip(ClipShape)
  case popClip
  case pushGroup(Group)
  case popGroup
  case pushTransform(AffineTransform)
  case popTransform
}

public struct Stroke: Hashable, Sendable {
  public var width: Double
  /// Lengths of dashes and gaps in turn; empty: none.
  public var dashes: [Double] = []
  public var phase = 0.0
  public var cap = LineCap.butt
  public var join = LineJoin.miter
  public var miterLimit = 10.0
  /// Pixels are covered or not.
  public var isCrisp = false
  /// Of a glyph, which is drawn as a shape however thin it is.
  public var isOfGlyph = false
  public var roundCaps: Bool {
    get { cap == .round }
    set { cap = newValue ? .round : .butt }
  }
  public init(width: Double) { self.width = width }
}

public enum ClipShape: Hashable, Sendable {
  case rect(PixelRect)
  case rounded(RoundedRect)
  case path(VectorPath)
  /// What a pen covers.
  case stroke(VectorPath, Stroke)
}

/// Something that has a colour everywhere, laid out in tiles.
public struct Pattern: Sendable {
  public enum Source: Sendable {
    case bitmap(Bitmap, smooth: Bool)
    case vector(VectorImage)
    case gradient(ResolvedGradient)
    /// What a list draws in its bounds.
    case list(DisplayList)
  }
  public var source: Source
  /// The part of the source that a tile shows, 0…1 in both axes.
  public var sourceRect = DisplayRect(x: 0, y: 0, width: 1, height: 1)
  /// One tile.
  public var tile: DisplayRect
  /// From tile to tile; 0 where there is but one in that axis.
  public var periodX = 0.0
  public var periodY = 0.0
  /// What is filled.
  public var area: RoundedRect
  public init(source: Source, tile: DisplayRect, area: RoundedRect) { self.source = source; self.tile = tile; self.area = area }
}

/// Glyphs of one face, from the left, in one colour.
public struct GlyphRun: Sendable {
  @frozen public struct Glyph: Sendable, BitwiseCopyable {
    public var id: UInt32
    /// Device pixels from the run's origin.
    public var x: Float
    public var y: Float
    @inlinable public init(id: UInt32, x: Float, y: Float) { self.id = id; self.x = x; self.y = y }
  }
  public var face: FaceInstance
  /// Device pixels.
  public var size: Float
  public var glyphs: [Glyph]
  /// The pen's start on the baseline.
  public var origin: DisplayPoint
  public var color: Color
  /// Turned by 90° clockwise around the origin.
  public var isSideways = false
  /// Above 0: outlines stroked this wide.
  public var strokeWidth = 0.0
  /// What the glyphs say, where that was asked for.
  package var text: GlyphText?
  public init(face: FaceInstance, size: Float, glyphs: [Glyph], origin: DisplayPoint, color: Color) {
    self.face = face; self.size = size; self.glyphs = glyphs; self.origin = origin; self.color = color
  }
}

/// The characters that a run of glyphs stands for, in reading order.
package final class GlyphText: Sendable {
  package struct Cluster: Hashable, Sendable {
    /// UTF-8.
    package var bytes: Int
    package var glyphs: Int
  }
  package let bytes: [UInt8]
  package let clusters: [Cluster]
  /// The first cluster's glyphs are the last.
  package let isBackward: Bool

  init(bytes: [UInt8], clusters: [Cluster], isBackward: Bool) {
    self.bytes = bytes; self.clusters = clusters; self.isBackward = isBackward
  }
}

/// https://drafts.csswg.org/css-backgrounds-3/#box-shadow
public struct BoxShadow: Hashable, Sendable {
  /// Moved and spread; of an inner shadow, the hole.
  public var shape: RoundedRect
  /// The shadow is drawn outside this; an inner one inside.
  public var box: RoundedRect
  public var isInset: Bool
  public var sigma: Double
  public var color: Color
  public init(shape: RoundedRect, box: RoundedRect, isInset: Bool, sigma: Double, color: Color) {
    self.shape = shape; self.box = box; self.isInset = isInset; self.sigma = sigma; self.color = color
  }
}

/// Filters what has been drawn inside a shape so far. https://drafts.fxtf.org/filter-effects-2/#BackdropFilterProperty
public struct Backdrop: Hashable, Sendable {
  public var shape: RoundedRect
  public var filters: [DisplayFilter]
  /// It stands in a group, and what is filtered is below that.
  public var isBelowGroup = false
  /// The shape as it is seen in perspective.
  public var outline: VectorPath?
}

/// How a group is put onto what is below it.
public struct Group: Sendable {
  public enum Operator: Hashable, Sendable {
    case blend(BlendMode)
    /// What is below is kept where the group is opaque: masks. `luminance` reads the group's brightness.
    case mask(luminance: Bool)
    /// Masks of several layers.
    case source, inside, outside, xor
  }
  public var opacity: Float = 1
  public var operation = Operator.blend(.normal)
  /// Applied to the group in order.
  public var filters: [DisplayFilter] = []
  /// What the group holds before filters, and how far those reach.
  public var content = PixelRect.empty
  public var reach = 0
  /// It shows what is below it, filtered.
  public var hasBackdrop = false
  /// The group is a plane of its own, with `content` of it seen through this.
  public var projection: Projection?
  public init() {}
  var isPlain: Bool { operation == .blend(.normal) && filters.isEmpty }
}

/// https://drafts.csswg.org/filter-effects/, lengths in device pixels.
public enum DisplayFilter: Hashable, Sendable {
  case blur(Double)
  /// Rows of red, green, blue: factors of r, g, b and an offset, of colours that are not premultiplied.
  case matrix([Float])
  case transfer(slope: Float, intercept: Float)
  case opacity(Float)
  case dropShadow(x: Double, y: Double, sigma: Double, Color)
  /// The brightness becomes the coverage: `mask-mode: luminance`.
  case luminanceToAlpha
  /// Colours become those of linear light, by number: `color-interpolation: linearRGB` of masks.
  case linearize
  case graph(FilterGraph)

  var reach: Int {
    switch self {
    case .blur(let sigma): blurReach(sigma)
    case .dropShadow(let x, let y, let sigma, _): blurReach(sigma) + clampedPixel(max(abs(x), abs(y)).rounded(.up)) + 1
    case .graph(let graph): graph.reach
    case .matrix, .transfer, .opacity, .luminanceToAlpha, .linearize: 0
    }
  }
}

/// Beyond this many pixels a blur of `sigma` adds nothing.
func blurReach(_ sigma: Double) -> Int { sigma > 0 ? clampedPixel((min(sigma, 1e6) * 3).rounded(.up)) + 2 : 0 }
