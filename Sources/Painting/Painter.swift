public import OffprintCoreTypes
public import OffprintImages
public import OffprintLayout
import OffprintTypography

/// The area of the page to paint, and its resolution.
public struct PaintOptions: Sendable {
  /// Size of the output image in device pixels.
  public var width: Int
  public var height: Int
  /// Device pixels per CSS px.
  public var scale: Double
  /// Color below the page; nil for a transparent image.
  public var background: Color?
  /// Top left corner of the output image on the page, in device pixels.
  public var originX = 0
  public var originY = 0
  /// Rows rasterized at a time; nil for an automatic choice.
  public var bandHeight: Int?
  public var limits = Limits()
  /// Whether glyph runs keep their source text, which vector documents need for selection and search.
  public var recordsText = false
  /// Whether glyphs are positioned at whole pixels instead of subpixel positions.
  public var hasWholeGlyphPositions = false

  public init(width: Int, height: Int, scale: Double = 1, background: Color? = .white) {
    self.width = width; self.height = height; self.scale = scale; self.background = background
  }
}

/// Turns fragments into display lists, pixels and vector documents. An instance belongs to one thread; it caches glyph bitmaps across renders.
public final class Painter {
  let glyphs = GlyphRasterizer()
  let rasterizer: Rasterizer

  /// Errors of images that are missing from the last painted page, or that were painted without their filters.
  public var problems: [ImageError] { documentProblems ?? rasterizer.problems }
  /// The errors of the last vector document; nil if the last page was rasterized.
  var documentProblems: [ImageError]?
  private var embedded: VectorFonts?
  /// Characters of the last page that are missing from all fonts, each once, in the order of their first use.
  public private(set) var missingCharacters: [UInt32] = []

  /// Adds the missing characters of an SVG image on the page.
  func note(missing codepoints: [UInt32]) {
    for codepoint in codepoints where !missingCharacters.contains(codepoint) { missingCharacters.append(codepoint) }
  }

  public init() { rasterizer = Rasterizer(glyphs: glyphs) }

  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  public func displayList(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, options: PaintOptions, deadline: Deadline
  ) throws -> DisplayList {
    var list = try DisplayListBuilder.build(
      fragments: fragments, tree: tree, images: images, size: (options.width, options.height), scale: options.scale,
      origin: (options.originX, options.originY), glyphs: glyphs, recordsText: options.recordsText, deadline: deadline)
    list.hasWholeGlyphPositions = options.hasWholeGlyphPositions
    missingCharacters = list.missingCharacters
    return list
  }

  /// The font faces to embed in vector documents, reused across documents until they are full.
  func documentFonts() -> VectorFonts {
    if let embedded, !embedded.isFull { return embedded }
    let made = VectorFonts()
    embedded = made
    return made
  }

  /// Rasterizes a list into rows of premultiplied pixels, top to bottom. See `Rasterizer`.
  public func draw(
    _ list: DisplayList, background: Color?, bandHeight: Int? = nil, limits: Limits = Limits(), deadline: Deadline,
    into imageBuffer: UnsafeMutablePointer<UInt32>? = nil, sink: (UnsafeBufferPointer<UInt32>, Int) throws -> Void
  ) throws {
    rasterizer.hasWholeGlyphPositions = list.hasWholeGlyphPositions
    try rasterizer.paint(
      list, background: background, bandHeight: bandHeight, limits: limits, deadline: deadline, into: imageBuffer, sink: sink)
  }

  /// Paints a page and rasterizes it.
  ///
  /// - Parameter imageBuffer: A buffer for the whole image; nil if `sink` alone receives the rows.
  /// - Throws: `DeadlineExceeded`; `LimitExceeded` if layers need more memory than `options.limits` allows; and the errors of `sink`.
  public func paint(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, options: PaintOptions, deadline: Deadline,
    into imageBuffer: UnsafeMutablePointer<UInt32>? = nil, sink: (UnsafeBufferPointer<UInt32>, Int) throws -> Void
  ) throws {
    let list = try displayList(fragments: fragments, tree: tree, images: images, options: options, deadline: deadline)
    documentProblems = nil
    try draw(
      list, background: options.background, bandHeight: options.bandHeight, limits: options.limits, deadline: deadline, into: imageBuffer,
      sink: sink)
  }
}
