import Testing

@testable import OffprintCSS

@Suite("Values accepted or rejected by Chromium")
struct AcceptedValueTests {
  private let fixture = StyleFixture()

  @Test(
    "Transitions and animations accept the values of their grammars",
    arguments: [
      ("transition-delay: -1s, 500ms", true), ("transition-delay: max(1s, 0px)", false), ("transition-delay: infinite", false),
      ("transition-property: none", true), ("transition-property: none, left", false), ("transition-property: left, inherit", false),
      ("transition: opacity 1s ease 2s allow-discrete", true), ("transition: none, left 1s", false), ("transition: initial 1s", false),
      ("animation-range: entry 10% exit 20%, cover", true), ("animation-range-start: 50% entry", false),
      ("view-transition-name: foo foo", false), ("timeline-scope: --a, --b", true), ("view-timeline: --a inline 10px", true),
    ])
  func transitions(_ declaration: String, _ isAccepted: Bool) { #expect(fixture.accepts(declaration) == isAccepted) }

  @Test(
    "Gap rules are comma-separated lists",
    arguments: [
      ("column-rule-color: red, blue", true), ("column-rule-color: red blue", false), ("rule-width: repeat(2, 1px, thick), 3px", true),
      ("rule-width: repeat(auto, 1px), repeat(auto, 2px)", false), ("row-rule-style: repeat(0, solid)", false),
    ])
  func gapRules(_ declaration: String, _ isAccepted: Bool) { #expect(fixture.accepts(declaration) == isAccepted) }

  @Test(
    "Values not implemented by Chromium are rejected",
    arguments: [
      "width: fit-content(10px)", "line-clamp: 3", "font-width: 120%", "margin-trim: inline", "position-visibility: anchors-valid",
      "outline-color: invert", "text-autospace: auto", "image-rendering: smooth", "user-select: contain", "align-items: anchor-center",
    ])
  func unsupported(_ declaration: String) { #expect(!fixture.accepts(declaration)) }

  @Test(
    "Alternative text in content has neither images nor quotes",
    arguments: [
      (#"content: "a" / "b" counter(c)"#, true), (#"content: "a" / no-close-quote"#, false), (#"content: "a" / "b" url(c.png)"#, false),
    ])
  func alternativeText(_ declaration: String, _ isAccepted: Bool) { #expect(fixture.accepts(declaration) == isAccepted) }
}
