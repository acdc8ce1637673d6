public import OffprintCoreTypes
public import OffprintImages

/// A color in sRGB.
public typealias Color = OffprintCoreTypes.Color
/// A problem or remark that the engine reports about a page.
public typealias Diagnostic = OffprintCoreTypes.Diagnostic
/// The position of a diagnostic in a source.
public typealias SourcePosition = OffprintCoreTypes.SourcePosition
/// Resource limits of a render.
public typealias Limits = OffprintCoreTypes.Limits
/// The time on a page's timeline at which it is rendered.
public typealias AnimationTime = OffprintCoreTypes.AnimationTime
/// The file format of an image.
public typealias EncodedImageFormat = OffprintImages.EncodedImageFormat
/// How an image is encoded.
public typealias ImageEncoding = OffprintImages.ImageEncoding
/// The frames of an animated image that is written.
public typealias AnimationEncoding = OffprintImages.AnimationEncoding
/// The ICC profile of an output image.
public typealias OutputProfile = OffprintImages.OutputProfile
/// The effort spent on the size of a PNG.
public typealias ImageCompression = PNGEncoder.Compression

// MARK: Former names

/// The former name of ``EncodedImageFormat``.
@available(*, deprecated, renamed: "EncodedImageFormat") public typealias PictureFormat = EncodedImageFormat
/// The former name of ``ImageEncoding``.
@available(*, deprecated, renamed: "ImageEncoding") public typealias PictureEncoding = ImageEncoding
/// The former name of ``ImageCompression``.
@available(*, deprecated, renamed: "ImageCompression") public typealias PictureCompression = ImageCompression
/// The former name of ``TerminalImage``.
@available(*, deprecated, renamed: "TerminalImage") public typealias TerminalPicture = TerminalImage
extension Limits {
  /// The former name of ``imageSide``.
  @available(*, deprecated, renamed: "imageSide") public var pictureSide: Int {
    get { imageSide }
    set { imageSide = newValue }
  }
  /// The former name of ``imagePixels``.
  @available(*, deprecated, renamed: "imagePixels") public var picturePixels: Int {
    get { imagePixels }
    set { imagePixels = newValue }
  }
}
extension RenderRequest {
  /// The former name of ``PageSetup``.
  @available(*, deprecated, renamed: "PageSetup") public typealias Sheet = PageSetup
  /// The former name of ``pageSetup``.
  @available(*, deprecated, renamed: "pageSetup") public var sheet: PageSetup {
    get { pageSetup }
    set { pageSetup = newValue }
  }
}
