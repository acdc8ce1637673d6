internal import CCairo
internal import CCodecs
public import CoreTypes

/// An SVG document, drawn at whatever size it is needed. Nothing it refers to is loaded, except `data:` URLs.
public struct VectorImage: Hashable, Sendable {
  public var bytes: [UInt8]
  /// CSS that applies to the document as a user style sheet.
  public var styleSheet: [UInt8] = []
  /// The colour behind a document that is a picture of its own; an `<svg>` element in a page has a box that paints it.
  public var background: String?

  /// A document without area to draw.
  private var isEmpty = false

  public init(_ bytes: [UInt8], styleSheet: [UInt8] = []) { self.bytes = bytes; self.styleSheet = styleSheet }

  /// A document whose root element fills what it is drawn into. See `SVGRoot.filling`.
  init(document bytes: [UInt8], scales: Bool) {
    let bytes = SVGEntities.expanded(bytes) ?? bytes
    let root = SVGRoot(bytes)
    self.bytes = root?.filling(bytes, scales: scales) ?? bytes
    isEmpty = root?.isEmpty ?? false
    if scales { background = root?.background }
  }

  /// The document filling a picture of this size.
  ///
  /// - Throws: `ImageError`, `limitExceeded` where the document might take more time or memory than a picture may.
  public func bitmap(
    width: Int, height: Int, limits: Limits = Limits(), deadline: Deadline = .never
  ) throws(ImageError) -> Bitmap {
    // Cairo's surfaces end at 32 767 px a side.
    guard width > 0, height > 0, width <= 32_767, height <= 32_767 else {
      throw ImageError(.imageTooLarge, "An SVG cannot be drawn at \(width) × \(height) pixels.")
    }
    let task = DecodingTask(limits: limits, deadline: deadline)
    try task.check()
    let effort = try SVGInspector.inspect(bytes, width: width, height: height, limits)
    var bitmap = try task.allocate(width, height)
    if effort == .long { return try SVGJob.draw(self, into: bitmap, deadline) }
    try fill(&bitmap)
    return bitmap
  }

  /// Draws over all of a picture.
  func fill(_ bitmap: inout Bitmap) throws(ImageError) {
    let (width, height) = (bitmap.width, bitmap.height)
    let stride = Int32(clamping: bitmap.stride)
    let drawn = bitmap.withUnsafeMutablePixels { pixels -> Result<Void, ImageError> in
      pixels.withMemoryRebound(to: UInt8.self) { bytes in
        let surface = cairo_image_surface_create_for_data(
          bytes.baseAddress, CAIRO_FORMAT_ARGB32, Int32(clamping: width), Int32(clamping: height), stride)
        let context = cairo_create(surface)
        defer {
          cairo_destroy(context)
          cairo_surface_finish(surface)
          cairo_surface_destroy(surface)
        }
        guard let context else { return .failure(ImageDecoder.damaged(.svg)) }
        return Result { () throws(ImageError) in try draw(in: context, x: 0, y: 0, width: Double(width), height: Double(height)) }
      }
    }
    try drawn.get()
  }

  /// Draws into a `cairo_t`, the document's viewport being the rectangle in its user space.
  private func draw(in context: OpaquePointer, x: Double, y: Double, width: Double, height: Double) throws(ImageError) {
    guard !isEmpty, width > 0, height > 0, width.isFinite, height.isFinite, x.isFinite, y.isFinite else { return }
    if let background { _ = draw(Self.canvas(background), context, x, y, width, height) }
    switch draw(bytes, context, x, y, width, height) {
    case CODECS_SVG_DRAWN: return
    case CODECS_SVG_NO_LIBRARY: throw ImageError(.imageUnsupported, "SVG pictures need librsvg, which is not installed.")
    default: throw ImageDecoder.damaged(.svg)
    }
  }

  private func draw(
    _ bytes: [UInt8], _ context: OpaquePointer, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> codecs_svg_status {
    codecs_svg_draw(bytes, bytes.count, styleSheet, styleSheet.count, UnsafeMutableRawPointer(context), x, y, width, height)
  }

  /// A document that is all of one colour; of none where the colour means nothing.
  private static func canvas(_ color: String) -> [UInt8] {
    Array(
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%">\
      <rect width="100%" height="100%" fill="none" style="fill:\(color)"/></svg>
      """.utf8)
  }
}
