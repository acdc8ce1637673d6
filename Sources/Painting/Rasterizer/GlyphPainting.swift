internal import COffprintPixels
import OffprintCoreTypes
import OffprintImages
import OffprintTypography

// Text: cached glyph bitmaps for upright text at uniform scale, outlines otherwise.
extension Rasterizer {
  func draw(_ run: GlyphRun, _ bounds: PixelRect, _ state: State) throws {
    let t = state.transform
    let isAxisAligned = t.b == 0 && t.c == 0 && t.a > 0 && t.a == t.d
    let size = run.size * Float(isAxisAligned ? t.a : 1)
    if isAxisAligned, !run.isSideways, run.strokeWidth <= 0, size <= GlyphRasterizer.maximumSize {
      try drawColorGlyphs(run, size, bounds, state)
    } else {
      try drawOutlines(run, bounds, state)
    }
  }

  private func drawColorGlyphs(_ run: GlyphRun, _ size: Float, _ bounds: PixelRect, _ state: State) throws {
    let strike = glyphs.strike(run.face, size: size)
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty else { return }
    let clip = try mask(for: area, state)
    let pixel = run.color.premultipliedPixel
    let origin = state.transform.map(run.origin), scale = state.transform.a
    for glyph in run.glyphs {
      try meter.spend(64)
      let pen = origin.x + Double(glyph.x) * scale
      let (x, phase) = GlyphRasterizer.quantize(Float(hasWholeGlyphPositions ? (pen + 0.5).rounded(.down) : pen))
      let y = clampedPixel((origin.y + Double(glyph.y) * scale + 0.5).rounded(.down))
      glyphs.withImage(strike, glyph: glyph.id, phase: phase) { image, bytes in
        guard !image.isEmpty, bytes.count >= image.bytesPerRow * Int(image.height) else { return }
        let place = PixelRect(x: x + Int(image.left), y: y - Int(image.top), width: Int(image.width), height: Int(image.height))
        let visible = place.intersection(area)
        guard !visible.isEmpty, let base = bytes.baseAddress else { return }
        let source = GlyphSource(base: base, bytesPerRow: image.bytesPerRow, place: place)
        switch image.format {
        case .coverage: state.layer.blendCoverage(source, visible, pixel, clip)
        case .premultipliedBGRA: state.layer.blendBitmapGlyph(source, visible, alpha: pixel >> 24, clip)
        }
      }
      try meter.spend(glyphs.takeWork())
    }
  }

  private func drawOutlines(_ run: GlyphRun, _ bounds: PixelRect, _ state: State) throws {
    var path = VectorPath()
    let turn =
      run.isSideways ? AffineTransform(a: 0, b: 1, c: -1, d: 0, e: run.origin.x, f: run.origin.y) : .translation(run.origin.x, run.origin.y)
    var colorGlyphs: [GlyphRun.Glyph] = []
    let grid = GlyphGrid(state.transform.concatenating(turn), run, isWhole: hasWholeGlyphPositions)
    for glyph in run.glyphs {
      try meter.spend(256)
      let outline = glyphs.outline(run.face, size: run.size, glyph: glyph.id, isEmboldened: run.strokeWidth <= 0)
      if outline.isEmpty { colorGlyphs.append(glyph) }
      let pen = DisplayPoint(Double(glyph.x), Double(glyph.y))
      path.append(outline, at: grid?.snapped(pen) ?? pen, turn)
      try meter.spend(glyphs.takeWork())
      try meter.permit(documentPoints: path.elements.count)
    }
    if run.strokeWidth > 0 {
      try stroke(path, run.pen, run.color, bounds, state)
    } else {
      try fill(path, run.color, bounds, state)
    }
    guard !colorGlyphs.isEmpty, run.face.face.info.hasColor else { return }
    for glyph in colorGlyphs { try drawColorGlyph(glyph, of: run, turn, bounds, state) }
  }

  /// Draws a bitmap glyph of rotated text.
  private func drawColorGlyph(_ glyph: GlyphRun.Glyph, of run: GlyphRun, _ turn: AffineTransform, _ bounds: PixelRect, _ state: State)
    throws
  {
    let size = min(run.size, GlyphRasterizer.maximumSize), enlarged = Double(run.size / size)
    let strike = glyphs.strike(run.face, size: size)
    var found: (bitmap: Bitmap, left: Double, top: Double)?
    glyphs.withImage(strike, glyph: glyph.id, phase: 0) { image, bytes in
      guard image.format == .premultipliedBGRA, !image.isEmpty, bytes.count >= image.bytesPerRow * Int(image.height),
        let base = bytes.baseAddress,
        let bitmap = Bitmap(width: Int(image.width), height: Int(image.height), copying: base, stride: image.bytesPerRow)
      else { return }
      found = (bitmap, Double(image.left), -Double(image.top))
    }
    try meter.spend(glyphs.takeWork())
    guard let found else { return }
    let tile = DisplayRect(
      x: Double(glyph.x) + found.left * enlarged, y: Double(glyph.y) + found.top * enlarged, width: Double(found.bitmap.width) * enlarged,
      height: Double(found.bitmap.height) * enlarged)
    var turned = state
    turned.transform = state.transform.concatenating(turn)
    try paint(Pattern(source: .bitmap(found.bitmap, smooth: true), tile: tile, area: RoundedRect(tile)), -1, bounds, turned)
  }
}

extension GlyphRun {
  /// The pen for stroked glyphs. Skia adds the width of synthetic bold to the stroke and uses a miter limit of 4.
  var pen: Stroke {
    var pen = Stroke(width: strokeWidth + (face.isSyntheticBold ? GlyphRasterizer.emboldening(size) : 0))
    (pen.strokesGlyph, pen.miterLimit) = (true, 4)
    return pen
  }
}

extension VectorPath {
  /// Appends a glyph outline with its origin at `origin`, mapped by `transform`.
  mutating func append(_ outline: GlyphOutline, at origin: DisplayPoint, _ transform: AffineTransform) {
    func point(_ p: GlyphOutline.Point) -> DisplayPoint { transform.map(DisplayPoint(origin.x + Double(p.x), origin.y + Double(p.y))) }
    var current = DisplayPoint(0, 0)
    for command in outline.commands {
      switch command {
      case .move(let p):
        current = point(p)
        elements.append(.move(current))
      case .line(let p):
        current = point(p)
        elements.append(.line(current))
      case .quadratic(let c, let p):
        quadratic(from: current, point(c), point(p))
        current = point(p)
      case .cubic(let a, let b, let p):
        elements.append(.cubic(point(a), point(b), point(p)))
        current = point(p)
      case .close: close()
      }
    }
  }
}

/// The rows of a glyph bitmap and their position.
struct GlyphSource {
  var base: UnsafePointer<UInt8>
  var bytesPerRow: Int
  var place: PixelRect
}

extension PixelLayer {
  func blendCoverage(_ source: GlyphSource, _ area: PixelRect, _ pixel: UInt32, _ mask: CoverageMask?) {
    let area = area.intersection(rect)
    guard !area.isEmpty else { return }
    let first = source.base + (area.top - source.place.top) * source.bytesPerRow + (area.left - source.place.left)
    guard let mask else {
      return pixels_fill_image(pointer(area.left, area.top), stride, first, source.bytesPerRow, area.width, area.height, pixel)
    }
    for y in area.top..<area.bottom {
      let out = pointer(area.left, y), coverage = first + (y - area.top) * source.bytesPerRow
      if let covered = mask.row(area.left, y, area.width) {
        pixels_fill_covered(out, area.width, pixel, coverage, covered)
      } else {
        for x in 0..<area.width where coverage[x] > 0 {
          out[x] = blendOver(out[x], scalePixel(pixel, multiplyBytes(UInt32(coverage[x]), mask.value(area.left + x, y))))
        }
      }
    }
  }

  func blendBitmapGlyph(_ source: GlyphSource, _ area: PixelRect, alpha: UInt32, _ mask: CoverageMask?) {
    let area = area.intersection(rect)
    for y in area.top..<max(area.top, area.bottom) {
      let out = pointer(area.left, y)
      let bytes = source.base + (y - source.place.top) * source.bytesPerRow + (area.left - source.place.left) * 4
      for x in 0..<area.width {
        let p = bytes + x * 4
        let pixel = UInt32(p[3]) << 24 | UInt32(p[2]) << 16 | UInt32(p[1]) << 8 | UInt32(p[0])
        var c = alpha
        if let mask { c = multiplyBytes(c, mask.value(area.left + x, y)) }
        out[x] = blendOver(out[x], c == 255 ? pixel : scalePixel(pixel, c))
      }
    }
  }
}
