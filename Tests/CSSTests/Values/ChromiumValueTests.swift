import Testing

@testable import OffprintCSS

@Suite("Values accepted by Chromium")
struct ChromiumValueTests {
  private let fixture = StyleFixture()

  @Test(
    "Values that Chromium accepts",
    arguments: [
      "font-palette: palette-mix(in oklab, light 30%, dark)",
      "font-palette: palette-mix(in srgb, --a, palette-mix(in lch, normal, dark) 10%)",
      "scale: random(NaN, 100, 10)", "font-style: oblique calc(100deg)", "font-variant: stylistic(flowing) small-caps",
      "-webkit-mask-composite: xor", "color-scheme: only light", "-webkit-border-before-color: red",
    ])
  func accepted(css: String) { #expect(fixture.accepts(css)) }

  @Test(
    "Values that Chromium rejects",
    arguments: [
      "font-palette: palette-mix(in oklab, light)", "font-palette: palette-mix(light, dark)",
      "font-palette: palette-mix(in oklab, light 0%, dark 0%)", "mask-composite: xor", "-webkit-mask-composite: add",
      "color-scheme: light only dark", "color-scheme: only only", "grid-template-columns: [a] 10px [b] [c]",
      "grid-template-rows: subgrid repeat(auto-fill, [a]) repeat(auto-fill, [b])", "transition-timing-function: linear(0 0% 100%)",
      "clip-path: shape(from 0 0, arc by 1px 2px of 10% rotate 1deg rotate 2deg)", "font-variant: small-caps normal",
    ])
  func rejected(css: String) { #expect(!fixture.accepts(css)) }

  @Test("palette-mix() is serialized with normalized percentages")
  func paletteText() {
    func text(_ value: String) -> String { ComputedTextWriter().text(fixture.style("font-palette: \(value)").font.palette) }
    #expect(text("palette-mix(in oklab, light 30%, dark)") == "palette-mix(in oklab, light 30%, dark 70%)")
    #expect(text("palette-mix(in oklab, light, --a 30%)") == "palette-mix(in oklab, light 70%, --a 30%)")
    #expect(text("palette-mix(in oklch longer hue, light, dark)") == "palette-mix(in oklch longer hue, light, dark)")
    #expect(text("palette-mix(in oklab, light 30%, light)") == "light")
  }
}
