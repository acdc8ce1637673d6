internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// https://drafts.csswg.org/css-pseudo-4/#first-line-pseudo
enum FirstLine {
  /// The style of the first line of `box`: its own `::first-line`, nested in those of the block containers with the same first formatted
  /// line. nil if no `::first-line` applies.
  static func style(_ engine: LayoutEngine, _ box: BoxID) -> ComputedStyle? {
    guard engine.hasFirstLines else { return nil }
    if let known = engine.inlineCache.firstLineStyles[box] { return known }
    let found = find(engine, box)
    engine.inlineCache.firstLineStyles[box] = .some(found)
    return found
  }

  private static func find(_ engine: LayoutEngine, _ box: BoxID) -> ComputedStyle? {
    var owners: [(style: ComputedStyle, firstLine: ComputedStyle)] = []
    var current = box
    for _ in 0..<1024 {
      if let own = ownStyle(engine, current) {
        // Chromium only applies the `::first-line` of the innermost block.
        owners.append((engine.style(current), own))
        break
      }
      guard let outer = containerOfSameFirstLine(engine, current) else { break }
      current = outer
    }
    guard !owners.isEmpty else { return nil }
    // Each pseudo-element is nested in those of the outer blocks, so the innermost declarations override the others.
    let arena = engine.tree.arena
    let style = engine.style(box)
    var result = style
    var background: ComputedStyle?
    for (owner, firstLine) in owners.reversed() {
      result = arena.reinherited(firstLine, from: owner, to: result)
      if hasBackground(firstLine) || background == nil { background = firstLine }
    }
    // Of the box properties only backgrounds apply to `::first-line`.
    return arena.modified(result) {
      $0.border = arena.initialStyle.record.pointee.border
      if let background { $0.background = background.record.pointee.background }
    }
  }

  /// Whether the box is an anonymous block container after a block-level sibling, which has no first formatted line.
  static func isContinuation(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard engine.tree[box].isAnonymous else { return false }
    let parent = engine.tree[box].parent
    guard !parent.isNone, engine.tree[parent].kind == .blockContainer || engine.tree[parent].kind == .tableCell else { return false }
    // The contents of a fieldset start after its legend.
    let isFieldset = engine.tree.isElement(parent, .fieldset)
    return engine.tree.children(of: parent).first {
      engine.tree[$0].isInFlow && !engine.tree[$0].isOutsideMarker && !(isFieldset && engine.tree.isElement($0, .legend))
    } != box
  }

  static func hasBackground(_ style: ComputedStyle) -> Bool {
    let background = style.background
    return !background.color.resolve(style.text.color).isTransparent || background.layers.contains { $0.image != .none }
  }

  private static func ownStyle(_ engine: LayoutEngine, _ id: BoxID) -> ComputedStyle? {
    let box = engine.tree[id]
    guard !box.node.isNone, box.kind == .blockContainer || box.kind == .tableCell else { return nil }
    let styled = engine.tree.styled
    if box.pseudo == .detailsContent { return styled.style(of: box.node, .detailsFirstLine) }
    // https://w3c.github.io/mathml-core/#css-styling: MathML elements have no `::first-line`.
    guard box.pseudo == nil, let style = styled.style(of: box.node, .firstLine) else { return nil }
    return styled.document[box.node].namespace == .mathML ? nil : style
  }

  /// The parent, if `id` is its first in-flow block-level child. https://drafts.csswg.org/css-pseudo-4/#first-text-line
  private static func containerOfSameFirstLine(_ engine: LayoutEngine, _ id: BoxID) -> BoxID? {
    let box = engine.tree[id]
    guard !box.parent.isNone, box.kind == .blockContainer, !box.isInlineLevel, box.isInFlow, !box.isOutsideMarker else { return nil }
    let parent = engine.tree[box.parent]
    guard parent.kind == .blockContainer || parent.kind == .tableCell else { return nil }
    let first = engine.tree.children(of: box.parent).first { engine.tree[$0].isInFlow && !engine.tree[$0].isOutsideMarker }
    return first == id ? box.parent : nil
  }
}
