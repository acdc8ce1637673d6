import OffprintCSS
import OffprintCoreTypes

/// https://w3c.github.io/mathml-core/#layout-of-mrow
enum MathRow {
  static func layout(_ frame: inout MathFrame) throws -> LayoutResult {
    let children = try layoutChildren(frame)
    let addsSpace = addsSpace(frame.engine, frame.box)
    var inline = LayoutUnit.zero, ascent = LayoutUnit.zero, descent = LayoutUnit.zero
    var starts: [LayoutUnit] = []
    for child in children {
      let space = addsSpace ? self.space(frame.engine, child.box) : (leading: .zero, trailing: .zero)
      inline += space.leading
      starts.append(inline)
      inline += child.inlineSize + space.trailing
      ascent = max(ascent, child.ascent)
      descent = max(descent, child.descent)
    }
    // The contents of a block-level `math` element are centered. https://w3c.github.io/mathml-core/#display-block-math
    let isRoot = frame.engine.isMathElement(frame.box, "math")
    let indent =
      isRoot && frame.style.box.display == .blockMath ? ((frame.contentInline - inline) / 2).clampedToZero : .zero
    for (child, start) in zip(children, starts) {
      frame.place(child, inline: frame.edges.inlineStart + indent + start, baseline: frame.edges.blockStart + ascent)
    }
    if children.count == 1, let only = children.first { frame.italicCorrection = only.result.italicCorrection }
    return try frame.finish(ascent: frame.edges.blockStart + ascent, descent: descent + frame.edges.blockEnd)
  }

  static func sizes(_ measure: MathMeasure) throws -> MinMaxSizes {
    let addsSpace = addsSpace(measure.engine, measure.box)
    var sizes = MinMaxSizes()
    for child in measure.children {
      sizes = sizes + (try measure.contribution(child))
      guard addsSpace else { continue }
      let space = space(measure.engine, child)
      sizes = sizes + (space.leading + space.trailing)
    }
    return sizes
  }

  /// Whether an element adds the space around operators. An embellished operator leaves it to its row.
  private static func addsSpace(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    engine.isMathElement(box, "math") || engine.coreOperator(box) == nil
  }

  private static func space(_ engine: LayoutEngine, _ child: BoxID) -> (leading: LayoutUnit, trailing: LayoutUnit) {
    guard let core = engine.coreOperator(child) else { return (.zero, .zero) }
    return (core.leadingSpace, core.trailingSpace)
  }

  // MARK: Stretching

  /// https://w3c.github.io/mathml-core/#dfn-algorithm-for-stretching-operators-along-the-block-axis
  private static func layoutChildren(_ frame: MathFrame) throws -> [MathChild] {
    let engine = frame.engine, children = frame.children
    func stretches(_ child: BoxID, vertically: Bool) -> Bool {
      guard let core = engine.coreOperator(child) else { return false }
      return core.isStretchy && core.isVertical == vertically
    }
    var target: MathStretch
    switch frame.stretch {
    case .inline: return try children.map { try frame.child($0, stretch: stretches($0, vertically: false) ? frame.stretch : nil) }
    case .block(let ascent, let descent): target = .block(ascent: ascent, descent: descent)
    case nil:
      guard children.contains(where: { stretches($0, vertically: true) }) else { return try children.map { try frame.child($0) } }
      var fixed = children.filter { !stretches($0, vertically: true) }
      let zero = MathStretch.block(ascent: .zero, descent: .zero)
      let allStretch = fixed.isEmpty
      if allStretch { fixed = children }
      var ascent = LayoutUnit.zero, descent = LayoutUnit.zero
      for child in fixed {
        let item = try frame.child(child, stretch: allStretch ? zero : nil)
        let baseline = item.ascent - item.margin.blockStart
        ascent = max(ascent, baseline)
        descent = max(descent, item.size.block - baseline)
      }
      target = .block(ascent: ascent, descent: descent)
    }
    return try children.map { try frame.child($0, stretch: stretches($0, vertically: true) ? target : nil) }
  }
}
