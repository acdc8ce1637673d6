internal import COffprintCodecs
import OffprintCoreTypes

/// Writes an animated GIF. Pixels are opaque or transparent. A frame is the smallest rectangle of changed pixels; those that do not change
/// are transparent where that is smaller. Frames share one palette as long as it has space for all of their colors, or represents them well;
/// others have their own.
///
/// https://www.w3.org/Graphics/GIF/spec-gif89a.txt
struct AnimatedGIFWriter: AnimationWriter {
  private let shape: AnimationShape
  private var palette = GIFPalette()
  private var body: [UInt8] = []
  /// The image below the next frame; nil before the first one.
  private var canvas: Bitmap?

  init(_ shape: AnimationShape) { self.shape = shape }

  func prepared(_ bitmap: Bitmap) throws(ImageError) -> Bitmap {
    if !shape.hasAlpha { return bitmap }
    guard var result = Bitmap(width: bitmap.width, height: bitmap.height) else { throw Self.outOfMemory }
    result.withUnsafeMutablePixels { out in
      bitmap.withUnsafePixels { codecs_gif_threshold($0.baseAddress, $0.count, out.baseAddress) }
    }
    return result
  }

  mutating func add(_ bitmap: Bitmap, next: Bitmap?, ticks: Range<Int>, _ deadline: Deadline) throws(ImageError) {
    try deadline.checkEncoding()
    var rectangle = PixelRectangle(bitmap)
    if let canvas, let changed = bitmap.difference(from: canvas) { rectangle = changed }
    // A frame cannot make pixels transparent: only the disposal of the one before can.
    let cleared = next.flatMap { $0.difference(from: bitmap, isCleared: true) }
    if let cleared { rectangle = rectangle.union(cleared) }
    let pixels = bitmap.pixels(in: rectangle)
    let below = canvas?.pixels(in: rectangle)
    writeControl(delay: shape.duration(ticks, unitsPerSecond: 100), disposal: cleared == nil ? 1 : 2)
    try write(pixels, over: below, rectangle)
    var remaining = bitmap
    if cleared != nil { remaining.clear(rectangle) }
    canvas = remaining
  }

  private mutating func writeControl(delay: Int, disposal: UInt8) {
    body += [0x21, 0xf9, 4, disposal << 2 | 1]
    body.append(little: min(delay, 65_535), bytes: 2)
    // The transparent index, and the end of the block.
    body += [0, 0]
  }

  private mutating func write(_ pixels: [UInt32], over below: [UInt32]?, _ rectangle: PixelRectangle) throws(ImageError) {
    let isFree = below.map { below in pixels.indices.map { pixels[$0] == below[$0] ? 1 : 0 } } ?? pixels.map { $0 == 0 ? 1 : 0 } as [UInt8]
    let changed = below == nil ? pixels : pixels.indices.map { isFree[$0] == 1 ? 0 : pixels[$0] }
    let isFirst = canvas == nil
    var best: [UInt8] = []
    for colors in try palette.colors(for: changed, rectangle, isFirst: isFirst, isDithered: shape.animation.isDithered) {
      let image = try image(pixels, isFree, rectangle, colors)
      if best.isEmpty || image.count < best.count { best = image }
    }
    body += best
  }

  /// The blocks of an image.
  private func image(
    _ pixels: [UInt32], _ isFree: [UInt8], _ rectangle: PixelRectangle, _ colors: GIFColors
  ) throws(ImageError) -> [UInt8] {
    var image: [UInt8] = [0x2c]
    var indexes = colors.indexes
    // Pixels that do not change have a color as well, if the palette has it.
    for index in pixels.indices where isFree[index] == 1 && pixels[index] != 0 { indexes[index] = colors.index(of: pixels[index]) }
    for value in [rectangle.left, rectangle.top, rectangle.width, rectangle.height] { image.append(little: value, bytes: 2) }
    if colors.isLocal {
      image.append(0x80 | UInt8(colors.bits - 1))
      image += colors.table(colors.bits)
    } else {
      image.append(0)
    }
    return try image + compress(indexes, isFree, bits: max(2, colors.bits))
  }

  /// The smallest of the ways to write pixels that do not change.
  private func compress(_ indexes: [UInt8], _ isFree: [UInt8], bits: Int) throws(ImageError) -> [UInt8] {
    let ways = isFree.contains(1) ? [CODECS_GIF_TRANSPARENT, CODECS_GIF_EITHER, CODECS_GIF_LONGEST, CODECS_GIF_COLOR] : [CODECS_GIF_COLOR]
    var best: [UInt8] = []
    for use in ways {
      let capacity = indexes.count * 2 + indexes.count / 64 + 64
      let made = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = codecs_gif_compress(indexes, isFree, indexes.count, use, UInt32(bits), buffer.baseAddress, capacity)
      }
      if !made.isEmpty, best.isEmpty || made.count < best.count { best = made }
    }
    if best.isEmpty { throw Self.outOfMemory }
    return best
  }

  mutating func finish(_ deadline: Deadline) throws(ImageError) -> [UInt8] {
    var file = Array("GIF89a".utf8)
    file.append(little: shape.width, bytes: 2)
    file.append(little: shape.height, bytes: 2)
    let global = palette.global, bits = global.bits
    file += [0x80 | 0x70 | UInt8(bits - 1), 0, 0]
    file += global.table(bits)
    if shape.animation.plays != 1 {
      // The number of repetitions after the first time; 0 if infinite.
      file += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
      file.append(little: shape.animation.plays.map { $0 - 1 } ?? 0, bytes: 2)
      file.append(0)
    }
    return file + body + [0x3b]
  }
}
