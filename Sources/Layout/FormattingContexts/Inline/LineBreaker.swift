internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// Fills lines with inline items. https://drafts.csswg.org/css-text-3/#line-breaking
struct LineBreaker {
  enum State { case normal, trailing }

  let engine: LayoutEngine
  var data: InlineItems
  let container: FloatContainer
  var exclusions: ExclusionSpace
  var atomics: [AtomicInline] = []
  var floats: [FlowItem] = []
  /// The items of floats already placed.
  var placedFloats: Set<Int> = []
  /// The items of floats that do not fit next to the line's contents, and are placed below it.
  var pendingFloats: [Int] = []
  /// Backups of the state before each float next to this line, in order.
  var backups: [FloatBackup] = []
  /// The items of tags open at the cursor.
  var openTags: [Int] = []

  // The line being filled.
  var line = LineInfo()
  var cursor = InlineCursor()
  var position = LayoutUnit.zero
  var state = State.normal
  /// No opportunity was found: break anywhere if that is allowed.
  var breaksAnywhere = false
  /// The number of pieces from the start of the line already searched for opportunities, and for text that may break anywhere.
  private var searched = (opportunities: 0, anywhere: 0)
  /// The block offset of the line in the block formatting context.
  var lineTop = LayoutUnit.zero
  /// The block size for which the line must be free of floats.
  var lineBlockSize = LayoutUnit.zero
  /// The content edge of the container in the block formatting context.
  var contentBlockOffset = LayoutUnit.zero
  /// The inline-end edges of open boxes with `box-decoration-break: clone`, reserved at the end of the line.
  var clonedEnd = LayoutUnit.zero

  init(_ engine: LayoutEngine, _ data: InlineItems, _ container: FloatContainer, _ exclusions: ExclusionSpace) {
    self.engine = engine; self.data = data; self.container = container; self.exclusions = exclusions
  }

  var isAtEnd: Bool { cursor.item >= data.items.count }
  /// The remaining width, with a tolerance of one layout unit like Chromium's.
  var available: LayoutUnit { line.availableWidth - clonedEnd + .epsilon }

  /// Fills the line at the cursor, between the edges in `line`, and moves the cursor to its end.
  mutating func fill(indent: LayoutUnit) throws {
    let start = cursor, left = line.lineLeft, right = line.lineRight
    let saved = (exclusions, floats, placedFloats)
    for anywhere in [false, true] {
      cursor = start
      if anywhere { (exclusions, floats, placedFloats) = saved }
      needsAnywhere = false
      clonedEnd = .zero
      line = LineInfo()
      line.start = start
      line.lineLeft = left
      line.lineRight = right
      line.indent = indent
      position = indent
      for tag in openTags { continueClone(data.items[tag]) }
      try continueRuby()
      state = .normal
      overflowIsPending = false
      breaksAnywhere = anywhere
      pendingFloats.removeAll(keepingCapacity: true)
      backups.removeAll(keepingCapacity: true)
      searched = (0, 0)
      if try fillOnce() { break }
    }
    if data.hasAnnotations { try noteRuby() }
    line.isLast = isAtEnd
    trimTrailingSpaces()
    line.width += clonedEnd
  }

  /// Repeats the edges of a cloned box that continues from the previous line. https://drafts.csswg.org/css-break-3/#break-decoration
  private mutating func continueClone(_ item: InlineItem) {
    guard item.style.box.boxDecorationBreak == .clone else { return }
    let edges = InlineEdges.sum(item.style, container)
    position += edges.inlineStart
    clonedEnd += edges.inlineEnd
  }

  /// Returns false if no opportunity was found, to try again with breaks anywhere.
  private mutating func fillOnce() throws -> Bool {
    while cursor.item < data.items.count {
      try engine.tick()
      let item = data.items[cursor.item]
      if state == .trailing, endsTrailing(item) {
        guard comesBack(item) else { return true }
        state = .normal
      }
      if overflowIsPending, item.kind == .text || item.kind == .tab || item.kind == .atomic {
        overflowIsPending = false
        if overflow() { return !needsAnywhere }
      }
      let isDone: Bool
      switch item.kind {
      case .text:
        isDone = handleText(item)
        if needsAnywhere { return false }
      case .tab: isDone = handleTab(item)
      case .openTag: isDone = handleTag(item)
      case .closeTag: isDone = handleTag(item)
      case .atomic: isDone = try handleAtomic(item)
      case .floating:
        try handleFloat(item)
        isDone = false
      case .outOfFlow:
        line.pieces.append(LinePiece(item: cursor.item, start: item.start, end: item.end))
        next()
        isDone = false
      case .forcedBreak:
        handleForcedBreak(item)
        isDone = true
      }
      if isDone {
        if needsAnywhere { return false }
        return true
      }
    }
    return true
  }

  /// An empty inline box does not fit. The line ends before it if anything but its close tag follows.
  private var overflowIsPending = false

  /// Set if there was no opportunity, but `overflow-wrap` allows one.
  var needsAnywhere = false

  /// Whether an item ends a line whose last opportunity has been reached. Only contents that cannot start a line are added.
  private func endsTrailing(_ item: InlineItem) -> Bool {
    switch item.kind {
    case .text, .tab: return !isSpace(max(cursor.offset, item.start)) && item.start < item.end
    case .closeTag, .forcedBreak, .floating: return false
    case .openTag: return endOfEmptyInline(cursor.item) == nil
    case .atomic, .outOfFlow: return true
    }
  }

  mutating func next() {
    cursor.item += 1
    cursor.offset = cursor.item < data.items.count ? data.items[cursor.item].start : data.text.count
    cursor.ruby = nil
  }

  func isSpace(_ index: Int) -> Bool { index < data.text.count && (data.text[index] == 0x20 || data.text[index] == 0x09) }

  func isBoundary(_ index: Int) -> Bool { index < data.boundaries.count && data.boundaries[index].contains(.lineBreak) }

  // MARK: Items

  private mutating func handleForcedBreak(_ item: InlineItem) {
    line.pieces.append(LinePiece(item: cursor.item, start: item.start, end: item.end))
    line.hasForcedBreak = true
    line.hasContent = true
    if engine.tree[item.box].kind == .lineBreak { line.clear = item.style.box.clear }
    next()
    // Close tags that follow directly belong to this line.
    while cursor.item < data.items.count, data.items[cursor.item].kind == .closeTag { _ = handleTag(data.items[cursor.item]) }
  }

  private mutating func handleTag(_ item: InlineItem) -> Bool {
    let isOpen = item.kind == .openTag
    let size = tagSize(item)
    var piece = LinePiece(item: cursor.item, start: item.start, end: item.end, inlineSize: size)
    if size != .zero || hasEdge(item) { line.hasContent = true }
    position += size
    if item.style.box.boxDecorationBreak == .clone {
      let end = InlineEdges.sum(item.style, container).inlineEnd
      clonedEnd += isOpen ? end : -end
    }
    var isEmptyEnd = false
    if let last = line.pieces.indices.last {
      if isOpen {
        // Wrapping is enabled from here on: evaluate the boundary after the previous piece again.
        let before = data.items[line.pieces[last].item]
        if before.kind == .text, !before.traits.contains(.wraps), item.traits.contains(.wraps), isBoundary(line.pieces[last].end) {
          line.pieces[last].canBreakAfter = parentWraps(item)
        }
      } else {
        let isEmpty = data.items[line.pieces[last].item].kind == .openTag
        isEmptyEnd = isEmpty
        let inherited = isEmpty ? canBreakBefore(last) : line.pieces[last].canBreakAfter
        line.pieces[last].canBreakAfter = false
        piece.canBreakAfter = inherited || (!isEmpty && line.hasContent && canBreakBehind(item)) || isLeftBeforeSpace(item)
      }
    }
    line.pieces.append(piece)
    next()
    // The contents of the box determine where the line ends, not its start edge.
    guard !isOpen || engine.tree[item.box].lacksEndEdge, position > available, size > .zero, state == .normal else { return false }
    if isEmptyEnd {
      overflowIsPending = !piece.canBreakAfter
      return false
    }
    return overflow()
  }

  /// Whether a line may end after a close tag, according to the parent's style.
  private func canBreakBehind(_ item: InlineItem) -> Bool {
    guard item.traits.contains(.wraps), item.end > 0, data.boundaries.indices.contains(item.end) else { return false }
    let boundary = data.boundaries[item.end]
    // Chromium does not break after a space of `nowrap` text (`LineBreaker::HandleCloseTag`).
    if item.style.text.textWrapMode == .nowrap, isSpace(item.end - 1) { return false }
    return boundary.contains(.lineBreak) || (breaksAnywhere && boundary.contains(.grapheme) && item.traits.contains(.breaksAnywhere))
  }

  /// Whether a wrapping box is followed by `nowrap` text that starts with a space: Chromium breaks between them
  /// (`LineBreaker::HandleCloseTag`).
  private func isLeftBeforeSpace(_ item: InlineItem) -> Bool {
    guard !item.traits.contains(.wraps), item.style.text.textWrapMode == .wrap, data.items.indices.contains(cursor.item + 1)
    else { return false }
    let following = data.items[cursor.item + 1]
    return following.kind == .text && following.start == item.end && isSpace(following.start)
  }

  private func parentWraps(_ item: InlineItem) -> Bool {
    let parent = engine.tree[item.box].parent
    return !parent.isNone && engine.style(parent).text.textWrapMode == .wrap
  }

  /// The margin, border and padding on the side of a tag.
  func tagSize(_ item: InlineItem) -> LayoutUnit {
    let box = engine.tree[item.box]
    if item.kind == .openTag ? box.lacksStartEdge : box.lacksEndEdge { return .zero }
    let edges = InlineEdges.sum(item.style, container)
    return item.kind == .openTag ? edges.inlineStart : edges.inlineEnd
  }

  private func hasEdge(_ item: InlineItem) -> Bool {
    let box = engine.tree[item.box]
    if item.kind == .openTag ? box.lacksStartEdge : box.lacksEndEdge { return false }
    return InlineEdges.hasEdge(item.style, container, isStart: item.kind == .openTag)
  }

  private mutating func handleAtomic(_ item: InlineItem) throws -> Bool {
    if item.isBreakableRuby || cursor.ruby != nil { return try handleRuby(item) }
    var atomic = try layoutAtomic(item)
    if let overhang = atomic.result.ruby?.overhang, overhang.end > .zero { hang(&atomic, overhang, over: item) }
    if item.isRubyOverlay {
      line.pieces.append(LinePiece(item: cursor.item, start: item.start, end: item.end, atomic: atomics.count))
      atomics.append(atomic)
      next()
      return false
    }
    let size = atomic.size.inline + atomic.margin.inlineSum - atomic.overhang.start
    var piece = LinePiece(item: cursor.item, start: item.start, end: item.end, inlineSize: size, atomic: atomics.count)
    piece.canBreakAfter = item.traits.contains(.wraps) && isBoundary(item.end)
    atomics.append(atomic)
    line.pieces.append(piece)
    line.hasContent = true
    position += piece.inlineSize
    next()
    return position > available ? overflow() : false
  }

  func layoutAtomic(_ item: InlineItem) throws -> AtomicInline {
    var input = container.childInput(engine, item.box)
    input.autoInline = .fitContent
    let result = try engine.layout(item.box, input)
    var atomic = AtomicInline(
      result: result, size: container.direction.logical(result.size),
      margin: Sizing.logicalMargin(item.style, percentageBasis: container.inlineSize, in: container.direction))
    if engine.tree[item.box].specialLayout == .initialLetter {
      atomic.bearing = InitialLetterLayout.bearing(engine, item.box)
      atomic.margin.inlineStart += atomic.bearing
    }
    return atomic
  }

  /// https://drafts.csswg.org/css-text-3/#tab-size-property
  private mutating func handleTab(_ item: InlineItem) -> Bool {
    // Tab stops are relative to the container's edge, even if floats shift the line.
    let edge = container.direction.isRTL ? container.lineLeft + container.inlineSize - line.lineRight : line.lineLeft - container.lineLeft
    let size = LayoutUnit(ceiling: data.tabDistance(item.style, from: (edge + position).double))
    var piece = LinePiece(item: cursor.item, start: item.start, end: item.end, inlineSize: size)
    piece.canBreakAfter = item.traits.contains(.wraps) && (isBoundary(item.end) || item.traits.contains(.breakSpaces))
    line.pieces.append(piece)
    line.hasContent = true
    position += size
    next()
    guard position > available, item.traits.contains(.breakSpaces) || !item.traits.contains(.wraps), state == .normal else { return false }
    return overflow()
  }

  // MARK: Overflow

  /// Handles the overflow of the last piece: goes back to the last opportunity before it. Without one, the line ends after the piece if
  /// possible.
  mutating func overflow() -> Bool {
    if rewind(before: line.pieces.count - 1) {
      takeEmptyInlines()
      return true
    }
    if canBreakAnywhereEarlier() {
      needsAnywhere = true
      return true
    }
    if line.pieces.last?.canBreakAfter == true { state = .trailing }
    return false
  }

  /// Whether any text on the line may be broken without an opportunity.
  mutating func canBreakAnywhereEarlier() -> Bool {
    guard !breaksAnywhere else { return false }
    while searched.anywhere < line.pieces.count {
      let item = data.items[line.pieces[searched.anywhere].item]
      if item.kind == .text || item.kind == .closeTag, item.traits.contains(.breaksAnywhere), item.traits.contains(.wraps) { return true }
      searched.anywhere += 1
    }
    return false
  }

  /// Ends the line at the last opportunity within or directly after the first `count` pieces.
  mutating func rewind(before count: Int) -> Bool {
    // The last piece may still change. Those before it are only searched once.
    let first = searched.opportunities
    searched.opportunities = max(first, min(count, line.pieces.count) - 1)
    for index in line.pieces.indices.prefix(max(0, count)).dropFirst(first).reversed() {
      if line.pieces[index].canBreakAfter {
        cutLine(after: index)
        return true
      }
      let piece = line.pieces[index]
      let item = data.items[piece.item]
      if cutRuby(at: index, item) { return true }
      guard item.kind == .text, item.traits.contains(.wraps), item.run >= 0 else { continue }
      if let cut = lastOpportunity(in: item, from: piece.start, to: piece.end - 1) {
        line.pieces[index] = textPiece(piece.item, item, piece.start, cut)
        cutLine(after: index)
        cursor = InlineCursor(item: piece.item, offset: cut)
        return true
      }
    }
    return false
  }

  mutating func cutLine(after index: Int) {
    if index + 1 < line.pieces.count {
      let following = line.pieces[index + 1]
      rewindFloats(from: following.item)
      cursor = InlineCursor(item: following.item, offset: following.start)
      if atomics.indices.contains(following.atomic), !atomics[following.atomic].isRubyContinuation {
        cursor.ruby = atomics[following.atomic].rubyStart
      }
      line.pieces.removeSubrange((index + 1)...)
    }
    position = line.indent
    for piece in line.pieces { position += piece.inlineSize }
  }
}

/// The edges of inline boxes in the line's axes.
enum InlineEdges {
  static func borderPadding(_ style: ComputedStyle, _ container: FloatContainer) -> LogicalEdges {
    container.direction.with(style).logical(Sizing.border(style) + Sizing.padding(style, percentageBasis: container.inlineSize))
  }

  static func margin(_ style: ComputedStyle, _ container: FloatContainer) -> LogicalEdges {
    container.direction.with(style).logical(Sizing.margin(style, percentageBasis: container.inlineSize))
  }

  static func sum(_ style: ComputedStyle, _ container: FloatContainer) -> LogicalEdges {
    borderPadding(style, container) + margin(style, container)
  }

  static func hasEdge(_ style: ComputedStyle, _ container: FloatContainer, isStart: Bool) -> Bool {
    let inside = borderPadding(style, container), margin = margin(style, container)
    return isStart ? inside.inlineStart != .zero || margin.inlineStart != .zero : inside.inlineEnd != .zero || margin.inlineEnd != .zero
  }
}

extension WritingDirection {
  /// The container's axes with the direction of an inline box.
  func with(_ style: ComputedStyle) -> WritingDirection { WritingDirection(mode: mode, direction: style.text.direction) }
}
