import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintResources

// https://www.w3.org/TR/SVG2/struct.html#UseElementHrefAttribute: elements of other files.
extension PageResources {
  private static let maximumFiles = 64

  /// Adds the documents that `use` elements refer to, if loading files is allowed.
  func graftUsedDocuments(into document: inout Document, _ log: inout DiagnosticLog) throws {
    guard let use = document.names.lookup(Array("use".utf8)[...]) else { return }
    var urls: [String] = []
    for index in document.nodes.indices {
      let node = document.nodes[index]
      guard node.kind == .element, node.namespace == .svg, node.name == use, let url = usedFile(NodeID(index), document) else { continue }
      if urls.count < Self.maximumFiles, !urls.contains(url) { urls.append(url) }
    }
    guard !urls.isEmpty else { return }
    let start = documentBase(document)
    for url in urls {
      try deadline.check()
      do {
        let resolved = ResourceURL(start)?.resolving(url)?.description ?? url
        let bytes = try loader.load(resolved, relativeTo: base).bytes
        let other = try usedDocument(bytes, room: limits.nodes - document.nodes.count)
        document.graft(other, as: url)
      } catch let error as ResourceError {
        log.report(Diagnostic(error.code, .degraded, error.message))
      } catch is ImageError {
        log.report(Diagnostic("imageDamaged", .degraded, "'\(url.prefix(200))' is not an SVG document and is not rendered."))
      }
    }
  }

  /// The file that a `use` element refers to; nil for elements of the page itself, and for `data:` URLs, which browsers reject here.
  private func usedFile(_ node: NodeID, _ document: Document) -> String? {
    guard let value = document.attribute(.href, of: node) ?? document.attribute(.href, .xlink, of: node) else { return nil }
    let url = String(decoding: value.trimmingSpaces, as: UTF8.self)
    guard !url.isEmpty, !url.hasPrefix("#"), !url.lowercased().hasPrefix("data:") else { return nil }
    return url.firstIndex(ofByte: "#").map { String(url[..<$0]) } ?? url
  }

  private func usedDocument(_ bytes: [UInt8], room: Int) throws -> Document {
    guard ImageFormat.sniff(bytes) == .svg else { throw ImageError(.imageDamaged, "It is not an SVG image.") }
    var ignored = DiagnosticLog(), limits = limits
    limits.nodes = max(1, min(limits.nodes, room))
    var other = try XMLDocumentParser.parse(
      SVGDocument.expanded(bytes), options: HTMLParserOptions(limits: limits), diagnostics: &ignored)
    let root = other.documentElement
    guard !ignored.entries.contains(where: { $0.code == .notWellFormed }), !root.isNone, other[root].namespace == .svg else {
      throw ImageError(.imageDamaged, "It is not an SVG image.")
    }
    other.animate(to: time)
    return other
  }

  /// The URL of the `base` element, or an empty string.
  private func documentBase(_ document: Document) -> String {
    let own = base?.description ?? ""
    for index in document.nodes.indices where document.nodes[index].name == .base && document.isHTMLElement(NodeID(index), .base) {
      guard let href = document.attribute(.href, of: NodeID(index)) else { continue }
      let text = String(decoding: href.trimmingSpaces, as: UTF8.self)
      return base?.resolving(text)?.description ?? text
    }
    return own
  }
}
