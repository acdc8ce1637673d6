/// The file format of an image.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// Lossless, with alpha: https://www.w3.org/TR/png-3/
  case png
  /// Lossy or lossless, with alpha; at most 16,383 px per side: https://www.rfc-editor.org/rfc/rfc9649
  case webp
  /// Lossy, on white; at most 65,500 px per side: https://www.w3.org/Graphics/JPEG/itu-t81.pdf
  case jpeg
  /// Lossy or lossless, with alpha; at most 32,768 px per side. Encoded by libavif, if it is installed:
  /// https://aomediacodec.github.io/av1-avif/
  case avif
  /// Pages of vector graphics with selectable text and links: https://www.iso.org/standard/75839.html. Not a raster format.
  case pdf
  /// Vector graphics with text as outlines: https://www.w3.org/TR/SVG2/. Not a raster format.
  case svg
  /// Not a file format: red, green, blue and alpha of each pixel from the top left, one byte each, not premultiplied.
  case raw

  /// The format of a file name's extension; nil for other extensions.
  public init?(fileExtension: some StringProtocol) {
    switch fileExtension.lowercased() {
    case "png": self = .png
    case "webp": self = .webp
    case "jpg", "jpeg", "jpe", "jfif": self = .jpeg
    case "avif": self = .avif
    case "pdf": self = .pdf
    case "svg": self = .svg
    case "raw", "rgba": self = .raw
    default: return nil
    }
  }

  /// The format of a file by its first bytes; nil if Offprint does not write that format.
  public init?(beginningOf bytes: some Collection<UInt8>) {
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else if bytes.dropFirst(4).starts(with: Array("ftypavi".utf8)) {
      self = .avif
    } else if bytes.starts(with: Array("%PDF-".utf8)) {
      self = .pdf
    } else if bytes.starts(with: Array("<?xml ".utf8)) || bytes.starts(with: Array("<svg ".utf8)) {
      self = .svg
    } else {
      return nil
    }
  }

  /// The media type: https://www.iana.org/assignments/media-types
  public var mediaType: String {
    switch self {
    case .png, .webp, .jpeg, .avif: "image/\(rawValue)"
    case .pdf: "application/pdf"
    case .svg: "image/svg+xml"
    case .raw: "application/octet-stream"
    }
  }

  /// The usual file name extension, without dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The maximum px per side; nil if only the limits apply.
  public var mostPixelsOfSide: Int? {
    switch self {
    case .png, .pdf, .svg, .raw: nil
    case .webp: 16_383
    case .jpeg: 65_500
    case .avif: 32_768
    }
  }
}

extension PictureFormat {
  /// Whether it is a vector format.
  public var isVector: Bool { self == .pdf || self == .svg }
}

/// How an image is encoded.
public struct PictureEncoding: Hashable, Sendable {
  public var format = PictureFormat.png
  /// 0 to 100, for `webp`, `jpeg` and `avif`; nil means 80. From 90, JPEG and AVIF use no chroma subsampling.
  public var quality: Int?
  /// For `webp` and `avif`: lossless encoding.
  public var isLossless = false
  /// For `jpeg`: progressive encoding.
  public var isProgressive = false
  /// For `png`: the effort spent on a small file.
  public var compression = PNGEncoder.Compression.balanced

  /// For `png`, `webp`, `jpeg` and `avif`: the profile that colors are converted to and that the file contains. Nil for sRGB.
  public var profile: OutputProfile?

  public init(_ format: PictureFormat = .png) { self.format = format }

  /// The default quality.
  public static let standardQuality = 80

  /// The profile, for formats that support one.
  public var effectiveProfile: OutputProfile? { format.isVector || format == .raw ? nil : profile }

  /// Everything except the profile that affects the file, as text. Options of other formats are omitted.
  public var canonicalText: String {
    switch format {
    case .png: compression == .balanced ? "png" : "png \(compression.rawValue)"
    case .webp: isLossless ? "webp lossless" : "webp \(quality ?? Self.standardQuality)"
    case .jpeg: "jpeg \(quality ?? Self.standardQuality)\(isProgressive ? " progressive" : "")"
    case .avif: isLossless ? "avif lossless" : "avif \(quality ?? Self.standardQuality)"
    case .pdf: "pdf"
    case .svg: "svg"
    case .raw: "raw"
    }
  }
}
