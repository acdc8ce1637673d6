internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Lays out the lines of a block container.
struct InlineLayout {
  let engine: LayoutEngine
  let box: BoxID
  let context: InlineFormattingContext.Context
  let style: ComputedStyle
  let data: InlineItems
  let firstLine: InlineItems?
  var breaker: LineBreaker
  var result: InlineFormattingContext.Result
  /// The block offset of the next line, relative to the content box.
  private var blockOffset = LayoutUnit.zero
  private var isAfterForcedBreak = true
  /// Space above the next line that its annotations may occupy.
  private var annotationSpace = LayoutUnit.zero
  /// Whether annotations above the previous line pushed it down.
  private var isBelowAnnotation = false
  /// The overflow of annotations below the previous line.
  var annotationOverflow = LayoutUnit.zero
  /// The floats of previous lines. The breaker does not hold them because it is copied for each line.
  private var floats: [FlowItem] = []
  /// The last line with content before the clamp point.
  var lastLine: (height: FontHeight, scale: Double)?
  let trimmedSides: TextBoxTrim
  /// The block size at the clamp point of `line-clamp`.
  var clampedSize: LayoutUnit?
  /// The floats before the clamp point.
  private var clampedExclusions: ExclusionSpace?
  /// `text-wrap: balance`: the size that lines are filled to.
  private var balancedSize: LayoutUnit?
  /// `text-wrap: pretty`: the sizes of lines that break early, by their start.
  private var prettySizes: [InlineCursor: LayoutUnit] = [:]
  /// Whether lines are laid out only to find the factor of `text-fit`: no text is scaled or truncated.
  var isTrial = false
  /// The factor for all lines with `text-fit: … consistent`.
  private var consistentScale = 1.0
  /// The smallest factor needed by a line so far.
  private(set) var leastScale: Double?

  private static let maximumBalancedLines = 6

  init(_ engine: LayoutEngine, _ box: BoxID, _ context: InlineFormattingContext.Context) {
    self.engine = engine; self.box = box; self.context = context
    style = engine.style(box)
    data = InlineFormattingContext.items(engine, box)
    trimmedSides = TextBoxTrimming.sides(engine, box)
    firstLine = InlineFormattingContext.firstLineItems(engine, box)
    breaker = LineBreaker(engine, firstLine ?? data, context.container, context.exclusions)
    breaker.contentBlockOffset = context.blockOffset
    breaker.cursor = context.start.cursor
    result = InlineFormattingContext.Result(exclusions: context.exclusions)
    if context.start.cursor.item > 0 || context.start.cursor.offset > 0 { resume(from: context.start) }
    if data.hasAnnotations { annotationSpace = context.annotationSpace }
  }

  private mutating func resume(from state: InlineState) {
    breaker.openTags = state.openTags
    result.lineCount = state.lineCount
    isAfterForcedBreak = state.isAfterForcedBreak
    if state.lineCount > 0 { breaker.data = data }
  }

  mutating func run() throws {
    let overflowText = isTrial ? nil : LineBuilder.overflowText(engine, box)
    if fitsText, style.text.textFit.method == .consistent { consistentScale = try InlineLayout.consistentScale(engine, box, context) }
    if let limit = context.lineLimit { balancedSize = limit } else { try balance() }
    if style.text.textWrapStyle == .pretty { prettySizes = try prettyWidths(indent: indent) }
    while !breaker.isAtEnd {
      try engine.check()
      let isReached = clampedSize != nil
      if context.recordsLines {
        guard !isPastBottom else { break }
        try layoutRecordedLine(overflowText: overflowText)
      } else {
        try layoutLine(overflowText: overflowText)
      }
      if isReached {
        result.continuesAfterClamp = true
      } else if let clamp = context.lineClamp, result.lineCount >= clamp.lines {
        clampedSize = blockOffset
        clampedExclusions = breaker.exclusions
        // In Chromium the lines after the clamp point start at the end of the box.
        if !clamp.isProbe { blockOffset -= endTrim }
      }
    }
    result.blockSize = context.lineClamp?.isProbe == false ? clampedSize ?? blockOffset : blockOffset
    result.annotationSpace = (annotationSpace - endTrim).clampedToZero
    if !context.recordsLines { result.items += floats + breaker.floats }
    result.isComplete = breaker.isAtEnd
    if context.maximumLines != .max { try placeFloatsBehind() }
    trimEnd()
    // Floats after the clamp point do not affect the block formatting context.
    result.exclusions = context.lineClamp?.isProbe == false ? clampedExclusions ?? breaker.exclusions : breaker.exclusions
  }

  // MARK: Lines

  private mutating func layoutRecordedLine(overflowText: [UInt8]?) throws {
    let state = InlineState(
      cursor: breaker.cursor, openTags: breaker.openTags, lineCount: result.lineCount, isAfterForcedBreak: isAfterForcedBreak)
    let first = result.items.count, start = blockOffset, floats = self.floats.count
    try layoutLine(overflowText: overflowText)
    result.items += self.floats.dropFirst(floats)
    let baseline = result.lineCount > state.lineCount ? result.lastBaseline.map { $0 - start } : nil
    result.lines.append(
      ParagraphLines.Line(
        items: first..<result.items.count, start: start, end: blockOffset, baseline: baseline,
        pushed: baseline == nil ? .zero : (breaker.lineTop - context.blockOffset - start).clampedToZero,
        isBelowAnnotation: isBelowAnnotation, state: state))
  }

  /// Places the floats at the start of the next line, after `maximumLines`. They do not belong to that line: they stay if it is pushed to
  /// the next fragmentainer.
  private mutating func placeFloatsBehind() throws {
    while !breaker.isAtEnd, data.items[breaker.cursor.item].kind == .floating {
      let index = breaker.cursor.item
      let float = try FloatLayout.layout(engine, data.items[index].box, in: context.container)
      try breaker.place(float, index, blockOffset: context.blockOffset + blockOffset)
      breaker.next()
    }
    result.floatsBehind = breaker.forgetFloats()
    result.end = breaker.cursor
  }

  /// Whether enough lines are laid out to determine the break.
  private var isPastBottom: Bool {
    if result.lines.count >= context.maximumLines { return true }
    guard let bottom = context.bottom else { return false }
    return result.lines.reversed().prefix { $0.end > bottom }.count > context.extraLines
  }

  private mutating func layoutLine(overflowText: [UInt8]?) throws {
    let indent = textIndent()
    var builder = try fillLine(indent: indent)
    if result.lineCount == 0, firstLine != nil { breaker.data = data }
    try builder.positionLeaves()
    // Chromium also reserves space for the annotations of text that an ellipsis replaces.
    let annotations = builder.annotationExtents
    let clamp = context.lineClamp.flatMap { $0.isProbe ? nil : $0.lines }
    let isClampedHere = builder.line.hasContent && result.lineCount + 1 == clamp
    if isClampedHere {
      builder.truncate(with: [0xe2, 0x80, 0xa6])
    } else if let overflowText, builder.line.overflows {
      builder.truncate(with: overflowText)
    }
    var lineOffset = breaker.lineTop - context.blockOffset
    let untrimmed = lineOffset
    lineOffset += builder.initialLetterRaise
    // In Chromium the annotations of a line do not move floats that do not fit next to it.
    let floatOffset = builder.line.hasContent ? lineOffset + builder.blockSize : nil
    // In `vertical-lr` the line-over side is the block-end side.
    let isFlipped = style.text.writingMode == .verticalLr
    let over = annotations.map { $0.over - builder.height.ascent } ?? .zero,
      under = annotations.map { $0.under - builder.height.descent } ?? .zero
    let above = isFlipped ? under : over
    // A line that floats push down finds no room above it, not even that which they leave.
    let spaceAbove = lineOffset > blockOffset ? .zero : annotationSpace
    isBelowAnnotation = above > spaceAbove
    if isBelowAnnotation { lineOffset += above - spaceAbove }
    // Annotations below a line may occupy the free space above the contents of the next.
    if annotationOverflow > .zero, builder.line.hasContent, above <= .zero {
      lineOffset -= min(annotationOverflow, builder.annotationSpaceAbove)
    }
    builder.excludeInitialLetter(lineTop: context.blockOffset + lineOffset, from: &breaker.exclusions)
    let trimmed = startTrim(builder)
    if let trimmed { lineOffset = untrimmed - trimmed }
    result.items.append(try builder.build(blockOffset: lineOffset, outOfFlow: &result.items))
    if builder.line.hasContent {
      let baseline = lineOffset + (style.text.writingMode == .verticalLr ? builder.height.descent : builder.height.ascent)
      if result.firstBaseline == nil { result.firstBaseline = baseline }
      if clampedSize == nil { lastLine = (builder.height, builder.line.textScale) }
      // Lines after the clamp point do not provide baselines.
      if clamp.map({ result.lineCount < $0 }) ?? true { result.lastBaseline = baseline }
      result.lineCount += 1
      blockOffset = lineOffset + builder.blockSize
      annotationOverflow = (isFlipped ? over : under).clampedToZero
      blockOffset += annotationOverflow
      // The space below the last line is only needed if the page has annotations elsewhere.
      if data.hasAnnotations || breaker.isAtEnd && engine.inlineCache.hasAnnotations(engine.tree) {
        annotationSpace = builder.annotationSpace
      }
    }
    breaker.openTags = builder.openTags
    isAfterForcedBreak = builder.line.hasForcedBreak
    try breaker.placePendingFloats(at: context.blockOffset + (floatOffset ?? blockOffset + (trimmed ?? .zero)))
    floats += breaker.forgetFloats().map { $0.moved(up: trimmed ?? .zero) }
    if builder.line.clear != .none {
      blockOffset = max(blockOffset, breaker.exclusions.clearance(for: builder.line.clear) - context.blockOffset)
    }
  }

  /// Fills a line at the first position with sufficient space. https://www.w3.org/TR/CSS22/visuren.html#floats: "shortened line boxes"
  private mutating func fillLine(indent: LayoutUnit) throws -> LineBuilder {
    let left = context.container.lineLeft, right = left + context.container.inlineSize
    var top = max(context.blockOffset + blockOffset, letterClearance)
    try breaker.placeLeadingFloats(at: top)
    guard !breaker.exclusions.isEmpty || data.hasFloats else {
      breaker.lineTop = top
      let size = prettySizes[breaker.cursor] ?? balancedSize
      return try fill(left, size.map { left + $0 } ?? right, indent, alignTo: right)
    }
    let saved = breaker
    let minimum: LayoutUnit = movesBelowFloats && !saved.beginsWithBreak ? .zero : .min
    var needed = LayoutUnit.zero
    var hasShrunk = false
    for _ in 0..<1000 {
      try engine.check()
      breaker = saved
      let space = try saved.exclusions.opportunity(
        engine, blockOffset: top, minInline: minimum, blockSize: needed, lineLeft: left, lineRight: right)
      breaker.lineTop = space.blockOffset
      breaker.lineBlockSize = needed
      // Without any space the line starts at its inline-start side.
      let from = context.container.direction.isRTL ? min(space.lineLeft, space.lineRight) : space.lineLeft
      let builder = try fill(from, space.lineRight, indent, alignTo: nil)
      let line = builder.line
      guard line.hasContent else { return builder }
      let isNarrowed = line.availableWidth < context.container.inlineSize
      if isNarrowed, line.overflows, movesBelowFloats {
        let wanted = min(line.width + line.indent, context.container.inlineSize)
        let next = try saved.exclusions.opportunity(
          engine, blockOffset: space.blockOffset, minInline: wanted, blockSize: needed, lineLeft: left, lineRight: right)
        if next.blockOffset > top {
          top = next.blockOffset
          needed = .zero
          continue
        }
        // Only floats in this line reduce its space: continue below them.
        let below = try breaker.exclusions.opportunity(
          engine, blockOffset: space.blockOffset, minInline: wanted, blockSize: needed, lineLeft: left, lineRight: right)
        if breaker.floats.count == saved.floats.count, below.blockOffset > top {
          top = below.blockOffset
          continue
        }
      }
      if breaker.exclusions.hasShapes, !hasShrunk, builder.reachedBlockSize < needed {
        // The line is lower than estimated, and a shape may leave more space for it.
        hasShrunk = true
        needed = builder.reachedBlockSize
        continue
      }
      guard builder.reachedBlockSize > needed else { return builder }
      let edges = breaker.exclusions.edges(from: space.blockOffset, blockSize: builder.reachedBlockSize, lineLeft: left, lineRight: right)
      guard edges.lineLeft > line.lineLeft || edges.lineRight < line.lineRight else { return builder }
      needed = builder.reachedBlockSize
    }
    return try fill(left, right, indent, alignTo: nil)
  }

  /// Whether lines that do not fit move below floats. In Chromium the lines of a `nowrap` block stay next to floats and overflow.
  private var movesBelowFloats: Bool { style.text.textWrapMode == .wrap }

  private mutating func fill(_ left: LayoutUnit, _ right: LayoutUnit, _ indent: LayoutUnit, alignTo: LayoutUnit?) throws -> LineBuilder {
    breaker.line = LineInfo()
    breaker.line.lineLeft = left
    breaker.line.lineRight = right
    breaker.atomics.removeAll(keepingCapacity: true)
    try breaker.fill(indent: indent)
    if isTrial || fitsText { fitText() }
    if let alignTo { breaker.line.lineRight = alignTo }
    var builder = try LineBuilder(breaker, box, lineStyle, isMeasure: context.isMeasure)
    if firstLine != nil, result.lineCount == 0, let own = FirstLine.style(engine, box) {
      if FirstLine.hasBackground(own) { builder.firstLineBox = own }
      if !own.effects.textDecorationLine.isEmpty { builder.firstLineDecoration = own }
    }
    return builder
  }

  private var fitsText: Bool { style.text.textFit.kind != .none && !isTrial }

  /// https://drafts.csswg.org/css-text-5/#text-fit-property
  private mutating func fitText() {
    guard let scale = breaker.fittingScale(style.text.textFit) else { return }
    leastScale = min(leastScale ?? scale, scale)
    guard !isTrial else { return }
    switch style.text.textFit.method {
    case .consistent: breaker.scaleText(by: consistentScale)
    case .perLine: if !breaker.isLastOfParagraph { breaker.scaleText(by: scale) }
    case .perLineAll: breaker.scaleText(by: scale)
    }
  }

  private var lineStyle: ComputedStyle {
    guard firstLine != nil, result.lineCount == 0, let own = FirstLine.style(engine, box) else { return style }
    return engine.tree.arena.modified(style) {
      $0.font = own.record.pointee.font
      $0.text = own.record.pointee.text
    }
  }

  /// https://drafts.csswg.org/css-text-3/#text-indent-property
  private func textIndent() -> LayoutUnit { indent(isFirst: result.lineCount == 0, isAfterForcedBreak: isAfterForcedBreak) }

  private func indent(isFirst: Bool, isAfterForcedBreak: Bool) -> LayoutUnit {
    guard style.text.textIndent != .zero else { return .zero }
    let isStart = isFirst && !FirstLine.isContinuation(engine, box)
    let applies = isStart || (style.text.textIndentEachLine && isAfterForcedBreak)
    return applies != style.text.textIndentHanging ? style.text.textIndent.resolve(context.container.inlineSize) : .zero
  }

  // MARK: Balance and clamp

  /// Finds the smallest width with the same number of lines. https://drafts.csswg.org/css-text-4/#valdef-text-wrap-style-balance
  ///
  /// Chromium 156 does not balance text that `line-clamp` cuts off, and balances text with fewer lines.
  private mutating func balance() throws {
    guard style.text.textWrapStyle == .balance, !data.hasFloats, context.exclusions.isEmpty,
      !hasInnerBreak
    else { return }
    let full = context.container.inlineSize
    let limit = min(InlineLayout.maximumBalancedLines, context.lineClamp?.lines ?? .max)
    guard let count = try lineCount(full, limit: limit), count > 1 else { return }
    var low = full / (2 * count), high = full
    if let least = try lineCount(low, limit: limit), least <= count { high = low }
    while high - low > LayoutUnit(1) {
      let middle = (low + high) / 2
      if let lines = try lineCount(middle, limit: limit), lines <= count { high = middle } else { low = middle }
    }
    balancedSize = high
  }

  /// Whether there is a forced break before the end. Chromium does not balance such lines.
  private var hasInnerBreak: Bool {
    guard let at = data.items.firstIndex(where: { $0.kind == .forcedBreak }) else { return false }
    return data.items[(at + 1)...].contains { $0.kind != .closeTag && $0.kind != .outOfFlow }
  }

  /// The number of lines at a width; nil if it exceeds `limit` or if a line overflows.
  private func lineCount(_ width: LayoutUnit, limit: Int) throws -> Int? {
    var trial = breaker
    var count = 0
    var tags: [Int] = []
    while !trial.isAtEnd {
      guard count < limit else { return nil }
      trial.line = LineInfo()
      trial.line.lineLeft = context.container.lineLeft
      trial.line.lineRight = context.container.lineLeft + width
      trial.openTags = tags
      trial.atomics.removeAll()
      try trial.fill(indent: count == 0 ? textIndent() : .zero)
      if trial.line.overflows { return nil }
      for piece in trial.line.pieces {
        switch trial.data.items[piece.item].kind {
        case .openTag: tags.append(piece.item)
        case .closeTag: _ = tags.popLast()
        default: break
        }
      }
      if trial.line.hasContent { count += 1 }
      trial.data = data
    }
    return count
  }
}
