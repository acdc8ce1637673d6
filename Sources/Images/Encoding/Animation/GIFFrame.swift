internal import COffprintCodecs
import OffprintCoreTypes

/// A compressed frame of a GIF, with its palette.
struct GIFFrame {
  /// The graphic control extension.
  var control: [UInt8] = []
  private let rectangle: PixelRectangle
  /// The colors of a frame with a local palette, from index 1; 0 for unused indexes.
  private let table: [UInt32]
  let isLocal: Bool
  /// The bits of an index in its own palette.
  private let bits: Int
  /// The minimum code size, LZW codes in blocks, and a terminator.
  private let data: [UInt8]

  /// Compresses pixels.
  /// - Parameter isFree: 1 for each pixel that may be transparent.
  init(_ pixels: [UInt32], _ isFree: [UInt8], _ rectangle: PixelRectangle, _ colors: GIFColors) throws(ImageError) {
    var indexes = colors.indexes
    // Pixels that do not change have a color as well, if the palette has it.
    for index in pixels.indices where isFree[index] == 1 && pixels[index] != 0 { indexes[index] = colors.index(of: pixels[index]) }
    self.rectangle = rectangle
    (isLocal, bits) = (colors.isLocal, colors.bits)
    let ways = isFree.contains(1) ? [CODECS_GIF_TRANSPARENT, CODECS_GIF_EITHER, CODECS_GIF_LONGEST, CODECS_GIF_COLOR] : [CODECS_GIF_COLOR]
    data = try Self.compress(indexes, isFree, bits: max(2, bits), ways)
    if isLocal {
      let written = Set(Self.decompress(data, count: indexes.count))
      table = colors.list.enumerated().map { written.contains(UInt8(truncatingIfNeeded: $0 + 1)) ? $1 : 0 }
    } else {
      table = []
    }
  }

  /// The colors of its own palette that pixels have.
  var colors: [UInt32] { table.filter { $0 != 0 } }

  /// The size of its own palette and of its pixels.
  var size: Int { tableSize + data.count }
  /// The size of its own palette.
  var tableSize: Int { isLocal ? 3 << bits : 0 }

  static func control(delay: Int, disposal: UInt8) -> [UInt8] {
    var control: [UInt8] = [0x21, 0xf9, 4, disposal << 2 | 1]
    control.append(little: min(delay, 65_535), bytes: 2)
    // The transparent index, and the end of the block.
    return control + [0, 0]
  }

  /// A color table with 2 to the power of `bits` colors, of which the first one is transparent.
  static func table(_ colors: [UInt32], bits: Int) -> [UInt8] {
    var table: [UInt8] = [0, 0, 0]
    for color in colors { table += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)] }
    return table + Array(repeating: 0, count: max(0, (3 << bits) - table.count))
  }

  /// The smallest of the ways to write pixels that may be transparent.
  private static func compress(
    _ indexes: [UInt8], _ isFree: [UInt8], bits: Int, _ ways: [codecs_gif_transparency]
  ) throws(ImageError) -> [UInt8] {
    var best: [UInt8] = []
    for way in ways {
      let capacity = indexes.count * 2 + indexes.count / 64 + 64
      let made = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = codecs_gif_compress(indexes, isFree, indexes.count, way, UInt32(bits), buffer.baseAddress, capacity)
      }
      if !made.isEmpty, best.isEmpty || made.count < best.count { best = made }
    }
    if best.isEmpty { throw AnimatedGIFWriter.outOfMemory }
    return best
  }

  private static func decompress(_ data: [UInt8], count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = codecs_gif_decompress(data, data.count, buffer.baseAddress, count)
    }
  }

  /// The blocks of the frame, without its own palette if that is smaller.
  func bytes(_ global: GIFColors) throws(ImageError) -> [UInt8] {
    var image: [UInt8] = [0x2c]
    for value in [rectangle.left, rectangle.top, rectangle.width, rectangle.height] { image.append(little: value, bytes: 2) }
    if let shared = isLocal ? try dataSharing(global) : nil, shared.count < size { return control + image + [0] + shared }
    if !isLocal { return control + image + [0] + data }
    return control + image + [0x80 | UInt8(bits - 1)] + Self.table(table, bits: bits) + data
  }

  /// Its pixels with the indexes of another palette; nil if that has not all of its colors.
  private func dataSharing(_ global: GIFColors) throws(ImageError) -> [UInt8]? {
    let map = [0] + table.map { $0 == 0 ? 0 : global.index(of: $0) }
    if zip(table, map.dropFirst()).contains(where: { $0 != 0 && $1 == 0 }) { return nil }
    let count = rectangle.width * rectangle.height
    var indexes = Self.decompress(data, count: count)
    guard indexes.count == count else { return nil }
    for index in indexes.indices { indexes[index] = map[min(Int(indexes[index]), map.count - 1)] }
    let bits = GIFColors.bits(of: Int(map.max() ?? 0))
    return try Self.compress(indexes, [UInt8](repeating: 0, count: count), bits: max(2, bits), [CODECS_GIF_COLOR])
  }
}
