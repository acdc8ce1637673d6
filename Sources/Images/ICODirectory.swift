/// Selects the best image of an icon or cursor file: the largest, and among those the one with most colors.
///
/// https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
struct ICODirectory {
  /// The offset of its data: a PNG file, or a bitmap without file header.
  let offset: Int
  let isPNG: Bool
  let width: Int
  let height: Int
  private let reader: ByteReader

  /// Nil without an image.
  init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes: bytes)
    guard let count = reader.little16(4), count > 0 else { return nil }
    var best = (area: 0, depth: -1, offset: 0)
    for index in 0..<min(count, 256) {
      let entry = 6 + index * 16
      guard let width = reader.byte(entry), let height = reader.byte(entry + 1), let depth = reader.little16(entry + 6),
        let offset = reader.little32(entry + 12)
      else { break }
      let area = (width == 0 ? 256 : width) * (height == 0 ? 256 : height)
      if area > best.area || (area == best.area && depth > best.depth) { best = (area, depth, offset) }
    }
    guard best.area > 0 else { return nil }
    offset = best.offset
    isPNG = reader.big32(offset) == 0x8950_4e47
    if isPNG {
      guard let width = reader.big32(offset + 16), let height = reader.big32(offset + 20) else { return nil }
      (self.width, self.height) = (width, height)
    } else {
      guard let bitmap = BMPDecoder(icon: reader, at: offset) else { return nil }
      (width, height) = (bitmap.width, bitmap.height)
    }
  }

  /// The bytes of the PNG.
  var pngBytes: [UInt8] { Array(reader.bytes.dropFirst(offset)) }

  var bitmap: BMPDecoder? { BMPDecoder(icon: reader, at: offset) }
}
