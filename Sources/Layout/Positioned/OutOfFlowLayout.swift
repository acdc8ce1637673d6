internal import OffprintCSS
internal import OffprintCoreTypes

/// Out-of-flow layout. https://drafts.csswg.org/css-position-3/#abspos-layout
enum OutOfFlowLayout {
  /// Lays out the candidates whose containing block is `box` or an inline box in it, and adds their links. Returns the others. A
  /// measurement does neither, and its fragment is incomplete.
  ///
  /// The size of a fragmented containing block is known after its last fragment, so its candidates are passed up to the fragmentainers
  /// (`FragmentedOutOfFlow`).
  ///
  /// - Parameters:
  ///   - links: The children of the box's fragment so far, relative to its border box.
  ///   - pending: The candidates, with static positions relative to the same origin.
  ///   - fragment: The fragment of the box.
  ///   - inlineOnly: Whether only inline boxes are containing blocks, because the box is the content of a multi-column container.
  ///   - containingRect: Grid areas: the rectangle that replaces the padding box for a child.
  static func finish(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ fragment: inout Fragment, border: LayoutEdges,
    links: inout [FragmentLink], pending: [OutOfFlowCandidate], inlineOnly: Bool = false, containingRect: ((BoxID) -> LayoutRect?)? = nil
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
    // When columns are measured, the containing block is entirely in one column.
    let isFragmented = engine.fragmentation(input).map { $0.space?.isMeasuringColumns != true } ?? false
    var remaining: [OutOfFlowCandidate] = []
    var queue = pending
    var next = 0
    var inlineRects: [BoxID: LayoutRect?] = [:]
    while next < queue.count {
      var candidate = queue[next]
      next += 1
      try engine.tick()
      if !candidate.fragmentedContainer.isNone {
        remaining.append(candidate)
        continue
      }
      let isFixed = engine.style(candidate.box).box.position == .fixed
      var rect: LayoutRect?
      if candidate.inlineContainer.isNone, !engine.tree[box].splitInline.isNone,
        ContainingBlock.isEstablished(byInline: engine.style(box), isFixed: isFixed)
      {
        candidate.inlineContainer = box
      }
      // The other parts of a split inline box are in the parent.
      if !candidate.inlineContainer.isNone, engine.tree[box].isAnonymous, ContainingBlock.isSplit(engine, candidate.inlineContainer) {
        remaining.append(candidate)
        continue
      }
      if !candidate.inlineContainer.isNone,
        ContainingBlock.isEstablished(byInline: engine.style(candidate.inlineContainer), isFixed: isFixed)
      {
        if inlineRects[candidate.inlineContainer] == nil {
          try engine.check()
          inlineRects[candidate.inlineContainer] = .some(
            ContainingBlock.rect(of: candidate.inlineContainer, engine, in: links, direction: direction))
        }
        rect = inlineRects[candidate.inlineContainer] ?? nil
      }
      let isInInline = rect != nil
      if rect == nil, !inlineOnly, isFixed ? holdsFixed : holdsAbsolute {
        rect = containingRect?(candidate.box) ?? paddingBox
        // The viewport may be larger than the initial containing block: https://drafts.csswg.org/css-position-3/#fixed-cb
        if isFixed, box.index == 0, engine.isViewportHeightAuto { rect?.size.height = engine.viewport.height }
      }
      guard let rect else {
        remaining.append(candidate)
        continue
      }
      guard !isFragmented else {
        candidate.fragmentedContainer = box
        if !isInInline { candidate.inlineContainer = .none }
        remaining.append(candidate)
        continue
      }
      let placed = try layout(engine, candidate, in: rect, direction: direction, links: links).placed
      links.append(placed.link)
      for var nested in placed.outOfFlow {
        nested.staticPosition += placed.link.offset
        // Its descendants are inside the same inline box.
        if nested.inlineContainer.isNone { nested.inlineContainer = candidate.inlineContainer }
        queue.append(nested)
      }
    }
    return remaining
  }

  /// Lays out a candidate in its containing block. The link's offset is relative to the origin of `rect`.
  ///
  /// - Parameter links: The other children of the containing block's fragment, relative to the same origin, which may be anchors.
  static func layout(
    _ engine: LayoutEngine, _ candidate: OutOfFlowCandidate, in rect: LayoutRect, direction container: WritingDirection,
    links: [FragmentLink] = []
  ) throws -> Placement {
    if engine.tree.styled.hasAnchoredBoxes, let base = engine.tree.anchoredStyles[candidate.box] {
      let fallbacks = PositionFallbacks(engine: engine, candidate: candidate, rect: rect, direction: container, links: links, base: base)
      return try fallbacks.layout()
    }
    return try place(engine, candidate, in: rect, direction: container, links: links)
  }

  /// The position of a box, and its containing block.
  struct Placement {
    var placed: (link: FragmentLink, outOfFlow: [OutOfFlowCandidate])
    /// The input of its layout.
    var input: LayoutInput
    /// The axes of the containing block, and the offset of the box in it.
    var x: InsetAxis
    var y: InsetAxis
    var offset: LayoutPoint
    var size: LayoutSize

    /// https://drafts.csswg.org/css-anchor-position-1/#fallback: whether no margin edge is outside of the inset-modified containing block.
    var fits: Bool { x.fits(offset.x, size.width) && y.fits(offset.y, size.height) }
  }

  /// Positions a box with its current style.
  static func place(
    _ engine: LayoutEngine, _ candidate: OutOfFlowCandidate, in rect: LayoutRect, direction container: WritingDirection,
    links: [FragmentLink]
  ) throws -> Placement {
    if let anchors = AnchorPositioning(engine, candidate.box, in: rect, direction: container, links: links) {
      return try place(engine, candidate, beside: anchors, in: rect, direction: container)
    }
    let style = engine.style(candidate.box)
    let own = WritingDirection(style)
    let basis = container.logical(rect.size).inline
    var (x, y) = axes(candidate, style, inset: style.box.inset, in: rect, basis: basis)
    configure(&x, &y, style, own: own, container: container)
    let given = input(engine, candidate.box, own: own, x: x, y: y, rect: rect, percentageBasis: basis)
    let layout = try engine.layout(candidate.box, given)
    let offset = LayoutPoint(x: x.position(size: layout.size.width), y: y.position(size: layout.size.height))
    return Placement(
      placed: (FragmentLink(fragment: layout.fragment, offset: rect.origin + offset), layout.outOfFlow), input: given, x: x, y: y,
      offset: offset, size: layout.size)
  }

  private static func axes(
    _ candidate: OutOfFlowCandidate, _ style: ComputedStyle, inset: PhysicalSides<LengthPercentageAuto>, in rect: LayoutRect,
    basis: LayoutUnit
  ) -> (InsetAxis, InsetAxis) {
    let margin = Sizing.margin(style, percentageBasis: basis)
    let point = candidate.staticPosition - rect.origin
    return (
      InsetAxis(
        start: inset.left, end: inset.right, size: rect.size.width, margin: (margin.left, margin.right),
        isAutoMargin: (style.box.margin.left.isAuto, style.box.margin.right.isAuto), staticPoint: point.x,
        staticEdge: candidate.horizontalEdge),
      InsetAxis(
        start: inset.top, end: inset.bottom, size: rect.size.height, margin: (margin.top, margin.bottom),
        isAutoMargin: (style.box.margin.top.isAuto, style.box.margin.bottom.isAuto), staticPoint: point.y,
        staticEdge: candidate.verticalEdge)
    )
  }

  /// Positions a box that uses anchors. https://drafts.csswg.org/css-anchor-position-1/
  private static func place(
    _ engine: LayoutEngine, _ candidate: OutOfFlowCandidate, beside anchors: AnchorPositioning, in whole: LayoutRect,
    direction container: WritingDirection
  ) throws -> Placement {
    let style = engine.style(candidate.box), own = WritingDirection(style), area = try anchors.area()
    let rect = area.map { $0.offset(by: whole.origin) } ?? whole
    var inset = try anchors.insets()
    if area != nil {
      // https://drafts.csswg.org/css-anchor-position-1/#resolving-position-area: `auto` insets are treated as 0.
      func known(_ value: LengthPercentageAuto) -> LengthPercentageAuto { value.isAuto ? .zero : value }
      inset = PhysicalSides(top: known(inset.top), right: known(inset.right), bottom: known(inset.bottom), left: known(inset.left))
    }
    let basis = container.logical(rect.size).inline
    var (x, y) = axes(candidate, style, inset: inset, in: rect, basis: basis)
    if area != nil {
      // https://drafts.csswg.org/css-anchor-position-1/#position-area: `auto` margins are treated as 0.
      (x.isAutoMargin, y.isAutoMargin) = ((false, false), (false, false))
    }
    configure(&x, &y, style, own: own, container: container)
    let shift = rect.origin - whole.origin
    x.limit = (.zero - shift.x, whole.size.width - shift.x)
    y.limit = (.zero - shift.y, whole.size.height - shift.y)
    let inline = style.align.justifySelf, block = style.align.alignSelf
    let (alignX, alignY) = container.isHorizontal ? (inline, block) : (block, inline)
    var placeX = alignX.keyword == .anchorCenter ? AnchorPositioning.Place.anchor : nil
    var placeY = alignY.keyword == .anchorCenter ? AnchorPositioning.Place.anchor : nil
    if area != nil, let spans = anchors.tracks {
      if alignX.keyword == .auto || alignX.keyword == .normal { placeX = AnchorPositioning.place(spans.columns) }
      if alignY.keyword == .auto || alignY.keyword == .normal { placeY = AnchorPositioning.place(spans.rows) }
    }
    x.place(placeX)
    y.place(placeY)
    var given = input(engine, candidate.box, own: own, x: x, y: y, rect: rect, percentageBasis: basis)
    let edges = Sizing.usedBorder(engine, candidate.box, given) + Sizing.usedPadding(engine, candidate.box, given)
    let isContentBox = style.box.boxSizing == .contentBox
    if let width = try anchors.size(isWidth: true) {
      let size = isContentBox ? width + edges.left + edges.right : width
      if own.isHorizontal { given.fixedInline = size } else { given.fixedBlock = size }
    }
    if let height = try anchors.size(isWidth: false) {
      let size = isContentBox ? height + edges.top + edges.bottom : height
      if own.isHorizontal { given.fixedBlock = size } else { given.fixedInline = size }
    }
    let layout = try engine.layout(candidate.box, given)
    var offset = LayoutPoint(x: x.position(size: layout.size.width), y: y.position(size: layout.size.height))
    if placeX == .anchor || placeY == .anchor, let anchor = try anchors.anchor(nil) {
      if placeX == .anchor {
        offset.x = x.centered(layout.size.width, on: anchor.minX - shift.x, anchor.maxX - shift.x, isUnsafe: alignX.overflow == .unsafe)
      }
      if placeY == .anchor {
        offset.y = y.centered(layout.size.height, on: anchor.minY - shift.y, anchor.maxY - shift.y, isUnsafe: alignY.overflow == .unsafe)
      }
    }
    return Placement(
      placed: (FragmentLink(fragment: layout.fragment, offset: rect.origin + offset), layout.outOfFlow), input: given, x: x, y: y,
      offset: offset, size: layout.size)
  }

  /// Sets directions and self-alignment by physical axis.
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
    // In Chromium the available width of a table is at most that of the containing block, whatever its static position.
    if item.kind == .tableWrapper { input.availableInline = min(inline.available, whole.inline) }
    input.percentageInline = whole.inline
    input.percentageBlock = whole.block
    input.percentageMargin = percentageBasis
    let isControl = engine.tree.isDrawnControl(box)
    // The automatic size of tables is `fit-content` with `normal`, but not with `stretch`.
    func isStretchable(_ axis: InsetAxis) -> Bool {
      (item.kind != .replaced || isControl) && (item.kind != .tableWrapper || axis.isStretch) && axis.stretches
    }
    input.autoInline = isStretchable(inline) ? .fill : .fitContent
    if isControl, inline.stretches, Sizing.LogicalSizes(item.style).inline.isAuto {
      input.fixedInline = (inline.available - inline.margin.start - inline.margin.end).clampedToZero
    }
    if isStretchable(block) {
      // With an aspect ratio only the inline axis stretches.
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
