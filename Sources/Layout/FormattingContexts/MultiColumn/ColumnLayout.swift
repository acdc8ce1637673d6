internal import OffprintCSS
internal import OffprintCoreTypes

/// Lays out one fragment of a multi-column container: rows of columns, and the spanners between them.
///
/// Columns are laid out one by one, each resuming where the previous one ended. In nested fragmentation, a row ends with its outer
/// fragmentainer. https://drafts.csswg.org/css-multicol-1/
struct ColumnLayout {
  /// The next part of the container.
  enum Part {
    /// A row of columns; a nil token starts at the beginning of the content.
    case columns(BreakToken?)
    case spanner(BoxID, BreakToken?)
  }

  /// A placed column or spanner, relative to the border edges.
  struct Placed {
    var layout: LayoutResult
    var offset: LogicalOffset
    /// `none` for a column.
    var spanner = BoxID.none

    var isColumn: Bool { spanner.isNone }
  }

  let engine: LayoutEngine
  let box: BoxID
  let input: LayoutInput
  let style: ComputedStyle
  let direction: WritingDirection
  /// Nil outside of fragmentainers.
  let builder: FragmentBuilder?
  /// The edges of the whole container.
  let edges: LogicalEdges
  let inlineSize: LayoutUnit
  let count: Int
  let columnSize: LayoutUnit
  let stride: LayoutUnit
  /// The container's content-box block size if it does not depend on the content, and the part that earlier fragments have not consumed.
  let definite: LayoutUnit?
  let remaining: LayoutUnit?

  var parts: [Part] = []
  var placed: [Placed] = []
  /// The column boxes, between which rules are painted.
  var columnBoxes: [LogicalRect] = []
  /// The start of the current row of wrapped columns, relative to the border edge.
  var rowStart: LayoutUnit
  /// The gaps between rows of wrapped columns, relative to the border edge.
  var rowGaps: [(start: LayoutUnit, end: LayoutUnit)] = []
  /// The end of the content so far, relative to the border edge.
  var position: LayoutUnit
  /// The spanner that ends the row being laid out, if known.
  var spanner = BoxID.none
  var tallestUnbreakable = LayoutUnit.zero
  /// The offset of the row with which the fragment ends; nil if it ends with a spanner.
  var lastRow: LayoutUnit?

  init(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws {
    self.engine = engine; self.box = box; self.input = input
    style = engine.style(box)
    direction = WritingDirection(style)
    edges = Sizing.edges(engine, box, input)
    inlineSize = try Sizing.inlineSize(engine, box, input, edges: edges)
    let columns = MultiColumnLayout.columns(style, available: (inlineSize - edges.inlineSum).clampedToZero)
    (count, columnSize, stride) = (columns.count, columns.size, columns.size + columns.gap)
    builder = input.fragmentation < 0 ? nil : FragmentBuilder(engine, box, input, FlowSpace(), edges: edges, inlineSize: inlineSize)
    let block = Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize)
    definite = block.map { [edges] in ($0 - edges.blockSum).clampedToZero }
    let consumed = builder?.space?.blockSize == nil ? .zero : builder?.consumedBefore ?? .zero
    remaining = definite.map { ($0 - consumed).clampedToZero }
    position = builder?.startEdge ?? edges.blockStart
    rowStart = position
  }

  /// Whether the fragment contains a row or a spanner.
  var hasContent: Bool { lastRow != nil || placed.contains { !$0.isColumn } }

  var contentInline: LayoutUnit { (inlineSize - edges.inlineSum).clampedToZero }
  /// The start edge of this fragment.
  var startEdge: LayoutUnit { builder?.startEdge ?? edges.blockStart }
  /// Whether the outer fragmentainers have a known size, at which a row ends.
  var isConstrained: Bool { builder?.space?.blockSize != nil }

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    var layout = try ColumnLayout(engine, box, input)
    try layout.layoutParts()
    guard let builder = layout.builder, builder.status == .needsEarlierBreak else { return try layout.finish() }
    return try engine.fragmenting(builder.inputForRepetition, input) { input in
      let result = try ColumnLayout.layout(engine, box, input)
      result.breaking?.note(shortage: builder.shortage)
      return result
    }
  }

  // MARK: Parts

  private mutating func layoutParts() throws {
    startParts()
    var margin = MarginStrut()
    loop: while let part = parts.first {
      try engine.check()
      switch part {
      case .columns(let token):
        if placed.last?.isColumn == true || isPastRow(position + margin.sum) { startRow(&margin) }
        guard let row = try layoutRow(from: token, at: position + margin.sum, &margin) else { break loop }
        guard continueAfter(row) else { break loop }
        if row.spanner.isNone { continue }
        try layoutOutOfFlow(before: row.token)
      case .spanner(let child, let token):
        if builder?.early?.isBefore(child) == true { break loop }
        let goesOn = try placeSpanner(child, token, &margin)
        parts.removeFirst()
        if builder?.status == .needsEarlierBreak { return }
        if !goesOn || builder?.state.contains(.hasInFlowBreak) == true { break loop }
      }
    }
    finishParts(margin)
  }

  private mutating func startParts() {
    guard let previous = builder?.previous, previous.isInside else {
      parts = [.columns(nil)]
      return
    }
    parts = previous.children.map { $0.box == box ? .columns($0) : .spanner($0.box, $0) }
    if parts.isEmpty, !previous.hasSeenAllChildren { parts = [.columns(nil)] }
  }

  /// Continues after a row with the spanner that ends it, and then with the following content.
  private mutating func continueAfter(_ row: BreakResult) -> Bool {
    let rest: [Part] = row.token.map { [.columns($0)] } ?? []
    guard !row.spanner.isNone else {
      parts = rest
      return rowSize != nil && style.align.wrapsColumns && builder?.state.contains(.hasInFlowBreak) != true
    }
    parts = []
    var next = row.spanner
    while !next.isNone, MultiColumnLayout.isSpanner(next, engine) {
      parts.append(.spanner(next, nil))
      next = engine.tree[next].nextSibling
    }
    parts += rest
    return true
  }

  private mutating func finishParts(_ margin: MarginStrut) {
    guard let builder, !parts.isEmpty || builder.state.contains(.hasInFlowBreak) else {
      builder?.state.insert(.hasSeenAllChildren)
      position += margin.sum
      return
    }
    // If its contents break, the container consumes the remainder of the fragmentainer.
    if let left = builder.spaceLeftForChildren { position = max(position, left) }
    for part in parts {
      switch part {
      case .columns(let token): if let token { builder.add(token, inFlow: true) }
      case .spanner(let child, let token):
        if let token { builder.add(token, inFlow: true) } else { builder.breakBefore(child, forced: false) }
      }
    }
  }

  // MARK: Spanners

  /// - Returns: False if the spanner is not in this fragment. https://drafts.csswg.org/css-multicol-1/#column-span
  private mutating func placeSpanner(_ child: BoxID, _ token: BreakToken?, _ strut: inout MarginStrut) throws -> Bool {
    spanner = .none
    var margin = Sizing.logicalMargin(engine.style(child), percentageBasis: contentInline, in: direction)
    builder?.childToken = token
    defer { builder?.childToken = nil }
    builder?.adjustMargins(&margin, &strut)
    strut.append(margin.blockStart)
    var offset = position + strut.sum
    var layout = try layoutSpanner(child, at: offset)
    if overflowsRow(from: offset, to: offset + direction.logical(layout.size).block) {
      startRow(&strut)
      strut.append(margin.blockStart)
      offset = position + strut.sum
      layout = try layoutSpanner(child, at: offset)
    }
    if let builder {
      let candidate = BreakChild(engine, child, layout, direction)
      let decision = builder.considerBreak(before: candidate, at: builder.fragmentainerOffset(offset), isSeparated: hasContent)
      guard decision == .proceed else { return false }
      builder.take(candidate, at: offset)
    }
    let size = direction.logical(layout.size)
    margin.resolveAutoInlineMargins(engine.style(child).box.margin, direction, freeSpace: contentInline - size.inline - margin.inlineSum)
    placed.append(
      Placed(layout: layout, offset: LogicalOffset(inline: edges.inlineStart + margin.inlineStart, block: offset), spanner: child))
    strut = MarginStrut()
    strut.append(margin.blockEnd)
    position = offset + size.block
    lastRow = nil
    return true
  }

  private func layoutSpanner(_ child: BoxID, at offset: LayoutUnit) throws -> LayoutResult {
    var input = LayoutInput(
      engine, child: child, parent: direction, availableInline: contentInline, availableBlock: definite, percentageInline: contentInline,
      percentageBlock: definite)
    input.isMeasure = self.input.isMeasure
    guard let builder else { return try engine.layout(child, input) }
    return try builder.layingOut(child, input, formattingContextAt: offset) { try engine.layout(child, $0) }
  }
}
