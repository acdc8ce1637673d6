import CSS
import CoreTypes
import Layout

/// The steps of painting what is in a stacking context and in no layer of its own.
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

extension DisplayListBuilder {
  /// - Parameter clip: the clip in force, around the layer's own.
  func paintLayer(_ index: Int, under clip: Int32, depth: Int) throws {
    guard depth < Self.maximumDepth else { return }
    let layer = layers[index]
    let clips = enterClips(from: clip, to: layer.commonClip)
    let effects = index == 0 ? nil : openEffects(layer)
    if index == 0 || effects != nil {
      let split = layer.children.firstIndex { layers[$0].zIndex >= 0 } ?? layer.children.count
      let hasNegative = split > 0
      try paintPieces(layer) { fragment, offset in
        if index == 0 { self.paintCanvas() } else { self.paintOwnBackground(fragment, offset) }
        if !hasNegative { try self.paintContents(fragment, offset, depth: depth) }
      }
      for child in layer.children[..<split] { try paintLayer(child, under: layer.commonClip, depth: depth + 1) }
      if hasNegative { try paintPieces(layer) { try self.paintContents($0, $1, depth: depth) } }
      for child in layer.children[split...] { try paintLayer(child, under: layer.commonClip, depth: depth + 1) }
      if let effects { closeEffects(effects, layer) }
    }
    leaveClips(clips)
  }

  private func paintPieces(_ layer: PaintLayer, _ body: (FragmentID, LayoutPoint) throws -> Void) throws {
    for piece in layer.pieces {
      let clips = enterClips(from: layer.commonClip, to: piece.clip)
      try body(piece.fragment, piece.offset)
      leaveClips(clips)
    }
  }

  /// Steps 2 and 4 to 10 for the root of a (pseudo-)stacking context.
  func paintAtomically(_ id: FragmentID, _ offset: LayoutPoint, depth: Int) throws {
    guard depth < Self.maximumDepth else { return }
    paintOwnBackground(id, offset)
    try paintContents(id, offset, depth: depth)
  }

  private func paintOwnBackground(_ id: FragmentID, _ offset: LayoutPoint) {
    let fragment = fragments[id]
    paintDecoration(fragment, offset)
    if tree[fragment.box].kind == .tableRow || tree[fragment.box].kind == .tableRowGroup { paintTablePart(fragment, offset) }
  }

  private func paintContents(_ id: FragmentID, _ offset: LayoutPoint, depth: Int) throws {
    let fragment = fragments[id]
    if fragment.kind == .text { return paintText(fragment, offset) }
    paintReplaced(fragment, offset)
    for phase in [PaintPhase.blockBackgrounds, .floats, .foreground, .outlines] {
      if phase == .foreground { paintColumnRules(fragment, offset) }
      try paintChildren(of: id, offset, phase, depth: depth + 1)
      if phase == .blockBackgrounds { paintCollapsedBorders(fragment, offset) }
    }
    paintOutline(fragment, offset)
  }

  private func paintChildren(of id: FragmentID, _ offset: LayoutPoint, _ phase: PaintPhase, depth: Int) throws {
    let fragment = fragments[id]
    guard !fragment.children.isEmpty, depth < Self.maximumDepth else { return }
    if fragment.kind == .box, tree[fragment.box].style.box.contentVisibilityHidden { return }
    let clip = fragment.kind == .box ? overflowClip(fragment, offset) : nil
    if let clip { pushClip(clip) }
    if phase == .blockBackgrounds, fragment.kind == .box, tree[fragment.box].kind == .tableGrid { paintColumns(id, offset) }
    for link in fragments.links[fragment.children] {
      guard fragments.fragments.indices.contains(link.fragment.index) else { continue }
      try paintChild(link.fragment, offset + link.offset, phase, depth: depth)
    }
    if let clip { _ = clip; popClip() }
  }

  private func paintChild(_ id: FragmentID, _ offset: LayoutPoint, _ phase: PaintPhase, depth: Int) throws {
    try step()
    let fragment = fragments[id]
    switch fragment.kind {
    case .text: if phase == .foreground { paintText(fragment, offset) }
    case .line: try paintChildren(of: id, offset, phase, depth: depth + 1)
    case .box where fragment.isFirstLine:
      if phase == .foreground { paintDecoration(fragment, offset) }
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

  /// A block-level box or a piece of an inline box.
  private func paintFlowBox(
    _ id: FragmentID, _ fragment: Fragment, _ box: Box, _ offset: LayoutPoint, _ phase: PaintPhase, depth: Int
  ) throws {
    let isInline = box.kind == .inline
    switch phase {
    case .blockBackgrounds where !isInline:
      paintDecoration(fragment, offset)
      if box.kind == .tableRow || box.kind == .tableRowGroup { paintTablePart(fragment, offset) }
    case .foreground:
      if isInline { paintDecoration(fragment, offset) }
      paintReplaced(fragment, offset)
      paintColumnRules(fragment, offset)
    default: break
    }
    try paintChildren(of: id, offset, phase, depth: depth + 1)
    switch phase {
    case .blockBackgrounds: paintCollapsedBorders(fragment, offset)
    case .outlines: paintOutline(fragment, offset)
    case .floats, .foreground: break
    }
  }

  /// The text below a fragment, for `background-clip: text`.
  func paintTextMask(_ id: FragmentID, _ offset: LayoutPoint, depth: Int = 0) {
    guard depth < Self.maximumDepth else { return }
    let fragment = fragments[id]
    if fragment.kind == .text { return paintText(fragment, offset) }
    for link in fragments.links[fragment.children] where fragments.fragments.indices.contains(link.fragment.index) {
      paintTextMask(link.fragment, offset + link.offset, depth: depth + 1)
    }
  }
}
