internal import OffprintCSS
internal import OffprintCoreTypes

/// The break information of a float, applied to its container once the float's placement is final.
final class BrokenFloat {
  let child: BreakChild
  /// Whether the entire float is in the next fragmentainer.
  let isPushed: Bool
  let shortage: LayoutUnit?

  init(_ child: BreakChild, isPushed: Bool, shortage: LayoutUnit?) {
    self.child = child; self.isPushed = isPushed; self.shortage = shortage
  }
}

// Floats are parallel flows. https://drafts.csswg.org/css-break-3/#parallel-flows
extension FloatLayout {
  /// Like `place`, with fragmentation.
  static func place(
    _ engine: LayoutEngine, _ box: BoxID, in container: FloatContainer, _ builder: FragmentBuilder, _ token: BreakToken?,
    blockOffset: LayoutUnit, exclusions: inout ExclusionSpace
  ) throws -> (float: PositionedFloat, broken: BrokenFloat) {
    var float = try layout(engine, box, in: container)
    if token?.isInside == true { float.margin.blockStart = .zero }
    if token?.isAtBlockEnd == true { float.margin.blockEnd = .zero }
    // The position only depends on its inline size, which fragmentation does not change.
    var probe = exclusions
    let offset = try place(engine, float, in: container, blockOffset: blockOffset, exclusions: &probe).blockOffset
    builder.childToken = token
    defer { builder.childToken = nil }
    var input = container.childInput(engine, box)
    input.autoInline = .fitContent
    float.result = try builder.layingOut(box, input, formattingContextAt: offset) { try engine.layout(box, $0) }
    float.size = container.direction.logical(float.result.size)
    var child = BreakChild(engine, box, float.result, container.direction)
    child.isInParallelFlow = true
    if child.result == nil { child.blockSize += float.margin.blockEnd }
    if child.continuesInParentFlow { float.margin.blockEnd = .zero }
    let start = builder.fragmentainerOffset(offset)
    let shortage = shortage(child, at: start, builder)
    let style = engine.style(box).box, side: ExclusionSpace.Breaks = style.float == .right ? .right : .left
    if needsBreak(before: child, at: start, float.margin, builder) || token?.isInside != true && isPushed(style.clear, exclusions) {
      exclusions.breaks.formUnion([side, .isBeforeFloat])
      pushBehind(builder, style.float == .right ? .right : .left, container, &exclusions)
      let positioned = PositionedFloat(result: float.result, lineLeft: container.lineLeft, blockOffset: offset)
      return (positioned, BrokenFloat(child, isPushed: true, shortage: shortage))
    }
    if child.continuesInParentFlow { exclusions.breaks.insert(side) }
    let positioned = try place(engine, float, in: container, blockOffset: blockOffset, exclusions: &exclusions)
    return (positioned, BrokenFloat(child, isPushed: false, shortage: child.result?.token == nil ? nil : shortage))
  }

  private static func isPushed(_ clear: Clear, _ exclusions: ExclusionSpace) -> Bool {
    exclusions.breaks.contains(.isBeforeFloat) || exclusions.isPushed(clearing: clear)
  }

  /// Whether the float starts in the next fragmentainer. Its margins neither break nor truncate.
  private static func needsBreak(
    before child: BreakChild, at start: LayoutUnit, _ margin: LogicalEdges, _ builder: FragmentBuilder
  ) -> Bool {
    guard let capacity = builder.capacityForChildren, child.isFirst, start - margin.blockStart > .zero else { return false }
    let left = capacity - start
    if left < .zero || left == .zero && child.continuesInParentFlow || child.blockSize > left { return true }
    let isBroken = child.result?.token?.isInside == true || child.appealInside(builder.kind) < .perfect
    if isBroken, child.appealInside(builder.kind) < .perfect { return true }
    return !child.continuesInParentFlow && child.result != nil && child.blockSize + margin.blockEnd > left
  }

  private static func shortage(_ child: BreakChild, at start: LayoutUnit, _ builder: FragmentBuilder) -> LayoutUnit? {
    guard builder.kind == .column, let capacity = builder.capacityForChildren else { return nil }
    return child.result?.shortage ?? start + child.blockSize - capacity
  }

  /// Extends the container to the end of the fragmentainer, because a float continues in the next one.
  private static func pushBehind(
    _ builder: FragmentBuilder, _ side: ExclusionSpace.Side, _ container: FloatContainer, _ exclusions: inout ExclusionSpace
  ) {
    guard let capacity = builder.capacityForChildren else { return }
    let end = capacity - builder.fragmentainerOffset(.zero)
    exclusions.add(
      ExclusionSpace.Exclusion(lineLeft: container.lineLeft, lineRight: container.lineLeft, blockStart: end, blockEnd: end, side: side))
  }
}

extension FragmentBuilder {
  /// Records the break information of a float.
  ///
  /// - Parameter offset: Its border edge, relative to that of the box.
  func take(_ float: BrokenFloat, at offset: LayoutUnit, isInLine: Bool) {
    note(shortage: float.shortage)
    if float.isPushed {
      breakBefore(float.child.box, forced: false)
    } else {
      var child = float.child
      child.isFloatInLine = isInLine
      take(child, at: offset)
      if !isInLine, child.result == nil, space?.isMeasuringColumns == true { note(unbreakable: child.blockSize) }
    }
  }
}
