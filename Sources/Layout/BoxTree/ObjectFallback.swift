internal import OffprintCoreTypes
internal import OffprintDOM

extension Document {
  /// Whether an `object` without a shown resource renders as an empty box sized by its attributes, like a missing plugin. Otherwise its
  /// fallback content is rendered. https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-object-element
  ///
  /// Follows Chromium, whose `HTMLObjectElement::HasFallbackContent` counts comments. Without fallback content the box is empty, unless an
  /// image failed to load.
  func isReplacedObject(_ node: NodeID) -> Bool {
    guard !hasFallbackContent(node) else { return false }
    guard let data = attribute(.data, of: node), !data.isEmpty else { return true }
    if let type = attribute(.type, of: node) { return !type.starts(with: "image/".utf8) }
    let path = data.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return true }
    let ending = String(decoding: path[(dot + 1)...], as: UTF8.self).lowercased()
    return !["png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "bmp", "ico"].contains(ending)
  }

  /// Whether there is any child but white space and `param`.
  private func hasFallbackContent(_ node: NodeID) -> Bool {
    var child = self[node].firstChild
    while !child.isNone {
      switch self[child].kind {
      case .text: if data(of: child).contains(where: { !$0.isHTMLSpace }) { return true }
      case .element: if !isHTMLElement(child, .param) { return true }
      default: return true
      }
      child = self[child].nextSibling
    }
    return false
  }
}
