internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// Fragments of a line with positioned contents.
extension LineBuilder {
  /// A rectangle in line-relative coordinates.
  struct LineRect {
    var lineLeft: LayoutUnit
    var over: LayoutUnit
    var inline: LayoutUnit
    var block: LayoutUnit
  }

  /// Builds the fragment of the line; static positions are appended to `outOfFlow`.
  ///
  /// - Parameter blockOffset: The line's offset from the content box's edge.
  mutating func build(blockOffset: LayoutUnit, outOfFlow: inout [FlowItem]) throws -> FlowItem {
    let lineRect = LineRect(lineLeft: .zero, over: .zero, inline: container.inlineSize, block: blockSize)
    var rects = [LineRect](repeating: lineRect, count: nodes.count)
    var root: [FragmentLink] = []
    if data.hasAnnotations {
      let lines = rubyLines
      rubyBaselines = (lines.over?.distance, lines.under?.distance)
    }
    for event in events {
      try engine.tick()
      switch event {
      case .open(let node): rects[node] = boxRect(node)
      case .leaf(let index):
        let parent = leafParents.indices.contains(index) ? leafParents[index] : -1
        let outer = parent >= 0 ? rects[parent] : lineRect
        let links = leafLinks(index, in: outer, blockOffset: blockOffset, outOfFlow: &outOfFlow)
        if parent >= 0 { nodes[parent].links += links } else { root += links }
      case .close(let node):
        let parent = nodes[node].parent
        let link = boxLink(node, rects[node], in: parent >= 0 ? rects[parent] : lineRect)
        if parent >= 0 { nodes[parent].links.append(link) } else { root.append(link) }
      }
    }
    if let ellipsis = ellipsisLink(lineRect) { root += ellipsis }
    if let firstLineBox { root.insert(firstLineLink(firstLineBox, in: lineRect), at: 0) }
    var fragment = Fragment(kind: .line, box: containerBox, style: style, size: physicalSize(lineRect))
    fragment.baseline = height.ascent
    if isMeasure { fragment.isComplete = false }
    return FlowItem(
      link: FragmentLink(fragment: engine.append(fragment, children: root), offset: .zero), lineLeft: .zero, blockOffset: blockOffset,
      size: physicalSize(lineRect))
  }

  // MARK: Geometry

  func physicalSize(_ rect: LineRect) -> LayoutSize {
    container.direction.isHorizontal
      ? LayoutSize(width: rect.inline, height: rect.block) : LayoutSize(width: rect.block, height: rect.inline)
  }

  /// The physical offset of `rect` in `outer`.
  func physicalOffset(_ rect: LineRect, in outer: LineRect) -> LayoutPoint {
    let left = rect.lineLeft - outer.lineLeft, over = rect.over - outer.over
    switch container.direction.mode {
    case .horizontalTb: return LayoutPoint(x: left, y: over)
    case .verticalRl, .verticalLr, .sidewaysRl: return LayoutPoint(x: outer.block - over - rect.block, y: left)
    case .sidewaysLr: return LayoutPoint(x: over, y: outer.inline - left - rect.inline)
    }
  }

  // MARK: Boxes

  private func boxRect(_ node: Int) -> LineRect {
    let state = metrics.states[nodes[node].state]
    let inside = lineEdges(nodes[node].state).inside
    // A line without content has no height, and neither have its boxes.
    guard line.hasContent else {
      return LineRect(lineLeft: nodes[node].lineLeft, over: .zero, inline: nodes[node].inlineSize, block: .zero)
    }
    return LineRect(
      lineLeft: nodes[node].lineLeft,
      over: height.ascent + metrics.absoluteShift(nodes[node].state) - state.trimmed.ascent - inside.over, inline: nodes[node].inlineSize,
      block: state.trimmed.height + inside.over + inside.under)
  }

  private func boxLink(_ node: Int, _ rect: LineRect, in outer: LineRect) -> FragmentLink {
    let state = metrics.states[nodes[node].state]
    var fragment = Fragment(kind: .box, box: state.box, style: state.style, size: physicalSize(rect))
    fragment.hasStartEdge = nodes[node].hasLeft
    fragment.hasEndEdge = nodes[node].hasRight
    fragment.border = withoutMissingEdges(Sizing.border(state.style), nodes[node])
    fragment.padding = withoutMissingEdges(Sizing.padding(state.style, percentageBasis: container.inlineSize), nodes[node])
    fragment.baseline = state.trimmed.ascent + lineEdges(nodes[node].state).inside.over
    let id = engine.append(fragment, children: nodes[node].links)
    return FragmentLink(fragment: id, offset: physicalOffset(rect, in: outer) + relativeOffset(state.box))
  }

  /// The background of `::first-line`, painted behind the line's contents, with the height of its font.
  private func firstLineLink(_ style: ComputedStyle, in outer: LineRect) -> FragmentLink {
    let content = leaves.filter { $0.kind != .outOfFlow && !$0.isHidden }
    let left = content.map(\.lineLeft).min() ?? .zero
    let right = content.map { $0.lineLeft + $0.inlineSize + $0.expansion }.max() ?? .zero
    let text = metrics.states[0].text
    let rect = LineRect(lineLeft: left, over: height.ascent - text.ascent, inline: right - left, block: text.height)
    var fragment = Fragment(kind: .box, box: containerBox, style: style, size: physicalSize(rect))
    fragment.isFirstLine = true
    return FragmentLink(fragment: engine.append(fragment, children: []), offset: physicalOffset(rect, in: outer))
  }

  private func withoutMissingEdges(_ edges: LayoutEdges, _ node: Node) -> LayoutEdges {
    var edges = edges
    switch container.direction.mode {
    case .horizontalTb:
      if !node.hasLeft { edges.left = .zero }
      if !node.hasRight { edges.right = .zero }
    case .verticalRl, .verticalLr, .sidewaysRl:
      if !node.hasLeft { edges.top = .zero }
      if !node.hasRight { edges.bottom = .zero }
    case .sidewaysLr:
      if !node.hasLeft { edges.bottom = .zero }
      if !node.hasRight { edges.top = .zero }
    }
    return edges
  }

  private func relativeOffset(_ box: BoxID) -> LayoutPoint {
    guard engine.style(box).box.position == .relative else { return .zero }
    let isHorizontal = container.direction.isHorizontal
    return Sizing.relativeOffset(
      engine, box, width: isHorizontal ? container.inlineSize : container.percentageBlock,
      height: isHorizontal ? container.percentageBlock : container.inlineSize, direction: container.direction)
  }

  // MARK: Leaves

  private func leafLinks(
    _ index: Int, in outer: LineRect, blockOffset: LayoutUnit, outOfFlow: inout [FlowItem]
  ) -> [FragmentLink] {
    let leaf = leaves[index]
    switch leaf.kind {
    case .empty, .ellipsis: return []
    case .outOfFlow:
      outOfFlow.append(staticPosition(leaf, blockOffset: blockOffset))
      return []
    case .atomic:
      let links = atomicLinks(leaf, in: outer, blockOffset: blockOffset, outOfFlow: &outOfFlow)
      return decorationLink(leaf, in: outer).map { [$0] + links } ?? links
    case .text, .tab, .lineBreak: return textLinks(index, in: outer)
    }
  }

  /// A ruby column whose annotation is aligned with those of the other columns on the line.
  private func onRubyLine(_ id: FragmentID, _ column: RubyExtents.Column, _ shift: LayoutUnit) -> FragmentID {
    guard let line = column.isUnder ? rubyBaselines.under : rubyBaselines.over else { return id }
    let away = line - column.ownDistance - (column.isUnder ? -shift : shift)
    var links = Array(engine.fragments.children(of: id))
    guard away != .zero, links.count == 2 else { return id }
    let isOver = container.direction.mode == .horizontalTb || container.direction.mode == .sidewaysLr
    let move = column.isUnder == isOver ? away : -away
    links[1].offset += container.direction.isHorizontal ? LayoutPoint(x: .zero, y: move) : LayoutPoint(x: move, y: .zero)
    return engine.append(engine.fragments[id], children: links)
  }

  /// A ruby column whose base is text of the line: its annotation is centered over the part of the base on this line.
  private func annotationAlone(_ id: FragmentID, _ atomic: AtomicInline, _ item: InlineItem, after index: Int) -> FragmentID {
    var links = Array(engine.fragments.children(of: id).dropFirst())
    if atomic.isAnnotationDone {
      links = []
    } else if atomic.isRubyContinuation || atomic.annotationLimit != nil {
      // A continuation is on the line's baseline, without the base it was laid out with.
      let base = atomic.isRubyContinuation ? atomic.result.lastBaseline ?? .zero : .zero
      let size = line.pieces.dropFirst(index + 1).prefix { $0.end <= item.rubyEnd }.reduce(LayoutUnit.zero) { $0 + $1.inlineSize }
      for index in links.indices {
        let part = try? RubyLayout.annotation(
          engine, engine.fragments[links[index].fragment].box, from: atomic.rubyStart?.annotation ?? RubyPosition.Part(),
          limit: atomic.annotationLimit, over: size)
        guard let part else { continue }
        links[index] = FragmentLink(fragment: part.fragment, offset: LayoutPoint(x: part.offset, y: links[index].offset.y - base))
      }
    }
    var fragment = engine.fragments[id]
    if atomic.isRubyContinuation { fragment.size = .zero }
    return engine.append(fragment, children: links)
  }

  private func atomicLinks(
    _ leaf: LineLeaf, in outer: LineRect, blockOffset: LayoutUnit, outOfFlow: inout [FlowItem]
  ) -> [FragmentLink] {
    let piece = line.pieces[leaf.piece]
    let atomic = atomics[piece.atomic], box = data.items[piece.item].box
    let margin = LineSides(
      Sizing.margin(engine.style(box), percentageBasis: container.inlineSize), container.direction.mode)
    let shift = leaf.isLineRelative ? leaf.shift : leaf.shift + metrics.absoluteShift(leaf.state)
    let rect = LineRect(
      lineLeft: leaf.lineLeft + margin.left + atomic.bearing - (container.direction.isRTL ? atomic.overhang.end : atomic.overhang.start),
      over: height.ascent + shift - leaf.metrics.ascent + margin.over, inline: atomic.size.inline,
      block: atomic.size.block)
    let moved = relativeOffset(box)
    if !atomic.result.outOfFlow.isEmpty {
      let blockStart = container.direction.mode == .verticalLr ? blockSize - rect.over - rect.block : rect.over
      var item = FlowItem(
        link: nil, lineLeft: rect.lineLeft, blockOffset: blockOffset + blockStart, size: atomic.result.size)
      item.shift = moved
      item.outOfFlow = atomic.result.outOfFlow.map { candidate in
        var candidate = candidate
        if candidate.inlineContainer.isNone { candidate.inlineContainer = inlineContainer(of: candidate.box, from: leaf.state) }
        return candidate
      }
      outOfFlow.append(item)
    }
    var fragment = atomic.result.ruby?.column.map { onRubyLine(atomic.result.fragment, $0, shift) } ?? atomic.result.fragment
    if data.items[piece.item].isRubyOverlay, atomic.isRubyContinuation || atomic.rubyStart == nil {
      fragment = annotationAlone(fragment, atomic, data.items[piece.item], after: leaf.piece)
    }
    if leaf.isHidden { fragment = omitted(fragment) }
    return [FragmentLink(fragment: fragment, offset: physicalOffset(rect, in: outer) + moved)]
  }

  /// A fragment that an ellipsis replaces keeps its place.
  private func omitted(_ id: FragmentID) -> FragmentID {
    var fragment = engine.fragments[id]
    fragment.isOmittedFromPaint = true
    return engine.append(fragment, children: Array(engine.fragments.children(of: id)))
  }

  /// The nearest inline box on the line that is the containing block of an absolutely positioned box in it.
  ///
  /// https://drafts.csswg.org/css-position-3/#def-cb
  private func inlineContainer(of box: BoxID, from state: Int) -> BoxID {
    let position = engine.style(box).box.position
    guard position == .absolute || position == .fixed else { return .none }
    var current = state
    while current > 0 {
      if ContainingBlock.isEstablished(byInline: metrics.states[current].style, isFixed: position == .fixed) {
        return metrics.states[current].box
      }
      current = metrics.states[current].parent
    }
    return .none
  }

  /// https://drafts.csswg.org/css-position-3/#staticpos-rect: the hypothetical position of the box if it were in flow.
  private func staticPosition(_ leaf: LineLeaf, blockOffset: LayoutUnit) -> FlowItem {
    let box = data.items[line.pieces[leaf.piece].item].box
    var candidate = OutOfFlowCandidate(box: box, staticPosition: .zero)
    let direction = container.direction
    candidate.inlineContainer = inlineContainer(of: box, from: leaf.state)
    var item = FlowItem(link: nil, lineLeft: leaf.lineLeft, blockOffset: blockOffset, size: .zero)
    var inlineEdge = OutOfFlowCandidate.Edge.start, isFlippedInline = direction.isFlippedInline
    if InlineStaticPosition.isInlineLevel(engine.style(box).box.originalDisplay) {
      // In Chromium the static position rectangle has no width, and the direction of the surrounding text.
      isFlippedInline = (leaf.level % 2 == 1) != (direction.mode == .sidewaysLr)
      inlineEdge = InlineStaticPosition.inlineEdge(engine.style(box), container: style)
    } else {
      // As a block-level box it would be in a line of its own, below preceding content.
      let hasContentBefore = line.pieces.prefix(leaf.piece).contains { piece in
        let kind = data.items[piece.item].kind
        return (kind == .text && piece.start < piece.end) || kind == .atomic || kind == .tab
      }
      if hasContentBefore { item.blockOffset += blockSize }
      item.lineLeft = direction.isRTL ? container.inlineSize : .zero
      let own = engine.style(box).align.justifySelf.keyword
      if own != .auto, own != .normal {
        inlineEdge = GridSelfAlignment(engine.style(box), .columns, container: style, isAnonymous: false, isReplaced: false).staticEdge
      }
    }
    if isFlippedInline { inlineEdge = inlineEdge.opposite }
    // In Chromium the static position rectangle has the height of the line.
    var blockEdge = GridSelfAlignment.staticBlockEdge(engine.style(box), container: style)
    switch blockEdge {
    case .start: break
    case .center: item.blockOffset += blockSize / 2
    case .end: item.blockOffset += blockSize
    }
    if direction.isFlippedBlocks { blockEdge = blockEdge.opposite }
    candidate.horizontalEdge = direction.isHorizontal ? inlineEdge : blockEdge
    candidate.verticalEdge = direction.isHorizontal ? blockEdge : inlineEdge
    item.outOfFlow = [candidate]
    return item
  }
}

enum InlineStaticPosition {
  /// The alignment of an inline-level box by `justify-self`. In Chromium `left` and `right` are relative to the direction of the
  /// surrounding text here.
  static func inlineEdge(_ style: ComputedStyle, container: ComputedStyle) -> OutOfFlowCandidate.Edge {
    switch style.align.justifySelf.keyword {
    case .auto, .normal, .stretch, .left, .legacyLeft: .start
    case .right, .legacyRight: .end
    default: GridSelfAlignment(style, .columns, container: container, isAnonymous: false, isReplaced: false).staticEdge
    }
  }

  static func isInlineLevel(_ display: Display) -> Bool {
    switch display {
    case .inline, .inlineBlock, .inlineFlex, .inlineGrid, .inlineTable, .inlineListItem, .inlineFlowRootListItem, .webkitInlineBox, .ruby,
      .rubyBase, .rubyText,
      .rubyBaseContainer, .rubyTextContainer, .math:
      true
    default: false
    }
  }
}
