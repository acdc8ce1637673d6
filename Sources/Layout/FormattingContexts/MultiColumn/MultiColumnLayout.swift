internal import OffprintCSS
internal import OffprintCoreTypes

/// The count and the size of columns, spanners and intrinsic sizes of multi-column containers. `ColumnLayout` lays them out.
/// https://drafts.csswg.org/css-multicol-1/
enum MultiColumnLayout {
  static func applies(to box: BoxID, _ engine: LayoutEngine) -> Bool {
    let item = engine.tree[box]
    guard item.style.align.isMultiColumn, !item.isAnonymous else { return false }
    return item.kind == .blockContainer || item.kind == .tableCell
  }

  /// `column-span: all`, on a block-level box of the container's block formatting context.
  static func isSpanner(_ child: BoxID, _ engine: LayoutEngine) -> Bool {
    let item = engine.tree[child]
    guard item.style.align.columnSpan == .all, item.isInFlow, !item.isInlineLevel, !item.isTextual, !item.isOutsideMarker else {
      return false
    }
    var parent = item.parent
    while !parent.isNone, !applies(to: parent, engine) {
      if BlockFormattingContext.isIndependent(engine, parent) { return false }
      parent = engine.tree[parent].parent
    }
    return !parent.isNone
  }

  static func gap(_ style: ComputedStyle, _ basis: LayoutUnit) -> LayoutUnit {
    style.align.columnGap?.resolve(basis).clampedToZero ?? LayoutUnit(style.font.size)
  }

  /// https://drafts.csswg.org/css-multicol-1/#pseudo-algorithm
  static func columns(_ style: ComputedStyle, available: LayoutUnit) -> (count: Int, size: LayoutUnit, gap: LayoutUnit) {
    let gap = gap(style, available)
    var count = style.align.columnCount.map { max(1, min($0, 1000)) } ?? 1
    if let width = style.align.columnWidth {
      let width = max(LayoutUnit(width), LayoutUnit(1))
      let fitting = max(1, min(1000, Int((available + gap).raw) / max(1, Int((width + gap).raw))))
      count = style.align.columnCount == nil ? fitting : min(count, fitting)
    }
    return (count, ((available - gap * (count - 1)) / count).clampedToZero, gap)
  }

  /// The intrinsic sizes: spanners have the inline size of the container, and other content is in columns.
  static func intrinsicSizes(
    _ content: MinMaxSizes, _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput
  ) throws -> MinMaxSizes {
    guard applies(to: box, engine) else { return content }
    var sizes = columnSizes(content, engine.style(box))
    try measureSpanners(engine, box, WritingDirection(engine.style(box)), input, &sizes)
    return sizes
  }

  private static func measureSpanners(
    _ engine: LayoutEngine, _ box: BoxID, _ direction: WritingDirection, _ input: LayoutInput, _ sizes: inout MinMaxSizes
  ) throws {
    guard !engine.tree[box].hasInlineChildren else { return }
    for child in engine.tree.children(of: box) {
      if isSpanner(child, engine) {
        // Chromium ignores the margins of spanners.
        sizes.encompass(try Sizing.contribution(engine, child, direction, input))
      } else if !BlockFormattingContext.isIndependent(engine, child) {
        try engine.descending { try measureSpanners(engine, child, direction, input, &sizes) }
      }
    }
  }

  /// https://drafts.csswg.org/css-multicol-1/#intrinsic-sizes
  static func columnSizes(_ content: MinMaxSizes, _ style: ComputedStyle) -> MinMaxSizes {
    let count = style.align.columnCount.map { max(1, min($0, 1000)) } ?? 1
    let gaps = gap(style, .zero) * (count - 1)
    var sizes = content
    if let width = style.align.columnWidth {
      sizes.min = min(sizes.min, LayoutUnit(width))
      sizes.max = max(sizes.max, LayoutUnit(width))
    }
    if style.align.columnWidth == nil { sizes.min = sizes.min * count + gaps }
    sizes.max = sizes.max * count + gaps
    return sizes
  }
}
