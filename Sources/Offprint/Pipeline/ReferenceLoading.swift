import CSS
import CoreTypes
import DOM
import Images
import Layout
import Resources

// https://drafts.fxtf.org/css-masking-1/#mask-reference and its relatives: elements of SVG, of the page or of other files.
extension RenderWorker {
  /// A document with elements to refer to.
  private struct Source {
    var document: Document
    var ids: ElementIDs
    var styles: [ComputedStyle] = []
    init(_ document: Document, styles: [ComputedStyle]) {
      self.document = document
      self.styles = styles
      ids = ElementIDs(document)
    }
    func reference(_ id: String) -> SVGReference? { SVGSerializer.reference(id, ids, in: document, styles: styles) }
  }

  /// Finds what the styles of elements refer to.
  func collectReferences(_ styled: StyledDocument, into store: inout ImageStore, _ page: inout Page) {
    var files: [String: Source?] = [:]
    for index in styled.document.nodes.indices where styled.document.nodes[index].kind == .element {
      for url in references(styled.styles[index]) where store.references[url] == nil && store.byURL[url] == nil {
        collect(url, styled, into: &store, &files, &page)
      }
    }
    let pseudo = styled.pseudoStyles.values.sorted { $0.record < $1.record }
    for url in pseudo.flatMap({ references($0) }) where store.references[url] == nil { collect(url, styled, into: &store, &files, &page) }
  }

  private func references(_ style: ComputedStyle) -> [String] {
    let effects = style.effects
    var urls: [String] = []
    if case .reference(let url) = effects.clipPath { urls.append(url) }
    for case .reference(let url) in effects.filter { urls.append(url) }
    for layer in effects.mask { if case .url(let url) = layer.image, url.utf8.contains(UInt8(ascii: "#")) { urls.append(url) } }
    return urls
  }

  private func collect(
    _ url: String, _ styled: StyledDocument, into store: inout ImageStore, _ files: inout [String: Source?], _ page: inout Page
  ) {
    guard let hash = url.firstIndex(of: "#") else { return }
    let file = String(url[..<hash]), id = String(url[url.index(after: hash)...])
    if file.isEmpty {
      if files[file] == nil { files[file] = .some(Source(styled.document, styles: styled.styles)) }
      store.references[url] = files[file]??.reference(id)
      return
    }
    if files[file] == nil { files[file] = .some(document(file, &page).map { Source($0, styles: []) }) }
    if let reference = files[file]??.reference(id) {
      store.references[url] = reference
    } else {
      // A picture, of which the fragment names a part.
      load(url, shownAs: url, into: &store, &page)
    }
  }

  private func document(_ url: String, _ page: inout Page) -> Document? {
    guard let resource = try? page.loader.load(url, relativeTo: page.base), ImageFormat.sniff(resource.bytes) == .svg else { return nil }
    var ignored = DiagnosticLog()
    return try? XMLDocumentParser.parse(resource.bytes, diagnostics: &ignored)
  }
}
