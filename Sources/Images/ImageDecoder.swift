public import CoreTypes
internal import CCodecs

/// A picture a page embeds.
public struct DecodedImage: Sendable {
  public enum Content: Sendable {
    case bitmap(Bitmap)
    case vector(VectorImage)
  }

  public var content: Content
  public var format: ImageFormat
  /// CSS px; nil where an SVG does not say.
  public var intrinsicWidth: Double?
  public var intrinsicHeight: Double?
  /// Width by height; nil where there is none.
  public var ratio: Double?
  /// The data ended or went bad before the picture did: what could be decoded is there, the rest is transparent.
  public var isPartial = false
  /// How the stored pixels were turned: an EXIF orientation, 1…8.
  public var orientation = 1

  /// The picture where `density` of its pixels are a CSS px. https://drafts.csswg.org/css-images-3/#natural-resolution
  public func withDensity(_ density: Double) -> DecodedImage {
    guard density != 1, density > 0 else { return self }
    var result = self
    result.intrinsicWidth = intrinsicWidth.map { $0 / density }
    result.intrinsicHeight = intrinsicHeight.map { $0 / density }
    return result
  }

  /// The picture as it is stored: `image-orientation: none`. https://drafts.csswg.org/css-images-3/#the-image-orientation
  public var unoriented: DecodedImage {
    guard orientation != 1, case .bitmap(let bitmap) = content else { return self }
    var result = self
    // Six and eight are turns that undo each other; the rest undo themselves.
    result.content = .bitmap(bitmap.oriented(orientation == 6 ? 8 : orientation == 8 ? 6 : orientation))
    result.orientation = 1
    if orientation >= 5 {
      (result.intrinsicWidth, result.intrinsicHeight) = (intrinsicHeight, intrinsicWidth)
      result.ratio = ratio.flatMap { $0 > 0 ? 1 / $0 : nil }
    }
    return result
  }

  /// The pixels: of an SVG drawn at the size given, of anything else the stored ones (scaling is the painter's).
  public func bitmap(width: Int, height: Int, limits: Limits = Limits()) throws(ImageError) -> Bitmap {
    switch content {
    case .bitmap(let bitmap): return bitmap
    case .vector(let image): return try image.bitmap(width: width, height: height, limits: limits)
    }
  }
}

/// Bytes to pictures, within limits.
public enum ImageDecoder {
  /// - Throws: `ImageError`. A picture that is damaged further down is no error but `isPartial`, as in browsers.
  public static func decode(_ bytes: [UInt8], limits: Limits = Limits()) throws(ImageError) -> DecodedImage {
    let probe = try ImageProbe(bytes)
    if probe.format == .svg {
      return DecodedImage(
        content: .vector(VectorImage(document: bytes, scales: true)), format: .svg, intrinsicWidth: probe.width,
        intrinsicHeight: probe.height, ratio: probe.ratio)
    }
    var (bitmap, status) = try decodePixels(bytes, probe, limits)
    ColorProfile(bytes, probe.format)?.apply(to: &bitmap)
    return DecodedImage(
      content: .bitmap(bitmap.oriented(probe.orientation)), format: probe.format, intrinsicWidth: probe.width,
      intrinsicHeight: probe.height, ratio: probe.ratio, isPartial: status == .partial, orientation: probe.orientation)
  }

  /// An `<svg>` element of a page, as a document of its own: its viewport is the element's box, whatever its attributes say.
  public static func decode(inlineSVG bytes: [UInt8]) throws(ImageError) -> DecodedImage {
    let probe = try ImageProbe(bytes)
    guard probe.format == .svg else { throw damaged(.svg) }
    return DecodedImage(
      content: .vector(VectorImage(document: bytes, scales: false)), format: .svg, intrinsicWidth: probe.width,
      intrinsicHeight: probe.height, ratio: probe.ratio)
  }

  enum Status { case complete, partial }

  /// The stored pixels, not yet turned.
  private static func decodePixels(_ bytes: [UInt8], _ probe: ImageProbe, _ limits: Limits) throws(ImageError) -> (Bitmap, Status) {
    var bitmap = try allocate(probe.pixelWidth, probe.pixelHeight, limits)
    let status: Status?
    switch probe.format {
    case .png: status = decode(bytes, into: &bitmap, codecs_png_decode)
    case .jpeg: status = decode(bytes, into: &bitmap, codecs_jpeg_decode)
    case .webp: status = try decodeWebP(bytes, into: &bitmap, limits)
    case .gif: status = GIFDecoder(bytes).flatMap { gif in bitmap.withUnsafeMutablePixels { gif.decode(into: $0) } }
    case .bmp: status = BMPDecoder(file: bytes).flatMap { bmp in bitmap.withUnsafeMutablePixels { bmp.decode(into: $0) } }
    case .ico: status = decodeIcon(bytes, into: &bitmap)
    case .svg: status = nil
    }
    guard let status else { throw damaged(probe.format) }
    return (bitmap, status)
  }

  private static func decodeIcon(_ bytes: [UInt8], into bitmap: inout Bitmap) -> Status? {
    guard let icon = ICODirectory(bytes) else { return nil }
    if icon.isPNG { return decode(icon.pngBytes, into: &bitmap, codecs_png_decode) }
    return icon.bitmap.flatMap { picture in bitmap.withUnsafeMutablePixels { picture.decode(into: $0) } }
  }

  private static func decodeWebP(_ bytes: [UInt8], into bitmap: inout Bitmap, _ limits: Limits) throws(ImageError) -> Status? {
    guard let container = WebPContainer(bytes) else { return nil }
    guard container.isAnimated else { return decode(bytes, into: &bitmap, codecs_webp_decode) }
    guard let frame = container.firstFrame() else { return nil }
    var picture = try allocate(frame.width, frame.height, limits)
    let status = decode(frame.file, into: &picture, codecs_webp_decode)
    bitmap.copy(picture, toX: frame.x, y: frame.y)
    return status
  }

  /// A transparent picture, if the limits allow its size.
  static func allocate(_ width: Int, _ height: Int, _ limits: Limits) throws(ImageError) -> Bitmap {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= limits.decodedPixels, let bitmap = Bitmap(width: width, height: height) else {
      throw ImageError(.imageTooLarge, "\(width) × \(height) pixels are over the limit of \(limits.decodedPixels) (decodedPixels).")
    }
    return bitmap
  }

  private typealias Codec = (
    UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt32>?, UInt32, UInt32, UnsafeMutablePointer<UInt32>?
  ) -> codecs_status

  /// Nil when nothing could be decoded.
  private static func decode(_ bytes: [UInt8], into bitmap: inout Bitmap, _ codec: Codec) -> Status? {
    let (width, height) = (UInt32(clamping: bitmap.width), UInt32(clamping: bitmap.height))
    var rows: UInt32 = 0
    let status = bitmap.withUnsafeMutablePixels { codec(bytes, bytes.count, $0.baseAddress, width, height, &rows) }
    return status == CODECS_COMPLETE ? .complete : status == CODECS_PARTIAL ? .partial : nil
  }

  static func damaged(_ format: ImageFormat) -> ImageError {
    ImageError(.imageDamaged, "The \(format.rawValue.uppercased()) picture is damaged: none of it could be decoded.")
  }
}

extension Bitmap {
  /// Replaces the pixels under another picture, as far as it lies on this one.
  mutating func copy(_ other: Bitmap, toX left: Int, y top: Int) {
    let size = (width: width, height: height)
    guard left >= 0, top >= 0, left < size.width, top < size.height else { return }
    withUnsafeMutablePixels { out in
      other.withUnsafePixels { source in
        for y in 0..<min(other.height, size.height - top) {
          for x in 0..<min(other.width, size.width - left) {
            out[(y + top) * size.width + x + left] = source[y * other.width + x]
          }
        }
      }
    }
  }

  /// The picture turned and mirrored as an EXIF orientation says.
  func oriented(_ orientation: Int) -> Bitmap {
    guard 2...8 ~= orientation else { return self }
    let swapped = orientation >= 5
    let (outWidth, outHeight) = swapped ? (height, width) : (width, height)
    guard var result = Bitmap(width: outWidth, height: outHeight) else { return self }
    let (width, height) = (width, height)
    // Where out(x, y) comes from: source = origin + x · perColumn + y · perRow.
    let (origin, perColumn, perRow) =
      switch orientation {
      case 2: (width - 1, -1, width)
      case 3: (width * height - 1, -1, -width)
      case 4: (width * (height - 1), 1, -width)
      case 5: (0, width, 1)
      case 6: (width * (height - 1), -width, 1)
      case 7: (width * height - 1, -width, -1)
      default: (width - 1, width, -1)
      }
    withUnsafePixels { source in
      result.withUnsafeMutablePixels { out in
        for y in 0..<outHeight {
          for x in 0..<outWidth { out[y * outWidth + x] = source[origin + x * perColumn + y * perRow] }
        }
      }
    }
    return result
  }
}
