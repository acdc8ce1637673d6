import OffprintCoreTypes

extension TableBuilder {
  mutating func registerEffects() {
    field("opacity", \EffectStyle.opacity, "<number> | <percentage>") { parser in
      parser.numberOrPercentage().map { Float(min(max($0, 0), 1)) }
    }
    registerTransforms()
    registerMotion()
    registerMaskBorders()
    registerAnimations()
    registerTransitions()
    registerTextDecoration()
    specified("filter", \EffectStyle.filter, "none | <filter-function>+") { $0.filterList() }
    specified("backdrop-filter", \EffectStyle.backdropFilter, "none | <filter-function>+") { $0.filterList() }
    keywords("mix-blend-mode", \EffectStyle.mixBlendMode, ValueParser.blendModes)
    keywords("isolation", \EffectStyle.isolation, [("auto", .auto), ("isolate", .isolate)])
    field("clip-path", \EffectStyle.clipPath, "none | <url> | [ <basic-shape> || <geometry-box> ]") { $0.shapeValue(allowsReference: true) }
    field("clip", \EffectStyle.clip, "auto | rect()") { $0.clipRectangle() }
    change(["clip"]) { $0.allowsUnitlessLength = true }
    field("shape-outside", \EffectStyle.shapeOutside, "none | [ <basic-shape> || <shape-box> ] | <image>") {
      $0.shapeValue(allowsReference: false)
    }
    field("shape-margin", \EffectStyle.shapeMargin, "<length-percentage [0,∞]>") { $0.lengthPercentage(nonNegative: true) }
    field("shape-image-threshold", \EffectStyle.shapeImageThreshold, "<opacity-value>") { parser in
      parser.numberOrPercentage().map { Float(min(max($0, 0), 1)) }
    }
    // Strings are supported only by Firefox.
    field("text-overflow", \EffectStyle.textOverflow, "clip | ellipsis") { parser -> TextOverflow? in
      if parser.keyword("clip") { return .clip }
      return parser.keyword("ellipsis") ? .ellipsis : nil
    }
    field("-webkit-line-clamp", \EffectStyle.lineClamp, "none | <integer [1,∞]>") { parser -> Int?? in
      parser.keyword("none") ? .some(nil) : parser.integer(min: 1).map { .some($0) }
    }
    fields(
      "will-change", "auto | <animateable-feature>#", parse: { $0.willChange() },
      set: { (style: inout EffectStyle, value: WillChangeValue) in style.willChange = value }, get: { $0.willChange })
    registerContent()
  }

  private mutating func registerTransforms() {
    field("transform", \EffectStyle.transform, "none | <transform-function>+") { $0.transformList() }
    field("translate", \EffectStyle.translate, "none | <length-percentage>{1,2} <length>?") { $0.individualTranslate() }
    field("rotate", \EffectStyle.rotate, "none | <angle> | [ x | y | z | <number>{3} ] && <angle>") { $0.individualRotate() }
    field("scale", \EffectStyle.scale, "none | [ <number> | <percentage> ]{1,3}") { $0.individualScale() }
    fields(
      "transform-origin", "<position> <length>?",
      parse: { parser -> OriginValue? in
        guard let position = parser.position(allowsFour: false) else { return nil }
        return OriginValue(position: position, z: parser.length() ?? 0)
      },
      set: { (style: inout EffectStyle, value: OriginValue) in
        style.transformOrigin = value.position
        style.transformOriginZ = value.z
      }, get: { OriginValue(position: $0.transformOrigin, z: $0.transformOriginZ) })
    keywords(
      "transform-box", \EffectStyle.transformBox,
      [
        ("view-box", .viewBox), ("border-box", .borderBox), ("content-box", .contentBox), ("fill-box", .fillBox),
        ("stroke-box", .strokeBox),
      ])
    keywords("transform-style", \EffectStyle.transformStyle, [("flat", .flat), ("preserve-3d", .preserve3d)])
    keywords("backface-visibility", \EffectStyle.backfaceVisibility, [("visible", .visible), ("hidden", .hidden)])
    specified("perspective", \EffectStyle.perspective, "none | <length [0,∞]>") { parser -> Specified<Float?>? in
      parser.keyword("none") ? .value(nil) : parser.specifiedLength(nonNegative: true)?.map { max($0, 1) }
    }
    field("perspective-origin", \EffectStyle.perspectiveOrigin, "<position>") { $0.position() }
    registerPartsOfOrigins()
  }

  /// One coordinate each of `transform-origin` and `perspective-origin`, which Chromium does not report.
  private mutating func registerPartsOfOrigins() {
    let horizontal = "[ left | center | right | <length-percentage> ]", vertical = "[ top | center | bottom | <length-percentage> ]"
    field("-webkit-transform-origin-x", \EffectStyle.transformOrigin.x, horizontal) { $0.coordinate(horizontal: true) }
    field("-webkit-transform-origin-y", \EffectStyle.transformOrigin.y, vertical) { $0.coordinate(horizontal: false) }
    specified("-webkit-transform-origin-z", \EffectStyle.transformOriginZ, "<length>") { $0.specifiedLength() }
    field("-webkit-perspective-origin-x", \EffectStyle.perspectiveOrigin.x, horizontal) { $0.coordinate(horizontal: true) }
    field("-webkit-perspective-origin-y", \EffectStyle.perspectiveOrigin.y, vertical) { $0.coordinate(horizontal: false) }
  }

  private mutating func registerTextDecoration() {
    field("text-decoration-line", \EffectStyle.textDecorationLine, "none | underline || overline || line-through || blink") {
      $0.textDecorationLine()
    }
    keywords(
      "text-decoration-style", \EffectStyle.textDecorationStyle,
      [("solid", .solid), ("double", .double), ("dotted", .dotted), ("dashed", .dashed), ("wavy", .wavy)])
    field("text-decoration-color", \EffectStyle.textDecorationColor, "<color>") { $0.color() }
    field("text-decoration-thickness", \EffectStyle.textDecorationThickness, "auto | from-font | <length-percentage>") { parser in
      if parser.keyword("auto") { return EffectStyle.DecorationThickness.auto }
      return parser.keyword("from-font") ? .fromFont : parser.lengthPercentage().map { .value($0) }
    }
  }

  private mutating func registerContent() {
    field("content", \ContentStyle.content, "normal | none | [ <string> | <image> | <counter> | <quote> | attr() ]+ [ / … ]?") {
      $0.content()
    }
    field("counter-reset", \ContentStyle.counterReset, "none | [ <counter-name> <integer>? | reversed() ]+") {
      $0.counters(initial: 0, allowsReversed: true)
    }
    field("counter-increment", \ContentStyle.counterIncrement, "none | [ <counter-name> <integer>? ]+") {
      $0.counters(initial: 1, allowsReversed: false)
    }
    field("counter-set", \ContentStyle.counterSet, "none | [ <counter-name> <integer>? ]+") {
      $0.counters(initial: 0, allowsReversed: false)
    }
  }
}

struct OriginValue: Sendable { var position: Position, z: Float }

extension ValueParser {
  mutating func textDecorationLine() -> TextDecorationLine? {
    if keyword("none") { return [] }
    if keyword("spelling-error") || keyword("grammar-error") { return [] }
    var result: TextDecorationLine = []
    var sawBlink = false
    let table: [(StaticString, TextDecorationLine)] = [("underline", .underline), ("overline", .overline), ("line-through", .lineThrough)]
    while !isAtEnd() {
      if let line = keyword(of: table) {
        guard result.isDisjoint(with: line) else { return nil }
        result.insert(line)
      } else if !sawBlink, keyword("blink") {
        sawBlink = true
      } else {
        break
      }
    }
    return result.isEmpty && !sawBlink ? nil : result
  }

  mutating func clipRectangle() -> PhysicalSides<Float?>?? {
    if keyword("auto") { return .some(nil) }
    func side(_ parser: inout ValueParser) -> Float?? { parser.keyword("auto") ? .some(nil) : parser.length().map { .some($0) } }
    return function("rect") { parser in
      guard let top = side(&parser) else { return nil }
      let hasCommas = parser.comma()
      guard let right = side(&parser), !hasCommas || parser.comma(), let bottom = side(&parser), !hasCommas || parser.comma(),
        let left = side(&parser)
      else { return nil }
      return PhysicalSides(top: top, right: right, bottom: bottom, left: left)
    }.map { .some($0) }
  }

  /// https://drafts.csswg.org/css-will-change/#will-change
  mutating func willChange() -> WillChangeValue? {
    if keyword("auto") { return WillChangeValue() }
    var result = WillChangeValue()
    let names = commaList { parser -> Bool? in
      guard let word = parser.peekIdentifier(), parser.customIdentifier(excluding: ["auto", "none", "all", "will-change"]) != nil else {
        return nil
      }
      result.add { word.equalsIgnoringCase($0) }
      return true
    }
    return names == nil ? nil : result
  }

  // MARK: Generated content. https://drafts.csswg.org/css-content-3/#content-property

  mutating func content() -> Content? {
    if keyword("normal") { return .normal }
    if keyword("none") { return Content.none }
    guard let items = list({ $0.contentItem() }) else { return nil }
    if delimiter("/") {
      // Alternative text does not affect rendering.
      guard list({ parser in parser.attempt { $0.alternativeText() } }) != nil else { return nil }
    }
    return .items(items)
  }

  /// https://drafts.csswg.org/css-content-3/#alt
  private mutating func alternativeText() -> ContentItem? {
    switch contentItem() {
    case .text(let text): .text(text)
    case .counter(let name, let style): .counter(name: name, style: style)
    case .counters(let name, let separator, let style): .counters(name: name, separator: separator, style: style)
    default: nil
    }
  }

  private mutating func contentItem() -> ContentItem? {
    if let text = string() { return .text(text) }
    if let quote: ContentItem = keyword(of: [
      ("open-quote", .openQuote), ("close-quote", .closeQuote), ("no-open-quote", .noOpenQuote), ("no-close-quote", .noCloseQuote),
    ]) {
      return quote
    }
    if let image = attempt({ $0.image() }) { return .image(image) }
    if let counter = function(
      "counter",
      { parser -> ContentItem? in
        guard let name = parser.customIdentifier(excluding: ["none"]) else { return nil }
        guard parser.comma() else { return .counter(name: name, style: .counterStyle("decimal")) }
        return parser.listStyleType().map { .counter(name: name, style: $0) }
      })
    {
      return counter
    }
    return function("counters") { parser -> ContentItem? in
      guard let name = parser.customIdentifier(excluding: ["none"]), parser.comma(), let separator = parser.string() else { return nil }
      guard parser.comma() else { return .counters(name: name, separator: separator, style: .counterStyle("decimal")) }
      return parser.listStyleType().map { .counters(name: name, separator: separator, style: $0) }
    }
  }

  mutating func counters(initial: Int, allowsReversed: Bool) -> [CounterChange]? {
    if keyword("none") { return [] }
    return list { parser -> CounterChange? in
      if allowsReversed, let name = parser.function("reversed", { $0.customIdentifier(excluding: ["none"]) }) {
        return CounterChange(name: name, value: parser.integer(), reversed: true)
      }
      guard let name = parser.customIdentifier(excluding: ["none"]) else { return nil }
      return CounterChange(name: name, value: parser.integer() ?? initial)
    }
  }
}

extension ValueParser {
  /// A side's keyword or an offset, not both.
  fileprivate mutating func coordinate(horizontal: Bool) -> LengthPercentage? {
    let first = keyword(horizontal ? "left" : "top"), last = !first && keyword(horizontal ? "right" : "bottom")
    if first || last { return .percentage(first ? 0 : 100) }
    return keyword("center") ? .percentage(50) : lengthPercentage()
  }
}
