import Foundation
import Testing

@testable import OffprintTypography

@Suite("Whole advances") struct WholeAdvanceTests {
  /// A font with 1,000 units per em whose only glyph, for "A", is a bitmap (`CBDT`) with an advance of 1,245 units.
  private static let image = Data(
    base64Encoded: """
      AAEAAAAKAIAAAwAgQ0JEVHPnNhEAAAKsAAAAWENCTEMaCjDGAAADBAAAAFBPUy8yRSFGugAAARAAAABgY21hcAAMAJQAAAF4AAAANGhlYWQtbexaAAAArAAAADZoaGVhAy
      H/OgAAAOQAAAAkaG10eATdAAAAAAFwAAAABm1heHAAAlAAAAABCAAAAAZuYW1lsE7glgAAAawAAADVcG9zdAAoAAAAAAKEAAAAJgABAAAAAQAAgOZRsF8PPPUAAwPoAAAA
      AOcr1b0AAAAA5yvVvQAAAAAAAAAAAAAAAwACAAAAAAAAAAEAAAMg/zgAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAABQAAACAAAAAwTdAZAABQAEAAAAAAAAAAAAAA
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAPz8/PwAAAEEAQQMg/zgAAAMgAMgAAAAAAAAAAAAAAAAAAAAgAAAE3QAAAAAAAAAAAAIAAAADAAAAFAAD
      AAEAAAAUAAQAIAAAAAQABAABAAAAQf//AAAAQf///8AAAQAAAAAAAAAKAH4AAQAAAAAAAQAHAAAAAQAAAAAAAgAHAAcAAQAAAAAAAwAHAAAAAQAAAAAABAAHAAAAAQAAAA
      AABgAPAA4AAwABBAkAAQAOAB0AAwABBAkAAgAOACsAAwABBAkAAwAOAB0AAwABBAkABAAOAB0AAwABBAkABgAeADlQaWN0dXJlUmVndWxhclBpY3R1cmUtUmVndWxhcgBQ
      AGkAYwB0AHUAcgBlAFIAZQBnAHUAbABhAHIAUABpAGMAdAB1AHIAZQAtAFIAZQBnAHUAbABhAHIAAAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAJA
      AAAAMAAAgIAAgKAAAAS4lQTkcNChoKAAAADUlIRFIAAAAIAAAACAgGAAAAxA++iwAAABJJREFUeJxj+M/A8B8fZhgZCgDC13+BL3HgAQAAAABJRU5ErkJgggADAAAAAAAB
      AAAAOAAAABgAAAABAAAAAAj+CAAAAAAAAAAAAAj+CAAAAAAAAAAAAAABAAEICCABAAEAAQAAAAgAAQARAAAABAAAAAAAAABU
      """, options: .ignoreUnknownCharacters)

  @Test(
    "The advances of bitmap glyphs scale with the font size and are not rounded",
    arguments: [(10, 12.45), (13.3, 16.555), (16, 19.92), (17, 21.165), (31.5, 39.218)] as [(Float, Float)])
  func images(size: Float, advance: Float) throws {
    let bytes = try [UInt8](#require(Self.image))
    let fonts = FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "P", data: bytes)])
    #expect(fonts.rejectedWebFonts.isEmpty)
    let context = FontContext(fonts: fonts)
    #expect(abs(context.shape("A", Fixture.description("P", size: size)).width - advance) < 0.01)
    #expect(abs(context.shape("AA", Fixture.description("P", size: size)).width - 2 * advance) < 0.02)
  }

  @Test("Advances are rounded before kerning if requested, and only then")
  func asked() {
    let context = Fixture.context()
    let plain = context.shape("AV", Fixture.sans).width
    context.hasWholeAdvances = true
    // 10.67 px each, and −1.18 px of kerning.
    #expect(abs(context.shape("AV", Fixture.sans).width - (plain + 2 * (11 - 10.672))) < 0.01)
    context.hasWholeAdvances = false
    #expect(context.shape("AV", Fixture.sans).width == plain)
  }
}
