internal import OffprintCSS
internal import OffprintCoreTypes

// How the size of a box is divided among its fragments. https://drafts.csswg.org/css-break-3/#box-splitting
extension FragmentBuilder {
  /// Before layout: whether the rest of the box finds room.
  ///
  /// - Parameter largest: The block size of the whole box if its contents were as large as possible.
  func begin(largest: LayoutUnit) {
    if let space, let left = spaceLeft, !state.contains(.isFragmentainer) {
      if space.requiresContent { state.insert(.requiresContent) }
      if largest != .max, largest - consumedBefore <= left {
        state.insert(.isKnownToFit)
        if !isResuming { state.insert(.requiresContent) }
      }
    }
    if space?.isMeasuringColumns == true, !state.contains(.isFragmentainer) {
      note(unbreakable: startEdge)
      note(unbreakable: edges.blockEnd)
    }
  }

  /// The block size of the whole box by that of its contents, both with their edges.
  func totalSize(_ input: LayoutInput, contents: LayoutUnit, inlineSize: LayoutUnit) -> LayoutUnit {
    let edges = sizingEdges
    let size = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: contents, inlineSize: inlineSize)
    guard growsWithContents, contents > size else { return size }
    return max(size, min(contents, Sizing.explicitMinMaxBlock(engine, box, input, edges: edges).max))
  }

  /// The start edge of this fragment. https://drafts.csswg.org/css-break-3/#break-decoration
  var startEdge: LayoutUnit { isResuming && !clonesStart ? .zero : edges.blockStart }

  /// Each fragment has a start edge. https://drafts.csswg.org/css-break-3/#break-decoration
  var clonesStart: Bool { style.box.boxDecorationBreak == .clone && !isPastEnd && !state.contains(.isFragmentainer) }

  /// This fragment has an end edge even if the box is broken in it.
  var clonesEnd: Bool { clonesStart && space?.blockSize != nil && !state.contains(.isKnownToFit) }

  /// No break is made between the contents and the end edge, not even as a last resort. In Chromium that goes for cells, too.
  private var keepsEndEdge: Bool { clonesEnd || space?.blockSize != nil && engine.tree[box].kind == .tableCell }

  /// Whether the end edge is in this fragment, as far as the children tell.
  func includesEndEdge(isNewFormattingContext: Bool) -> Bool {
    if isPastEnd { return false }
    if !hasChildBreak || state.contains(.isKnownToFit) || clonesEnd { return true }
    return !isNewFormattingContext && !state.contains(.hasInFlowBreak)
  }

  /// The sizes of the fragment of a column or page.
  func finishFragmentainer(intrinsic: LayoutUnit) -> LayoutUnit {
    let size = space?.blockSize ?? intrinsic
    consumed = consumedBefore + size
    return size
  }

  /// The block size of this fragment, by that of the whole box if it ended here and that of the contents in it.
  ///
  /// - Parameter endEdge: Of this fragment.
  func finish(total: LayoutUnit, intrinsic: LayoutUnit, endEdge: LayoutUnit, floatsBroke: Bool) -> LayoutUnit {
    let desired = (total - consumedBefore).clampedToZero
    // Before the end edge there is a last resort, as long as something is before it.
    let movableEdge = !keepsEndEdge && desired > endEdge ? endEdge : .zero
    // What cannot be broken takes the box along.
    let left = spaceLeft.map { max($0, intrinsic - movableEdge) }
    var size = desired
    if !foundSpanner.isNone { state.insert(.splitsSize) }
    if isPastEnd {
      size = .zero
    } else if !foundSpanner.isNone {
      size = (min(size, intrinsic) - endEdge).clampedToZero
    } else if let left, desired > left {
      size = min(desired - movableEdge, left)
      if size < desired { state.insert(.splitsSize) }
    }
    consumed = consumedBefore + size
    guard foundSpanner.isNone, space != nil else { return size }
    finishBreaks(
      desired: desired, intrinsic: intrinsic, size: size, left: left, isBrokenByChild: state.contains(.hasInFlowBreak) || floatsBroke)
    return size
  }

  private func finishBreaks(desired: LayoutUnit, intrinsic: LayoutUnit, size: LayoutUnit, left: LayoutUnit?, isBrokenByChild: Bool) {
    guard let left else {
      if !isBrokenByChild || isPastEnd { breakPosition = .pastEnd }
      return
    }
    guard hasChildBreak else {
      if desired > left { breakSelf(desired: desired, intrinsic: intrinsic, left: left) } else { breakPosition = .pastEnd }
      return
    }
    let ends = desired <= left && (!isBrokenByChild || state.contains(.isKnownToFit))
    if !isPastEnd, ends, clipsBlockAxis {
      // What goes on behind the end of a box that clips it is not seen: no fragments are made for it.
      status = .disablesFragmentation
    } else if isPastEnd || ends {
      breakPosition = .pastEnd
      consumed = consumedBefore + max(size, left)
    }
  }

  /// The box is too large, while its children find room.
  private func breakSelf(desired: LayoutUnit, intrinsic: LayoutUnit, left: LayoutUnit) {
    // Edges are not broken. https://drafts.csswg.org/css-break-3/#possible-breaks
    if consumedBefore == .zero, left < edges.blockStart { lowerAppeal(to: .lastResort) }
    if kind == .column { note(shortage: desired - left) }
    guard desired <= intrinsic else { return }
    // Without a gap behind the last child there is no opportunity of class C before the end edge.
    if earlyBreak != nil, early == nil { status = .needsEarlierBreak } else { lowerAppeal(to: .lastResort) }
  }

  var clipsBlockAxis: Bool { (direction.isHorizontal ? style.box.overflowY : style.box.overflowX) != .visible }
}
