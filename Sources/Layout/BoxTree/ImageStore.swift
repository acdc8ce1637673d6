public import OffprintCoreTypes
public import OffprintCSS
public import OffprintDOM
public import OffprintImages

/// The images of a page, decoded before layout.
public struct ImageStore: Sendable {
  /// Images of style sheets, by URL as resolved against the sheet.
  public var byURL: [ByteString: DecodedImage] = [:]
  /// The same images without EXIF orientation, if `image-orientation: none` is used and the result differs.
  public var unoriented: [ByteString: DecodedImage] = [:]
  /// The same images with a dark color scheme, if it is used and the result differs.
  public var darkened: [ByteString: DecodedImage] = [:]
  /// URLs that failed to load, which are not requested again.
  public var missing: Set<ByteString> = []
  /// The images of elements: inline SVG, `<img>`, `<object>` and others, scaled by their density.
  public var byNode: [NodeID: DecodedImage] = [:]
  /// Documents with elements referenced by `mask`, `clip-path` and `filter`, by URL without fragment.
  public var documents: [ByteString: SVGScene] = [:]
  public init() {}

  /// The image for a CSS value in the style of its element; nil if the value is not a URL, or the image is missing.
  public func image(_ value: ImageValue, _ style: ComputedStyle) -> DecodedImage? {
    guard let (url, density) = value.resource, let image = byURL[url] else { return nil }
    if style.text.isDarkScheme, let dark = darkened[url] { return dark.withDensity(Double(density)) }
    let turned = style.text.imageOrientation == .none ? unoriented[url] ?? image : image
    return turned.withDensity(Double(density))
  }
}
