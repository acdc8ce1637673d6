import OffprintDOM

/// Links between elements: those of the flat tree if the document has shadow trees, otherwise those of the document.
///
/// https://drafts.csswg.org/css-scoping-1/#flattening
struct FlatTreeLinks {
  let tree: ElementTree
  /// Nil if there are no shadow trees.
  var shadows: ShadowLinks?

  /// Links by element; `ElementInfo.none` if there is no such element.
  struct ShadowLinks {
    var parents: [UInt32]
    var firstChildren: [UInt32]
    var nexts: [UInt32]

    init(_ flat: FlatTree) {
      let document = flat.document
      parents = Array(repeating: ElementInfo.none, count: document.nodes.count)
      firstChildren = parents
      nexts = parents
      for index in document.nodes.indices where document.nodes[index].kind == .element {
        var previous: NodeID?
        for child in document.elementChildren(of: NodeID(index)) {
          parents[child.index] = UInt32(truncatingIfNeeded: index)
          if let previous { nexts[previous.index] = child.raw } else { firstChildren[index] = child.raw }
          previous = child
        }
      }
    }
  }

  @inline(__always) func parent(_ element: UInt32) -> UInt32 {
    guard let shadows else { return tree[element].parent }
    return shadows.parents[Int(element)]
  }
  @inline(__always) func firstChild(_ element: UInt32) -> UInt32 {
    guard let shadows else { return tree[element].firstChild }
    return shadows.firstChildren[Int(element)]
  }
  @inline(__always) func next(_ element: UInt32) -> UInt32 {
    guard let shadows else { return tree[element].next }
    return shadows.nexts[Int(element)]
  }

  /// The element after `element` in tree order among the descendants of `root`; `ElementInfo.none` after the last.
  func nextInPreOrder(_ element: UInt32, within root: UInt32) -> UInt32 {
    let child = firstChild(element)
    if child != ElementInfo.none { return child }
    var ancestor = element
    while ancestor != ElementInfo.none, ancestor != root {
      let sibling = next(ancestor)
      if sibling != ElementInfo.none { return sibling }
      ancestor = parent(ancestor)
    }
    return ElementInfo.none
  }
}
