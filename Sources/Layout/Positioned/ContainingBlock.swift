internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// https://drafts.csswg.org/css-position-3/#def-cb
enum ContainingBlock {
  /// Whether a box is the containing block of its absolutely positioned descendants; `isFixed`: of fixed ones too.
  static func isEstablished(_ engine: LayoutEngine, by box: BoxID, isFixed: Bool) -> Bool {
    let item = engine.tree[box]
    if box.index == 0 { return true }
    if item.isAnonymous, item.kind != .tableWrapper, item.style.box.position == .static { return false }
    // The inline box that is split is, with all of its parts.
    if !item.splitInline.isNone { return false }
    // The wrapper box of a table stands for the element.
    if item.kind == .tableGrid { return false }
    let style = item.style, effects = style.effects
    if isEstablished(by: style, isFixed: isFixed) { return true }
    // Filters of the root element apply to the canvas.
    return !item.isRoot && (!effects.filter.isEmpty || !effects.backdropFilter.isEmpty)
  }

  /// As far as the style says, but for filters.
  static func isEstablished(by style: ComputedStyle, isFixed: Bool) -> Bool {
    if !isFixed, style.box.position != .static || style.effects.willChangePosition { return true }
    let effects = style.effects
    if effects.hasTransform || effects.perspective != nil || effects.transformStyle == .preserve3d { return true }
    if effects.willChangeContainingBlock { return true }
    let contain = style.box.containment
    return contain.contains(.layout) || contain.contains(.paint) || style.box.contentVisibilityHidden
  }

  /// The same for inline boxes, which are not transformed.
  static func isEstablished(byInline style: ComputedStyle, isFixed: Bool) -> Bool {
    let effects = style.effects
    if !isFixed, style.box.position != .static || effects.willChangePosition { return true }
    return !effects.filter.isEmpty || !effects.backdropFilter.isEmpty || effects.willChangeContainingBlock
  }

  /// Whether an inline box has parts in several anonymous blocks.
  static func isSplit(_ engine: LayoutEngine, _ inline: BoxID) -> Bool {
    let box = engine.tree[inline]
    return box.lacksStartEdge || box.lacksEndEdge || !box.splitInline.isNone
  }

  /// The padding-box bounds of an inline box: from the start of its first fragment to the end of its last, in the writing direction of the
  /// block container that the lines are in.
  static func rect(of inline: BoxID, _ engine: LayoutEngine, in links: [FragmentLink], direction: WritingDirection) -> LayoutRect? {
    var pieces: [LayoutRect] = []
    for link in links { collect(inline, engine, link, at: .zero, into: &pieces, depth: 0) }
    // Parts without contents before and behind blocks have no fragments in Chromium.
    if isSplit(engine, inline), pieces.contains(where: { $0.size != .zero }) { pieces.removeAll { $0.size == .zero } }
    guard let first = pieces.first, let last = pieces.last else { return nil }
    return bounds(first, last, direction)
  }

  /// From the start of the first rectangle to the end of the last one.
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
    // Lines, and the inline boxes and anonymous blocks the inline box may be in.
    guard depth < 512, fragment.kind == .line || (fragment.kind == .box && (box.kind == .inline || box.isAnonymous)) else { return }
    for child in engine.fragments.children(of: link.fragment) {
      collect(inline, engine, child, at: offset, into: &pieces, depth: depth + 1)
    }
  }
}
