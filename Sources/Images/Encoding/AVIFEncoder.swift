internal import COffprintCodecs
import OffprintCoreTypes

/// Encodes pixels as AVIF. libavif is loaded when the first such file is written, so that no other start loads it.
///
/// The encoder cannot be interrupted: if it exceeds the deadline, it is left to finish on its own thread.
final class AVIFEncoder {
  private let width: Int
  private let height: Int
  private let options: codecs_avif_options
  private let profile: [UInt8]
  private let threads: HelperThreads
  private var pixels: [UInt8] = []

  /// - Throws: `formatUnavailable` without a libavif that can encode.
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
        "Encoding AVIF requires libavif (0.11 or 1.x, with the encoder libaom), which is not installed: 'apt-get install libavif15', or libavif16."
      )
    }
  }

  static func options(width: Int, height: Int, _ encoding: ImageEncoding) -> codecs_avif_options {
    let quality = min(max(encoding.quality ?? ImageEncoding.standardQuality, 0), 100)
    return codecs_avif_options(
      quality: Int32(quality), lossless: encoding.isLossless ? 1 : 0,
      speed: speed(width.multipliedReportingOverflow(by: height).partialValue))
  }

  /// Depends only on the size, so that the same image has the same bytes. Large images would take minutes at a lower speed.
  private static func speed(_ count: Int) -> Int32 { count <= 2 << 20 ? 6 : count <= 8 << 20 ? 8 : 10 }

  func append(_ rows: UnsafeBufferPointer<UInt32>) {
    let room = max(0, width * height - pixels.count / 4)
    for pixel in rows.prefix(room) { pixels.append(straight: pixel) }
  }

  func finish(deadline: Deadline) throws(ImageError) -> [UInt8] {
    pixels.append(contentsOf: repeatElement(0, count: max(0, width * height * 4 - pixels.count)))
    let result = AbandonableResult<[UInt8]>()
    let (pixels, width, height, options) = (pixels, UInt32(clamping: width), UInt32(clamping: height), options)
    let profile = profile
    let isDone = threads.run(for: deadline.remaining ?? .seconds(86_400)) {
      result.value = Self.encode(pixels, width, height, options, profile)
    }
    guard isDone == true else { throw ImageError(.timedOut, "There was no time left to encode the image.") }
    guard let bytes = result.value else { throw ImageError(.imageTooLarge, "There is not enough memory to encode the image.") }
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
  /// Whether the libraries that encode it are installed.
  package var isAvailable: Bool { self == .avif ? codecs_avif_is_available() != 0 : true }
}

package enum AVIFLibrary {
  /// Opens the library now instead of for the first AVIF file.
  package static func open() { _ = codecs_avif_is_available() }
}
