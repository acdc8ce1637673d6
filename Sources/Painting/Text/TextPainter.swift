import OffprintCSS
import OffprintCoreTypes
import OffprintLayout
import OffprintTypography

// https://drafts.csswg.org/css-text-decor-3/#painting-order
struct TextPainter: FragmentPainter {
  let context: PaintContext
  /// Only the shapes of the text and of what decorates it are drawn, in black: `background-clip: text`.
  var isMask = false

  func paintText(_ fragment: Fragment, _ offset: LayoutPoint) {
    guard fragments.texts.indices.contains(Int(fragment.payload)) else { return }
    let style = fragment.style
    guard style.text.visibility == .visible else { return }
    let text = fragments.texts[Int(fragment.payload)]
    let line = TextLine(context, fragment, text, offset)
    let decorations = lines.decorations(of: fragment, line), maskColor: Color? = isMask ? .black : nil
    let fillColor = isMask ? .black : style.text.fillColor?.resolve(style.text.color) ?? style.text.color
    if line.isVertical { pushTransform(line.turn) }
    let squeeze = Double(text.horizontalScale)
    if squeeze != 1 {
      pushTransform(AffineTransform(a: squeeze, b: 0, c: 0, d: 1, e: line.origin.x * (1 - squeeze), f: 0))
    }
    if !isMask {
      for shadow in style.text.textShadow.reversed() where !context.hasFailed { paintShadow(shadow, style, line, decorations) }
    }
    for decoration in decorations where decoration.line != .lineThrough { lines.paint(decoration, line, color: maskColor) }
    paintGlyphs(line, fillColor, style)
    EmphasisPainter(context: context).paint(style, line, maskColor: maskColor)
    for decoration in decorations where decoration.line == .lineThrough { lines.paint(decoration, line, color: maskColor) }
    if squeeze != 1 { popTransform() }
    if line.isVertical { popTransform() }
  }

  private var lines: TextDecorationPainter { TextDecorationPainter(context: context) }

  /// The text below a fragment.
  func paintAll(_ id: FragmentID, _ offset: LayoutPoint, depth: Int = 0) {
    guard context.mayGo(to: depth) else { return }
    let fragment = fragments[id]
    if fragment.kind == .text { return paintText(fragment, offset) }
    func paintChildren() {
      for link in fragments.links[fragment.children] where fragments.fragments.indices.contains(link.fragment.index) {
        paintAll(link.fragment, offset + link.offset, depth: depth + 1)
      }
    }
    if fragment.kind == .line { context.inLine(at: offset, paintChildren) } else { paintChildren() }
  }

  /// A text fragment's baseline and extent; vertical text is painted as a horizontal line that is turned.
  struct TextLine {
    let text: TextFragment
    /// The baseline's start, in the line's own axes.
    let origin: DisplayPoint
    let width: Double
    let ascent: Double
    let height: Double
    let isVertical: Bool
    /// From the line's axes to the picture's.
    let turn: AffineTransform
    /// How far upright glyphs of vertical text are from the turned baseline, which is at a whole pixel: theirs is not, since only baselines
    /// along glyphs are snapped.
    private(set) var uprightShift = 0.0
    /// Where the line-over edge is across the line's axes.
    let over: Double
    /// What Chromium adds when it snaps decorations across the line: it turns lines around their corner, so in vertical text this is where
    /// they begin along it, and the lines that decorate them are between pixels.
    private let snapOrigin: Double

    /// A place across the line, from its line-over edge, floored as Chromium does.
    func floored(_ offset: Double) -> Double { over - snapOrigin + (snapOrigin + offset).rounded(.down) }

    init(_ context: PaintContext, _ fragment: Fragment, _ text: TextFragment, _ offset: LayoutPoint) {
      self.text = text
      let mode = fragment.style.text.writingMode
      isVertical = mode != .horizontalTb
      func whole(_ v: Double) -> Double { (v + 0.5).rounded(.down) }
      // Chromium rounds where a line begins from above, and so moves what is in it.
      let lineTop = context.y((context.lineOrigin ?? offset).y)
      let left = context.x(offset.x), top = context.y(offset.y) + whole(lineTop) - lineTop
      ascent = text.ascent.double * context.scale
      if !isVertical {
        origin = DisplayPoint(left, whole(top + ascent))
        width = fragment.size.width.double * context.scale
        height = fragment.size.height.double * context.scale
        turn = .identity
        (over, snapOrigin) = (top, top)
        return
      }
      width = fragment.size.height.double * context.scale
      height = fragment.size.width.double * context.scale
      origin = DisplayPoint(0, 0)
      // Chromium decorates text that changes its orientation as one.
      snapOrigin = mode == .sidewaysLr ? top : top - text.inlineBefore.double * context.scale
      // The line-over side is the right, except in sideways-lr.
      if mode == .sidewaysLr {
        turn = AffineTransform(a: 0, b: -1, c: 1, d: 0, e: whole(left + ascent), f: top + width)
        over = left - whole(left + ascent)
      } else {
        let baseline = left + height - ascent
        turn = AffineTransform(a: 0, b: 1, c: -1, d: 0, e: whole(baseline), f: top)
        uprightShift = baseline - whole(baseline)
        over = whole(baseline) - left - height
      }
    }
  }

  /// - Parameter sideways: only runs that are set so, or that are not.
  private func paintGlyphs(
    _ line: TextLine, _ color: Color, _ style: ComputedStyle, isShadow: Bool = false, sideways: Bool? = nil, dx: Double = 0, dy: Double = 0
  ) {
    let strokeWidth = length(style.text.strokeWidth)
    // Shadows say nothing twice.
    let texts = recorder.recordsText && !isMask && !isShadow ? GlyphTexts.texts(of: line.text) : []
    for (number, run) in line.text.glyphs.enumerated() {
      let glyphs = run.glyphs.map { GlyphRun.Glyph(id: $0.id, x: $0.x * Float(scale), y: $0.y * Float(scale)) }
      guard !glyphs.isEmpty, run.size > 0, run.size.isFinite, sideways == nil || sideways == run.isSideways else { continue }
      let origin = DisplayPoint(line.origin.x + dx, line.origin.y + dy)
      var command = GlyphRun(face: run.face, size: run.size * Float(scale), glyphs: glyphs, origin: origin, color: color)
      if texts.indices.contains(number) { command.text = texts[number] }
      // In a line that is turned already, glyphs set sideways are the ones that stand as they are.
      func fill() { if line.isVertical, !run.isSideways { emitUpright(command, line) } else { emit(command, line) } }
      func stroke() {
        guard strokeWidth > 0 else { return }
        var outline = command
        outline.text = nil
        outline.strokeWidth = strokeWidth
        outline.color = isShadow || isMask ? color : style.text.strokeColor.resolve(style.text.color)
        if line.isVertical, !run.isSideways { emitUpright(outline, line) } else { emit(outline, line) }
      }
      // https://drafts.csswg.org/css-text-decor-4/#paint-order
      let order = style.svg.paintOrder.parts.filter { $0 != .markers }
      if order.first == .stroke {
        stroke()
        fill()
      } else {
        fill()
        stroke()
      }
    }
  }

  func emit(_ run: GlyphRun, _ line: TextLine) {
    if !run.color.isTransparent { add(.glyphs(run), glyphBounds(run, line)) }
  }

  /// Upright glyphs of vertical text, each turned back around its pen.
  func emitUpright(_ run: GlyphRun, _ line: TextLine) {
    guard !run.color.isTransparent, let back = line.turn.inverted else { return }
    // Glyph positions are in the line's axes: along it, and across it.
    var upright = run
    pushTransform(back)
    upright.origin = DisplayPoint(0, 0)
    upright.glyphs = run.glyphs.map { glyph in
      let p = line.turn.map(DisplayPoint(run.origin.x + Double(glyph.x), run.origin.y + Double(glyph.y)))
      return GlyphRun.Glyph(id: glyph.id, x: Float(p.x + line.uprightShift), y: Float(p.y))
    }
    add(.glyphs(upright), glyphBounds(upright, line))
    popTransform()
  }

  /// What the glyphs may touch: generously, since their pictures are not known here.
  private func glyphBounds(_ run: GlyphRun, _ line: TextLine) -> PixelRect {
    var low = SIMD2<Float>(repeating: .infinity), high = SIMD2<Float>(repeating: -.infinity)
    for glyph in run.glyphs {
      low = pointwiseMin(low, SIMD2(glyph.x, glyph.y))
      high = pointwiseMax(high, SIMD2(glyph.x, glyph.y))
    }
    let size = Double(run.size) + run.strokeWidth
    let right = max(run.origin.x + Double(high.x) + 2.5 * size, run.isSideways ? 0 : run.origin.x + line.width + size)
    let reach = length(line.text.reach)
    return DisplayRect(
      x: run.origin.x + Double(low.x) - 1.5 * size - reach, y: run.origin.y + Double(low.y) - 1.75 * size - reach,
      width: right - (run.origin.x + Double(low.x) - 1.5 * size) + 2 * reach, height: Double(high.y - low.y) + 3 * size + 2 * reach
    ).enclosing
  }

  /// https://drafts.csswg.org/css-text-decor-3/#text-shadow-property
  private func paintShadow(_ shadow: Shadow, _ style: ComputedStyle, _ line: TextLine, _ decorations: [TextDecorationPainter.Decoration]) {
    let color = shadow.color.resolve(style.text.color)
    guard !color.isTransparent else { return }
    let sigma = length(max(0, shadow.blur)) / 2
    let (dx, dy) = (length(shadow.x), length(shadow.y))
    var group = Group()
    // Glyphs with colors of their own have shadows of one color, too.
    if line.text.glyphs.contains(where: { $0.face.face.info.hasColor }) {
      group.filters.append(.matrix([0, 0, 0, color.red, 0, 0, 0, color.green, 0, 0, 0, color.blue]))
    }
    if sigma > 0 { group.filters.append(.blur(sigma * transform.meanScale)) }
    if !group.filters.isEmpty { pushGroup(group) }
    pushTransform(.translation(dx, dy))
    for decoration in decorations where decoration.line != .lineThrough { lines.paint(decoration, line, color: color) }
    paintGlyphs(line, color, style, isShadow: true, sideways: line.isVertical ? true : nil)
    for decoration in decorations where decoration.line == .lineThrough { lines.paint(decoration, line, color: color) }
    popTransform()
    // In Chromium the shadows of turned glyphs are turned with them; offsets of upright ones are the page's.
    if line.isVertical, line.text.glyphs.contains(where: { !$0.isSideways }) {
      pushTransform(.translation(line.turn.a * dx + line.turn.b * dy, line.turn.c * dx + line.turn.d * dy))
      paintGlyphs(line, color, style, isShadow: true, sideways: false)
      popTransform()
    }
    if !group.filters.isEmpty { popGroup() }
  }
}
