internal import COffprintCodecs
import OffprintCoreTypes

/// Encodes pixels as AVIF. libavif is loaded on first use, so that it does not slow down the start of processes that need no AVIF.
///
/// libavif's encoder cannot be interrupted. After the deadline, `finish` throws, and the encoder completes on an abandoned thread.
final class AVIFEncoder {
  private let width: Int
  private let height: Int
  private let options: codecs_avif_options
  private let profile: [UInt8]
  private let threads: HelperThreads
  private var pixels: [UInt8] = []

  /// - Throws: `formatUnavailable` if libavif is not installed or has no encoder.
  init(width: Int, height: Int, _ encoding: ImageEncoding, _ threads: HelperThreads) throws(ImageError) {
    try Self.checkAvailability()
    self.width = width
    self.height = height
    self.threads = threads
    options = Self.options(width: width, height: height, encoding)
    profile = encoding.profile?.bytes ?? []
    pixels.reserveCapacity(max(0, width &* height &* 4))
  }

  static func checkAvailability() throws(ImageError) {
    guard codecs_avif_is_available() != 0 else {
      throw ImageError(
        .formatUnavailable,
        "Encoding AVIF requires libavif 0.11 or 1.x with the libaom encoder, which is not installed. Install it with 'apt-get install libavif16' (Debian 12: libavif15)."
      )
    }
  }

  static func options(width: Int, height: Int, _ encoding: ImageEncoding) -> codecs_avif_options {
    let quality = min(max(encoding.quality ?? ImageEncoding.standardQuality, 0), 100)
    return codecs_avif_options(
      quality: Int32(quality), lossless: encoding.isLossless ? 1 : 0,
      speed: speed(pixelCount: width.multipliedReportingOverflow(by: height).partialValue))
  }

  /// The encoder speed, from 0 (slowest) to 10. It depends only on the number of pixels, so that the same image encodes to the same bytes.
  /// Large images would take minutes at lower speeds.
  private static func speed(pixelCount: Int) -> Int32 { pixelCount <= 2 << 20 ? 6 : pixelCount <= 8 << 20 ? 8 : 10 }

  func append(_ rows: UnsafeBufferPointer<UInt32>) {
    // Rows beyond the height are ignored.
    let remaining = max(0, width * height - pixels.count / 4)
    for pixel in rows.prefix(remaining) { pixels.append(straight: pixel) }
  }

  func finish(deadline: Deadline) throws(ImageError) -> [UInt8] {
    // Rows that were never appended are transparent.
    pixels.append(contentsOf: repeatElement(0, count: max(0, width * height * 4 - pixels.count)))
    let result = AbandonableResult<[UInt8]>()
    let (pixels, width, height, options) = (pixels, UInt32(clamping: width), UInt32(clamping: height), options)
    let profile = profile
    let isDone = threads.run(for: deadline.remaining ?? .seconds(86_400)) {
      result.value = Self.encode(pixels, width, height, options, profile)
    }
    guard let isDone else {
      throw ImageError(.timedOut, "The image was not encoded: too many earlier encodings exceeded their time limit and are still running.")
    }
    guard isDone else { throw ImageError(.timedOut, "Encoding the image exceeded the time limit.") }
    guard let bytes = result.value else {
      throw ImageError(.imageTooLarge, "libavif could not encode the image, usually because memory ran out.")
    }
    return bytes
  }

  private static func encode(_ pixels: [UInt8], _ width: UInt32, _ height: UInt32, _ options: codecs_avif_options, _ profile: [UInt8])
    -> [UInt8]?
  {
    var bytes: UnsafeMutablePointer<UInt8>?
    var size = 0
    let status = pixels.withUnsafeBufferPointer { pixels in
      profile.withUnsafeBufferPointer {
        codecs_avif_encode(pixels.baseAddress, width, height, options, $0.baseAddress, $0.count, &bytes, &size)
      }
    }
    defer { codecs_avif_free(bytes) }
    guard status == CODECS_COMPLETE, let bytes, size > 0 else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: size))
  }
}

extension EncodedImageFormat {
  /// Whether the libraries that encode this format are installed.
  package var isAvailable: Bool { self == .avif ? codecs_avif_is_available() != 0 : true }
}

package enum AVIFLibrary {
  /// Loads libavif now instead of on first use. Call it before a sandbox prevents loading libraries.
  package static func open() { _ = codecs_avif_is_available() }
}
