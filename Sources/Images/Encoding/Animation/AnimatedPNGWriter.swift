import OffprintCoreTypes

/// Writes an animated PNG: RGB, or RGBA if the image can be transparent. A frame replaces the smallest rectangle of changed pixels.
///
/// https://www.w3.org/TR/png-3/#apng-frame-based-animation
struct AnimatedPNGWriter: AnimationWriter {
  private let shape: AnimationShape
  private let workspace: PNGWorkspace
  private var file = PNGFile(capacity: 4096)
  private let controlOffset: Int
  private var canvas: Bitmap?
  private var frameCount: UInt32 = 0
  private var sequence: UInt32 = 0
  private var hasPoster = false

  init(_ shape: AnimationShape, scale: Double, _ workspace: PNGWorkspace) {
    self.shape = shape
    self.workspace = workspace
    file.chunk("IHDR") {
      $0.word(UInt32(clamping: shape.width)); $0.word(UInt32(clamping: shape.height)); $0.bytes += [8, shape.hasAlpha ? 6 : 2, 0, 0, 0]
    }
    file.colorSpace(nil)
    file.resolution(scale)
    controlOffset = file.bytes.count
    file.chunk("acTL") {
      $0.word(0); $0.word(0)
    }
  }

  mutating func addPoster(_ bitmap: Bitmap, _ deadline: Deadline) throws(ImageError) {
    let data = try compress(bitmap, PixelRectangle(bitmap), deadline)
    file.chunk("IDAT") { $0.bytes += data }
    hasPoster = true
  }

  mutating func add(_ bitmap: Bitmap, next: Bitmap?, ticks: Range<Int>, _ deadline: Deadline) throws(ImageError) {
    try deadline.checkEncoding()
    let changed = canvas.map { bitmap.difference(from: $0) } ?? nil
    let rectangle = changed ?? PixelRectangle(bitmap)
    let data = try compress(bitmap, rectangle, deadline)
    canvas = bitmap
    writeControl(rectangle, ticks: ticks.count)
    if frameCount == 0, !hasPoster {
      file.chunk("IDAT") { $0.bytes += data }
    } else {
      let number = nextSequence()
      file.chunk("fdAT") {
        $0.word(number); $0.bytes += data
      }
    }
    frameCount += 1
  }

  private mutating func writeControl(_ rectangle: PixelRectangle, ticks: Int) {
    let number = nextSequence(), rate = shape.animation.framesPerSecond
    file.chunk("fcTL") { file in
      file.word(number)
      for value in [rectangle.width, rectangle.height, rectangle.left, rectangle.top] { file.word(UInt32(clamping: value)) }
      for value in [min(ticks, 65_535), rate] { file.bytes += [UInt8(value >> 8 & 255), UInt8(value & 255)] }
      // The area remains, and the next frame replaces its rectangle.
      file.bytes += [0, 0]
    }
  }

  private mutating func nextSequence() -> UInt32 {
    defer { sequence += 1 }
    return sequence
  }

  mutating func finish(_ deadline: Deadline) throws(ImageError) -> [UInt8] {
    var control = PNGFile(capacity: 0)
    control.bytes = []
    control.chunk("acTL") {
      $0.word(frameCount); $0.word(UInt32(clamping: shape.animation.plays ?? 0))
    }
    file.bytes.replaceSubrange(controlOffset..<controlOffset + control.bytes.count, with: control.bytes)
    file.chunk("IEND") { _ in }
    return file.bytes
  }

  private func compress(_ bitmap: Bitmap, _ rectangle: PixelRectangle, _ deadline: Deadline) throws(ImageError) -> [UInt8] {
    let pixels = bitmap.pixels(in: rectangle)
    var result: [UInt8]?, problem: ImageError?
    pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      let stream = PNGStream(pixels: base, width: rectangle.width, height: rectangle.height, workspace: workspace, deadline: deadline)
      do throws(ImageError) {
        guard let data = try stream.colors(shape.hasAlpha ? 4 : 3, shape.encoding.compression) else { return }
        withExtendedLifetime(data) { result = Array(UnsafeBufferPointer(start: data.base, count: data.length)) }
      } catch { problem = error }
    }
    if let problem { throw problem }
    guard let result else { throw Self.outOfMemory }
    return result
  }
}
