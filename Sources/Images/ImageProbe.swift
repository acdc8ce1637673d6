/// The supported formats of embedded images.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  case png, jpeg, webp, gif, bmp, ico, avif, svg

  public var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    case .gif: "image/gif"
    case .bmp: "image/bmp"
    case .ico: "image/x-icon"
    case .avif: "image/avif"
    case .svg: "image/svg+xml"
    }
  }

  /// The format according to the first bytes, independent of name and media type.
  ///
  /// https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
  public static func sniff(_ bytes: [UInt8]) -> ImageFormat? { sniffRaster(bytes) ?? (SVGRoot(bytes) == nil ? nil : .svg) }

  /// The same for formats other than SVG, which takes longer to recognize.
  static func sniffRaster(_ bytes: [UInt8]) -> ImageFormat? {
    let reader = ByteReader(bytes: bytes)
    if reader.big32(0) == 0x8950_4e47, reader.big32(4) == 0x0d0a_1a0a { return .png }
    if reader.big16(0) == 0xffd8, reader.byte(2) == 0xff { return .jpeg }
    if reader.hasASCII("GIF87a", at: 0) || reader.hasASCII("GIF89a", at: 0) { return .gif }
    if reader.hasASCII("RIFF", at: 0), reader.hasASCII("WEBPVP", at: 8) { return .webp }
    if reader.hasASCII("BM", at: 0) { return .bmp }
    if AVIFContainer.isAVIF(reader) { return .avif }
    if reader.little16(0) == 0, let type = reader.little16(2), type == 1 || type == 2 { return .ico }
    return nil
  }
}

/// The properties in an image's header, read without decoding.
public struct ImageProbe: Hashable, Sendable {
  public var format: ImageFormat
  /// In CSS px, after applying the EXIF orientation; nil if an SVG does not specify it.
  public var width: Double?
  public var height: Double?
  /// Width divided by height; nil without a natural aspect ratio.
  public var ratio: Double?
  /// The EXIF orientation, 1 to 8.
  public var orientation = 1
  /// The size of the stored pixels; 0 for SVG.
  public var pixelWidth = 0
  public var pixelHeight = 0

  /// - Throws: `imageUnknownFormat`, or `imageDamaged` if the header is incomplete.
  public init(_ bytes: [UInt8]) throws(ImageError) {
    guard let format = ImageFormat.sniff(bytes) else {
      throw ImageError(.imageUnknownFormat, "It is not an image (PNG, JPEG, WebP, GIF, AVIF, BMP, ICO or SVG).")
    }
    self.format = format
    if format == .svg {
      let root = SVGRoot(bytes)
      (width, height, ratio) = (root?.width, root?.height, root?.ratio)
      return
    }
    let reader = ByteReader(bytes: bytes)
    guard let size = Self.pixelSize(format, reader), size.width > 0, size.height > 0 else {
      throw ImageError(.imageDamaged, "The \(format.rawValue.uppercased()) image has no valid header.")
    }
    (pixelWidth, pixelHeight) = size
    orientation = EXIFOrientation.find(format, reader)
    let swapped = orientation >= 5
    let (w, h) = (Double(swapped ? size.height : size.width), Double(swapped ? size.width : size.height))
    (width, height, ratio) = (w, h, w / h)
  }

  private static func pixelSize(_ format: ImageFormat, _ reader: ByteReader) -> (width: Int, height: Int)? {
    switch format {
    case .png:
      guard reader.hasASCII("IHDR", at: 12), let width = reader.big32(16), let height = reader.big32(20) else { return nil }
      return (width, height)
    case .jpeg: return JPEGHeader.size(reader)
    case .webp: return WebPContainer(reader.bytes).map { ($0.width, $0.height) }
    case .gif: return GIFDecoder(reader.bytes).map { ($0.width, $0.height) }
    case .bmp: return BMPDecoder(file: reader.bytes).map { ($0.width, $0.height) }
    case .ico: return ICODirectory(reader.bytes).map { ($0.width, $0.height) }
    case .avif: return AVIFContainer(reader.bytes).map { ($0.width, $0.height) }
    case .svg: return nil
    }
  }
}
