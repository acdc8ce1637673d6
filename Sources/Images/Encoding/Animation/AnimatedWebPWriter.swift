internal import COffprintCodecs
import OffprintCoreTypes

/// Writes an animated WebP file: a frame replaces the smallest rectangle of changed pixels, or is composited over it with transparent pixels
/// where nothing changes, whichever is smaller. In lossy files, frames of few colors are lossless as well: they are smaller then.
///
/// https://developers.google.com/speed/webp/docs/riff_container#animation
struct AnimatedWebPWriter: AnimationWriter {
  private let shape: AnimationShape
  private var frames: [UInt8] = []
  private var canvas: Bitmap?
  /// Whether the pixels that are shown are those of `canvas`.
  private var isExact = true
  private var hasTransparency: Bool

  init(_ shape: AnimationShape) {
    self.shape = shape
    hasTransparency = shape.hasAlpha || shape.encoding.isLossless
  }

  private static let doesNotBlend: UInt8 = 2
  private static let isAnimated: UInt8 = 0x02, hasAlpha: UInt8 = 0x10
  /// How far errors of lossy compression extend beyond what changed: a macroblock, and the loop filter at its edge.
  ///
  /// https://www.rfc-editor.org/rfc/rfc6386#section-15
  private static let errorReach = 18

  mutating func add(_ bitmap: Bitmap, next: Bitmap?, ticks: Range<Int>, _ deadline: Deadline) throws(ImageError) {
    let rectangle = changedRectangle(bitmap)
    let pixels = bitmap.pixels(in: rectangle)
    let isLossless = shape.encoding.isLossless || GIFColors.fit(pixels)
    var data = try encode(pixels, rectangle, isLossless: isLossless, deadline), flags = Self.doesNotBlend
    if let canvas, isLossless, isExact, let sparse = Self.sparse(pixels, canvas.pixels(in: rectangle)) {
      let other = try encode(sparse, rectangle, isLossless: true, deadline)
      if other.count < data.count { (data, flags, hasTransparency) = (other, 0, true) }
    }
    canvas = bitmap
    isExact = isExact && isLossless
    write(data, rectangle, milliseconds: shape.duration(ticks, unitsPerSecond: 1000), flags)
  }

  /// The whole image for the first frame.
  private func changedRectangle(_ bitmap: Bitmap) -> PixelRectangle {
    guard let canvas, var changed = bitmap.difference(from: canvas) else { return PixelRectangle(bitmap) }
    // Otherwise traces of what was there before remain around it.
    if !isExact { changed = changed.expanded(by: Self.errorReach, within: PixelRectangle(bitmap)) }
    // Offsets are stored as halves.
    return changed.even
  }

  /// The pixels with transparent ones where nothing changes; nil if that does not give the same image, or would not be smaller.
  private static func sparse(_ pixels: [UInt32], _ below: [UInt32]) -> [UInt32]? {
    var result = pixels, unchanged = 0
    for index in pixels.indices {
      if pixels[index] == below[index] {
        result[index] = 0
        unchanged += 1
      } else if pixels[index] >> 24 < 255 {
        return nil
      }
    }
    return unchanged > pixels.count / 8 ? result : nil
  }

  /// The chunks of a still image.
  private func encode(
    _ pixels: [UInt32], _ rectangle: PixelRectangle, isLossless: Bool, _ deadline: Deadline
  ) throws(ImageError) -> [UInt8] {
    let quality = Int32(min(max(shape.encoding.quality ?? ImageEncoding.standardQuality, 0), 100))
    let encoder = codecs_webp_begin(
      UInt32(rectangle.width), UInt32(rectangle.height), quality, isLossless ? 1 : 0)
    guard let encoder else { throw Self.outOfMemory }
    defer { codecs_webp_discard(encoder) }
    codecs_webp_append(encoder, pixels, UInt32(rectangle.height))
    var bytes: UnsafePointer<UInt8>?
    var size = 0
    let status = deadline.withStop { codecs_webp_finish(encoder, $0, &bytes, &size) }
    if status == CODECS_STOPPED { throw ImageError(.timedOut, "Encoding the image exceeded the time limit.") }
    guard status == CODECS_COMPLETE, size > 30 else { throw Self.outOfMemory }
    let file = UnsafeBufferPointer(start: bytes, count: size)
    let isExtended = file[12..<16].elementsEqual("VP8X".utf8)
    return Array(file[(isExtended ? 30 : 12)...])
  }

  private mutating func write(_ data: [UInt8], _ rectangle: PixelRectangle, milliseconds: Int, _ flags: UInt8) {
    frames += Array("ANMF".utf8)
    frames.append(little: data.count + 16, bytes: 4)
    let values = [rectangle.left / 2, rectangle.top / 2, rectangle.width - 1, rectangle.height - 1, min(milliseconds, 0xffffff)]
    for value in values { frames.append(little: value, bytes: 3) }
    frames.append(flags)
    frames += data
  }

  mutating func finish(_ deadline: Deadline) throws(ImageError) -> [UInt8] {
    var body = Array("WEBPVP8X".utf8)
    body.append(little: 10, bytes: 4)
    body += [Self.isAnimated | (hasTransparency ? Self.hasAlpha : 0), 0, 0, 0]
    body.append(little: shape.width - 1, bytes: 3)
    body.append(little: shape.height - 1, bytes: 3)
    body += Array("ANIM".utf8)
    body.append(little: 6, bytes: 4)
    // The background is transparent.
    body.append(little: 0, bytes: 4)
    body.append(little: shape.animation.plays ?? 0, bytes: 2)
    guard body.count + frames.count < Int(Int32.max) else { throw Self.outOfMemory }
    var file = Array("RIFF".utf8)
    file.append(little: body.count + frames.count, bytes: 4)
    return file + body + frames
  }
}
