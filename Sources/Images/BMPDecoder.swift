/// Decodes device-independent bitmaps: BMP files and the images in ICO files.
///
/// https://learn.microsoft.com/windows/win32/gdi/bitmap-storage
struct BMPDecoder {
  private enum Compression: Int { case none = 0, rle8 = 1, rle4 = 2, bitFields = 3, alphaBitFields = 6 }

  private let reader: ByteReader
  let width: Int
  let height: Int
  private let isTopDown: Bool
  private let depth: Int
  private let compression: Compression
  private var masks: (red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) = (0, 0, 0, 0)
  private let palette: (offset: Int, count: Int, size: Int)
  private let dataOffset: Int
  private let isIcon: Bool

  /// A BMP file; nil without a valid header.
  init?(file bytes: [UInt8]) {
    let reader = ByteReader(bytes: bytes)
    guard let dataOffset = reader.little32(10) else { return nil }
    self.init(reader, header: 14, dataOffset: dataOffset, isIcon: false)
  }

  /// The image of an icon at `offset`; its height in the header includes the mask below it.
  init?(icon reader: ByteReader, at offset: Int) {
    self.init(reader, header: offset, dataOffset: nil, isIcon: true)
  }

  private init?(_ reader: ByteReader, header: Int, dataOffset: Int?, isIcon: Bool) {
    guard let headerSize = reader.little32(header), headerSize == 12 || 40...1024 ~= headerSize else { return nil }
    self.reader = reader
    self.isIcon = isIcon
    let isCore = headerSize == 12
    guard let storedWidth = isCore ? reader.little16(header + 4) : reader.signed32(header + 4),
      let storedHeight = isCore ? reader.little16(header + 6) : reader.signed32(header + 8),
      let depth = reader.little16(header + (isCore ? 10 : 14)), [1, 2, 4, 8, 16, 24, 32].contains(depth),
      let compression = Compression(rawValue: isCore ? 0 : reader.little32(header + 16) ?? -1)
    else { return nil }
    width = storedWidth
    height = abs(storedHeight) / (isIcon ? 2 : 1)
    isTopDown = storedHeight < 0
    guard width > 0, width <= 65_535, height > 0, height <= 65_535 else { return nil }
    self.depth = depth
    self.compression = compression
    switch compression {
    case .rle8: guard depth == 8, !isTopDown else { return nil }
    case .rle4: guard depth == 4, !isTopDown else { return nil }
    case .bitFields, .alphaBitFields: guard depth == 16 || depth == 32 else { return nil }
    case .none: break
    }
    var end = header + headerSize
    if compression == .bitFields || compression == .alphaBitFields {
      let hasAlpha = headerSize >= 56 || compression == .alphaBitFields
      func mask(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: reader.little32(header + 40 + index * 4) ?? 0) }
      masks = (mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0)
      if headerSize == 40 { end += hasAlpha ? 16 : 12 }
    } else if depth == 16 {
      masks = (0x7c00, 0x3e0, 0x1f, 0)
    } else {
      masks = (0xff_0000, 0xff00, 0xff, isIcon ? 0xff00_0000 : 0)
    }
    let declared = isCore ? 0 : reader.little32(header + 32) ?? 0
    let maximum = depth <= 8 ? 1 << depth : 0
    palette = (end, declared == 0 || declared > maximum ? maximum : declared, isCore ? 3 : 4)
    self.dataOffset = dataOffset ?? end + palette.count * palette.size
  }

  /// Nil if nothing could be decoded.
  func decode(into bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    try bitmap.withUnsafeMutablePixels { pixels throws(ImageError) in try decode(into: pixels, task) }
  }

  private func decode(into pixels: UnsafeMutableBufferPointer<UInt32>, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    guard pixels.count == width * height else { return nil }
    if compression == .rle8 || compression == .rle4 { return decodeRuns(into: pixels) }
    let rowBytes = (width * depth + 31) / 32 * 4
    let colors = colorTable()
    var rows = 0
    for step in 0..<height {
      try task.check(row: step, width: width)
      let start = dataOffset + step * rowBytes
      guard start >= 0, start + (width * depth + 7) / 8 <= reader.bytes.count else { break }
      let out = (isTopDown ? step : height - 1 - step) * width
      decodeRow(start, colors, UnsafeMutableBufferPointer(rebasing: pixels[out..<out + width]))
      rows += 1
    }
    guard rows > 0 else { return nil }
    if isIcon { applyMask(pixels, maskOffset: dataOffset + height * rowBytes) }
    return rows == height ? .complete : .partial
  }

  private func colorTable() -> [UInt32] {
    (0..<256).map { index in
      let offset = palette.offset + index * palette.size
      guard index < palette.count, let color = reader.little24(offset) else { return 0xff00_0000 }
      return 0xff00_0000 | UInt32(color)
    }
  }

  private func decodeRow(_ start: Int, _ colors: [UInt32], _ out: UnsafeMutableBufferPointer<UInt32>) {
    for x in 0..<width {
      switch depth {
      case 24: out[x] = 0xff00_0000 | UInt32(reader.little24(start + x * 3) ?? 0)
      case 32: out[x] = color(UInt32(truncatingIfNeeded: reader.little32(start + x * 4) ?? 0))
      case 16: out[x] = color(UInt32(reader.little16(start + x * 2) ?? 0))
      default:
        let bit = x * depth
        let byte = reader.byte(start + bit / 8) ?? 0
        out[x] = colors[byte >> (8 - depth - bit % 8) & (1 << depth - 1)]
      }
    }
  }

  private func color(_ word: UInt32) -> UInt32 {
    func component(_ mask: UInt32) -> UInt8 {
      guard mask != 0 else { return 0 }
      let shifted = mask >> UInt32(mask.trailingZeroBitCount)
      return UInt8(UInt64((word & mask) >> UInt32(mask.trailingZeroBitCount)) * 255 / UInt64(shifted))
    }
    let alpha = masks.alpha == 0 ? 255 : component(masks.alpha)
    let plain = (r: component(masks.red), g: component(masks.green), b: component(masks.blue), a: alpha)
    // Colors of an icon are not premultiplied until it is known whether it has alpha.
    return isIcon ? UInt32(plain.a) << 24 | UInt32(plain.r) << 16 | UInt32(plain.g) << 8 | UInt32(plain.b) : PixelMath.premultiply(plain)
  }

  /// Makes an icon without an alpha channel transparent according to its mask.
  private func applyMask(_ pixels: UnsafeMutableBufferPointer<UInt32>, maskOffset: Int) {
    if depth == 32, pixels.contains(where: { $0 >> 24 != 0 }) {
      for i in pixels.indices {
        let pixel = pixels[i]
        pixels[i] = PixelMath.premultiply(
          (r: UInt8(pixel >> 16 & 255), g: UInt8(pixel >> 8 & 255), b: UInt8(pixel & 255), a: UInt8(pixel >> 24)))
      }
      return
    }
    let rowBytes = (width + 31) / 32 * 4
    for y in 0..<height {
      let row = maskOffset + (isTopDown ? y : height - 1 - y) * rowBytes
      for x in 0..<width {
        let hidden = (reader.byte(row + x / 8) ?? 0) >> (7 - x % 8) & 1 == 1
        pixels[y * width + x] = hidden ? 0 : pixels[y * width + x] | 0xff00_0000
      }
    }
  }

  /// https://learn.microsoft.com/windows/win32/gdi/bitmap-compression
  private func decodeRuns(into pixels: UnsafeMutableBufferPointer<UInt32>) -> ImageDecoder.Status? {
    let colors = colorTable()
    let perByte = compression == .rle4 ? 2 : 1
    var offset = dataOffset, x = 0, y = 0
    func put(_ byte: Int, _ index: Int) {
      let value = perByte == 1 ? byte : index % 2 == 0 ? byte >> 4 : byte & 15
      if x < width, y < height { pixels[(height - 1 - y) * width + x] = colors[value] }
      x += 1
    }
    while y < height {
      guard let count = reader.byte(offset), let value = reader.byte(offset + 1) else { return offset == dataOffset ? nil : .partial }
      offset += 2
      switch (count, value) {
      case (0, 0): (x, y) = (0, y + 1)
      case (0, 1): return .complete
      case (0, 2):
        guard let right = reader.byte(offset), let up = reader.byte(offset + 1) else { return .partial }
        (x, y, offset) = (x + right, y + up, offset + 2)
      case (0, _):
        for i in 0..<value {
          guard let byte = reader.byte(offset + i / perByte) else { return .partial }
          put(byte, i)
        }
        offset += ((value + perByte - 1) / perByte + 1) / 2 * 2
      default: for i in 0..<count { put(value, i) }
      }
      if x > 1 << 20 { return .partial }
    }
    return .complete
  }
}
