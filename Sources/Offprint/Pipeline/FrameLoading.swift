import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintResources

/// A document that an element shows in its box. https://html.spec.whatwg.org/#the-iframe-element
struct FrameSource {
  var bytes: [UInt8]
  /// What its relative references are resolved against.
  var base: ResourceURL?
  var isXML = false
  /// Its root is an svg element.
  var isDrawing = false
  /// What the element says of the document's body.
  var margins: (width: Int?, height: Int?) = (nil, nil)
  /// Whether the element is in a dark colour scheme.
  var isDark = false

  /// A document by its type; nil for what is none.
  ///
  /// - Parameter url: what the element names; of a `data:` URL the resource has no more than the bytes.
  init?(_ resource: LoadedResource, namedBy url: String) {
    let type = (resource.mimeType ?? "").lowercased(), name = resource.url.path.lowercased()
    base = resource.url
    if Self.isHTML(resource) {
      bytes = resource.bytes
    } else if type.hasPrefix("text/plain") {
      // https://mimesniff.spec.whatwg.org/#sniffing-in-a-browsing-context: never taken for anything with scripts.
      bytes = Self.document(of: resource.bytes)
    } else if ImageFormat.sniff(resource.bytes) == .svg {
      // A drawing is a document of its own, no image in one: what its root has no size for fills the frame.
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

  static func isPicture(_ resource: LoadedResource) -> Bool { !isHTML(resource) && ImageFormat.sniff(resource.bytes) != nil }

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
  /// The document that an element shows, as a picture that is made when the size of its box is known; nil where it shows none.
  mutating func frame(of node: NodeID, _ styled: StyledDocument) -> DecodedImage? {
    guard var source = frameSource(of: node, styled) else { return nil }
    let document = styled.document
    source.isDark = styled.style(of: node).text.isDarkScheme
    source.margins = (number(.marginwidth, node, document), number(.marginheight, node, document))
    let picture = FramePicture(source, request: request, parent: resources, registry: registry)
    // What makes the picture differ from others.
    var identity = Array("frame \(node.index) \(source.isDark) ".utf8)
    identity += source.bytes
    var vector = VectorImage(identity)
    vector.drawing = picture
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
      // Of a picture these elements are a picture themselves.
      if document[node].name != .iframe, FrameSource.isPicture(resource) { return nil }
      return FrameSource(resource, namedBy: url)
    } catch {
      // An object falls back to its contents, and says so as a picture that is not there.
      if document[node].name == .iframe { log.report(Diagnostic(error.code, .degraded, error.message)) }
      return nil
    }
  }
}
