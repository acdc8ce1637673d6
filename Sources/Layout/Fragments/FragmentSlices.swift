internal import OffprintCoreTypes

extension LayoutEngine {
  /// Sets the size of the parts after each fragment of a broken box, after all of its fragments are known.
  /// https://drafts.csswg.org/css-break-3/#break-decoration
  func completeSlices() {
    guard hasBrokenBoxes, !fragments.root.isNone else { return }
    var ends: [BoxID: LayoutUnit] = [:]
    forEachSlice { box, slice, size in
      ends[box] = max(ends[box] ?? .zero, slice.before + size)
    }
    forEachSlice { box, slice, size in
      slice.after = ((ends[box] ?? .zero) - slice.before - size).clampedToZero
    }
  }

  private func forEachSlice(_ body: (BoxID, inout FragmentSlice, LayoutUnit) -> Void) {
    var waiting = [fragments.root]
    while let id = waiting.popLast() {
      let fragment = fragments[id]
      if var slice = fragment.slice {
        body(fragment.box, &slice, WritingDirection(fragment.style).logical(fragment.size).block)
        fragments.fragments[id.index].slice = slice
      }
      for child in fragments.children(of: id) where fragments[child.fragment].kind == .box { waiting.append(child.fragment) }
    }
  }
}
