import OffprintCoreTypes
import Testing

@testable import OffprintTypography

@Suite("Math fonts") struct MathFontTests {
  private static let latinModern = FontDescription(families: [.generic(.math)], size: 1000)

  @Test("The generic family math is the bundled font, with the constants of its MATH table")
  func constants() throws {
    let fonts = Fixture.context()
    let font = fonts.font(Self.latinModern)
    #expect(fonts.primaryFace(font)?.face.info.family == "Latin Modern Math")
    #expect(fonts.mathConstant(.axisHeight, font) == 250)
    #expect(fonts.mathConstant(.fractionRuleThickness, font) == 40)
    #expect(fonts.mathConstant(.radicalDegreeBottomRaisePercent, font) == 0.6)
    #expect(try #require(fonts.mathScriptScales(font)) == (0.7, 0.5))
  }

  @Test("A font without a MATH table has neither constants nor scales")
  func noTable() {
    let fonts = Fixture.context()
    let font = fonts.font(Fixture.sans)
    #expect(fonts.mathConstant(.axisHeight, font) == nil)
    #expect(fonts.mathScriptScales(font) == nil)
  }

  @Test("A stretched bracket is a larger glyph or an assembly of parts, and has at least the requested height")
  func stretched() throws {
    let fonts = Fixture.context()
    let font = fonts.font(FontDescription(families: [.generic(.math)], size: 16))
    let plain = try #require(fonts.stretch(0x28, .vertical, to: 0, font))
    #expect(plain.glyphs.count == 1)
    let larger = try #require(fonts.stretch(0x28, .vertical, to: 25, font))
    #expect(larger.glyphs.count == 1 && larger.glyphs[0].glyph != plain.glyphs[0].glyph && larger.ascent + larger.descent >= 25)
    let assembled = try #require(fonts.stretch(0x28, .vertical, to: 500, font))
    #expect(assembled.glyphs.count > 3 && assembled.ascent >= 500 && assembled.ascent < 520)
  }

  @Test("Extreme sizes neither hang nor create an unbounded number of parts", arguments: [1e30, .infinity, -.infinity, .nan, -5])
  func hostileTargets(target: Double) throws {
    let fonts = Fixture.context()
    let font = fonts.font(FontDescription(families: [.generic(.math)], size: 16))
    let glyph = try #require(fonts.stretch(0x28, .vertical, to: target, font))
    #expect(!glyph.glyphs.isEmpty && glyph.glyphs.count <= 4096)
  }

  @Test("An assembly without extenders, without growth or with too short connectors is invalid")
  func plans() throws {
    #expect(AssemblyPlan([(0, 0, 10, false)], minimum: 0, target: 20) == nil)
    #expect(AssemblyPlan([(5, 5, 5, true)], minimum: 5, target: 20) == nil)
    #expect(AssemblyPlan([(1, 1, 10, true)], minimum: 2, target: 20) == nil)
    let plan = try #require(AssemblyPlan([(0, 2, 10, false), (2, 2, 10, true), (2, 0, 10, false)], minimum: 1, target: 44))
    #expect(plan.repetitions == 3 && plan.size >= 44)
  }

  @Test("Damaged tables are ignored or read within their bounds", arguments: 0..<24)
  func damaged(round: Int) throws {
    var bytes = Fixture.bytes("Math/latinmodern-math.otf")
    let table = try #require(Self.range(of: "MATH", in: bytes))
    // A deterministic generator, so that each run damages the same bytes.
    var state = UInt64(round) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    if round == 0 {
      for index in table { bytes[index] = 0xFF }
    } else {
      for _ in 0..<(1 << (round % 12)) {
        bytes[table.lowerBound + next(min(table.count, round < 12 ? 64 : table.count))] = UInt8(next(256))
      }
    }
    let data = try #require(FontData(bytes: bytes))
    let info = try #require(data.withBytes { SFNTReader(bytes: $0).faceInfo(at: 0) })
    let face = FontFace(data: data, index: 0, info: info, path: "", digest: Fixture.registry.digest)
    let fonts = FontContext(fonts: FontSet(registry: FontRegistry(faces: [face])))
    let font = fonts.font(FontDescription(families: [.named(ByteString(info.family))], size: 16))
    for constant in 0...55 { _ = MathConstant(rawValue: UInt8(constant)).map { fonts.mathConstant($0, font) } }
    for character: UInt32 in [0x28, 0x221A, 0x2211, 0x23DE, 0x41] {
      for axis in [FontContext.StretchAxis.vertical, .horizontal] {
        let glyph = try #require(fonts.stretch(character, axis, to: 200, font))
        #expect(glyph.glyphs.count <= 4096)
      }
      _ = fonts.preferredStretchedInline(character, font)
    }
    if round == 0 { #expect(fonts.mathConstant(.axisHeight, font) ?? 0 == 0) }
  }

  private static func range(of tag: String, in bytes: [UInt8]) -> Range<Int>? {
    func number(_ at: Int, _ count: Int) -> Int { bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) } }
    for index in 0..<number(4, 2) {
      let record = 12 + 16 * index
      guard bytes[record..<record + 4].elementsEqual(tag.utf8) else { continue }
      return number(record + 8, 4)..<number(record + 8, 4) + number(record + 12, 4)
    }
    return nil
  }

  @Test("Registered math fonts replace the bundled one")
  func replaced() throws {
    let folder = Fixture.folder
    #expect(FontRegistry(folders: [folder, folder + "/Math"]).families.contains("Latin Modern Math"))
    #expect(FontRegistry(folders: [folder]).orderedFallbackFaces.last?.info.family == "Latin Modern Math")
  }
}
