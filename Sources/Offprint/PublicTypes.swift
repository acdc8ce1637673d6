public import CoreTypes
public import Images

/// A colour in sRGB.
public typealias Color = CoreTypes.Color
/// Something the engine noticed about a page.
public typealias Diagnostic = CoreTypes.Diagnostic
/// Where in a source a diagnostic points.
public typealias SourcePosition = CoreTypes.SourcePosition
/// What a render may use.
public typealias Limits = CoreTypes.Limits
/// What kind of file a picture becomes.
public typealias PictureFormat = Images.PictureFormat
/// How a picture becomes a file.
public typealias PictureEncoding = Images.PictureEncoding
/// The ICC profile that a picture's colours are written in.
public typealias OutputProfile = Images.OutputProfile
/// How much time is spent on how small a PNG becomes.
public typealias PictureCompression = PNGEncoder.Compression
