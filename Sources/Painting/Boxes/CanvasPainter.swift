import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

/// Paints the background of the root element or of `body` over the whole canvas.
struct CanvasPainter: FragmentPainter {
  let context: PaintContext

  /// https://drafts.csswg.org/css-backgrounds-3/#special-backgrounds
  func paintCanvas() {
    guard let (source, root) = source() else { return }
    let fragment = fragments[root.fragment], style = tree[source].style
    guard style.hasBackground else { return }
    context.canvasBox = source
    guard tree[source].style.text.visibility == .visible || tree[fragment.box].node == tree[source].node else { return }
    let color = style.background.color.resolve(style.text.color)
    fill(recorder.list.bounds, color)
    guard style.background.layers.contains(where: { $0.image != .none }) else { return }
    let geometry = BoxGeometry(context, fragment, root.offset)
    for layer in style.background.layers.reversed() where !context.hasFailed {
      backgrounds.paint(layer, style, geometry, fragment, canvas: RoundedRect(recorder.list.bounds))
    }
  }

  /// Whether the canvas has a background, with which the root group may blend.
  var hasBackground: Bool { source().map { tree[$0.box].style.hasBackground } ?? false }

  /// The box whose background propagates to the canvas, and the fragment of the root element.
  private func source() -> (box: BoxID, root: FragmentLink)? {
    guard fragments.fragments.indices.contains(fragments.root.index),
      let root = fragments.links[fragments[fragments.root].children].first(where: { link in
        fragments.fragments.indices.contains(link.fragment.index) && fragments[link.fragment].kind == .box
          && tree[fragments[link.fragment].box].isRoot
      })
    else { return nil }
    let box = fragments[root.fragment].box
    // The background of a table is painted by its grid box.
    let source = tree.children(of: box).first { tree[$0].kind == .tableGrid } ?? box
    if !tree[source].style.hasBackground, let body = bodyBox(of: box), tree[body].style.hasBackground { return (body, root) }
    return (source, root)
  }

  private func bodyBox(of root: BoxID) -> BoxID? {
    let document = tree.styled.document
    guard !tree[root].node.isNone, document[tree[root].node].name == .html else { return nil }
    return bodyBox(in: root, of: document, html: tree[root].node, depth: 0)
  }

  /// If the root element is a table, the box of `body` is nested in anonymous table boxes.
  private func bodyBox(in parent: BoxID, of document: Document, html: NodeID, depth: Int) -> BoxID? {
    for box in tree.children(of: parent) {
      let node = tree[box].node
      let isElement = !node.isNone && tree[box].pseudo == nil && document[node].kind == .element
      if isElement, document[node].name == .body, document[node].parent == html { return box }
      guard depth < 6, tree[box].isAnonymous || tree[box].kind == .tableGrid else { continue }
      if let found = bodyBox(in: box, of: document, html: html, depth: depth + 1) { return found }
    }
    return nil
  }
}
