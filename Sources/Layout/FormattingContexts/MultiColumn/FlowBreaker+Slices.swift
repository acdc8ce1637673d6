internal import CSS
internal import CoreTypes

// Cuts fragments at the ends of columns.

extension FlowBreaker {
  /// A column's part of the flow.
  struct Window {
    var start: LayoutUnit
    /// Where the next column begins.
    var end: LayoutUnit
    /// Where this one ends; what is between is left out.
    var columnEnd: LayoutUnit
  }

  /// A fragment, or a part of one. `offset.block` counts from the flow's start.
  struct Piece {
    var fragment: FragmentID
    var offset: LogicalOffset
    var shift: LayoutPoint
  }

  /// The children of the flow, as far as they are in the window.
  func pieces(of flow: FragmentID, _ window: Window) -> [Piece] { pieces(of: flow, top: .min, origin: .zero, window, depth: 0) }

  /// - Parameters:
  ///   - top: Where the parent begins.
  ///   - origin: What its children's offsets count from.
  private func pieces(of parent: FragmentID, top: LayoutUnit, origin: LayoutUnit, _ window: Window, depth: Int) -> [Piece] {
    let fragment = engine.fragments[parent]
    return engine.fragments.children(of: parent).compactMap { link in
      let place = place(link, in: fragment)
      let offset = LogicalOffset(inline: place.offset.inline, block: origin + place.offset.block)
      return slice(link.fragment, in: top, at: offset, shift: place.shift, window, depth: depth)
    }
  }

  private func slice(
    _ id: FragmentID, in parentTop: LayoutUnit, at offset: LogicalOffset, shift: LayoutPoint, _ window: Window, depth: Int
  ) -> Piece? {
    let fragment = engine.fragments[id]
    if isSpanner(fragment) { return nil }
    let top = offset.block, bottom = top + direction.logical(fragment.size).block
    let whole = Piece(fragment: id, offset: offset, shift: shift)
    if bottom <= top {
      // What takes no room stays in the column that it comes after, if its parent is there.
      let isBefore = top == window.start && parentTop < window.start, isAtEnd = top == window.end && parentTop < window.end
      return (top >= window.start && top < window.end && !isBefore) || isAtEnd ? whole : nil
    }
    if fragment.kind != .box || isMonolithic(fragment) || depth >= 512 {
      return top >= window.start && top < window.end ? whole : nil
    }
    if top >= window.start, bottom <= window.end, !holdsSpanner(fragment) { return whole }
    guard top < window.end, bottom > window.start else { return nil }
    let from = max(top, window.start), to = bottom > window.end ? max(from, min(window.end, max(window.columnEnd, from))) : bottom
    return Piece(
      fragment: part(of: id, fragment, top: top, bottom: bottom, from: from, to: to, window, depth: depth),
      offset: LogicalOffset(inline: offset.inline, block: from), shift: shift)
  }

  /// Spanning elements are never part of a column, so that what they are in is cut around them.
  private func holdsSpanner(_ fragment: Fragment, depth: Int = 0) -> Bool {
    guard depth < 512, fragment.kind == .box, !isMonolithic(fragment) else { return false }
    return fragment.children.contains { number in
      let child = engine.fragments[engine.fragments.links[number].fragment]
      return isSpanner(child) || holdsSpanner(child, depth: depth + 1)
    }
  }

  private func part(
    of id: FragmentID, _ fragment: Fragment, top: LayoutUnit, bottom: LayoutUnit, from: LayoutUnit, to: LayoutUnit, _ window: Window,
    depth: Int
  ) -> FragmentID {
    var part = fragment
    let inline = direction.logical(fragment.size).inline
    part.size = direction.physical(LogicalSize(inline: inline, block: to - from))
    let children = pieces(of: id, top: top, origin: top, window, depth: depth + 1).map { piece in
      let offset = LogicalOffset(inline: piece.offset.inline, block: piece.offset.block - from)
      let inner = engine.fragments[piece.fragment].size
      return FragmentLink(fragment: piece.fragment, offset: direction.physical(offset, outer: part.size, inner: inner) + piece.shift)
    }
    var border = direction.logical(part.border), padding = direction.logical(part.padding)
    if top < from {
      border.blockStart = .zero
      padding.blockStart = .zero
    }
    if bottom > window.end {
      border.blockEnd = .zero
      padding.blockEnd = .zero
    }
    part.border = direction.physical(border)
    part.padding = direction.physical(padding)
    part.overflow = LayoutRect(origin: .zero, size: part.size)
    part.columns = columns(of: fragment, from: from - top, to: to - top, in: part.size)
    return engine.append(part, children: children)
  }

  /// What is left of the columns of a multi-column container inside, for its rules.
  private func columns(of fragment: Fragment, from: LayoutUnit, to: LayoutUnit, in size: LayoutSize) -> Int32 {
    guard engine.fragments.columns.indices.contains(Int(fragment.columns)) else { return -1 }
    let parts = engine.fragments.columns[Int(fragment.columns)].compactMap { rect -> LayoutRect? in
      let offset = direction.logical(rect.origin, outer: fragment.size, inner: rect.size), whole = direction.logical(rect.size)
      let start = max(offset.block, from), end = min(offset.block + whole.block, to)
      guard end > start else { return nil }
      let inner = direction.physical(LogicalSize(inline: whole.inline, block: end - start))
      let place = LogicalOffset(inline: offset.inline, block: start - from)
      return LayoutRect(origin: direction.physical(place, outer: size, inner: inner), size: inner)
    }
    return engine.fragments.add(columns: parts)
  }
}
