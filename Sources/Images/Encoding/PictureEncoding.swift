/// What kind of file a picture becomes.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// Lossless, with alpha: https://www.w3.org/TR/png-3/
  case png
  /// Lossy or lossless, with alpha; at most 16,383 px a side: https://www.rfc-editor.org/rfc/rfc9649
  case webp
  /// Lossy, over white; at most 65,500 px a side: https://www.w3.org/Graphics/JPEG/itu-t81.pdf
  case jpeg
  /// Lossy or lossless, with alpha; at most 32,768 px a side. Written by libavif, where that is installed:
  /// https://aomediacodec.github.io/av1-avif/
  case avif
  /// Pages of vectors, text that can be selected, links: https://www.iso.org/standard/75839.html. No picture of pixels.
  case pdf
  /// A drawing of vectors, text as outlines: https://www.w3.org/TR/SVG2/. No picture of pixels.
  case svg
  /// No file at all: red, green, blue and alpha of each pixel from the top left, a byte each, colours not multiplied by alpha.
  case raw

  /// The format that a file name's extension stands for; nil for others.
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

  /// The format of a file by its first bytes; nil where they are none that pictures are written in.
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

  /// The usual extension of file names, without dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The most px a side may have; nil: only the limits count.
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
  /// Made of vectors: never pixels alone.
  public var isVector: Bool { self == .pdf || self == .svg }
}

/// How a picture becomes a file.
public struct PictureEncoding: Hashable, Sendable {
  public var format = PictureFormat.png
  /// 0 to 100, for `webp`, `jpeg` and `avif`; nil: 80. From 90 on a JPEG or AVIF keeps the colour of every pixel.
  public var quality: Int?
  /// For `webp` and `avif`: no pixel changes.
  public var isLossless = false
  /// For `jpeg`: coarse first, then finer.
  public var isProgressive = false
  /// For `png`: how much time is spent on how small a file.
  public var compression = PNGEncoder.Compression.balanced

  /// For `png`, `webp`, `jpeg` and `avif`: what colours are turned into and the file says of them. Nil: sRGB.
  public var profile: OutputProfile?

  public init(_ format: PictureFormat = .png) { self.format = format }

  /// The quality where none is said.
  public static let standardQuality = 80

  /// The profile, for formats that have one.
  public var effectiveProfile: OutputProfile? { format.isVector || format == .raw ? nil : profile }

  /// What of it but the profile changes the file, as text: options of other formats count for nothing.
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
