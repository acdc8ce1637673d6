public import OffprintCoreTypes
internal import COffprintCodecs

/// An image embedded in a page.
public struct DecodedImage: Sendable {
  public enum Content: Sendable {
    case bitmap(Bitmap)
    case vector(VectorImage)
  }

  public var content: Content
  public var format: ImageFormat
  /// In CSS px; nil if an SVG does not specify it.
  public var intrinsicWidth: Double?
  public var intrinsicHeight: Double?
  /// Width divided by height; nil without a natural aspect ratio.
  public var ratio: Double?
  /// Whether the data was truncated or damaged: the decodable part is present, and the rest is transparent.
  public var isPartial = false
  /// The EXIF orientation that was applied to the stored pixels, 1 to 8.
  public var orientation = 1

  /// The image with `density` of its pixels per CSS px. https://drafts.csswg.org/css-images-3/#natural-resolution
  public func withDensity(_ density: Double) -> DecodedImage {
    guard density != 1, density > 0 else { return self }
    var result = self
    result.intrinsicWidth = intrinsicWidth.map { $0 / density }
    result.intrinsicHeight = intrinsicHeight.map { $0 / density }
    return result
  }

  /// The image without its EXIF orientation, for `image-orientation: none`. https://drafts.csswg.org/css-images-3/#the-image-orientation
  ///
  /// - Parameter budget: The copy counts toward this budget.
  public func unoriented(_ budget: inout DecodingBudget) -> DecodedImage {
    guard orientation != 1, case .bitmap(let bitmap) = content else { return self }
    var result = self
    // Orientations 6 and 8 are inverse rotations; the others are their own inverse.
    result.content = .bitmap(budget.keep(bitmap.oriented(orientation == 6 ? 8 : orientation == 8 ? 6 : orientation)))
    result.orientation = 1
    if orientation >= 5 {
      (result.intrinsicWidth, result.intrinsicHeight) = (intrinsicHeight, intrinsicWidth)
      result.ratio = ratio.flatMap { $0 > 0 ? 1 / $0 : nil }
    }
    return result
  }

  /// The pixels: an SVG is rendered at the given size; other images keep their stored size, because painting scales them.
  public func bitmap(
    width: Int, height: Int, limits: Limits = Limits(), deadline: Deadline = .never
  ) throws(ImageError) -> Bitmap {
    switch content {
    case .bitmap(let bitmap): return bitmap
    case .vector(let image): return try image.bitmap(width: width, height: height, limits: limits, deadline: deadline)
    }
  }
}

extension DecodedImage {
  /// A nested document in a frame, which is as large as its box.
  public init(document: VectorImage) { self.init(content: .vector(document), format: .svg) }
}

/// Decodes images, within limits.
public enum ImageDecoder {
  /// - Throws: `ImageError`. An image that is damaged after its beginning is not an error but `isPartial`: Chromium shows the part that it
  ///   can decode.
  public static func decode(_ bytes: [UInt8], limits: Limits = Limits()) throws(ImageError) -> DecodedImage {
    var budget = DecodingBudget(limits: limits)
    return try decode(bytes, within: &budget)
  }

  /// Decodes one of the images that share a budget.
  ///
  /// - Throws: `ImageError`, `timedOut` after the budget's deadline.
  /// - Parameter shown: The estimated size it is painted at, in device pixels. A JPEG may be decoded at a half, a quarter or an eighth of
  ///   its size, if that is not smaller than this size; its `whole` is then used if it is painted larger.
  public static func decode(
    _ bytes: [UInt8], within budget: inout DecodingBudget, shown: (width: Double, height: Double)? = nil
  ) throws(ImageError) -> DecodedImage {
    let reduced = try FullResolutionJPEG.probe(bytes, drawnAt: shown)
    let halvings = reduced?.halvings ?? 0
    let animated = budget.time == .start ? nil : ImageFormat.sniffRaster(bytes)?.animatedFile(bytes)
    let frame = animated?.animation.index(at: budget.time) ?? 0
    let key = DecodedImageCache.Key(bytes: bytes, decodedPixels: budget.limits.decodedPixels, halvings: halvings, frame: frame)
    if let cached = budget.cache?.entry(key) {
      return decodedImage(budget.keep(cached.bitmap, wholeOf: bytes, halvings), cached.probe, isPartial: false)
    }
    let probe: ImageProbe
    if let reduced { probe = reduced.probe } else { probe = try ImageProbe(bytes) }
    if probe.format == .svg {
      return DecodedImage(
        content: .vector(VectorImage(bytes)), format: .svg, intrinsicWidth: probe.width,
        intrinsicHeight: probe.height, ratio: probe.ratio)
    }
    let task = DecodingTask(limits: budget.limits, deadline: budget.deadline)
    var (bitmap, status) = try pixels(bytes, probe, halvings, frame, of: animated, task)
    if let profile = ColorProfile(bytes, probe.format) { try profile.apply(to: &bitmap, task) }
    let turned = bitmap.oriented(probe.orientation)
    if status == .complete { budget.cache?.keep(turned, probe, for: key) }
    return decodedImage(budget.keep(turned, wholeOf: bytes, halvings), probe, isPartial: status == .partial)
  }

  /// - Parameter frame: 0 is the image shown by programs without support for animations.
  private static func pixels(
    _ bytes: [UInt8], _ probe: ImageProbe, _ halvings: Int, _ frame: Int, of file: (any AnimatedImageFile)?, _ task: DecodingTask
  ) throws(ImageError) -> (Bitmap, Status) {
    if frame > 0, let file { return try task.frame(frame, of: file, probe) }
    return try task.pixels(bytes, probe, halvings: halvings)
  }

  private static func decodedImage(_ bitmap: Bitmap, _ probe: ImageProbe, isPartial: Bool) -> DecodedImage {
    DecodedImage(
      content: .bitmap(bitmap), format: probe.format, intrinsicWidth: probe.width, intrinsicHeight: probe.height, ratio: probe.ratio,
      isPartial: isPartial, orientation: probe.orientation)
  }

  /// How long an animated image takes; zero for others.
  public static func animationLengths(of bytes: [UInt8]) -> AnimationLengths {
    ImageFormat.sniffRaster(bytes)?.animatedFile(bytes)?.animation.lengths ?? AnimationLengths()
  }

  enum Status { case complete, partial }

  static func damaged(_ format: ImageFormat) -> ImageError {
    ImageError(.imageDamaged, "The \(format.rawValue.uppercased()) image is damaged and cannot be decoded.")
  }
}
