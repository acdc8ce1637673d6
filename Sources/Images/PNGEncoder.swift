internal import CCodecs
public import CoreTypes

/// Writes PNG, losslessly and in the smallest form the pixels allow: grey of 1, 2, 4 or 8 bits, a palette of up to 256 colours, RGB where
/// nothing is translucent, grey with alpha, RGBA. Rows come in bands, so that no picture of the whole is needed; they are kept in the
/// most compact form still possible. The same pixels and options give the same bytes, whatever the bands.
///
/// https://www.w3.org/TR/png-3/
public struct PNGEncoder: ~Copyable {
  public enum Compression: String, Hashable, Sendable, CaseIterable {
    case fast, balanced, small
    var level: Int32 {
      switch self {
      case .fast: 1
      case .balanced: 4
      case .small: 9
      }
    }
  }

  /// A chunk written before the picture data.
  public struct Chunk: Hashable, Sendable {
    public var type: StaticName
    public var data: [UInt8]
    public init(type: StaticName, data: [UInt8]) { self.type = type; self.data = data }
    public enum StaticName: String, Hashable, Sendable { case ninePatch = "npTc" }
  }

  public struct Options: Hashable, Sendable {
    public var compression = Compression.balanced
    /// Device px a CSS px: recorded as the resolution (`pHYs`), 96 dpi being 1. Nil: not recorded.
    public var scale: Double?
    public var chunks: [Chunk] = []
    public init(compression: Compression = .balanced, scale: Double? = nil, chunks: [Chunk] = []) {
      self.compression = compression; self.scale = scale; self.chunks = chunks
    }
  }

  public let width: Int
  public let height: Int
  public let options: Options
  var rows: PNGRows

  /// - Throws: `imageTooLarge` when the size is none a PNG can have.
  public init(width: Int, height: Int, options: Options = Options()) throws(ImageError) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= Int(Int32.max), let rows = PNGRows(width: width, height: height) else {
      throw ImageError(.imageTooLarge, "A PNG of \(width) × \(height) pixels cannot be written.")
    }
    self.width = width
    self.height = height
    self.options = options
    self.rows = rows
  }

  /// The next rows from the top: whole rows of premultiplied pixels. Rows below the picture are ignored.
  public mutating func append(rows pixels: UnsafeBufferPointer<UInt32>) {
    guard let base = pixels.baseAddress else { return }
    var offset = 0
    while offset + width <= pixels.count, rows.count < height {
      rows.append(base + offset)
      offset += width
    }
  }

  /// The next `count` rows, `stride` bytes apart, from memory a cairo surface owns.
  public mutating func append(rows pixels: UnsafeRawPointer, count: Int, stride: Int) {
    for row in 0..<max(0, min(count, height - rows.count)) {
      rows.append((pixels + row * stride).assumingMemoryBound(to: UInt32.self))
    }
  }

  /// The file. Rows that never came are transparent.
  ///
  /// - Throws: `imageTooLarge` without memory, `timedOut` at the deadline.
  public consuming func finish(deadline: Deadline = .never) throws(ImageError) -> [UInt8] {
    if rows.count < height {
      let transparent = [UInt32](repeating: 0, count: width)
      while rows.count < height { transparent.withUnsafeBufferPointer { row in row.baseAddress.map { rows.append($0) } } }
    }
    guard !rows.failed else { throw Self.outOfMemory }
    let form = rows.settle(level: options.compression.level)
    guard let data = try ZlibStream.compress(rows.buffer, count: rows.byteCount, level: options.compression.level, deadline) else {
      throw Self.outOfMemory
    }
    var file = PNGFile(capacity: data.length + form.palette.count * 4 + 256)
    file.chunk("IHDR") {
      $0.word(UInt32(width)); $0.word(UInt32(height)); $0.bytes += [form.bitDepth, form.colorType, 0, 0, 0]
    }
    if let scale = options.scale, scale > 0, scale < 1000 {
      let dotsPerMeter = UInt32((scale * 96 / 0.0254).rounded())
      file.chunk("pHYs") {
        $0.word(dotsPerMeter); $0.word(dotsPerMeter); $0.bytes.append(1)
      }
    }
    if form.colorType == 3 { Self.writePalette(form.palette, to: &file) }
    for chunk in options.chunks { file.chunk(chunk.type.rawValue) { $0.bytes += chunk.data } }
    file.chunk("IDAT") { $0.bytes.append(contentsOf: UnsafeBufferPointer(start: data.bytes.base, count: data.length)) }
    file.chunk("IEND") { _ in }
    withExtendedLifetime(data) {}
    return file.bytes
  }

  /// The file of a whole picture.
  public static func encode(_ bitmap: Bitmap, options: Options = Options()) throws(ImageError) -> [UInt8] {
    var encoder = try PNGEncoder(width: bitmap.width, height: bitmap.height, options: options)
    bitmap.withUnsafePixels { encoder.append(rows: $0) }
    return try encoder.finish()
  }

  private static var outOfMemory: ImageError { ImageError(.imageTooLarge, "There is not enough memory to write the PNG.") }

  private static func writePalette(_ palette: [UInt32], to file: inout PNGFile) {
    file.chunk("PLTE") { file in
      for color in palette { file.bytes += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)] }
    }
    let translucent = palette.prefix { $0 >> 24 < 255 }  // the palette is sorted that way
    if !translucent.isEmpty { file.chunk("tRNS") { $0.bytes += translucent.map { UInt8($0 >> 24) } } }
  }
}

/// A PNG file being written.
private struct PNGFile {
  var bytes: [UInt8]

  init(capacity: Int) {
    bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    bytes.reserveCapacity(capacity)
  }

  mutating func word(_ value: UInt32) {
    bytes += [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
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
