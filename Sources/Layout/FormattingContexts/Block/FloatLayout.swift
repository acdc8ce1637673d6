internal import OffprintCSS
internal import OffprintCoreTypes

extension LayoutInput {
  /// The input of a child in a containing block. The axes are swapped if the child is an orthogonal flow.
  ///
  /// https://drafts.csswg.org/css-writing-modes-4/#orthogonal-auto
  init(
    _ engine: LayoutEngine, child: BoxID, parent: WritingDirection, availableInline: LayoutUnit?, availableBlock: LayoutUnit?,
    percentageInline: LayoutUnit?, percentageBlock: LayoutUnit?
  ) {
    let direction = WritingDirection(engine.style(child))
    if direction.isParallel(to: parent) {
      self.init(availableInline: availableInline, availableBlock: availableBlock)
      self.percentageInline = percentageInline
      self.percentageBlock = percentageBlock
    } else {
      let inline = availableBlock ?? Self.orthogonalFallback(engine, parentOf: child, parent)
      self.init(availableInline: inline, availableBlock: availableInline)
      self.percentageInline = percentageBlock ?? inline
      self.percentageBlock = percentageInline
      autoInline = .fitContent
    }
    percentageMargin = percentageInline ?? .zero
    if engine.tree.isControl(child) || engine.tree[child].kind == .tableWrapper { autoInline = .fitContent }
  }

  /// The available inline size of an orthogonal flow whose containing block has an indefinite block size: that of the viewport, limited by
  /// the size and maximum size of the containing block.
  ///
  /// https://drafts.csswg.org/css-writing-modes-4/#orthogonal-auto
  private static func orthogonalFallback(_ engine: LayoutEngine, parentOf child: BoxID, _ parent: WritingDirection) -> LayoutUnit {
    var size = parent.logical(engine.viewport).block
    let box = engine.tree[child].parent
    guard !box.isNone else { return size }
    let style = engine.style(box), sizes = Sizing.LogicalSizes(style)
    let edges = parent.logical(Sizing.border(style) + Sizing.padding(style, percentageBasis: .zero)).blockSum
    func fixed(_ value: SizeValue) -> LayoutUnit? {
      guard case .value(.length(let px)) = value else { return nil }
      return Sizing.borderBox(LayoutUnit(px), style, edges: edges) - edges
    }
    if let maximum = fixed(sizes.maxBlock) { size = min(size, maximum) }
    if let minimum = fixed(sizes.minBlock) { size = max(size, minimum) }
    return size
  }
}

/// The containing block of floats, in the coordinates of its block formatting context.
struct FloatContainer {
  var direction: WritingDirection
  /// The content box's line-left edge, and its inline size.
  var lineLeft: LayoutUnit
  var inlineSize: LayoutUnit
  /// The percentage basis of children's block sizes.
  var percentageBlock: LayoutUnit?
  var availableBlock: LayoutUnit?
  /// Set in a fragmentainer, where floats may break.
  var builder: FragmentBuilder?

  func childInput(_ engine: LayoutEngine, _ child: BoxID) -> LayoutInput {
    LayoutInput(
      engine, child: child, parent: direction, availableInline: inlineSize, availableBlock: availableBlock, percentageInline: inlineSize,
      percentageBlock: percentageBlock)
  }
}

/// A positioned float.
struct PositionedFloat {
  var result: LayoutResult
  /// The border box's line-left block-start corner in the block formatting context.
  var lineLeft: LayoutUnit
  var blockOffset: LayoutUnit
}

/// A float laid out but not yet placed.
struct UnpositionedFloat {
  var box: BoxID
  var result: LayoutResult
  /// Border-box size and margins in the containing block's axes.
  var size: LogicalSize
  var margin: LogicalEdges
  /// The inline size of the margin box, which must fit.
  var marginInline: LayoutUnit { size.inline + margin.inlineSum }
}

/// https://www.w3.org/TR/CSS22/visuren.html#float-position
enum FloatLayout {
  static func layout(_ engine: LayoutEngine, _ float: BoxID, in container: FloatContainer) throws -> UnpositionedFloat {
    var input = container.childInput(engine, float)
    input.autoInline = .fitContent
    let result = try engine.layout(float, input)
    return UnpositionedFloat(
      box: float, result: result, size: container.direction.logical(result.size),
      margin: Sizing.logicalMargin(engine.style(float), percentageBasis: container.inlineSize, in: container.direction))
  }

  /// Places a float as high as possible at or below `blockOffset`, and adds it to `exclusions`.
  static func place(
    _ engine: LayoutEngine, _ float: UnpositionedFloat, in container: FloatContainer, blockOffset: LayoutUnit,
    exclusions: inout ExclusionSpace
  ) throws -> PositionedFloat {
    let style = engine.style(float.box)
    let side: ExclusionSpace.Side = style.box.float == .right ? .right : .left
    let isLTR = !container.direction.isRTL
    let marginLeft = isLTR ? float.margin.inlineStart : float.margin.inlineEnd
    var top = max(blockOffset, exclusions.lastFloatBlockStart)
    top = max(top, exclusions.clearance(for: style.box.clear), side == .left ? exclusions.letterEnd.left : exclusions.letterEnd.right)
    let space = try exclusions.opportunity(
      engine, blockOffset: top, minInline: float.marginInline, blockSize: .zero, lineLeft: container.lineLeft,
      lineRight: container.lineLeft + container.inlineSize, isFloat: true)
    let left = side == .left ? space.lineLeft : space.lineRight - float.marginInline
    let marginBlock = float.size.block + float.margin.blockSum
    exclusions.add(
      ExclusionSpace.Exclusion(
        lineLeft: left, lineRight: left + float.marginInline.clampedToZero, blockStart: space.blockOffset,
        blockEnd: space.blockOffset + marginBlock.clampedToZero, side: side,
        shape: ShapeOutside.exclusion(engine, float, direction: container.direction, percentageBasis: container.inlineSize)))
    return PositionedFloat(
      result: float.result, lineLeft: left + marginLeft, blockOffset: space.blockOffset + float.margin.blockStart)
  }
}
