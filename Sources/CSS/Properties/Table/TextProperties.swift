import OffprintCoreTypes

extension TableBuilder {
  mutating func registerText() {
    registerWriting()
    registerLines()
    registerLists()
    registerMarks()
    change(["text-indent", "border-spacing"]) { $0.allowsUnitlessLength = true }
    change(["color"]) { $0.allowsHashlessColor = true }
  }

  private mutating func registerWriting() {
    specified("color", \TextStyle.color, "<color>", phase: .color) { $0.textColor() }
    fields(
      "color-scheme", "normal | [ light | dark | <custom-ident> ]+ && only?", phase: .first, parse: { $0.colorScheme() },
      set: { (style: inout TextStyle, value: TextStyle.ColorScheme) in style.colorScheme = value }, get: { $0.colorScheme })
    keywords("direction", \TextStyle.direction, phase: .first, [("ltr", .ltr), ("rtl", .rtl)])
    keywords(
      "writing-mode", \TextStyle.writingMode, phase: .first,
      [
        ("horizontal-tb", .horizontalTb), ("vertical-rl", .verticalRl), ("vertical-lr", .verticalLr), ("sideways-rl", .sidewaysRl),
        ("sideways-lr", .sidewaysLr), ("lr", .horizontalTb), ("lr-tb", .horizontalTb), ("rl", .horizontalTb), ("rl-tb", .horizontalTb),
        ("tb", .verticalRl), ("tb-rl", .verticalRl), ("tb-lr", .verticalLr),
      ])
    keywords(
      "text-orientation", \TextStyle.textOrientation, phase: .first,
      [("mixed", .mixed), ("upright", .upright), ("sideways", .sideways), ("sideways-right", .sideways), ("vertical-right", .mixed)])
    keywords("visibility", \TextStyle.visibility, [("visible", .visible), ("hidden", .hidden), ("collapse", .collapse)])
    keywords(
      "image-rendering", \TextStyle.imageRendering,
      [
        ("auto", .auto), ("crisp-edges", .crispEdges), ("pixelated", .pixelated),
        ("-webkit-optimize-contrast", .crispEdges),
      ])
    keywords("image-orientation", \TextStyle.imageOrientation, [("from-image", .fromImage), ("none", .none)])
    field("accent-color", \TextStyle.accentColor, "auto | <color>") { parser -> ColorValue?? in
      parser.keyword("auto") ? .some(nil) : parser.color().map { .some($0) }
    }
  }

  private mutating func registerLines() {
    specified("text-align", \TextStyle.textAlign, "start | end | left | right | center | justify | -webkit-match-parent") { $0.textAlign() }
    keywords(
      "text-align-last", \TextStyle.textAlignLast,
      [
        ("auto", .auto), ("start", .start), ("end", .end), ("left", .left), ("right", .right), ("center", .center), ("justify", .justify),
      ])
    keywords(
      "text-justify", \TextStyle.textJustify,
      [("auto", .auto), ("none", .none), ("inter-word", .interWord), ("inter-character", .interCharacter), ("distribute", .interCharacter)])
    fields(
      "text-indent", "<length-percentage> && hanging? && each-line?", parse: { $0.textIndent() },
      set: { (style: inout TextStyle, value: TextIndentValue) in
        style.textIndent = value.length
        style.textIndentHanging = value.hanging
        style.textIndentEachLine = value.eachLine
      }, get: { TextIndentValue(length: $0.textIndent, hanging: $0.textIndentHanging, eachLine: $0.textIndentEachLine) })
    keywords(
      "white-space-collapse", \TextStyle.whiteSpaceCollapse,
      [
        ("collapse", .collapse), ("preserve", .preserve), ("preserve-breaks", .preserveBreaks), ("preserve-spaces", .preserveSpaces),
        ("break-spaces", .breakSpaces),
      ])
    keywords("text-wrap-mode", \TextStyle.textWrapMode, [("wrap", .wrap), ("nowrap", .nowrap)])
    keywords(
      "text-wrap-style", \TextStyle.textWrapStyle, [("auto", .auto), ("balance", .balance), ("pretty", .pretty), ("stable", .stable)])
    specified("tab-size", \TextStyle.tabSize, "<number [0,∞]> | <length [0,∞]>") { parser -> Specified<TextStyle.TabSize>? in
      if let spaces = parser.float(ValueParser.nonNegative) { return .value(.spaces(spaces)) }
      return parser.specifiedLength(nonNegative: true)?.map { .length($0) }
    }
    keywords("overflow-wrap", \TextStyle.overflowWrap, [("normal", .normal), ("break-word", .breakWord), ("anywhere", .anywhere)])
    keywords(
      "word-break", \TextStyle.wordBreak,
      [("normal", .normal), ("break-all", .breakAll), ("keep-all", .keepAll), ("break-word", .breakWord), ("auto-phrase", .autoPhrase)])
    keywords(
      "line-break", \TextStyle.lineBreak,
      [("auto", .auto), ("loose", .loose), ("normal", .normal), ("strict", .strict), ("anywhere", .anywhere), ("after-white-space", .auto)])
    keywords("hyphens", \TextStyle.hyphens, [("none", .none), ("manual", .manual), ("auto", .auto)])
    field("text-fit", \TextStyle.textFit, "[ none | grow | shrink ] [ consistent | per-line | per-line-all ]? <percentage [0,∞]>?") {
      $0.textFit()
    }
    field("hyphenate-limit-chars", \TextStyle.hyphenateLimits, "[ auto | <integer> ]{1,3}", read: { value, _ in value.css }) {
      $0.hyphenateLimits()
    }
    field("hyphenate-character", \TextStyle.hyphenateCharacter, "auto | <string>") { parser -> String?? in
      parser.keyword("auto") ? .some(nil) : parser.string().map { .some($0) }
    }
    keywords(
      "-webkit-text-security", \TextStyle.textSecurity,
      [("none", .none), ("circle", .circle), ("disc", .disc), ("square", .square)])
    keywords(
      "text-transform", \TextStyle.textTransform,
      [
        ("none", .none), ("math-auto", .mathAuto), ("capitalize", .capitalize), ("uppercase", .uppercase), ("lowercase", .lowercase),
      ])
    field("orphans", \TextStyle.orphans, "<integer [1,∞]>") { $0.integer(min: 1) }
    field("widows", \TextStyle.widows, "<integer [1,∞]>") { $0.integer(min: 1) }
  }

  private mutating func registerLists() {
    field("list-style-type", \TextStyle.listStyleType, "none | <counter-style-name> | <string>") { $0.listStyleType() }
    keywords("list-style-position", \TextStyle.listStylePosition, [("outside", .outside), ("inside", .inside)])
    field("list-style-image", \TextStyle.listStyleImage, "none | <image>") { $0.imageOrNone() }
    field("quotes", \TextStyle.quotes, "auto | none | [ <string> <string> ]+") { parser -> Quotes? in
      if parser.keyword("auto") { return .auto }
      if parser.keyword("none") { return Quotes.none }
      return parser.list { parser -> QuotePair? in
        guard let open = parser.string(), let close = parser.string() else { return nil }
        return QuotePair(open: open, close: close)
      }.map { .pairs($0) }
    }
    keywords("caption-side", \TextStyle.captionSide, [("top", .top), ("bottom", .bottom)])
    keywords("border-collapse", \TextStyle.borderCollapse, [("separate", .separate), ("collapse", .collapse)])
    specifiedFields(
      "border-spacing", "<length [0,∞]>{1,2}",
      parse: { parser -> Specified<SpacingValue>? in
        guard let x = parser.specifiedLength(nonNegative: true) else { return nil }
        guard let y = parser.specifiedLength(nonNegative: true) else { return x.map { SpacingValue(horizontal: $0, vertical: $0) } }
        return .relative { SpacingValue(horizontal: x.computed($0), vertical: y.computed($0)) }
      },
      set: { (style: inout TextStyle, value: SpacingValue) in
        style.borderSpacingHorizontal = value.horizontal
        style.borderSpacingVertical = value.vertical
      }, get: { SpacingValue(horizontal: $0.borderSpacingHorizontal, vertical: $0.borderSpacingVertical) })
    keywords("empty-cells", \TextStyle.emptyCells, [("show", .show), ("hide", .hide)])
  }

  private mutating func registerMarks() {
    specified("text-shadow", \TextStyle.textShadow, "none | [ <color>? && <length>{2,3} ]#") { $0.shadows(isText: true) }
    field("text-underline-offset", \TextStyle.underlineOffset, "auto | <length-percentage>") { parser -> LengthPercentage?? in
      parser.keyword("auto") ? .some(nil) : parser.lengthPercentage().map { .some($0) }
    }
    field("text-underline-position", \TextStyle.underlinePosition, "auto | [ from-font | under ] || [ left | right ]") {
      $0.underlinePosition()
    }
    keywords("text-decoration-skip-ink", \TextStyle.skipInk, [("auto", .auto), ("none", .none), ("all", .all)])
    field("text-emphasis-style", \TextStyle.emphasisMark, "none | [ filled | open ] || <shape> | <string>") { $0.emphasisMark() }
    field("text-emphasis-color", \TextStyle.emphasisColor, "<color>") { $0.color() }
    fields(
      "text-emphasis-position", "[ over | under ] && [ right | left ]?", parse: { $0.emphasisPosition() },
      set: { (style: inout TextStyle, value: EmphasisPosition) in
        style.emphasisUnder = value.under
        style.emphasisLeft = value.left
      }, get: { EmphasisPosition(under: $0.emphasisUnder, left: $0.emphasisLeft) })
    keywords("ruby-position", \TextStyle.rubyUnder, [("over", false), ("under", true)])
    keywords("-webkit-ruby-position", \TextStyle.rubyUnder, [("before", false), ("after", true)])
    specified("-webkit-border-horizontal-spacing", \TextStyle.borderSpacingHorizontal, "<length [0,∞]>") {
      $0.specifiedLength(nonNegative: true)
    }
    specified("-webkit-border-vertical-spacing", \TextStyle.borderSpacingVertical, "<length [0,∞]>") {
      $0.specifiedLength(nonNegative: true)
    }
    keywords(
      "ruby-align", \TextStyle.rubyAlign,
      [("space-around", .spaceAround), ("start", .start), ("center", .center), ("space-between", .spaceBetween)])
    keywords("ruby-overhang", \TextStyle.rubyOverhang, [("auto", .auto), ("none", .none), ("spaces", .spaces)])
    keywords("text-combine-upright", \TextStyle.textCombineUpright, [("none", false), ("all", true)])
    specified("-webkit-text-stroke-width", \TextStyle.strokeWidth, "<line-width>") { $0.lineWidth() }
    field("-webkit-text-stroke-color", \TextStyle.strokeColor, "<color>") { $0.color() }
    field("-webkit-text-fill-color", \TextStyle.fillColor, "<color>") { parser -> ColorValue?? in parser.color().map { .some($0) } }
  }
}

struct TextIndentValue: Sendable { var length: LengthPercentage, hanging = false, eachLine = false }
struct SpacingValue: Sendable { var horizontal: Float, vertical: Float }
struct EmphasisPosition: Sendable { var under = false, left = false }

extension ValueParser {
  /// https://drafts.csswg.org/css-color-adjust-1/#color-scheme-prop
  mutating func colorScheme() -> TextStyle.ColorScheme? {
    if keyword("normal") { return [] }
    var scheme: TextStyle.ColorScheme = []
    var count = 0
    // At the beginning or at the end.
    var sawOnly = keyword("only")
    while !isAtEnd() {
      if keyword("light") {
        scheme.insert(.light)
      } else if keyword("dark") {
        scheme.insert(.dark)
      } else if !sawOnly, count > 0, keyword("only") {
        sawOnly = true
        if !isAtEnd() { return nil }
        continue
      } else if customIdentifier(excluding: ["normal", "only"]) == nil {
        return nil
      }
      count += 1
    }
    return count > 0 ? scheme : nil
  }

  private static let alignments: [(StaticString, TextAlign)] = [
    ("start", .start), ("end", .end), ("left", .left), ("right", .right), ("center", .center), ("justify", .justify),
    ("-webkit-left", .webkitLeft), ("-webkit-right", .webkitRight), ("-webkit-center", .webkitCenter), ("-webkit-auto", .start),
  ]

  /// In `color` itself, `currentcolor` is the color of the parent.
  mutating func textColor() -> Specified<Color>? {
    guard let color = specified({ $0.color() }) else { return nil }
    if case .value(.color(let color)) = color { return .value(color) }
    return .relative { color.computed($0).resolve($0.color) }
  }

  mutating func textAlign() -> Specified<TextAlign>? {
    if keyword("-webkit-match-parent") { return .relative { Self.parentAlignment($0) } }
    return keyword(of: Self.alignments).map { .value($0) }
  }

  /// https://drafts.csswg.org/css-text-4/#valdef-text-align-match-parent
  private static func parentAlignment(_ element: ElementContext) -> TextAlign {
    guard !element.isRoot else { return .start }
    let parent = element.parent.text
    let isRTL = parent.direction == .rtl
    switch parent.textAlign {
    case .start: return isRTL ? .right : .left
    case .end: return isRTL ? .left : .right
    default: return parent.textAlign
    }
  }

  mutating func textIndent() -> TextIndentValue? {
    var result = TextIndentValue(length: .zero)
    var hasLength = false
    while !isAtEnd() {
      if !hasLength, let length = lengthPercentage() {
        result.length = length
        hasLength = true
      } else if !result.hanging, keyword("hanging") {
        result.hanging = true
      } else if !result.eachLine, keyword("each-line") {
        result.eachLine = true
      } else {
        return nil
      }
    }
    return hasLength ? result : nil
  }

  mutating func listStyleType() -> ListStyleType? {
    if let text = string() { return .string(text) }
    if keyword("none") { return ListStyleType.none }
    if let rule = function("symbols", { $0.symbolsFunction() }) { return .symbols(rule) }
    guard let word = peekIdentifier(), let name = customIdentifier() else { return nil }
    // Predefined counter styles are keywords, which are ASCII case-insensitive.
    let lower = String(decoding: word.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    return .counterStyle(["disc", "circle", "square", "decimal"].contains(lower) ? ByteString(lower) : name)
  }

  /// https://drafts.csswg.org/css-counter-styles-3/#symbols-function
  private mutating func symbolsFunction() -> CounterStyleRule? {
    var rule = CounterStyleRule()
    let systems: [(StaticString, CounterStyleRule.System)] = [
      ("cyclic", .cyclic), ("numeric", .numeric), ("alphabetic", .alphabetic), ("symbolic", .symbolic), ("fixed", .fixed(first: 1)),
    ]
    rule.system = keyword(of: systems) ?? .symbolic
    rule.symbols = list(max: 4096) { $0.string() }?.map { .text($0) } ?? []
    return rule.hasSymbols ? rule : nil
  }

  mutating func underlinePosition() -> TextStyle.UnderlinePosition? {
    if keyword("auto") { return [] }
    var result: TextStyle.UnderlinePosition = []
    while !isAtEnd() {
      if result.isDisjoint(with: [.under, .fromFont]), keyword("under") {
        result.insert(.under)
      } else if result.isDisjoint(with: [.under, .fromFont]), keyword("from-font") {
        result.insert(.fromFont)
      } else if result.isDisjoint(with: [.left, .right]), keyword("left") {
        result.insert(.left)
      } else if result
        .isDisjoint(with: [.left, .right]), keyword("right")
      {
        result.insert(.right)
      } else {
        return nil
      }
    }
    return result.isEmpty ? nil : result
  }

  /// https://drafts.csswg.org/css-text-decor-4/#text-emphasis-style-property
  mutating func emphasisMark() -> String?? {
    if keyword("none") { return .some(nil) }
    if let text = string() { return .some(text.first.map(String.init)) }
    var isOpen: Bool?
    var shape: Int?
    while !isAtEnd() {
      if isOpen == nil, let fill: Bool = keyword(of: [("filled", false), ("open", true)]) {
        isOpen = fill
      } else if shape == nil,
        let given: Int = keyword(of: [("dot", 0), ("circle", 1), ("double-circle", 2), ("triangle", 3), ("sesame", 4)])
      {
        shape = given
      } else {
        break
      }
    }
    guard isOpen != nil || shape != nil else { return nil }
    let marks = [
      ("\u{2022}", "\u{25E6}"), ("\u{25CF}", "\u{25CB}"), ("\u{25C9}", "\u{25CE}"), ("\u{25B2}", "\u{25B3}"), ("\u{FE45}", "\u{FE46}"),
    ]
    if shape == nil { isRelative = true }
    // Without a shape, Chromium uses a dot in horizontal text (the specification a circle) and a sesame in vertical text.
    let mark = marks[shape ?? (element?.isVertical == true ? 4 : 0)]
    return .some(isOpen == true ? mark.1 : mark.0)
  }

  mutating func emphasisPosition() -> EmphasisPosition? {
    var result = EmphasisPosition()
    var vertical = false
    var horizontal = false
    while !isAtEnd() {
      if !vertical, let under: Bool = keyword(of: [("over", false), ("under", true)]) {
        result.under = under
        vertical = true
      } else if !horizontal, let left: Bool = keyword(of: [("right", false), ("left", true)]) {
        result.left = left
        horizontal = true
      } else {
        break
      }
    }
    return vertical ? result : nil
  }

  /// https://drafts.csswg.org/css-backgrounds-3/#typedef-line-width
  mutating func lineWidth() -> Specified<Float>? {
    if let width: Float = keyword(of: [("thin", 1), ("medium", 3), ("thick", 5)]) { return .value(width) }
    return specifiedLength(nonNegative: true)
  }
}
