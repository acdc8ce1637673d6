import OffprintCoreTypes

extension TableBuilder {
  mutating func registerBoxes() {
    registerDisplay()
    registerSizes()
    registerEdges()
    registerFlow()
  }

  private mutating func registerDisplay() {
    fields(
      "display", "<display-outside> || <display-inside> | <display-listitem> | <display-internal> | <display-box> | <display-legacy>",
      parse: { $0.display() },
      set: { (style: inout BoxStyle, value: Display) in
        style.display = value
        style.originalDisplay = value
      }, get: { $0.display })
    keywords(
      "position", \BoxStyle.position,
      [
        ("static", .static), ("relative", .relative), ("absolute", .absolute), ("fixed", .fixed), ("sticky", .sticky),
        ("-webkit-sticky", .sticky),
      ])
    specified("float", \BoxStyle.float, "none | left | right | inline-start | inline-end") { parser -> Specified<Float_>? in
      if parser.keyword("none") { return .value(.none) }
      if parser.keyword("left") { return .value(.left) }
      if parser.keyword("right") { return .value(.right) }
      return parser.flowSide()?.map { $0 ? .left : .right }
    }
    specified("clear", \BoxStyle.clear, "none | left | right | both | inline-start | inline-end") { parser -> Specified<Clear>? in
      let sides: [(StaticString, Clear)] = [("none", .none), ("left", .left), ("right", .right), ("both", .both)]
      if let side = parser.keyword(of: sides) { return .value(side) }
      return parser.flowSide()?.map { $0 ? .left : .right }
    }
    field("zoom", \BoxStyle.zoom, "normal | <number [0,∞]> | <percentage [0,∞]>") { parser in
      if parser.keyword("normal") || parser.keyword("reset") { return 1 }
      // Chromium treats 0 as no zoom.
      return parser.numberOrPercentage(ValueParser.nonNegative).map { $0 == 0 ? 1 : Float(Swift.min(Swift.max($0, 1e-3), 1e3)) }
    }
    keywords("box-sizing", \BoxStyle.boxSizing, [("content-box", .contentBox), ("border-box", .borderBox)])
    field("z-index", \BoxStyle.zIndex, "auto | <integer>") { parser -> Int?? in
      parser.keyword("auto") ? .some(nil) : parser.integer().map { .some($0) }
    }
    let overflow: [(StaticString, Overflow)] = [
      ("visible", .visible), ("hidden", .hidden), ("clip", .clip), ("scroll", .scroll), ("auto", .auto), ("overlay", .auto),
      ("-webkit-paged-x", .auto), ("-webkit-paged-y", .auto),
    ]
    keywords("overflow-x", \BoxStyle.overflowX, overflow)
    keywords("overflow-y", \BoxStyle.overflowY, overflow)
    field(
      "text-box-trim", \BoxStyle.textBoxTrim, "none | trim-start | trim-end | trim-both",
      read: { trim, _ in trim.isEmpty ? "none" : trim == .start ? "trim-start" : trim == .end ? "trim-end" : "trim-both" }
    ) { $0.keyword(of: [("none", []), ("trim-start", .start), ("trim-end", .end), ("trim-both", [.start, .end])]) }
    field("text-box-edge", \TextStyle.textBoxEdge, "auto | <text-edge>", read: { edge, _ in edge.css }) { $0.textBoxEdge() }
    field("margin-trim", \BoxStyle.marginTrim, "none | block | [ block-start || block-end ]") {
      $0.marginTrim()
    }
    field("overflow-clip-margin", \BoxStyle.overflowClipMargin, "<visual-box> || <length [0,∞]>") { parser -> OverflowClipMargin? in
      var box: BoxEdge?
      var margin: Float?
      while !parser.isAtEnd() {
        if margin == nil, let length = parser.nonNegativeLength() {
          margin = length
        } else if box == nil, let edge = parser.keyword(of: ValueParser.shapeBoxes) {
          box = edge
        } else {
          return nil
        }
      }
      return margin == nil && box == nil ? nil : OverflowClipMargin(box: box ?? .paddingBox, margin: margin ?? 0)
    }
    keywords(
      "unicode-bidi", \BoxStyle.unicodeBidi,
      [
        ("normal", .normal), ("embed", .embed), ("isolate", .isolate), ("bidi-override", .bidiOverride),
        ("isolate-override", .isolateOverride),
        ("plaintext", .plaintext), ("-webkit-isolate", .isolate), ("-webkit-plaintext", .plaintext),
        ("-webkit-isolate-override", .isolateOverride),
      ])
  }

  private mutating func registerSizes() {
    field("width", \BoxStyle.width, ValueParser.sizeGrammar) { $0.size(.auto) }
    field("height", \BoxStyle.height, ValueParser.sizeGrammar) { $0.size(.auto) }
    field("min-width", \BoxStyle.minWidth, ValueParser.sizeGrammar) { $0.size(.auto) }
    field("min-height", \BoxStyle.minHeight, ValueParser.sizeGrammar) { $0.size(.auto) }
    field("max-width", \BoxStyle.maxWidth, ValueParser.sizeGrammar) { $0.size(.none) }
    field("max-height", \BoxStyle.maxHeight, ValueParser.sizeGrammar) { $0.size(.none) }
    change(["width", "height", "min-width", "min-height", "max-width", "max-height"]) { $0.allowsUnitlessLength = true }
    field("aspect-ratio", \BoxStyle.aspectRatio, "auto || <ratio>") { $0.aspectRatio() }
    specified("contain-intrinsic-width", \BoxStyle.containIntrinsicWidth, "[ auto? [ none | <length> ] ]") { $0.intrinsicSize() }
    specified("contain-intrinsic-height", \BoxStyle.containIntrinsicHeight, "[ auto? [ none | <length> ] ]") { $0.intrinsicSize() }
    field(
      "anchor-name", \BoxStyle.anchorNames, "none | <dashed-ident>#",
      read: { names, _ in names.isEmpty ? "none" : names.map(\.text).joined(separator: ", ") }
    ) { parser -> [ByteString]? in
      parser.keyword("none") ? [] : parser.commaList { $0.dashedIdentifier() }
    }
    field("position-anchor", \BoxStyle.positionAnchor, "auto | <anchor-name>", read: { name, _ in name?.text ?? "auto" }) {
      parser -> ByteString?? in
      parser.keyword("auto") ? .some(nil) : parser.dashedIdentifier().map { .some($0) }
    }
    field("position-area", \BoxStyle.positionArea, "none | <position-area>", read: { area, _ in area?.css ?? "none" }) { $0.positionArea() }
    registerPositionTry()
    keywords("field-sizing", \BoxStyle.fieldSizingContent, [("fixed", false), ("content", true)])
    keywords(
      "object-fit", \BoxStyle.objectFit,
      [("fill", .fill), ("contain", .contain), ("cover", .cover), ("none", .none), ("scale-down", .scaleDown)])
    field("object-position", \BoxStyle.objectPosition, "<position>") { $0.position() }
    field(
      "object-view-box", \BoxStyle.objectViewBox, "none | <basic-shape-rect>", read: { shape, writer in shape?.css(writer) ?? "none" }
    ) { parser -> BasicShape?? in
      if parser.keyword("none") { return .some(nil) }
      guard let shape = parser.basicShape(), case .inset = shape else { return nil }
      return .some(shape)
    }
    keywords(
      "resize", \BoxStyle.resize,
      [("none", .none), ("both", .both), ("horizontal", .horizontal), ("vertical", .vertical), ("block", .block), ("inline", .inline)])
    field(
      "scrollbar-gutter", \BoxStyle.scrollbar.gutter, "auto | stable && both-edges?", read: { value, _ in value.css }
    ) { $0.scrollbarGutter() }
    keywords("scrollbar-width", \BoxStyle.scrollbar.width, [("auto", .auto), ("thin", .thin), ("none", .none)])
  }

  private mutating func registerEdges() {
    let margin = "<length-percentage> | auto"
    field("margin-top", \BoxStyle.margin.top, margin) { $0.lengthPercentageAuto() }
    field("margin-right", \BoxStyle.margin.right, margin) { $0.lengthPercentageAuto() }
    field("margin-bottom", \BoxStyle.margin.bottom, margin) { $0.lengthPercentageAuto() }
    field("margin-left", \BoxStyle.margin.left, margin) { $0.lengthPercentageAuto() }
    let padding = "<length-percentage [0,∞]>"
    field("padding-top", \BoxStyle.padding.top, padding) { $0.lengthPercentage(nonNegative: true) }
    field("padding-right", \BoxStyle.padding.right, padding) { $0.lengthPercentage(nonNegative: true) }
    field("padding-bottom", \BoxStyle.padding.bottom, padding) { $0.lengthPercentage(nonNegative: true) }
    field("padding-left", \BoxStyle.padding.left, padding) { $0.lengthPercentage(nonNegative: true) }
    field("top", \BoxStyle.inset.top, margin) { $0.lengthPercentageAuto() }
    field("right", \BoxStyle.inset.right, margin) { $0.lengthPercentageAuto() }
    field("bottom", \BoxStyle.inset.bottom, margin) { $0.lengthPercentageAuto() }
    field("left", \BoxStyle.inset.left, margin) { $0.lengthPercentageAuto() }
    registerScrollSnap()
    change([
      "margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top", "padding-right", "padding-bottom", "padding-left", "top",
      "right", "bottom", "left",
    ]) { $0.allowsUnitlessLength = true }
  }

  /// https://drafts.csswg.org/css-scroll-snap-1/
  private mutating func registerScrollSnap() {
    field(
      "scroll-snap-type", \BoxStyle.scrollSnap.kind, "none | [ x | y | block | inline | both ] [ mandatory | proximity ]?",
      read: { value, _ in value.map { $0.axis.name + ($0.isMandatory ? " mandatory" : "") } ?? "none" }
    ) { $0.scrollSnapType() }
    field(
      "scroll-snap-align", \BoxStyle.scrollSnap.align, "[ none | start | end | center ]{1,2}",
      read: { value, _ in value.block == value.inline ? value.block.name : value.block.name + " " + value.inline.name }
    ) { $0.scrollSnapAlign() }
    let padding = "auto | <length-percentage [0,∞]>"
    keywords("scroll-initial-target", \BoxStyle.scrollSnap.isInitialTarget, [("none", false), ("nearest", true)])
    field("scroll-padding-top", \BoxStyle.scrollSnap.padding.top, padding) { $0.scrollPadding() }
    field("scroll-padding-right", \BoxStyle.scrollSnap.padding.right, padding) { $0.scrollPadding() }
    field("scroll-padding-bottom", \BoxStyle.scrollSnap.padding.bottom, padding) { $0.scrollPadding() }
    field("scroll-padding-left", \BoxStyle.scrollSnap.padding.left, padding) { $0.scrollPadding() }
    field("scroll-margin-top", \BoxStyle.scrollSnap.margin.top, "<length>") { $0.length() }
    field("scroll-margin-right", \BoxStyle.scrollSnap.margin.right, "<length>") { $0.length() }
    field("scroll-margin-bottom", \BoxStyle.scrollSnap.margin.bottom, "<length>") { $0.length() }
    field("scroll-margin-left", \BoxStyle.scrollSnap.margin.left, "<length>") { $0.length() }
  }

  private mutating func registerFlow() {
    field(
      "vertical-align", \BoxStyle.verticalAlign,
      "baseline | sub | super | top | text-top | middle | bottom | text-bottom | <length-percentage>"
    ) {
      $0.verticalAlign()
    }
    keywords("baseline-source", \BoxStyle.baselineSource, [("auto", .auto), ("first", .first), ("last", .last)])
    change(["vertical-align"]) { $0.allowsUnitlessLength = true }
    keywords("table-layout", \BoxStyle.tableLayout, [("auto", .auto), ("fixed", .fixed)])
    field("contain", \BoxStyle.contain, "none | strict | content | [ size | inline-size ] || layout || style || paint") { $0.containment() }
    field("container-type", \BoxStyle.containerType, "normal | size | inline-size") { parser -> ContainerType? in
      let type: ContainerType? = parser.keyword(of: [("normal", .normal), ("size", .size), ("inline-size", .inlineSize)])
      _ = parser.keyword("scroll-state")
      return type
    }
    field(
      "scroll-marker-group", \BoxStyle.scrollMarkerGroup, "none | [ before | after ] [ links | tabs ]?", read: { value, _ in value.text }
    ) {
      $0.scrollMarkerGroup()
    }
    field("container-name", \BoxStyle.containerNames, "none | <custom-ident>+") { parser -> [ByteString]? in
      parser.keyword("none") ? [] : parser.list { $0.customIdentifier(excluding: ["none", "and", "or", "not"]) }
    }
    keywords(
      "content-visibility", \BoxStyle.contentVisibility, [("visible", .visible), ("auto", .auto), ("hidden", .hidden)])
    field(
      "initial-letter", \BoxStyle.initialLetter, "normal | <number [1,∞]> <integer [1,∞]>? | <number [1,∞]> && [ drop | raise ]?",
      read: { value, _ in value.map { $0.text } ?? "normal" }
    ) { $0.initialLetter() }
    keywords("box-decoration-break", \BoxStyle.boxDecorationBreak, [("slice", .slice), ("clone", .clone)])
    let between: [(StaticString, BreakBetween)] = [
      ("auto", .auto), ("avoid", .avoid), ("avoid-column", .avoidColumn), ("avoid-page", .avoidPage), ("column", .column), ("page", .page),
      ("left", .left), ("right", .right), ("recto", .recto), ("verso", .verso),
    ]
    keywords("break-before", \BoxStyle.breakBefore, between)
    keywords("break-after", \BoxStyle.breakAfter, between)
    keywords(
      "break-inside", \BoxStyle.breakInside,
      [("auto", .auto), ("avoid", .avoid), ("avoid-column", .avoidColumn), ("avoid-page", .avoidPage)])
    field("page", \BoxStyle.page, "auto | <custom-ident>", read: { value, _ in value?.text ?? "auto" }) { parser -> ByteString?? in
      parser.keyword("auto") ? .some(nil) : parser.customIdentifier(excluding: ["auto"]).map { .some($0) }
    }
    field("appearance", \BoxStyle.appearance, "none | auto | <compat-auto>") { parser -> Appearance? in
      parser.keyword(of: [
        ("none", .none), ("auto", .auto), ("button", .button), ("textfield", .textfield), ("menulist-button", .other),
        ("searchfield", .other),
        ("textarea", .other), ("push-button", .button), ("square-button", .button), ("slider-horizontal", .other), ("checkbox", .other),
        ("radio", .other), ("menulist", .other), ("listbox", .other), ("meter", .other), ("progress-bar", .other),
        ("base-select", .baseSelect),
        ("inner-spin-button", .other), ("searchfield-cancel-button", .other), ("sliderthumb-horizontal", .other),
        ("slider-vertical", .other),
      ])
    }
  }
}

extension ScrollMarkerGroup {
  fileprivate var text: String {
    switch self {
    case .none: "none"
    case .before: "before links"
    case .after: "after links"
    case .beforeTabs: "before tabs"
    case .afterTabs: "after tabs"
    }
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-overflow-5/#scroll-marker-group-property
  mutating func scrollMarkerGroup() -> ScrollMarkerGroup? {
    if keyword("none") { return ScrollMarkerGroup.none }
    guard let isBefore: Bool = keyword(of: [("before", true), ("after", false)]) else { return nil }
    let isTabs: Bool = keyword(of: [("links", false), ("tabs", true)]) ?? false
    return isBefore ? (isTabs ? .beforeTabs : .before) : isTabs ? .afterTabs : .after
  }

  /// Parses `inline-start` or `inline-end` of a float. Returns whether that is the left side, by the direction of the containing block.
  mutating func flowSide() -> Specified<Bool>? {
    guard let isStart: Bool = keyword(of: [("inline-start", true), ("inline-end", false)]) else { return nil }
    return .relative { isStart != ($0.isRoot ? $0.isRTL : $0.parent.text.blockDirection == .rtl) }
  }

  static let sizeGrammar =
    "auto | none | <length-percentage [0,∞]> | min-content | max-content | fit-content | stretch | <calc-size()>"

  private static let sizeKeywords: [(StaticString, SizeValue)] = [
    ("min-content", .minContent), ("max-content", .maxContent), ("fit-content", .fitContent), ("stretch", .stretch),
    ("-webkit-fill-available", .stretch), ("-webkit-min-content", .minContent), ("-webkit-max-content", .maxContent),
    ("-webkit-fit-content", .fitContent), ("intrinsic", .maxContent), ("min-intrinsic", .minContent),
  ]

  /// - Parameter initial: `auto`, or `none` for maximum sizes.
  mutating func size(_ initial: SizeValue) -> SizeValue? {
    if keyword(initial.isAuto ? "auto" : "none") { return initial }
    if let value = keyword(of: Self.sizeKeywords) { return value }
    if let value = calcSize(initial) { return value }
    return lengthPercentage(nonNegative: true).map { .value($0) }
  }

  mutating func lengthPercentageAuto() -> LengthPercentageAuto? {
    keyword("auto") ? .auto : lengthPercentage().map { .value($0) }
  }

  mutating func intrinsicSize() -> Specified<Float?>? {
    _ = keyword("auto")
    if keyword("none") { return .value(nil) }
    return specifiedLength(nonNegative: true)?.map { $0 }
  }

  mutating func aspectRatio() -> BoxStyle.AspectRatio?? {
    var auto = false
    var ratio: Float?
    var hasRatio = false
    while !isAtEnd() {
      if !auto, keyword("auto") {
        auto = true
      } else if !hasRatio, let width = number(Self.nonNegative) {
        var height = 1.0
        if delimiter("/") {
          guard let given = number(Self.nonNegative) else { return nil }
          height = given
        }
        hasRatio = true
        let quotient = Float(width / height)
        // A degenerate ratio behaves like `auto`.
        if width > 0, height > 0, quotient.isFinite, quotient > 0 { ratio = quotient }
      } else {
        return nil
      }
    }
    guard auto || hasRatio else { return nil }
    if ratio == nil { return .some(nil) }
    return .some(BoxStyle.AspectRatio(ratio: ratio, auto: auto))
  }

  private static let verticalAlignments: [(StaticString, VerticalAlign)] = [
    ("baseline", .baseline), ("sub", .sub), ("super", .super), ("top", .top), ("text-top", .textTop), ("middle", .middle),
    ("bottom", .bottom),
    ("text-bottom", .textBottom), ("-webkit-baseline-middle", .baselineMiddle),
  ]

  mutating func verticalAlign() -> VerticalAlign? {
    keyword(of: Self.verticalAlignments) ?? lengthPercentage().map { .raise($0) }
  }

  mutating func containment() -> Containment? {
    if keyword("none") { return [] }
    if keyword("strict") { return [.size, .layout, .style, .paint] }
    if keyword("content") { return [.layout, .style, .paint] }
    let table: [(StaticString, Containment)] = [
      ("size", .size), ("inline-size", .inlineSize), ("layout", .layout), ("style", .style), ("paint", .paint),
    ]
    var result: Containment = []
    while let part = keyword(of: table) {
      guard result.isDisjoint(with: part) else { return nil }
      result.insert(part)
    }
    return result.isEmpty || result.isSuperset(of: [.size, .inlineSize]) ? nil : result
  }

  private static let displays: [(StaticString, Display)] = [
    ("none", .none), ("contents", .contents), ("inline-block", .inlineBlock), ("inline-flex", .inlineFlex), ("inline-grid", .inlineGrid),
    ("inline-table", .inlineTable), ("table-row-group", .tableRowGroup), ("table-header-group", .tableHeaderGroup),
    ("table-footer-group", .tableFooterGroup), ("table-row", .tableRow), ("table-cell", .tableCell),
    ("table-column-group", .tableColumnGroup),
    ("table-column", .tableColumn), ("table-caption", .tableCaption), ("ruby-text", .rubyText), ("-webkit-box", .webkitBox),
    ("-webkit-inline-box", .webkitInlineBox), ("-webkit-flex", .flex), ("-webkit-inline-flex", .inlineFlex),
  ]

  /// https://drafts.csswg.org/css-display-3/#the-display-properties
  mutating func display() -> Display? {
    if let value = keyword(of: Self.displays) { return value }
    enum Inside { case flow, flowRoot, table, flex, grid, ruby, math }
    var isInline: Bool?
    var inside: Inside?
    var isListItem = false
    while !isAtEnd() {
      if isInline == nil, let outside: Bool = keyword(of: [("block", false), ("inline", true)]) {
        isInline = outside
      } else if inside == nil,
        let given: Inside = keyword(of: [
          ("flow", .flow), ("flow-root", .flowRoot), ("table", .table), ("flex", .flex), ("grid", .grid), ("ruby", .ruby),
        ])
      {
        inside = given
      } else if !isListItem, keyword("list-item") {
        isListItem = true
      } else if inside == nil, keyword("math") {
        inside = .math
      } else {
        return nil
      }
    }
    guard isInline != nil || inside != nil || isListItem else { return nil }
    if isListItem {
      guard inside == nil || inside == .flow || inside == .flowRoot else { return nil }
      if inside == .flowRoot { return isInline == true ? .inlineFlowRootListItem : .flowRootListItem }
      return isInline == true ? .inlineListItem : .listItem
    }
    let inline = isInline ?? (inside == .ruby || inside == .math)
    switch inside ?? .flow {
    case .flow: return inline ? .inline : .block
    case .flowRoot: return inline ? .inlineBlock : .flowRoot
    case .table: return inline ? .inlineTable : .table
    case .flex: return inline ? .inlineFlex : .flex
    case .grid: return inline ? .inlineGrid : .grid
    case .ruby: return inline ? .ruby : .block
    case .math: return inline ? .math : .blockMath
    }
  }
}

extension ValueParser {
  /// Parses `normal | <text-box-trim> || <text-box-edge>`. If omitted, the trim is on both sides and the edge is `auto`.
  /// https://drafts.csswg.org/css-inline-3/#propdef-text-box
  mutating func textBoxShorthand(_ values: inout ShorthandValues) -> Bool {
    if keyword("normal") { return true }
    guard values.takeAnyOrder([0, 1], &self) else { return false }
    if !values.has(0) { values.set(0, [.start, .end] as TextBoxTrim, self) }
    return true
  }

  /// https://drafts.csswg.org/css-inline-3/#typedef-text-edge
  mutating func textBoxEdge() -> TextBoxEdge? {
    if keyword("auto") { return TextBoxEdge() }
    guard let over: TextBoxEdge.Over = keyword(of: [("text", .text), ("cap", .cap), ("ex", .ex)]) else { return nil }
    if let under: TextBoxEdge.Under = keyword(of: [("text", .text), ("alphabetic", .alphabetic)]) {
      return TextBoxEdge(over: over, under: under)
    }
    return over == .text ? TextBoxEdge() : nil
  }

  /// Parses the keywords for the block axis, the only ones that Chromium supports. https://drafts.csswg.org/css-box-4/#margin-trim
  fileprivate mutating func marginTrim() -> MarginTrim? {
    if keyword("none") { return [] }
    if keyword("block") { return .block }
    var result: MarginTrim = []
    let sides: [(StaticString, MarginTrim)] = [("block-start", .blockStart), ("block-end", .blockEnd)]
    while let side = keyword(of: sides) {
      guard result.isDisjoint(with: side) else { return nil }
      result.insert(side)
    }
    return result.isEmpty ? nil : result
  }
}

extension MarginTrim: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    if self == .block { return "block" }
    return contains(.blockStart) ? "block-start" : contains(.blockEnd) ? "block-end" : "none"
  }
}

extension OverflowClipMargin: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    let edge = box == .paddingBox ? nil : ComputedTextWriter.keyword("\(box)")
    let length = margin == 0 && edge != nil ? nil : ComputedTextWriter.px(margin)
    return [edge, length].compactMap { $0 }.joined(separator: " ")
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-inline-3/#sizing-drop-initials
  fileprivate mutating func initialLetter() -> InitialLetter?? {
    if keyword("normal") { return .some(nil) }
    let kinds: [(StaticString, InitialLetter.Sink)] = [("drop", .drop), ("raise", .raise)]
    if let sink = keyword(of: kinds) { return number(1...10_000).map { InitialLetter(size: Float($0), sink: sink) } }
    guard let size = number(1...10_000) else { return nil }
    if isAtEnd() { return InitialLetter(size: Float(size), sink: .drop) }
    if let sink = keyword(of: kinds) { return InitialLetter(size: Float(size), sink: sink) }
    return integer(min: 1).map { InitialLetter(size: Float(size), sink: .lines($0)) }
  }
}

extension TextBoxEdge {
  fileprivate var css: String { self == TextBoxEdge() ? "auto" : over == .text && under == .text ? "text" : "\(over) \(under)" }
}
