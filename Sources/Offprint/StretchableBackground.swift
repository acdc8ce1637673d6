public import CoreTypes
import Images

/// A small image of one colour, one pixel of which is not quite opaque, that stretches by its caps.
public struct StretchableBackground: Sendable {
  /// What it can be written as.
  public enum Format: String, Sendable, CaseIterable { case png, ninePatch = "nine-patch", npTc, css, imageset, json }

  private let image: StretchableImage
  private let scaled: @Sendable (Int) throws -> StretchableImage

  /// - Parameters:
  ///   - capInsets: top, right, bottom, left, in px at scale 1.
  ///   - alpha: of `pixel`, 0 to 1.
  ///   - pixel: a corner's name such as `top-right`, `X,Y`, or `none`.
  /// - Throws: `usage` where they do not go together.
  public init(color: Color, width: Int, height: Int, capInsets: [Int], alpha: Double, pixel: String, scale: Int) throws(OffprintError) {
    guard let place = StretchableImage.Pixel(pixel) else {
      throw OffprintError(
        .usage, "There is no pixel '\(pixel)'; name one of \(StretchableImage.Pixel.allNames.joined(separator: ", ")) or X,Y.")
    }
    guard capInsets.count == 4 else { throw OffprintError(.usage, "Cap insets are four numbers.") }
    let insets = StretchableImage.CapInsets(top: capInsets[0], right: capInsets[1], bottom: capInsets[2], left: capInsets[3])
    let make: @Sendable (Int) throws -> StretchableImage = { scale in
      try StretchableImage(color: color, width: width, height: height, capInsets: insets, alpha: alpha, pixel: place, scale: scale)
    }
    do {
      image = try make(scale)
    } catch {
      throw OffprintError(.usage, "Such an image cannot be made: \(error) does not fit \(width)x\(height).")
    }
    scaled = make
  }

  /// A PNG of the image stretched to a size in px at scale 1.
  public func stretched(width: Int, height: Int) throws(OffprintError) -> [UInt8] {
    do {
      return try PNGEncoder.encode(try image.stretched(toWidth: width, height: height))
    } catch {
      throw OffprintError(error)
    }
  }

  /// The files of a format: one, but for image sets.
  public func files(_ format: Format) throws(OffprintError) -> [(name: String, bytes: [UInt8])] {
    do {
      switch format {
      case .png: return [("background.png", try image.png())]
      case .ninePatch: return [("background.9.png", try image.ninePatch())]
      case .npTc: return [("background.png", try image.npTc())]
      case .css: return [("background.css", Array(try image.css().utf8))]
      case .json: return [("background.json", Array((try image.json() + "\n").utf8))]
      case .imageset:
        let images = try [1, 2, 3].map { try scaled($0) }
        return try StretchableImage.imageSet(name: "background", images: images).map { ($0.name, $0.bytes) }
      }
    } catch {
      throw OffprintError(error)
    }
  }
}

extension OffprintError {
  fileprivate init(_ error: any Error) {
    if let error = error as? ImageError, error.code == .imageTooLarge {
      self.init(.limitExceeded, error.message)
    } else {
      self.init(.renderFailed, "The image cannot be made: \(error).")
    }
  }
}
