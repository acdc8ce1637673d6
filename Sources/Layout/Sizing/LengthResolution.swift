internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// Used values of sizes and edges. Sizes are border-box sizes in the box's own writing mode unless said otherwise.
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

  /// `auto` is 0.
  static func margin(_ style: ComputedStyle, percentageBasis: LayoutUnit) -> LayoutEdges {
    func used(_ value: LengthPercentageAuto) -> LayoutUnit {
      if case .value(let length) = value { length.resolve(percentageBasis) } else { .zero }
    }
    return LayoutEdges(
      top: used(style.box.margin.top), right: used(style.box.margin.right), bottom: used(style.box.margin.bottom),
      left: used(style.box.margin.left))
  }

  /// The border of a box as its own layout sees it: none for parts of tables other than the wrapper, the grid and cells.
  static func usedBorder(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) -> LayoutEdges {
    switch engine.tree[box].kind {
    case .tableRowGroup, .tableRow, .tableColumnGroup, .tableColumn, .tableWrapper: .zero
    case .tableCell: input.tableCell?.border ?? border(engine.style(box))
    default: border(engine.style(box)) + gutter(engine, box)
    }
  }

  /// The room for a scroll bar that is kept free whether there is one or not, between border and padding: part of `usedBorder`. On Linux
  /// Chromium keeps it though it draws no scroll bars on screenshots. https://drafts.csswg.org/css-overflow-3/#scrollbar-gutter-property
  static func gutter(_ engine: LayoutEngine, _ box: BoxID) -> LayoutEdges {
    if box.index == 0 {
      // That of the root element is the viewport's.
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

  /// In fragments the gutter is where the padding is: borders are painted without it.
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

  /// Border and padding together.
  static func edges(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput) -> LogicalEdges {
    let physical = usedBorder(engine, box, input) + usedPadding(engine, box, input)
    return WritingDirection(engine.style(box)).logical(physical)
  }

  /// Margins in the axes of `direction`, which is the containing block's unless the box itself is meant; `auto` is 0.
  static func logicalMargin(_ style: ComputedStyle, percentageBasis: LayoutUnit, in direction: WritingDirection) -> LogicalEdges {
    direction.logical(margin(style, percentageBasis: percentageBasis))
  }
}

// MARK: Flow-relative values of sizing properties

extension Sizing {
  /// `inline-size`, `min-inline-size` and so on of a style, by its own writing mode.
  struct LogicalSizes {
    var inline: SizeValue
    var block: SizeValue
    var minInline: SizeValue
    var minBlock: SizeValue
    var maxInline: SizeValue
    var maxBlock: SizeValue

    init(_ style: ComputedStyle) { self.init(style, isHorizontal: style.text.writingMode == .horizontalTb) }

    /// By the axes of another writing mode.
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

  /// What a length comes to as a border-box size. https://drafts.csswg.org/css-sizing-3/#box-sizing
  static func borderBox(_ length: LayoutUnit, _ style: ComputedStyle, edges: LayoutUnit) -> LayoutUnit {
    style.box.boxSizing == .borderBox ? max(length, edges) : length.clampedToZero + edges
  }

  /// The same in the inline axis, where the gutter of a scroll bar is taken from the content.
  static func inlineBorderBox(_ length: LayoutUnit, _ engine: LayoutEngine, _ box: BoxID, _ edges: LogicalEdges) -> LayoutUnit {
    let style = engine.style(box)
    guard style.box.scrollbar.gutter != .auto, style.box.boxSizing == .contentBox else {
      return borderBox(length, style, edges: edges.inlineSum)
    }
    let gutter = WritingDirection(style).logical(gutter(engine, box)).inlineSum
    return max(length.clampedToZero + edges.inlineSum - gutter, edges.inlineSum)
  }

  /// Size containment of the inline axis: the content size that stands for the contents.
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

  /// Size containment of the block axis: the content size that stands for the contents.
  static func containedBlock(_ style: ComputedStyle) -> LayoutUnit? {
    guard !style.isUncontained,
      style.box.containment.contains(.size) || style.box.containerType == .size || style.box.contentVisibilityHidden
    else { return nil }
    let isHorizontal = style.text.writingMode == .horizontalTb
    return LayoutUnit((isHorizontal ? style.box.containIntrinsicHeight : style.box.containIntrinsicWidth) ?? 0)
  }

  static func isQuirksMode(_ engine: LayoutEngine) -> Bool { engine.tree.styled.document.quirksMode == .quirks }

  /// Whether a box is a scroll container: its automatic minimum size as an item is zero. `overflow: clip` is not.
  static func isScrollContainer(_ style: ComputedStyle) -> Bool {
    func scrolls(_ overflow: Overflow) -> Bool { overflow != .visible && overflow != .clip }
    return scrolls(style.box.overflowX) || scrolls(style.box.overflowY)
  }
}

extension ComputedStyle {
  /// Neither containment of any kind nor a container of queries nor skipped contents. Read from stored values, which copies nothing.
  @inline(__always)
  var isUncontained: Bool { box.contain.isEmpty && box.contentVisibility == .visible && box.containerType == .normal }
}
