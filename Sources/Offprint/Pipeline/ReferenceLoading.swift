import CSS
import CoreTypes
import DOM
import Images
import Layout
import Resources

// https://drafts.fxtf.org/css-masking-1/#mask-reference and its relatives: elements of SVG, of the page or of other files.
extension LayoutPass {
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
  mutating func collectReferences(_ styled: StyledDocument, into store: inout ImageStore) throws {
    var files: [String: Source?] = [:]
    for index in styled.document.nodes.indices where styled.document.nodes[index].kind == .element {
      for url in references(styled.styles[index]) where store.references[url] == nil && store.byURL[url] == nil {
        collect(url, styled, into: &store, &files)
      }
      if index & 255 == 0 { try deadline.check() }
    }
    for url in styled.orderedPseudoStyles.flatMap({ references($0) }) where store.references[url] == nil {
      collect(url, styled, into: &store, &files)
    }
  }

  private func references(_ style: ComputedStyle) -> [String] {
    let effects = style.effects
    var urls: [String] = []
    if case .reference(let url) = effects.clipPath { urls.append(url) }
    for case .reference(let url) in effects.filter { urls.append(url) }
    for layer in effects.mask { if case .url(let url) = layer.image, url.utf8.contains(UInt8(ascii: "#")) { urls.append(url) } }
    return urls
  }

  private mutating func collect(
    _ url: String, _ styled: StyledDocument, into store: inout ImageStore, _ files: inout [String: Source?]
  ) {
    guard let hash = url.firstIndex(of: "#") else { return }
    let file = String(url[..<hash]), id = String(url[url.index(after: hash)...])
    if file.isEmpty {
      if files[file] == nil { files[file] = .some(Source(styled.document, styles: styled.styles)) }
      store.references[url] = files[file]??.reference(id)
      return
    }
    if files[file] == nil { files[file] = .some(resources.document(file).map { Source($0, styles: []) }) }
    if let reference = files[file]??.reference(id) {
      store.references[url] = reference
    } else {
      // A picture, of which the fragment names a part.
      load(url, shownAs: url, into: &store)
    }
  }
}
