import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

/// A stacking context, or a positioned box that is painted atomically like one.
///
/// In Chromium each fragment of a broken block-level box that creates a stacking context has transforms, clips and groups of its own, so each of
/// them is a layer.
struct PaintLayer {
  struct Piece {
    var fragment: FragmentID
    var offset: LayoutPoint
    /// Index of the innermost clip; -1 if absent.
    var clip: Int32
  }
  var box: BoxID
  var pieces: [Piece]
  var isStackingContext: Bool
  var zIndex: Int
  var order: Int
  /// The nearest box of an ancestor element.
  var container: (fragment: FragmentID, offset: LayoutPoint)?
  /// Layers painted in this stacking context, sorted by z-index and tree order.
  var children: [Int] = []
  /// The innermost clip common to all contents; -1 if absent.
  var commonClip: Int32
  /// The innermost stacking context around its first fragment; -1 for the root.
  var enclosing: Int32
  /// Of the first layer of a box: the index of the last one.
  var last: Int32 = -1
  /// Whether a descendant has `backdrop-filter`.
  var hasBackdropsInside = false
}

/// A clip and the index of the enclosing one.
struct ClipNode {
  var parent: Int32
  var depth: Int32
  var shape: ClipShape
}

extension StackingContextPainter {
  /// Collects all layers and their clips, and assigns layers to stacking contexts.
  func collectLayers(_ root: FragmentID? = nil) throws {
    let root = root ?? fragments.root
    if isCut(root) { inkTops = InkTops(count: fragments.fragments.count, tree: tree) }
    try collect(root, .zero, clip: -1, enclosing: -1, container: nil, depth: 0)
    let order = treeOrder()
    for index in layers.indices.dropFirst() {
      layers[index].order = order?[layers[index].box.index] ?? layers[index].box.index
      let parent = stackingParent(of: index)
      layers[parent].children.append(index)
      // Stops at the first ancestor whose common clip already encloses this one.
      var ancestor = parent
      var seen = 0
      while ancestor >= 0, seen < 4096 {
        let common = commonAncestor(layers[ancestor].commonClip, layers[index].commonClip)
        if common == layers[ancestor].commonClip { break }
        layers[ancestor].commonClip = common
        ancestor = ancestor == 0 ? -1 : stackingParent(of: ancestor)
        seen += 1
      }
    }
    noteBackdrops()
    for index in layers.indices where layers[index].children.count > 1 {
      // Sorted in a variable, because sorting in place would copy all layers for the comparison.
      let sorted = layers[index].children.sorted {
        (layers[$0].zIndex, layers[$0].order, $0) < (layers[$1].zIndex, layers[$1].order, $1)
      }
      layers[index].children = sorted
    }
  }

  private func noteBackdrops() {
    for index in layers.indices.dropFirst() where !tree[layers[index].box].style.effects.backdropFilter.isEmpty {
      var outer = stackingParent(of: index)
      while !layers[outer].hasBackdropsInside {
        layers[outer].hasBackdropsInside = true
        if outer > 0 { outer = stackingParent(of: outer) }
      }
    }
  }

  /// Whether the page extends below the image.
  private func isCut(_ root: FragmentID) -> Bool {
    guard fragments.fragments.indices.contains(root.index), fragments.firstLines.isEmpty, !recorder.recordsText else { return false }
    return context.y(fragments[root].overflow.maxY) > Double(recorder.clipBounds.bottom) + 256
  }

  /// - Returns: The top of the ink; see `InkTops`.
  @discardableResult
  private func collect(
    _ id: FragmentID, _ offset: LayoutPoint, clip: Int32, enclosing: Int32, container: (fragment: FragmentID, offset: LayoutPoint)?,
    depth: Int
  ) throws -> LayoutUnit {
    guard context.mayGo(to: depth) else { return .min }
    try context.step()
    let fragment = fragments[id]
    guard !fragment.isOmittedFromPaint else { return .max }
    var clip = clip, inner = container, enclosing = enclosing
    var top = LayoutUnit.max
    if fragment.kind == .box {
      let box = tree[fragment.box]
      if let shape = clipProperty(fragment, offset) { clip = addClip(shape, inside: clip) }
      enclosing = noteLayer(fragment, box, PaintLayer.Piece(fragment: id, offset: offset, clip: clip), enclosing, container)
      if box.kind != .inline, !box.isAnonymous { inner = (id, offset) }
      if let shape = overflowClip(fragment, offset) { clip = addClip(shape, inside: clip) }
      if let inkTops { top = inkTops.box(fragment, box, at: offset.y, tree) }
    }
    for link in fragments.links[fragment.children] {
      guard fragments.fragments.indices.contains(link.fragment.index), fragments[link.fragment].kind != .text,
        !fragments[link.fragment].isFirstLine
      else {
        if inkTops != nil { top = min(top, textTop(link, offset)) }
        continue
      }
      top = min(top, try collect(link.fragment, offset + link.offset, clip: clip, enclosing: enclosing, container: inner, depth: depth + 1))
    }
    inkTops?.note(id, top)
    return top
  }

  private func textTop(_ link: FragmentLink, _ offset: LayoutPoint) -> LayoutUnit {
    guard fragments.fragments.indices.contains(link.fragment.index) else { return .max }
    let number = Int(fragments[link.fragment].payload)
    guard fragments[link.fragment].kind == .text, fragments.texts.indices.contains(number) else { return .min }
    return inkTops?.text(fragments[link.fragment], fragments.texts[number], at: offset.y + link.offset.y) ?? .min
  }

  /// Whether all ink of a fragment is below the visible area.
  func isBelow(_ id: FragmentID) -> Bool {
    guard let inkTops, transform == .identity, let top = inkTops.top(id) else { return false }
    return context.y(top) >= Double(recorder.clipBounds.bottom) + 2
  }

  /// Adds a fragment to its layer. Returns the innermost stacking context of the fragment's children.
  private func noteLayer(
    _ fragment: Fragment, _ box: Box, _ piece: PaintLayer.Piece, _ enclosing: Int32,
    _ container: (fragment: FragmentID, offset: LayoutPoint)?
  ) -> Int32 {
    let isRoot = layers.isEmpty
    let isContext = isRoot || isStackingContext(box) || isHiddenWhenTurned(box)
    guard isContext || (box.style.box.position != .static && !box.isTextual) || box.isFloating && isInInlineContext(box) else {
      return enclosing
    }
    let first = Int(layerOfBox[fragment.box.index]), index = Int32(layers.count)
    if first >= 0 {
      let last = Int(layers[first].last)
      if !isContext || box.kind == .inline, layers[last].enclosing == enclosing {
        layers[last].pieces.append(piece)
        layers[last].commonClip = commonAncestor(layers[last].commonClip, piece.clip)
        return isContext ? Int32(last) : enclosing
      }
      layers[first].last = index
    } else {
      layerOfBox[fragment.box.index] = index
    }
    layers.append(
      PaintLayer(
        box: fragment.box, pieces: [piece], isStackingContext: isContext, zIndex: isRoot ? 0 : usedZIndex(box), order: fragment.box.index,
        container: container, commonClip: piece.clip, enclosing: enclosing, last: index))
    return isContext ? index : enclosing
  }

  // MARK: Creation of stacking contexts

  private func isItem(_ box: Box) -> Bool {
    guard !box.parent.isNone else { return false }
    let kind = tree[box.parent].kind
    return kind == .flexContainer || kind == .gridContainer
  }

  /// Floats are not among the fragments of the inline boxes around them, but belong to the stacking contexts of those.
  private func isInInlineContext(_ box: Box) -> Bool {
    var id = box.parent, depth = 0
    while !id.isNone, tree[id].kind == .inline, depth < 1024 {
      if isStackingContext(tree[id]) { return true }
      id = tree[id].parent
      depth += 1
    }
    return false
  }

  private func usedZIndex(_ box: Box) -> Int {
    box.style.box.position != .static || isItem(box) ? box.style.box.zIndex ?? 0 : 0
  }

  /// https://drafts.csswg.org/css2/#stacking-context and the modules that extend it.
  private func isStackingContext(_ box: Box) -> Bool {
    if box.isRoot { return true }
    if box.isTextual { return false }
    let style = box.style
    switch style.box.position {
    case .fixed, .sticky: return true
    case .relative, .absolute: if style.box.zIndex != nil { return true }
    case .static: if style.box.zIndex != nil, isItem(box) { return true }
    }
    // Most boxes share the effects record last found to create no stacking context.
    let effects = style.record.pointee.effects
    if effects != plainEffects {
      if style.effects.opacity < 1 || !style.effects.filter.isEmpty || !style.effects.backdropFilter.isEmpty
        || style.effects.mixBlendMode != .normal || style.effects.isolation == .isolate || style.effects.willChangeStackingContext
        || style.effects.clipPath != .none || style.effects.reflection != nil || style.hasMask
      {
        return true
      }
      if style.effects.hasTransform || style.effects.perspective != nil || style.effects.transformStyle == .preserve3d {
        if isTransformable(box) { return true }
      } else {
        plainEffects = effects
      }
    }
    guard !style.box.contain.isEmpty || style.box.contentVisibility == .auto else { return false }
    return !style.box.containment.isDisjoint(with: [.layout, .paint]) && box.kind != .inline
  }

  /// Whether the box is a separate plane so that its back face can be hidden.
  /// https://drafts.csswg.org/css-transforms-2/#backface-visibility-property
  private func isHiddenWhenTurned(_ box: Box) -> Bool {
    guard box.style.effects.backfaceVisibility == .hidden, isTransformable(box), !box.parent.isNone else { return false }
    return tree[box.parent].style.effects.transformStyle == .preserve3d
  }

  /// https://drafts.csswg.org/css-transforms-1/#transformable-element
  func isTransformable(_ box: Box) -> Bool {
    switch box.kind {
    case .inline, .text, .lineBreak, .tableColumn, .tableColumnGroup: false
    default: true
    }
  }

  // MARK: The tree of layers

  private func stackingParent(of index: Int) -> Int {
    var box = tree[layers[index].box].parent
    while !box.isNone {
      let layer = Int(layerOfBox[box.index])
      if layer >= 0, layers[layer].isStackingContext {
        return Int(layers[layer].last) == layer ? layer : part(of: box, around: index) ?? layer
      }
      box = tree[box].parent
    }
    return 0
  }

  /// The layer of those of a broken box whose fragment contains a layer. Nil if none does, as of an out-of-flow box elsewhere.
  private func part(of box: BoxID, around index: Int) -> Int? {
    var enclosing = Int(layers[index].enclosing)
    while layers.indices.contains(enclosing) {
      if layers[enclosing].box == box { return enclosing }
      enclosing = Int(layers[enclosing].enclosing)
    }
    return nil
  }

  /// The index of each box in order-modified document order; nil if it equals the order of the boxes.
  private func treeOrder() -> [Int]? {
    guard tree.boxes.contains(where: { $0.style.align.order != 0 }) else { return nil }
    var result = [Int](repeating: 0, count: tree.boxes.count), stack = [BoxID(0)], next = 0
    while let box = stack.popLast() {
      result[box.index] = next
      next += 1
      var children = Array(tree.children(of: box))
      if tree[box].kind == .flexContainer || tree[box].kind == .gridContainer {
        children = children.enumerated().sorted {
          (tree[$0.element].style.align.order, $0.offset) < (tree[$1.element].style.align.order, $1.offset)
        }.map(\.element)
      }
      stack.append(contentsOf: children.reversed())
    }
    return result
  }

  // MARK: Clips

  private func addClip(_ shape: ClipShape, inside parent: Int32) -> Int32 {
    clipNodes.append(ClipNode(parent: parent, depth: parent < 0 ? 0 : clipNodes[Int(parent)].depth + 1, shape: shape))
    return Int32(truncatingIfNeeded: clipNodes.count - 1)
  }

  private func commonAncestor(_ a: Int32, _ b: Int32) -> Int32 {
    var (a, b) = (a, b)
    while a != b {
      guard a >= 0, b >= 0 else { return -1 }
      let (x, y) = (clipNodes[Int(a)], clipNodes[Int(b)])
      if x.depth >= y.depth { a = x.parent }
      if y.depth >= x.depth { b = y.parent }
    }
    return a
  }

  /// Pushes the clips inside of `from`, which is in effect, down to `to`. Returns their number.
  func enterClips(from: Int32, to: Int32) -> Int {
    var path: [ClipShape] = []
    var node = to
    while node >= 0, node != from {
      path.append(clipNodes[Int(node)].shape)
      node = clipNodes[Int(node)].parent
    }
    for shape in path.reversed() { pushClip(shape) }
    return path.count
  }

  func leaveClips(_ count: Int) { for _ in 0..<count { popClip() } }

  /// The clip of a box's contents. https://drafts.csswg.org/css-overflow-3/#overflow-control
  func overflowClip(_ fragment: Fragment, _ offset: LayoutPoint) -> ClipShape? {
    let computed = tree[fragment.box].style
    let containsPaint = computed.box.containment.contains(.paint)
    // Avoids copying the style for most boxes.
    guard computed.box.overflowX != .visible || computed.box.overflowY != .visible || containsPaint else { return nil }
    let box = tree[fragment.box], style = computed.box
    switch box.kind {
    case .inline, .text, .lineBreak, .tableRow, .tableRowGroup, .tableColumn, .tableColumnGroup, .tableWrapper, .replaced: return nil
    default: break
    }
    guard containsPaint || !propagatesOverflow(fragment.box) else { return nil }
    let geometry = BoxGeometry(context, fragment, offset)
    let clipsX = style.overflowX != .visible || containsPaint, clipsY = style.overflowY != .visible || containsPaint
    var shape = geometry.paddingShape
    if style.overflowX == .clip || style.overflowY == .clip {
      let margin = style.overflowClipMargin
      shape = geometry.shape(margin.box)
      if margin.margin > 0 { shape = shape.spread(length(margin.margin)) }
    }
    if clipsX && clipsY { return shape.pixels.map { .rect($0) } ?? .rounded(shape) }
    let far = 100_000_000
    var rect = shape.rect.enclosing
    if !clipsX { (rect.left, rect.right) = (-far, far) }
    if !clipsY { (rect.top, rect.bottom) = (-far, far) }
    return .rect(rect)
  }

  /// Whether the overflow of the root element or of `body` is propagated to the viewport.
  /// https://drafts.csswg.org/css-overflow-3/#overflow-propagation
  private func propagatesOverflow(_ id: BoxID) -> Bool {
    let box = tree[id]
    if box.isRoot || box.parent.isNone { return true }
    let parent = tree[box.parent]
    guard parent.isRoot, !box.node.isNone, parent.style.box.overflowX == .visible, parent.style.box.overflowY == .visible else {
      return false
    }
    let document = tree.styled.document
    return document[box.node].name == .body && document[box.node].namespace == .html && box.pseudo == nil
  }

  /// https://drafts.csswg.org/css-masking-1/#clip-property
  private func clipProperty(_ fragment: Fragment, _ offset: LayoutPoint) -> ClipShape? {
    let box = tree[fragment.box]
    guard let clip = box.style.effects.clip, box.isOutOfFlow else { return nil }
    let rect = LayoutRect(origin: offset, size: fragment.size)
    func edge(_ value: Float?, _ start: LayoutUnit, _ auto: LayoutUnit) -> LayoutUnit { value.map { start + LayoutUnit($0) } ?? auto }
    let left = edge(clip.left, rect.minX, rect.minX), top = edge(clip.top, rect.minY, rect.minY)
    let right = edge(clip.right, rect.minX, rect.maxX), bottom = edge(clip.bottom, rect.minY, rect.maxY)
    return .rect(snap(LayoutRect(x: left, y: top, width: (right - left).clampedToZero, height: (bottom - top).clampedToZero)))
  }
}
