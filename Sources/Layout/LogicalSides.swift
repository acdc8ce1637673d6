import OffprintCSS
import OffprintCoreTypes

extension WritingDirection {
  /// Maps flow-relative values to physical sides. https://drafts.csswg.org/css-writing-modes-4/#logical-to-physical
  func sides<Value>(inlineStart: Value, inlineEnd: Value, blockStart: Value, blockEnd: Value) -> PhysicalSides<Value> {
    let (lineStart, lineEnd) = isFlippedInline ? (inlineEnd, inlineStart) : (inlineStart, inlineEnd)
    if isHorizontal { return PhysicalSides(top: blockStart, right: lineEnd, bottom: blockEnd, left: lineStart) }
    return isFlippedBlocks
      ? PhysicalSides(top: lineStart, right: blockStart, bottom: lineEnd, left: blockEnd)
      : PhysicalSides(top: lineStart, right: blockEnd, bottom: lineEnd, left: blockStart)
  }

  func sides<Value>(inlineStart: Value, inlineEnd: Value, block: Value) -> PhysicalSides<Value> {
    sides(inlineStart: inlineStart, inlineEnd: inlineEnd, blockStart: block, blockEnd: block)
  }
}
