public import OffprintCoreTypes
import OffprintImages

/// A small image that stretches between its caps: of a single color with one pixel that is not quite opaque, or of a page's box.
public struct StretchableBackground: Sendable {
  /// The output formats.
  public enum Format: String, Sendable, CaseIterable { case png, ninePatch = "nine-patch", npTc, css, imageset, json }

  /// How much a stretched image differs from the box rendered at that size.
  public struct Comparison: Hashable, Sendable {
    /// CSS px, including what lies outside of the box.
    public var width: Int
    /// CSS px.
    public var height: Int
    /// Device px per CSS px.
    public var scale: Int
    /// The largest difference of a color channel, 0 to 255.
    public var largestError: Int
  }

  /// One image per scale, in order.
  let images: [StretchableImage]
  /// How many px of the image lie outside of the box, on each side.
  let outset: Int
  /// The comparisons made; empty for images of a single color, which are exact.
  public let comparisons: [Comparison]

  /// Whether it can be widened; false if all columns of the box differ. In that case, the box was only compared at its own width.
  public let stretchesAcross: Bool
  /// Whether it can be made higher.
  public let stretchesDown: Bool

  init(
    images: [StretchableImage], outset: Int = 0, comparisons: [Comparison] = [], stretchesAcross: Bool = true, stretchesDown: Bool = true
  ) {
    self.images = images; self.outset = outset; self.comparisons = comparisons
    self.stretchesAcross = stretchesAcross; self.stretchesDown = stretchesDown
  }

  /// Whether the image reproduces the box exactly at each compared size.
  public var isExact: Bool { largestError == 0 }
  /// The largest difference of a color channel at any compared size, 0 to 255.
  public var largestError: Int { comparisons.map(\.largestError).max() ?? 0 }
  /// The scales, in ascending order.
  public var scales: [Int] { images.map(\.scale) }

  /// An image of a single color.
  ///
  /// - Parameters:
  ///   - color: The color of all pixels.
  ///   - width: In px at scale 1.
  ///   - height: In px at scale 1.
  ///   - capInsets: Top, right, bottom, left, in px at scale 1.
  ///   - alpha: The alpha of `pixel`, 0 to 1.
  ///   - pixel: A corner's name such as `top-right`, `X,Y`, or `none`.
  ///   - scales: Device px per px, 1 to 16 each.
  /// - Throws: `usage` if they are inconsistent.
  public init(
    color: Color, width: Int, height: Int, capInsets: [Int], alpha: Double, pixel: String, scales: [Int]
  ) throws(OffprintError) {
    guard let place = StretchableImage.Pixel(pixel) else {
      throw OffprintError(
        .usage, "There is no pixel '\(pixel)'; use one of \(StretchableImage.Pixel.allNames.joined(separator: ", ")) or X,Y.")
    }
    guard capInsets.count == 4 else { throw OffprintError(.usage, "Cap insets must be four numbers.") }
    guard !scales.isEmpty else { throw OffprintError(.usage, "An image needs at least one scale.") }
    let insets = StretchableImage.CapInsets(top: capInsets[0], right: capInsets[1], bottom: capInsets[2], left: capInsets[3])
    var images: [StretchableImage] = []
    for scale in Set(scales).sorted() {
      do {
        images.append(
          try StretchableImage(color: color, width: width, height: height, capInsets: insets, alpha: alpha, pixel: place, scale: scale))
      } catch {
        throw OffprintError(.usage, "A stretchable image of \(width)x\(height) px cannot be created: \(error.sentence).")
      }
    }
    self.init(images: images)
  }

  /// An image of a single color at one scale.
  public init(color: Color, width: Int, height: Int, capInsets: [Int], alpha: Double, pixel: String, scale: Int) throws(OffprintError) {
    try self.init(color: color, width: width, height: height, capInsets: capInsets, alpha: alpha, pixel: pixel, scales: [scale])
  }

  /// A PNG of the image stretched to a size in device px, at its smallest scale.
  public func stretched(width: Int, height: Int) throws(OffprintError) -> [UInt8] {
    guard let image = images.first else { throw OffprintError(.usage, "An image needs at least one scale.") }
    do {
      return try PNGEncoder.encode(try image.stretched(toWidth: width, height: height))
    } catch {
      throw OffprintError(stretchable: error)
    }
  }
}

extension StretchableImage.Invalid {
  /// The reason, as part of a sentence.
  var sentence: String {
    switch self {
    case .size: "a side must be 1 to 4096 px and a scale 1 to 16"
    case .capInsets: "the caps leave nothing to stretch between them"
    case .pixel: "the translucent pixel is outside of it"
    case .alpha: "the alpha must be 0 to 1"
    }
  }
}

extension OffprintError {
  init(stretchable error: any Error) {
    switch error {
    case let error as OffprintError: self = error
    case let error as ImageError where error.code == .imageTooLarge: self.init(.limitExceeded, error.message)
    case let error as ImageError: self.init(.renderFailed, "The image cannot be created: \(error.message)")
    case let error as StretchableImage.Invalid: self.init(.usage, "The image cannot be created: \(error.sentence).")
    default: self.init(.renderFailed, "The image cannot be created.")
    }
  }
}
