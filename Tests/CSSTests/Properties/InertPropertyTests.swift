import OffprintDOM
import Testing

@testable import OffprintCSS

@Suite("Properties without effect on an image")
struct InertPropertyTests {
  private let fixture = StyleFixture(reportsAll: true)

  private func values(_ style: ComputedStyle) -> [String: String] {
    let values = StyleEngine.computedValues(of: style, names: fixture.interner.table)
    return Dictionary(values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  @Test(
    "Inert properties have computed values",
    arguments: [
      ("cursor", "url(a.png) 1.5 2, pointer", #"url("https://example.test/css/a.png") 1 2, pointer"#), ("cursor", "-webkit-grab", "grab"),
      ("text-size-adjust", "none", "100%"), ("text-size-adjust", "calc(10% + 5%)", "15%"), ("overlay", "auto", "none"),
      ("touch-action", "pinch-zoom pan-x", "pan-x pinch-zoom"), ("touch-action", "pan-y pan-x pinch-zoom", "manipulation"),
      ("font-language-override", #"" en ""#, #"" en""#), ("reading-order", "calc(34.1)", "34"), ("interest-delay-start", "100ms", "0.1s"),
      ("caret-color", "auto", "rgb(255, 0, 0)"), ("scrollbar-color", "currentcolor blue", "rgb(255, 0, 0) rgb(0, 0, 255)"),
      ("dynamic-range-limit", "dynamic-range-limit-mix(no-limit 10%, standard 30%)", "dynamic-range-limit-mix(standard 75%, no-limit 25%)"),
      ("overscroll-behavior-inline", "none", "none"), ("anchor-scope", "--a, --b", "--a, --b"),
      ("animation-trigger", "--t play pause, none", "--t play pause, none"), ("timeline-trigger-source", "scroll()", "scroll()"),
      ("view-transition-class", "a b", "a b"), ("animation-composition", "add, replace", "add, replace"),
    ] as [(String, String, String)])
  func computed(name: String, value: String, computed: String) {
    #expect(values(fixture.style("color: red; \(name): \(value)"))[name] == computed)
  }

  @Test(
    "Other values are invalid",
    arguments: [
      "cursor: hand", "cursor: linear-gradient(red, blue), auto", "cursor: url(a.png)", "font-language-override: \"\"",
      "font-language-override: \"ENGLISH\"", "touch-action: pan-left pan-right", "text-size-adjust: -5%", "anchor-scope: --a --b",
      "dynamic-range-limit: dynamic-range-limit-mix(standard 0%, constrained 0%)", "view-transition-name: auto",
    ])
  func invalid(css: String) { #expect(!fixture.accepts(css)) }

  @Test("Some inert properties are inherited, and all have initial values")
  func inheritance() {
    let parent = fixture.style("cursor: wait; user-select: none; caret-color: currentcolor; color: red", isRoot: true)
    let child = values(fixture.style("color: blue", parent: parent))
    #expect(child["cursor"] == "wait" && child["user-select"] == "auto" && child["caret-color"] == "rgb(0, 0, 255)")
    #expect(values(fixture.style("cursor: initial", parent: parent))["cursor"] == "auto")
    #expect(values(fixture.style("user-select: inherit", parent: parent))["user-select"] == "none")
  }

  @Test("Inert properties are not computed for images")
  func cost() {
    let plain = StyleFixture()
    let style = plain.style("cursor: wait")
    #expect(style.record.pointee.inert == nil)
    #expect(!StyleEngine.computedValues(of: style, names: plain.interner.table).contains { $0.name == "cursor" })
  }

  @Test("Numbers are serialized with units, and names keep their case")
  func texts() {
    let style = values(fixture.style("animation-delay: 2s; scroll-margin: 3px; container-name: FoO; scroll-marker-group: after"))
    #expect(style["animation-delay"] == "2s" && style["scroll-margin-top"] == "3px")
    #expect(style["container-name"] == "FoO" && style["scroll-marker-group"] == "after links")
  }
}
