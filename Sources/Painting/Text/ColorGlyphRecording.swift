import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// Records color glyphs (the OpenType table `COLR`) as shapes and gradients.
/// https://learn.microsoft.com/typography/opentype/spec/colr
struct ColorGlyphs {
  private struct Key: Hashable {
    var face: UInt64
    var glyph: UInt32
  }
  private var paints: [Key: ColorPaint?] = [:]
  private var paths: [Key: VectorPath] = [:]
  /// The maximum number of shapes for the color glyphs of a page. Glyphs beyond it are drawn in the text color.
  fileprivate var left = 400_000
  private let steps = ColorSteps()

  mutating func paint(_ face: FaceInstance, _ glyph: UInt32) -> ColorPaint? {
    guard left > 0 else { return nil }
    let key = Key(face: face.identifier, glyph: glyph)
    if let cached = paints[key] { return cached }
    let paint = face.colorPaint(glyph, steps: steps)
    paints[key] = paint
    return paint
  }

  /// The outline of a glyph in font units, y up.
  mutating func path(_ face: FaceInstance, _ glyph: UInt32, _ glyphs: GlyphRasterizer) -> VectorPath {
    let key = Key(face: face.identifier, glyph: glyph)
    if let cached = paths[key] { return cached }
    var path = VectorPath()
    path.append(
      glyphs.outline(face, size: Float(face.face.info.unitsPerEm), glyph: glyph), at: DisplayPoint(0, 0),
      AffineTransform(a: 1, b: 0, c: 0, d: -1, e: 0, f: 0))
    paths[key] = path
    return path
  }
}

extension DisplayListRecorder {
  /// Draws the color glyphs of a run.
  ///
  /// - Returns: The remaining glyphs; nil if absent.
  func paintColored(_ run: GlyphRun) -> GlyphRun? {
    guard let glyphs, run.strokeWidth <= 0, run.size > 0 else { return run }
    var rest = run
    rest.glyphs = []
    for glyph in run.glyphs {
      budget?.spend(work: PaintBudget.glyphWork)
      guard budget?.failure == nil else { return nil }
      guard let paint = colorGlyphs.paint(run.face, glyph.id) else {
        rest.glyphs.append(glyph)
        continue
      }
      let units = Double(run.face.face.info.unitsPerEm), scale = Double(run.size) / units
      let turn =
        run.isSideways
        ? AffineTransform(a: 0, b: 1, c: -1, d: 0, e: run.origin.x, f: run.origin.y) : .translation(run.origin.x, run.origin.y)
      pushTransform(
        turn.concatenating(AffineTransform(a: scale, b: 0, c: 0, d: -scale, e: Double(glyph.x), f: Double(glyph.y))))
      // In Chromium the opacity of the text color applies to the whole glyph, and again to the parts in the foreground color.
      isolated(opacity: run.color.alpha) {
        var painter = ColorGlyphPainter(recorder: self, face: run.face, glyphs: glyphs, text: run.color)
        painter.paint(paint, DisplayRect(x: -2 * units, y: -2 * units, width: 5 * units, height: 5 * units))
      }
      popTransform()
    }
    return rest.glyphs.isEmpty ? nil : rest
  }

  fileprivate func isolated(opacity: Float = 1, _ body: () -> Void) {
    guard opacity < 1 else { return body() }
    var group = Group()
    group.opacity = opacity
    pushGroup(group)
    body()
    popGroup()
  }
}

private struct ColorGlyphPainter {
  let recorder: DisplayListRecorder
  let face: FaceInstance
  let glyphs: GlyphRasterizer
  let text: Color

  /// - Parameter area: Bounds of the visible content.
  mutating func paint(_ paint: ColorPaint, _ area: DisplayRect) {
    recorder.colorGlyphs.left -= 1
    guard recorder.colorGlyphs.left > 0 else { return }
    switch paint {
    case .layers(let layers): for layer in layers { self.paint(layer, area) }
    case .solid(let ink): recorder.fill(VectorPath(area), ink.resolved(text))
    case .gradient(let gradient): fill(gradient, area)
    case .glyph(let glyph, let inner):
      let path = recorder.colorGlyphs.path(face, glyph, glyphs)
      guard !path.elements.isEmpty else { return }
      if case .solid(let ink) = inner { return recorder.fill(path, ink.resolved(text)) }
      clipped(path, inner)
    case .transform(let a, let b, let c, let d, let e, let f, let inner):
      let transform = AffineTransform(a: a, b: b, c: c, d: d, e: e, f: f)
      guard let inverse = transform.inverse else { return }
      recorder.pushTransform(transform)
      self.paint(inner, inverse.mapRect(area))
      recorder.popTransform()
    case .composite(let source, let mode, let backdrop): compose(source, mode, backdrop, area)
    case .clip(let left, let bottom, let right, let top, let inner):
      guard right > left, top > bottom else { return }
      clipped(VectorPath(DisplayRect(x: left, y: bottom, width: right - left, height: top - bottom)), inner)
    }
  }

  private mutating func clipped(_ path: VectorPath, _ inner: ColorPaint) {
    recorder.pushClip(.path(path), path.bounds)
    paint(inner, path.bounds.insetBy(-1))
    recorder.popClip()
  }

  // MARK: Gradients

  private func fill(_ gradient: ColorGradient, _ area: DisplayRect) {
    guard let last = gradient.stops.last else { return }
    var stops = gradient.stops.map { ResolvedGradient.Stop(offset: $0.offset, color: $0.ink.resolved(text)) }
    let geometry: ResolvedGradient.Geometry
    switch gradient.shape {
    case .linear(let x0, let y0, let x1, let y1): geometry = .linear(from: DisplayPoint(x0, y0), to: DisplayPoint(x1, y1))
    case .radial(let x0, let y0, let r0, let x1, let y1, let r1):
      let first = DisplayPoint(x0, y0), second = DisplayPoint(x1, y1)
      if first == second, r0 == r1 { return recorder.fill(VectorPath(area), last.ink.resolved(text)) }
      if r0 > r1 {
        // From the inner circle to the outer one.
        stops = stops.reversed().map { ResolvedGradient.Stop(offset: 1 - $0.offset, color: $0.color) }
        geometry = .conical(focus: second, focalRadius: r1, center: first, radius: r0)
      } else {
        geometry =
          first == second && r0 == 0
          ? .radial(center: second, rx: r1, ry: r1) : .conical(focus: first, focalRadius: r0, center: second, radius: r1)
      }
    case .sweep(let x, let y, let start, let end):
      // Sweep angles run from the x axis toward positive y: counterclockwise with y up, clockwise in the y-down space of conic gradients,
      // in which the x axis is at π/2 from the top.
      geometry = .conic(center: DisplayPoint(x, y), start: .pi / 2)
      stops = Self.sector(stops, start / 360, end / 360, gradient.extend)
    }
    let isSweep = if case .sweep = gradient.shape { true } else { false }
    if !isSweep, gradient.extend != .pad { stops = Self.period(stops, isReflected: gradient.extend == .reflect) }
    let resolved = ResolvedGradient(
      geometry: geometry, stops: stops, isRepeating: !isSweep && gradient.extend != .pad, isPremultiplied: false)
    recorder.add(
      .pattern(Pattern(source: .gradient(resolved), tile: DisplayRect(x: 0, y: 0, width: 1, height: 1), area: RoundedRect(area))),
      area.enclosing)
  }

  /// Stops for a sector of the circle. The colors at its ends fill the remainder, or the sector is repeated around the circle.
  private static func sector(
    _ stops: [ResolvedGradient.Stop], _ start: Double, _ end: Double, _ extend: ColorGradient.Extend
  ) -> [ResolvedGradient.Stop] {
    let length = abs(end - start), isRepeated = extend != .pad && length >= 0.01
    var period = stops.map { stop in
      let offset = end < start ? 1 - Double(stop.offset) : Double(stop.offset)
      return ResolvedGradient.Stop(offset: Float(offset), color: stop.color)
    }
    if end < start { period.reverse() }
    let first = min(start, end)
    let numbers = isRepeated ? Int((-first / length).rounded(.down))...Int(((1 - first) / length).rounded(.up)) : 0...0
    return numbers.flatMap { number in
      let isTurned = extend == .reflect && number & 1 != 0
      return (isTurned ? period.reversed() : period).map { stop in
        let offset = isTurned ? 1 - Double(stop.offset) : Double(stop.offset)
        return ResolvedGradient.Stop(offset: Float(first + (Double(number) + offset) * length), color: stop.color)
      }
    }
  }

  /// The stops of one period of a repeated gradient.
  private static func period(_ stops: [ResolvedGradient.Stop], isReflected: Bool) -> [ResolvedGradient.Stop] {
    guard isReflected, let last = stops.last else { return stops }
    return stops + stops.dropLast().reversed().map { ResolvedGradient.Stop(offset: 2 * last.offset - $0.offset, color: $0.color) }
  }

  // MARK: Composition

  /// https://learn.microsoft.com/typography/opentype/spec/colr#format-32-paintcomposite
  private mutating func compose(_ source: ColorPaint, _ mode: UInt8, _ backdrop: ColorPaint, _ area: DisplayRect) {
    switch mode {
    case 0: return
    case 1: paint(source, area)
    case 2: paint(backdrop, area)
    case 3:
      group(.blend(.normal)) {
        $0.paint(backdrop, area); $0.paint(source, area)
      }
    case 4:
      group(.blend(.normal)) {
        $0.paint(source, area); $0.paint(backdrop, area)
      }
    case 5: put(source, .inside, backdrop, area)
    case 6: put(backdrop, .inside, source, area)
    case 7: put(source, .outside, backdrop, area)
    case 8: put(backdrop, .outside, source, area)
    case 9: atop(source, backdrop, area)
    case 10: atop(backdrop, source, area)
    case 11: put(source, .xor, backdrop, area)
    default: put(source, .blend(Self.modes[Int(mode)] ?? .normal), backdrop, area)
    }
  }

  private static let modes: [Int: BlendMode] = [
    12: .plusLighter, 13: .screen, 14: .overlay, 15: .darken, 16: .lighten, 17: .colorDodge, 18: .colorBurn, 19: .hardLight, 20: .softLight,
    21: .difference, 22: .exclusion, 23: .multiply, 24: .hue, 25: .saturation, 26: .color, 27: .luminosity,
  ]

  private mutating func put(_ upper: ColorPaint, _ operation: Group.Operator, _ lower: ColorPaint, _ area: DisplayRect) {
    group(.blend(.normal)) { painter in
      painter.paint(lower, area)
      painter.group(operation) { $0.paint(upper, area) }
    }
  }

  private mutating func atop(_ upper: ColorPaint, _ lower: ColorPaint, _ area: DisplayRect) {
    group(.blend(.normal)) { painter in
      painter.paint(lower, area)
      painter.put(upper, .inside, lower, area)
    }
  }

  private mutating func group(_ operation: Group.Operator, _ body: (inout ColorGlyphPainter) -> Void) {
    var group = Group()
    group.operation = operation
    recorder.pushGroup(group)
    body(&self)
    recorder.popGroup()
  }
}

extension VectorPath {
  fileprivate init(_ rect: DisplayRect) {
    self.init()
    add(RoundedRect(rect))
  }
}
