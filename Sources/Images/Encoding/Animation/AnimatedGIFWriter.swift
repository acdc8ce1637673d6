internal import COffprintCodecs
import OffprintCoreTypes

/// Writes an animated GIF. Pixels are opaque or transparent. A frame is the smallest rectangle of changed pixels; those that do not change
/// are transparent where that is smaller. Frames share the palette that saves most, which is known after the last one; others have their own.
///
/// https://www.w3.org/Graphics/GIF/spec-gif89a.txt
struct AnimatedGIFWriter: AnimationWriter {
  private let shape: AnimationShape
  private var palette = GIFPalette()
  private var frames: [GIFFrame] = []
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
    let delay = shape.duration(ticks, unitsPerSecond: 100)
    var frame = try compress(pixels, over: below, rectangle)
    frame.control = GIFFrame.control(delay: delay, disposal: cleared == nil ? 1 : 2)
    frames.append(frame)
    var remaining = bitmap
    if cleared != nil { remaining.clear(rectangle) }
    canvas = remaining
  }

  private mutating func compress(
    _ pixels: [UInt32], over below: [UInt32]?, _ rectangle: PixelRectangle
  ) throws(ImageError) -> GIFFrame {
    let isFree = below.map { below in pixels.indices.map { pixels[$0] == below[$0] ? 1 : 0 } } ?? pixels.map { $0 == 0 ? 1 : 0 } as [UInt8]
    let changed = below == nil ? pixels : pixels.indices.map { isFree[$0] == 1 ? 0 : pixels[$0] }
    let unchanged = below == nil ? [] : pixels.indices.map { isFree[$0] == 1 ? pixels[$0] : 0 }
    let isFirst = canvas == nil
    var best: GIFFrame?
    for colors in try palette.colors(
      for: changed, unchanged: unchanged, rectangle, isFirst: isFirst, isDithered: shape.animation.isDithered)
    {
      let frame = try GIFFrame(pixels, isFree, rectangle, colors)
      if best.map({ frame.size < $0.size }) ?? true { best = frame }
    }
    guard let best else { throw Self.outOfMemory }
    return best
  }

  mutating func finish(_ deadline: Deadline) throws(ImageError) -> [UInt8] {
    var file = Array("GIF89a".utf8)
    file.append(little: shape.width, bytes: 2)
    file.append(little: shape.height, bytes: 2)
    // Frames whose colors are approximated by the shared palette fix it.
    let shared = frames.contains { !$0.isLocal } ? palette.global.list : GIFPalette.shared(by: frames)
    let global = GIFColors(shared)
    file += [0x80 | 0x70 | UInt8(global.bits - 1), 0, 0]
    file += GIFFrame.table(shared, bits: global.bits)
    if shape.animation.plays != 1 {
      // The number of repetitions after the first time; 0 if infinite.
      file += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
      file.append(little: shape.animation.plays.map { $0 - 1 } ?? 0, bytes: 2)
      file.append(0)
    }
    for frame in frames {
      try deadline.checkEncoding()
      file += try frame.bytes(global)
    }
    return file + [0x3b]
  }
}
