// Properties of interaction, scrolling, animation and other media: understood, so that `@supports` and shorthands answer as browsers do,
// and without effect on a static picture.

extension TableBuilder {
  mutating func registerWithoutEffect() {
    let keywordOnly: [(StaticString, [StaticString], Bool)] = [
      (
        "pointer-events",
        ["auto", "none", "visiblepainted", "visiblefill", "visiblestroke", "visible", "painted", "fill", "stroke", "all"], true
      ),
      ("user-select", ["auto", "none", "text", "all", "contain"], false),
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
    registerTransitions()
    registerScrolling()
  }

  private mutating func registerTransitions() {
    let names: [(StaticString, String)] = [
      ("animation-play-state", "[ running | paused ]#"), ("animation-composition", "[ replace | add | accumulate ]#"),
      ("animation-range-start", "<range>#"), ("animation-range-end", "<range>#"),
      ("transition-property", "none | <single-transition-property>#"), ("transition-duration", "<time>#"),
      ("transition-timing-function", "<easing-function>#"), ("transition-delay", "<time>#"),
      ("transition-behavior", "[ normal | allow-discrete ]#"),
      ("view-transition-name", "none | <custom-ident>"), ("view-transition-class", "none | <custom-ident>+"),
      ("view-timeline-name", "none | <dashed-ident>#"), ("scroll-timeline-name", "none | <dashed-ident>#"),
      ("scroll-timeline-axis", "<axis>#"), ("view-timeline-axis", "<axis>#"), ("timeline-scope", "none | <dashed-ident>#"),
    ]
    for (name, values) in names { accepted(name, values) { $0.animationValues() } }
  }

  private mutating func registerScrolling() {
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
  /// What animations and transitions take: comma-separated lists of identifiers, strings, times, numbers, percentages and easings.
  mutating func animationValues() -> Bool {
    commaList { parser -> Bool? in
      var count = 0
      while let token = parser.peek(), token.kind != .comma {
        switch token.kind {
        case .ident, .string, .number, .percentage: parser.advance()
        case .dimension: guard parser.dimension(.time) != nil || parser.length() != nil else { return nil }
        case .function:
          guard
            parser.block({ parser in
              while !parser.isAtEnd() { parser.advance() }
              return true
            }) != nil
          else { return nil }
        default: return nil
        }
        count += 1
      }
      return count > 0 ? true : nil
    } != nil
  }
}
