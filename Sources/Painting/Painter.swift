public import OffprintCoreTypes
public import OffprintImages
public import OffprintLayout
import OffprintTypography

/// What of a page is painted, and how large.
public struct PaintOptions: Sendable {
  /// The picture's size in device pixels.
  public var width: Int
  public var height: Int
  /// Device pixels a CSS px.
  public var scale: Double
  /// Nil is transparent.
  public var background: Color?
  /// Where in the page the picture's top left corner lies, in device pixels.
  public var originX = 0
  public var originY = 0
  /// Rows at a time; nil chooses.
  public var bandHeight: Int?
  public var limits = Limits()
  /// Glyphs keep what they say, for documents.
  public var recordsText = false
  /// Glyphs are drawn at whole pixels.
  public var hasWholeGlyphPositions = false

  public init(width: Int, height: Int, scale: Double = 1, background: Color? = .white) {
    self.width = width; self.height = height; self.scale = scale; self.background = background
  }
}

/// From fragments to pixels. Owned by one thread; keeps glyph pictures from render to render.
public final class Painter {
  let glyphs = GlyphRasterizer()
  let rasterizer: Rasterizer

  /// Why pictures of the last page painted are not in it, or not filtered.
  public var problems: [ImageError] { documentProblems ?? rasterizer.problems }
  /// Of the last document.
  var documentProblems: [ImageError]?
  private var embedded: VectorFonts?
  /// Characters of the last page's text that no font has, each once, in the order in which they were drawn.
  public private(set) var missingCharacters: [UInt32] = []

  /// Adds what a picture on the page lacks.
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

  /// Faces that documents embed.
  func documentFonts() -> VectorFonts {
    if let embedded, !embedded.isFull { return embedded }
    let made = VectorFonts()
    embedded = made
    return made
  }

  /// Draws a list into rows of premultiplied pixels, from the top. See `Rasterizer`.
  public func draw(
    _ list: DisplayList, background: Color?, bandHeight: Int? = nil, limits: Limits = Limits(), deadline: Deadline,
    into picture: UnsafeMutablePointer<UInt32>? = nil, sink: (UnsafeBufferPointer<UInt32>, Int) throws -> Void
  ) throws {
    rasterizer.hasWholeGlyphPositions = list.hasWholeGlyphPositions
    try rasterizer.paint(
      list, background: background, bandHeight: bandHeight, limits: limits, deadline: deadline, into: picture, sink: sink)
  }

  /// Paints a page.
  ///
  /// - Parameter picture: room for all rows, where they are wanted one below the other.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded` where layers need more memory than they may, and what `sink` throws.
  public func paint(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, options: PaintOptions, deadline: Deadline,
    into picture: UnsafeMutablePointer<UInt32>? = nil, sink: (UnsafeBufferPointer<UInt32>, Int) throws -> Void
  ) throws {
    let list = try displayList(fragments: fragments, tree: tree, images: images, options: options, deadline: deadline)
    documentProblems = nil
    try draw(
      list, background: options.background, bandHeight: options.bandHeight, limits: options.limits, deadline: deadline, into: picture,
      sink: sink)
  }
}
