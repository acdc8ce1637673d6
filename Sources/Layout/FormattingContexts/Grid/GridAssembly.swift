import CSS
import CoreTypes

/// From sized tracks to fragments: content alignment, items in their areas, absolutely positioned children.
struct GridAssembly {
  private let grid: GridContainer
  private let inlineSize: LayoutUnit
  private let blockSize: LayoutUnit
  private let intrinsic: LayoutUnit
  private let columnSizes: [LayoutUnit]
  private let rowSizes: [LayoutUnit]
  /// Where track `i` begins in the content box.
  private let columnStarts: [LayoutUnit]
  private let rowStarts: [LayoutUnit]

  init(
    _ grid: GridContainer, columns: GridTrackSizing, rows: GridTrackSizing, inlineSize: LayoutUnit, blockSize: LayoutUnit, intrinsic: LayoutUnit
  ) {
    self.grid = grid; self.inlineSize = inlineSize; self.blockSize = blockSize; self.intrinsic = intrinsic
    let contentInline = (inlineSize - grid.edges.inlineSum).clampedToZero, contentBlock = (blockSize - grid.edges.blockSum).clampedToZero
    columnSizes = columns.tracks.map(\.base)
    rowSizes = rows.tracks.map(\.base)
    columnStarts = Self.align(columns, in: contentInline, grid.style.align.justifyContent, isRTL: grid.direction.isRTL, isInline: true)
    rowStarts = Self.align(rows, in: contentBlock, grid.style.align.alignContent, isRTL: false, isInline: false)
  }

  /// https://drafts.csswg.org/css-align-3/#distribution-grid
  private static func align(_ sizing: GridTrackSizing, in space: LayoutUnit, _ alignment: Alignment, isRTL: Bool, isInline: Bool) -> [LayoutUnit] {
    let free = space - sizing.total
    let visible = sizing.tracks.lazy.filter { !$0.isCollapsed }.count
    var start = LayoutUnit.zero
    var between = LayoutUnit.zero
    let isSafe = alignment.overflow == .safe && free < .zero
    switch isSafe ? .start : alignment.keyword {
    case .end, .flexEnd: start = free
    case .left: start = isInline && isRTL ? free : .zero
    case .right: start = isInline && !isRTL ? free : .zero
    case .center: start = free / 2
    case .spaceBetween: if free > .zero && visible > 1 { between = free / (visible - 1) }
    case .spaceAround:
      if free > .zero && visible > 0 {
        between = free / visible
        start = between / 2
      }
    case .spaceEvenly:
      if free > .zero {
        between = free / (visible + 1)
        start = between
      }
    default: break
    }
    var starts: [LayoutUnit] = []
    var offset = start
    var isFirst = true
    for track in sizing.tracks {
      if track.isCollapsed {
        starts.append(offset)
        continue
      }
      if !isFirst { offset += sizing.gap + between }
      isFirst = false
      starts.append(offset)
      offset += track.base
    }
    return starts
  }

  private func area(_ span: Range<Int>, _ starts: [LayoutUnit], _ sizes: [LayoutUnit]) -> (start: LayoutUnit, size: LayoutUnit) {
    let start = starts[span.lowerBound], last = span.upperBound - 1
    return (start, starts[last] + sizes[last] - start)
  }

  func result() throws -> LayoutResult {
    let engine = grid.engine, direction = grid.direction
    let size = direction.physical(LogicalSize(inline: inlineSize, block: blockSize))
    let content = direction.physical(LogicalSize(
      inline: (inlineSize - grid.edges.inlineSum).clampedToZero, block: (blockSize - grid.edges.blockSum).clampedToZero))
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    var baselines: [(row: Int, column: Int, last: Int, isBaseline: Bool, first: LayoutUnit, final: LayoutUnit)] = []
    for item in grid.items {
      let columns = area(item.columns, columnStarts, columnSizes), rows = area(item.rows, rowStarts, rowSizes)
      let laidOut = try grid.layout(item, inline: columns.size, block: rows.size)
      let own = direction.logical(laidOut.size)
      let offset = place(item, own, columns, rows)
      let point = direction.physical(offset, outer: size, inner: laidOut.size)
        + Sizing.relativeOffset(engine, item.box, width: content.width, height: content.height, direction: direction)
      links.append(FragmentLink(fragment: laidOut.fragment, offset: point))
      for var candidate in laidOut.outOfFlow {
        candidate.staticPosition += point
        pending.append(candidate)
      }
      let first = offset.block + ((item.isParallel ? laidOut.firstBaseline : nil) ?? own.block)
      let final = offset.block + ((item.isParallel ? laidOut.lastBaseline : nil) ?? own.block)
      baselines.append((item.rows.lowerBound, item.columns.lowerBound, item.rows.upperBound, item.align.keyword == .baseline, first, final))
    }
    for child in grid.outOfFlow { pending.append(staticCandidate(child, size)) }
    let border = Sizing.border(grid.style)
    let areas = Dictionary(uniqueKeysWithValues: grid.outOfFlow.map { ($0, containingRect($0, size: size, border: border)) })
    let left = try OutOfFlowLayout.finish(
      engine, grid.box, grid.input, borderBoxSize: size, border: border, links: &links, pending: pending, containingRect: { areas[$0] })
    var fragment = Fragment(kind: .box, box: grid.box, style: grid.style, size: size)
    fragment.border = border
    fragment.padding = Sizing.padding(grid.style, percentageBasis: grid.input.percentageMargin)
    // https://drafts.csswg.org/css-grid-2/#grid-baselines
    let firstRow = baselines.map(\.row).min(), lastRow = baselines.map(\.last).max()
    let inFirst = baselines.filter { $0.row == firstRow }.sorted { ($0.isBaseline ? 0 : 1, $0.column) < ($1.isBaseline ? 0 : 1, $1.column) }
    let first = inFirst.first?.first
    fragment.baseline = first
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: intrinsic)
    result.firstBaseline = first
    result.lastBaseline = baselines.last { $0.last == lastRow }?.final ?? first
    result.outOfFlow = left
    return result
  }

  /// Self-alignment in the area, margins and auto margins included. From the border box's start edges.
  private func place(
    _ item: GridContainer.Item, _ size: LogicalSize, _ columns: (start: LayoutUnit, size: LayoutUnit), _ rows: (start: LayoutUnit, size: LayoutUnit)
  ) -> LogicalOffset {
    let margin = grid.margin(item, area: columns.size)
    let freeInline = columns.size - size.inline - margin.inlineSum, freeBlock = rows.size - size.block - margin.blockSum
    let itemDirection = WritingDirection(item.style)
    let inline = offset(
      item.justify, freeInline, auto: (item.autoMargin.inlineStart, item.autoMargin.inlineEnd), isReversed: itemDirection.isRTL != grid.direction.isRTL,
      isInline: true)
    let block = offset(item.align, freeBlock, auto: (item.autoMargin.blockStart, item.autoMargin.blockEnd), isReversed: false, isInline: false)
    return LogicalOffset(
      inline: grid.edges.inlineStart + columns.start + margin.inlineStart + inline,
      block: grid.edges.blockStart + rows.start + margin.blockStart + block + item.baselineShim)
  }

  private func offset(_ alignment: Alignment, _ free: LayoutUnit, auto: (Bool, Bool), isReversed: Bool, isInline: Bool) -> LayoutUnit {
    if auto.0 || auto.1 {
      guard free > .zero else { return .zero }
      return auto.0 && auto.1 ? free / 2 : auto.0 ? free : .zero
    }
    if alignment.overflow == .safe && free < .zero { return .zero }
    switch alignment.keyword {
    case .end, .flexEnd, .lastBaseline: return free
    case .selfEnd: return isReversed ? .zero : free
    case .selfStart: return isReversed ? free : .zero
    case .center: return free / 2
    case .left: return isInline && grid.direction.isRTL ? free : .zero
    case .right: return isInline && !grid.direction.isRTL ? free : .zero
    default: return .zero
    }
  }

  // MARK: Absolutely positioned children

  /// The grid area that is an absolutely positioned child's containing block; `auto` lines are the padding edges.
  ///
  /// https://drafts.csswg.org/css-grid-2/#abspos
  private func containingRect(_ child: BoxID, size: LayoutSize, border: LayoutEdges) -> LayoutRect {
    let align = grid.engine.style(child).align
    let logicalBorder = grid.direction.logical(border)
    let inline = axis(
      align.gridColumnStart, align.gridColumnEnd, grid.templateColumns, leading: grid.placement.leading.columns, columnStarts, columnSizes,
      origin: grid.edges.inlineStart, low: logicalBorder.inlineStart, high: inlineSize - logicalBorder.inlineEnd)
    let block = axis(
      align.gridRowStart, align.gridRowEnd, grid.templateRows, leading: grid.placement.leading.rows, rowStarts, rowSizes,
      origin: grid.edges.blockStart, low: logicalBorder.blockStart, high: blockSize - logicalBorder.blockEnd)
    let inner = grid.direction.physical(LogicalSize(inline: (inline.1 - inline.0).clampedToZero, block: (block.1 - block.0).clampedToZero))
    return LayoutRect(
      origin: grid.direction.physical(LogicalOffset(inline: inline.0, block: block.0), outer: size, inner: inner), size: inner)
  }

  private func axis(
    _ start: GridLine, _ end: GridLine, _ template: ExplicitTracks, leading: Int, _ starts: [LayoutUnit], _ sizes: [LayoutUnit],
    origin: LayoutUnit, low: LayoutUnit, high: LayoutUnit
  ) -> (LayoutUnit, LayoutUnit) {
    func edge(_ line: Int, isEnd: Bool) -> LayoutUnit? {
      let index = line + leading
      if isEnd { return index >= 1 && index <= sizes.count ? origin + starts[index - 1] + sizes[index - 1] : nil }
      return index >= 0 && index < starts.count ? origin + starts[index] : index == sizes.count && index > 0 ? origin + starts[index - 1] + sizes[index - 1] : nil
    }
    func isAuto(_ line: GridLine) -> Bool {
      switch line {
      case .auto, .span, .spanNamed: true
      default: false
      }
    }
    guard !(isAuto(start) && isAuto(end)), case .definite(let span) = GridPlacement.resolve(start, end, template) else { return (low, high) }
    let from = isAuto(start) && { if case .auto = start { true } else { false } }() ? low : edge(span.start, isEnd: false) ?? low
    let to = isAuto(end) && { if case .auto = end { true } else { false } }() ? high : edge(span.end, isEnd: true) ?? high
    return (from, max(from, to))
  }

  /// The static position is in the content box. https://drafts.csswg.org/css-grid-2/#static-position
  private func staticCandidate(_ child: BoxID, _ size: LayoutSize) -> OutOfFlowCandidate {
    let align = grid.engine.style(child).align
    let justify = align.justifySelf.keyword == .auto ? grid.style.align.justifyItems.keyword : align.justifySelf.keyword
    let block = align.alignSelf.keyword == .auto ? grid.style.align.alignItems.keyword : align.alignSelf.keyword
    func edge(_ keyword: Alignment.Keyword) -> OutOfFlowCandidate.Edge {
      switch keyword {
      case .center: .center
      case .end, .flexEnd, .selfEnd, .right, .lastBaseline: .end
      default: .start
      }
    }
    func position(_ edge: OutOfFlowCandidate.Edge, _ space: LayoutUnit) -> LayoutUnit {
      switch edge {
      case .start: .zero
      case .center: space / 2
      case .end: space
      }
    }
    let inlineEdge = edge(justify), blockEdge = edge(block)
    let offset = LogicalOffset(
      inline: grid.edges.inlineStart + position(inlineEdge, (inlineSize - grid.edges.inlineSum).clampedToZero),
      block: grid.edges.blockStart + position(blockEdge, (blockSize - grid.edges.blockSum).clampedToZero))
    var candidate = OutOfFlowCandidate(box: child, staticPosition: grid.direction.physical(offset, outer: size, inner: .zero))
    func flipped(_ edge: OutOfFlowCandidate.Edge, _ isFlipped: Bool) -> OutOfFlowCandidate.Edge {
      isFlipped ? (edge == .start ? .end : edge == .end ? .start : .center) : edge
    }
    let horizontal = grid.direction.isHorizontal
    let inlineFinal = flipped(inlineEdge, grid.direction.isFlippedInline)
    let blockFinal = flipped(blockEdge, !horizontal && grid.direction.isFlippedBlocks)
    candidate.horizontalEdge = horizontal ? inlineFinal : blockFinal
    candidate.verticalEdge = horizontal ? blockFinal : inlineFinal
    return candidate
  }
}
