internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// Used values of sizes and edges. Unless documented otherwise, these are border-box sizes in the box's own writing mode.
enum Sizing {}

// MARK: Edges

extension Sizing {
  static func border(_ style: ComputedStyle) -> LayoutEdges {
    let width = style.border.width
    return LayoutEdges(
      top: LayoutUnit(width.top), right: LayoutUnit(width.right), bottom: LayoutUnit(width.bottom), left: LayoutUnit(width.left))
  }

  static func padding(_ style: ComputedStyle, percentageBasis: LayoutUnit) -> LayoutEdges {
    LayoutEdges(
      top: style.box.padding.top.resolve(percentageBasis).clampedToZero,
      right: style.box.padding.right.resolve(percentageBasis).clampedToZero,
      bottom: style.box.padding.bottom.resolve(percentageBasis).clampedToZero,
      left: style.box.padding.left.resolve(percentageBasis).clampedToZero)
  }

  /// `auto` margins are 0.
  static func margin(_ style: ComputedStyle, percentageBasis: LayoutUnit) -> LayoutEdges {
    func used(_ value: LengthPercentageAuto) -> LayoutUnit {
      if case .value(let length) = value { length.resolve(percentageBasis) } else { .zero }
    }
    return LayoutEdges(
      top: used(style.box.margin.top), right: used(style.box.margin.right), bottom: used(style.box.margin.bottom),
      left: used(style.box.margin.left))
  }

  /// The used border in a box's own layout. Table parts other than the wrapper, the grid and cells have none.
  static func usedBorder(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) -> LayoutEdges {
    switch engine.tree[box].kind {
    case .tableRowGroup, .tableRow, .tableColumnGroup, .tableColumn, .tableWrapper: .zero
    case .tableCell: input.tableCell?.border ?? border(engine.style(box))
    default: border(engine.style(box)) + gutter(engine, box)
    }
  }

  /// The scrollbar gutter between border and padding, which is part of `usedBorder`. On Linux Chromium reserves it even in screenshots,
  /// which have no scroll bars. https://drafts.csswg.org/css-overflow-3/#scrollbar-gutter-property
  static func gutter(_ engine: LayoutEngine, _ box: BoxID) -> LayoutEdges {
    if box.index == 0 {
      // The viewport has the gutter of the root element.
      let root = engine.tree[box].firstChild
      return root.isNone || !engine.tree[root].isRoot ? .zero : gutter(engine.style(root))
    }
    let style = engine.style(box)
    guard style.box.scrollbar.gutter != .auto, isScrollContainer(style), !engine.tree.isControl(box),
      !RootLayout.passesOverflowToViewport(engine, box)
    else { return .zero }
    return gutter(style)
  }

  private static func gutter(_ style: ComputedStyle) -> LayoutEdges {
    let gutter = style.box.scrollbar.gutter, width = LayoutUnit(style.box.scrollbar.thickness)
    guard gutter != .auto else { return .zero }
    let direction = WritingDirection(style), other = gutter == .bothEdges ? width : .zero
    guard direction.isHorizontal else { return LayoutEdges(top: other, right: .zero, bottom: width, left: .zero) }
    return direction.isRTL
      ? LayoutEdges(top: .zero, right: other, bottom: .zero, left: width)
      : LayoutEdges(top: .zero, right: width, bottom: .zero, left: other)
  }

  /// Moves the gutter of a fragment from the border to the padding, because borders are painted outside of it.
  static func moveGutter(of fragment: inout Fragment, _ engine: LayoutEngine, _ box: BoxID) {
    let gutter = gutter(engine, box)
    guard gutter != .zero else { return }
    fragment.border = fragment.border - gutter
    fragment.padding = fragment.padding + gutter
  }

  static func usedPadding(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) -> LayoutEdges {
    switch engine.tree[box].kind {
    case .tableRowGroup, .tableRow, .tableColumnGroup, .tableColumn, .tableWrapper: .zero
    default: padding(engine.style(box), percentageBasis: input.percentageMargin)
    }
  }

  /// The used border and padding.
  static func edges(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) -> LogicalEdges {
    let physical = usedBorder(engine, box, input) + usedPadding(engine, box, input)
    return WritingDirection(engine.style(box)).logical(physical)
  }

  /// The margins in the axes of `direction`, usually the containing block's. `auto` margins are 0.
  static func logicalMargin(_ style: ComputedStyle, percentageBasis: LayoutUnit, in direction: WritingDirection) -> LogicalEdges {
    direction.logical(margin(style, percentageBasis: percentageBasis))
  }
}

// MARK: Flow-relative sizing properties

extension Sizing {
  /// The values of `inline-size`, `min-inline-size` and so on, in the style's own writing mode.
  struct LogicalSizes {
    var inline: SizeValue
    var block: SizeValue
    var minInline: SizeValue
    var minBlock: SizeValue
    var maxInline: SizeValue
    var maxBlock: SizeValue

    init(_ style: ComputedStyle) { self.init(style, isHorizontal: style.text.writingMode == .horizontalTb) }

    /// The values in the axes of another writing mode.
    init(_ style: ComputedStyle, isHorizontal: Bool) {
      if isHorizontal {
        inline = style.box.width; block = style.box.height
        minInline = style.box.minWidth; minBlock = style.box.minHeight
        maxInline = style.box.maxWidth; maxBlock = style.box.maxHeight
      } else {
        inline = style.box.height; block = style.box.width
        minInline = style.box.minHeight; minBlock = style.box.minWidth
        maxInline = style.box.maxHeight; maxBlock = style.box.maxWidth
      }
    }
  }

  /// The border-box size for a length. https://drafts.csswg.org/css-sizing-3/#box-sizing
  static func borderBox(_ length: LayoutUnit, _ style: ComputedStyle, edges: LayoutUnit) -> LayoutUnit {
    style.box.boxSizing == .borderBox ? max(length, edges) : length.clampedToZero + edges
  }

  /// The same in the inline axis, where the scrollbar gutter reduces the content box.
  static func inlineBorderBox(_ length: LayoutUnit, _ engine: LayoutEngine, _ box: BoxID, _ edges: LogicalEdges) -> LayoutUnit {
    let style = engine.style(box)
    guard style.box.scrollbar.gutter != .auto, style.box.boxSizing == .contentBox else {
      return borderBox(length, style, edges: edges.inlineSum)
    }
    let gutter = WritingDirection(style).logical(gutter(engine, box)).inlineSum
    return max(length.clampedToZero + edges.inlineSum - gutter, edges.inlineSum)
  }

  /// The content size under size containment in the inline axis; nil without it.
  /// https://drafts.csswg.org/css-contain-2/#containment-size
  static func containedInline(_ style: ComputedStyle) -> LayoutUnit? {
    if style.isUncontained { return nil }
    let isContained =
      style.box.containment.contains(.size) || style.box.containment.contains(.inlineSize) || style.box.containerType != .normal
      || style.box.contentVisibilityHidden
    guard isContained else { return nil }
    let isHorizontal = style.text.writingMode == .horizontalTb
    return LayoutUnit((isHorizontal ? style.box.containIntrinsicWidth : style.box.containIntrinsicHeight) ?? 0)
  }

  /// The content size under size containment in the block axis; nil without it.
  static func containedBlock(_ style: ComputedStyle) -> LayoutUnit? {
    guard !style.isUncontained,
      style.box.containment.contains(.size) || style.box.containerType == .size || style.box.contentVisibilityHidden
    else { return nil }
    let isHorizontal = style.text.writingMode == .horizontalTb
    return LayoutUnit((isHorizontal ? style.box.containIntrinsicHeight : style.box.containIntrinsicWidth) ?? 0)
  }

  static func isQuirksMode(_ engine: LayoutEngine) -> Bool { engine.tree.styled.document.quirksMode == .quirks }

  /// Whether a box is a scroll container, which `overflow: clip` is not.
  static func isScrollContainer(_ style: ComputedStyle) -> Bool {
    func scrolls(_ overflow: Overflow) -> Bool { overflow != .visible && overflow != .clip }
    return scrolls(style.box.overflowX) || scrolls(style.box.overflowY)
  }
}

extension ComputedStyle {
  /// Whether the box has no containment, is not a container for queries, and does not skip its contents. Only reads stored values, without
  /// copies.
  @inline(__always)
  var isUncontained: Bool { box.contain.isEmpty && box.contentVisibility == .visible && box.containerType == .normal }
}
