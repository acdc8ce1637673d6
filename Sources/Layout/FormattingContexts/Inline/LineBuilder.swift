internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Turns a filled line into fragments: vertical alignment, visual order, positions.
struct LineBuilder {
  /// A box's fragment to be: with bidi, a box may have several on one line.
  struct Node {
    var state: Int
    var parent: Int
    var hasLeft = false
    var hasRight = false
    var lineLeft = LayoutUnit.zero
    var inlineSize = LayoutUnit.zero
    var links: [FragmentLink] = []
  }
  enum Event { case open(Int), leaf(Int), close(Int) }

  let engine: LayoutEngine
  let data: InlineItems
  let container: FloatContainer
  let containerBox: BoxID
  let style: ComputedStyle
  var line: LineInfo
  let atomics: [AtomicInline]
  let isMeasure: Bool
  var metrics: LineMetrics
  var leaves: [LineLeaf] = []
  /// Tags that are still open behind the line.
  var openTags: [Int] = []
  var height = FontHeight(ascent: .zero, descent: .zero)
  let isRTL: Bool
  var nodes: [Node] = []
  var events: [Event] = []
  /// The node each leaf is in, -1 for the line itself.
  var leafParents: [Int] = []
  /// Of `text-justify`, for each gap.
  var expansion = 0.0
  /// Where the visible content begins and ends in the text, while it is justified.
  var contentStart = 0
  var contentEnd = 0
  /// `text-overflow`: what a text is cut to, by leaf.
  var cuts: [Int: Range<Int>] = [:]
  var ellipsisRun: ShapedRun?
  /// The box whose contents the ellipsis follows.
  var ellipsisState = 0
  /// The leaf that is an initial letter.
  var initialLetter: Int?
  /// The style of the box that `::first-line` puts around the line's content, where it is to be seen.
  var firstLineBox: ComputedStyle?
  /// From the line's baseline to those of annotations over and under it.
  var rubyBaselines: (over: LayoutUnit?, under: LayoutUnit?)
  /// That of `::first-line` where it decorates the line's text.
  var firstLineDecoration: ComputedStyle?

  init(_ breaker: LineBreaker, _ container: BoxID, _ style: ComputedStyle, isMeasure: Bool) throws {
    engine = breaker.engine
    data = breaker.data
    self.container = breaker.container
    containerBox = container
    self.style = style
    line = breaker.line
    atomics = breaker.atomics
    self.isMeasure = isMeasure
    metrics = LineMetrics(breaker.engine, style, textScale: breaker.line.textScale)
    isRTL = data.baseLevel(at: min(breaker.line.start.offset, breaker.data.text.count)) & 1 != 0
    try collectLeaves(openTags: breaker.openTags)
    height = metrics.finish(&leaves)
    if !line.hasContent { height = FontHeight(ascent: .zero, descent: .zero) }
    alignInitialLetter()
  }

  var blockSize: LayoutUnit { height.height.clampedToZero }

  /// How far ruby and emphasis marks reach from the line's baseline; nil without any. In Chromium (`ComputeAnnotationOverflow`) everything else
  /// that is beyond the line on their side counts too, initial letters left out.
  var annotationExtents: RubyExtents? {
    guard var extents = ownAnnotationExtents else { return nil }
    let content = contentBox(hasInitialLetter: false)
    if extents.over != .min { extents.over = max(extents.over, content.ascent) }
    if extents.under != .min { extents.under = max(extents.under, content.descent) }
    return extents
  }

  private var ownAnnotationExtents: RubyExtents? {
    guard data.hasAnnotations, line.hasContent else { return nil }
    var extents: RubyExtents?
    let columns = rubyLines
    for side in [columns.over, columns.under] {
      guard let side else { continue }
      let reach = side.distance + (side.isUnder ? side.annotation.descent : side.annotation.ascent)
      let known = extents ?? RubyExtents(over: .min, under: .min)
      extents = RubyExtents(over: side.isUnder ? known.over : reach, under: side.isUnder ? reach : known.under)
    }
    for leaf in leaves where !leaf.isHidden {
      guard let own = annotationExtents(of: leaf) else { continue }
      let shift = leaf.isLineRelative ? leaf.shift : leaf.shift + metrics.absoluteShift(leaf.state)
      let over = own.over == .min ? .min : own.over - shift, under = own.under == .min ? .min : own.under + shift
      extents = RubyExtents(over: max(extents?.over ?? .min, over), under: max(extents?.under ?? .min, under))
    }
    return extents
  }

  /// Where the annotations of ruby columns stand: in Chromium those of one side on one line, clear of all their bases; those under the line clear
  /// of the bases of those over it instead, where there are any (`RubyBlockPositionCalculator`).
  var rubyLines: (over: RubyExtents.Column?, under: RubyExtents.Column?) {
    var lines: (over: RubyExtents.Column?, under: RubyExtents.Column?)
    for leaf in leaves where leaf.kind == .atomic && !leaf.isHidden {
      let atomic = atomics[line.pieces[leaf.piece].atomic]
      guard var column = atomic.result.ruby?.column, !atomic.isAnnotationDone else { continue }
      if let text = rubyText(leaf.piece) { column.base = text }
      column.base = column.base.moved(by: leaf.isLineRelative ? leaf.shift : leaf.shift + metrics.absoluteShift(leaf.state))
      if let known = column.isUnder ? lines.under : lines.over {
        column.base.unite(known.base)
        column.annotation.unite(known.annotation)
      }
      if column.isUnder { lines.under = column } else { lines.over = column }
    }
    if let over = lines.over { lines.under?.base = over.base }
    // The annotation of nothing stands on the line; all stay on their side of its baseline, too.
    if lines.over?.base.isNone == true { lines.over?.base = height }
    if lines.under?.base.isNone == true { lines.under?.base = height }
    lines.over?.base.unite(FontHeight(ascent: .zero, descent: .zero))
    lines.under?.base.unite(FontHeight(ascent: .zero, descent: .zero))
    return lines
  }

  /// Around the leaf's own baseline.
  private func annotationExtents(of leaf: LineLeaf) -> RubyExtents? {
    switch leaf.kind {
    case .atomic:
      let piece = line.pieces[leaf.piece]
      if let ruby = atomics[piece.atomic].result.ruby {
        guard let column = ruby.column else { return atomics[piece.atomic].isAnnotationDone ? nil : ruby }
        // The annotation is on one of `rubyLines`.
        return atomics[piece.atomic].isAnnotationDone ? nil : RubyExtents(rubyText(leaf.piece) ?? ruby.base, isUnder: column.isUnder)
      }
      // Chromium reserves the room over the border box here too, but none under it.
      let style = engine.style(data.items[piece.item].box)
      guard style.text.emphasisMark != nil, EmphasisMark.isOver(style) else { return nil }
      return RubyExtents(over: borderBox(of: leaf).ascent + LayoutUnit((Double(style.font.size) / 2).rounded(.up)), under: .min)
    case .text, .tab:
      // Marks stand on the em box, and are half as high. https://drafts.csswg.org/css-text-decor-4/#text-emphasis-position-property
      let state = metrics.states[leaf.state]
      guard state.style.text.emphasisMark != nil else { return nil }
      let em = emHeight(of: leaf), isOver = EmphasisMark.isOver(state.style)
      guard let mark = state.style.text.emphasisMark.flatMap({ EmphasisMark($0, engine.fonts, state.font.handle) }) else { return nil }
      let marks = LayoutUnit(rounding: Double(mark.metrics.size) * line.textScale)
      return RubyExtents(over: isOver ? em.ascent + marks : .min, under: isOver ? .min : em.descent + marks)
    default: return nil
    }
  }

  /// Of an atomic inline, around the leaf's own baseline: annotations may take the room of its margins.
  private func borderBox(of leaf: LineLeaf) -> FontHeight {
    let margin = atomics[line.pieces[leaf.piece].atomic].margin
    return FontHeight(
      ascent: leaf.metrics.ascent - (isFlipped ? margin.blockEnd : margin.blockStart),
      descent: leaf.metrics.descent - (isFlipped ? margin.blockStart : margin.blockEnd))
  }

  /// Room before the line's content, in the block axis, that annotations of the line before may take.
  var annotationSpaceAbove: LayoutUnit { isFlipped ? spaceUnder : spaceOver }

  /// Room after the line's content that annotations of the next line may take.
  var annotationSpace: LayoutUnit { isFlipped ? spaceOver : spaceUnder }

  private var isFlipped: Bool { container.direction.mode == .verticalLr }
  private var spaceOver: LayoutUnit { line.hasContent ? (height.ascent - contentExtents.ascent).clampedToZero : .zero }
  private var spaceUnder: LayoutUnit { line.hasContent ? (height.descent - contentExtents.descent).clampedToZero : .zero }

  /// What the line's contents take of its height around the baseline: in Chromium no less than the line's font size.
  private var contentExtents: FontHeight {
    let annotations = annotationExtents
    var result = FontHeight(ascent: max(.zero, annotations?.over ?? .zero), descent: max(.zero, annotations?.under ?? .zero))
    result.unite(contentBox(hasInitialLetter: true))
    let fontSize = LayoutUnit(style.font.size)
    guard result.height < fontSize else { return result }
    let half = ((height.height - fontSize) / 2).clampedToZero
    return FontHeight(ascent: height.ascent - half, descent: height.descent - half)
  }

  /// The em boxes of texts, and the atomic boxes, around the line's baseline.
  private func contentBox(hasInitialLetter: Bool) -> FontHeight {
    var result = FontHeight(ascent: .zero, descent: .zero)
    for (index, leaf) in leaves.enumerated() where !leaf.isHidden && (hasInitialLetter || index != initialLetter) {
      let shift = leaf.isLineRelative ? leaf.shift : leaf.shift + metrics.absoluteShift(leaf.state)
      switch leaf.kind {
      case .atomic where atomics[line.pieces[leaf.piece].atomic].result.ruby != nil:
        let isText = data.items[line.pieces[leaf.piece].item].isRubyOverlay && line.pieces[leaf.piece].inlineSize == .zero
        if !isText, let ruby = atomics[line.pieces[leaf.piece].atomic].result.ruby { result.unite(ruby.base.moved(by: shift)) }
      case .atomic:
        // Chromium takes the height of an atomic inline for its lower edge.
        let box = borderBox(of: leaf)
        result.unite(FontHeight(ascent: box.ascent - shift, descent: box.height - height.ascent))
      case .text, .tab: result.unite(emBox(of: leaf).moved(by: metrics.absoluteShift(leaf.state)))
      default: break
      }
    }
    return result
  }

  private func emBox(of leaf: LineLeaf) -> FontHeight {
    let primary = metrics.states[leaf.state].font.metrics
    guard !metrics.isCentral, line.pieces.indices.contains(leaf.piece) else {
      return RubyMetrics.emBox(primary, isCentral: metrics.isCentral)
    }
    return RubyMetrics.emBox(primary, used: usedFaces(line.pieces[leaf.piece]), isCentral: false)
  }

  /// Of the faces that a text is drawn with.
  private func emHeight(of leaf: LineLeaf) -> FontHeight {
    let primary = metrics.states[leaf.state].font.metrics
    guard !metrics.isCentral, line.pieces.indices.contains(leaf.piece) else {
      return RubyMetrics.emBox(primary, isCentral: metrics.isCentral)
    }
    return RubyMetrics.emHeight(primary, used: usedFaces(line.pieces[leaf.piece]), isCentral: false)
  }

  /// The em boxes of a ruby base whose text is laid out in the line, for the part on this line; nil for other ruby columns.
  private func rubyText(_ index: Int) -> FontHeight? {
    let item = data.items[line.pieces[index].item]
    guard item.isRubyOverlay else { return nil }
    var result = FontHeight.none
    for piece in line.pieces[(index + 1)...].prefix(while: { $0.end <= item.rubyEnd }) where piece.start < piece.end {
      let font = engine.inlineFont(data.items[piece.item].style).metrics
      result.unite(RubyMetrics.emHeight(font, used: metrics.isCentral ? [] : usedFaces(piece), isCentral: metrics.isCentral))
    }
    return result.isNone ? nil : result
  }

  private func usedFaces(_ piece: LinePiece) -> [FontMetrics] {
    let run = data.items[piece.item].run
    let faces = data.runs.indices.contains(run) ? data.runs[run].faces(from: piece.start, to: piece.end) : []
    return faces.map { engine.fonts.metrics(of: $0.face, size: $0.size) }
  }

  // MARK: Leaves and their vertical alignment

  private mutating func collectLeaves(openTags tags: [Int]) throws {
    leaves.reserveCapacity(line.pieces.count + 1)
    var stack = [metrics.open(containerBox, style, item: -1, parent: 0)]
    // In Chromium the quirk spares list items and their markers.
    let isSpared = engine.tree[containerBox].isListItem || engine.tree[containerBox].isOutsideMarker
    metrics.states[0].metrics = metrics.hasLineHeightQuirk && !isSpared ? .none : metrics.states[0].strut
    for tag in tags {
      stack.append(metrics.open(data.items[tag].box, data.items[tag].style, item: tag, parent: stack.last ?? 0))
      metrics.states[metrics.states.count - 1].hasStart = false
    }
    for (index, piece) in line.pieces.enumerated() {
      try engine.tick()
      let item = data.items[piece.item]
      let top = stack.last ?? 0
      switch item.kind {
      case .openTag:
        stack.append(metrics.open(item.box, item.style, item: piece.item, parent: top))
        let hasEdge = !engine.tree[item.box].lacksStartEdge
        metrics.states[metrics.states.count - 1].hasStart = hasEdge
        if countsInQuirksMode(item) { metrics.ensureStrut(metrics.states.count - 1) }
      case .closeTag:
        guard top > 0 else { continue }
        metrics.states[top].hasEnd = !engine.tree[item.box].lacksEndEdge
        if countsInQuirksMode(item) { metrics.ensureStrut(top) }
        close(top, level: item.level)
        stack.removeLast()
      default: appendLeaf(index, piece, item, state: top)
      }
    }
    while let top = stack.popLast(), top > 0 {
      openTags.append(metrics.states[top].item)
      close(top, level: data.baseLevel)
    }
    openTags.reverse()
  }

  /// In quirks mode the height of an inline box counts where it has border or padding; Chromium leaves margins out.
  private func countsInQuirksMode(_ tag: InlineItem) -> Bool {
    guard metrics.hasLineHeightQuirk else { return false }
    let isOpen = tag.kind == .openTag, box = engine.tree[tag.box]
    if isOpen ? box.lacksStartEdge : box.lacksEndEdge { return false }
    let edges = InlineEdges.borderPadding(tag.style, container)
    return (isOpen ? edges.inlineStart : edges.inlineEnd) != .zero
  }

  /// An inline box without content has a place too.
  private mutating func close(_ state: Int, level: UInt8) {
    if !metrics.states[state].hasLeaf {
      leaves.append(LineLeaf(kind: .empty, piece: -1, state: state, level: level, inlineSize: .zero))
    }
    let parent = metrics.states[state].parent
    metrics.states[parent].hasLeaf = true
    metrics.close(state, &leaves)
  }

  private mutating func appendLeaf(_ index: Int, _ piece: LinePiece, _ item: InlineItem, state: Int) {
    var leaf = LineLeaf(kind: .text, piece: index, state: state, level: item.level, inlineSize: piece.inlineSize)
    switch item.kind {
    case .text, .tab:
      guard piece.start < piece.end else { return }
      leaf.kind = item.kind == .tab ? .tab : .text
      // Rule L1: spaces at the line's end have the paragraph's level.
      if piece.hangs { leaf.level = isRTL ? 1 : 0 }
      metrics.ensureStrut(state)
      if item.run >= 0 { metrics.addFallbackFonts(data, run: item.run, piece, state) }
    case .forcedBreak:
      // In quirks mode a break gives a line its height only where nothing else does.
      if !metrics.hasLineHeightQuirk || metrics.isEmpty(state) { metrics.ensureStrut(state) }
      guard engine.tree[item.box].kind == .lineBreak else { return }
      leaf.kind = .lineBreak
      leaf.level = isRTL ? 1 : 0
    case .atomic:
      guard atomics.indices.contains(piece.atomic) else { return }
      leaf.kind = .atomic
      if engine.tree[item.box].specialLayout == .initialLetter {
        initialLetter = leaves.count
        break
      }
      leaf.metrics = atomicMetrics(atomics[piece.atomic], item)
      // The symbol of a marker takes no part in the height of its line: the marker's strut does.
      if !isMarkerSymbol(item.box) { metrics.align(&leaf, number: leaves.count, item.style) }
    case .outOfFlow: leaf.kind = .outOfFlow
    case .openTag, .closeTag, .floating: return
    }
    metrics.states[state].hasLeaf = true
    leaves.append(leaf)
  }

  private func isMarkerSymbol(_ box: BoxID) -> Bool {
    guard engine.tree[box].kind == .replaced else { return false }
    let number = Int(engine.tree[box].replaced)
    guard engine.tree.replaced.indices.contains(number), case .symbol = engine.tree.replaced[number].kind else { return false }
    return true
  }

  /// The margin box around the baseline. https://drafts.csswg.org/css-inline-3/#baseline-source
  private func atomicMetrics(_ atomic: AtomicInline, _ item: InlineItem) -> FontHeight {
    let over = container.direction.mode == .verticalLr ? atomic.margin.blockEnd : atomic.margin.blockStart
    let under = container.direction.mode == .verticalLr ? atomic.margin.blockStart : atomic.margin.blockEnd
    let height = over + atomic.size.block + under
    // What of a broken base is on the line is text of the line.
    if atomic.isRubyContinuation { return FontHeight(ascent: .zero, descent: .zero) }
    if atomic.result.ruby != nil, let baseline = atomic.result.lastBaseline {
      let ascent = container.direction.mode == .verticalLr ? height - baseline : baseline
      return FontHeight(ascent: ascent, descent: height - ascent)
    }
    guard let baseline = atomicBaseline(atomic, item) else {
      let bottom = FontHeight(ascent: height, descent: .zero)
      return metrics.isCentral ? bottom.halved : bottom
    }
    // Baselines are counted from the start of the block axis, which is the under side of the lines here.
    if container.direction.mode == .verticalLr {
      let under = under + baseline
      return FontHeight(ascent: height - under, descent: under)
    }
    return FontHeight(ascent: over + baseline, descent: height - over - baseline)
  }

  /// The end of the content box: the baseline of buttons and menus without text in Chromium.
  private func contentEnd(_ atomic: AtomicInline, _ item: InlineItem) -> LayoutUnit {
    atomic.size.block - InlineEdges.borderPadding(item.style, container).blockEnd
  }

  /// An `input` that is a button with text, not a color well.
  private func isInputButton(_ box: BoxID) -> Bool {
    guard engine.tree[box].control == .button, !engine.tree[box].firstChild.isNone else { return false }
    return engine.tree[engine.tree[box].firstChild].kind != .flexContainer
  }

  private func atomicBaseline(_ atomic: AtomicInline, _ item: InlineItem) -> LayoutUnit? {
    if engine.tree.isControl(item.box), engine.tree[item.box].kind == .replaced {
      // The border edge of horizontal lines, whatever the control's own writing mode is.
      return metrics.isCentral ? nil : atomic.size.block
    }
    guard item.style.text.writingMode == container.direction.mode else {
      let isButton = engine.tree.isElement(item.box, .button) || isInputButton(item.box)
      return isButton && !metrics.isCentral ? contentEnd(atomic, item) : nil
    }
    switch item.style.box.baselineSource {
    case .auto: break
    case .first: return item.style.box.containment.contains(.layout) ? nil : atomic.result.firstBaseline
    case .last: return item.style.box.containment.contains(.layout) ? nil : atomic.result.lastBaseline
    }
    switch engine.tree[item.box].kind {
    case .replaced: return atomic.result.lastBaseline
    case .blockContainer:
      let box = item.style.box
      switch engine.tree[item.box].control {
      case .textField: return atomic.result.lastBaseline
      case .menu where item.style.box.fieldSizingContent: return atomic.result.lastBaseline ?? contentEnd(atomic, item)
      case .menu: return atomic.result.lastBaseline
      case .button: return atomic.result.lastBaseline ?? contentEnd(atomic, item)
      case .dateField: return atomic.result.firstBaseline
      case .fileChooser, .slider: return atomic.result.inlineBlockBaseline
      default: break
      }
      // The text of an image button is in a box inside it.
      if engine.tree.isElement(item.box, .input) { return atomic.result.lastBaseline }
      // Baselines that can be scrolled away do not count.
      guard box.overflowX == .visible || box.overflowX == .clip, !box.containment.contains(.layout) else { return nil }
      return atomic.result.inlineBlockBaseline
    default: return item.style.box.containment.contains(.layout) ? nil : atomic.result.firstBaseline
    }
  }
}
