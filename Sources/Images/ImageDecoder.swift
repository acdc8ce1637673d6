public import OffprintCoreTypes
internal import COffprintCodecs

/// A picture a page embeds.
public struct DecodedImage: Sendable {
  public enum Content: Sendable {
    case bitmap(Bitmap)
    case vector(VectorImage)
  }

  public var content: Content
  public var format: ImageFormat
  /// CSS px; nil where an SVG does not say.
  public var intrinsicWidth: Double?
  public var intrinsicHeight: Double?
  /// Width by height; nil where there is none.
  public var ratio: Double?
  /// The data ended or went bad before the picture did: what could be decoded is there, the rest is transparent.
  public var isPartial = false
  /// How the stored pixels were turned: an EXIF orientation, 1…8.
  public var orientation = 1

  /// The picture where `density` of its pixels are a CSS px. https://drafts.csswg.org/css-images-3/#natural-resolution
  public func withDensity(_ density: Double) -> DecodedImage {
    guard density != 1, density > 0 else { return self }
    var result = self
    result.intrinsicWidth = intrinsicWidth.map { $0 / density }
    result.intrinsicHeight = intrinsicHeight.map { $0 / density }
    return result
  }

  /// The picture as it is stored: `image-orientation: none`. https://drafts.csswg.org/css-images-3/#the-image-orientation
  ///
  /// - Parameter budget: takes the copy into account.
  public func unoriented(_ budget: inout DecodingBudget) -> DecodedImage {
    guard orientation != 1, case .bitmap(let bitmap) = content else { return self }
    var result = self
    // Six and eight are turns that undo each other; the rest undo themselves.
    result.content = .bitmap(budget.keep(bitmap.oriented(orientation == 6 ? 8 : orientation == 8 ? 6 : orientation)))
    result.orientation = 1
    if orientation >= 5 {
      (result.intrinsicWidth, result.intrinsicHeight) = (intrinsicHeight, intrinsicWidth)
      result.ratio = ratio.flatMap { $0 > 0 ? 1 / $0 : nil }
    }
    return result
  }

  /// The pixels: of an SVG drawn at the size given, of anything else the stored ones (scaling is the painter's).
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
  /// A document in a frame: as large as its box.
  public init(document: VectorImage) { self.init(content: .vector(document), format: .svg) }
}

/// Bytes to pictures, within limits.
public enum ImageDecoder {
  /// - Throws: `ImageError`. A picture that is damaged further down is no error but `isPartial`, as in browsers.
  public static func decode(_ bytes: [UInt8], limits: Limits = Limits()) throws(ImageError) -> DecodedImage {
    var budget = DecodingBudget(limits: limits)
    return try decode(bytes, within: &budget)
  }

  /// One of the pictures that share a budget.
  ///
  /// - Throws: `ImageError`, `timedOut` when the budget's deadline passes.
  /// - Parameter shown: how large it is probably drawn, in device pixels: a JPEG may be decoded at a half, a quarter or an eighth of its size
  ///   that is not smaller; then its `whole` is what to draw where it is larger after all.
  public static func decode(
    _ bytes: [UInt8], within budget: inout DecodingBudget, shown: (width: Double, height: Double)? = nil
  ) throws(ImageError) -> DecodedImage {
    let reduced = try WholePicture.probe(bytes, drawnAt: shown)
    let halvings = reduced?.halvings ?? 0
    let key = PictureCache.Key(bytes: bytes, decodedPixels: budget.limits.decodedPixels, halvings: halvings)
    if let known = budget.cache?.entry(key) {
      return picture(budget.keep(known.bitmap, wholeOf: bytes, halvings), known.probe, isPartial: false)
    }
    let probe: ImageProbe
    if let reduced { probe = reduced.probe } else { probe = try ImageProbe(bytes) }
    if probe.format == .svg {
      return DecodedImage(
        content: .vector(VectorImage(bytes)), format: .svg, intrinsicWidth: probe.width,
        intrinsicHeight: probe.height, ratio: probe.ratio)
    }
    let task = DecodingTask(limits: budget.limits, deadline: budget.deadline)
    var (bitmap, status) = try task.pixels(bytes, probe, halvings: halvings)
    if let profile = ColorProfile(bytes, probe.format) { try profile.apply(to: &bitmap, task) }
    let turned = bitmap.oriented(probe.orientation)
    if status == .complete { budget.cache?.keep(turned, probe, for: key) }
    return picture(budget.keep(turned, wholeOf: bytes, halvings), probe, isPartial: status == .partial)
  }

  private static func picture(_ bitmap: Bitmap, _ probe: ImageProbe, isPartial: Bool) -> DecodedImage {
    DecodedImage(
      content: .bitmap(bitmap), format: probe.format, intrinsicWidth: probe.width, intrinsicHeight: probe.height, ratio: probe.ratio,
      isPartial: isPartial, orientation: probe.orientation)
  }

  enum Status { case complete, partial }

  static func damaged(_ format: ImageFormat) -> ImageError {
    ImageError(.imageDamaged, "The \(format.rawValue.uppercased()) picture is damaged: none of it could be decoded.")
  }
}
