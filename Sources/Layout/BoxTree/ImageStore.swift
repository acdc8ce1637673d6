public import OffprintCoreTypes
public import OffprintCSS
public import OffprintDOM
public import OffprintImages

/// The pictures a page shows, decoded before layout.
public struct ImageStore: Sendable {
  /// Of style sheets, by URL as the style sheet's rule resolved it.
  public var byURL: [ByteString: DecodedImage] = [:]
  /// The same as they are stored, where `image-orientation: none` asks for that and it differs.
  public var unoriented: [ByteString: DecodedImage] = [:]
  /// What the same show in the dark, where that is asked for and differs.
  public var darkened: [ByteString: DecodedImage] = [:]
  /// URLs that gave no picture, which are not asked for again.
  public var missing: Set<ByteString> = []
  /// What elements show: inline SVG, and the pictures of `<img>`, `<object>` and others, sized by their density.
  public var byNode: [NodeID: DecodedImage] = [:]
  /// Documents with elements that `mask`, `clip-path` and `filter` refer to, by URL without fragment.
  public var documents: [ByteString: SVGScene] = [:]
  public init() {}

  /// The picture of a CSS image in the style of the element that has it; nil where it is none, or missing.
  public func image(_ value: ImageValue, _ style: ComputedStyle) -> DecodedImage? {
    guard let (url, density) = value.resource, let image = byURL[url] else { return nil }
    if style.text.isDarkScheme, let dark = darkened[url] { return dark.withDensity(Double(density)) }
    let turned = style.text.imageOrientation == .none ? unoriented[url] ?? image : image
    return turned.withDensity(Double(density))
  }
}
