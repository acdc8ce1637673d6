internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Builds the fragments of a filled line: vertical alignment, visual order, positions.
struct LineBuilder {
  /// A future fragment of an inline box. With bidi a box may have several on one line.
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
  /// The tags still open after the line.
  var openTags: [Int] = []
  var height = FontHeight(ascent: .zero, descent: .zero)
  let isRTL: Bool
  var nodes: [Node] = []
  var events: [Event] = []
  /// The node that contains each leaf, -1 for the line itself.
  var leafParents: [Int] = []
  /// The space added to each gap by justification.
  var expansion = 0.0
  /// The text range of the visible content, during justification.
  var contentStart = 0
  var contentEnd = 0
  /// `text-overflow`: the remaining ranges of truncated texts, by leaf.
  var cuts: [Int: Range<Int>] = [:]
  var ellipsisRun: ShapedRun?
  /// The box whose contents precede the ellipsis.
  var ellipsisState = 0
  /// The index of the leaf with the initial letter.
  var initialLetter: Int?
  /// The style of the `::first-line` box around the line's contents, if it has a background.
  var firstLineBox: ComputedStyle?
  /// The distances from the line's baseline to those of annotations over and under it.
  var rubyBaselines: (over: LayoutUnit?, under: LayoutUnit?)
  /// The style of `::first-line`, if it decorates the line's text.
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

  /// The extents of ruby annotations and emphasis marks relative to the line's baseline; nil without any. In Chromium
  /// (`ComputeAnnotationOverflow`) other content that overflows the line on the same side counts too, except for initial letters.
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
      let extent = side.distance + (side.isUnder ? side.annotation.descent : side.annotation.ascent)
      let known = extents ?? RubyExtents(over: .min, under: .min)
      extents = RubyExtents(over: side.isUnder ? known.over : extent, under: side.isUnder ? extent : known.under)
    }
    for leaf in leaves where !leaf.isHidden {
      guard let own = annotationExtents(of: leaf) else { continue }
      let shift = leaf.isLineRelative ? leaf.shift : leaf.shift + metrics.absoluteShift(leaf.state)
      let over = own.over == .min ? .min : own.over - shift, under = own.under == .min ? .min : own.under + shift
      extents = RubyExtents(over: max(extents?.over ?? .min, over), under: max(extents?.under ?? .min, under))
    }
    return extents
  }

  /// The alignment of annotations. Chromium aligns those on one side of a line with each other, outside all of their bases; if there are
  /// annotations over the line, those under it are instead placed outside the bases of these (`RubyBlockPositionCalculator`).
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
    // Annotations of empty bases are adjacent to the line box. None crosses the line's baseline.
    if lines.over?.base.isNone == true { lines.over?.base = height }
    if lines.under?.base.isNone == true { lines.under?.base = height }
    lines.over?.base.unite(FontHeight(ascent: .zero, descent: .zero))
    lines.under?.base.unite(FontHeight(ascent: .zero, descent: .zero))
    return lines
  }

  /// The extents of the annotations of a leaf, relative to its own baseline.
  private func annotationExtents(of leaf: LineLeaf) -> RubyExtents? {
    switch leaf.kind {
    case .atomic:
      let piece = line.pieces[leaf.piece]
      if let ruby = atomics[piece.atomic].result.ruby {
        guard let column = ruby.column else { return atomics[piece.atomic].isAnnotationDone ? nil : ruby }
        // The annotation is aligned by `rubyLines`.
        return atomics[piece.atomic].isAnnotationDone ? nil : RubyExtents(rubyText(leaf.piece) ?? ruby.base, isUnder: column.isUnder)
      }
      // Chromium reserves the space of marks over the border box of an atomic inline, but not under it.
      let style = engine.style(data.items[piece.item].box)
      guard style.text.emphasisMark != nil, EmphasisMark.isOver(style) else { return nil }
      return RubyExtents(over: borderBox(of: leaf).ascent + LayoutUnit((Double(style.font.size) / 2).rounded(.up)), under: .min)
    case .text, .tab:
      // Marks are adjacent to the em box, and half as high. https://drafts.csswg.org/css-text-decor-4/#text-emphasis-position-property
      let state = metrics.states[leaf.state]
      guard state.style.text.emphasisMark != nil else { return nil }
      let em = emHeight(of: leaf), isOver = EmphasisMark.isOver(state.style)
      guard let mark = state.style.text.emphasisMark.flatMap({ EmphasisMark($0, engine.fonts, state.font.handle) }) else { return nil }
      let marks = LayoutUnit(rounding: Double(mark.metrics.size) * line.textScale)
      return RubyExtents(over: isOver ? em.ascent + marks : .min, under: isOver ? .min : em.descent + marks)
    default: return nil
    }
  }

  /// The border box of an atomic inline relative to its baseline. Annotations may occupy its margins.
  private func borderBox(of leaf: LineLeaf) -> FontHeight {
    let margin = atomics[line.pieces[leaf.piece].atomic].margin
    return FontHeight(
      ascent: leaf.metrics.ascent - (isFlipped ? margin.blockEnd : margin.blockStart),
      descent: leaf.metrics.descent - (isFlipped ? margin.blockStart : margin.blockEnd))
  }

  /// Space before the line's contents in the block axis that annotations of the previous line may occupy.
  var annotationSpaceAbove: LayoutUnit { isFlipped ? spaceUnder : spaceOver }

  /// Space after the line's contents that annotations of the next line may occupy.
  var annotationSpace: LayoutUnit { isFlipped ? spaceOver : spaceUnder }

  private var isFlipped: Bool { container.direction.mode == .verticalLr }
  private var spaceOver: LayoutUnit { line.hasContent ? (height.ascent - contentExtents.ascent).clampedToZero : .zero }
  private var spaceUnder: LayoutUnit { line.hasContent ? (height.descent - contentExtents.descent).clampedToZero : .zero }

  /// The extents of the line's contents relative to the baseline. Chromium uses at least the font size of the line.
  private var contentExtents: FontHeight {
    let annotations = annotationExtents
    var result = FontHeight(ascent: max(.zero, annotations?.over ?? .zero), descent: max(.zero, annotations?.under ?? .zero))
    result.unite(contentBox(hasInitialLetter: true))
    let fontSize = LayoutUnit(style.font.size)
    guard result.height < fontSize else { return result }
    let half = ((height.height - fontSize) / 2).clampedToZero
    return FontHeight(ascent: height.ascent - half, descent: height.descent - half)
  }

  /// The union of the em boxes of texts and the border boxes of atomic inlines, relative to the line's baseline.
  private func contentBox(hasInitialLetter: Bool) -> FontHeight {
    var result = FontHeight(ascent: .zero, descent: .zero)
    for (index, leaf) in leaves.enumerated() where !leaf.isHidden && (hasInitialLetter || index != initialLetter) {
      let shift = leaf.isLineRelative ? leaf.shift : leaf.shift + metrics.absoluteShift(leaf.state)
      switch leaf.kind {
      case .atomic where atomics[line.pieces[leaf.piece].atomic].result.ruby != nil:
        let isText = data.items[line.pieces[leaf.piece].item].isRubyOverlay && line.pieces[leaf.piece].inlineSize == .zero
        if !isText, let ruby = atomics[line.pieces[leaf.piece].atomic].result.ruby { result.unite(ruby.base.moved(by: shift)) }
      case .atomic:
        // Chromium uses the height of an atomic inline as its lower edge.
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

  /// The em box of the faces used by a text.
  private func emHeight(of leaf: LineLeaf) -> FontHeight {
    let primary = metrics.states[leaf.state].font.metrics
    guard !metrics.isCentral, line.pieces.indices.contains(leaf.piece) else {
      return RubyMetrics.emBox(primary, isCentral: metrics.isCentral)
    }
    return RubyMetrics.emHeight(primary, used: usedFaces(line.pieces[leaf.piece]), isCentral: false)
  }

  /// The em boxes of the part on this line of a ruby base that is text of the line; nil for other ruby columns.
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
    // Chromium does not apply the quirk to list items and their markers.
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

  /// Whether an inline box without text affects the line height in quirks mode: if it has border or padding on the tag's side. Chromium
  /// ignores margins.
  private func countsInQuirksMode(_ tag: InlineItem) -> Bool {
    guard metrics.hasLineHeightQuirk else { return false }
    let isOpen = tag.kind == .openTag, box = engine.tree[tag.box]
    if isOpen ? box.lacksStartEdge : box.lacksEndEdge { return false }
    let edges = InlineEdges.borderPadding(tag.style, container)
    return (isOpen ? edges.inlineStart : edges.inlineEnd) != .zero
  }

  /// Closes an inline box. An empty box gets a placeholder leaf, so that it is positioned.
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
      // Rule L1: spaces at the end of a line have the paragraph's level.
      if piece.hangs { leaf.level = isRTL ? 1 : 0 }
      metrics.ensureStrut(state)
      if item.run >= 0 { metrics.addFallbackFonts(data, run: item.run, piece, state) }
    case .forcedBreak:
      // In quirks mode a forced break only affects the line height if nothing else does.
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
      // A line with a ruby column has the strut of the block container, also in quirks mode (`InlineLayoutAlgorithm::CreateLine` in Chromium).
      if engine.tree[item.box].isRubyColumn { metrics.ensureStrut(0) }
      leaf.metrics = atomicMetrics(atomics[piece.atomic], item)
      // The symbol of a marker does not affect the line height. The marker's strut does.
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

  /// The margin box relative to its baseline. https://drafts.csswg.org/css-inline-3/#baseline-source
  private func atomicMetrics(_ atomic: AtomicInline, _ item: InlineItem) -> FontHeight {
    let over = container.direction.mode == .verticalLr ? atomic.margin.blockEnd : atomic.margin.blockStart
    let under = container.direction.mode == .verticalLr ? atomic.margin.blockStart : atomic.margin.blockEnd
    let height = over + atomic.size.block + under
    // The broken base is text of the line.
    if atomic.isRubyContinuation { return FontHeight(ascent: .zero, descent: .zero) }
    if atomic.result.ruby != nil, let baseline = atomic.result.lastBaseline {
      let ascent = container.direction.mode == .verticalLr ? height - baseline : baseline
      return FontHeight(ascent: ascent, descent: height - ascent)
    }
    guard let baseline = atomicBaseline(atomic, item) else {
      let bottom = FontHeight(ascent: height, descent: .zero)
      return metrics.isCentral ? bottom.halved : bottom
    }
    // Baselines are relative to the block-start edge, which is the line-under side in `vertical-lr`.
    if container.direction.mode == .verticalLr {
      let under = under + baseline
      return FontHeight(ascent: height - under, descent: under)
    }
    return FontHeight(ascent: over + baseline, descent: height - over - baseline)
  }

  /// The end of the content box: in Chromium the baseline of buttons and menus without text.
  private func contentEnd(_ atomic: AtomicInline, _ item: InlineItem) -> LayoutUnit {
    atomic.size.block - InlineEdges.borderPadding(item.style, container).blockEnd
  }

  /// Whether the box is an `input` button with text, as opposed to a color well.
  private func isInputButton(_ box: BoxID) -> Bool {
    guard engine.tree[box].control == .button, !engine.tree[box].firstChild.isNone else { return false }
    return engine.tree[engine.tree[box].firstChild].kind != .flexContainer
  }

  private func atomicBaseline(_ atomic: AtomicInline, _ item: InlineItem) -> LayoutUnit? {
    if engine.tree.isControl(item.box), engine.tree[item.box].kind == .replaced {
      // The lower border edge in horizontal lines, whatever the control's writing mode.
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
      case .fileUpload, .slider: return atomic.result.inlineBlockBaseline
      default: break
      }
      // The text of an image button is in an inner box.
      if engine.tree.isElement(item.box, .input) { return atomic.result.lastBaseline }
      // The baseline of a scroll container is its margin edge, because its contents may be scrolled.
      guard box.overflowX == .visible || box.overflowX == .clip, !box.containment.contains(.layout) else { return nil }
      return atomic.result.inlineBlockBaseline
    default: return item.style.box.containment.contains(.layout) ? nil : atomic.result.firstBaseline
    }
  }
}
