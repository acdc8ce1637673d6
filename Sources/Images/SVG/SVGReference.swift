/// A `<mask>`, `<clipPath>` or `<filter>` that a page's style refers to, with all that it refers to itself.
public struct SVGReference: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case mask, clipPath, filter }
  public enum MaskMode: Hashable, Sendable { case matchSource, alpha, luminance }

  public var kind: Kind
  public var id: String
  /// Elements of SVG, one after the other.
  public var definitions: [UInt8]

  public init(kind: Kind, id: String, definitions: [UInt8]) { self.kind = kind; self.id = id; self.definitions = definitions }

  /// A rectangle in user units.
  public struct Area: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    public init(x: Double, y: Double, width: Double, height: Double) { self.x = x; self.y = y; self.width = width; self.height = height }
  }

  /// A picture that is opaque where a mask or clip path lets something through. User space begins at the top left of the element's box.
  ///
  /// - Parameters:
  ///   - box: the size of the element, which percentages and bounding-box units refer to.
  ///   - view: what the picture shows.
  public func coverage(box: (width: Double, height: Double), view: Area, mode: MaskMode = .matchSource) -> VectorImage {
    let property = kind == .mask ? "mask" : "clip-path"
    // The stroke lets the rectangle cover the view, and leaves its bounding box alone.
    let reach = 2 * (view.width + view.height + abs(view.x) + abs(view.y))
    let body =
      "<g \(property)=\"url(#\(Self.name))\" fill=\"#fff\" stroke=\"#fff\" stroke-width=\"\(reach)\">"
      + "<rect width=\"\(box.width)\" height=\"\(box.height)\"/></g>"
    var image = VectorImage(document(body, view))
    if kind == .mask, mode != .matchSource {
      image.styleSheet = Array("mask{mask-type:\(mode == .alpha ? "alpha" : "luminance")!important}".utf8)
    }
    return image
  }

  /// `png`, which shows `view`, filtered.
  public func filtering(png: [UInt8], box: (width: Double, height: Double), view: Area) -> VectorImage {
    let place = "x=\"\(view.x)\" y=\"\(view.y)\" width=\"\(view.width)\" height=\"\(view.height)\""
    let reach = 2 * (view.width + view.height)
    var body: [UInt8] = Array("<pattern id=\"offprint-source\" patternUnits=\"userSpaceOnUse\" \(place)><image ".utf8)
    body += "width=\"\(view.width)\" height=\"\(view.height)\" preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,".utf8
    body += Base64.encode(png).utf8
    body += "\"/></pattern><g filter=\"url(#\(Self.name))\" fill=\"url(#offprint-source)\" stroke=\"url(#offprint-source)\" ".utf8
    body += "stroke-width=\"\(reach)\"><rect width=\"\(box.width)\" height=\"\(box.height)\"/></g>".utf8
    return VectorImage(document(body, view))
  }

  /// The name of the referenced element in the document made for it.
  public static let name = "offprint-reference"

  private func document(_ body: String, _ view: Area) -> [UInt8] { document(Array(body.utf8), view) }

  private func document(_ body: [UInt8], _ view: Area) -> [UInt8] {
    var result = Array(
      ("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"100%\" height=\"100%\" "
        + "viewBox=\"\(view.x) \(view.y) \(view.width) \(view.height)\" preserveAspectRatio=\"none\"><defs>").utf8)
    result += definitions
    result += "</defs>".utf8
    result += body
    result += "</svg>".utf8
    return result
  }
}
