import OffprintCSS
import OffprintCoreTypes
import Testing

@testable import OffprintPainting

/// Rows are processed several pixels at a time, and their ends pixel by pixel. Both must give the same result.
@Suite("Vectorized loops over rows of pixels") struct VectorLoopTests {
  private let memory = LayerMemory(limit: 1 << 24)

  private func number(_ seed: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15) >> 17)
  }

  private func premultiplied(_ seed: Int) -> UInt32 { scalePixel(number(seed) | 0xff00_0000, number(seed &+ 7) & 255) }

  private func layer(_ width: Int, _ seed: Int) throws -> PixelLayer {
    let layer = try #require(try PixelLayer(PixelRect(x: 0, y: 0, width: width, height: 2), memory))
    for i in 0..<2 * width { layer.pixels[i] = premultiplied(seed &+ i) }
    return layer
  }

  private func mask(_ width: Int, _ seed: Int) throws -> CoverageMask {
    let mask = try #require(try CoverageMask(PixelRect(x: 0, y: 0, width: width, height: 2), memory))
    // Including longer runs of empty and full coverage.
    for y in 0..<2 {
      for x in 0..<width { mask.row(y)[x] = x % 24 < 9 ? UInt8(number(seed &+ x &+ y) & 255) : x % 24 < 17 ? 0 : 255 }
    }
    return mask
  }

  @Test("Colors, layers and glyphs are blended onto rows of every length like onto single pixels")
  func blending() throws {
    for width in 1...45 {
      let area = PixelRect(x: 0, y: 0, width: width, height: 2), color = premultiplied(width), first = try mask(width, 1),
        second = try mask(width, 5)
      let source = try layer(width, 900)
      func check(_ draw: (PixelLayer) throws -> Void, _ expected: (UInt32, Int, Int) -> UInt32) throws {
        let below = try layer(width, 3), drawn = try layer(width, 3)
        try draw(drawn)
        for y in 0..<2 {
          for x in 0..<width { #expect(drawn.row(y)[x] == expected(below.row(y)[x], x, y), "\(x) of \(width)") }
        }
      }
      try check({ $0.fill(area, color) }) { below, _, _ in blendOver(below, color) }
      try check({ $0.fill(area, color, first) }) { below, x, y in blendOver(below, scalePixel(color, first.value(x, y))) }
      try check({ $0.fill(area, color, masks: [first, second]) }) { below, x, y in
        blendOver(below, scalePixel(color, multiplyBytes(first.value(x, y), second.value(x, y))))
      }
      try check({ try $0.composite(source, area, opacity: 90, first, WorkMeter(deadline: .never)) }) { below, x, y in
        blendOver(below, scalePixel(source.row(y)[x], multiplyBytes(90, first.value(x, y))))
      }
      let glyph = GlyphSource(base: UnsafePointer(first.bytes), bytesPerRow: first.stride, place: area)
      try check({ $0.blendCoverage(glyph, area, color, nil) }) { below, x, y in blendOver(below, scalePixel(color, first.value(x, y))) }
      try check({ $0.blendCoverage(glyph, area, color, second) }) { below, x, y in
        blendOver(below, scalePixel(color, multiplyBytes(first.value(x, y), second.value(x, y))))
      }
      withExtendedLifetime((first, second)) {}
    }
  }

  @Test("A gradient's row is the same in one piece and pixel by pixel, including before its start and after its end")
  func gradients() {
    let stops = [(0.1, Color(r: 255, g: 0, b: 0)), (0.4, Color(r: 0, g: 90, b: 200)), (0.8, Color(r: 9, g: 255, b: 0))]
      .map { ResolvedGradient.Stop(offset: Float($0.0), color: $0.1) }
    // Floats represent these numbers exactly, so that steps and positions are equal.
    let geometries: [ResolvedGradient.Geometry] = [
      .linear(from: DisplayPoint(10, 0), to: DisplayPoint(74, 0)), .radial(center: DisplayPoint(50, 3), rx: 64, ry: 16),
    ]
    for geometry in geometries {
      let gradient = ResolvedGradient(geometry: geometry, stops: stops), sampler = GradientSampler(gradient)
      var row = [UInt32](repeating: 0, count: 170)
      sampler.fill(&row, count: row.count, start: DisplayPoint(-30.5, 2.5), step: DisplayPoint(1, 0.0625))
      for (i, pixel) in row.enumerated() {
        var alone: UInt32 = 0
        sampler.fill(&alone, count: 1, start: DisplayPoint(-30.5 + Double(i), 2.5 + 0.0625 * Double(i)), step: DisplayPoint(1, 0.0625))
        #expect(pixel == alone, "pixel \(i)")
      }
      #expect(Set(row).count > 40)
    }
  }

  @Test("At infinite and NaN positions a gradient has one of its colors", arguments: [true, false])
  func endless(isRepeating: Bool) {
    let stops = [ResolvedGradient.Stop(offset: 0, color: Color(r: 255, g: 0, b: 0)), .init(offset: 1, color: Color(r: 255, g: 0, b: 0))]
    let geometries: [ResolvedGradient.Geometry] = [
      .linear(from: DisplayPoint(0, 0), to: DisplayPoint(8, 0)), .radial(center: DisplayPoint(0, 0), rx: 8, ry: 8),
      .conic(center: DisplayPoint(0, 0), start: 0),
    ]
    for geometry in geometries {
      let sampler = GradientSampler(ResolvedGradient(geometry: geometry, stops: stops, isRepeating: isRepeating))
      for place in [Double.infinity, -.infinity, .nan, 1e300] {
        var row = [UInt32](repeating: 0, count: 70)
        sampler.fill(&row, count: row.count, start: DisplayPoint(place, place), step: DisplayPoint(1, 1))
        #expect(row.allSatisfy { $0 == 0xFFFF_0000 }, "\(geometry) at \(place)")
      }
    }
  }

  @Test("RecentEntries finds entries by key, evicts the least recently used, and stays within its limit")
  func kept() {
    var kept = RecentEntries<Int, String>()
    for i in 0..<100 {
      kept.keep("\(i)", i, byteCount: 10)
      #expect(kept.value(0) == "0" && kept.value(i) == "\(i)")
    }
    #expect(kept.value(1) == nil && kept.value(80) == "80")
    kept.keep("large", 1000, byteCount: 2 << 20)
    #expect(kept.value(1000) == nil)
  }
}
