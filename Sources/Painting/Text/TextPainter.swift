import OffprintCSS
import OffprintCoreTypes
import OffprintLayout
import OffprintTypography

// https://drafts.csswg.org/css-text-decor-3/#painting-order
struct TextPainter: FragmentPainter {
  let context: PaintContext
  /// Paints only the shapes of text and decorations, in black: `background-clip: text`.
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
    paint(decorations.filter { $0.line != .lineThrough }, style, line, maskColor)
    paintGlyphs(line, fillColor, style)
    EmphasisPainter(context: context).paint(style, line, maskColor: maskColor)
    paint(decorations.filter { $0.line == .lineThrough }, style, line, maskColor)
    if squeeze != 1 { popTransform() }
    if line.isVertical { popTransform() }
  }

  private func paint(_ decorations: [TextDecorationPainter.Decoration], _ style: ComputedStyle, _ line: TextLine, _ maskColor: Color?) {
    for decoration in decorations {
      forEachShadow(of: style, line, isUpright: false) { lines.paint(decoration, line, color: $0) }
      lines.paint(decoration, line, color: maskColor)
    }
  }

  private var lines: TextDecorationPainter { TextDecorationPainter(context: context) }

  /// Paints all text in the subtree of a fragment.
  func paintAll(_ id: FragmentID, _ offset: LayoutPoint, depth: Int = 0) {
    guard context.mayGo(to: depth) else { return }
    let fragment = fragments[id]
    guard !fragment.isOmittedFromPaint else { return }
    if fragment.kind == .text { return paintText(fragment, offset) }
    func paintChildren() {
      for link in fragments.links[fragment.children] where fragments.fragments.indices.contains(link.fragment.index) {
        paintAll(link.fragment, offset + link.offset, depth: depth + 1)
      }
    }
    let isInline = fragment.kind == .box && tree[fragment.box].kind == .inline
    if fragment.kind == .line || isInline && BoxDecorationPainter(context: context).hasInlineFragment(fragment.style) {
      context.inLine(at: offset, paintChildren)
    } else {
      paintChildren()
    }
  }

  /// The baseline and extent of a text fragment. Vertical text is painted as a rotated horizontal line.
  struct TextLine {
    let text: TextFragment
    /// The start of the baseline, in the axes of the line.
    let origin: DisplayPoint
    let width: Double
    let ascent: Double
    let height: Double
    let isVertical: Bool
    /// From the axes of the line to those of the image.
    let turn: AffineTransform
    /// The distance of upright glyphs in vertical text from the rotated baseline. Only baselines parallel to glyphs are snapped to whole pixels.
    private(set) var uprightShift = 0.0
    /// Position of the line-over edge across the line.
    let over: Double
    /// The offset with which Chromium snaps decorations across the line. It rotates lines around their corner; in vertical text the offset
    /// is therefore the position along the line, and decorations may lie between pixels.
    private let snapOrigin: Double

    /// Floors a position across the line, measured from its line-over edge, like Chromium.
    func floored(_ offset: Double) -> Double { over - snapOrigin + (snapOrigin + offset).rounded(.down) }

    init(_ context: PaintContext, _ fragment: Fragment, _ text: TextFragment, _ offset: LayoutPoint) {
      self.text = text
      let mode = fragment.style.text.writingMode
      isVertical = mode != .horizontalTb
      func whole(_ v: Double) -> Double { (v + 0.5).rounded(.down) }
      // Chromium rounds the top of the line and shifts its contents accordingly.
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
      // Chromium decorates text with changing orientation as a whole.
      snapOrigin = mode == .sidewaysLr ? top : top - text.inlineBefore.double * context.scale
      // The line-over side is on the right, except in `sideways-lr`.
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

  /// Paints shadows, fill and stroke. In Chromium only the fill of glyphs casts a shadow, which is painted directly below it: above strokes
  /// that `paint-order` paints first.
  /// https://drafts.csswg.org/css-text-decor-4/#paint-order
  private func paintGlyphs(_ line: TextLine, _ color: Color, _ style: ComputedStyle) {
    let hasStroke = length(style.text.strokeWidth) > 0
    let isStrokedFirst = hasStroke && style.svg.paintOrder.parts.first { $0 != .markers } == .stroke
    if isStrokedFirst { strokeGlyphs(line, color, style) }
    if !style.text.textShadow.isEmpty {
      shadowGlyphs(line, style, isUpright: false)
      if line.isVertical { shadowGlyphs(line, style, isUpright: true) }
    }
    let texts = recorder.recordsText && !isMask ? GlyphTexts.texts(of: line.text) : []
    for (number, run) in line.text.glyphs.enumerated() {
      emit(run, color, line, text: texts.indices.contains(number) ? texts[number] : nil)
    }
    if hasStroke, !isStrokedFirst { strokeGlyphs(line, color, style) }
  }

  private func shadowGlyphs(_ line: TextLine, _ style: ComputedStyle, isUpright: Bool) {
    guard line.text.glyphs.contains(where: { isTurnedBack($0, line) == isUpright }) else { return }
    forEachShadow(of: style, line, isUpright: isUpright) { shadow in
      for run in line.text.glyphs where isTurnedBack(run, line) == isUpright { emit(run, shadow, line) }
    }
  }

  private func strokeGlyphs(_ line: TextLine, _ fillColor: Color, _ style: ComputedStyle) {
    let width = length(style.text.strokeWidth)
    let color = isMask ? fillColor : style.text.strokeColor.resolve(style.text.color)
    for run in line.text.glyphs { emit(run, color, line, strokeWidth: width) }
  }

  /// Whether the glyphs are upright in vertical text, so that the rotation of the line has to be undone for them.
  private func isTurnedBack(_ run: PositionedGlyphRun, _ line: TextLine) -> Bool { line.isVertical && !run.isSideways }

  private func emit(_ run: PositionedGlyphRun, _ color: Color, _ line: TextLine, strokeWidth: Double = 0, text: GlyphText? = nil) {
    guard !run.glyphs.isEmpty, run.size > 0, run.size.isFinite else { return }
    let glyphs = run.glyphs.map { GlyphRun.Glyph(id: $0.id, x: $0.x * Float(scale), y: $0.y * Float(scale)) }
    var command = GlyphRun(face: run.face, size: run.size * Float(scale), glyphs: glyphs, origin: line.origin, color: color)
    (command.strokeWidth, command.text) = (strokeWidth, text)
    if isTurnedBack(run, line) { emitUpright(command, line) } else { emit(command, line) }
  }

  func emit(_ run: GlyphRun, _ line: TextLine) {
    if !run.color.isTransparent { add(.glyphs(run), glyphBounds(run, line)) }
  }

  /// Records upright glyphs of vertical text, each rotated back around its origin.
  func emitUpright(_ run: GlyphRun, _ line: TextLine) {
    guard !run.color.isTransparent, let back = line.turn.inverted else { return }
    // Glyph positions are in the axes of the line.
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

  /// An upper bound of the pixels that the glyphs may change, estimated without their bitmaps.
  private func glyphBounds(_ run: GlyphRun, _ line: TextLine) -> PixelRect {
    var low = SIMD2<Float>(repeating: .infinity), high = SIMD2<Float>(repeating: -.infinity)
    for glyph in run.glyphs {
      low = pointwiseMin(low, SIMD2(glyph.x, glyph.y))
      high = pointwiseMax(high, SIMD2(glyph.x, glyph.y))
    }
    let size = Double(run.size) + run.strokeWidth
    let right = max(run.origin.x + Double(high.x) + 2.5 * size, run.isSideways ? 0 : run.origin.x + line.width + size)
    let outset = length(line.text.outset)
    return DisplayRect(
      x: run.origin.x + Double(low.x) - 1.5 * size - outset, y: run.origin.y + Double(low.y) - 1.75 * size - outset,
      width: right - (run.origin.x + Double(low.x) - 1.5 * size) + 2 * outset, height: Double(high.y - low.y) + 3 * size + 2 * outset
    ).enclosing
  }

  /// Paints something once per shadow, the last shadow at the bottom.
  /// https://drafts.csswg.org/css-text-decor-3/#text-shadow-property
  ///
  /// - Parameter isUpright: Whether upright glyphs in vertical text are painted. Their shadows are offset in the axes of the page; in
  ///   Chromium all other shadows are rotated with the line.
  func forEachShadow(of style: ComputedStyle, _ line: TextLine, isUpright: Bool, _ draw: (Color) -> Void) {
    guard !isMask, !style.text.textShadow.isEmpty else { return }
    for shadow in style.text.textShadow.reversed() where !context.hasFailed {
      let color = shadow.color.resolve(style.text.color)
      guard !color.isTransparent else { continue }
      let group = shadowGroup(shadow, color, line)
      if !group.filters.isEmpty { pushGroup(group) }
      let (dx, dy) = (length(shadow.x), length(shadow.y)), turn = line.turn
      pushTransform(isUpright ? .translation(turn.a * dx + turn.b * dy, turn.c * dx + turn.d * dy) : .translation(dx, dy))
      draw(color)
      popTransform()
      if !group.filters.isEmpty { popGroup() }
    }
  }

  private func shadowGroup(_ shadow: Shadow, _ color: Color, _ line: TextLine) -> Group {
    var group = Group()
    // Color glyphs cast shadows in a single color too.
    if line.text.glyphs.contains(where: { $0.face.face.info.hasColor }) {
      group.filters.append(.matrix([0, 0, 0, color.red, 0, 0, 0, color.green, 0, 0, 0, color.blue]))
    }
    let sigma = length(max(0, shadow.blur)) / 2
    if sigma > 0 { group.filters.append(.blur(sigma * transform.meanScale)) }
    return group
  }
}
