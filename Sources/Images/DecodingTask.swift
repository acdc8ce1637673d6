internal import COffprintCodecs
import OffprintCoreTypes

/// The decoding of one image, with limits and a deadline.
struct DecodingTask {
  let limits: Limits
  let deadline: Deadline

  /// Decodes a JPEG at a half, a quarter or an eighth of its size.
  func pixels(_ bytes: [UInt8], _ probe: ImageProbe, halvings: Int) throws(ImageError) -> (Bitmap, ImageDecoder.Status) {
    guard halvings > 0 else { return try pixels(bytes, probe) }
    try check()
    try checkSize(probe.pixelWidth, probe.pixelHeight)
    let divisor = 1 << halvings
    var bitmap = try allocate((probe.pixelWidth - 1) / divisor + 1, (probe.pixelHeight - 1) / divisor + 1)
    let status = try decode(bytes, into: &bitmap) {
      codecs_jpeg_decode_reduced($0, $1, $2, $3, $4, UInt32(clamping: halvings), $5, $6)
    }
    guard let status else { throw ImageDecoder.damaged(.jpeg) }
    bitmap.halvings = halvings
    return (bitmap, status)
  }

  /// The stored pixels, before applying the orientation.
  func pixels(_ bytes: [UInt8], _ probe: ImageProbe) throws(ImageError) -> (Bitmap, ImageDecoder.Status) {
    try check()
    var bitmap = try allocate(probe.pixelWidth, probe.pixelHeight)
    let status: ImageDecoder.Status?
    switch probe.format {
    case .png: status = try decode(bytes, into: &bitmap, codecs_png_decode)
    case .jpeg: status = try decode(bytes, into: &bitmap, codecs_jpeg_decode)
    case .webp: status = try decodeWebP(bytes, into: &bitmap)
    case .gif: status = try GIFDecoder(bytes)?.decode(into: &bitmap, self)
    case .bmp: status = try BMPDecoder(file: bytes)?.decode(into: &bitmap, self)
    case .ico: status = try decodeIcon(bytes, into: &bitmap)
    case .avif: status = try decodeAVIF(bytes, into: &bitmap)
    case .svg: status = nil
    }
    guard let status else { throw ImageDecoder.damaged(probe.format) }
    return (bitmap, status)
  }

  /// Called periodically by loops.
  func check() throws(ImageError) {
    if deadline.hasPassed { throw ImageError(.timedOut, "Decoding the image exceeded the time limit.") }
  }

  /// Called for each row of an image; checks the deadline about every 2^18 pixels.
  @inline(__always)
  func check(row: Int, width: Int) throws(ImageError) { if row % (1 + (1 << 18) / max(1, width)) == 0 { try check() } }

  private func decodeIcon(_ bytes: [UInt8], into bitmap: inout Bitmap) throws(ImageError) -> ImageDecoder.Status? {
    guard let icon = ICODirectory(bytes) else { return nil }
    if icon.isPNG { return try decode(icon.pngBytes, into: &bitmap, codecs_png_decode) }
    return try icon.bitmap?.decode(into: &bitmap, self)
  }

  private func decodeAVIF(_ bytes: [UInt8], into bitmap: inout Bitmap) throws(ImageError) -> ImageDecoder.Status? {
    guard codecs_avif_is_available() != 0 else {
      throw ImageError(
        .formatUnavailable,
        "Decoding AVIF requires libavif 0.11 or 1.x with the libaom decoder, which is not installed. Install it with 'apt-get install libavif16' (Debian 12: libavif15)."
      )
    }
    return try decode(bytes, into: &bitmap, codecs_avif_decode)
  }

  private func decodeWebP(_ bytes: [UInt8], into bitmap: inout Bitmap) throws(ImageError) -> ImageDecoder.Status? {
    guard let container = WebPContainer(bytes) else { return nil }
    guard container.isAnimated else { return try decode(bytes, into: &bitmap, codecs_webp_decode) }
    guard let frame = container.firstFrame() else { return nil }
    var frameBitmap = try allocate(frame.width, frame.height)
    let status = try decode(frame.file, into: &frameBitmap, codecs_webp_decode)
    bitmap.copy(frameBitmap, toX: frame.x, y: frame.y)
    return status
  }

  /// A transparent image, if the limits allow its size.
  func allocate(_ width: Int, _ height: Int) throws(ImageError) -> Bitmap {
    try checkSize(width, height)
    guard let bitmap = Bitmap(width: width, height: height) else { throw tooLarge(width, height) }
    return bitmap
  }

  private func checkSize(_ width: Int, _ height: Int) throws(ImageError) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= limits.decodedPixels else { throw tooLarge(width, height) }
  }

  private func tooLarge(_ width: Int, _ height: Int) -> ImageError {
    ImageError(.imageTooLarge, "\(width) × \(height) pixels exceed the limit of \(limits.decodedPixels) (decodedPixels).")
  }

  typealias Codec = (
    UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt32>?, UInt32, UInt32, codecs_stop, UnsafeMutablePointer<UInt32>?
  ) -> codecs_status

  /// Nil if nothing could be decoded.
  func decode(_ bytes: [UInt8], into bitmap: inout Bitmap, _ codec: Codec) throws(ImageError) -> ImageDecoder.Status? {
    let (width, height) = (UInt32(clamping: bitmap.width), UInt32(clamping: bitmap.height))
    var rows: UInt32 = 0
    let status = deadline.withStop { stop in
      bitmap.withUnsafeMutablePixels { codec(bytes, bytes.count, $0.baseAddress, width, height, stop, &rows) }
    }
    if status == CODECS_STOPPED { try check() }
    return status == CODECS_COMPLETE ? .complete : status == CODECS_PARTIAL ? .partial : nil
  }
}
