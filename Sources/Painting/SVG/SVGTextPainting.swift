import OffprintCSS
import OffprintCoreTypes
import OffprintLayout
import OffprintTypography

// https://www.w3.org/TR/SVG2/text.html#TextRenderingOrder
extension SVGPainter {
  func paintText(_ node: SVGNode, _ text: SVGText) throws { try paint(text.items[...], node, text) }

  private func paint(_ items: ArraySlice<SVGText.Item>, _ node: SVGNode, _ text: SVGText) throws {
    var rest = items
    while let item = rest.popFirst() {
      try context.step()
      switch item {
      case .glyphs(let run): try paintRun(run, node)
      case .decoration(let line): try SVGDecorationPainter(painter: self).paint(line, node)
      case .beginGroup(let style):
        let inside = Self.group(rest)
        rest = rest.dropFirst(inside.count + 1)
        try withEffects(style, bounds: text.bounds, viewport: node.viewport) { try $0.paint(inside, node, text) }
      case .endGroup: break
      }
    }
  }

  /// The items up to the end of the current group.
  private static func group(_ items: ArraySlice<SVGText.Item>) -> ArraySlice<SVGText.Item> {
    var depth = 1
    return items.prefix { item in
      if case .beginGroup = item { depth += 1 }
      if case .endGroup = item { depth -= 1 }
      return depth > 0
    }
  }

  private func paintRun(_ run: SVGText.Run, _ node: SVGNode) throws {
    guard run.fontSize > 0, run.fontSize.isFinite else { return }
    let style = run.style
    if isSilhouette {
      if style.text.visibility == .visible { emit(run, .black) }
      return
    }
    for shadow in style.text.textShadow.reversed() where !context.hasFailed { paintShadow(shadow, run, node) }
    let fill = ink(style.svg.fill, style.svg.fillOpacity, style, node.bounds, node.viewport)
    for part in style.svg.paintOrder.parts {
      switch part {
      case .fill:
        switch fill {
        case .none: break
        case .color(let color): emit(run, color)
        default:
          let path = outline(run)
          try paint(fill, .path(path), path.bounds)
        }
      case .stroke:
        guard style.svg.stroke != .none else { continue }
        try paintStroke(outline(run), style, node)
      case .markers: break
      }
    }
  }

  /// https://drafts.csswg.org/css-text-decor-3/#text-shadow-property
  private func paintShadow(_ shadow: Shadow, _ run: SVGText.Run, _ node: SVGNode) {
    let style = run.style, color = shadow.color.resolve(style.text.color)
    guard !color.isTransparent, style.svg.fill != .none || style.svg.stroke != .none else { return }
    let sigma = Double(max(0, shadow.blur)) / 2 * recorder.transform.meanScale
    if sigma > 0 {
      var group = Group()
      group.filters = [.blur(sigma)]
      pushGroup(group)
    }
    pushTransform(.translation(Double(shadow.x), Double(shadow.y)))
    if style.svg.fill != .none { emit(run, color) }
    if style.svg.stroke != .none {
      let path = outline(run), stroke = stroke(style, path, node.viewport, nil)
      if stroke.width > 0, !path.elements.isEmpty { recorder.add(.strokePath(path, stroke, color), Self.bounds(path, stroke)) }
    }
    popTransform()
    if sigma > 0 { popGroup() }
  }

  func paintOutline(_ path: VectorPath, _ style: ComputedStyle, _ node: SVGNode) throws {
    if isSilhouette { return recorder.add(.fillPath(path, .black), path.bounds) }
    for part in style.svg.paintOrder.parts {
      switch part {
      case .fill: try paint(ink(style.svg.fill, style.svg.fillOpacity, style, node.bounds, node.viewport), .path(path), path.bounds)
      case .stroke: try paintStroke(path, style, node)
      case .markers: break
      }
    }
  }

  private func paintStroke(_ path: VectorPath, _ style: ComputedStyle, _ node: SVGNode) throws {
    let ink = ink(style.svg.stroke, style.svg.strokeOpacity, style, node.bounds, node.viewport)
    if case .none = ink { return }
    let stroke = stroke(style, path, node.viewport, nil)
    guard stroke.width > 0, !path.elements.isEmpty else { return }
    try strokePath(path, stroke, ink, style)
  }

  /// Records the run as glyphs, which are drawn from cached bitmaps if the text is upright.
  private func emit(_ run: SVGText.Run, _ color: Color) {
    let isMoved = !run.transform.isIdentity
    if isMoved { pushTransform(run.transform) }
    let glyphs = run.glyphs.map { GlyphRun.Glyph(id: $0.id, x: $0.x, y: $0.y) }
    let command = GlyphRun(face: run.face, size: run.fontSize, glyphs: glyphs, origin: DisplayPoint(0, 0), color: color)
    recorder.add(.glyphs(command), bounds(run))
    if isMoved { popTransform() }
  }

  private func bounds(_ run: SVGText.Run) -> DisplayRect {
    var low = SIMD2<Float>(repeating: .infinity), high = SIMD2<Float>(repeating: -.infinity)
    for glyph in run.glyphs {
      low = pointwiseMin(low, SIMD2(glyph.x, glyph.y))
      high = pointwiseMax(high, SIMD2(glyph.x, glyph.y))
    }
    let size = Double(run.fontSize)
    return DisplayRect(
      x: Double(low.x) - 1.5 * size, y: Double(low.y) - 1.75 * size, width: Double(high.x - low.x) + 4 * size,
      height: Double(high.y - low.y) + 3 * size)
  }

  /// The outlines of a run's glyphs, in the user space of the text.
  private func outline(_ run: SVGText.Run) -> VectorPath {
    var path = VectorPath()
    for glyph in run.glyphs where recorder.hasRoom(for: path) {
      recorder.missing.note(glyph: glyph.id)
      path.append(
        recorder.outline(run.face, size: run.fontSize, glyph: glyph.id), at: DisplayPoint(Double(glyph.x), Double(glyph.y)), run.transform)
    }
    return path
  }
}
