import OffprintCSS
public import OffprintCoreTypes
public import OffprintDOM
public import OffprintLayout

/// The visual position of an element on the page, as in `getBoundingClientRect()`: with the transforms of the element and its ancestors.
///
/// https://drafts.csswg.org/cssom-view/#dom-element-getboundingclientrect
public enum BoundingClientRect {
  /// The bounding box of the border boxes of an element's fragments, or of the fill of an SVG element (Chromium's `getBoundingClientRect`
  /// uses the object bounding box there).
  ///
  /// - Returns: A rectangle in CSS px from the origin of the initial containing block; nil if the element has no box or is completely
  ///   behind the viewer.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  public static func of(
    _ node: NodeID, fragments: FragmentTree, tree: BoxTree, images: ImageStore, deadline: Deadline
  ) throws -> DisplayRect? {
    let recorder = DisplayListRecorder(bounds: PixelRect(x: 0, y: 0, width: 1, height: 1))
    let context = PaintContext(
      fragments: fragments, tree: tree, images: images, scale: 1, origin: (0, 0), glyphs: nil, deadline: deadline, recorder: recorder)
    var search = BoundingRectSearch(node: node, painter: StackingContextPainter(context))
    try search.run()
    return search.result
  }

  /// Whether any box of the page is transformed. If not, border boxes are at their layout positions.
  public static func hasTransforms(_ tree: BoxTree) -> Bool {
    tree.boxes.contains { $0.style.effects.hasTransform || $0.style.effects.perspective != nil || $0.style.effects.motion.path != .none }
  }
}

/// Visits the fragments from the root and accumulates their transforms.
private struct BoundingRectSearch {
  let node: NodeID
  let painter: StackingContextPainter
  private(set) var result: DisplayRect?
  /// Whether `result` has no area. Empty rectangles are ignored if there are others.
  private var isResultEmpty = true

  init(node: NodeID, painter: StackingContextPainter) {
    self.node = node
    self.painter = painter
  }

  /// The transform and the ancestors of a fragment.
  private struct Surroundings {
    /// From the untransformed page to the visual position; nil is the identity.
    var matrix: Matrix4?
    /// The nearest box of an ancestor element, for `perspective`.
    var container: (fragment: FragmentID, offset: LayoutPoint)?
    /// The element whose 3D rendering context `matrix` belongs to.
    var preserving = BoxID.none
  }

  mutating func run() throws { try visit(painter.fragments.root, .zero, Surroundings(), depth: 0) }

  private mutating func visit(_ id: FragmentID, _ offset: LayoutPoint, _ outer: Surroundings, depth: Int) throws {
    guard painter.fragments.fragments.indices.contains(id.index), painter.context.mayGo(to: depth) else { return }
    try painter.context.step()
    let fragment = painter.fragments[id]
    var inner = outer
    if fragment.kind == .box {
      let box = painter.tree[fragment.box]
      enter(&inner, fragment, offset)
      if !fragment.isFirstLine, box.node == node, box.pseudo == nil {
        include(DisplayRect(LayoutRect(origin: offset, size: fragment.size)), inner.matrix)
      }
      if box.kind != .inline, !box.isAnonymous { inner.container = (id, offset) }
      visitDrawing(fragment, offset, inner.matrix)
    }
    for link in painter.fragments.children(of: id) { try visit(link.fragment, offset + link.offset, inner, depth: depth + 1) }
  }

  /// Adds the transform of the fragment itself. If the fragment does not extend a 3D rendering context, the outer matrix is flattened.
  /// https://drafts.csswg.org/css-transforms-2/#accumulated-3d-transformation-matrix-computation
  private func enter(_ surroundings: inout Surroundings, _ fragment: Fragment, _ offset: LayoutPoint) {
    let box = painter.tree[fragment.box]
    let layer = PaintLayer(
      box: fragment.box, pieces: [], isStackingContext: true, zIndex: 0, order: 0, container: surroundings.container, commonClip: -1,
      enclosing: -1)
    let isPreserved = !surroundings.preserving.isNone && painter.elementParent(fragment.box) == surroundings.preserving
    guard painter.isTransformable(box), let own = painter.matrix(layer, fragment, offset) else {
      if painter.preserves3D(layer), surroundings.matrix != nil { surroundings.preserving = fragment.box }
      return
    }
    let around = isPreserved ? surroundings.matrix : surroundings.matrix?.flattened
    surroundings.matrix = around.map { $0 * own } ?? own
    surroundings.preserving = painter.preserves3D(layer) ? fragment.box : .none
  }

  private mutating func include(_ rect: DisplayRect, _ matrix: Matrix4?) {
    guard let seen = matrix.map({ $0.boundingRect(of: rect) }) ?? rect else { return }
    let isEmpty = seen.width <= 0 || seen.height <= 0
    if result == nil || isResultEmpty {
      (result, isResultEmpty) = (seen, isEmpty)
    } else if !isEmpty {
      result = result?.union(seen)
    }
  }

  // MARK: SVG

  private mutating func visitDrawing(_ fragment: Fragment, _ offset: LayoutPoint, _ matrix: Matrix4?) {
    let document = painter.tree.styled.document
    guard document.nodes.indices.contains(node.index), document[node].namespace == .svg, painter.tree[fragment.box].kind == .replaced,
      painter.fragments.drawings.indices.contains(Int(fragment.payload))
    else { return }
    let content = LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border + fragment.padding)
    let root = painter.fragments.drawings[Int(fragment.payload)].root
    let place = AffineTransform.translation(content.minX.double, content.minY.double).concatenating(root.transform)
    for child in root.children { visitShape(child, place, matrix, depth: 0) }
  }

  private mutating func visitShape(_ shape: SVGNode, _ outer: AffineTransform, _ matrix: Matrix4?, depth: Int) {
    guard depth < 1000 else { return }
    let total = outer.concatenating(shape.transform)
    if shape.reference.node == node, shape.reference.instance < 0, let bounds = shape.bounds { include(total.mapRect(bounds), matrix) }
    for child in shape.children { visitShape(child, total, matrix, depth: depth + 1) }
  }
}

extension Matrix4 {
  /// The matrix with z set to 0 in its results.
  fileprivate var flattened: Matrix4 {
    var result = self
    result.m.0.z = 0
    result.m.1.z = 0
    result.m.2 = SIMD4(0, 0, 1, 0)
    result.m.3.z = 0
    return result
  }

  /// The bounding box of a mapped rectangle; nil if a corner is behind the viewer or at infinity.
  fileprivate func boundingRect(of rect: DisplayRect) -> DisplayRect? {
    let corners = [
      DisplayPoint(rect.x, rect.y), DisplayPoint(rect.maxX, rect.y), DisplayPoint(rect.x, rect.maxY), DisplayPoint(rect.maxX, rect.maxY),
    ].map { map($0) }
    guard corners.allSatisfy({ $0.w > 1e-9 }) else { return nil }
    let xs = corners.map { $0.x / $0.w }, ys = corners.map { $0.y / $0.w }
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(), left.isFinite, right.isFinite, top.isFinite,
      bottom.isFinite
    else { return nil }
    return DisplayRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
