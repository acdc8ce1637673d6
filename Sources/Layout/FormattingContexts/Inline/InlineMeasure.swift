internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Computes the min-content and max-content sizes of inline content in one pass: with a break at every opportunity, and with none.
///
/// https://drafts.csswg.org/css-sizing-3/#intrinsic-sizes
struct InlineMeasure {
  let engine: LayoutEngine
  let data: InlineItems
  let style: ComputedStyle
  let direction: WritingDirection
  let input: LayoutInput
  private var sizes = MinMaxSizes()
  /// The widths of the unbreakable sequence so far, and of the entire line so far.
  private var word = LayoutUnit.zero
  private var line = LayoutUnit.zero
  /// Whether an opportunity was just passed. Close tags that follow directly still belong to the word.
  private var isAtOpportunity = false
  /// The width of the collapsible space at the end of the line so far.
  private var trailing = LayoutUnit.zero
  private var hasContent = false
  private var leftFloats = LayoutUnit.zero
  private var rightFloats = LayoutUnit.zero
  private let breaker: LineBreaker
  /// Text that a directly following ruby column may overhang, and the overhang of a column over following text.
  private var before: (width: LayoutUnit, fontSize: Float, end: Int)?
  private var pending: (overhang: LayoutUnit, column: ComputedStyle)?
  private let box: BoxID
  /// The end of the text of a ruby base whose width is already added.
  private var rubyEnd = 0
  /// Boundaries next to images at which lines of table cells do not break.
  private let stickyBoundaries: Set<Int>

  init(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ data: InlineItems,
    floats: (left: LayoutUnit, right: LayoutUnit) = (.zero, .zero)
  ) {
    self.engine = engine; self.input = input; self.box = box
    style = engine.style(box)
    direction = WritingDirection(style)
    self.data = data
    (leftFloats, rightFloats) = floats
    let container = FloatContainer(
      direction: direction, lineLeft: .zero, inlineSize: .zero, percentageBlock: input.percentageBlock, availableBlock: input.availableBlock
    )
    breaker = LineBreaker(engine, data, container, ExclusionSpace())
    let hasQuirk = engine.tree[box].kind == .tableCell && Sizing.isQuirksMode(engine) && Sizing.LogicalSizes(style).inline.isAuto
    stickyBoundaries = (hasQuirk ? Self.stickyBoundaries(engine, data, breaker) : []).union(Self.openedBoundaries(engine, data))
  }

  /// Boundaries before atomic inlines after quotation marks and opening brackets. Chromium ignores these in min-content sizes, though not
  /// in layout.
  ///
  /// https://www.unicode.org/reports/tr14/#LB14, https://www.unicode.org/reports/tr14/#LB19
  private static func openedBoundaries(_ engine: LayoutEngine, _ data: InlineItems) -> Set<Int> {
    var result: Set<Int> = []
    for item in data.items where item.kind == .atomic && item.start > 0 && !engine.tree[item.box].isRubyColumn {
      if opens(data.text, before: item.start) { result.insert(item.start) }
    }
    return result
  }

  private static func opens(_ text: [UInt8], before end: Int) -> Bool {
    var start = min(end, text.count) - 1
    while start > 0, text[start] & 0xc0 == 0x80 { start -= 1 }
    guard start >= 0, let scalar = Unicode.Scalar(UTF8Scan.decode(text, start).codepoint) else { return false }
    switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation, .finalPunctuation: return true
    default: return scalar == "\"" || scalar == "'"
    }
  }

  /// Boundaries next to images: lines only break there at a space or, before the image, after another atomic inline.
  ///
  /// https://quirks.spec.whatwg.org/#the-table-cell-width-calculation-quirk
  private static func stickyBoundaries(_ engine: LayoutEngine, _ data: InlineItems, _ breaker: LineBreaker) -> Set<Int> {
    var result: Set<Int> = []
    var atomicEnd = -1
    for item in data.items where item.kind == .atomic {
      if engine.tree.isElement(item.box, .img) {
        if item.start != atomicEnd, item.start > 0, !breaker.isSpace(item.start - 1) { result.insert(item.start) }
        result.insert(item.end)
      } else {
        atomicEnd = item.end
      }
    }
    return result
  }

  private func isBoundary(_ index: Int) -> Bool { breaker.isBoundary(index) && !stickyBoundaries.contains(index) }

  mutating func run() throws -> MinMaxSizes {
    let indent = style.text.textIndentHanging ? .zero : style.text.textIndent.resolve(LayoutUnit.zero)
    if indent != .zero, !FirstLine.isContinuation(engine, box) {
      word = indent
      line = indent
    }
    for (index, item) in data.items.enumerated() {
      try engine.tick()
      switch item.kind {
      case .text: try addText(item)
      case .tab: addTab(item)
      case .openTag:
        let size = breaker.tagSize(item)
        // See `LineBreaker.comesBack`: a negative margin makes the line fit again.
        if isAtOpportunity, size < .zero, word > .zero, word + trailing + size <= .zero {
          isAtOpportunity = false
          word += trailing
        }
        if breaker.endOfEmptyInline(index) == nil { endWord() }
        add(size)
      case .closeTag:
        if item.style.box.display == .ruby { before = nil }
        add(breaker.tagSize(item))
        if item.traits.contains(.wraps), hasContent, isBoundary(item.end) { isAtOpportunity = true }
      case .atomic:
        let isJoined = !isAtOpportunity
        try addAtomic(item)
        if engine.tree[item.box].isRubyColumn { try hang(item, isJoined: isJoined) } else { (before, pending) = (nil, nil) }
      case .floating: try addFloat(item)
      case .outOfFlow: break
      case .forcedBreak:
        endLine()
        (before, pending) = (nil, nil)
        if style.text.textIndentEachLine {
          word = indent
          line = indent
        }
      }
    }
    endLine()
    sizes.max = max(sizes.max, sizes.min)
    return sizes
  }

  private mutating func add(_ size: LayoutUnit) {
    word += size
    line += size
    if size != .zero { hasContent = true }
  }

  private mutating func endWord() {
    guard isAtOpportunity else { return }
    isAtOpportunity = false
    takeWord()
  }

  private mutating func takeWord() {
    sizes.min = max(sizes.min, word)
    word = .zero
  }

  private mutating func takeLine() {
    sizes.max = max(sizes.max, line - trailing + leftFloats + rightFloats)
  }

  private mutating func endLine() {
    takeWord()
    takeLine()
    (leftFloats, rightFloats) = (.zero, .zero)
    line = .zero
    trailing = .zero
    isAtOpportunity = false
    hasContent = false
  }

  // MARK: Items

  /// Applies the overhang of a ruby column, see `LineBreaker.hang`.
  private mutating func hang(_ item: InlineItem, isJoined: Bool) throws {
    let overhang = try engine.layout(item.box, childInput(item.box)).ruby?.overhang ?? RubyExtents.Overhang()
    if let before, before.fontSize <= item.style.font.size, breaker.mayReach(item.style, over: before.end - 1) {
      narrow(by: min(overhang.start, before.width / 2), isJoined: isJoined)
    }
    before = nil
    pending = overhang.end > .zero ? (overhang.end, item.style) : nil
  }

  private mutating func narrow(by overhang: LayoutUnit, isJoined: Bool) {
    line -= overhang
    if isJoined { word -= overhang }
  }

  private mutating func addText(_ item: InlineItem) throws {
    var start = item.start
    if !hasContent, item.traits.contains(.collapsesSpaces) {
      while start < item.end, data.text[start] == 0x20 { start += 1 }
    }
    guard start < item.end else { return }
    let isJoined = !isAtOpportunity
    endWord()
    hasContent = true
    let whole = breaker.textPiece(0, item, start, item.end)
    if let pending, item.style.font.size <= pending.column.font.size, breaker.mayReach(pending.column, over: item.start) {
      narrow(by: min(pending.overhang, whole.inlineSize / 2), isJoined: isJoined)
    }
    (before, pending) = ((whole.inlineSize, item.style.font.size, item.end), nil)
    line += whole.inlineSize
    if item.start < rubyEnd {
      trailing = .zero
      if item.end >= rubyEnd, item.traits.contains(.wraps), isBoundary(item.end) { isAtOpportunity = true }
      return
    }
    trailing = item.traits.contains(.collapsesSpaces) ? breaker.trailingSpaceWidth(item, whole) : .zero
    guard item.traits.contains(.wraps) else {
      word += whole.inlineSize
      return
    }
    let anywhere = item.traits.contains(.anywhereIsMinContent)
    var from = start
    // From the word that begins a line, Chromium joins the words of a text item into one as wide as the widest. The borders and padding of inline
    // boxes that open or close after the last word are added to that width (`LineBreaker::HandleTextForFastMinContent`).
    var widest = LayoutUnit.zero
    var beginsLine = word == .zero
    func endPiece(_ measure: inout InlineMeasure) {
      guard measure.isAtOpportunity else { return }
      measure.isAtOpportunity = false
      if beginsLine {
        widest = max(widest, measure.word)
        measure.word = .zero
      } else {
        measure.takeWord()
      }
      beginsLine = true
    }
    for index in start + 1..<item.end + 1 where data.boundaries.indices.contains(index) {
      let boundary = data.boundaries[index]
      let isOpportunity =
        boundary.contains(.lineBreak) && isBoundary(index)
        || index == item.end && (endsLine(index) || breaker.isBoundaryAfterControls(index))
      guard isOpportunity || (anywhere && boundary.contains(.grapheme)) else { continue }
      try engine.tick()
      endPiece(&self)
      let piece = breaker.textPiece(0, item, from, index)
      word += piece.inlineSize - breaker.trailingSpaceWidth(item, piece)
      isAtOpportunity = true
      from = index
    }
    guard from < item.end else {
      word = max(word, widest)
      return
    }
    endPiece(&self)
    sizes.min = max(sizes.min, widest)
    word += breaker.textPiece(0, item, from, item.end).inlineSize
  }

  /// At the end of the text or in front of a forced break.
  private func endsLine(_ index: Int) -> Bool { index >= data.text.count || data.text[index] == 0x0a }

  private mutating func addTab(_ item: InlineItem) {
    endWord()
    add(LayoutUnit(ceiling: data.tabDistance(item.style, from: line.double)))
    hasContent = true
    trailing = .zero
    if item.traits.contains(.wraps), isBoundary(item.end) { isAtOpportunity = true }
  }

  private func childInput(_ child: BoxID) -> LayoutInput {
    var result = LayoutInput(
      engine, child: child, parent: direction, availableInline: nil, availableBlock: input.availableBlock, percentageInline: nil,
      percentageBlock: input.percentageBlock)
    result.autoInline = .fitContent
    result.isMeasure = true
    return result
  }

  private mutating func addAtomic(_ item: InlineItem) throws {
    if item.isRubyOverlay {
      guard let breaker = RubyBreaker(engine, item.box) else { return }
      endWord()
      word += try breaker.minimumSize()
      rubyEnd = item.rubyEnd
      return
    }
    endWord()
    let contribution = try Sizing.contribution(engine, item.box, direction, childInput(item.box))
    let margin = Sizing.logicalMargin(item.style, percentageBasis: .zero, in: direction).inlineSum
    word += contribution.min + margin
    line += contribution.max + margin
    trailing = .zero
    hasContent = true
    if item.traits.contains(.wraps), isBoundary(item.end) { isAtOpportunity = true }
  }

  /// Adds a float, which is next to the text until another clears it or the line ends.
  private mutating func addFloat(_ item: InlineItem) throws {
    let contribution = try Sizing.contribution(engine, item.box, direction, childInput(item.box))
    let margin = Sizing.logicalMargin(item.style, percentageBasis: .zero, in: direction).inlineSum
    sizes.min = max(sizes.min, contribution.min + margin)
    let clear = item.style.box.clear
    if clear != .none {
      takeLine()
      if clear == .left || clear == .both { leftFloats = .zero }
      if clear == .right || clear == .both { rightFloats = .zero }
    }
    let outer = (contribution.max + margin).clampedToZero
    if item.style.box.float == .right { rightFloats += outer } else { leftFloats += outer }
  }
}
