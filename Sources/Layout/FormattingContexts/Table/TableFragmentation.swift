internal import OffprintCSS
internal import OffprintCoreTypes

/// Lays out a fragment of a table: the wrapper with captions and grid, the sections in the grid, the rows in these, and the cells next to
/// each other.
///
/// https://drafts.csswg.org/css-tables-3/#fragmentation leaves most of it undefined. This implements the rules of LayoutNG:
/// https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/layout/table/table_layout_algorithm.cc
final class TableFragmentation {
  /// A row, or a part of it, in a fragment.
  struct RowPart {
    let row: Int
    /// Relative to the border edge of the grid's or section's fragment.
    var start: LayoutUnit
    let size: LayoutUnit
    let isLast: Bool
  }

  let engine: LayoutEngine
  let table: FragmentedTable
  let rows: TableRows
  let direction: WritingDirection
  /// The input of the wrapper.
  let input: LayoutInput

  private init(_ engine: LayoutEngine, _ table: FragmentedTable, _ input: LayoutInput) {
    self.engine = engine; self.table = table; self.input = input
    (rows, direction) = (table.rows, table.layout.direction)
  }

  /// Lays out a table in its fragmentainer.
  ///
  /// - Parameter unfragmented: Lays out the table without fragmentation, for the first fragment.
  static func layout(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, unfragmented: () throws -> FragmentedTable
  ) throws -> LayoutResult {
    let token = engine.fragmentation(input)?.token
    let table = try (token?.isInside == true ? token?.table : nil) ?? unfragmented()
    return try TableFragmentation(engine, table, input).wrapper(input)
  }

  // MARK: Boxes

  private func wrapper(_ input: LayoutInput) throws -> LayoutResult {
    let box = table.layout.wrapper
    return try layout(box, input, edges: LogicalEdges(), wrapper) { builder in
      builder.table = table
      let captions = table.captions.map(caption)
      let grid = Child(box: table.layout.gridBox) { try self.grid($0) }
      let before = zip(table.captions, captions).filter { !$0.0.isAtEnd }.map(\.1)
      let after = zip(table.captions, captions).filter(\.0.isAtEnd).map(\.1)
      let all = before + [grid] + after
      let children = Children(numbers: all.indices, number: { box in all.firstIndex { $0.box == box } }, child: { all[$0] })
      guard let stack = try stack(children, in: builder) else { return nil }
      let stitched = builder.consumedBefore + stack.end
      let block = finish(builder, total: stitched, intrinsic: stack.end, consumesFragmentainer: false)
      guard builder.status == .proceeds else { return nil }
      let baselines = stack.placed.lazy.compactMap { part in part.result.firstBaseline.map { $0 + part.offset } }
      let baseline = builder.isResuming ? nil : baselines.first
      return try result(box, builder, input, stack, size: LogicalSize(inline: table.inlineSize, block: block)) { fragment, result in
        fragment.baseline = baseline
        result.firstBaseline = baseline
        result.intrinsicBlock = stitched
      }
    }
  }

  private func caption(_ caption: TableFormattingContext.CaptionResult) -> Child {
    let input = TableFormattingContext.captionInput(table.inlineSize)
    return Child(box: caption.box, input: input, margin: caption.margin, inline: caption.margin.inlineStart) {
      try self.engine.layout(caption.box, $0)
    }
  }

  private func grid(_ input: LayoutInput) throws -> LayoutResult {
    let layout = table.layout, edges = layout.edges
    return try self.layout(layout.gridBox, input, edges: edges, grid) { builder in
      guard let stack = try sections(in: builder) else { return nil }
      let spacing = trailingSpacing(builder, stack), endEdge = spacing + edges.blockEnd
      let total = max(table.blockSize ?? .zero, builder.consumedBefore + stack.end + endEdge)
      let hasEndEdge = builder.includesEndEdge(isNewFormattingContext: true)
      let block = finish(
        builder, total: total, intrinsic: stack.end + (hasEndEdge ? endEdge : .zero), endEdge: hasEndEdge ? endEdge : .zero)
      guard builder.status == .proceeds else { return nil }
      return try gridResult(builder, input, stack, size: LogicalSize(inline: table.inlineSize, block: block))
    }
  }

  /// The spacing after the last section. In Chromium it is limited to the space before the end edge in the fragmentainer.
  private func trailingSpacing(_ builder: FragmentBuilder, _ stack: Stack) -> LayoutUnit {
    guard !builder.hasChildBreak, !stack.placed.isEmpty || table.layout.grid.sections.isEmpty else { return .zero }
    let spacing = table.layout.grid.sections.isEmpty ? .zero : table.layout.spacing.block
    return builder.spaceLeftForChildren.map { min(spacing, ($0 - stack.end - table.layout.edges.blockEnd).clampedToZero) } ?? spacing
  }

  func section(_ index: Int, _ input: LayoutInput) throws -> LayoutResult {
    let section = table.layout.grid.sections[index]
    return try layout(section.box, input, edges: LogicalEdges(), { try self.section(index, $0) }) { builder in
      let children = Children(numbers: section.rows, number: { self.table.rowNumbers[$0] }, child: rowChild)
      guard let stack = try stack(children, in: builder) else { return nil }
      let content = section.rows.isEmpty ? self.rows.sectionSizes[index] : builder.consumedBefore + stack.end
      let block = finish(builder, total: content, intrinsic: stack.childrenEnd, consumesFragmentainer: false)
      guard builder.status == .proceeds else { return nil }
      let result = try result(section.box, builder, input, stack, size: LogicalSize(inline: sectionInlineSize, block: block)) { _, _ in }
      table.rowParts[result.fragment] = stack.placed.map { part in
        let breaking = part.result.breaking
        return RowPart(
          row: part.child.number, start: part.offset, size: direction.logical(part.result.size).block,
          isLast: breaking?.continuesInParentFlow != true)
      }
      return result
    }
  }

  private func rowChild(_ row: Int) -> Child {
    let isCollapsed = rows.isCollapsed[row], box = table.layout.grid.rows[row].box
    return Child(
      box: box, gap: isCollapsed ? .zero : table.layout.spacing.block, takesNoGap: isCollapsed, number: row,
      shift: rows.relativeOffset(box, table.unfragmentedGridSize)
    ) { try self.row(row, $0) }
  }

  var sectionInlineSize: LayoutUnit {
    (table.inlineSize - table.layout.edges.inlineSum - table.layout.spacing.inline * 2).clampedToZero
  }

  // MARK: Fragments

  /// Lays out a box, and repeats the layout if necessary.
  ///
  /// - Parameter attempt: Returns nil if the box must be laid out again.
  func layout(
    _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, _ again: (LayoutInput) throws -> LayoutResult,
    _ attempt: (FragmentBuilder) throws -> LayoutResult?
  ) throws -> LayoutResult {
    let fragmentation = engine.fragmentation(input) ?? FragmentationInput(space: nil, token: nil)
    let builder = FragmentBuilder(engine, box, fragmentation, offset: .zero, edges: edges)
    builder.begin(largest: .max)
    if let result = try attempt(builder) { return result }
    let isEarly = builder.status == .needsEarlierBreak
    let repeated = FragmentationInput(
      space: builder.status == .disablesFragmentation ? nil : builder.space, token: builder.previous,
      early: isEarly ? builder.earlyBreak : builder.early)
    return try engine.fragmenting(repeated, input) { input in
      let result = try again(input)
      result.breaking?.note(shortage: builder.shortage)
      return result
    }
  }

  /// The block size of a fragment, see `FragmentBuilder.finish`.
  func finish(
    _ builder: FragmentBuilder, total: LayoutUnit, intrinsic: LayoutUnit, endEdge: LayoutUnit = .zero, consumesFragmentainer: Bool = true
  ) -> LayoutUnit {
    var intrinsic = intrinsic
    if consumesFragmentainer, builder.state.contains(.hasInFlowBreak), let left = builder.spaceLeftForChildren {
      intrinsic = max(intrinsic, left)
    }
    return builder.finish(total: total, intrinsic: intrinsic, endEdge: endEdge, floatsBroke: false)
  }

  /// Builds the fragment of a box with its children.
  func result(
    _ box: BoxID, _ builder: FragmentBuilder, _ input: LayoutInput, _ stack: Stack, size: LogicalSize,
    border: LayoutEdges = .zero, extra: [FragmentLink] = [], outOfFlow: [OutOfFlowCandidate] = [],
    _ change: (inout Fragment, inout LayoutResult) -> Void
  ) throws -> LayoutResult {
    let physicalSize = direction.physical(size)
    var links: [FragmentLink] = [], pending: [OutOfFlowCandidate] = []
    for part in stack.placed {
      let offset = LogicalOffset(inline: part.child.inline, block: part.offset)
      let point = direction.physical(offset, outer: physicalSize, inner: part.result.size) + part.child.shift
      links.append(FragmentLink(fragment: part.result.fragment, offset: point))
      for var candidate in part.result.outOfFlow {
        candidate.staticPosition += point
        pending.append(candidate)
      }
    }
    links += extra
    pending += outOfFlow
    let inFlow = links.count
    var fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: physicalSize)
    var outer = LayoutInput(availableInline: size.inline, availableBlock: size.block)
    (outer.fragmentation, outer.isMeasure) = (input.fragmentation, self.input.isMeasure)
    let remaining = try OutOfFlowLayout.finish(engine, box, outer, &fragment, border: border, links: &links, pending: pending)
    builder.measureOutOfFlow(links.dropFirst(inFlow), in: physicalSize)
    var result = LayoutResult(fragment: .none, size: physicalSize)
    change(&fragment, &result)
    builder.cut(&fragment)
    result.fragment = engine.append(fragment, children: links)
    result.outOfFlow = remaining
    result.breaking = builder.result(size: size.block) { unfragmentedSize(of: box) }
    return result
  }

  private func unfragmentedSize(of box: BoxID) -> LayoutUnit {
    if box == table.layout.wrapper { return table.captions.reduce(table.unfragmentedGridSize.block) { $0 + $1.outerBlock } }
    if let row = table.rowNumbers[box] { return rows.heights[row] }
    if let index = table.layout.grid.sections.firstIndex(where: { $0.box == box }) { return table.sectionSizes[index] }
    return table.unfragmentedGridSize.block
  }
}
