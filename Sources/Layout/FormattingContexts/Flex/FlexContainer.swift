import OffprintCSS
import OffprintCoreTypes

/// The state of laying out or measuring a flex container.
struct FlexContainer {
  let engine: LayoutEngine
  let box: BoxID
  let style: ComputedStyle
  let direction: WritingDirection
  let input: LayoutInput
  let edges: LogicalEdges
  /// The border-box inline size; nil while measuring intrinsic sizes.
  let inlineSize: LayoutUnit?
  /// Content-box sizes; nil if indefinite.
  let contentInline: LayoutUnit?
  let definiteContentBlock: LayoutUnit?
  let isColumn: Bool
  let isMainReversed: Bool
  /// Set by `wrap-reverse`: cross-start is the end side of the axis.
  let isCrossReversed: Bool
  /// https://drafts.csswg.org/css-flexbox-1/#multi-line
  let isMultiLine: Bool
  let mainGap: LayoutUnit
  let crossGap: LayoutUnit
  /// `display: -webkit-box`: items only shrink if they may grow.
  let isWebkitBox: Bool

  var items: [FlexItem] = []
  var outOfFlow: [BoxID] = []
  var lines: [FlexLine] = []
  /// The inner sizes of the container, once determined.
  var mainSize = LayoutUnit.zero
  var crossSize = LayoutUnit.zero
  /// The intrinsic content-box block size.
  var contentBlock = LayoutUnit.zero

  init(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, inlineSize: LayoutUnit?) {
    self.engine = engine; self.box = box; self.input = input; self.edges = edges; self.inlineSize = inlineSize
    style = engine.style(box)
    direction = WritingDirection(style)
    let align = style.align
    isColumn = align.flexDirection == .column || align.flexDirection == .columnReverse
    isMainReversed = align.flexDirection == .rowReverse || align.flexDirection == .columnReverse
    isWebkitBox = style.box.display == .webkitBox || style.box.display == .webkitInlineBox
    isMultiLine = align.flexWrap != .nowrap && !isWebkitBox
    isCrossReversed = align.flexWrap == .wrapReverse && !isWebkitBox
    contentInline = inlineSize.map { ($0 - edges.inlineSum).clampedToZero }
    // A size from flexing in an indefinite container is not a basis for percentages.
    if input.fixedBlock != nil, !input.fixedBlockIsDefinite {
      definiteContentBlock = nil
    } else {
      let size = Sizing.definiteBlockSize(engine, box, input, edges: edges, inlineSize: inlineSize)
      definiteContentBlock = size.map { ($0 - edges.blockSum).clampedToZero }
    }
    // Percentages of an indefinite size resolve to zero. https://drafts.csswg.org/css-align-3/#gap-percent
    let columnGap = (align.columnGap?.resolve(contentInline ?? .zero) ?? .zero).clampedToZero
    let rowGap = (align.rowGap?.resolve(definiteContentBlock ?? .zero) ?? .zero).clampedToZero
    mainGap = isColumn ? rowGap : columnGap
    crossGap = isColumn ? columnGap : rowGap
  }

  /// The inner sizes of the container by axis; nil if indefinite.
  var definiteMain: LayoutUnit? { isColumn ? definiteContentBlock : contentInline }
  var definiteCross: LayoutUnit? { isColumn ? contentInline : definiteContentBlock }

  func main(_ size: LogicalSize) -> LayoutUnit { isColumn ? size.block : size.inline }
  func cross(_ size: LogicalSize) -> LayoutUnit { isColumn ? size.inline : size.block }
  func gaps(_ count: Int, _ gap: LayoutUnit) -> LayoutUnit { count > 1 ? gap * (count - 1) : .zero }

  // MARK: §9.1 Items

  /// In-flow children in order-modified document order. https://drafts.csswg.org/css-flexbox-1/#order-property
  mutating func collectItems() {
    var hasOrder = false
    for child in engine.tree.children(of: box) {
      if engine.tree[child].isOutOfFlow {
        outOfFlow.append(child)
      } else if !engine.tree[child].isOutsideMarker {
        items.append(makeItem(child))
        if engine.style(child).align.order != 0 { hasOrder = true }
      }
    }
    guard hasOrder else { return }
    let sorted = items.enumerated().sorted { a, b in
      let (x, y) = (a.element.style.align.order, b.element.style.align.order)
      return x != y ? x < y : a.offset < b.offset
    }
    items = sorted.map(\.element)
  }

  private func makeItem(_ child: BoxID) -> FlexItem {
    let style = engine.style(child)
    let childDirection = WritingDirection(style)
    let isParallel = childDirection.isParallel(to: direction)
    let basis = contentInline ?? .zero
    let margin = Sizing.logicalMargin(style, percentageBasis: basis, in: direction)
    let values = direction.logicalSides(style.box.margin)
    var edgesInput = LayoutInput(availableInline: contentInline)
    edgesInput.percentageMargin = basis
    let alignment = crossAlignment(of: child)
    let growFactor = Self.factor(style.align.flexGrow)
    let shrinkFactor = Self.factor(style.align.flexShrink)
    return FlexItem(
      box: child, style: style, direction: childDirection, isParallel: isParallel, isMainInline: isColumn != isParallel,
      edges: Sizing.edges(engine, child, edgesInput),
      margin: sides(margin.inlineStart, margin.inlineEnd, margin.blockStart, margin.blockEnd),
      isAutoMargin: sides(values.inlineStart.isAuto, values.inlineEnd.isAuto, values.blockStart.isAuto, values.blockEnd.isAuto),
      alignment: alignment.alignment, isSafe: alignment.isSafe, baseline: baselineSharing(style, alignment.alignment), grow: growFactor,
      shrink: isWebkitBox ? (growFactor > 0 ? 1 : 0) : shrinkFactor)
  }

  private static func factor(_ value: Float) -> Double { value.isFinite ? min(max(Double(value), 0), 1e9) : value > 0 ? 1e9 : 0 }

  /// Converts flow-relative to flex-relative sides.
  private func sides<Value>(_ inlineStart: Value, _ inlineEnd: Value, _ blockStart: Value, _ blockEnd: Value) -> FlexSides<Value> {
    let (main, cross) = isColumn ? ((blockStart, blockEnd), (inlineStart, inlineEnd)) : ((inlineStart, inlineEnd), (blockStart, blockEnd))
    return FlexSides(
      mainStart: isMainReversed ? main.1 : main.0, mainEnd: isMainReversed ? main.0 : main.1,
      crossStart: isCrossReversed ? cross.1 : cross.0, crossEnd: isCrossReversed ? cross.0 : cross.1)
  }

  // MARK: Inputs

  /// The input common to all layouts of an item, in its own axes: no fixed sizes, `auto` is fit-content.
  func itemInput(_ item: FlexItem) -> LayoutInput {
    let (inline, block) = item.isParallel ? (contentInline, definiteContentBlock) : (definiteContentBlock, contentInline)
    var result = LayoutInput(availableInline: inline, availableBlock: block)
    // https://drafts.csswg.org/css-writing-modes-4/#orthogonal-auto
    if inline == nil, !item.isParallel { result.availableInline = item.direction.logical(engine.viewport).inline }
    result.percentageMargin = contentInline ?? .zero
    result.autoInline = .fitContent
    result.isMeasure = input.isMeasure
    return result
  }

  func layout(_ item: FlexItem, main: LayoutUnit, cross: LayoutUnit?) throws -> LayoutResult {
    try engine.layout(item.box, flexedInput(item, main: main, cross: cross))
  }

  /// The input for an item with a known main size. Without a cross size, it is determined by the item's layout.
  func flexedInput(_ item: FlexItem, main: LayoutUnit, cross: LayoutUnit?) -> LayoutInput {
    var input = itemInput(item)
    if item.isMainInline {
      input.fixedInline = main
      input.fixedBlock = cross
    } else {
      input.fixedInline = cross
      input.fixedBlock = main
      // https://drafts.csswg.org/css-flexbox-1/#definite-sizes
      input.fixedBlockIsDefinite = definiteMain != nil || item.hasDefiniteBasis
    }
    return input
  }
}
