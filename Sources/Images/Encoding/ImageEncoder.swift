internal import COffprintCodecs
public import OffprintCoreTypes

/// Encodes an image in any format, from bands of rows. The same pixels and encoding give the same bytes, however they are divided into
/// bands.
public struct ImageEncoder: ~Copyable {
  /// The pixel buffer, for callers that render in place and then append its rows; nil if rows are processed one by one.
  public private(set) var pixels: UnsafeMutablePointer<UInt32>?
  // Exactly one of these four is set.
  private var png: PNGEncoder?
  private var file: LibraryEncoder?
  private var avif: AVIFEncoder?
  private var raw: [UInt8] = []
  private var conversion: ProfileConversion?
  private var isOverWhite = false

  /// - Parameters:
  ///   - scale: Device px per CSS px, for formats that record a resolution.
  ///   - workspace: Memory reused from earlier encoders.
  /// - Throws: `imageTooLarge` for a size that the format does not support, or if memory cannot be allocated.
  public init(
    width: Int, height: Int, encoding: ImageEncoding, scale: Double = 1, workspace: PNGWorkspace = PNGWorkspace()
  ) throws(ImageError) {
    if let maximum = encoding.format.maximumSide, max(width, height) > maximum {
      throw ImageError(
        .imageTooLarge,
        "A \(encoding.format.rawValue) image can have at most \(maximum) px a side; this one would be \(width) × \(height).")
    }
    conversion = encoding.effectiveProfile?.conversion
    isOverWhite = encoding.format == .jpeg
    switch encoding.format {
    case .png:
      var options = PNGEncoder.Options(compression: encoding.compression, scale: scale, isSRGB: true)
      options.profile = encoding.effectiveProfile?.bytes
      png = try PNGEncoder(width: width, height: height, options: options, workspace: workspace)
    case .webp, .jpeg:
      file = try LibraryEncoder(width: width, height: height, encoding, scale: scale)
    case .avif:
      avif = try AVIFEncoder(width: width, height: height, encoding, workspace.threads)
    case .pdf, .svg, .apng, .gif:
      throw ImageError(.imageUnknownFormat, "A \(encoding.format.rawValue) file is not encoded from the pixels of one image.")
    case .raw:
      raw.reserveCapacity(max(0, width &* height &* 4))
    }
    pixels =
      switch png {
      // Pixels that must be converted are not rendered in place.
      case .some(let encoder): conversion == nil ? encoder.pixels : nil
      case .none: nil
      }
  }

  /// Appends the next rows from the top, in whole rows of premultiplied pixels.
  public mutating func append(rows: UnsafeBufferPointer<UInt32>, deadline: Deadline = .never) throws(ImageError) {
    guard let conversion, png != nil || file != nil || avif != nil else { return try write(rows: rows, deadline) }
    let converted = conversion.convert(rows, overWhite: isOverWhite)
    var problem: ImageError?
    converted.withUnsafeBufferPointer { rows in
      do throws(ImageError) { try write(rows: rows, deadline) } catch { problem = error }
    }
    if let problem { throw problem }
  }

  private mutating func write(rows: UnsafeBufferPointer<UInt32>, _ deadline: Deadline) throws(ImageError) {
    if png != nil {
      png?.append(rows: rows)
    } else if let file {
      try file.append(rows, deadline)
    } else if let avif {
      avif.append(rows)
    } else {
      for pixel in rows { raw.append(straight: pixel) }
    }
  }

  /// Completes the file.
  /// - Throws: `imageTooLarge` if memory cannot be allocated, `timedOut` after the deadline.
  public consuming func finish(deadline: Deadline = .never) throws(ImageError) -> [UInt8] {
    let (file, avif, raw) = (file, avif, raw)
    if let png = consume png { return try png.finish(deadline: deadline) }
    if let avif { return try avif.finish(deadline: deadline) }
    return try file?.finish(deadline) ?? raw
  }
}

/// An image being encoded by one of the C libraries.
private final class LibraryEncoder {
  private enum Handle {
    case jpeg(OpaquePointer)
    case webp(OpaquePointer)
  }
  private let handle: Handle
  private let width: Int
  private let height: Int
  /// For WebP, whose profile is inserted at the end.
  private let profile: [UInt8]?

  init(width: Int, height: Int, _ encoding: ImageEncoding, scale: Double) throws(ImageError) {
    let (columns, rows) = (UInt32(clamping: width), UInt32(clamping: height))
    let quality = Int32(min(max(encoding.quality ?? ImageEncoding.standardQuality, 0), 100))
    let pointer =
      encoding.format == .webp
      ? codecs_webp_begin(columns, rows, quality, encoding.isLossless ? 1 : 0)
      : (encoding.profile?.bytes ?? []).withUnsafeBufferPointer {
        codecs_jpeg_begin(columns, rows, quality, encoding.isProgressive ? 1 : 0, 96 * scale, $0.baseAddress, $0.count)
      }
    guard let pointer, width > 0, height > 0 else { throw Self.outOfMemory }
    handle = encoding.format == .webp ? .webp(pointer) : .jpeg(pointer)
    self.width = width
    self.height = height
    profile = encoding.format == .webp ? encoding.profile?.bytes : nil
  }

  deinit {
    switch handle {
    case .jpeg(let pointer): codecs_jpeg_discard(pointer)
    case .webp(let pointer): codecs_webp_discard(pointer)
    }
  }

  func append(_ pixels: UnsafeBufferPointer<UInt32>, _ deadline: Deadline) throws(ImageError) {
    let rows = UInt32(clamping: pixels.count / width)
    let status: codecs_status = deadline.withStop { stop in
      switch handle {
      case .jpeg(let pointer): return codecs_jpeg_append(pointer, pixels.baseAddress, rows, stop)
      case .webp(let pointer):
        codecs_webp_append(pointer, pixels.baseAddress, rows)
        return CODECS_COMPLETE
      }
    }
    try Self.check(status)
  }

  func finish(_ deadline: Deadline) throws(ImageError) -> [UInt8] {
    var bytes: UnsafePointer<UInt8>?
    var size = 0
    let status: codecs_status = deadline.withStop { stop in
      switch handle {
      case .jpeg(let pointer): codecs_jpeg_finish(pointer, stop, &bytes, &size)
      case .webp(let pointer): codecs_webp_finish(pointer, stop, &bytes, &size)
      }
    }
    try Self.check(status)
    let file = Array(UnsafeBufferPointer(start: bytes, count: size))
    return profile.map { WebPProfile.insert($0, into: file, width: width, height: height) } ?? file
  }

  private static func check(_ status: codecs_status) throws(ImageError) {
    if status == CODECS_STOPPED { throw ImageError(.timedOut, "Encoding the image exceeded the time limit.") }
    if status != CODECS_COMPLETE { throw outOfMemory }
  }

  private static var outOfMemory: ImageError { ImageError(.imageTooLarge, "There is not enough memory to encode the image.") }
}

extension Deadline {
  /// Passes a callback to C code, which calls it periodically to check the deadline.
  func withStop<Result>(_ body: (codecs_stop) -> Result) -> Result {
    withUnsafePointer(to: self) { deadline in
      body(
        codecs_stop(
          should_stop: { $0?.assumingMemoryBound(to: Deadline.self).pointee.hasPassed == true ? 1 : 0 },
          context: UnsafeRawPointer(deadline)))
    }
  }
}

extension [UInt8] {
  /// Appends a premultiplied ARGB pixel as red, green, blue and alpha.
  package mutating func append(straight pixel: UInt32) {
    let alpha = pixel >> 24
    guard alpha != 0 else { return append(contentsOf: [0, 0, 0, 0]) }
    func component(_ shift: UInt32) -> UInt8 { UInt8(Swift.min(255, ((pixel >> shift & 255) * 255 + alpha / 2) / alpha)) }
    append(component(16))
    append(component(8))
    append(component(0))
    append(UInt8(alpha))
  }
}
