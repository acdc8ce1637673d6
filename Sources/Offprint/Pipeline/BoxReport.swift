import CSS
import CoreTypes
import DOM
import Layout

/// The border box of each element, from the fragments: what `inspect --json` prints.
struct BoxReport {
  private let page: LaidOutPage
  private var boxes: [LayoutRect?]

  init(_ page: LaidOutPage) {
    self.page = page
    boxes = Array(repeating: nil, count: page.styled.document.nodes.count)
    if !page.fragments.root.isNone { visit(page.fragments.root, at: .zero) }
  }

  /// The union of an element's fragments; nil where it has none.
  func box(of node: NodeID) -> LayoutRect? { boxes[node.index] }

  private mutating func visit(_ id: FragmentID, at origin: LayoutPoint) {
    let fragment = page.fragments[id]
    if fragment.kind == .box, !fragment.isFirstLine {
      let box = page.tree[fragment.box]
      if !box.node.isNone, box.pseudo == nil, page.styled.document[box.node].kind == .element {
        let rect = LayoutRect(origin: origin, size: fragment.size)
        boxes[box.node.index] = boxes[box.node.index].map { union($0, rect) } ?? rect
      }
    }
    for link in page.fragments.children(of: id) { visit(link.fragment, at: origin + link.offset) }
  }

  /// As `getBoundingClientRect`: an empty rectangle does not count beside one that is not.
  private func union(_ a: LayoutRect, _ b: LayoutRect) -> LayoutRect {
    if b.size.width == .zero || b.size.height == .zero { return a }
    if a.size.width == .zero || a.size.height == .zero { return b }
    return a.union(b)
  }

  /// `[[path,x,y,width,height],…]` in document order.
  var json: String {
    var items: [String] = []
    let root = page.styled.document.documentElement
    if !root.isNone { list(root, path: "0", into: &items) }
    return "[\(items.joined(separator: ","))]"
  }

  private func list(_ node: NodeID, path: String, into items: inout [String]) {
    let document = page.styled.document
    if let rect = boxes[node.index] {
      let numbers = [rect.minX, rect.minY, rect.size.width, rect.size.height].map { JSONText.number($0.double) }
      items.append("[\"\(path)\",\(numbers.joined(separator: ","))]")
    }
    var child = document[node].firstChild
    var index = 0
    while !child.isNone {
      if document[child].kind == .element {
        list(child, path: "\(path)/\(index)", into: &items)
        index += 1
      }
      child = document[child].nextSibling
    }
  }
}
