internal import OffprintCSS
internal import OffprintCoreTypes

// How the size of a box is divided among its fragments. https://drafts.csswg.org/css-break-3/#box-splitting
extension FragmentBuilder {
  /// Determines before layout whether the remainder of the box fits.
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

  /// The border-box block size of the whole box, given the border-box block size of its contents.
  func totalSize(_ input: LayoutInput, contents: LayoutUnit, inlineSize: LayoutUnit) -> LayoutUnit {
    let edges = sizingEdges
    let size = Sizing.blockSize(engine, box, input, edges: edges, contentBlock: contents, inlineSize: inlineSize)
    guard growsWithContents, contents > size else { return size }
    return max(size, min(contents, Sizing.explicitMinMaxBlock(engine, box, input, edges: edges).max))
  }

  /// The start edge of this fragment. https://drafts.csswg.org/css-break-3/#break-decoration
  var startEdge: LayoutUnit { isResuming && !clonesStart ? .zero : edges.blockStart }

  /// Whether each fragment has a start edge. https://drafts.csswg.org/css-break-3/#break-decoration
  var clonesStart: Bool { style.box.boxDecorationBreak == .clone && !isPastEnd && !state.contains(.isFragmentainer) }

  /// Whether this fragment has an end edge even if the box is broken in it.
  var clonesEnd: Bool { clonesStart && space?.blockSize != nil && !state.contains(.isKnownToFit) }

  /// Whether no break is made between the contents and the end edge, not even as a last resort. In Chromium this includes cells.
  private var keepsEndEdge: Bool { clonesEnd || space?.blockSize != nil && engine.tree[box].kind == .tableCell }

  /// Whether the end edge is in this fragment, judging by the breaks of the children.
  func includesEndEdge(isNewFormattingContext: Bool) -> Bool {
    if isPastEnd { return false }
    if !hasChildBreak || state.contains(.isKnownToFit) || clonesEnd { return true }
    return !isNewFormattingContext && !state.contains(.hasInFlowBreak)
  }

  /// Finishes the fragment of a column or page, and returns its block size.
  func finishFragmentainer(intrinsic: LayoutUnit) -> LayoutUnit {
    let size = space?.blockSize ?? intrinsic
    consumed = consumedBefore + size
    return size
  }

  /// Returns the block size of this fragment, given the block size of the whole box if it ended here and of the contents in this fragment.
  ///
  /// - Parameter endEdge: The border and padding at the end of this fragment.
  func finish(total: LayoutUnit, intrinsic: LayoutUnit, endEdge: LayoutUnit, floatsBroke: Bool) -> LayoutUnit {
    let desired = (total - consumedBefore).clampedToZero
    // A break before the end edge is a last resort, if there is content before it.
    let movableEdge = !keepsEndEdge && desired > endEdge ? endEdge : .zero
    // Unbreakable contents extend the box.
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
      // Content after the end of a box that clips it is invisible, so no fragments are created for it.
      status = .disablesFragmentation
    } else if isPastEnd || ends {
      breakPosition = .pastEnd
      consumed = consumedBefore + max(size, left)
    }
  }

  /// Breaks a box that does not fit, although its children do.
  private func breakSelf(desired: LayoutUnit, intrinsic: LayoutUnit, left: LayoutUnit) {
    // Edges are not broken. https://drafts.csswg.org/css-break-3/#possible-breaks
    if consumedBefore == .zero, left < edges.blockStart { lowerAppeal(to: .lastResort) }
    if kind == .column { note(shortage: desired - left) }
    guard desired <= intrinsic else { return }
    // Without a gap after the last child there is no opportunity of class C before the end edge.
    if earlyBreak != nil, early == nil { status = .needsEarlierBreak } else { lowerAppeal(to: .lastResort) }
  }

  var clipsBlockAxis: Bool { (direction.isHorizontal ? style.box.overflowY : style.box.overflowX) != .visible }
}
