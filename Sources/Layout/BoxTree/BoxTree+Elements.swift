internal import OffprintCoreTypes
internal import OffprintDOM

// The elements that layout knows by name.
extension BoxTree {
  /// Whether a box is the one of an HTML element.
  @inline(__always)
  func isElement(_ box: BoxID, _ name: Name) -> Bool { htmlName(of: box) == name }

  /// Form controls that are laid out as buttons are, as blocks too.
  @inline(__always)
  func isControl(_ box: BoxID) -> Bool {
    switch htmlName(of: box) {
    case .button, .input, .select: true
    default: false
    }
  }

  /// Form controls that are drawn whole, which are replaced elements here alone.
  func isDrawnControl(_ box: BoxID) -> Bool {
    let number = Int(self[box].replaced)
    guard self[box].kind == .replaced, replaced.indices.contains(number), case .control = replaced[number].kind else { return false }
    return true
  }

  /// A `meter` or `progress`: drawn whole here, but by the standard a box without contents of a specified size.
  func isGauge(_ box: BoxID) -> Bool {
    let number = Int(self[box].replaced)
    guard self[box].kind == .replaced, replaced.indices.contains(number) else { return false }
    switch replaced[number].kind {
    case .control(.progress, _), .control(.meter, _): return true
    default: return false
    }
  }

  /// Replaced as far as alignment goes: check boxes, ranges and gauges are not, and are stretched like other boxes.
  func isReplacedForAlignment(_ box: BoxID) -> Bool {
    let number = Int(self[box].replaced)
    guard self[box].kind == .replaced, replaced.indices.contains(number) else { return self[box].kind == .replaced }
    switch replaced[number].kind {
    case .control(.range, _), .control(.progress, _), .control(.meter, _), .control(.checkbox, _), .control(.radio, _): return false
    default: return true
    }
  }

  // Inlined: the caller would have to copy a tree that is a variable.
  @inline(__always)
  private func htmlName(of box: BoxID) -> Name? {
    let node = boxes[box.index].node
    guard boxes[box.index].pseudo == nil, !node.isNone, !boxes[box.index].isAnonymous else { return nil }
    guard styled.document[node].kind == .element, styled.document[node].namespace == .html else { return nil }
    return styled.document[node].name
  }
}
