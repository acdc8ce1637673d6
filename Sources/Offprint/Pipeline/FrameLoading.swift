import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintResources

/// A nested document in an element's box. https://html.spec.whatwg.org/#the-iframe-element
struct FrameSource {
  var bytes: [UInt8]
  /// The base URL of its relative references.
  var base: ResourceURL?
  var isXML = false
  /// Whether its root is an `svg` element.
  var isDrawing = false
  /// The margins that the element sets for the document's body.
  var margins: (width: Int?, height: Int?) = (nil, nil)
  /// Whether the element's color scheme is dark.
  var isDark = false

  /// A document of a resource, by its media type; nil for other types.
  ///
  /// - Parameter url: The URL in the element; needed for `data:` URLs, of which the resource contains only the bytes.
  init?(_ resource: LoadedResource, namedBy url: String) {
    let type = (resource.mimeType ?? "").lowercased(), name = resource.url.path.lowercased()
    base = resource.url
    if Self.isHTML(resource) {
      bytes = resource.bytes
    } else if type.hasPrefix("text/plain") {
      // https://mimesniff.spec.whatwg.org/#sniffing-in-a-browsing-context: never interpreted as a scriptable type.
      bytes = Self.document(of: resource.bytes)
    } else if ImageFormat.sniff(resource.bytes) == .svg {
      // An SVG document is not an image in a document: a root without a size fills the frame.
      (bytes, isXML, isDrawing) = (resource.bytes, true, true)
    } else if ImageFormat.sniff(resource.bytes) != nil {
      bytes = Self.document(showing: resource.url.scheme == "data" ? url : resource.url.description)
    } else if type.contains("xml") || [".xhtml", ".xml"].contains(where: name.hasSuffix) {
      (bytes, isXML) = (resource.bytes, true)
    } else if resource.bytes.trimmingSpaces.first == UInt8(ascii: "<") {
      bytes = resource.bytes
    } else {
      guard type.isEmpty || type.hasPrefix("text/") else { return nil }
      bytes = Self.document(of: resource.bytes)
    }
  }

  init(bytes: [UInt8], base: ResourceURL?) { (self.bytes, self.base) = (bytes, base) }

  private static func isHTML(_ resource: LoadedResource) -> Bool {
    let name = resource.url.path.lowercased()
    return (resource.mimeType ?? "").lowercased().contains("html") || name.hasSuffix(".html") || name.hasSuffix(".htm")
  }

  static func isImage(_ resource: LoadedResource) -> Bool { !isHTML(resource) && ImageFormat.sniff(resource.bytes) != nil }

  /// https://html.spec.whatwg.org/#read-media
  private static func document(showing url: String) -> [UInt8] {
    let address = url.utf8.flatMap { $0 == UInt8(ascii: "\"") ? Array("&quot;".utf8) : [$0] }
    return Array("<!DOCTYPE html><style>body{margin:0}img{display:block}</style><img src=\"".utf8) + address + Array("\">".utf8)
  }

  /// https://html.spec.whatwg.org/#read-text
  private static func document(of text: [UInt8]) -> [UInt8] {
    Array("<!DOCTYPE html><pre style=\"word-wrap:break-word;white-space:pre-wrap\">".utf8)
      + text.flatMap { $0 == UInt8(ascii: "<") ? Array("&lt;".utf8) : $0 == UInt8(ascii: "&") ? Array("&amp;".utf8) : [$0] }
  }
}

extension LayoutPass {
  /// The nested document of an element, as an image that is rendered when the size of its box is known; nil if the element has no document.
  mutating func frame(of node: NodeID, _ styled: StyledDocument) -> DecodedImage? {
    guard var source = frameSource(of: node, styled) else { return nil }
    let document = styled.document
    source.isDark = styled.style(of: node).text.isDarkScheme
    source.margins = (number(.marginwidth, node, document), number(.marginheight, node, document))
    let drawing = FrameDrawing(source, request: request, parent: resources, registry: registry)
    // Everything that distinguishes this image from others.
    var identity = Array("frame \(node.index) \(source.isDark) ".utf8)
    identity += source.bytes
    var vector = VectorImage(identity)
    vector.drawing = drawing
    return DecodedImage(document: vector)
  }

  private func number(_ name: Name, _ node: NodeID, _ document: Document) -> Int? {
    document.attribute(name, of: node).flatMap { HTMLMicrosyntax.nonNegativeInteger($0) }.map { min($0, 10_000) }
  }

  private mutating func frameSource(of node: NodeID, _ styled: StyledDocument) -> FrameSource? {
    let document = styled.document, base = ResourceURL(styled.baseURL) ?? resources.base
    let attribute: Name
    switch document[node].name {
    case .iframe:
      if let text = document.attribute(.srcdoc, of: node) {
        // Never in quirks mode. https://html.spec.whatwg.org/#an-iframe-srcdoc-document
        return FrameSource(bytes: Array("<!DOCTYPE html>".utf8) + text, base: base)
      }
      attribute = .src
    case .embed: attribute = .src
    case .object: attribute = .data
    default: return nil
    }
    guard let bytes = document.attribute(attribute, of: node) else { return nil }
    let url = String(decoding: bytes.trimmingSpaces, as: UTF8.self)
    guard !url.isEmpty, !["about:", "javascript:", "blob:"].contains(where: url.lowercased().hasPrefix) else { return nil }
    guard resources.frames.mayLoad else { return nil }
    do throws(ResourceError) {
      let resource = try resources.loader.load(url, relativeTo: base)
      // An `object` or `embed` element with an image is a replaced element itself.
      if document[node].name != .iframe, FrameSource.isImage(resource) { return nil }
      return FrameSource(resource, namedBy: url)
    } catch {
      // An `object` falls back to its contents, and the diagnostic is reported like that of a missing image.
      if document[node].name == .iframe { log.report(Diagnostic(error.code, .degraded, error.message)) }
      return nil
    }
  }
}
