import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// https://w3c.github.io/mathml-core/#underscripts-and-overscripts-munder-mover-munderover
enum MathUnderOver {
  /// Whether limits are placed next to their operator, as in inline formulas.
  static func isLaidOutAsScripts(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard engine.style(box).font.isMathCompact, let base = engine.tree.children(of: box).first(where: { engine.tree[$0].isInFlow }) else {
      return false
    }
    return engine.coreOperator(base)?.properties.contains(.movableLimits) ?? false
  }

  /// https://w3c.github.io/mathml-core/#base-with-underscript and #base-with-overscript
  private struct Vertical {
    var underGap = LayoutUnit.zero, overGap = LayoutUnit.zero, underShift = LayoutUnit.zero, overShift = LayoutUnit.zero
    var extraDescender = LayoutUnit.zero, extraAscender = LayoutUnit.zero, accentBase = LayoutUnit.zero
    var isBar = false

    init(_ frame: MathFrame, _ core: MathOperator?) {
      if let core, core.properties.contains(.largeOp) {
        underGap = frame.constant(.lowerLimitGapMin)
        overGap = frame.constant(.upperLimitGapMin)
        underShift = frame.constant(.lowerLimitBaselineDropMin)
        overShift = frame.constant(.upperLimitBaselineRiseMin)
      } else if let core, core.isStretchy, !core.isVertical {
        underGap = frame.constant(.stretchStackGapBelowMin)
        overGap = frame.constant(.stretchStackGapAboveMin)
        underShift = frame.constant(.stretchStackBottomShiftDown)
        overShift = frame.constant(.stretchStackTopShiftUp)
      } else {
        isBar = true
        let standard = frame.defaultRule
        underGap = frame.constant(.underbarVerticalGap, else: 3 * standard)
        overGap = frame.constant(.overbarVerticalGap, else: 3 * standard)
        extraDescender = frame.constant(.underbarExtraDescender, else: standard)
        extraAscender = frame.constant(.overbarExtraAscender, else: standard)
        accentBase = frame.constant(.accentBaseHeight, else: frame.xHeight / 2)
      }
    }
  }

  static func layout(_ frame: inout MathFrame, _ kind: MathKind) throws -> LayoutResult {
    let boxes = frame.children
    guard boxes.count >= 2 else { return try MathRow.layout(&frame) }
    let children = try layoutChildren(frame, boxes)
    let vertical = Vertical(frame, frame.engine.coreOperator(boxes[0]))
    let base = children[0]
    let under = kind == .over ? nil : children[1], over = kind == .over ? children[1] : kind == .underOver ? children.last : nil
    var ascent = LayoutUnit.zero
    if let over {
      ascent += vertical.extraAscender
      frame.place(
        over, inline: frame.centered(over) + over.margin.inlineStart, block: frame.edges.blockStart + ascent + over.margin.blockStart)
      ascent += overHeight(frame, over, base, vertical)
    }
    frame.place(base, inline: frame.centered(base), baseline: frame.edges.blockStart + ascent + base.ascent)
    ascent = (ascent + base.ascent).clampedToZero + frame.edges.blockStart
    var descent = base.descent
    if let under {
      if !vertical.isBar {
        descent += max(vertical.underGap, vertical.underShift - (under.ascent - under.margin.blockStart))
      } else if !isAccent(frame, "accentunder") {
        descent += vertical.underGap
      }
      frame.place(
        under, inline: frame.centered(under) + under.margin.inlineStart, block: ascent + descent + under.margin.blockStart)
      descent += under.ascent + under.descent + vertical.extraDescender
    }
    return try frame.finish(ascent: ascent, descent: descent.clampedToZero + frame.edges.blockEnd)
  }

  /// The distance from the top margin edge of an overscript to that of the base.
  private static func overHeight(_ frame: MathFrame, _ over: MathChild, _ base: MathChild, _ vertical: Vertical) -> LayoutUnit {
    let baseline = over.ascent - over.margin.blockStart
    let margins = over.margin.blockStart + over.margin.blockEnd
    guard vertical.isBar else {
      return margins + max(over.size.block + vertical.overGap, baseline + vertical.overShift)
    }
    guard isAccent(frame, "accent") else { return margins + over.size.block + vertical.overGap }
    // Accents keep the accent base height above low bases.
    return margins + over.size.block + (vertical.accentBase - (base.ascent - base.margin.blockStart)).clampedToZero
  }

  private static func isAccent(_ frame: MathFrame, _ name: StaticString) -> Bool {
    MathAttributes.boolean(name, of: frame.engine.tree[frame.box].node, frame.engine.tree.styled.document) ?? false
  }

  // MARK: Stretching

  /// https://w3c.github.io/mathml-core/#dfn-algorithm-for-stretching-operators-along-the-inline-axis
  private static func layoutChildren(_ frame: MathFrame, _ boxes: [BoxID]) throws -> [MathChild] {
    func core(_ child: BoxID) -> MathOperator? { frame.engine.coreOperator(child).flatMap { $0.isStretchy ? $0 : nil } }
    func stretchesInline(_ child: BoxID) -> Bool { core(child).map { !$0.isVertical } ?? false }
    var inline = LayoutUnit.zero
    if boxes.contains(where: stretchesInline) {
      let fixed = boxes.filter { !stretchesInline($0) }
      for child in fixed.isEmpty ? boxes : fixed {
        if fixed.isEmpty, child == boxes[0], frame.stretch != nil { continue }
        inline = max(inline, try frame.child(child, stretch: fixed.isEmpty ? .inline(.zero) : nil).size.inline)
      }
    }
    return try boxes.enumerated().map { index, child in
      guard let core = core(child) else { return try frame.child(child) }
      if index == 0, let outer = frame.stretch {
        if case .block = outer { return try frame.child(child, stretch: core.isVertical ? outer : nil) }
        return try frame.child(child, stretch: core.isVertical ? nil : outer)
      }
      return try frame.child(child, stretch: core.isVertical ? nil : .inline(inline))
    }
  }
}
