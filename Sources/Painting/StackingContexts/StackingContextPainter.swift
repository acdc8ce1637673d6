import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// The painting steps for the contents of a stacking context, excluding nested layers.
/// https://drafts.csswg.org/css2/#painting-order
enum PaintPhase {
  /// Step 4: backgrounds and borders of block-level boxes.
  case blockBackgrounds
  /// Step 5.
  case floats
  /// Step 7: inline-level content, replaced content, and boxes that are painted atomically.
  case foreground
  /// Step 10.
  case outlines
}

/// Paints layers in the order of https://drafts.csswg.org/css2/#elaborate-stacking-contexts.
final class StackingContextPainter: FragmentPainter {
  let context: PaintContext
  var layers: [PaintLayer] = []
  /// The layer of each box; -1 for boxes without one.
  var layerOfBox: [Int32]
  var clipNodes: [ClipNode] = []
  /// The effects record that was last found to create no stacking context.
  var plainEffects: UnsafePointer<EffectStyle>?
  /// Set if the page extends below the image.
  var inkTops: InkTops?
  /// The layer in which the canvas background is painted.
  private var canvasLayer = 0
  /// Number of nested reflections being painted.
  var openReflections = 0

  init(_ context: PaintContext) {
    self.context = context
    layerOfBox = Array(repeating: -1, count: context.tree.boxes.count)
  }

  func paintPage() throws {
    guard fragments.fragments.indices.contains(fragments.root.index), !recorder.list.bounds.isEmpty else { return }
    try collectLayers()
    canvasLayer = findCanvasLayer()
    if !layers.isEmpty { try paintLayer(0, under: -1, depth: 0) }
  }

  /// Paints a fragment tree that is not part of the page, with its root at the origin: the contents of a `foreignObject`.
  func paintTree(_ root: FragmentID) throws {
    guard fragments.fragments.indices.contains(root.index) else { return }
    try collectLayers(root)
    if !layers.isEmpty { try paintLayer(0, under: -1, depth: 0, isPage: false) }
  }

  /// - Parameter clip: The clip in effect, outside of those of the layer.
  func paintLayer(_ index: Int, under clip: Int32, depth: Int, isPage: Bool = true) throws {
    guard context.mayGo(to: depth) else { return }
    let layer = layers[index]
    let clips = enterClips(from: clip, to: layer.commonClip)
    if index > 0, preserves3D(layer) {
      try paintScene(index, depth: depth)
    } else if index == 0 {
      try paintOrdered(index, layer.children, depth: depth, isPage: isPage)
    } else if let effects = openEffects(layer) {
      if let reflection = tree[layer.box].style.effects.reflection { try paintReflection(reflection, of: index, depth: depth) }
      try paintOrdered(index, layer.children, depth: depth, isPage: isPage)
      closeEffects(effects, layer)
    }
    leaveClips(clips)
  }

  /// Paints the contents of a layer and the given child layers, in painting order.
  func paintOrdered(_ index: Int, _ children: [Int], depth: Int, isPage: Bool = true) throws {
    let layer = layers[index]
    let split = children.firstIndex { layers[$0].zIndex >= 0 } ?? children.count
    let hasNegative = split > 0
    try paintPieces(layer) { fragment, offset in
      if isPage, index == canvasLayer { canvas.paintCanvas() }
      if index > 0 || !isPage { self.paintOwnBackground(fragment, offset) }
      if !hasNegative { try self.paintContents(fragment, offset, depth: depth) }
    }
    for child in children[..<split] { try paintLayer(child, under: layer.commonClip, depth: depth + 1) }
    if hasNegative { try paintPieces(layer) { try self.paintContents($0, $1, depth: depth) } }
    for child in children[split...] { try paintLayer(child, under: layer.commonClip, depth: depth + 1) }
  }

  /// The layer in which the canvas background is painted: the outermost one, or that of the root element if it has effects.
  /// https://drafts.fxtf.org/compositing/#rootgroup
  private func findCanvasLayer() -> Int {
    guard let root = layers.firstIndex(where: { tree[$0.box].isRoot }) else { return 0 }
    let style = tree[layers[root].box].style, effects = style.effects
    if effects.hasTransform || effects.mixBlendMode != .normal { return 0 }
    return effects.opacity < 1 || !effects.filter.isEmpty || effects.clipPath != .none || style.hasMask ? root : 0
  }

  private func paintPieces(_ layer: PaintLayer, _ body: (FragmentID, LayoutPoint) throws -> Void) throws {
    for piece in layer.pieces {
      let clips = enterClips(from: layer.commonClip, to: piece.clip)
      try body(piece.fragment, piece.offset)
      leaveClips(clips)
    }
  }

  /// Paints steps 2 and 4 to 10 for the root of a (pseudo-)stacking context.
  func paintAtomically(_ id: FragmentID, _ offset: LayoutPoint, depth: Int) throws {
    guard context.mayGo(to: depth) else { return }
    paintOwnBackground(id, offset)
    try paintContents(id, offset, depth: depth)
  }

  private func paintOwnBackground(_ id: FragmentID, _ offset: LayoutPoint) {
    let fragment = fragments[id]
    boxes.paintDecoration(fragment, offset)
    if tree[fragment.box].kind == .tableRow || tree[fragment.box].kind == .tableRowGroup { tables.paintTablePart(fragment, offset) }
  }

  private func paintContents(_ id: FragmentID, _ offset: LayoutPoint, depth: Int) throws {
    let fragment = fragments[id]
    if fragment.kind == .text { return text.paintText(fragment, offset) }
    replaced.paintReplaced(fragment, offset)
    for phase in [PaintPhase.blockBackgrounds, .floats, .foreground, .outlines] {
      if phase == .foreground { paintGapRules(id, offset) }
      try paintChildren(of: id, offset, phase, depth: depth + 1)
      if phase == .blockBackgrounds { tables.paintCollapsedBorders(fragment, offset) }
    }
    outlines.paintOutline(fragment, offset)
  }

  /// Paints rules between columns and items. Like other contents they are clipped by `overflow`.
  /// https://drafts.csswg.org/css-gaps-1/#painting-order
  private func paintGapRules(_ id: FragmentID, _ offset: LayoutPoint) {
    let fragment = fragments[id]
    guard gapRules.hasRules(fragment) else { return }
    let clip = overflowClip(fragment, offset)
    if let clip { pushClip(clip) }
    gapRules.paint(id, offset)
    if clip != nil { popClip() }
  }

  private func paintChildren(of id: FragmentID, _ offset: LayoutPoint, _ phase: PaintPhase, depth: Int) throws {
    let fragment = fragments[id]
    guard !fragment.children.isEmpty, context.mayGo(to: depth) else { return }
    if fragment.kind == .box, tree[fragment.box].style.box.contentVisibilityHidden { return }
    if fragment.kind == .box, tree[fragment.box].kind == .inline,
      layerOfBox[fragment.box.index] >= 0 || boxes.hasInlineFragment(fragment.style)
    {
      return try context.inLine(at: offset) { try paintLinks(of: id, offset, phase, depth: depth) }
    }
    try paintLinks(of: id, offset, phase, depth: depth)
  }

  private func paintLinks(of id: FragmentID, _ offset: LayoutPoint, _ phase: PaintPhase, depth: Int) throws {
    let fragment = fragments[id]
    let clip = fragment.kind == .box ? overflowClip(fragment, offset) : nil
    if let clip { pushClip(clip) }
    if phase == .blockBackgrounds, fragment.kind == .box, tree[fragment.box].kind == .tableGrid { tables.paintColumns(id, offset) }
    for link in fragments.links[fragment.children] {
      guard fragments.fragments.indices.contains(link.fragment.index), !isBelow(link.fragment) else { continue }
      try paintChild(link.fragment, offset + link.offset, phase, depth: depth)
    }
    if clip != nil { popClip() }
  }

  private func paintChild(_ id: FragmentID, _ offset: LayoutPoint, _ phase: PaintPhase, depth: Int) throws {
    try context.step()
    let fragment = fragments[id]
    guard !fragment.isOmittedFromPaint else { return }
    switch fragment.kind {
    case .text: if phase == .foreground { text.paintText(fragment, offset) }
    case .line: try context.inLine(at: offset) { try paintChildren(of: id, offset, phase, depth: depth + 1) }
    case .box where fragment.isFirstLine:
      if phase == .foreground { boxes.paintDecoration(fragment, offset) }
    case .box:
      if layerOfBox[fragment.box.index] >= 0 { return }
      let box = tree[fragment.box]
      if box.isFloating {
        if phase == .floats { try paintAtomically(id, offset, depth: depth + 1) }
      } else if isAtomic(box) {
        if phase == .foreground { try paintAtomically(id, offset, depth: depth + 1) }
      } else {
        try paintFlowBox(id, fragment, box, offset, phase, depth: depth)
      }
    }
  }

  private func isAtomic(_ box: Box) -> Bool {
    if box.isAtomicInline || box.isOutsideMarker { return true }
    guard !box.parent.isNone else { return false }
    let parent = tree[box.parent].kind
    return parent == .flexContainer || parent == .gridContainer
  }

  /// Paints a block-level box or a fragment of an inline box.
  private func paintFlowBox(
    _ id: FragmentID, _ fragment: Fragment, _ box: Box, _ offset: LayoutPoint, _ phase: PaintPhase, depth: Int
  ) throws {
    let isInline = box.kind == .inline
    switch phase {
    case .blockBackgrounds where !isInline:
      boxes.paintDecoration(fragment, offset)
      if box.kind == .tableRow || box.kind == .tableRowGroup { tables.paintTablePart(fragment, offset) }
    case .foreground:
      if isInline { boxes.paintDecoration(fragment, offset) }
      replaced.paintReplaced(fragment, offset)
      paintGapRules(id, offset)
    default: break
    }
    try paintChildren(of: id, offset, phase, depth: depth + 1)
    switch phase {
    case .blockBackgrounds: tables.paintCollapsedBorders(fragment, offset)
    case .outlines: outlines.paintOutline(fragment, offset)
    case .floats, .foreground: break
    }
  }
}
