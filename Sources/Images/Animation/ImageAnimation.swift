import OffprintCoreTypes

/// The frames of an animated image, and when each is shown.
struct ImageAnimation: Equatable {
  /// The area of a frame after it was shown.
  enum Disposal { case keep, background, previous }

  struct Frame: Equatable {
    /// The rectangle that the frame changes.
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// In seconds.
    var duration: Double
    var disposal = Disposal.keep
    /// Whether it is composited with the area below instead of replacing it.
    var blends = false
  }

  /// The maximum number of frames that are read from a file.
  static let maximumFrames = 20_000

  var frames: [Frame]
  /// Nil if it repeats forever.
  var plays: Int?

  /// Chromium shows frames of 10 ms or less for 100 ms: such files were made for programs that could not draw faster.
  /// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/platform/graphics/deferred_image_decoder.cc
  private static func shownDuration(_ duration: Double) -> Double { duration < 0.0105 ? 0.1 : duration }

  var lengths: AnimationLengths {
    var lengths = AnimationLengths()
    let once = frames.reduce(0) { $0 + Self.shownDuration($1.duration) }
    if let plays { lengths.add(finite: once * Double(max(plays, 1))) } else { lengths.add(period: once) }
    return lengths
  }

  /// The frame at a time after the first one was shown.
  func index(at time: AnimationTime) -> Int {
    guard !frames.isEmpty else { return 0 }
    guard case .seconds(let seconds) = time else { return plays == nil ? 0 : frames.count - 1 }
    let total = frames.reduce(0) { $0 + Self.shownDuration($1.duration) }
    if let plays, seconds >= total * Double(max(plays, 1)) - 1e-9 { return frames.count - 1 }
    // The tolerance is for sums of decimal fractions.
    var rest = (seconds + 1e-9).truncatingRemainder(dividingBy: total)
    for (index, frame) in frames.enumerated() {
      let duration = Self.shownDuration(frame.duration)
      if rest < duration { return index }
      rest -= duration
    }
    return frames.count - 1
  }

  /// The first frame that has to be decoded for the one at `index` on a canvas of this size.
  func firstNeeded(for index: Int, width: Int, height: Int) -> Int {
    func covers(_ frame: Frame) -> Bool { frame.x == 0 && frame.y == 0 && frame.width >= width && frame.height >= height }
    var first = min(index, frames.count - 1)
    while first > 0 {
      if covers(frames[first]), !frames[first].blends { break }
      if covers(frames[first - 1]), frames[first - 1].disposal == .background { break }
      first -= 1
    }
    return max(first, 0)
  }
}

/// A file with several frames.
protocol AnimatedImageFile {
  var animation: ImageAnimation { get }
  /// Decodes a frame into an image of its rectangle's size; nil if nothing could be decoded.
  func decode(_ index: Int, into bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status?
}

extension ImageFormat {
  /// The frames of a file of this format; nil if it has only one.
  func animatedFile(_ bytes: [UInt8]) -> (any AnimatedImageFile)? {
    let file: (any AnimatedImageFile)? =
      switch self {
      case .gif: AnimatedGIF(bytes)
      case .webp: AnimatedWebP(bytes)
      case .png: AnimatedPNG(bytes)
      case .avif: AnimatedAVIF(bytes)
      case .jpeg, .bmp, .ico, .svg: nil
      }
    return file.flatMap { $0.animation.frames.count > 1 ? $0 : nil }
  }
}

extension DecodingTask {
  /// The canvas when the frame at `index` is shown.
  func frame(_ index: Int, of file: any AnimatedImageFile, _ probe: ImageProbe) throws(ImageError) -> (Bitmap, ImageDecoder.Status) {
    let animation = file.animation
    guard animation.frames.indices.contains(index) else { throw ImageDecoder.damaged(probe.format) }
    var canvas = try allocate(probe.pixelWidth, probe.pixelHeight), status = ImageDecoder.Status.complete
    for number in animation.firstNeeded(for: index, width: canvas.width, height: canvas.height)...index {
      try check()
      let frame = animation.frames[number], isLast = number == index
      // Nothing of such a frame remains.
      if !isLast, frame.disposal == .previous { continue }
      var patch = try allocate(frame.width, frame.height)
      guard let decoded = try file.decode(number, into: &patch, self) else {
        if number == 0 { throw ImageDecoder.damaged(probe.format) }
        status = .partial
        break
      }
      if decoded == .partial { status = .partial }
      if frame.blends { canvas.blend(patch, toX: frame.x, y: frame.y) } else { canvas.copy(patch, toX: frame.x, y: frame.y) }
      if !isLast, frame.disposal == .background { canvas.clear(x: frame.x, y: frame.y, width: frame.width, height: frame.height) }
    }
    return (canvas, status)
  }
}

extension Bitmap {
  /// Composites another image over this one, clipped to it.
  fileprivate mutating func blend(_ other: Bitmap, toX left: Int, y top: Int) {
    let size = (width: width, height: height)
    guard left >= 0, top >= 0, left < size.width, top < size.height else { return }
    withUnsafeMutablePixels { out in
      other.withUnsafePixels { source in
        for y in 0..<min(other.height, size.height - top) {
          for x in 0..<min(other.width, size.width - left) {
            let place = (y + top) * size.width + x + left
            out[place] = PixelMath.over(source[y * other.width + x], out[place])
          }
        }
      }
    }
  }

  fileprivate mutating func clear(x left: Int, y top: Int, width: Int, height: Int) {
    let size = (width: self.width, height: self.height)
    guard left >= 0, top >= 0, left < size.width, top < size.height else { return }
    withUnsafeMutablePixels { out in
      for y in top..<min(size.height, top + height) {
        for x in left..<min(size.width, left + width) { out[y * size.width + x] = 0 }
      }
    }
  }
}

extension PixelMath {
  /// Source-over of premultiplied pixels.
  static func over(_ source: UInt32, _ below: UInt32) -> UInt32 {
    let alpha = source >> 24
    if alpha == 255 || below == 0 { return source }
    if alpha == 0 { return below }
    var result: UInt32 = 0
    for shift in stride(from: UInt32(0), through: 24, by: 8) {
      result |= min(255, (source >> shift & 255) + multiply(below >> shift & 255, 255 - alpha)) << shift
    }
    return result
  }
}
