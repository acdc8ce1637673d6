import OffprintCoreTypes
import OffprintDOM

extension Diagnostic.Code {
  /// The page's content is created by scripts, which are not run.
  static let scriptIgnored: Diagnostic.Code = "scriptIgnored"
}

/// Detects pages whose content or styles are created by scripts.
enum ScriptReport {
  /// Substrings of the URLs of libraries that create a page, or its style sheet, in the browser.
  private static let libraries = [
    "cdn.tailwindcss.com", "@tailwindcss/browser", "/react-dom", "/react@", "/vue@", "/vue.global", "/vue.esm",
  ]

  /// - Returns: Nil for a page that has visible content without its scripts.
  static func diagnostic(_ document: Document) -> Diagnostic? {
    let scripts = document.nodes.indices.filter { isElement(document, NodeID($0), .script) }.map { NodeID($0) }
    guard !scripts.isEmpty else { return nil }
    let addresses = scripts.compactMap { document.attribute(.src, of: $0).map { String(decoding: $0, as: UTF8.self) } }
    if let address = addresses.first(where: { address in libraries.contains { address.contains($0) } }) {
      return Diagnostic(
        .scriptIgnored, .note,
        "Scripts are not run, and the content or styles that \"\(address.prefix(200))\" would create are missing. \(advice)"
      )
    }
    guard !showsSomething(document) else { return nil }
    return Diagnostic(.scriptIgnored, .note, "Scripts are not run, and the page's body has no other content. \(advice)")
  }

  private static let advice = "Render the page's HTML as saved from a browser, with its styles compiled."

  /// Whether the body has text, or an element that is visible without contents.
  private static func showsSomething(_ document: Document) -> Bool {
    var inBody = false
    var stack: [NodeID] = [document.documentElement]
    while let node = stack.popLast() {
      if node.isNone { continue }
      switch document[node].kind {
      case .text: if inBody, document.data(of: node).contains(where: { !$0.isHTMLSpace }) { return true }
      case .element:
        let name = document[node].name
        if document[node].namespace != .html || drawn.contains(name) { return true }
        if silent.contains(name) { continue }
        if name == .body { inBody = true }
        var child = document[node].firstChild
        while !child.isNone {
          stack.append(child)
          child = document[child].nextSibling
        }
      default: break
      }
    }
    return false
  }

  private static let drawn: Set<Name> = [
    .img, .video, .canvas, .iframe, .object, .embed, .input, .textarea, .select, .button, .hr, .progress, .meter,
  ]
  private static let silent: Set<Name> = [.head, .script, .style, .template, .noscript]

  private static func isElement(_ document: Document, _ node: NodeID, _ name: Name) -> Bool {
    document[node].kind == .element && document[node].name == name && document[node].namespace == .html
  }
}
