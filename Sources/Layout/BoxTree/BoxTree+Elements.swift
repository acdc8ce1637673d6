internal import OffprintCoreTypes
internal import OffprintDOM

// Elements with special layout rules.
extension BoxTree {
  /// Whether a box is the principal box of an HTML element with this name.
  @inline(__always)
  func isElement(_ box: BoxID, _ name: Name) -> Bool { htmlName(of: box) == name }

  /// Whether the box is a form control with the layout rules of buttons, even if it is a block.
  @inline(__always)
  func isControl(_ box: BoxID) -> Bool {
    switch htmlName(of: box) {
    case .button, .input, .select: true
    default: false
    }
  }

  /// Whether the box is a form control painted as a unit. Here these are replaced elements; by the specification they are not.
  func isDrawnControl(_ box: BoxID) -> Bool {
    let number = Int(self[box].replaced)
    guard self[box].kind == .replaced, replaced.indices.contains(number), case .control = replaced[number].kind else { return false }
    return true
  }

  /// Whether the box is a `meter` or `progress`. Here these are replaced; by the specification they are empty boxes with specified sizes.
  func isGauge(_ box: BoxID) -> Bool {
    let number = Int(self[box].replaced)
    guard self[box].kind == .replaced, replaced.indices.contains(number) else { return false }
    switch replaced[number].kind {
    case .control(.progress, _), .control(.meter, _): return true
    default: return false
    }
  }

  /// Whether the box counts as replaced in alignment. Check boxes, ranges and gauges do not: they are stretched like other boxes.
  func isReplacedForAlignment(_ box: BoxID) -> Bool {
    let number = Int(self[box].replaced)
    guard self[box].kind == .replaced, replaced.indices.contains(number) else { return self[box].kind == .replaced }
    switch replaced[number].kind {
    case .control(.range, _), .control(.progress, _), .control(.meter, _), .control(.checkbox, _), .control(.radio, _): return false
    default: return true
    }
  }

  // Inlined to avoid a copy of the tree.
  @inline(__always)
  private func htmlName(of box: BoxID) -> Name? {
    let node = boxes[box.index].node
    guard boxes[box.index].pseudo == nil, !node.isNone, !boxes[box.index].isAnonymous else { return nil }
    guard styled.document[node].kind == .element, styled.document[node].namespace == .html else { return nil }
    return styled.document[node].name
  }
}
