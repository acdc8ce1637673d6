import OffprintCoreTypes

/// A declarative shadow tree: `<template shadowrootmode>`.
///
/// https://dom.spec.whatwg.org/#shadow-trees
public struct ShadowRoot: Sendable {
  public var host: NodeID
  /// Its kind is `shadowRoot`; traversals of the document's children do not visit it.
  public var root: NodeID
  public var isOpen: Bool
}

extension Document {
  /// The index of the shadow root of `host`.
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
  /// Handles a start tag "template": a template, or the shadow root of the current element.
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

  /// Whether the token requests an open shadow root (true) or a closed one (false); nil for none.
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
    // Names of custom elements contain a hyphen.
    return Self.hosts.contains(element.name) || tokenizer.names[element.name].contains(0x2D) && element.name != .annotationXml
  }

  /// The template remains on the stack but is detached from the tree: its contents become the shadow tree.
  private mutating func attach(_ template: NodeID, to host: NodeID, isOpen: Bool) {
    detach(template)
    let root = nodes[template.index].firstChild
    guard !root.isNone else { return }
    nodes[root.index].kind = .shadowRoot
    shadowRoots.append(ShadowRoot(host: host, root: root, isOpen: isOpen))
  }

  /// Links the shadow roots to their hosts.
  mutating func finishShadowRoots() -> [ShadowRoot] {
    for shadow in shadowRoots { nodes[shadow.root.index].parent = shadow.host }
    return shadowRoots.sorted { $0.host < $1.host }
  }
}
