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
    registerTimelines()
    registerViewTransitions()
    registerScrolling()
  }

  private mutating func registerTimelines() {
    list("animation-play-state", "[ running | paused ]#") { $0.keyword("running") || $0.keyword("paused") }
    list("animation-composition", "[ replace | add | accumulate ]#") {
      $0.keyword("replace") || $0.keyword("add") || $0.keyword("accumulate")
    }
    let range = "[ normal | <length-percentage> | <timeline-range-name> <length-percentage>? ]#"
    list("animation-range-start", range) { $0.timelineRange() != nil }
    list("animation-range-end", range) { $0.timelineRange() != nil }
    for name in ["view-timeline-name", "scroll-timeline-name"] as [StaticString] {
      list(name, "[ none | <dashed-ident> ]#") { $0.keyword("none") || $0.dashedIdentifier() != nil }
    }
    for name in ["view-timeline-axis", "scroll-timeline-axis"] as [StaticString] {
      list(name, "[ block | inline | x | y ]#") { $0.timelineAxis() }
    }
    list("view-timeline-inset", "[ [ auto | <length-percentage> ]{1,2} ]#") { $0.list(max: 2) { $0.lengthPercentageAuto() } != nil }
    accepted("timeline-scope", "none | <dashed-ident>#") { parser in
      parser.keyword("none") || parser.commaList { $0.dashedIdentifier() } != nil
    }
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
  private static let timelineRanges: [StaticString] = [
    "cover", "contain", "entry", "exit", "entry-crossing", "exit-crossing", "scroll",
  ]

  /// Parses one end of a range. Nil if the tokens are not one; `true` if it is a range name without an offset.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#named-range-keyword
  fileprivate mutating func timelineRange() -> Bool? {
    if keyword("normal") { return false }
    let isNamed = Self.timelineRanges.contains { keyword($0) }
    if lengthPercentage() != nil { return false }
    return isNamed ? true : nil
  }

  fileprivate mutating func timelineAxis() -> Bool { keyword("block") || keyword("inline") || keyword("x") || keyword("y") }

  /// `[ <'animation-range-start'> <'animation-range-end'>? ]#`. https://drafts.csswg.org/scroll-animations-1/#animation-range
  mutating func animationRangeShorthand(_ values: inout ShorthandValues) -> Bool {
    let items = commaList { parser -> Bool? in
      guard parser.timelineRange() != nil else { return nil }
      if let token = parser.peek(), token.kind != .comma { return parser.timelineRange() != nil ? true : nil }
      return true
    }
    guard items != nil else { return false }
    values.set(0, stored: StoredValue(), self)
    values.set(1, stored: StoredValue(), self)
    return true
  }

  /// `[ <name> || <axis> || <inset> ]#`; insets are those of `view-timeline`.
  ///
  /// https://drafts.csswg.org/scroll-animations-1/#view-timeline-shorthand
  mutating func timelineShorthand(_ values: inout ShorthandValues) -> Bool {
    let count = values.shorthand.longhands.count
    let items = commaList { parser -> Bool? in
      guard parser.keyword("none") || parser.dashedIdentifier() != nil else { return nil }
      var hasInset = false
      while let token = parser.peek(), token.kind != .comma {
        if parser.timelineAxis() { continue }
        guard count > 2, !hasInset, parser.list(max: 2, { $0.lengthPercentageAuto() }) != nil else { return nil }
        hasInset = true
      }
      return true
    }
    guard items != nil else { return false }
    for index in 0..<count { values.set(index, stored: StoredValue(), self) }
    return true
  }

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
