// Properties of interaction, scrolling, animation and other media: understood, so that `@supports` and shorthands answer as browsers do,
// and without effect on a static picture.

extension TableBuilder {
  mutating func registerWithoutEffect() {
    let keywordOnly: [(StaticString, [StaticString], Bool)] = [
      (
        "pointer-events",
        ["auto", "none", "visiblepainted", "visiblefill", "visiblestroke", "visible", "painted", "fill", "stroke", "all"], true
      ),
      ("user-select", ["auto", "none", "text", "all"], false),
      ("caret-animation", ["auto", "manual"], true),
      ("interactivity", ["auto", "inert"], true),
      ("overlay", ["none", "auto"], false),
      (
        "reading-flow",
        ["normal", "source-order", "flex-visual", "flex-flow", "grid-rows", "grid-columns", "grid-order"], false
      ),
      ("scroll-target-group", ["none", "auto"], false),
      ("-webkit-user-drag", ["auto", "none", "element"], false),
      ("-webkit-user-modify", ["read-only", "read-write", "read-write-plaintext-only"], true),
      ("scroll-behavior", ["auto", "smooth"], false),
      ("overscroll-behavior-x", ["auto", "contain", "none"], false),
      ("overscroll-behavior-y", ["auto", "contain", "none"], false),
      ("overscroll-behavior-block", ["auto", "contain", "none"], false),
      ("overscroll-behavior-inline", ["auto", "contain", "none"], false),
      ("scroll-snap-stop", ["normal", "always"], false),
      ("overflow-anchor", ["auto", "none"], false),
      ("text-rendering", ["auto", "optimizespeed", "optimizelegibility", "geometricprecision"], true),
      ("-webkit-font-smoothing", ["auto", "none", "antialiased", "subpixel-antialiased"], true),
      ("print-color-adjust", ["economy", "exact"], true),
      ("forced-color-adjust", ["auto", "none", "preserve-parent-color"], true),
      ("text-size-adjust", ["auto", "none"], true),
      ("interpolate-size", ["numeric-only", "allow-keywords"], true),
      ("-webkit-rtl-ordering", ["logical", "visual"], true),
      ("speak", ["none", "normal", "spell-out", "digits", "literal-punctuation", "no-punctuation"], true),
      ("font-display", ["auto", "block", "swap", "fallback", "optional"], false),
    ]
    for (name, words, inherited) in keywordOnly {
      accepted(name, words.map { "\($0)" }.joined(separator: " | "), inherited: inherited) { parser in
        words.contains { parser.keyword($0) } || (parser.percentage() != nil && words.contains { "\($0)" == "none" } && words.count == 2)
      }
    }
    registerAnchorScope()
    registerViewTransitions()
    registerScrolling()
  }

  private mutating func registerAnchorScope() {
    accepted("anchor-scope", "none | all | <dashed-ident>#") { parser in
      parser.keyword("none") || parser.keyword("all") || parser.commaList { $0.dashedIdentifier() } != nil
    }
  }

  private mutating func registerViewTransitions() {
    accepted("view-transition-name", "none | match-element | <custom-ident>") { $0.customIdentifier(excluding: ["auto"]) != nil }
    accepted("view-transition-class", "none | <custom-ident>+") { parser in
      parser.keyword("none") || parser.list { $0.customIdentifier(excluding: ["none"]) } != nil
    }
    accepted("view-transition-group", "normal | contain | nearest | <custom-ident>") { $0.customIdentifier(excluding: ["none"]) != nil }
  }

  private mutating func list(
    _ name: StaticString, _ grammar: String, _ item: @escaping @Sendable (inout ValueParser) -> Bool
  ) {
    accepted(name, grammar) { parser in parser.commaList { item(&$0) ? true : nil } != nil }
  }

  private mutating func registerScrolling() {
    accepted("reading-order", "<integer>") { $0.integer() != nil }
    for name in ["interest-delay-start", "interest-delay-end"] as [StaticString] {
      accepted(name, "normal | <time [0,∞]>", inherited: true) { $0.keyword("normal") || $0.seconds(isSigned: false) != nil }
    }
    accepted("dynamic-range-limit", "standard | no-limit | constrained | <dynamic-range-limit-mix()>", inherited: true) {
      $0.dynamicRangeLimit()
    }
    // A descriptor of `@page` that Chromium takes in style rules, too.
    accepted("size", "<length [0,∞]>{1,2} | auto | [ <page-size> || [ portrait | landscape ] ]") { $0.pageSize() }
    accepted("touch-action", "<custom-ident>+") { parser in parser.list(max: 4) { $0.customIdentifier() } != nil }
    accepted("scrollbar-color", "auto | <color>{2}", inherited: true) { $0.keyword("auto") || ($0.color() != nil && $0.color() != nil) }
    accepted("caret-color", "auto | <color>", inherited: true) { $0.keyword("auto") || $0.color() != nil }
    accepted("caret-shape", "auto | bar | block | underscore", inherited: true) {
      $0.keyword("auto") || $0.keyword("bar") || $0.keyword("block") || $0.keyword("underscore")
    }
    accepted("cursor", "[ <url> <number>{2}? , ]* <cursor-keyword>", inherited: true) { parser in
      while parser.image() != nil {
        if parser.number() != nil, parser.number() == nil { return false }
        guard parser.comma() else { return false }
      }
      guard parser.peekIdentifier() != nil else { return false }
      parser.advance()
      return true
    }
    accepted("-webkit-tap-highlight-color", "<color>", inherited: true) { $0.color() != nil }
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-color-hdr-1/#dynamic-range-limit-mix
  fileprivate mutating func dynamicRangeLimit() -> Bool {
    if keyword("standard") || keyword("no-limit") || keyword("constrained") { return true }
    return function("dynamic-range-limit-mix") { parser -> Bool? in
      var sum = 0.0
      let items = parser.commaList { parser -> Bool? in
        guard parser.dynamicRangeLimit(), let share = parser.percentage(0...100) else { return nil }
        sum += share
        return true
      }
      return items != nil && sum > 0 ? true : nil
    } ?? false
  }

  /// https://drafts.csswg.org/css-page-3/#page-size-prop
  fileprivate mutating func pageSize() -> Bool {
    if keyword("auto") || list(max: 2, { $0.nonNegativeLength() }) != nil { return true }
    let names: [StaticString] = ["a5", "a4", "a3", "b5", "b4", "jis-b5", "jis-b4", "letter", "legal", "ledger"]
    let isTurned = keyword("portrait") || keyword("landscape")
    let isNamed = names.contains { keyword($0) }
    return isNamed && !isTurned ? keyword("portrait") || keyword("landscape") || true : isNamed || isTurned
  }
}
