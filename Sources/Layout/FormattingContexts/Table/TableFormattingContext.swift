import OffprintCSS
import OffprintCoreTypes

/// Table layout: the wrapper with its captions, and the grid. https://drafts.csswg.org/css-tables-3/
enum TableFormattingContext {
  static func intrinsicSizes(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    guard let table = TableLayout(engine, wrapper: box, input) else { return MinMaxSizes() }
    var sizes = try gridSizes(table, table.columnSizing(), input)
    let captions = try captionMinimum(table)
    sizes.min = max(sizes.min, captions)
    sizes.max = max(sizes.max, captions)
    return sizes
  }

  /// The border-box intrinsic sizes of the grid, from its columns and its own sizes if these are lengths. It is never smaller than its
  /// columns.
  private static func gridSizes(_ table: TableLayout, _ sizing: ColumnSizing, _ input: LayoutInput) throws -> MinMaxSizes {
    let rest = table.inlineUndistributable(sizing)
    let least = sizing.minSum + rest
    var sizes = MinMaxSizes(min: least, max: sizing.maxContent(percentages: allowsPercentages(table)) + rest)
    let own = Sizing.LogicalSizes(table.style)
    // The columns of a fixed table follow from its width. With a percentage its max-content size is unlimited.
    if table.isFixed, case .value(let width) = own.inline, width.hasPercentage { sizes.max = max(sizes.max, LayoutUnit(1_000_000)) }
    func length(_ value: SizeValue) -> LayoutUnit? {
      guard case .value(let length) = value else { return nil }
      return length.resolveIfDefinite(nil).map { Sizing.borderBox($0, table.style, edges: table.edges.inlineSum) }
    }
    if let width = length(own.inline) ?? transferredInline(table, input) { sizes = MinMaxSizes(min: width, max: width) }
    var maximum = length(own.maxInline)
    if case .minContent = own.maxInline { maximum = least }
    if let maximum { sizes = MinMaxSizes(min: min(sizes.min, maximum), max: min(sizes.max, maximum)) }
    sizes.encompass(MinMaxSizes(min: least, max: least))
    if let minimum = length(own.minInline) { sizes.encompass(MinMaxSizes(min: minimum, max: minimum)) }
    return sizes
  }

  /// Whether percentages of columns increase the table's max-content size. Chromium ignores them in cells, flex items and grid items, where
  /// they would increase the size of the ancestor.
  private static func allowsPercentages(_ table: TableLayout) -> Bool {
    if case .maxContent = Sizing.LogicalSizes(table.style).inline { return false }
    let tree = table.engine.tree
    var box = tree[table.wrapper].parent
    while !box.isNone {
      if [.tableCell, .flexContainer, .gridContainer].contains(tree[box].kind) { return false }
      box = tree[box].parent
    }
    return true
  }

  /// The minimum width of the captions. Percentages have no basis yet.
  private static func captionMinimum(_ table: TableLayout) throws -> LayoutUnit {
    var result = LayoutUnit.zero
    for caption in table.captions {
      let sizes = try Sizing.contribution(table.engine, caption, table.direction, LayoutInput(availableInline: nil))
      let margin = Sizing.logicalMargin(table.engine.style(caption), percentageBasis: .zero, in: table.direction)
      result = max(result, sizes.min + margin.inlineSum)
    }
    return result
  }

  /// https://drafts.csswg.org/css-tables-3/#computing-the-table-width
  private static func usedInlineSize(_ table: TableLayout, _ sizing: ColumnSizing, _ input: LayoutInput) throws -> LayoutUnit {
    let rest = table.inlineUndistributable(sizing)
    let captions = try captionMinimum(table)
    let minimum = max(sizing.minSum + rest, captions)
    if let fixed = input.fixedInline { return max(fixed, minimum) }
    let own = Sizing.LogicalSizes(table.style)
    let edges = table.edges.inlineSum
    var keepsPercentages = true
    if case .maxContent = own.inline { keepsPercentages = false }
    let maxContent = sizing.maxContent(percentages: keepsPercentages) + rest
    func length(_ value: SizeValue) -> LayoutUnit? {
      switch value {
      case .value(let length):
        length.resolveIfDefinite(input.percentageInline).map { Sizing.borderBox($0, table.style, edges: edges) }
      case .minContent: sizing.minSum + rest
      case .maxContent: maxContent
      default: nil
      }
    }
    let margin = Sizing.logicalMargin(table.engine.style(table.wrapper), percentageBasis: input.percentageMargin, in: table.direction)
    let available = input.availableInline.map { ($0 - margin.inlineSum).clampedToZero } ?? .max
    // `justify-self: stretch`, or `align-self: stretch` across the containing block's lines.
    let fills = own.inline.isAuto && input.autoInline != .fitContent && input.availableInline != nil
    let transferred = fills ? nil : transferredInline(table, input)
    var size = length(own.inline) ?? transferred ?? max(minimum, min(available, maxContent))
    if table.grid.columns.isEmpty, !fills, transferred == nil, own.inline.isAuto, own.minInline.isAuto {
      return captions > .zero ? max(captions, edges) : table.collapsed == nil ? edges : .zero
    }
    if fills { size = max(size, available) }
    if case .stretch = own.inline { size = available == .max ? size : available }
    if let maximum = length(own.maxInline) { size = min(size, maximum) }
    if let least = length(own.minInline) { size = max(size, least) }
    return max(size, minimum)
  }

  // MARK: Layout

  static func layout(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    guard let table = TableLayout(engine, wrapper: box, input) else {
      let fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: .zero)
      return LayoutResult(fragment: engine.append(fragment, children: []), size: .zero)
    }
    guard input.fragmentation < 0 else {
      return try TableFragmentation.layout(engine, box, input) {
        let (rows, captions, sizes) = try sizedRows(table, input)
        return FragmentedTable(rows, captions: captions, inlineSize: sizes.inline, blockSize: sizes.block)
      }
    }
    let (rows, captions, sizes) = try sizedRows(table, input)
    let grid = try rows.fragments(inlineSize: sizes.inline, blockSize: sizes.block)
    // Captions are as wide as what collapsed columns leave.
    let used = try captions.map {
      $0.inline == grid.inlineSize ? $0 : try layoutCaption(table, $0.box, inline: grid.inlineSize, input)
    }
    return try assemble(table, used, grid, inlineSize: grid.inlineSize, input)
  }

  /// Sizes the rows, the captions and the grid. A nil block size is that of the rows.
  private static func sizedRows(
    _ table: TableLayout, _ input: LayoutInput
  ) throws -> (rows: TableRows, captions: [CaptionResult], sizes: (inline: LayoutUnit, block: LayoutUnit?)) {
    let sizing = try table.columnSizing(cutoff: input.cutoff)
    let inlineSize = try usedInlineSize(table, sizing, input)
    let rest = table.inlineUndistributable(sizing)
    let widths = sizing.distribute((inlineSize - rest).clampedToZero)
    let gridInline = widths.isEmpty ? inlineSize : max(inlineSize, widths.reduce(rest, +))
    let captions = try table.captions.map { try layoutCaption(table, $0, inline: gridInline, input) }
    let captionBlock = captions.reduce(LayoutUnit.zero) { $0 + $1.outerBlock }
    var rows = TableRows(table, sizing, widths: widths)
    if case .value(let length) = Sizing.LogicalSizes(table.style).block {
      rows.isDefinite = length.resolveIfDefinite(input.percentageBlock) != nil
    }
    // In Chromium a size from flex, grid or out-of-flow layout does not change when columns collapse.
    let isSized = input.fixedInline != nil || table.engine.tree[table.wrapper].isOutOfFlow
    let sizes = try rows.size(
      inlineSize: gridInline, blockSize: gridBlockSize(table, input, captions: captionBlock, inline: gridInline), cutoff: input.cutoff,
      leastInlineSize: try isSized ? gridInline : captionMinimum(table))
    return (rows, captions, sizes)
  }

  struct CaptionResult {
    var box: BoxID
    /// The inline size of the grid that it was laid out for.
    var inline: LayoutUnit
    var result: LayoutResult
    var margin: LogicalEdges
    var isAtEnd: Bool
    var blockSize: LayoutUnit
    var outerBlock: LayoutUnit { margin.blockSum + blockSize }
  }

  private static func layoutCaption(_ table: TableLayout, _ caption: BoxID, inline: LayoutUnit, _ input: LayoutInput) throws
    -> CaptionResult
  {
    let style = table.engine.style(caption)
    let captionInput = captionInput(inline)
    let result = try table.engine.layout(caption, captionInput)
    let size = table.direction.logical(result.size)
    var margin = Sizing.logicalMargin(style, percentageBasis: inline, in: table.direction)
    margin.resolveAutoInlineMargins(style.box.margin, table.direction, freeSpace: inline - size.inline - margin.inlineSum)
    return CaptionResult(
      box: caption, inline: inline, result: result, margin: margin, isAtEnd: style.text.captionSide == .bottom, blockSize: size.block)
  }

  /// - Parameter inline: The inline size of the grid.
  static func captionInput(_ inline: LayoutUnit) -> LayoutInput {
    var input = LayoutInput(availableInline: inline)
    input.percentageBlock = nil
    input.percentageMargin = inline
    return input
  }

  /// The grid's specified border-box block size; nil for auto.
  ///
  /// - Parameter inline: The grid's border-box inline size, for the aspect ratio; nil if it depends on the block size.
  static func gridBlockSize(_ table: TableLayout, _ input: LayoutInput, captions: LayoutUnit, inline: LayoutUnit?) -> LayoutUnit? {
    // In quirks mode Chromium ignores the height of a table without rows and row groups.
    if table.grid.sections.isEmpty, Sizing.isQuirksMode(table.engine) { return nil }
    if let fixed = input.fixedBlock { return (fixed - captions).clampedToZero }
    let own = Sizing.LogicalSizes(table.style)
    func length(_ value: SizeValue) -> LayoutUnit? {
      guard case .value(let length) = value else { return nil }
      return length.resolveIfDefinite(input.percentageBlock).map { Sizing.borderBox($0, table.style, edges: table.edges.blockSum) }
    }
    var size = length(own.block)
    if size == nil, input.stretchBlock, let available = input.availableBlock { size = (available - captions).clampedToZero }
    if size == nil, let inline { size = transferredBlock(table, inline) }
    if let maximum = length(own.maxBlock), let known = size { size = min(known, maximum) }
    if let minimum = length(own.minBlock) { size = max(size ?? .zero, minimum) }
    return size
  }

  private static func assemble(
    _ table: TableLayout, _ captions: [CaptionResult], _ grid: TableRows.Result, inlineSize: LayoutUnit, _ input: LayoutInput
  ) throws -> LayoutResult {
    let engine = table.engine
    let block = captions.reduce(grid.blockSize) { $0 + $1.outerBlock }
    let size = table.direction.physical(LogicalSize(inline: inlineSize, block: block))
    var links: [FragmentLink] = []
    var pending: [OutOfFlowCandidate] = []
    func place(_ fragment: FragmentID, _ childSize: LayoutSize, _ candidates: [OutOfFlowCandidate], inline: LayoutUnit, block: LayoutUnit) {
      let point = table.direction.physical(LogicalOffset(inline: inline, block: block), outer: size, inner: childSize)
      links.append(FragmentLink(fragment: fragment, offset: point))
      for var candidate in candidates {
        candidate.staticPosition += point
        pending.append(candidate)
      }
    }
    var offset = LayoutUnit.zero
    func placeCaptions(atEnd: Bool) {
      for caption in captions where caption.isAtEnd == atEnd {
        place(
          caption.result.fragment, caption.result.size, caption.result.outOfFlow, inline: caption.margin.inlineStart,
          block: offset + caption.margin.blockStart)
        offset += caption.outerBlock
      }
    }
    placeCaptions(atEnd: false)
    let gridOffset = offset
    let gridSize = table.direction.physical(LogicalSize(inline: inlineSize, block: grid.blockSize))
    place(grid.fragment, gridSize, grid.outOfFlow, inline: .zero, block: offset)
    offset += grid.blockSize
    placeCaptions(atEnd: true)
    var fragment = Fragment(kind: .box, box: table.wrapper, style: engine.style(table.wrapper), size: size)
    let left = try OutOfFlowLayout.finish(engine, table.wrapper, input, &fragment, border: .zero, links: &links, pending: pending)
    fragment.baseline = grid.firstBaseline.map { $0 + gridOffset }
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: block)
    result.firstBaseline = grid.firstBaseline.map { $0 + gridOffset }
    result.lastBaseline = grid.lastBaseline.map { $0 + gridOffset }
    result.outOfFlow = left
    return result
  }
}
