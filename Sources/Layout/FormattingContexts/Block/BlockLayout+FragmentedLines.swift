internal import OffprintCSS
internal import OffprintCoreTypes

// Fragmentation of lines: class B break points. https://drafts.csswg.org/css-break-3/#possible-breaks
extension BlockLayout {
  /// The progress of placing lines: those that fit, followed by those needed to count widows.
  private struct Placement {
    /// The index of the next line of the paragraph.
    var next: Int
    /// The end of the last line, relative to the border edge.
    var end: LayoutUnit
    /// The indices of the non-empty lines in this fragment.
    var placed: [Int] = []
    /// The number of lines before the first one that does not fit.
    var overflowing: Int?
    /// Whether enough lines follow for a break at the first line that does not fit.
    var keepsAll = false
  }

  /// Returns false if this box must be laid out again.
  mutating func layoutLines(_ builder: FragmentBuilder) throws -> Bool {
    for token in builder.isResuming ? builder.previous?.children ?? [] : [] {
      builder.childToken = token
      try placeFloat(token.box, in: builder)
    }
    let isDone = builder.isResuming && builder.previous?.line == nil
    if isDone || InlineFormattingContext.isEmpty(engine, box) { return try isDone || layoutInlineContent() }
    guard resolveOffset() else { return false }
    let start = builder.isResuming ? builder.previous?.line ?? InlineState() : InlineState()
    if start == InlineState() {
      for child in engine.tree.children(of: box) where engine.tree[child].isOutsideMarker { outsideMarker = child }
    }
    var context = lineContext(builder, start)
    var (paragraph, first) = try ParagraphCache.lines(engine, box, context, from: start)
    var placement = Placement(next: first, end: nextBorderEdge - currentOffset)
    if builder.isResuming, let line = paragraph.lines[first...].first { placement.end -= columnTrim(.start, line) }
    position.blockOffset = placement.end
    position.strut = MarginStrut()
    guard placeLines(of: paragraph, from: first, builder, &placement) else { return false }
    chooseBreak(builder, paragraph, &placement)
    let isEnd = placement.next == paragraph.lines.count && paragraph.isComplete
    builder.line = isEnd ? nil : state(of: paragraph, placement.next)
    if InlineFormattingContext.items(engine, box).hasFloats {
      if placement.next < paragraph.lines.count {
        // The lines are known. Repeat the layout up to the break, for the floats in this fragment only.
        context.maximumLines = placement.next
        (paragraph, first) = try ParagraphCache.lines(engine, box, context, from: start)
        builder.line?.cursor = paragraph.end
      }
      exclusions = paragraph.exclusions
    }
    add(placement, of: paragraph, from: first)
    if !isEnd { consumeFragmentainer(builder) }
    return true
  }

  /// Whether the line starts with an inline box that starts with a float, so that a break before the line also moves the float.
  private func beginsWithFloatInInlineBox(_ line: ParagraphLines.Line) -> Bool {
    let items = InlineFormattingContext.items(engine, box)
    guard items.hasFloats else { return false }
    var isInInlineBox = false
    for item in items.items.dropFirst(line.state.cursor.item) {
      switch item.kind {
      case .openTag: isInInlineBox = true
      case .floating: return isInInlineBox
      default: return false
      }
    }
    return false
  }

  private func state(of paragraph: ParagraphLines, _ number: Int) -> InlineState? {
    paragraph.lines.indices.contains(number) ? paragraph.lines[number].state : nil
  }

  private func lineContext(_ builder: FragmentBuilder, _ start: InlineState) -> InlineFormattingContext.Context {
    var context = InlineFormattingContext.Context(
      container: floatContainer, blockOffset: nextBorderEdge, exclusions: exclusions, isMeasure: input.isMeasure)
    if start == InlineState(), InlineFormattingContext.items(engine, box).hasAnnotations { context.annotationSpace = annotationSpace }
    context.bottom = builder.capacityForChildren.map { $0 - builder.fragmentainerOffset(nextBorderEdge) }
    context.extraLines = style.text.widows + style.text.orphans + 1
    return context
  }

  /// Returns false if an earlier break is better.
  private func placeLines(of paragraph: ParagraphLines, from first: Int, _ builder: FragmentBuilder, _ placement: inout Placement) -> Bool {
    while placement.next < paragraph.lines.count {
      let line = paragraph.lines[placement.next], isLast = placement.next == paragraph.lines.count - 1 && paragraph.isComplete
      let child = BreakChild(line: line.size - line.pushed - (isLast ? .zero : columnTrim(.end, line)))
      if case .line(placement.placed.count) = builder.early?.location {
        builder.breakBefore(.none, forced: false)
        return true
      }
      let offset = builder.fragmentainerOffset(currentOffset + placement.end + line.pushed)
      let isSeparated = builder.state.contains(.hasOpportunity) || line.pushed > .zero || line.isBelowAnnotation
      // Floats that push the line would move with it, so a break makes no progress.
      let isStuck =
        placement.next == first && builder.isResuming && line.pushed > .zero && offset - line.pushed <= .zero
        && beginsWithFloatInInlineBox(line)
      var appeal = builder.appealBefore(child, isSeparated: isSeparated)
      if builder.space != nil, !isStuck, !builder.keepsChild(child, at: offset, appeal),
        !needsMoreLines(child, paragraph, at: offset, &appeal, builder, &placement)
      {
        return builder.breakSoftly(before: child, at: offset, appeal)
      }
      if line.baseline != nil { placement.placed.append(placement.next) }
      placement.end += line.size
      placement.next += 1
      builder.take(child, at: placement.end - line.size + line.pushed)
      if line.size != .zero { builder.state.insert(.hasOpportunity) }
    }
    return true
  }

  /// The amount by which a line is trimmed as the first or last line of a column, apart from the first and last line of the container.
  private func columnTrim(_ side: TextBoxTrim, _ line: ParagraphLines.Line) -> LayoutUnit {
    guard isFragmentainerContent, style.box.textBoxTrim.contains(side), let ascent = line.baseline else { return .zero }
    return TextBoxTrimming.amount(engine, side, FontHeight(ascent: ascent, descent: line.size - ascent), style)
  }

  /// Whether more lines are needed to determine how many must move to the next fragment.
  /// https://drafts.csswg.org/css-break-3/#widows-orphans
  private func needsMoreLines(
    _ child: BreakChild, _ paragraph: ParagraphLines, at offset: LayoutUnit, _ appeal: inout BreakAppeal, _ builder: FragmentBuilder,
    _ placement: inout Placement
  ) -> Bool {
    // Lines of the same inline box before its block-level boxes are counted, too.
    let here = builder.split?.here ?? 0, count = here + placement.placed.count
    if placement.overflowing == nil { builder.noteShortage(of: child, at: offset) }
    guard !placement.placed.isEmpty else { return false }
    let overflowing = placement.overflowing ?? count
    placement.overflowing = overflowing
    // Between two breaks, the lines must also satisfy `widows` of the first break.
    let isFirst = builder.previous == nil && here == builder.split?.before ?? 0
    let minimum = isFirst ? style.text.orphans : max(style.text.orphans, style.text.widows)
    if count < minimum {
      // Only a break before the block has a better appeal.
      appeal = min(appeal, .violatingOrphansAndWidows)
    } else if count - overflowing + 1 < style.text.widows || paragraph.lines[placement.next].baseline == nil {
      let left = linesBehind(builder) + paragraph.lines.count - placement.next
      if builder.split == nil || left < style.text.widows { return true }
    }
    placement.keepsAll = true
    return false
  }

  /// The number of lines of the same inline box after the blocks in it.
  private func linesBehind(_ builder: FragmentBuilder) -> Int {
    builder.split.map { $0.total - $0.before - ($0.own ?? 0) } ?? 0
  }

  /// Leaves as many lines for the next fragment as `widows` requires.
  private func chooseBreak(_ builder: FragmentBuilder, _ paragraph: ParagraphLines, _ placement: inout Placement) {
    guard builder.early == nil, builder.space != nil, builder.status == .proceeds else { return }
    let here = builder.split?.here ?? 0, count = here + placement.placed.count
    guard let overflowing = placement.overflowing, overflowing < count else {
      if !builder.state.contains(.hasInFlowBreak), builder.split == nil { noteOpportunity(builder, count) }
      return
    }
    let all = count + linesBehind(builder)
    let number = (placement.keepsAll ? overflowing : max(all - style.text.widows, min(all, style.text.orphans))) - here
    guard placement.placed.indices.contains(number) else { return }
    while placement.next > placement.placed[number] {
      placement.next -= 1
      placement.end -= paragraph.lines[placement.next].size
    }
    placement.placed.removeSubrange(number...)
    builder.breakBefore(.none, forced: false)
    builder.cutLines(at: placement.end)
  }

  /// Records the best break between the lines. All of them fit, but following content may require an earlier break.
  private func noteOpportunity(_ builder: FragmentBuilder, _ count: Int) {
    guard count >= 2 else { return }
    var number = max(count - style.text.widows, min(count - 1, style.text.orphans))
    var appeal = BreakAppeal.perfect
    if number < style.text.orphans || count - number < style.text.widows { (number, appeal) = (count - 1, .violatingOrphansAndWidows) }
    guard (builder.earlyBreak?.appeal ?? .lastResort) <= appeal else { return }
    builder.earlyBreak = EarlyBreak(.line(number), appeal)
  }

  private mutating func add(_ item: FlowItem, shift: LayoutUnit) {
    var item = item
    item.lineLeft += edgeLineLeft
    item.blockOffset += shift
    items.append(item)
    if let float = item.brokenFloat { builder?.take(float, at: item.blockOffset, isInLine: true) }
  }

  private mutating func add(_ placement: Placement, of paragraph: ParagraphLines, from first: Int) {
    let start = position.blockOffset
    var end = start
    for number in first..<max(first, placement.next) {
      let line = paragraph.lines[number], shift = end - line.start
      for index in line.items {
        add(paragraph.items[index], shift: shift)
      }
      if let baseline = line.baseline {
        if firstBaseline == nil { firstBaseline = end + baseline }
        lastBaseline = end + baseline
      }
      end += line.size
    }
    for item in paragraph.floatsBehind { add(item, shift: start) }
    inlineBlockBaseline = lastBaseline
    lineCount += placement.placed.count
    position.blockOffset = end
    if placement.next == paragraph.lines.count, paragraph.isComplete { position.annotationSpace = paragraph.annotationSpace }
  }
}
