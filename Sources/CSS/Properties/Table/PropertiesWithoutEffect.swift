// Properties of interaction, scrolling, animation and other media. They are supported, so that `@supports`, shorthands and reports of computed
// values behave as in Chromium, but do not affect a static image.

extension TableBuilder {
  mutating func registerWithoutEffect() {
    // The first keyword is the initial value.
    let keywordOnly: [(StaticString, [StaticString], Bool)] = [
      (
        "pointer-events",
        [
          "auto", "none", "visiblepainted", "visiblefill", "visiblestroke", "visible", "painted", "fill", "stroke", "all", "bounding-box",
        ], true
      ),
      ("user-select", ["auto", "none", "text", "all"], false),
      ("caret-animation", ["auto", "manual"], true),
      ("caret-shape", ["auto", "bar", "block", "underscore"], true),
      ("interactivity", ["auto", "inert"], true),
      (
        "reading-flow",
        ["normal", "source-order", "flex-visual", "flex-flow", "grid-rows", "grid-columns", "grid-order"], false
      ),
      ("scroll-target-group", ["none", "auto"], false),
      ("scroll-axis-lock", ["auto", "none"], false),
      ("frame-sizing", ["auto", "content-width", "content-height", "content-inline-size", "content-block-size"], false),
      ("-webkit-user-drag", ["auto", "none", "element"], false),
      ("-webkit-user-modify", ["read-only", "read-write", "read-write-plaintext-only"], true),
      ("window-drag", ["none", "move"], false),
      ("scroll-behavior", ["auto", "smooth"], false),
      ("overscroll-behavior-x", ["auto", "contain", "none", "chain"], false),
      ("overscroll-behavior-y", ["auto", "contain", "none", "chain"], false),
      ("scroll-snap-stop", ["normal", "always"], false),
      ("overflow-anchor", ["auto", "visible", "none"], false),
      ("text-rendering", ["auto", "optimizespeed", "optimizelegibility", "geometricprecision"], true),
      ("color-rendering", ["auto", "optimizespeed", "optimizequality"], true),
      ("buffered-rendering", ["auto", "dynamic", "static"], false),
      ("-webkit-font-smoothing", ["auto", "none", "antialiased", "subpixel-antialiased"], true),
      ("print-color-adjust", ["economy", "exact"], true),
      ("forced-color-adjust", ["auto", "none", "preserve-parent-color"], true),
      ("interpolate-size", ["numeric-only", "allow-keywords"], true),
      ("-webkit-rtl-ordering", ["logical", "visual"], true),
      ("speak", ["normal", "none", "spell-out", "digits", "literal-punctuation", "no-punctuation"], true),
      ("view-transition-scope", ["none", "all"], false),
    ]
    for (name, words, inherited) in keywordOnly {
      inert(name, words.map { "\($0)" }.joined(separator: " | "), initial: words.first.map { "\($0)" } ?? "", inherited: inherited) {
        $0.word(of: words)
      }
    }
    axes("overscroll-behavior-block", "overscroll-behavior-inline", ["overscroll-behavior-x", "overscroll-behavior-y"])
    registerComputedDifferently()
    registerAnchorScope()
    registerViewTransitions()
    registerInteraction()
    registerColors()
  }

  /// Keywords whose computed value is another keyword.
  private mutating func registerComputedDifferently() {
    // Only the user agent adds elements to the top layer. https://drafts.csswg.org/css-position-4/#overlay
    inert("overlay", "none | auto", initial: "none") { $0.word(of: ["none", "auto"]).map { _ in "none" } }
    inert("text-size-adjust", "auto | none | <percentage [0,∞]>", initial: "auto", inherited: true) { parser in
      if parser.keyword("auto") { return "auto" }
      if parser.keyword("none") { return "100%" }
      return parser.percentage(ValueParser.nonNegative).map { ComputedTextWriter.number($0) + "%" }
    }
    // Chromium computes `none` to `no-drag`, even if it is the specified initial value.
    inert("app-region", "none | drag | no-drag", initial: "none") { parser in
      parser.word(of: ["none", "drag", "no-drag"]).map { $0 == "none" ? "no-drag" : $0 }
    }
    // A descriptor that Chromium does not accept in style rules.
    inert("font-display", "auto | block | swap | fallback | optional", initial: "") {
      $0.word(of: ["auto", "block", "swap", "fallback", "optional"])
    }
    inert("font-language-override", "normal | <string>", initial: "normal", inherited: true) { $0.fontLanguage() }
  }

  private mutating func registerAnchorScope() {
    inert("anchor-scope", "none | all | <dashed-ident>#", initial: "none") { $0.scopeOfNames() }
    registerTriggers()
  }

  /// https://drafts.csswg.org/animation-triggers-1/
  private mutating func registerTriggers() {
    inert("animation-trigger", "[ none | [ <dashed-ident> <action>{1,2} ]+ ]#", initial: "none") { $0.animationTriggers() }
    inert("trigger-scope", "none | all | <dashed-ident>#", initial: "none") { $0.scopeOfNames() }
    inert("timeline-trigger-name", "none | <dashed-ident>#", initial: "none") { parser in
      parser.word(of: ["none"]) ?? parser.joined { $0.dashedIdentifier()?.text }
    }
    inert("timeline-trigger-source", "<single-animation-timeline>#", initial: "auto") { parser in
      parser.joined { $0.timelineSourceText() }
    }
    let edge = "normal | <length-percentage> | <timeline-range-name> <length-percentage>?"
    for isEnd in [false, true] {
      inert(
        isEnd ? "timeline-trigger-activation-range-end" : "timeline-trigger-activation-range-start", "[ \(edge) ]#", initial: "normal"
      ) { parser in parser.joined { $0.timelineEdgeText(isEnd: isEnd) } }
      inert(
        isEnd ? "timeline-trigger-active-range-end" : "timeline-trigger-active-range-start", "[ auto | \(edge) ]#", initial: "auto"
      ) { parser in parser.joined { $0.word(of: ["auto"]) ?? $0.timelineEdgeText(isEnd: isEnd) } }
    }
  }

  private mutating func registerViewTransitions() {
    inert("view-transition-name", "none | match-element | <custom-ident>", initial: "none") {
      $0.customIdentifier(excluding: ["auto"])?.text
    }
    inert("view-transition-class", "none | <custom-ident>+", initial: "none") { parser in
      parser.word(of: ["none"])
        ?? parser.list { $0.customIdentifier(excluding: ["none"])?.text }?.joined(separator: " ")
    }
    inert("view-transition-group", "normal | contain | nearest | <custom-ident>", initial: "normal") {
      $0.customIdentifier(excluding: ["none"])?.text
    }
  }

  private mutating func registerInteraction() {
    inert("reading-order", "<integer>", initial: "0") { $0.integer().map(String.init) }
    for name in ["interest-delay-start", "interest-delay-end"] as [StaticString] {
      inert(name, "normal | <time [0,∞]>", initial: "normal", inherited: true) { parser in
        parser.word(of: ["normal"]) ?? parser.seconds(isSigned: false).map { ComputedTextWriter.number($0) + "s" }
      }
    }
    inert("dynamic-range-limit", DynamicRangeLimit.grammar, initial: "no-limit", inherited: true) { $0.dynamicRangeLimit()?.text }
    // A descriptor of `@page` that Chromium accepts in style rules but does not report.
    inert("size", "<length [0,∞]>{1,2} | auto | [ <page-size> || [ portrait | landscape ] ]", initial: "") {
      $0.pageSize() ? "auto" : nil
    }
    inert("touch-action", "auto | none | [ [ pan-x | … ] || [ pan-y | … ] || pinch-zoom ] | manipulation", initial: "auto") {
      $0.touchAction()
    }
    inert("cursor", "[ <image> <number>{2}? , ]* <cursor-keyword>", initial: "auto", inherited: true) { $0.cursor() }
  }

  private mutating func registerColors() {
    inert("scrollbar-color", "auto | <color>{2}", initial: "auto", inherited: true) { parser in
      if parser.keyword("auto") { return "auto" }
      guard let thumb = parser.colorText(), let track = parser.colorText() else { return nil }
      return "\(thumb) \(track)"
    }
    // The caret has the color of text.
    inert("caret-color", "auto | <color>", initial: InertLonghand.currentColor, inherited: true) {
      $0.keyword("auto") ? InertLonghand.currentColor : $0.colorText()
    }
    inert("-webkit-tap-highlight-color", "<color>", initial: "rgba(0, 0, 0, 0.18)", inherited: true) { $0.colorText() }
  }
}
