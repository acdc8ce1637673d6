public import OffprintCSS
public import OffprintCoreTypes
public import OffprintImages
public import OffprintTypography

/// Drawing commands in painting order. Plain data in device pixels; the origin is the top left corner of the image.
public struct DisplayList: Sendable {
  public package(set) var items: [DisplayItem] = []
  /// The area of the image.
  public var bounds: PixelRect
  /// The maximum distance in pixels from which backdrop filters read outside the pixels they paint.
  public package(set) var backdropOutset = 0
  /// Characters of the text that are missing from all fonts, each once, in painting order.
  public package(set) var missingCharacters: [UInt32] = []
  /// Whether glyphs are positioned at whole pixels instead of quarter pixels.
  public package(set) var hasWholeGlyphPositions = false
  public init(bounds: PixelRect) { self.bounds = bounds }
}

/// A command and the pixels that it may change.
public struct DisplayItem: Sendable {
  public var command: DisplayCommand
  /// In pixels of the image, after transforms and clips.
  public var bounds: PixelRect
  /// For a command that opens a scope: the index of the command that closes it.
  public var end = 0
  public init(command: DisplayCommand, bounds: PixelRect) { self.command = command; self.bounds = bounds }
}

public enum DisplayCommand: Sendable {
  case fillRect(PixelRect, Color)
  case fillRoundedRect(RoundedRect, Color)
  /// The area between two shapes.
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
  /// Alternating lengths of dashes and gaps; empty for a solid line.
  public var dashes: [Double] = []
  public var phase = 0.0
  public var cap = LineCap.butt
  public var join = LineJoin.miter
  public var miterLimit = 10.0
  /// Disables antialiasing.
  public var isCrisp = false
  /// Whether this strokes a glyph. Such strokes are filled as shapes, never drawn as hairlines.
  public var strokesGlyph = false
  public var hasRoundCaps: Bool {
    get { cap == .round }
    set { cap = newValue ? .round : .butt }
  }
  public init(width: Double) { self.width = width }
}

public enum ClipShape: Hashable, Sendable {
  case rect(PixelRect)
  case rounded(RoundedRect)
  case path(VectorPath)
  /// The area that a stroke covers.
  case stroke(VectorPath, Stroke)
}

/// An image, gradient or display list that fills an area, optionally repeated.
public struct Pattern: Sendable {
  public enum Source: Sendable {
    case bitmap(Bitmap, smooth: Bool)
    case vector(VectorImage)
    case gradient(ResolvedGradient)
    /// What the list paints within its bounds.
    case list(DisplayList)
  }
  public var source: Source
  /// The part of the source that a tile shows, in 0...1 on both axes.
  public var sourceRect = DisplayRect(x: 0, y: 0, width: 1, height: 1)
  /// The first tile.
  public var tile: DisplayRect
  /// Distance from tile to tile; 0 if the tile does not repeat on that axis.
  public var periodX = 0.0
  public var periodY = 0.0
  /// The area that is filled.
  public var area: RoundedRect
  public init(source: Source, tile: DisplayRect, area: RoundedRect) { self.source = source; self.tile = tile; self.area = area }
}

/// Glyphs of one face and color, in visual order.
public struct GlyphRun: Sendable {
  @frozen public struct Glyph: Sendable, BitwiseCopyable {
    public var id: UInt32
    /// Device pixels from the origin of the run.
    public var x: Float
    public var y: Float
    @inlinable public init(id: UInt32, x: Float, y: Float) { self.id = id; self.x = x; self.y = y }
  }
  public var face: FaceInstance
  /// Font size in device pixels.
  public var size: Float
  public var glyphs: [Glyph]
  /// The start of the run on the baseline.
  public var origin: DisplayPoint
  public var color: Color
  /// Rotated by 90° clockwise around the origin.
  public var isSideways = false
  /// If positive, the outlines are stroked with this width instead of filled.
  public var strokeWidth = 0.0
  /// The source text of the glyphs, if `recordsText` was set.
  package var text: GlyphText?
  public init(face: FaceInstance, size: Float, glyphs: [Glyph], origin: DisplayPoint, color: Color) {
    self.face = face; self.size = size; self.glyphs = glyphs; self.origin = origin; self.color = color
  }
}

/// The source text of a glyph run in reading order, for selection and search in documents.
package final class GlyphText: Sendable {
  package struct Cluster: Hashable, Sendable {
    /// UTF-8 length of the cluster.
    package var bytes: Int
    package var glyphs: Int
  }
  package let bytes: [UInt8]
  package let clusters: [Cluster]
  /// Whether the glyphs are in the reverse order of the clusters (right-to-left text).
  package let isBackward: Bool

  init(bytes: [UInt8], clusters: [Cluster], isBackward: Bool) {
    self.bytes = bytes; self.clusters = clusters; self.isBackward = isBackward
  }
}

/// https://drafts.csswg.org/css-backgrounds-3/#box-shadow
public struct BoxShadow: Hashable, Sendable {
  /// The shadow's shape after offset and spread; for an inset shadow, the hole.
  public var shape: RoundedRect
  /// The shadow is clipped to the outside of this shape, an inset shadow to the inside.
  public var box: RoundedRect
  public var isInset: Bool
  public var sigma: Double
  public var color: Color
  public init(shape: RoundedRect, box: RoundedRect, isInset: Bool, sigma: Double, color: Color) {
    self.shape = shape; self.box = box; self.isInset = isInset; self.sigma = sigma; self.color = color
  }
}

/// Filters what has been painted so far within a shape. https://drafts.fxtf.org/filter-effects-2/#BackdropFilterProperty
public struct Backdrop: Hashable, Sendable {
  public var shape: RoundedRect
  public var filters: [DisplayFilter]
  /// Whether the command is inside a group but filters the content below that group.
  public var isBelowGroup = false
  /// The shape after projection, for elements in 3D scenes.
  public var outline: VectorPath?
}

/// How a group is composited onto the content below it.
public struct Group: Sendable {
  public enum Operator: Hashable, Sendable {
    case blend(BlendMode)
    /// Keeps the content below where the group is opaque. `luminance` uses the group's luminance instead of its alpha.
    case mask(luminance: Bool)
    /// Compositing of mask layers (`mask-composite`): Porter-Duff source, source-in, source-out and XOR.
    case source, inside, outside, xor
  }
  public var opacity: Float = 1
  public var operation = Operator.blend(.normal)
  /// Applied to the group in this order.
  public var filters: [DisplayFilter] = []
  /// The bounds of the group before filters, and the distance by which the filters extend them, in pixels.
  public var content = PixelRect.empty
  public var outset = 0
  /// Whether the group contains a `backdrop` command that reads the content below the group.
  public var hasBackdrop = false
  /// Set if the group is a plane of a 3D scene: its `content` is composited through this projection.
  public var projection: Projection?
  public init() {}
  var isPlain: Bool { operation == .blend(.normal) && filters.isEmpty }
}

/// https://drafts.csswg.org/filter-effects/; lengths in device pixels.
public enum DisplayFilter: Hashable, Sendable {
  case blur(Double)
  /// Rows for red, green and blue: factors of r, g, b and an offset, applied to unpremultiplied colors.
  case matrix([Float])
  case transfer(slope: Float, intercept: Float)
  case opacity(Float)
  case dropShadow(x: Double, y: Double, sigma: Double, Color)
  /// Replaces alpha by luminance: `mask-mode: luminance`.
  case luminanceToAlpha
  /// Converts sRGB values to linear light: `color-interpolation: linearRGB` of masks.
  case linearize
  case graph(FilterGraph)

  var outset: Int {
    switch self {
    case .blur(let sigma): blurOutset(sigma)
    case .dropShadow(let x, let y, let sigma, _): blurOutset(sigma) + clampedPixel(max(abs(x), abs(y)).rounded(.up)) + 1
    case .graph(let graph): graph.outset
    case .matrix, .transfer, .opacity, .luminanceToAlpha, .linearize: 0
    }
  }
}

/// The distance in pixels beyond which a blur of `sigma` has no effect.
func blurOutset(_ sigma: Double) -> Int { sigma > 0 ? clampedPixel((min(sigma, 1e6) * 3).rounded(.up)) + 2 : 0 }
