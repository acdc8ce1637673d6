public import OffprintCoreTypes
public import OffprintImages

/// A colour in sRGB.
public typealias Color = OffprintCoreTypes.Color
/// Something the engine noticed about a page.
public typealias Diagnostic = OffprintCoreTypes.Diagnostic
/// Where in a source a diagnostic points.
public typealias SourcePosition = OffprintCoreTypes.SourcePosition
/// What a render may use.
public typealias Limits = OffprintCoreTypes.Limits
/// What kind of file a picture becomes.
public typealias PictureFormat = OffprintImages.PictureFormat
/// How a picture becomes a file.
public typealias PictureEncoding = OffprintImages.PictureEncoding
/// The ICC profile that a picture's colours are written in.
public typealias OutputProfile = OffprintImages.OutputProfile
/// How much time is spent on how small a PNG becomes.
public typealias PictureCompression = PNGEncoder.Compression
