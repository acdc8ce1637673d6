internal import CSS
internal import CoreTypes

/// Absolutely positioned boxes. https://drafts.csswg.org/css-position-3/#abspos-layout
enum OutOfFlowLayout {
  /// Lays out the candidates whose containing block is `box`, or an inline box in it, and adds their links; gives back the others.
  /// A measurement does neither, and its fragment is incomplete.
  ///
  /// - Parameters:
  ///   - links: The children of the box's fragment so far, from its border-box origin.
  ///   - pending: Static positions count from the same origin.
  ///   - fragment: The box's.
  ///   - containingRect: Grid areas: the rectangle that stands for the padding box for a child.
  static func finish(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ fragment: inout Fragment, border: LayoutEdges,
    links: inout [FragmentLink], pending: [OutOfFlowCandidate], containingRect: ((BoxID) -> LayoutRect?)? = nil
  ) throws -> [OutOfFlowCandidate] {
    guard !pending.isEmpty else { return [] }
    guard !input.isMeasure else {
      fragment.isComplete = false
      return []
    }
    let holdsAbsolute = ContainingBlock.isEstablished(engine, by: box, isFixed: false)
    let holdsFixed = ContainingBlock.isEstablished(engine, by: box, isFixed: true)
    let paddingBox = LayoutRect(origin: .zero, size: fragment.size).inset(by: border)
    let direction = WritingDirection(engine.style(box))
    var remaining: [OutOfFlowCandidate] = []
    var queue = pending
    var next = 0
    var inlineRects: [BoxID: LayoutRect?] = [:]
    while next < queue.count {
      let candidate = queue[next]
      next += 1
      try engine.tick()
      let isFixed = engine.style(candidate.box).box.position == .fixed
      var rect: LayoutRect?
      if !candidate.inlineContainer.isNone, ContainingBlock.isEstablished(byInline: engine.style(candidate.inlineContainer), isFixed: isFixed) {
        let inlineDirection = WritingDirection(engine.style(candidate.inlineContainer))
        if inlineRects[candidate.inlineContainer] == nil {
          try engine.check()
          inlineRects[candidate.inlineContainer] = .some(
            ContainingBlock.rect(of: candidate.inlineContainer, engine, in: links, direction: inlineDirection))
        }
        rect = inlineRects[candidate.inlineContainer] ?? nil
      }
      if rect == nil, isFixed ? holdsFixed : holdsAbsolute { rect = containingRect?(candidate.box) ?? paddingBox }
      guard let rect else {
        remaining.append(candidate)
        continue
      }
      let placed = try layout(engine, candidate, in: rect, direction: direction)
      links.append(placed.link)
      for var nested in placed.outOfFlow {
        nested.staticPosition += placed.link.offset
        queue.append(nested)
      }
    }
    return remaining
  }

  /// One candidate in its containing block; the link's offset counts from where `rect` does.
  static func layout(
    _ engine: LayoutEngine, _ candidate: OutOfFlowCandidate, in rect: LayoutRect, direction container: WritingDirection
  ) throws -> (link: FragmentLink, outOfFlow: [OutOfFlowCandidate]) {
    let style = engine.style(candidate.box)
    let own = WritingDirection(style)
    let basis = container.logical(rect.size).inline
    let margin = Sizing.margin(style, percentageBasis: basis)
    let point = candidate.staticPosition - rect.origin
    var x = InsetAxis(
      start: style.box.inset.left, end: style.box.inset.right, size: rect.size.width, margin: (margin.left, margin.right),
      isAutoMargin: (style.box.margin.left.isAuto, style.box.margin.right.isAuto), staticPoint: point.x,
      staticEdge: candidate.horizontalEdge)
    var y = InsetAxis(
      start: style.box.inset.top, end: style.box.inset.bottom, size: rect.size.height, margin: (margin.top, margin.bottom),
      isAutoMargin: (style.box.margin.top.isAuto, style.box.margin.bottom.isAuto), staticPoint: point.y,
      staticEdge: candidate.verticalEdge)
    configure(&x, &y, style, own: own, container: container)

    let layout = try engine.layout(
      candidate.box, input(engine, candidate.box, own: own, x: x, y: y, rect: rect, percentageBasis: basis))
    let offset = LayoutPoint(x: x.position(size: layout.size.width), y: y.position(size: layout.size.height))
    return (FragmentLink(fragment: layout.fragment, offset: rect.origin + offset), layout.outOfFlow)
  }

  /// Directions and self-alignment by physical axis.
  private static func configure(
    _ x: inout InsetAxis, _ y: inout InsetAxis, _ style: ComputedStyle, own: WritingDirection, container: WritingDirection
  ) {
    let inline = style.align.justifySelf, block = style.align.alignSelf
    x.isInlineAxis = container.isHorizontal
    y.isInlineAxis = !container.isHorizontal
    x.isFlipped = container.isHorizontal ? container.isFlippedInline : container.isFlippedBlocks
    y.isFlipped = container.isHorizontal ? false : container.isFlippedInline
    let ownFlippedX = own.isHorizontal ? own.isFlippedInline : own.isFlippedBlocks
    let ownFlippedY = own.isHorizontal ? false : own.isFlippedInline
    x.setAlignment(container.isHorizontal ? inline : block, isOwnFlipped: ownFlippedX)
    y.setAlignment(container.isHorizontal ? block : inline, isOwnFlipped: ownFlippedY)
  }

  private static func input(
    _ engine: LayoutEngine, _ box: BoxID, own: WritingDirection, x: InsetAxis, y: InsetAxis, rect: LayoutRect, percentageBasis: LayoutUnit
  ) -> LayoutInput {
    let item = engine.tree[box]
    let (inline, block) = own.isHorizontal ? (x, y) : (y, x)
    let whole = own.logical(rect.size)
    var input = LayoutInput(availableInline: inline.available, availableBlock: block.available)
    input.percentageInline = whole.inline
    input.percentageBlock = whole.block
    input.percentageMargin = percentageBasis
    let isControl = engine.tree.isDrawnControl(box)
    let isStretchable = (item.kind != .replaced || isControl) && item.kind != .tableWrapper
    input.autoInline = isStretchable && inline.stretches ? .fill : .fitContent
    if isControl, inline.stretches, Sizing.LogicalSizes(item.style).inline.isAuto {
      input.fixedInline = (inline.available - inline.margin.start - inline.margin.end).clampedToZero
    }
    if isStretchable, block.stretches {
      // With a ratio, the inline axis is the one that stretches.
      let hasRatio = Sizing.preferredAspectRatio(engine, box) != nil
      let sizes = Sizing.LogicalSizes(item.style)
      if sizes.block.isAuto, !(hasRatio && (inline.stretches || !sizes.inline.isAuto)) {
        input.stretchBlock = true
        input.availableBlock = (block.available - block.margin.start - block.margin.end).clampedToZero
      }
    }
    return input
  }
}
