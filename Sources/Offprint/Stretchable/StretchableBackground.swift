public import OffprintCoreTypes
import OffprintImages

/// A small image that stretches by its caps: of one colour with a pixel that is not quite opaque, or of a box of a page.
public struct StretchableBackground: Sendable {
  /// What it can be written as.
  public enum Format: String, Sendable, CaseIterable { case png, ninePatch = "nine-patch", npTc, css, imageset, json }

  /// How far a stretched image is from the box drawn at that size.
  public struct Comparison: Hashable, Sendable {
    /// CSS px, what lies outside of the box included.
    public var width: Int
    /// CSS px.
    public var height: Int
    /// Device px per CSS px.
    public var scale: Int
    /// The largest difference of a colour channel, 0 to 255.
    public var largestError: Int
  }

  /// One for each scale, in order.
  let images: [StretchableImage]
  /// How many px of the image lie outside of the box, on each side.
  let outset: Int
  /// What was compared; empty for images of one colour, which are exact.
  public let comparisons: [Comparison]

  /// Whether it can become wider: false where all columns of the box differ. The box was compared at its own width alone then.
  public let stretchesAcross: Bool
  /// Whether it can become higher.
  public let stretchesDown: Bool

  init(
    images: [StretchableImage], outset: Int = 0, comparisons: [Comparison] = [], stretchesAcross: Bool = true, stretchesDown: Bool = true
  ) {
    self.images = images; self.outset = outset; self.comparisons = comparisons
    self.stretchesAcross = stretchesAcross; self.stretchesDown = stretchesDown
  }

  /// Whether the image gives the box's own pixels at each size that was tried.
  public var isExact: Bool { largestError == 0 }
  /// The largest difference of a colour channel at any size that was tried, 0 to 255.
  public var largestError: Int { comparisons.map(\.largestError).max() ?? 0 }
  /// The scales, from the smallest.
  public var scales: [Int] { images.map(\.scale) }

  /// An image of one colour.
  ///
  /// - Parameters:
  ///   - color: of all pixels.
  ///   - width: px at scale 1.
  ///   - height: px at scale 1.
  ///   - capInsets: top, right, bottom, left, in px at scale 1.
  ///   - alpha: of `pixel`, 0 to 1.
  ///   - pixel: a corner's name such as `top-right`, `X,Y`, or `none`.
  ///   - scales: device px per px, 1 to 16 each.
  /// - Throws: `usage` where they do not go together.
  public init(
    color: Color, width: Int, height: Int, capInsets: [Int], alpha: Double, pixel: String, scales: [Int]
  ) throws(OffprintError) {
    guard let place = StretchableImage.Pixel(pixel) else {
      throw OffprintError(
        .usage, "There is no pixel '\(pixel)'; name one of \(StretchableImage.Pixel.allNames.joined(separator: ", ")) or X,Y.")
    }
    guard capInsets.count == 4 else { throw OffprintError(.usage, "Cap insets are four numbers.") }
    guard !scales.isEmpty else { throw OffprintError(.usage, "An image has a scale.") }
    let insets = StretchableImage.CapInsets(top: capInsets[0], right: capInsets[1], bottom: capInsets[2], left: capInsets[3])
    var images: [StretchableImage] = []
    for scale in Set(scales).sorted() {
      do {
        images.append(
          try StretchableImage(color: color, width: width, height: height, capInsets: insets, alpha: alpha, pixel: place, scale: scale))
      } catch {
        throw OffprintError(.usage, "A stretchable image of \(width)x\(height) px cannot be made: \(error.sentence).")
      }
    }
    self.init(images: images)
  }

  /// The same at one scale.
  public init(color: Color, width: Int, height: Int, capInsets: [Int], alpha: Double, pixel: String, scale: Int) throws(OffprintError) {
    try self.init(color: color, width: width, height: height, capInsets: capInsets, alpha: alpha, pixel: pixel, scales: [scale])
  }

  /// A PNG of the image stretched to a size in device px, at its smallest scale.
  public func stretched(width: Int, height: Int) throws(OffprintError) -> [UInt8] {
    guard let image = images.first else { throw OffprintError(.usage, "An image has a scale.") }
    do {
      return try PNGEncoder.encode(try image.stretched(toWidth: width, height: height))
    } catch {
      throw OffprintError(stretchable: error)
    }
  }
}

extension StretchableImage.Invalid {
  /// The part of a sentence that says why.
  var sentence: String {
    switch self {
    case .size: "a side is 1 to 4096 px and a scale 1 to 16"
    case .capInsets: "the caps leave nothing to stretch between them"
    case .pixel: "the pixel with the other alpha lies outside of it"
    case .alpha: "an alpha is 0 to 1"
    }
  }
}

extension OffprintError {
  init(stretchable error: any Error) {
    switch error {
    case let error as OffprintError: self = error
    case let error as ImageError where error.code == .imageTooLarge: self.init(.limitExceeded, error.message)
    case let error as ImageError: self.init(.renderFailed, "The image cannot be made: \(error.message)")
    case let error as StretchableImage.Invalid: self.init(.usage, "The image cannot be made: \(error.sentence).")
    default: self.init(.renderFailed, "The image cannot be made.")
    }
  }
}
