import OffprintCoreTypes

/// A shadow tree that the page declares: `<template shadowrootmode>`.
///
/// https://dom.spec.whatwg.org/#shadow-trees
public struct ShadowRoot: Sendable {
  public var host: NodeID
  /// Of the kind `shadowRoot`; nothing that walks the document's children meets it.
  public var root: NodeID
  public var isOpen: Bool
}

extension Document {
  /// The number of the shadow root that `host` has.
  package func shadowRootIndex(of host: NodeID) -> Int? {
    var low = 0, high = shadowRoots.count
    while low < high {
      let middle = (low + high) / 2
      if shadowRoots[middle].host < host { low = middle + 1 } else { high = middle }
    }
    return low < shadowRoots.count && shadowRoots[low].host == host ? low : nil
  }
}

extension HTMLTreeConstructor {
  /// A start tag "template": a template, or the shadow root of the element that is open.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
  mutating func startTemplate() {
    let mode: Bool? = context == nil && open.count > 1 ? shadowRootMode() : nil
    let host = open.last
    let template = insertElementForToken()
    formatting.append(.marker)
    framesetOK = false
    self.mode = .inTemplate
    templateModes.append(.inTemplate)
    if let mode, let host, canHaveShadow(host), shadowHosts.insert(host.node).inserted { attach(template, to: host.node, isOpen: mode) }
  }

  /// Whether the token asks for an open shadow root, or a closed one; nil for none.
  private func shadowRootMode() -> Bool? {
    if attribute(.shadowrootmode, in: token.attributes, equals: "open") { return true }
    return attribute(.shadowrootmode, in: token.attributes, equals: "closed") ? false : nil
  }

  private static let hosts: Set<Name> = [
    .article, .aside, .blockquote, .body, .div, .footer, .h1, .h2, .h3, .h4, .h5, .h6, .header, .main, .nav, .p, .section, .span,
  ]

  /// https://dom.spec.whatwg.org/#valid-shadow-host-name
  private func canHaveShadow(_ element: OpenElement) -> Bool {
    guard element.namespace == .html else { return false }
    // Those of custom elements have a hyphen.
    return Self.hosts.contains(element.name) || tokenizer.names[element.name].contains(0x2D) && element.name != .annotationXml
  }

  /// The template stays open, but out of the tree: what it holds is the shadow tree.
  private mutating func attach(_ template: NodeID, to host: NodeID, isOpen: Bool) {
    detach(template)
    let root = nodes[template.index].firstChild
    guard !root.isNone else { return }
    nodes[root.index].kind = .shadowRoot
    shadowRoots.append(ShadowRoot(host: host, root: root, isOpen: isOpen))
  }

  /// The shadow roots at their hosts.
  mutating func finishShadowRoots() -> [ShadowRoot] {
    for shadow in shadowRoots { nodes[shadow.root.index].parent = shadow.host }
    return shadowRoots.sorted { $0.host < $1.host }
  }
}
