import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// Paints text decorations in SVG with the fill and stroke of the text. https://www.w3.org/TR/SVG2/text.html#TextDecorationProperties
struct SVGDecorationPainter {
  let painter: SVGPainter
  private static let maximumWaves = 10_000

  func paint(_ line: SVGText.DecorationLine, _ node: SVGNode) throws {
    let path = outline(line).mapped(line.transform)
    guard !path.elements.isEmpty else { return }
    try painter.paintOutline(path, line.style, node)
  }

  /// The shape of the line in the space of its glyphs. https://drafts.csswg.org/css-text-decor-3/#text-decoration-style-property
  private func outline(_ line: SVGText.DecorationLine) -> VectorPath {
    let rect = line.rect, thickness = line.isVertical ? rect.width : rect.height, length = line.isVertical ? rect.height : rect.width
    var path = VectorPath()
    /// Adds a piece along the line; `across` is its distance from the upper edge.
    func add(_ start: Double, _ end: Double, across: Double = 0) {
      let along = DisplayRect(x: start, y: across, width: min(end, length) - start, height: thickness)
      guard along.width > 0 else { return }
      path.add(RoundedRect(placed(along, line)))
    }
    switch line.style.effects.textDecorationStyle {
    case .solid: add(0, length)
    case .double:
      add(0, length)
      add(0, length, across: 2 * thickness)
    case .dotted: pieces(length, thickness, gap: thickness) { add($0, $1) }
    case .dashed: pieces(length, 2 * thickness, gap: thickness) { add($0, $1) }
    case .wavy: return wave(line, thickness, length)
    }
    return path
  }

  private func pieces(_ length: Double, _ piece: Double, gap: Double, _ body: (Double, Double) -> Void) {
    guard piece > 0, length.isFinite else { return }
    let count = min(Double(Self.maximumWaves), ((length + gap) / (piece + gap)).rounded())
    guard count > 1 else { return body(0, length) }
    // The gaps absorb the remaining length.
    let step = (length - piece) / (count - 1)
    for index in 0..<Int(count) { body(Double(index) * step, Double(index) * step + piece) }
  }

  private func placed(_ along: DisplayRect, _ line: SVGText.DecorationLine) -> DisplayRect {
    line.isVertical
      ? DisplayRect(x: line.rect.maxX - along.maxY, y: line.rect.y + along.x, width: along.height, height: along.width)
      : DisplayRect(x: line.rect.x + along.x, y: line.rect.y + along.y, width: along.width, height: along.height)
  }

  /// A wave around the line, two line thicknesses high, cut at the ends.
  private func wave(_ line: SVGText.DecorationLine, _ thickness: Double, _ length: Double) -> VectorPath {
    let step = 2 * thickness + 1, half = thickness / 2
    guard step > 0, length / step < Double(Self.maximumWaves) else { return VectorPath() }
    func point(_ x: Double, _ y: Double) -> DisplayPoint {
      line.isVertical ? DisplayPoint(line.rect.maxX - y, line.rect.y + x) : DisplayPoint(line.rect.x + x, line.rect.y + y)
    }
    let middle = thickness + half
    var upper: [DisplayPoint] = [], lower: [DisplayPoint] = []
    let count = max(2, Int((length / step * 8).rounded(.up)))
    for index in 0...count {
      let x = min(length, Double(index) * step / 8)
      // Parabolas approximate the Bézier curves that Chromium strokes.
      let phase = (x / step).truncatingRemainder(dividingBy: 2), t = phase < 1 ? phase : phase - 1
      let y = (phase < 1 ? -4 : 4) * t * (1 - t) * thickness * 0.75
      upper.append(point(x, middle + y - half))
      lower.append(point(x, middle + y + half))
    }
    var path = VectorPath()
    for (index, corner) in (upper + lower.reversed()).enumerated() {
      if index == 0 { path.move(corner.x, corner.y) } else { path.line(corner.x, corner.y) }
    }
    path.close()
    return path
  }
}
