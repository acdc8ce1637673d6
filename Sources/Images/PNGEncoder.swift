internal import COffprintCodecs
public import OffprintCoreTypes

/// Encodes PNG losslessly in the smallest form the pixels allow: gray with 1, 2, 4 or 8 bits, a palette of up to 256 colors, RGB if all
/// pixels are opaque, gray with alpha, RGBA. The same pixels and options give the same bytes, however they are divided into bands, and
/// whatever the workspace was used for before.
///
/// https://www.w3.org/TR/png-3/
public struct PNGEncoder: ~Copyable {
  public enum Compression: String, Hashable, Sendable, CaseIterable {
    case fast, balanced, small
    /// The compression level of libdeflate.
    var level: Int32 {
      switch self {
      case .fast: 1
      case .balanced: 4
      case .small: 9
      }
    }
    /// How many positions are tried when searching for a match.
    var depth: UInt32 { self == .fast ? 1 : 8 }
  }

  /// A chunk written before the image data.
  public struct Chunk: Hashable, Sendable {
    public var type: StaticName
    public var data: [UInt8]
    public init(type: StaticName, data: [UInt8]) { self.type = type; self.data = data }
    public enum StaticName: String, Hashable, Sendable { case ninePatch = "npTc" }
  }

  public struct Options: Hashable, Sendable {
    public var compression = Compression.balanced
    /// Device px per CSS px, recorded as the resolution (`pHYs`); 1 is 96 dpi. Nil to omit it.
    public var scale: Double?
    /// Whether to mark the colors as sRGB (`sRGB`).
    public var isSRGB = false
    /// An ICC profile to write instead (`iCCP`).
    var profile: [UInt8]?
    public var chunks: [Chunk] = []
    public init(compression: Compression = .balanced, scale: Double? = nil, isSRGB: Bool = false, chunks: [Chunk] = []) {
      self.compression = compression; self.scale = scale; self.isSRGB = isSRGB; self.chunks = chunks
    }
  }

  public let width: Int
  public let height: Int
  public let options: Options
  private let workspace: PNGWorkspace
  private let memory: HeapBytes
  private var count = 0

  /// - Parameter workspace: Memory reused from earlier encoders.
  /// - Throws: `imageTooLarge` if PNG does not support the size, or memory cannot be allocated.
  public init(
    width: Int, height: Int, options: Options = Options(), workspace: PNGWorkspace = PNGWorkspace()
  ) throws(ImageError) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= Int(Int32.max), let memory = workspace.takePixels(count) else {
      throw ImageError(.imageTooLarge, "A PNG of \(width) × \(height) pixels cannot be encoded.")
    }
    self.width = width
    self.height = height
    self.options = options
    self.workspace = workspace
    self.memory = memory
  }

  deinit { workspace.release(memory) }

  /// The pixel buffer, for callers that render in place and then append its rows. Initially uninitialized.
  public var pixels: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(memory.base).assumingMemoryBound(to: UInt32.self)
  }

  /// Appends the next rows from the top, in whole rows of premultiplied pixels. Excess rows are ignored.
  public mutating func append(rows: UnsafeBufferPointer<UInt32>) {
    guard let base = rows.baseAddress else { return }
    let taken = min(rows.count / width, height - count), place = pixels + count * width
    if place != base { place.update(from: base, count: taken * width) }
    count += taken
  }

  /// Appends the next `count` rows, `stride` bytes apart, from memory of a Cairo surface.
  public mutating func append(rows: UnsafeRawPointer, count: Int, stride: Int) {
    for row in 0..<max(0, min(count, height - self.count)) {
      append(rows: UnsafeBufferPointer(start: (rows + row * stride).assumingMemoryBound(to: UInt32.self), count: width))
    }
  }

  /// Completes the file. Missing rows are transparent.
  ///
  /// - Throws: `imageTooLarge` if memory cannot be allocated, `timedOut` after the deadline.
  public consuming func finish(deadline: Deadline = .never) throws(ImageError) -> [UInt8] {
    let pixels = self.pixels
    (pixels + count * width).update(repeating: 0, count: (height - count) * width)
    let stream = PNGStream(pixels: pixels, width: width, height: height, workspace: workspace, deadline: deadline)
    let (form, data) = try stream.compress(options.compression)
    var file = PNGFile(capacity: data.length + form.palette.count * 4 + 256)
    file.chunk("IHDR") {
      $0.word(UInt32(width)); $0.word(UInt32(height)); $0.bytes += [form.bitDepth, form.colorType, 0, 0, 0]
    }
    if options.profile != nil || options.isSRGB { file.colorSpace(options.profile) }
    if let scale = options.scale { file.resolution(scale) }
    if form.colorType == 3 { Self.writePalette(form.palette, to: &file) }
    for chunk in options.chunks { file.chunk(chunk.type.rawValue) { $0.bytes += chunk.data } }
    file.chunk("IDAT") { $0.bytes.append(contentsOf: UnsafeBufferPointer(start: data.base, count: data.length)) }
    file.chunk("IEND") { _ in }
    withExtendedLifetime(data) {}
    return file.bytes
  }

  /// Encodes a whole image.
  public static func encode(_ bitmap: Bitmap, options: Options = Options()) throws(ImageError) -> [UInt8] {
    var encoder = try PNGEncoder(width: bitmap.width, height: bitmap.height, options: options)
    bitmap.withUnsafePixels { encoder.append(rows: $0) }
    return try encoder.finish()
  }

  private static func writePalette(_ palette: [UInt32], to file: inout PNGFile) {
    file.chunk("PLTE") { file in
      for color in palette { file.bytes += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)] }
    }
    let translucent = palette.prefix { $0 >> 24 < 255 }  // the palette is sorted so that these come first
    if !translucent.isEmpty { file.chunk("tRNS") { $0.bytes += translucent.map { UInt8($0 >> 24) } } }
  }
}

/// A PNG file being written.
struct PNGFile {
  var bytes: [UInt8]

  init(capacity: Int) {
    bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    bytes.reserveCapacity(capacity)
  }

  mutating func word(_ value: UInt32) {
    bytes += [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }

  /// Writes an ICC profile, or sRGB if it is nil.
  mutating func colorSpace(_ profile: [UInt8]?) {
    guard let profile else {
      // The rendering intent is perceptual. https://www.w3.org/TR/png-3/#srgb-standard-colour-space
      return chunk("sRGB") { $0.bytes.append(0) }
    }
    chunk("iCCP") { $0.bytes += Array("ICC profile".utf8) + [0, 0] + ZlibStream.compressed(profile) }
  }

  /// - Parameter scale: Device px per CSS px; 1 is 96 dpi.
  mutating func resolution(_ scale: Double) {
    guard scale > 0, scale < 1000 else { return }
    let dotsPerMeter = UInt32((scale * 96 / 0.0254).rounded())
    chunk("pHYs") {
      $0.word(dotsPerMeter); $0.word(dotsPerMeter); $0.bytes.append(1)
    }
  }

  mutating func chunk(_ type: String, _ body: (inout PNGFile) -> Void) {
    let start = bytes.count
    word(0)
    bytes += Array(type.utf8)
    body(&self)
    let length = bytes.count - start - 8
    for i in 0..<4 { bytes[start + i] = UInt8(length >> (24 - 8 * i) & 255) }
    let crc = bytes.withUnsafeBufferPointer { all in
      all.baseAddress.map { codecs_crc32(0, $0 + start + 4, length + 4) } ?? 0
    }
    word(crc)
  }
}
