import OffprintCSS
import OffprintCoreTypes
import Glibc
import OffprintLayout
import OffprintTypography

struct TextDecorationPainter: FragmentPainter {
  let context: PaintContext

  /// One line that decorates a text, in the line's own axes.
  struct Decoration {
    enum Line { case underline, overline, lineThrough }
    var line: Line
    var style: TextDecorationStyle
    var color: Color
    var thickness: Double
    /// From the baseline, downward, to the line's upper edge.
    var offset: Double
    var skipsInk: Bool
  }

  /// What decorates a text: from each box around it, up to where decorations stop being handed down.
  /// https://drafts.csswg.org/css-text-decor-3/#line-decoration
  func decorations(of fragment: Fragment, _ line: TextPainter.TextLine) -> [Decoration] {
    var result: [Decoration] = []
    var id = tree[fragment.box].parent, depth = 0
    var shift = LayoutUnit.zero
    var firstLine = fragments.firstLines.isEmpty ? nil : fragments.firstLines[fragment.payload]
    while !id.isNone, depth < 1024 {
      depth += 1
      let box = tree[id]
      let effects = box.style.effects
      if let known = line.text.baselineShifts.first(where: { $0.box == id }) { shift = known.shift }
      if let style = firstLine, box.kind != .inline {
        // Inside the block container, around what is on the line.
        append(style.effects, style, fragment, line, shift.double * scale, isInline: true, &result)
        firstLine = nil
      }
      if !effects.textDecorationLine.isEmpty, !box.isTextual {
        append(effects, box.style, fragment, line, shift.double * scale, isInline: box.kind == .inline, &result)
      }
      // The text of a picture that is not there is as in its line.
      if box.isAtomicInline && !box.isRubyColumn && !isElement(box, .img) || box.isFloating || box.isOutOfFlow { break }
      // https://quirks.spec.whatwg.org/#the-text-decoration-doesnt-propagate-into-tables-quirk
      if box.kind == .tableWrapper, tree.styled.document.quirksMode == .quirks, isElement(box, .table) { break }
      // Annotations are no part of what their bases' boxes decorate.
      if !box.parent.isNone, tree[box.parent].isRubyColumn, box.style.box.display == .rubyText { break }
      id = box.parent
    }
    return result.reversed()
  }

  private func isElement(_ box: Box, _ name: Name) -> Bool {
    !box.node.isNone && tree.styled.document.isHTMLElement(box.node, name)
  }

  private func append(
    _ effects: EffectStyle, _ decorating: ComputedStyle, _ fragment: Fragment, _ line: TextPainter.TextLine, _ shift: Double,
    isInline: Bool, _ result: inout [Decoration]
  ) {
    let lines = effects.textDecorationLine
    let color = color(effects, decorating)
    let metrics = fragments.fonts.metrics(of: decorating).map { line.text.scale == 1 ? $0 : $0.scaled(by: line.text.scale) }
    let thickness = thickness(effects.textDecorationThickness, decorating.font.size * line.text.scale, metrics)
    var decoration = Decoration(
      line: .underline, style: effects.textDecorationStyle, color: color, thickness: thickness, offset: 0,
      skipsInk: fragment.style.text.skipInk != .none)
    let ascent = metrics.map { length($0.ascent) } ?? line.ascent
    // Appended in reverse order of painting.
    if lines.contains(.lineThrough) {
      decoration.line = .lineThrough
      decoration.offset = shift + 2 * ascent / 3 - thickness / 2 - ascent
      result.append(decoration)
    }
    let place = place(decorating, line)
    // It grows upward, from the text's own top where a block is decorated.
    let top = shift - (isInline ? ascent : line.ascent) - max(1, thickness.rounded(.down))
    func beside(_ place: Place) -> Double { shift + underlineOffset(decorating, place, thickness, metrics, line) }
    if lines.contains(.overline) {
      (decoration.line, decoration.offset) = place == .over ? (.underline, beside(.under)) : (.overline, top)
      result.append(decoration)
    }
    if lines.contains(.underline) {
      (decoration.line, decoration.offset) = (place == .over ? .overline : .underline, beside(place))
      if place == .over { decoration.offset -= max(1, thickness.rounded(.down)) }
      result.append(decoration)
    }
  }

  func paint(_ decoration: Decoration, _ line: TextPainter.TextLine, color: Color?) {
    let color = color ?? decoration.color
    guard !color.isTransparent, line.width > 0 else { return }
    let thickness = max(1, decoration.thickness.rounded(.down))
    let top = (line.origin.y + decoration.offset + 0.5).rounded(.down)
    let left = line.origin.x.rounded(), right = (line.origin.x + line.width).rounded()
    guard right > left, right - left < 1e7 else { return }
    let spans =
      decoration.skipsInk && decoration.line != .lineThrough
      ? inkFree(left, right, inkBand(decoration, top, thickness), thickness, line) : [(left, right)]
    for span in spans { paintLine(decoration, span.0, span.1, top, thickness, color) }
  }

  /// From where to where a line reaches.
  private func inkBand(_ decoration: Decoration, _ top: Double, _ thickness: Double) -> (low: Double, high: Double) {
    switch decoration.style {
    case .double where decoration.line == .overline: (top - thickness - 1, top + thickness)
    case .double: (top, top + 2 * thickness + 1)
    case .wavy where decoration.line == .overline: (top - 2 * thickness - 1, top + thickness / 2)
    case .wavy: (top, top + 3 * thickness)
    default: (top, top + thickness)
    }
  }

  private func paintLine(_ decoration: Decoration, _ left: Double, _ right: Double, _ top: Double, _ thickness: Double, _ color: Color) {
    func rect(_ y: Double) -> PixelRect { DisplayRect(x: left, y: y, width: right - left, height: thickness).enclosing }
    switch decoration.style {
    case .solid: fill(rect(top), color)
    case .double:
      let distance = thickness + 1
      fill(rect(top), color)
      fill(rect(decoration.line == .overline ? top - distance : top + distance), color)
    case .dotted, .dashed:
      let edge = BorderEdge(width: Int(thickness), style: decoration.style == .dotted ? .dotted : .dashed, color: color)
      borders.strokeLine(rect(top), true, edge)
    case .wavy: paintWave(decoration, left, right, top, thickness, color)
    }
  }

  /// A wave of cubic curves, as Chromium draws it.
  private func paintWave(_ decoration: Decoration, _ left: Double, _ right: Double, _ top: Double, _ thickness: Double, _ color: Color) {
    // Half pixels, for the sake of small waves.
    let width = max(1, decoration.thickness)
    let step = 0.5 + (2 * width + 0.5).rounded(), control = 0.5 + (3 * width + 0.5).rounded()
    let factor: Double =
      switch decoration.line {
      case .underline: 1
      case .overline: -1
      case .lineThrough: 0
      }
    let y = top + 0.5 + factor * (thickness + 1)
    var path = VectorPath()
    let visible = recorder.transform.inverted?.mapBounds(recorder.clipBounds) ?? .empty
    let skipped = max(0, ((Double(visible.left) - left) / (2 * step)).rounded(.down) - 1)
    var x = left - 2 * step + skipped * 2 * step
    path.move(x, y)
    while x < min(right, Double(visible.right)) + 2 * step {
      path.cubic(x + step, y + control, x + step, y - control, x + 2 * step, y)
      x += 2 * step
    }
    let band = DisplayRect(x: left, y: y - control - thickness, width: right - left, height: 2 * (control + thickness))
    pushClip(.rect(band.enclosing))
    stroke(path, Stroke(width: decoration.thickness), color)
    popClip()
  }

  // MARK: Ink

  /// The stretches of a line that no glyph comes near. https://drafts.csswg.org/css-text-decor-4/#text-decoration-skip-ink-property
  private func inkFree(
    _ left: Double, _ right: Double, _ band: (low: Double, high: Double), _ thickness: Double, _ line: TextPainter.TextLine
  ) -> [(Double, Double)] {
    guard let glyphs = context.glyphs else { return [(left, right)] }
    let low = band.low - line.origin.y, high = band.high - line.origin.y
    let gap = min(thickness, 13)
    var cuts: [(Double, Double)] = []
    for run in line.text.glyphs where !run.isIdeographic && !(line.isVertical && !run.isSideways) {
      let size = run.size * Float(scale)
      for glyph in run.glyphs {
        guard let ink = InkCache.extent(glyphs, run.face, size, glyph.id, low - Double(glyph.y) * scale, high - Double(glyph.y) * scale)
        else { continue }
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

/// Where a glyph's outline crosses a horizontal band.
enum InkCache {
  static func extent(
    _ glyphs: GlyphRasterizer, _ face: FaceInstance, _ size: Float, _ glyph: UInt32, _ low: Double, _ high: Double
  ) -> (Double, Double)? {
    let outline = glyphs.outline(face, size: size, glyph: glyph)
    guard !outline.isEmpty else { return nil }
    var path = VectorPath()
    path.append(outline, at: DisplayPoint(0, 0), .identity)
    let bounds = path.bounds
    guard bounds.maxY > low, bounds.y < high else { return nil }
    var least = Double.infinity, most = -Double.infinity
    var current = DisplayPoint(0, 0), start = current
    func add(_ a: DisplayPoint, _ b: DisplayPoint) {
      // The part of the line inside the band.
      guard max(a.y, b.y) >= low, min(a.y, b.y) <= high else { return }
      func x(_ y: Double) -> Double { a.y == b.y ? a.x : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) }
      for y in [min(max(a.y, low), high), min(max(b.y, low), high)] {
        let value = a.y == b.y ? (y == a.y ? a.x : b.x) : x(y)
        least = min(least, value)
        most = max(most, value)
      }
      if a.y == b.y {
        least = min(least, a.x, b.x)
        most = max(most, a.x, b.x)
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
    return least <= most ? (least, most) : nil
  }
}
