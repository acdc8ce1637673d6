import CSS
import CoreTypes
import DOM
import Layout

/// The background of the root element, or of `body`, over all of the picture.
struct CanvasPainter: FragmentPainter {
  let context: PaintContext

  /// https://drafts.csswg.org/css-backgrounds-3/#special-backgrounds
  func paintCanvas() {
    guard
      let root = fragments.links[fragments[fragments.root].children].first(where: { link in
        fragments.fragments.indices.contains(link.fragment.index) && fragments[link.fragment].kind == .box
          && tree[fragments[link.fragment].box].isRoot
      })
    else { return }
    let fragment = fragments[root.fragment]
    // A table's background is its grid's.
    var source = tree.children(of: fragment.box).first { tree[$0].kind == .tableGrid } ?? fragment.box
    var style = tree[source].style
    if !style.hasBackground, let body = bodyBox(of: fragment.box), tree[body].style.hasBackground {
      source = body
      style = tree[body].style
    }
    guard style.hasBackground else { return }
    context.canvasBox = source
    guard tree[source].style.text.visibility == .visible || tree[fragment.box].node == tree[source].node else { return }
    let color = style.background.color.resolve(style.text.color)
    fill(recorder.list.bounds, color)
    guard style.background.layers.contains(where: { $0.image != .none }) else { return }
    let geometry = BoxGeometry(context, fragment, root.offset)
    for layer in style.background.layers.reversed() {
      backgrounds.paint(layer, style, geometry, fragment, canvas: RoundedRect(recorder.list.bounds))
    }
  }

  private func bodyBox(of root: BoxID) -> BoxID? {
    let document = tree.styled.document
    guard !tree[root].node.isNone, document[tree[root].node].name == .html else { return nil }
    return bodyBox(in: root, of: document, html: tree[root].node, depth: 0)
  }

  /// Where the root is a table, `body` is in its anonymous parts.
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
