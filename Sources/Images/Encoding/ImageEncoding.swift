/// The file format of an image.
public enum EncodedImageFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// Lossless, with alpha: https://www.w3.org/TR/png-3/
  case png
  /// An animation, lossless, with alpha: https://www.w3.org/TR/png-3/#apng-frame-based-animation
  case apng
  /// An animation of up to 256 colors per frame; at most 65,535 px per side: https://www.w3.org/Graphics/GIF/spec-gif89a.txt
  case gif
  /// Lossy or lossless, with alpha, also animated; at most 16,383 px per side: https://www.rfc-editor.org/rfc/rfc9649
  case webp
  /// Lossy, on white; at most 65,500 px per side: https://www.w3.org/Graphics/JPEG/itu-t81.pdf
  case jpeg
  /// Lossy or lossless, with alpha, also animated; at most 32,768 px per side. Encoded by libavif, if it is installed:
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
    case "apng": self = .apng
    case "gif": self = .gif
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
      self = Self.isAnimatedPNG(bytes) ? .apng : .png
    } else if bytes.starts(with: Array("GIF8".utf8)) {
      self = .gif
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

  /// Whether the chunk that announces an animation is before the image data.
  private static func isAnimatedPNG(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = bytes.dropFirst(8)
    while true {
      let head = Array(rest.prefix(8))
      guard head.count == 8, !head.ends(with: "IDAT") else { return false }
      if head.ends(with: "acTL") { return true }
      rest = rest.dropFirst(head[..<4].reduce(0) { $0 << 8 | Int($1) } + 12)
    }
  }

  /// The media type: https://www.iana.org/assignments/media-types
  public var mediaType: String {
    switch self {
    case .png, .apng, .gif, .webp, .jpeg, .avif: "image/\(rawValue)"
    case .pdf: "application/pdf"
    case .svg: "image/svg+xml"
    case .raw: "application/octet-stream"
    }
  }

  /// The usual file name extension, without dot.
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// The maximum px per side; nil if only the limits apply.
  public var maximumSide: Int? {
    switch self {
    case .png, .apng, .pdf, .svg, .raw: nil
    case .gif: 65_535
    case .webp: 16_383
    case .jpeg: 65_500
    case .avif: 32_768
    }
  }
}

extension EncodedImageFormat {
  /// Whether it is a vector format.
  public var isVector: Bool { self == .pdf || self == .svg }
  /// Whether its files are always animations, if only of one frame.
  public var isAlwaysAnimated: Bool { self == .apng || self == .gif }
  /// Whether its files can be animations.
  public var supportsAnimation: Bool { isAlwaysAnimated || self == .png || self == .webp || self == .avif }
}

extension [UInt8] {
  fileprivate func ends(with type: StaticString) -> Bool { suffix(type.utf8CodeUnitCount).elementsEqual("\(type)".utf8) }
}

/// How an image is encoded.
public struct ImageEncoding: Hashable, Sendable {
  public var format = EncodedImageFormat.png
  /// 0 to 100, for `webp`, `jpeg` and `avif`; nil means 80. From 90, JPEG and AVIF use no chroma subsampling.
  public var quality: Int?
  /// For `webp` and `avif`: lossless encoding.
  public var isLossless = false
  /// For `jpeg`: progressive encoding.
  public var isProgressive = false
  /// The frames of an animated image. Nil for a still image, and in the formats `apng` and `gif` for the defaults. An animated `png` is an
  /// `apng`.
  public var animation: AnimationEncoding?
  /// For `png` and `apng`: the effort spent on a small file.
  public var compression = PNGEncoder.Compression.balanced

  /// For `png`, `webp`, `jpeg` and `avif`: the profile that colors are converted to and that the file contains. Nil for sRGB.
  public var profile: OutputProfile?

  public init(_ format: EncodedImageFormat = .png) { self.format = format }

  /// Makes the image an animation, and changes its frames.
  public mutating func animate(_ change: (inout AnimationEncoding) -> Void = { _ in }) {
    var changed = animation ?? AnimationEncoding()
    change(&changed)
    animation = changed
  }

  /// The default quality.
  public static let standardQuality = 80

  /// Whether the image has frames.
  public var isAnimated: Bool { format.isAlwaysAnimated || animation != nil && format.supportsAnimation }

  /// The profile, for images that can have one.
  public var effectiveProfile: OutputProfile? { format.isVector || format == .raw || isAnimated ? nil : profile }

  /// Everything except the profile that affects the file, as text. Options of other formats are omitted.
  public var canonicalText: String {
    isAnimated ? "\(stillText) \((animation ?? AnimationEncoding()).canonicalText(format))" : stillText
  }

  private var stillText: String {
    switch format {
    case .png where isAnimated: "apng \(compression.rawValue)"
    case .png: compression == .balanced ? "png" : "png \(compression.rawValue)"
    case .apng: "apng \(compression.rawValue)"
    case .gif: "gif"
    case .webp: isLossless ? "webp lossless" : "webp \(quality ?? Self.standardQuality)"
    case .jpeg: "jpeg \(quality ?? Self.standardQuality)\(isProgressive ? " progressive" : "")"
    case .avif: isLossless ? "avif lossless" : "avif \(quality ?? Self.standardQuality)"
    case .pdf: "pdf"
    case .svg: "svg"
    case .raw: "raw"
    }
  }
}
