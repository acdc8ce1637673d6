import OffprintCSS
import OffprintCoreTypes
import Glibc
import OffprintLayout
import OffprintTypography

struct TextDecorationPainter: FragmentPainter {
  let context: PaintContext

  /// A decoration line of a text, in the axes of the line.
  struct Decoration {
    enum Line { case underline, overline, lineThrough }
    var line: Line
    var style: TextDecorationStyle
    var color: Color
    var thickness: Double
    /// From the line-over edge of the text to the upper edge of the decoration.
    var offset: Double
    var skipsInk: Bool
    /// From the first to the second line of `double`.
    var secondOffset: Double {
      switch line {
      case .underline: thickness + 1
      case .overline: -(thickness + 1)
      case .lineThrough: (thickness + 1).rounded(.down)
      }
    }
    /// From the upper edge of the line to that of a `wavy` line.
    var waveOffset: Double { line == .lineThrough ? 0 : secondOffset }
  }

  /// The decorations of a text, from all decorating boxes that propagate to it, in painting order.
  /// https://drafts.csswg.org/css-text-decor-3/#line-decoration
  func decorations(of fragment: Fragment, _ line: TextPainter.TextLine) -> [Decoration] {
    var result: [Decoration] = []
    var id = tree[fragment.box].parent, depth = 0
    var shift = LayoutUnit.zero
    var firstLine = fragments.firstLines.isEmpty ? nil : fragments.firstLines[fragment.payload]
    while !id.isNone, depth < 1024 {
      depth += 1
      let box = tree[id]
      if let known = line.text.baselineShifts.first(where: { $0.box == id }) { shift = known.shift }
      if let style = firstLine, box.kind != .inline {
        // Decorations of `::first-line` are inside the block container, around the content of the line.
        append(style.effects, style, fragment, line, shift.double * scale, &result)
        firstLine = nil
      }
      if !box.style.effects.textDecorationLine.isEmpty, !box.isTextual {
        append(box.style.effects, box.style, fragment, line, shift.double * scale, &result)
      }
      // Decorations do not propagate into atomic inlines. The alternative text of an image is decorated like the line around it.
      if box.isAtomicInline && !box.isRubyColumn && !isElement(box, .img) || box.isFloating || box.isOutOfFlow { break }
      // https://quirks.spec.whatwg.org/#the-text-decoration-doesnt-propagate-into-tables-quirk
      if box.kind == .tableWrapper, tree.styled.document.quirksMode == .quirks, isElement(box, .table) { break }
      // Ruby annotations are not decorated by the ancestors of their base.
      if !box.parent.isNone, tree[box.parent].isRubyColumn, box.style.box.display == .rubyText { break }
      id = box.parent
    }
    return result.reversed()
  }

  private func isElement(_ box: Box, _ name: Name) -> Bool {
    !box.node.isNone && tree.styled.document.isHTMLElement(box.node, name)
  }

  /// Appends the decorations of one box. Chromium takes offset, thickness and font from the decorating box if that is horizontal, otherwise
  /// from the text. Only underlines are positioned relative to the decorating box; other lines are relative to the top of the text.
  private func append(
    _ effects: EffectStyle, _ decorating: ComputedStyle, _ fragment: Fragment, _ line: TextPainter.TextLine, _ shift: Double,
    _ result: inout [Decoration]
  ) {
    let lines = effects.textDecorationLine, color = color(effects, decorating)
    let isHorizontal = decorating.text.writingMode == .horizontalTb, style = isHorizontal ? decorating : fragment.style
    let metrics = fragments.fonts.metrics(of: style).map { line.text.scale == 1 ? $0 : $0.scaled(by: line.text.scale) }
    let thickness = thickness(effects.textDecorationThickness, style.font.size * line.text.scale, metrics)
    var decoration = Decoration(
      line: .underline, style: effects.textDecorationStyle, color: color, thickness: thickness, offset: 0,
      skipsInk: fragment.style.text.skipInk != .none)
    // In reverse painting order.
    if lines.contains(.lineThrough) {
      decoration.line = .lineThrough
      decoration.offset = 2 * (metrics.map { length($0.ascent) } ?? line.ascent) / 3 - thickness / 2
      result.append(decoration)
    }
    let place = place(style, line)
    func beside(_ place: Place) -> Double {
      underlineOffset(decorating, style, place, thickness, metrics, line) + (isHorizontal ? shift + line.ascent : 0)
    }
    if lines.contains(.overline) {
      // The thickness of an overline extends upward.
      (decoration.line, decoration.offset) = place == .over ? (.underline, beside(.under)) : (.overline, -thickness.rounded(.down))
      result.append(decoration)
    }
    if lines.contains(.underline) {
      (decoration.line, decoration.offset) = (place == .over ? .overline : .underline, beside(place))
      result.append(decoration)
    }
  }

  func paint(_ decoration: Decoration, _ line: TextPainter.TextLine, color: Color?) {
    let color = color ?? decoration.color
    guard !color.isTransparent, line.width > 0 else { return }
    // Chromium fills waves as an image from where the text begins to where it ends, and other lines between whole pixels.
    let isWavy = decoration.style == .wavy, start = line.origin.x, end = line.origin.x + line.width
    let left = isWavy ? start : start.rounded(), right = isWavy ? end : end.rounded()
    guard right > left, right - left < 1e7 else { return }
    let stretch = Stretch(left: left, right: right, start: start.rounded(.down), end: end.rounded(.down), line: line)
    let spans =
      decoration.skipsInk && decoration.line != .lineThrough
      ? inkFree(left, right, inkBand(decoration, line), min(decoration.thickness, 13), line) : [(left, right)]
    switch decoration.style {
    case .solid, .double: for span in spans { paintBars(decoration, span, line, color) }
    case .dotted, .dashed: clipped(to: spans, stretch) { paintDashes(decoration, stretch, color) }
    case .wavy: clipped(to: spans, stretch) { paintWave(decoration, left, right, line, color) }
    }
  }

  /// The extent of a decoration on its line.
  private struct Stretch {
    var left: Double
    var right: Double
    /// Start and end of dashes, which Chromium truncates to whole pixels.
    var start: Double
    var end: Double
    var line: TextPainter.TextLine
  }

  /// Dashes and waves keep their phase across the gaps of `text-decoration-skip-ink`, so the gaps are clipped.
  private func clipped(to spans: [(Double, Double)], _ stretch: Stretch, _ paint: () -> Void) {
    if let span = spans.first, spans.count == 1, span == (stretch.left, stretch.right) { return paint() }
    guard !spans.isEmpty else { return }
    let line = stretch.line, top = (line.over - line.height).rounded(.down), bottom = (line.over + 3 * line.height).rounded(.up)
    var path = VectorPath()
    for span in spans { path.add(RoundedRect(DisplayRect(x: span.0, y: top, width: span.1 - span.0, height: bottom - top))) }
    pushClip(.path(path))
    paint()
    popClip()
  }

  /// The extent across the line in which Chromium looks for ink: that of the decoration, reduced by half a pixel on both sides.
  private func inkBand(_ decoration: Decoration, _ line: TextPainter.TextLine) -> (low: Double, high: Double) {
    let top = line.origin.y - line.ascent + decoration.offset, thickness = decoration.thickness
    switch decoration.style {
    case .solid: return (top + 0.5, top + thickness - 0.5)
    case .double:
      let second = decoration.secondOffset
      return (top + min(0, second) + 0.5, top + max(0, second) + thickness - 0.5)
    case .dotted, .dashed:
      let middle = line.floored(decoration.offset + max(thickness / 2, 0.5)), half = thickness.rounded() / 2
      return (middle - half + 0.5, middle + half - 0.5)
    case .wavy:
      let wave = Wave(thickness: thickness), middle = top + decoration.waveOffset
      return (middle + wave.top + 0.5, middle + wave.bottom - 0.5)
    }
  }

  /// Fills solid and double lines, snapped to whole pixels across the line.
  private func paintBars(_ decoration: Decoration, _ span: (Double, Double), _ line: TextPainter.TextLine, _ color: Color) {
    func bar(_ offset: Double) {
      let top = line.floored(offset + 0.5)
      let height = max(1, decoration.thickness.rounded(.down))
      fill(RoundedRect(DisplayRect(x: span.0, y: top, width: span.1 - span.0, height: height)), color)
    }
    bar(decoration.offset)
    if decoration.style == .double { bar(decoration.offset + decoration.secondOffset) }
  }

  /// The dash lengths follow from the rounded thickness; the pen has the exact one.
  private func paintDashes(_ decoration: Decoration, _ stretch: Stretch, _ color: Color) {
    let thickness = max(1, decoration.thickness.rounded()), isRound = decoration.style == .dotted && thickness > 3
    let odd = thickness.truncatingRemainder(dividingBy: 2) / 2, inset = isRound ? thickness / 2 : 0
    let y = stretch.line.floored(decoration.offset + max(decoration.thickness / 2, 0.5)) + odd
    let length = max(stretch.end - stretch.start, 0.01), style = decoration.style == .dotted ? BorderLineStyle.dotted : .dashed
    var pen = Dashes.stroke(style, thickness: thickness, length: length, isClosed: false)
    pen.width = decoration.thickness
    // Only round dots and dashes are fitted to the length: Chromium repeats square dots as they are.
    if style == .dotted, !isRound { pen.dashes = [thickness, thickness] }
    var path = VectorPath()
    path.move(stretch.start + inset, y)
    path.line(max(stretch.end - inset, stretch.start + inset + 0.01), y)
    stroke(path, pen, color)
  }

  /// A wave of cubic curves with Chromium's geometry. The offsets of half a pixel matter for small waves.
  struct Wave {
    let step: Double
    let control: Double
    /// Extent of the stroke above and below the upper edge of the line, in whole pixels.
    let top: Double
    let bottom: Double

    init(thickness: Double) {
      let width = max(1, thickness)
      (step, control) = (0.5 + (2 * width + 0.5).rounded(), 0.5 + (3 * width + 0.5).rounded())
      // The curve starts and ends at 0.5; its extrema are at √3/6 of the distance of the control points.
      let amplitude = control * 3.0.squareRoot() / 6 + thickness / 2
      (top, bottom) = ((0.5 - amplitude).rounded(.down), (0.5 + amplitude).rounded(.up))
    }
  }

  private func paintWave(_ decoration: Decoration, _ left: Double, _ right: Double, _ line: TextPainter.TextLine, _ color: Color) {
    let wave = Wave(thickness: decoration.thickness), step = wave.step, control = wave.control
    let origin = line.over + decoration.offset + decoration.waveOffset, y = origin + 0.5
    var path = VectorPath()
    let visible = recorder.transform.inverted?.mapBounds(recorder.clipBounds) ?? .empty
    let skipped = max(0, ((Double(visible.left) - left) / (2 * step)).rounded(.down) - 1)
    var x = left - 2 * step + skipped * 2 * step
    path.move(x, y)
    while x < min(right, Double(visible.right)) + 2 * step {
      path.cubic(x + step, y + control, x + step, y - control, x + 2 * step, y)
      x += 2 * step
    }
    let rows = DisplayRect(x: left, y: origin + wave.top, width: right - left, height: wave.bottom - wave.top).enclosing
    var band = VectorPath()
    band.add(RoundedRect(DisplayRect(x: left, y: Double(rows.top), width: right - left, height: Double(rows.bottom - rows.top))))
    pushClip(.path(band))
    stroke(path, Stroke(width: decoration.thickness), color)
    popClip()
  }

  // MARK: Ink

  /// The parts of a line without ink nearby. https://drafts.csswg.org/css-text-decor-4/#text-decoration-skip-ink-property
  private func inkFree(
    _ left: Double, _ right: Double, _ band: (low: Double, high: Double), _ gap: Double, _ line: TextPainter.TextLine
  ) -> [(Double, Double)] {
    guard band.high >= band.low, context.glyphs != nil else { return [(left, right)] }
    let low = band.low - line.origin.y, high = band.high - line.origin.y
    var cuts: [(Double, Double)] = []
    for run in line.text.glyphs where !run.isIdeographic && !(line.isVertical && !run.isSideways) {
      let size = run.size * Float(scale)
      for (index, glyph) in run.glyphs.enumerated() where !run.crossedGlyphs.contains(Int32(index)) {
        let outline = recorder.outline(run.face, size: size, glyph: glyph.id), y = Double(glyph.y) * scale
        guard let ink = InkCache.extent(outline, low - y, high - y) else { continue }
        let pen = line.origin.x + Double(glyph.x) * scale
        cuts.append((pen + ink.0 - gap, pen + ink.1 + gap))
      }
    }
    guard !cuts.isEmpty else { return [(left, right)] }
    cuts.sort { $0.0 < $1.0 }
    var spans: [(Double, Double)] = [], x = left
    for cut in cuts {
      let end = min(right, cut.0.rounded())
      if end > x { spans.append((x, end)) }
      x = max(x, cut.1.rounded())
    }
    if right > x { spans.append((x, right)) }
    return spans
  }
}

/// Computes where a glyph outline crosses a horizontal band.
enum InkCache {
  static func extent(_ outline: GlyphOutline, _ low: Double, _ high: Double) -> (Double, Double)? {
    guard !outline.isEmpty else { return nil }
    var path = VectorPath()
    path.append(outline, at: DisplayPoint(0, 0), .identity)
    let bounds = path.bounds
    guard bounds.maxY > low, bounds.y < high else { return nil }
    var minimum = Double.infinity, maximum = -Double.infinity
    var current = DisplayPoint(0, 0), start = current
    func add(_ a: DisplayPoint, _ b: DisplayPoint) {
      // The part of the line inside the band.
      guard max(a.y, b.y) >= low, min(a.y, b.y) <= high else { return }
      func x(_ y: Double) -> Double { a.y == b.y ? a.x : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) }
      for y in [min(max(a.y, low), high), min(max(b.y, low), high)] {
        let value = a.y == b.y ? (y == a.y ? a.x : b.x) : x(y)
        minimum = min(minimum, value)
        maximum = max(maximum, value)
      }
      if a.y == b.y {
        minimum = min(minimum, a.x, b.x)
        maximum = max(maximum, a.x, b.x)
      }
    }
    for element in path.elements {
      switch element {
      case .move(let p): (current, start) = (p, p)
      case .line(let p):
        add(current, p)
        current = p
      case .cubic(let a, let b, let p):
        var previous = current
        for i in 1...8 {
          let t = Double(i) / 8, u = 1 - t
          let (w0, w1, w2, w3) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
          let next = DisplayPoint(
            w0 * current.x + w1 * a.x + w2 * b.x + w3 * p.x, w0 * current.y + w1 * a.y + w2 * b.y + w3 * p.y)
          add(previous, next)
          previous = next
        }
        current = p
      case .close:
        add(current, start)
        current = start
      }
    }
    return minimum <= maximum ? (minimum, maximum) : nil
  }
}
