internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// https://drafts.csswg.org/css-position-3/#def-cb
enum ContainingBlock {
  /// Whether a box is the containing block of its absolutely positioned descendants; with `isFixed`, of fixed ones.
  static func isEstablished(_ engine: LayoutEngine, by box: BoxID, isFixed: Bool) -> Bool {
    let item = engine.tree[box]
    if box.index == 0 { return true }
    if item.isAnonymous, item.kind != .tableWrapper, item.style.box.position == .static { return false }
    // The split inline box with all of its parts is the containing block.
    if !item.splitInline.isNone { return false }
    // The wrapper box represents the table element.
    if item.kind == .tableGrid { return false }
    let style = item.style, effects = style.effects
    if isEstablished(by: style, isFixed: isFixed) { return true }
    // Filters of the root element apply to the canvas.
    return !item.isRoot && (!effects.filter.isEmpty || !effects.backdropFilter.isEmpty)
  }

  /// Whether a style establishes a containing block, without filters.
  static func isEstablished(by style: ComputedStyle, isFixed: Bool) -> Bool {
    if !isFixed, style.box.position != .static || style.effects.willChangePosition { return true }
    let effects = style.effects
    if effects.hasTransform || effects.perspective != nil || effects.transformStyle == .preserve3d { return true }
    if effects.willChangeContainingBlock { return true }
    let contain = style.box.containment
    return contain.contains(.layout) || contain.contains(.paint) || style.box.contentVisibilityHidden
  }

  /// Whether an inline box establishes a containing block. Transforms do not apply to it.
  static func isEstablished(byInline style: ComputedStyle, isFixed: Bool) -> Bool {
    let effects = style.effects
    if !isFixed, style.box.position != .static || effects.willChangePosition { return true }
    return !effects.filter.isEmpty || !effects.backdropFilter.isEmpty || effects.willChangeContainingBlock
  }

  /// Whether an inline box is split across several anonymous blocks.
  static func isSplit(_ engine: LayoutEngine, _ inline: BoxID) -> Bool {
    let box = engine.tree[inline]
    return box.lacksStartEdge || box.lacksEndEdge || !box.splitInline.isNone
  }

  /// The padding box of an inline box as a containing block: from the start of its first fragment to the end of its last, in the writing
  /// direction of the block container.
  static func rect(of inline: BoxID, _ engine: LayoutEngine, in links: [FragmentLink], direction: WritingDirection) -> LayoutRect? {
    var pieces: [LayoutRect] = []
    for link in links { collect(inline, engine, link, at: .zero, into: &pieces, depth: 0) }
    // In Chromium empty parts before and after blocks have no fragments.
    if isSplit(engine, inline), pieces.contains(where: { $0.size != .zero }) { pieces.removeAll { $0.size == .zero } }
    guard let first = pieces.first, let last = pieces.last else { return nil }
    return bounds(first, last, direction)
  }

  /// The rectangle from the start of the first rectangle to the end of the last.
  static func bounds(_ first: LayoutRect, _ last: LayoutRect, _ direction: WritingDirection) -> LayoutRect {
    func ends(_ first: (LayoutUnit, LayoutUnit), _ last: (LayoutUnit, LayoutUnit), isHorizontal: Bool) -> (LayoutUnit, LayoutUnit) {
      direction.isFlipped(horizontal: isHorizontal) ? (min(last.0, first.1), first.1) : (first.0, max(first.0, last.1))
    }
    let x = ends((first.minX, first.maxX), (last.minX, last.maxX), isHorizontal: true)
    let y = ends((first.minY, first.maxY), (last.minY, last.maxY), isHorizontal: false)
    return LayoutRect(x: x.0, y: y.0, width: x.1 - x.0, height: y.1 - y.0)
  }

  private static func collect(
    _ inline: BoxID, _ engine: LayoutEngine, _ link: FragmentLink, at origin: LayoutPoint, into pieces: inout [LayoutRect], depth: Int
  ) {
    let fragment = engine.fragments[link.fragment]
    let offset = origin + link.offset
    let box = engine.tree[fragment.box]
    let wanted = engine.tree[inline], wantedNode = wanted.splitInline.isNone ? wanted.node : wanted.splitInline
    if !box.splitInline.isNone, box.splitInline == wantedNode {
      pieces.append(LayoutRect(origin: offset, size: fragment.size))
      return
    }
    let isPiece = fragment.box == inline || (!wantedNode.isNone && box.node == wantedNode && box.pseudo == wanted.pseudo)
    if fragment.kind == .box, box.kind == .inline, isPiece {
      pieces.append(LayoutRect(origin: offset, size: fragment.size).inset(by: fragment.border))
      return
    }
    // Lines, inline boxes and anonymous blocks may contain parts of the inline box.
    guard depth < 512, fragment.kind == .line || (fragment.kind == .box && (box.kind == .inline || box.isAnonymous)) else { return }
    for child in engine.fragments.children(of: link.fragment) {
      collect(inline, engine, child, at: offset, into: &pieces, depth: depth + 1)
    }
  }
}
