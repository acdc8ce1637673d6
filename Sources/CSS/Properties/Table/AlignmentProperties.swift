import OffprintCoreTypes

struct FlexWrapValue: Sendable { var wrap: FlexWrap, balances: Bool }

extension TableBuilder {
  mutating func registerAlignment() {
    registerFlex()
    registerGrid()
    registerColumns()
    registerGapRules()
    registerWebkitBox()
  }

  private mutating func registerWebkitBox() {
    keywords(
      "-webkit-box-orient", \AlignStyle.webkitBox.isVertical,
      [("horizontal", false), ("vertical", true), ("inline-axis", false), ("block-axis", true)])
    keywords("-webkit-box-direction", \AlignStyle.webkitBox.isReverse, [("normal", false), ("reverse", true)])
    keywords(
      "-webkit-box-align", \AlignStyle.webkitBox.align,
      [("stretch", .stretch), ("start", .flexStart), ("end", .flexEnd), ("center", .center), ("baseline", .baseline)])
    keywords(
      "-webkit-box-pack", \AlignStyle.webkitBox.pack,
      [("start", .flexStart), ("end", .flexEnd), ("center", .center), ("justify", .spaceBetween)])
    field("-webkit-box-flex", \AlignStyle.webkitBox.flex, "<number>") { $0.float(ValueParser.nonNegative) }
    field("-webkit-box-ordinal-group", \AlignStyle.webkitBox.ordinal, "<integer>") { $0.integer(min: 1) }
  }

  private mutating func registerFlex() {
    keywords(
      "flex-direction", \AlignStyle.flexDirection,
      [("row", .row), ("row-reverse", .rowReverse), ("column", .column), ("column-reverse", .columnReverse)])
    fields(
      "flex-wrap", "nowrap | [ wrap | wrap-reverse ] || balance", parse: { $0.flexWrap().map(FlexWrapValue.init) },
      set: { (style: inout AlignStyle, value) in (style.flexWrap, style.flexWrapBalances) = (value.wrap, value.balances) },
      get: { FlexWrapValue(wrap: $0.flexWrap, balances: $0.flexWrapBalances) })
    field("flex-line-count", \AlignStyle.flexLineCount, "<integer [1,∞]>") { $0.integer(min: 1) }
    field("flex-grow", \AlignStyle.flexGrow, "<number [0,∞]>") { $0.float(ValueParser.nonNegative) }
    field("flex-shrink", \AlignStyle.flexShrink, "<number [0,∞]>") { $0.float(ValueParser.nonNegative) }
    field("flex-basis", \AlignStyle.flexBasis, "content | <'width'>") { parser -> SizeValue? in
      parser.keyword("content") ? .content : parser.size(.auto)
    }
    field("order", \AlignStyle.order, "<integer>") { $0.integer() }
    let content = "normal | <baseline-position> | <content-distribution> | <overflow-position>? <content-position>"
    let selfAlignment = "auto | normal | stretch | <baseline-position> | <overflow-position>? <self-position>"
    field("align-content", \AlignStyle.alignContent, content) { $0.contentAlignment(isJustify: false) }
    field("justify-content", \AlignStyle.justifyContent, content) { $0.contentAlignment(isJustify: true) }
    field("align-items", \AlignStyle.alignItems, selfAlignment) { $0.selfAlignment(isJustify: false, isItems: true) }
    field("justify-items", \AlignStyle.justifyItems, selfAlignment + " | legacy") { $0.selfAlignment(isJustify: true, isItems: true) }
    field("align-self", \AlignStyle.alignSelf, selfAlignment) { $0.selfAlignment(isJustify: false, isItems: false) }
    field("justify-self", \AlignStyle.justifySelf, selfAlignment) { $0.selfAlignment(isJustify: true, isItems: false) }
    field("row-gap", \AlignStyle.rowGap, "normal | <length-percentage [0,∞]>") { $0.gap() }
    field("column-gap", \AlignStyle.columnGap, "normal | <length-percentage [0,∞]>") { $0.gap() }
  }

  private mutating func registerGrid() {
    let template = "none | <track-list> | <auto-track-list> | subgrid <line-name-list>?"
    field("grid-template-rows", \AlignStyle.gridTemplateRows, template) { $0.gridTemplate() }
    field("grid-template-columns", \AlignStyle.gridTemplateColumns, template) { $0.gridTemplate() }
    field("grid-template-areas", \AlignStyle.gridTemplateAreas, "none | <string>+") { $0.gridAreas() }
    field("grid-auto-rows", \AlignStyle.gridAutoRows, "<track-size>+") { parser in parser.list { $0.trackSize() } }
    field("grid-auto-columns", \AlignStyle.gridAutoColumns, "<track-size>+") { parser in parser.list { $0.trackSize() } }
    field("grid-auto-flow", \AlignStyle.gridAutoFlow, "[ row | column ] || dense") { $0.gridAutoFlow() }
    let line = "auto | <custom-ident> | [ <integer> && <custom-ident>? ] | [ span && [ <integer> || <custom-ident> ] ]"
    field("grid-row-start", \AlignStyle.gridRowStart, line) { $0.gridLine() }
    field("grid-row-end", \AlignStyle.gridRowEnd, line) { $0.gridLine() }
    field("grid-column-start", \AlignStyle.gridColumnStart, line) { $0.gridLine() }
    field("grid-column-end", \AlignStyle.gridColumnEnd, line) { $0.gridLine() }
  }

  private mutating func registerColumns() {
    field("column-count", \AlignStyle.columnCount, "auto | <integer [1,∞]>") { parser -> Int?? in
      parser.keyword("auto") ? .some(nil) : parser.integer(min: 1).map { .some($0) }
    }
    specified("column-width", \AlignStyle.columnWidth, "auto | <length [0,∞]>") { parser -> Specified<Float?>? in
      parser.keyword("auto") ? .value(nil) : parser.specifiedLength(nonNegative: true)?.map { $0 }
    }
    keywords("column-fill", \AlignStyle.columnFill, [("balance", .balance), ("auto", .auto)])
    specified("column-height", \AlignStyle.columnHeight, "auto | <length [0,∞]>") { parser -> Specified<Float?>? in
      parser.keyword("auto") ? .value(nil) : parser.specifiedLength(nonNegative: true)?.map { $0 }
    }
    keywords("column-wrap", \AlignStyle.columnWrap, [("auto", .auto), ("nowrap", .nowrap), ("wrap", .wrap)])
    field("column-span", \AlignStyle.columnSpan, "none | all") { parser -> ColumnSpan? in
      if let span: ColumnSpan = parser.keyword(of: [("none", .none), ("all", .all)]) { return span }
      return parser.integer(min: 1) == 1 ? ColumnSpan.none : nil
    }
  }

  // https://drafts.csswg.org/css-gaps-1/
  private mutating func registerGapRules() {
    let widths = "[ <line-width> | repeat( [ <integer [1,∞]> | auto ], <line-width># ) ]#"
    let styles = "[ <line-style> | repeat( [ <integer [1,∞]> | auto ], <line-style># ) ]#"
    let colors = "[ <color> | repeat( [ <integer [1,∞]> | auto ], <color># ) ]#"
    field("column-rule-width", \AlignStyle.columnRule.width, widths, read: { $0.css($1) }) { $0.ruleWidths() }
    field("column-rule-style", \AlignStyle.columnRule.style, styles, read: { $0.css($1) }) { $0.ruleStyles() }
    field("column-rule-color", \AlignStyle.columnRule.color, colors, read: { $0.css($1) }) { $0.ruleColors() }
    field("row-rule-width", \AlignStyle.rowRule.width, widths, read: { $0.css($1) }) { $0.ruleWidths() }
    field("row-rule-style", \AlignStyle.rowRule.style, styles, read: { $0.css($1) }) { $0.ruleStyles() }
    field("row-rule-color", \AlignStyle.rowRule.color, colors, read: { $0.css($1) }) { $0.ruleColors() }
    keywords("column-rule-break", \AlignStyle.columnRule.breaks, Self.ruleBreaks)
    keywords("row-rule-break", \AlignStyle.rowRule.breaks, Self.ruleBreaks)
    keywords("column-rule-visibility-items", \AlignStyle.columnRule.visibility, Self.ruleVisibilities)
    keywords("row-rule-visibility-items", \AlignStyle.rowRule.visibility, Self.ruleVisibilities)
    let inset = "<length-percentage>"
    field("column-rule-inset-cap-start", \AlignStyle.columnRule.cap.start, inset) { $0.lengthPercentage() }
    field("column-rule-inset-cap-end", \AlignStyle.columnRule.cap.end, inset) { $0.lengthPercentage() }
    field("column-rule-inset-junction-start", \AlignStyle.columnRule.junction.start, inset) { $0.lengthPercentage() }
    field("column-rule-inset-junction-end", \AlignStyle.columnRule.junction.end, inset) { $0.lengthPercentage() }
    field("row-rule-inset-cap-start", \AlignStyle.rowRule.cap.start, inset) { $0.lengthPercentage() }
    field("row-rule-inset-cap-end", \AlignStyle.rowRule.cap.end, inset) { $0.lengthPercentage() }
    field("row-rule-inset-junction-start", \AlignStyle.rowRule.junction.start, inset) { $0.lengthPercentage() }
    field("row-rule-inset-junction-end", \AlignStyle.rowRule.junction.end, inset) { $0.lengthPercentage() }
    keywords(
      "rule-overlap", \AlignStyle.ruleOverlap, [("row-over-column", .rowOverColumn), ("column-over-row", .columnOverRow)])
  }

  private static let ruleBreaks: [(StaticString, GapRule.Break)] = [("none", .none), ("normal", .normal), ("intersection", .intersection)]
  private static let ruleVisibilities: [(StaticString, GapRule.Visibility)] = [
    ("normal", .normal), ("all", .all), ("around", .around), ("between", .between),
  ]
}

// https://drafts.csswg.org/css-align-3/#values

extension ValueParser {
  private static let positions: [(StaticString, Alignment.Keyword)] = [
    ("center", .center), ("start", .start), ("end", .end), ("flex-start", .flexStart), ("flex-end", .flexEnd),
  ]

  private mutating func baseline() -> Alignment? {
    attempt { parser in
      if parser.keyword("first") { return parser.keyword("baseline") ? Alignment(.baseline) : nil }
      if parser.keyword("last") { return parser.keyword("baseline") ? Alignment(.lastBaseline) : nil }
      return parser.keyword("baseline") ? Alignment(.baseline) : nil
    }
  }

  private mutating func overflowPosition() -> Alignment.OverflowPosition {
    keyword("safe") ? .safe : keyword("unsafe") ? .unsafe : .default
  }

  mutating func contentAlignment(isJustify: Bool) -> Alignment? {
    if keyword("normal") { return Alignment(.normal) }
    if let distribution: Alignment.Keyword = keyword(of: [
      ("space-between", .spaceBetween), ("space-around", .spaceAround), ("space-evenly", .spaceEvenly), ("stretch", .stretch),
    ]) {
      return Alignment(distribution)
    }
    if !isJustify, let baseline = baseline() { return baseline }
    let overflow = overflowPosition()
    if let position = keyword(of: Self.positions) { return Alignment(position, overflow) }
    guard isJustify else { return nil }
    return keyword("left") ? Alignment(.left, overflow) : keyword("right") ? Alignment(.right, overflow) : nil
  }

  mutating func selfAlignment(isJustify: Bool, isItems: Bool) -> Alignment? {
    if !isItems, keyword("auto") { return Alignment(.auto) }
    if keyword("normal") { return Alignment(.normal) }
    if keyword("stretch") { return Alignment(.stretch) }
    if let baseline = baseline() { return baseline }
    if isJustify, isItems, let legacy = attempt({ $0.legacyAlignment() }) { return legacy }
    if !isItems, keyword("anchor-center") { return Alignment(.anchorCenter) }
    let overflow = overflowPosition()
    if let position = keyword(of: Self.positions) { return Alignment(position, overflow) }
    if keyword("self-start") { return Alignment(.selfStart, overflow) }
    if keyword("self-end") { return Alignment(.selfEnd, overflow) }
    guard isJustify else { return nil }
    return keyword("left") ? Alignment(.left, overflow) : keyword("right") ? Alignment(.right, overflow) : nil
  }

  private mutating func legacyAlignment() -> Alignment? {
    let sides: [(StaticString, Alignment.Keyword)] = [("left", .legacyLeft), ("right", .legacyRight), ("center", .legacyCenter)]
    if keyword("legacy") {
      if let side = keyword(of: sides) { return Alignment(side) }
      // `legacy` alone inherits a `legacy` alignment from the parent.
      isRelative = true
      guard let parent = element?.parent.align.justifyItems, [.legacyLeft, .legacyRight, .legacyCenter].contains(parent.keyword) else {
        return Alignment(.normal)
      }
      return parent
    }
    guard let side = keyword(of: sides), keyword("legacy") else { return nil }
    return Alignment(side)
  }

  mutating func gap() -> LengthPercentage?? {
    keyword("normal") ? .some(nil) : lengthPercentage(nonNegative: true).map { .some($0) }
  }

  mutating func gridAutoFlow() -> GridAutoFlow? {
    var flow = GridAutoFlow()
    var hasAxis = false
    var count = 0
    while !isAtEnd() {
      if !hasAxis, let isColumn: Bool = keyword(of: [("row", false), ("column", true)]) {
        flow.isColumn = isColumn
        hasAxis = true
      } else if !flow.isDense, keyword("dense") {
        flow.isDense = true
      } else {
        break
      }
      count += 1
    }
    return count > 0 ? flow : nil
  }
}

extension ValueParser {
  /// https://drafts.csswg.org/css-flexbox-2/#flex-wrap-property
  fileprivate mutating func flexWrap() -> (FlexWrap, Bool)? {
    if keyword("nowrap") { return (.nowrap, false) }
    var balances = keyword("balance")
    var wrap: FlexWrap?
    if keyword("wrap") { wrap = .wrap } else if keyword("wrap-reverse") { wrap = .wrapReverse }
    if !balances { balances = keyword("balance") }
    guard wrap != nil || balances else { return nil }
    return (wrap ?? .wrap, balances)
  }
}
