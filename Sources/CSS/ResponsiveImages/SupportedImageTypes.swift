import OffprintCoreTypes

/// The image types that can be decoded, for `type` attributes and `type()`.
enum SupportedImageTypes {
  private static let decoded: [StaticString] = [
    "image/png", "image/apng", "image/x-png", "image/jpeg", "image/jpg", "image/pjpeg", "image/webp", "image/gif", "image/bmp",
    "image/avif",
    "image/svg+xml", "image/x-icon", "image/vnd.microsoft.icon",
  ]

  /// Whether images of this MIME type can be decoded; parameters are ignored. https://mimesniff.spec.whatwg.org/#parsing-a-mime-type
  static func areDecoded(_ type: ArraySlice<UInt8>) -> Bool {
    let name = type.prefix { $0 != 0x3B }.trimmingHTMLSpaces
    return decoded.contains { equalsIgnoringCase(name, $0) }
  }
}
