public import OffprintCoreTypes

/// Encodes frames of the same size as an animated image, one after the other: memory holds a few frames, however many there are. A frame that
/// equals the one before lengthens it; of others, only what changes is encoded, if the format supports it. The same frames give the same
/// bytes.
public struct AnimationEncoder {
  private var writer: any AnimationWriter
  /// The frame that is encoded once the next one is known.
  private var shown: Bitmap?
  /// The position of `shown`, and of the next frame.
  private var start = 0
  private var end = 0

  /// - Parameters:
  ///   - hasAlpha: Whether frames can have transparent pixels.
  ///   - scale: Device px per CSS px, for formats that record a resolution.
  ///   - workspace: Memory reused from earlier encoders.
  /// - Throws: `imageTooLarge` for a size that the format does not support, `formatUnavailable` without its library.
  public init(
    width: Int, height: Int, hasAlpha: Bool, encoding: ImageEncoding, scale: Double = 1, workspace: PNGWorkspace = PNGWorkspace()
  ) throws(ImageError) {
    let maximum = encoding.format.maximumSide ?? Int(Int32.max)
    guard width > 0, height > 0, max(width, height) <= maximum else {
      throw ImageError(
        .imageTooLarge,
        "A \(encoding.format.rawValue) image can have at most \(maximum) px a side; this one would be \(width) × \(height).")
    }
    let shape = AnimationShape(
      width: width, height: height, hasAlpha: hasAlpha, encoding: encoding, animation: encoding.animation ?? AnimationEncoding())
    writer =
      switch encoding.format {
      case .gif: AnimatedGIFWriter(shape)
      case .webp: AnimatedWebPWriter(shape)
      case .avif: try AnimatedAVIFWriter(shape, workspace.threads)
      default: AnimatedPNGWriter(shape, scale: scale, workspace)
      }
  }

  /// Sets the image that programs without animations show, before the first frame; only for `apng`.
  public mutating func addPoster(_ bitmap: Bitmap, deadline: Deadline) throws(ImageError) { try writer.addPoster(bitmap, deadline) }

  /// Adds a frame.
  public mutating func add(_ bitmap: Bitmap, deadline: Deadline) throws(ImageError) {
    let bitmap = try writer.prepared(bitmap)
    if let shown {
      if shown == bitmap { return addUnchanged() }
      try writer.add(shown, next: bitmap, ticks: start..<end, deadline)
    }
    (shown, start) = (bitmap, end)
    end += 1
  }

  /// Adds a frame that equals the one before.
  public mutating func addUnchanged() { end += 1 }

  /// Completes the file.
  public mutating func finish(deadline: Deadline) throws(ImageError) -> [UInt8] {
    if let shown { try writer.add(shown, next: nil, ticks: start..<end, deadline) }
    shown = nil
    return try writer.finish(deadline)
  }
}

/// The properties of an animated image that are known before its first frame.
struct AnimationShape {
  var width: Int
  var height: Int
  var hasAlpha: Bool
  var encoding: ImageEncoding
  var animation: AnimationEncoding

  /// The duration of frames in units of a part of a second. Rounding errors do not add up.
  func duration(_ ticks: Range<Int>, unitsPerSecond: Int) -> Int {
    func units(_ tick: Int) -> Int { (tick * unitsPerSecond * 2 + animation.framesPerSecond) / (animation.framesPerSecond * 2) }
    return units(ticks.upperBound) - units(ticks.lowerBound)
  }
}

/// Writes a file with several frames.
protocol AnimationWriter {
  /// The frame as the format can show it.
  func prepared(_ bitmap: Bitmap) throws(ImageError) -> Bitmap
  mutating func addPoster(_ bitmap: Bitmap, _ deadline: Deadline) throws(ImageError)
  /// - Parameters:
  ///   - next: The frame after this one, which differs; nil if it is the last.
  ///   - ticks: When it is shown, in frames.
  mutating func add(_ bitmap: Bitmap, next: Bitmap?, ticks: Range<Int>, _ deadline: Deadline) throws(ImageError)
  mutating func finish(_ deadline: Deadline) throws(ImageError) -> [UInt8]
}

extension AnimationWriter {
  func prepared(_ bitmap: Bitmap) throws(ImageError) -> Bitmap { bitmap }
  mutating func addPoster(_ bitmap: Bitmap, _ deadline: Deadline) throws(ImageError) {}

  static var outOfMemory: ImageError { ImageError(.imageTooLarge, "There is not enough memory to encode the animation.") }
}

extension Deadline {
  func checkEncoding() throws(ImageError) {
    if hasPassed { throw ImageError(.timedOut, "Encoding the image exceeded the time limit.") }
  }
}
