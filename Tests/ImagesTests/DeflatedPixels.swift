import COffprintCodecs

/// An image for the encoder of `pixel_deflate.h`, and the expected result of decoding its stream. Shared by tests and fuzzing.
struct DeflatedPixels {
  /// Premultiplied `0xAARRGGBB`, row by row.
  var pixels: [UInt32]
  var width: Int
  /// The bytes of a pixel, as in `codecs_pixel_deflater_begin`.
  var bytes: Int
  /// The maximum number of candidates examined for a match.
  var depth: Int
  /// The number of rows in each part that is encoded separately.
  var rowsOfPart = Int.max

  private var height: Int { pixels.count / width }
  private var rowBytes: Int { 1 + width * bytes }
  /// The number of decoded bytes.
  var decodedCount: Int { rowBytes * height }

  /// The pixels that `bytes` can say: opaque ones for three, grey ones for two.
  func representable(_ pixel: UInt32) -> UInt32 {
    switch bytes {
    case 3: pixel | 0xff00_0000
    case 2: pixel & 0xff00_0000 | (pixel & 0xff) * 0x01_0101
    default: pixel
    }
  }

  /// A zlib stream of the rows, each with its filter; nil if the encoder rejects the image.
  func stream(_ deflater: OpaquePointer) -> [UInt8]? {
    var stream: [UInt8] = [0x78, 0x5E], adler: UInt32 = 1, start = 0
    repeat {
      let count = min(rowsOfPart, height - start), isLast = start + count == height
      let isCoded = pixels.withUnsafeBufferPointer { pixels -> Bool in
        guard let base = pixels.baseAddress else { return false }
        let first = base + start * width
        return codecs_pixel_deflater_begin(deflater, width, UInt32(bytes), UInt32(depth), start > 0 ? first - width : nil) != 0
          && codecs_pixel_deflater_add(deflater, first, width, count) != 0
      }
      let made = codecs_pixel_deflater_finish(deflater, isLast ? 1 : 0)
      guard isCoded, let coded = made.bytes else { return nil }
      stream += UnsafeBufferPointer(start: coded, count: made.length)
      adler = codecs_adler_joined(adler, made.adler, count * rowBytes)
      start += count
    } while start < height
    return stream + stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: adler >> UInt32($0)) }
  }

  /// Whether decoded rows, with their filters undone, equal the image.
  func isDecoded(as rows: [UInt8]) -> Bool {
    [UInt8](unsafeUninitializedCapacity: decodedCount + 3) { buffer, count in
      _ = codecs_pixel_rows_pack(pixels, width, height, UInt32(bytes), 0, buffer.baseAddress)
      count = decodedCount
    } == unfiltered(rows)
  }

  /// https://www.w3.org/TR/png-3/#9Filter-types; nil for other filters, and for rows that are not whole.
  private func unfiltered(_ rows: [UInt8]) -> [UInt8]? {
    guard rows.count == decodedCount else { return nil }
    var rows = rows
    let (rowBytes, bytes) = (rowBytes, bytes)
    let isKnown = rows.withUnsafeMutableBufferPointer { rows in
      for start in stride(from: 0, to: rows.count, by: rowBytes) {
        let filter = rows[start]
        guard filter <= 4 else { return false }
        rows[start] = 0
        guard filter > 0 else { continue }
        for index in start + 1..<start + rowBytes {
          let hasLeft = index > start + bytes, hasAbove = start > 0
          let left = hasLeft ? Int(rows[index - bytes]) : 0, above = hasAbove ? Int(rows[index - rowBytes]) : 0
          let corner = hasLeft && hasAbove ? Int(rows[index - rowBytes - bytes]) : 0
          rows[index] &+= UInt8(Self.prediction(filter, left, above, corner))
        }
      }
      return true
    }
    return isKnown ? rows : nil
  }

  private static func prediction(_ filter: UInt8, _ left: Int, _ above: Int, _ corner: Int) -> Int {
    switch filter {
    case 1: return left
    case 2: return above
    case 3: return (left + above) / 2
    default:
      let estimate = left + above - corner
      let (toLeft, toAbove, toCorner) = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
      return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner
    }
  }
}
