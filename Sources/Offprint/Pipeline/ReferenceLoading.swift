import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintResources

// https://drafts.fxtf.org/css-masking-1/#mask-reference and similar references: SVG elements in other files.
extension LayoutPass {
  /// Loads the files that computed styles refer to.
  mutating func collectReferences(_ styled: StyledDocument, into store: inout ImageStore) throws {
    for index in styled.document.nodes.indices where styled.document.nodes[index].kind == .element {
      for url in references(styled.styles[index]) { collect(url, styled, into: &store) }
      if index & 255 == 0 { try deadline.check() }
    }
    for url in styled.orderedPseudoStyles.flatMap({ references($0) }) { collect(url, styled, into: &store) }
  }

  private func references(_ style: ComputedStyle) -> [String] {
    var urls: [String] = []
    if case .reference(let url) = style.effects.clipPath { urls.append(url.text) }
    for case .reference(let url) in style.effects.filter { urls.append(url.text) }
    for layer in style.effects.mask {
      if case .url(let url) = layer.image, url.text.utf8.contains(UInt8(ascii: "#")) { urls.append(url.text) }
    }
    return urls
  }

  private mutating func collect(_ url: String, _ styled: StyledDocument, into store: inout ImageStore) {
    guard let hash = url.firstIndex(ofByte: "#"), hash != url.startIndex, store.byURL[url] == nil else { return }
    let file = String(url[..<hash])
    if store.documents[file] == nil, let scene = resources.document(file) { store.documents[file] = scene }
    if let scene = store.documents[file], scene.hasEffectResource(String(url[hash...])) { return }
    // An image of which the fragment selects a part.
    load(url, shownAs: url, into: &store)
  }
}
