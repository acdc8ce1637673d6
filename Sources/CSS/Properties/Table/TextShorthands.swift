import OffprintCoreTypes

extension TableBuilder {
  mutating func registerTextShorthands() {
    registerFontShorthands()
    shorthand("white-space", ["white-space-collapse", "text-wrap-mode"]) { $0.whiteSpace(&$1) }
    shorthand("text-wrap", ["text-wrap-mode", "text-wrap-style"]) { parser, values in values.takeAnyOrder([0, 1], &parser) }
    shorthand(
      "text-decoration", ["text-decoration-line", "text-decoration-thickness", "text-decoration-style", "text-decoration-color"]
    ) { parser, values in values.takeAnyOrder([0, 1, 2, 3], &parser) }
    shorthand("text-emphasis", ["text-emphasis-style", "text-emphasis-color"]) { parser, values in values.takeAnyOrder([0, 1], &parser) }
    shorthand("list-style", ["list-style-position", "list-style-image", "list-style-type"]) { $0.listStyle(&$1) }
    shorthand("page-break-before", ["break-before"]) { $0.pageBreak(&$1) }
    shorthand("page-break-after", ["break-after"]) { $0.pageBreak(&$1) }
    shorthand("page-break-inside", ["break-inside"]) { $0.pageBreak(&$1) }
    shorthand("-webkit-column-break-before", ["break-before"]) { $0.columnBreak(&$1) }
    shorthand("-webkit-column-break-after", ["break-after"]) { $0.columnBreak(&$1) }
    shorthand("-webkit-column-break-inside", ["break-inside"]) { $0.columnBreak(&$1) }
    shorthand("-webkit-text-combine", ["text-combine-upright"]) { parser, values in
      guard let isCombined: Bool = parser.keyword(of: [("none", false), ("horizontal", true)]) else { return false }
      values.set(0, isCombined, parser)
      return true
    }
    registerAnimationShorthands()
  }

  private mutating func registerFontShorthands() {
    shorthand(
      "font-variant",
      [
        "font-variant-ligatures", "font-variant-caps", "font-variant-numeric", "font-variant-east-asian", "font-variant-position",
        "font-variant-alternates", "font-variant-emoji",
      ]
    ) { parser, values in
      if parser.keyword("normal") { return true }
      if parser.keyword("none") {
        values.set(0, FontFeature.list("liga=0 clig=0 dlig=0 hlig=0 calt=0"), parser)
        return true
      }
      return parser.fontVariant(&values)
    }
    shorthand("font-synthesis", ["font-synthesis-weight", "font-synthesis-style", "font-synthesis-small-caps"]) { parser, values in
      let isNone = parser.keyword("none")
      var found: Set<Int> = []
      while !isNone, !parser.isAtEnd() {
        guard let index: Int = parser.keyword(of: [("weight", 0), ("style", 1), ("small-caps", 2)]), found.insert(index).inserted else {
          return false
        }
      }
      values.set(0, found.contains(0), parser)
      values.set(1, found.contains(1), parser)
      values.set(2, found.contains(2), parser)
      return isNone || !found.isEmpty
    }
    shorthand(
      "font",
      [
        "font-style", "font-variant-caps", "font-weight", "font-stretch", "font-size", "line-height", "font-family",
        "font-variant-ligatures",
        "font-variant-numeric", "font-variant-east-asian", "font-variant-position", "font-variant-alternates", "font-variant-emoji",
        "font-kerning", "font-feature-settings", "font-variation-settings", "font-optical-sizing", "font-size-adjust",
        "font-language-override",
      ]
    ) { $0.font(&$1) }
  }

  private mutating func registerAnimationShorthands() {
    shorthand(
      "animation",
      [
        "animation-name", "animation-duration", "animation-timing-function", "animation-delay", "animation-iteration-count",
        "animation-direction", "animation-fill-mode", "animation-play-state", "animation-timeline",
        "animation-range-start", "animation-range-end",
      ]
    ) { parser, values in parser.animationShorthand(&values) }
    shorthand(
      "transition", ["transition-property", "transition-duration", "transition-timing-function", "transition-delay", "transition-behavior"]
    ) { parser, values in parser.transitionShorthand(&values) }
    shorthand("animation-range", ["animation-range-start", "animation-range-end"]) { $0.animationRangeShorthand(&$1) }
    for (name, longhands) in [
      ("scroll-timeline", ["scroll-timeline-name", "scroll-timeline-axis"]),
      ("view-timeline", ["view-timeline-name", "view-timeline-axis", "view-timeline-inset"]),
    ] as [(StaticString, [StaticString])] {
      shorthand(name, longhands) { $0.timelineShorthand(&$1) }
    }
    shorthand("interest-delay", ["interest-delay-start", "interest-delay-end"]) { parser, values in
      guard values.take(0, &parser) else { return false }
      if !values.take(1, &parser) { values.copy(1, from: 0) }
      return true
    }
    shorthand("text-box", ["text-box-trim", "text-box-edge"]) { parser, values in parser.textBoxShorthand(&values) }
    shorthand("offset", ["offset-position", "offset-path", "offset-distance", "offset-rotate", "offset-anchor"]) { parser, values in
      parser.offsetShorthand(&values)
    }
  }

  mutating func registerAliases() {
    let pairs: [(StaticString, StaticString)] = [
      ("word-wrap", "overflow-wrap"), ("grid-gap", "gap"), ("grid-row-gap", "row-gap"), ("grid-column-gap", "column-gap"),
      ("-webkit-margin-start", "margin-inline-start"),
      ("-webkit-margin-end", "margin-inline-end"), ("-webkit-margin-before", "margin-block-start"),
      ("-webkit-margin-after", "margin-block-end"),
      ("-webkit-padding-start", "padding-inline-start"), ("-webkit-padding-end", "padding-inline-end"),
      ("-webkit-padding-before", "padding-block-start"), ("-webkit-padding-after", "padding-block-end"),
      ("-webkit-border-start", "border-inline-start"), ("-webkit-border-end", "border-inline-end"),
      ("-webkit-border-before", "border-block-start"), ("-webkit-border-after", "border-block-end"),
      ("-webkit-border-start-color", "border-inline-start-color"), ("-webkit-border-start-style", "border-inline-start-style"),
      ("-webkit-border-start-width", "border-inline-start-width"), ("-webkit-border-end-color", "border-inline-end-color"),
      ("-webkit-border-end-style", "border-inline-end-style"), ("-webkit-border-end-width", "border-inline-end-width"),
      ("-webkit-border-before-color", "border-block-start-color"), ("-webkit-border-before-style", "border-block-start-style"),
      ("-webkit-border-before-width", "border-block-start-width"), ("-webkit-border-after-color", "border-block-end-color"),
      ("-webkit-border-after-style", "border-block-end-style"), ("-webkit-border-after-width", "border-block-end-width"),
      ("-webkit-app-region", "app-region"),
      ("-webkit-logical-width", "inline-size"),
      ("-webkit-logical-height", "block-size"), ("-webkit-min-logical-width", "min-inline-size"),
      ("-webkit-min-logical-height", "min-block-size"),
      ("-webkit-max-logical-width", "max-inline-size"), ("-webkit-max-logical-height", "max-block-size"),
      ("-webkit-box-sizing", "box-sizing"), ("-webkit-box-shadow", "box-shadow"),
      ("-webkit-border-top-left-radius", "border-top-left-radius"), ("-webkit-border-top-right-radius", "border-top-right-radius"),
      ("-webkit-border-bottom-left-radius", "border-bottom-left-radius"),
      ("-webkit-border-bottom-right-radius", "border-bottom-right-radius"),
      ("-webkit-border-image", "border-image"), ("-webkit-background-clip", "background-clip"),
      ("-webkit-background-origin", "background-origin"),
      ("-webkit-background-size", "background-size"), ("-webkit-mask", "mask"), ("-webkit-mask-image", "mask-image"),
      ("-webkit-mask-size", "mask-size"), ("-webkit-mask-repeat", "mask-repeat"), ("-webkit-mask-origin", "mask-origin"),
      ("-webkit-mask-clip", "mask-clip"), ("-webkit-mask-position", "mask-position"),
      ("-webkit-transform", "transform"), ("-webkit-transform-origin", "transform-origin"), ("-webkit-transform-style", "transform-style"),
      ("-webkit-perspective", "perspective"), ("-webkit-perspective-origin", "perspective-origin"),
      ("-webkit-backface-visibility", "backface-visibility"), ("-webkit-filter", "filter"), ("-webkit-backdrop-filter", "backdrop-filter"),
      ("-webkit-clip-path", "clip-path"), ("-webkit-opacity", "opacity"), ("-webkit-appearance", "appearance"),
      ("-moz-appearance", "appearance"),
      ("-webkit-user-select", "user-select"), ("-webkit-flex", "flex"), ("-webkit-flex-flow", "flex-flow"),
      ("-webkit-flex-grow", "flex-grow"),
      ("-webkit-flex-shrink", "flex-shrink"), ("-webkit-flex-basis", "flex-basis"), ("-webkit-flex-direction", "flex-direction"),
      ("-webkit-flex-wrap", "flex-wrap"), ("-webkit-order", "order"), ("-webkit-align-items", "align-items"),
      ("-webkit-align-self", "align-self"),
      ("-webkit-align-content", "align-content"), ("-webkit-justify-content", "justify-content"), ("-webkit-columns", "columns"),
      ("-webkit-column-count", "column-count"), ("-webkit-column-width", "column-width"), ("-webkit-column-gap", "column-gap"),
      ("-webkit-column-rule", "column-rule"), ("-webkit-column-rule-width", "column-rule-width"),
      ("-webkit-column-rule-style", "column-rule-style"), ("-webkit-column-rule-color", "column-rule-color"),
      ("-webkit-column-span", "column-span"), ("-webkit-hyphenate-character", "hyphenate-character"),
      ("-webkit-font-feature-settings", "font-feature-settings"), ("-webkit-text-emphasis", "text-emphasis"),
      ("-webkit-text-emphasis-style", "text-emphasis-style"), ("-webkit-text-emphasis-color", "text-emphasis-color"),
      ("-webkit-text-emphasis-position", "text-emphasis-position"), ("-webkit-text-decoration", "text-decoration"),
      ("-epub-caption-side", "caption-side"), ("-epub-text-combine", "-webkit-text-combine"), ("-epub-text-emphasis", "text-emphasis"),
      ("-epub-text-emphasis-color", "text-emphasis-color"), ("-epub-text-emphasis-style", "text-emphasis-style"),
      ("-epub-text-orientation", "text-orientation"), ("-epub-text-transform", "text-transform"), ("-epub-word-break", "word-break"),
      ("-epub-writing-mode", "writing-mode"),
      ("-webkit-writing-mode", "writing-mode"), ("-webkit-text-orientation", "text-orientation"), ("-webkit-line-break", "line-break"),
      ("-webkit-box-decoration-break", "box-decoration-break"), ("-webkit-shape-outside", "shape-outside"),
      ("-webkit-shape-margin", "shape-margin"), ("-webkit-shape-image-threshold", "shape-image-threshold"),
      ("-webkit-print-color-adjust", "print-color-adjust"),
      ("-webkit-text-size-adjust", "text-size-adjust"),
      ("-webkit-animation", "animation"), ("-webkit-animation-name", "animation-name"),
      ("-webkit-animation-duration", "animation-duration"),
      ("-webkit-animation-delay", "animation-delay"), ("-webkit-animation-timing-function", "animation-timing-function"),
      ("-webkit-animation-iteration-count", "animation-iteration-count"), ("-webkit-animation-direction", "animation-direction"),
      ("-webkit-animation-fill-mode", "animation-fill-mode"), ("-webkit-animation-play-state", "animation-play-state"),
      ("-webkit-transition", "transition"), ("-webkit-transition-property", "transition-property"),
      ("-webkit-transition-duration", "transition-duration"), ("-webkit-transition-delay", "transition-delay"),
      ("-webkit-transition-timing-function", "transition-timing-function"),
    ]
    for (alias, name) in pairs { self.alias(alias, name) }
  }
}

extension ValueParser {
  mutating func fontVariant(_ values: inout ShorthandValues) -> Bool {
    // Keywords of the longhands in any order; those of one longhand need not be adjacent.
    var lists: [[FontStyle.Feature]] = Array(repeating: [], count: 5)
    let tables = [FontFeature.ligatures, FontFeature.caps, FontFeature.numeric, FontFeature.eastAsian, FontFeature.position]
    var used: Set<Int> = []
    search: while !isAtEnd() {
      // `normal` stands alone.
      if peekIdentifier()?.equalsIgnoringCase("normal") ?? false { return false }
      for (index, table) in tables.enumerated() {
        for row in table where keyword(row.keyword) {
          guard used.insert(index * 8 + row.exclusion).inserted else { return false }
          lists[index] += row.features
          continue search
        }
      }
      if values.take(6, &self) { continue }
      guard !values.has(5), values.take(5, &self) else { return false }
    }
    for (index, features) in lists.enumerated() where !features.isEmpty { values.set(index, features, self) }
    return true
  }

  /// https://drafts.csswg.org/css-fonts-4/#font-prop
  mutating func font(_ values: inout ShorthandValues) -> Bool {
    if let word = peekIdentifier(),
      ["caption", "icon", "menu", "message-box", "small-caption", "status-bar"].contains(where: { word.equalsIgnoringCase($0) })
    {
      advance()
      values.set(6, [FontStyle.Family.generic("system-ui")], self)
      values.set(
        4,
        stored: FieldsValue<FontStyle, FontSizeValue>(FontSizeValue(px: 13.333333, keyword: 0, isAbsolute: true)) {
          $0.size = $1.px
          $0.sizeKeyword = $1.keyword
          $0.hasAbsoluteSize = $1.isAbsolute
          $0.isSizeRelative = $1.isRelative
        }, self)
      return true
    }
    var count = 0
    prefix: while count < 4, !isAtEnd() {
      count += 1
      if keyword("normal") { continue }
      if !values.has(0), values.take(0, &self) { continue }
      if !values.has(1), keyword("small-caps") {
        values.set(1, FontFeature.list("smcp"), self)
        continue
      }
      if !values.has(2), values.take(2, &self) { continue }
      if !values.has(3), let stretch = keyword(of: Self.stretchKeywords) {
        values.set(3, stretch, self)
        continue
      }
      break prefix
    }
    guard values.take(4, &self) else { return false }
    if delimiter("/"), !values.take(5, &self) { return false }
    return values.take(6, &self)
  }

  /// https://drafts.csswg.org/css-text-4/#white-space-property
  mutating func whiteSpace(_ values: inout ShorthandValues) -> Bool {
    let legacy: [(StaticString, (WhiteSpaceCollapse, TextWrapMode))] = [
      ("normal", (.collapse, .wrap)), ("pre", (.preserve, .nowrap)), ("pre-wrap", (.preserve, .wrap)),
      ("pre-line", (.preserveBreaks, .wrap)),
    ]
    if let (collapse, wrap) = keyword(of: legacy) {
      values.set(0, collapse, self)
      values.set(1, wrap, self)
      return true
    }
    return values.takeAnyOrder([0, 1], &self)
  }

  /// https://drafts.csswg.org/css-lists-3/#list-style-property
  mutating func listStyle(_ values: inout ShorthandValues) -> Bool {
    var nones = 0
    var count = 0
    while !isAtEnd() {
      if keyword("none") {
        nones += 1
      } else if !values.has(0), values.take(0, &self) {
      } else if !values.has(1), values.take(1, &self) {
      } else if !values
        .has(2), values.take(2, &self)
      {
      } else {
        return false
      }
      count += 1
    }
    let open = (values.has(1) ? 0 : 1) + (values.has(2) ? 0 : 1)
    guard count > 0, nones <= open else { return false }
    if nones > 0, !values.has(2) { values.set(2, ListStyleType.none, self) }
    return true
  }

  /// https://drafts.csswg.org/css-break-3/#page-break-properties
  mutating func pageBreak(_ values: inout ShorthandValues) -> Bool {
    if keyword("always") {
      values.set(0, BreakBetween.page, self)
      return values.has(0)
    }
    guard let word = peekIdentifier(), ["auto", "avoid", "left", "right"].contains(where: { word.equalsIgnoringCase($0) }) else {
      return false
    }
    return values.take(0, &self)
  }

  mutating func columnBreak(_ values: inout ShorthandValues) -> Bool {
    if keyword("always") {
      values.set(0, BreakBetween.column, self)
      return values.has(0)
    }
    if keyword("avoid") {
      values.set(0, BreakBetween.avoidColumn, self)
      values.set(0, BreakInside.avoidColumn, self)
      return true
    }
    return keyword("auto")
  }
}
