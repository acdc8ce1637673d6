import Testing

@testable import OffprintTypography

@Suite struct GlyphRasterizerTests {
  private func glyph(_ text: String, _ description: FontDescription) throws -> (FaceInstance, UInt32) {
    let run = Fixture.context().shape(text, description)
    return (try #require(run.segments.first?.face), try #require(run.glyphs.first?.glyph))
  }

  @Test("The bitmap of a glyph is on the baseline and covers approximately the area of its outline")
  func coverage() throws {
    let (face, glyph) = try glyph("I", Fixture.sans)
    let rasterizer = GlyphRasterizer()
    let strike = rasterizer.strike(face, size: 64)
    rasterizer.withImage(strike, glyph: glyph, phase: 0) { image, bytes in
      #expect(image.format == .coverage)
      #expect(image.top >= 44 && image.top <= 45)
      #expect(Int(image.height) == Int(image.top))
      #expect(bytes.count == Int(image.width) * Int(image.height))
      // A bar 191 units wide and 1409 high.
      let area = 191.0 * 1409 / (2048 * 2048) * 64 * 64
      let covered = bytes.reduce(0.0) { $0 + Double($1) } / 255
      #expect(abs(covered - area) < 2)
    }
  }

  @Test("Subpixel phases move a glyph by a quarter of a pixel and preserve its weight")
  func phases() throws {
    let (face, glyph) = try glyph("l", Fixture.sans)
    let rasterizer = GlyphRasterizer()
    let strike = rasterizer.strike(face, size: 16)
    func moment(_ phase: Int) -> (weight: Double, centre: Double) {
      rasterizer.withImage(strike, glyph: glyph, phase: phase) { image, bytes in
        var weight = 0.0, sum = 0.0
        for (index, byte) in bytes.enumerated() {
          weight += Double(byte)
          sum += Double(byte) * (Double(image.left) + Double(index % Int(image.width)))
        }
        return (weight, sum / weight)
      }
    }
    let first = moment(0), second = moment(2), third = moment(3)
    #expect(abs(first.weight - second.weight) / first.weight < 0.02)
    // The centers of pixels determine the position of a stem only approximately.
    #expect(abs(second.centre - first.centre - 0.5) < 0.2)
    #expect(third.centre > second.centre)
    #expect(moment(0) == first)
  }

  @Test("Pen positions are rounded to quarters of a pixel, halves up")
  func quantizing() {
    #expect(GlyphRasterizer.quantize(10.1) == (10, 0))
    #expect(GlyphRasterizer.quantize(10.125) == (10, 1))
    #expect(GlyphRasterizer.quantize(10.9) == (11, 0))
    #expect(GlyphRasterizer.quantize(-0.25) == (-1, 3))
    #expect(GlyphRasterizer.quantize(.nan) == (0, 0))
  }

  @Test("Synthetic bold is heavier, and a synthetic slant leans to the right")
  func synthesis() throws {
    let rasterizer = GlyphRasterizer()
    func area(_ description: FontDescription) throws -> (Double, Int32) {
      let (face, glyph) = try glyph("l", description)
      return rasterizer.withImage(rasterizer.strike(face, size: 48), glyph: glyph, phase: 0) { image, bytes in
        (bytes.reduce(0.0) { $0 + Double($1) }, image.width)
      }
    }
    var description = Fixture.description("DejaVu Sans")
    let plain = try area(description)
    description.weight = 800
    let bold = try area(description)
    #expect(bold.0 > plain.0 * 1.1)
    description.weight = 400
    description.style = .italic
    let slanted = try area(description)
    #expect(slanted.1 > plain.1 + 6)
    #expect(abs(slanted.0 - plain.0) / plain.0 < 0.02)
  }

  @Test("An outline is closed, above the baseline and as wide as the glyph")
  func outlines() throws {
    let (face, glyph) = try glyph("H", Fixture.sans)
    let outline = GlyphRasterizer().outline(face, size: 2048, glyph: glyph)
    #expect(outline.commands.last == .close)
    let points: [GlyphOutline.Point] = outline.commands.compactMap {
      switch $0 {
      case .move(let point), .line(let point): point
      default: nil
      }
    }
    #expect(points.allSatisfy { $0.y <= 0 && $0.y >= -1409 })
    #expect((points.map(\.x).max() ?? 0) > 1200)
    #expect(points.count == 13)
  }

  @Test("Blank glyphs, unknown glyphs and invalid sizes have empty bitmaps")
  func blanks() throws {
    let (face, space) = try glyph(" ", Fixture.sans)
    let rasterizer = GlyphRasterizer()
    rasterizer.withImage(rasterizer.strike(face, size: 16), glyph: space, phase: 0) { image, _ in #expect(image.isEmpty) }
    rasterizer.withImage(rasterizer.strike(face, size: 16), glyph: .max, phase: 0) { image, _ in #expect(image.isEmpty) }
    rasterizer.withImage(rasterizer.strike(face, size: .nan), glyph: 40, phase: 0) { image, _ in #expect(image.isEmpty) }
  }

  @Test("The points and pixels of glyphs are counted when they are rasterized, not when they come from the cache")
  func work() throws {
    let context = Fixture.context(), rasterizer = GlyphRasterizer()
    let face = try #require(context.shape("A", Fixture.sans).segments.first).face
    let strike = rasterizer.strike(face, size: 16)
    rasterizer.withImage(strike, glyph: 36, phase: 0) { _, _ in }
    #expect(rasterizer.takeWork() > 500)
    rasterizer.withImage(strike, glyph: 36, phase: 0) { _, _ in }
    #expect(rasterizer.takeWork() == 0)
    _ = rasterizer.outline(face, size: 16, glyph: 36)
    #expect(rasterizer.takeWork() > 500 && rasterizer.takeWork() == 0)
  }
}
