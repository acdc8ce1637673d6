internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// Visual order and inline positions.
extension LineBuilder {
  mutating func positionLeaves() throws {
    justify()
    try buildEvents()
    var x = startPosition()
    for event in events {
      switch event {
      case .open(let node):
        let edges = lineEdges(nodes[node].state)
        if nodes[node].hasLeft { x += edges.margin.left }
        nodes[node].lineLeft = x
        if nodes[node].hasLeft { x += edges.inside.left }
      case .leaf(let leaf):
        leaves[leaf].lineLeft = x
        x += leaves[leaf].inlineSize + leaves[leaf].expansion
      case .close(let node):
        let edges = lineEdges(nodes[node].state)
        if nodes[node].hasRight { x += edges.inside.right }
        nodes[node].inlineSize = x - nodes[node].lineLeft
        if nodes[node].hasRight { x += edges.margin.right }
      }
    }
  }

  /// The edges of an inline box by line-relative side.
  func lineEdges(_ state: Int) -> (margin: LineSides, inside: LineSides) {
    let style = metrics.states[state].style
    let mode = container.direction.mode
    return (
      LineSides(Sizing.margin(style, percentageBasis: container.inlineSize), mode),
      LineSides(Sizing.border(style) + Sizing.padding(style, percentageBasis: container.inlineSize), mode)
    )
  }

  // MARK: Order

  /// The leaves in visual order. Bidi controls generate no leaves, but their levels must participate in reordering: those around an isolate
  /// separate its contents from adjacent text. https://www.unicode.org/reports/tr9/#L2
  private func visualLeaves() -> [Int] {
    var levels: [UInt8] = [], owners: [Int] = []
    var end: Int?
    for leaf in leaves.indices {
      if leaves[leaf].piece >= 0 {
        let piece = line.pieces[leaves[leaf].piece]
        if let end, end < piece.start, let level = data.lowestLevel(end..<piece.start) {
          levels.append(level)
          owners.append(-1)
        }
        end = piece.end
      }
      levels.append(leaves[leaf].level)
      owners.append(leaf)
    }
    return Bidi.visualOrder(levels).compactMap { owners[$0] >= 0 ? owners[$0] : nil }
  }

  /// Reorders the leaves (https://www.unicode.org/reports/tr9/#L2), and splits the inline boxes around leaves that are no longer
  /// contiguous.
  private mutating func buildEvents() throws {
    let order = data.isBidi ? visualLeaves() : Array(leaves.indices)
    var open: [Int] = []
    leafParents = [Int](repeating: -1, count: leaves.count)
    events.reserveCapacity(leaves.count + 2 * metrics.states.count)
    for leaf in order {
      try engine.tick()
      var path: [Int] = []
      var state = leaves[leaf].state
      while state > 0 {
        path.append(state)
        state = metrics.states[state].parent
      }
      path.reverse()
      var common = 0
      while common < open.count, common < path.count, nodes[open[common]].state == path[common] { common += 1 }
      while open.count > common, let node = open.popLast() { events.append(.close(node)) }
      for state in path[common...] {
        nodes.append(Node(state: state, parent: open.last ?? -1))
        let node = nodes.count - 1
        if metrics.states[state].firstNode < 0 { metrics.states[state].firstNode = node }
        metrics.states[state].lastNode = node
        open.append(node)
        events.append(.open(node))
      }
      leafParents[leaf] = open.last ?? -1
      events.append(.leaf(leaf))
    }
    while let node = open.popLast() { events.append(.close(node)) }
    for node in nodes.indices {
      let state = metrics.states[nodes[node].state]
      let isLTR = state.style.text.direction == .ltr
      let isClone = state.style.box.boxDecorationBreak == .clone
      nodes[node].hasLeft = isClone || (node == state.firstNode && (isLTR ? state.hasStart : state.hasEnd))
      nodes[node].hasRight = isClone || (node == state.lastNode && (isLTR ? state.hasEnd : state.hasStart))
    }
  }

  // MARK: Alignment

  var resolvedAlign: TextAlign {
    let isLast = line.isLast || line.hasForcedBreak
    guard isLast else { return style.text.textAlign }
    switch style.text.textAlignLast {
    case .auto: return style.text.textAlign == .justify ? .start : style.text.textAlign
    case .start: return .start
    case .end: return .end
    case .left: return .left
    case .right: return .right
    case .center: return .center
    case .justify: return .justify
    }
  }

  /// https://drafts.csswg.org/css-text-3/#text-align-property. Lines that do not fit overflow at the end.
  private func startPosition() -> LayoutUnit {
    let free = line.availableWidth - line.indent - line.width - expansionTotal
    var offset = LayoutUnit.zero
    switch resolvedAlign {
    case .start, .justify, .matchParent: offset = isRTL ? free : .zero
    case .end: offset = isRTL ? min(free, .zero) : max(free, .zero)
    case .left, .webkitLeft: offset = isRTL ? min(free, .zero) : .zero
    case .right, .webkitRight: offset = isRTL || free > .zero ? free : .zero
    case .center, .webkitCenter: offset = isRTL && free <= .zero ? free : max(free / 2, .zero)
    }
    let start = line.lineLeft - container.lineLeft + offset
    return isRTL ? start - line.hangingWidth : start + line.indent
  }

  // MARK: Justification

  private var expansionTotal: LayoutUnit { leaves.reduce(.zero) { $0 + $1.expansion } }

  /// Expands the gaps between words and around ideographs. https://drafts.csswg.org/css-text-3/#text-justify-property
  private mutating func justify() {
    guard resolvedAlign == .justify else { return }
    let free = (line.availableWidth - line.indent - line.width).double
    guard free > 0, let last = leaves.last(where: { isVisible($0) }), last.piece >= 0 else { return }
    contentEnd = line.pieces[last.piece].end
    contentStart = leaves.first(where: { isVisible($0) }).map { line.pieces[$0.piece].start } ?? 0
    var counts = [Int](repeating: 0, count: leaves.count)
    for index in leaves.indices where leaves[index].kind == .text || leaves[index].kind == .tab {
      let piece = line.pieces[leaves[index].piece]
      guard !piece.hangs, isJustified(piece) else { continue }
      forEachGap(piece.start..<piece.end) { _ in counts[index] += 1 }
      if hasGapBefore(piece.start) { counts[index] += 1 }
    }
    let total = counts.reduce(0, +)
    guard total > 0 else { return }
    expansion = free / Double(total)
    var given = LayoutUnit.zero
    var gaps = 0
    for index in leaves.indices where counts[index] > 0 {
      gaps += counts[index]
      let reached = LayoutUnit(rounding: expansion * Double(gaps))
      leaves[index].expansion = reached - given
      given = reached
    }
  }

  private func isVisible(_ leaf: LineLeaf) -> Bool {
    guard leaf.piece >= 0, !line.pieces[leaf.piece].hangs else { return false }
    return leaf.kind == .text || leaf.kind == .atomic || leaf.kind == .tab
  }

  /// Chromium uses the `text-justify: none` of each text, not that of the block container.
  func isJustified(_ piece: LinePiece) -> Bool { data.items[piece.item].style.text.textJustify != .none }

  private func isGrapheme(_ index: Int) -> Bool { !data.boundaries.indices.contains(index) || data.boundaries[index].contains(.grapheme) }

  /// Whether a text starts with an opportunity before its first character: an ideograph that follows text of another box.
  func hasGapBefore(_ start: Int) -> Bool {
    guard start > contentStart, style.text.textJustify == .auto || style.text.textJustify == .none,
      Justification.isIdeographOrSymbol(UTF8Scan.decode(data.text, start).codepoint)
    else { return false }
    let previous = UTF8Scan.before(data.text, start)
    return previous != 0x20 && previous != 0xa0 && previous != 0x09 && previous != 0xfffc && !Justification.isIdeographOrSymbol(previous)
  }

  /// Calls `body` with each offset after which the line can be expanded.
  func forEachGap(_ range: Range<Int>, _ body: (Int) -> Void) {
    let text = data.text
    let mode = style.text.textJustify
    var index = range.lowerBound
    while index < range.upperBound {
      let (codepoint, length) = UTF8Scan.decode(text, index)
      let next = index + length
      if next < contentEnd {
        // Chromium expands tabs too, which moves the following text off its tab stop.
        let isSpace = codepoint == 0x20 || codepoint == 0xa0 || codepoint == 0x09
        let following = UTF8Scan.decode(text, next).codepoint
        let isGap =
          switch mode {
          case .interWord: isSpace
          case .auto, .none:
            isSpace || Justification.isIdeographOrSymbol(codepoint) && isGrapheme(index)
              || Justification.isIdeographOrSymbol(following) && isGrapheme(next) && next < range.upperBound && codepoint != 0xfffc
          case .interCharacter: next >= data.boundaries.count || data.boundaries[next].contains(.grapheme)
          }
        if isGap { body(index) }
      }
      index = next
    }
  }
}

/// Four lengths by line-relative side. https://drafts.csswg.org/css-writing-modes-4/#line-directions
struct LineSides {
  var left: LayoutUnit
  var right: LayoutUnit
  var over: LayoutUnit
  var under: LayoutUnit

  init(_ edges: LayoutEdges, _ mode: WritingMode) {
    switch mode {
    case .horizontalTb: (left, right, over, under) = (edges.left, edges.right, edges.top, edges.bottom)
    case .verticalRl, .verticalLr, .sidewaysRl: (left, right, over, under) = (edges.top, edges.bottom, edges.right, edges.left)
    case .sidewaysLr: (left, right, over, under) = (edges.bottom, edges.top, edges.left, edges.right)
    }
  }
}
