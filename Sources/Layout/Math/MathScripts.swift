import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// https://w3c.github.io/mathml-core/#subscripts-and-superscripts-msub-msup-msubsup
enum MathScripts {
  /// The children by position. https://w3c.github.io/mathml-core/#prescripts-and-tensor-indices-mmultiscripts
  private struct ScriptChildren {
    struct Pair { var sub: BoxID?, sup: BoxID? }
    var base: BoxID
    var post: [Pair] = []
    var pre: [Pair] = []
    var prescripts: BoxID?

    init?(_ children: [BoxID], _ kind: MathKind, _ engine: LayoutEngine) {
      guard let base = children.first else { return nil }
      self.base = base
      let scripts = Array(children.dropFirst())
      switch kind {
      case .sub, .under: post = [Pair(sub: scripts.first, sup: nil)]
      case .sup, .over: post = [Pair(sub: nil, sup: scripts.first)]
      case .multiscripts:
        let middle = scripts.firstIndex { engine.isMathElement($0, "mprescripts") }
        post = Self.pairs(scripts[..<(middle ?? scripts.endIndex)])
        if let middle {
          prescripts = scripts[middle]
          pre = Self.pairs(scripts[(middle + 1)...])
        }
      default: post = Self.pairs(scripts[...])
      }
    }

    private static func pairs(_ scripts: ArraySlice<BoxID>) -> [Pair] {
      stride(from: scripts.startIndex, to: scripts.endIndex, by: 2).map {
        Pair(sub: scripts[$0], sup: $0 + 1 < scripts.endIndex ? scripts[$0 + 1] : nil)
      }
    }
  }

  private struct Pair {
    var sub: MathChild?
    var sup: MathChild?
    var inlineSize: LayoutUnit { max(sub?.inlineSize ?? .zero, sup?.inlineSize ?? .zero) }
  }

  static func layout(_ frame: inout MathFrame, _ kind: MathKind) throws -> LayoutResult {
    guard let scriptChildren = ScriptChildren(frame.children, kind, frame.engine) else { return try MathRow.layout(&frame) }
    let base = try frame.child(scriptChildren.base, stretch: frame.stretch)
    let post = try scriptChildren.post.map { try pair($0, frame) }, pre = try scriptChildren.pre.map { try pair($0, frame) }
    let shift = shifts(frame, base, post + pre)
    var over = base.ascent, under = base.descent
    for pair in post + pre {
      if let sup = pair.sup { over = max(over, sup.ascent + shift.up) }
      if let sub = pair.sub { under = max(under, sub.descent + shift.down) }
    }
    let ascent = over.clampedToZero + frame.edges.blockStart
    let space = frame.constant(.spaceAfterScript, else: frame.defaultScriptSpace)
    var inline = frame.edges.inlineStart
    for pair in pre {
      inline += space + pair.inlineSize
      if let sub = pair.sub { frame.place(sub, inline: inline - sub.inlineSize, baseline: ascent + shift.down) }
      if let sup = pair.sup { frame.place(sup, inline: inline - sup.inlineSize, baseline: ascent - shift.up) }
    }
    frame.place(base, inline: inline, baseline: ascent)
    if let prescripts = scriptChildren.prescripts { frame.place(try frame.child(prescripts), inline: inline, baseline: ascent) }
    inline += base.inlineSize
    let lean = min(base.size.inline, base.result.italicCorrection)
    for pair in post {
      if let sub = pair.sub { frame.place(sub, inline: (inline - lean).clampedToZero, baseline: ascent + shift.down) }
      if let sup = pair.sup { frame.place(sup, inline: inline, baseline: ascent - shift.up) }
      inline += pair.inlineSize + space
    }
    return try frame.finish(ascent: ascent, descent: under.clampedToZero + frame.edges.blockEnd)
  }

  private static func pair(_ pair: ScriptChildren.Pair, _ frame: MathFrame) throws -> Pair {
    Pair(sub: try pair.sub.map { try frame.child($0) }, sup: try pair.sup.map { try frame.child($0) })
  }

  static func sizes(_ measure: MathMeasure, _ kind: MathKind) throws -> MinMaxSizes {
    guard let scriptChildren = ScriptChildren(measure.children, kind, measure.engine) else { return MinMaxSizes() }
    let font = measure.engine.inlineFont(measure.style).handle
    let space = LayoutUnit(
      measure.engine.fonts.mathConstant(.spaceAfterScript, font) ?? (Double(measure.style.font.size) / 5).rounded(.down))
    var sizes = try measure.contribution(scriptChildren.base)
    for pair in scriptChildren.post + scriptChildren.pre {
      var widest = MinMaxSizes()
      for script in [pair.sub, pair.sup] { if let script { widest.encompass(try measure.contribution(script)) } }
      sizes = sizes + widest + space
    }
    return sizes
  }

  // MARK: Shifts

  /// The upward shift of superscripts and downward shift of subscripts: the maximum of all pairs.
  ///
  /// https://w3c.github.io/mathml-core/#base-with-subscript-and-superscript
  private static func shifts(_ frame: MathFrame, _ base: MathChild, _ pairs: [Pair]) -> (up: LayoutUnit, down: LayoutUnit) {
    let x = frame.xHeight
    let isCramped = frame.style.font.isMathShiftCompact
    let down = max(
      frame.constant(.subscriptShiftDown, else: x / 3),
      base.descent + frame.constant(.subscriptBaselineDropMin, else: x / 2))
    let up = max(
      frame.constant(isCramped ? .superscriptShiftUpCramped : .superscriptShiftUp, else: x),
      base.ascent - frame.constant(.superscriptBaselineDropMax, else: x / 2))
    let highest = frame.constant(.subscriptTopMax, else: 4 * x / 5), lowest = frame.constant(.superscriptBottomMin, else: x / 4)
    var result = (up: LayoutUnit.zero, down: LayoutUnit.zero)
    for pair in pairs {
      var own = (up: up, down: down)
      if let sub = pair.sub { own.down = max(own.down, sub.ascent - highest) }
      if let sup = pair.sup { own.up = max(own.up, lowest + sup.descent) }
      if let sub = pair.sub, let sup = pair.sup { separate(&own, sub, sup, frame) }
      if pair.sup != nil { result.up = max(result.up, own.up) }
      if pair.sub != nil { result.down = max(result.down, own.down) }
    }
    return result
  }

  /// Separates the scripts of a pair: first raises the superscript as far as allowed, then lowers the subscript.
  private static func separate(_ shift: inout (up: LayoutUnit, down: LayoutUnit), _ sub: MathChild, _ sup: MathChild, _ frame: MathFrame) {
    let minimum = frame.constant(.subSuperscriptGapMin, else: frame.defaultScriptSpace)
    var missing = minimum - ((shift.down - sub.ascent) + (shift.up - sup.descent))
    guard missing > .zero else { return }
    let room = frame.constant(.superscriptBottomMaxWithSubscript, else: 4 * frame.xHeight / 5) - (shift.up - sup.descent)
    let raised = min(room.clampedToZero, missing)
    shift.up += raised
    missing -= raised
    shift.down += missing
  }
}
