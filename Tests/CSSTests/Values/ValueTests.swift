import OffprintCoreTypes
import Testing

@testable import OffprintCSS

@Suite struct ValueTests {
  @Test(
    "Colors compute to sRGB",
    arguments: [
      ("red", 0xFF00_00FF), ("#f0f8", 0xFF00_FF88), ("#12345678", 0x1234_5678), ("rgb(255, 0, 128)", 0xFF00_80FF),
      ("rgb(100% 0% 50% / 50%)", 0xFF00_8080),
      ("rgba(1, 2, 3, .5)", 0x0102_0380), ("hsl(120, 100%, 25%)", 0x0080_00FF), ("hsl(120deg 100 50 / 1)", 0x00FF_00FF),
      ("hwb(0 50% 0%)", 0xFF80_80FF),
      ("lab(50% 0 0)", 0x7777_77FF), ("lch(50% 0 0)", 0x7777_77FF), ("oklab(0.5 0 0)", 0x6363_63FF),
      ("oklch(0.628 0.2577 29.23)", 0xFF00_00FF),
      ("color(srgb 1 0.5 0)", 0xFF80_00FF), ("color(display-p3 0 0 0)", 0x0000_00FF), ("color(srgb-linear 0.5 0.5 0.5)", 0xBCBC_BCFF),
      ("color-mix(in srgb, red, blue)", 0x8000_80FF), ("color-mix(in srgb, red 25%, blue)", 0x4000_BFFF),
      ("color-mix(in oklab, white, black)", 0x6363_63FF),
      ("color-mix(in srgb, red 20%, blue 20%)", 0x8000_8066), ("color-mix(in hsl, red, lime)", 0xFFFF_00FF),
      ("rgb(from red g r b)", 0x00FF_00FF),
      ("rgb(from #204060 calc(r * 2) g b / 50%)", 0x4040_6080), ("hsl(from red calc(h + 120) s l)", 0x00FF_00FF),
      ("transparent", 0x0000_0000),
      ("light-dark(red, blue)", 0xFF00_00FF), ("canvastext", 0x0000_00FF), ("rebeccapurple", 0x6633_99FF), ("rgb(none 255 0)", 0x00FF_00FF),
      ("oklch(from red l c calc(h + 0))", 0xFF00_00FF), ("RGB(300 -5 0)", 0xFF00_00FF),
    ] as [(String, UInt32)])
  func colors(value: String, rgba: UInt32) {
    let style = StyleFixture().style("color: \(value)")
    let bytes = style.text.color.rgba8
    let computed = UInt32(bytes.r) << 24 | UInt32(bytes.g) << 16 | UInt32(bytes.b) << 8 | UInt32(bytes.a)
    #expect(computed == rgba, "\(String(computed, radix: 16))")
  }

  @Test("currentcolor stays a keyword, and a mixture with it a function")
  func currentColor() {
    let style = StyleFixture().style("border-color: currentcolor; background-color: color-mix(in srgb, currentcolor, white); color: red")
    #expect(style.border.color.top == .currentColor)
    #expect(style.background.color.resolve(style.text.color).rgba8 == Color(red: 1, green: 0.5, blue: 0.5).rgba8)
    #expect(style.background.color.resolve(.black).rgba8 == Color(red: 0.5, green: 0.5, blue: 0.5).rgba8)
  }

  @Test("All gradient syntaxes parse")
  func gradients() {
    func gradient(_ text: String) -> Gradient? {
      guard case .gradient(let gradient) = StyleFixture().style("background-image: \(text)").background.layers[0].image else { return nil }
      return gradient
    }
    #expect(gradient("linear-gradient(red, blue)")?.shape == .linear(angle: 180))
    #expect(gradient("linear-gradient(to right top, red, 20%, blue 1em 2em)")?.shape == .linearTo(x: 1, y: -1))
    #expect(gradient("linear-gradient(to right top, red, 20%, blue 1em 2em)")?.stops.count == 4)
    #expect(gradient("linear-gradient(.25turn, red 0 50%, blue 0)")?.shape == .linear(angle: 90))
    #expect(gradient("-webkit-linear-gradient(left, red, blue)")?.shape == .linear(angle: 90))
    #expect(gradient("-webkit-linear-gradient(45deg, red, blue)")?.shape == .linear(angle: 45))
    #expect(
      gradient("radial-gradient(circle at top left, red, blue)")?.shape == .radial(ending: .farthestCorner(circle: true), at: .topLeft))
    #expect(
      gradient("radial-gradient(10px 20% at 5px 6px, red, blue)")?.shape
        == .radial(ending: .ellipse(.length(10), .percentage(20)), at: Position(x: .length(5), y: .length(6))))
    #expect(gradient("repeating-conic-gradient(from 45deg, red 0 25%, blue 0 180deg)")?.stops.last?.position == .percentage(50))
    #expect(gradient("linear-gradient(in oklch longer hue, red, blue)")?.hue == .longer)
    #expect(gradient("linear-gradient(oklab(0.5 0 0), blue)")?.interpolation == .oklab)
    #expect(
      gradient("-webkit-gradient(linear, left top, left bottom, to(blue), from(red))")?.stops.first?.color
        == .color(Color(r: 255, g: 0, b: 0)))
  }

  @Test("Transforms, filters, shadows and shapes compute")
  func effects() {
    let style = StyleFixture().style(
      """
      transform: translate(-50%, 1em) rotate(.5turn) scale(2); filter: blur(2px) drop-shadow(1px 2px red); scale: 50%;
      box-shadow: inset 1px 2px 3px 4px red, 0 0 1em; clip-path: polygon(0 0, 100% 0, 50% 100%); transform-origin: right
      """)
    #expect(style.effects.transform == [.translate(.percentage(-50), .length(16), 0), .rotate(180), .scale(2, 2, 1)])
    #expect(style.effects.filter.first == .blur(2) && style.effects.scale == .scale(0.5, 0.5, 1))
    #expect(style.background.boxShadow.count == 2 && style.background.boxShadow[0].inset && style.background.boxShadow[1].blur == 16)
    guard case .shape(.polygon(false, let points, .zero), nil) = style.effects.clipPath else {
      Issue.record("no polygon")
      return
    }
    #expect(points.count == 3 && style.effects.transformOrigin.x == .percentage(100))
  }

  @Test("Deep nesting does not trap")
  func nesting() {
    let fixture = StyleFixture()
    let deep = String(repeating: "calc(", count: 5000) + "1px" + String(repeating: ")", count: 5000)
    #expect(!fixture.accepts("width: \(deep)"))
    #expect(!fixture.accepts("width: " + String(repeating: "(", count: 50_000)))
    #expect(fixture.accepts("width: calc(((((1px)))))"))
    #expect(fixture.style("z-index: 99999999999999999999; order: calc(infinity)").box.zIndex == 2_147_483_647)
  }

  @Test(
    "References resolve against the style sheet",
    arguments: [
      ("a.png", "https://example.test/css/a.png"), ("../b.png?x#y", "https://example.test/b.png?x#y"),
      ("/c.png", "https://example.test/c.png"),
      ("//d.test/e", "https://d.test/e"), ("data:image/png;base64,x", "data:image/png;base64,x"), ("#f", "#f"),
      ("../../../g", "https://example.test/g"),
    ])
  func references(reference: String, resolved: String) {
    #expect(URLReference.resolve(reference, against: "https://example.test/css/a.css") == resolved)
  }
}
