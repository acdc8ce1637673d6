internal import CSS
internal import CoreTypes

/// Cuts a continuous flow into columns. https://drafts.csswg.org/css-break-3/
enum FlowBreaker {
  /// What is not cut: a line, a picture; or, where `isSliceable`, an empty stretch of a box that may be cut anywhere.
  struct Atom {
    /// The block-start edge of the outermost box that begins with it.
    var start: LayoutUnit
    var end: LayoutUnit
    var isSliceable = false
    var isForced = false
    var avoidsBreakBefore = false
  }

  static func atoms(of flow: FragmentID, _ engine: LayoutEngine) -> [Atom] {
    var atoms: [Atom] = []
    collectChildren(flow, at: .zero, engine, into: &atoms, depth: 0)
    return atoms.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  private static func collectChildren(
    _ parent: FragmentID, at origin: LayoutUnit, _ engine: LayoutEngine, into atoms: inout [Atom], depth: Int
  ) {
    let children = engine.fragments.children(of: parent)
    let lines = children.filter { engine.fragments[$0.fragment].kind == .line }
    var lineIndex = 0
    let style = engine.fragments[parent].style.text
    var forcesNext = false
    for child in children {
      let fragment = engine.fragments[child.fragment]
      let top = origin + child.offset.y
      if fragment.kind == .line {
        let isGlued = lineIndex > 0 && (lineIndex < style.orphans || lineIndex > lines.count - style.widows)
        if isGlued, let last = atoms.indices.last {
          atoms[last].end = max(atoms[last].end, top + fragment.size.height)
        } else {
          atoms.append(Atom(start: top, end: top + fragment.size.height))
        }
        lineIndex += 1
        continue
      }
      let first = atoms.count
      collect(child, top: top, engine, into: &atoms, depth: depth)
      guard atoms.indices.contains(first) else { continue }
      if forcesNext || isForced(fragment.style.box.breakBefore) { atoms[first].isForced = true }
      if fragment.style.box.breakBefore == .avoid || fragment.style.box.breakBefore == .avoidColumn { atoms[first].avoidsBreakBefore = true }
      forcesNext = isForced(fragment.style.box.breakAfter)
    }
  }

  private static func isForced(_ value: BreakBetween) -> Bool {
    switch value {
    case .column, .always, .all: true
    default: false
    }
  }

  private static func collect(_ link: FragmentLink, top: LayoutUnit, _ engine: LayoutEngine, into atoms: inout [Atom], depth: Int) {
    let fragment = engine.fragments[link.fragment]
    let bottom = top + fragment.size.height
    guard !isMonolithic(fragment, engine), depth < 512 else {
      atoms.append(Atom(start: top, end: bottom))
      return
    }
    let first = atoms.count
    collectChildren(link.fragment, at: top, engine, into: &atoms, depth: depth + 1)
    guard atoms.indices.contains(first) else {
      atoms.append(Atom(start: top, end: bottom, isSliceable: true))
      return
    }
    atoms[first].start = min(atoms[first].start, top)
    let reached = atoms[first...].reduce(top) { max($0, $1.end) }
    let tail = fragment.border.bottom + fragment.padding.bottom
    if bottom - tail > reached { atoms.append(Atom(start: reached, end: bottom, isSliceable: true)) }
    else if bottom > reached, let last = atoms.indices.last { atoms[last].end = max(atoms[last].end, bottom) }
  }

  private static func isMonolithic(_ fragment: Fragment, _ engine: LayoutEngine) -> Bool {
    let box = engine.tree[fragment.box]
    switch fragment.style.box.breakInside {
    case .avoid, .avoidColumn: return true
    default: break
    }
    guard fragment.kind == .box, box.kind == .blockContainer else { return true }
    return box.isFloating || box.isInlineLevel || Sizing.isScrollContainer(fragment.style) || box.isOutsideMarker
  }

  /// The block offsets at which columns of `height` begin.
  static func breaks(_ atoms: [Atom], height: LayoutUnit, total: LayoutUnit) -> [LayoutUnit] {
    guard let first = atoms.first else { return [] }
    var result: [LayoutUnit] = [min(first.start, .zero)]
    var start = result[0]
    var index = 0
    var lastBreak = -1
    while index < atoms.count, result.count < 10_000 {
      let atom = atoms[index]
      if atom.isForced, index > 0, atom.start > start, lastBreak != index {
        start = atom.start
        result.append(start)
        lastBreak = index
      }
      guard atom.end - start > height else {
        index += 1
        continue
      }
      if atom.isSliceable, atom.start < start + height {
        start += height
        result.append(start)
        continue
      }
      var target = index
      while target > 0, atoms[target].avoidsBreakBefore, atoms[target - 1].start > start { target -= 1 }
      if atoms[target].start > start {
        start = atoms[target].start
        result.append(start)
        index = target
      } else {
        index += 1
      }
    }
    return result
  }

  /// The least column height with which the content takes at most `count` columns. https://drafts.csswg.org/css-multicol-1/#filling-columns
  static func balanced(_ atoms: [Atom], total: LayoutUnit, count: Int) -> LayoutUnit {
    let forced = atoms.dropFirst().filter(\.isForced).count
    let allowed = max(count, forced + 1)
    func fits(_ height: LayoutUnit) -> Bool {
      let starts = breaks(atoms, height: height, total: total)
      guard starts.count <= allowed else { return false }
      // Nothing sticks out of its column.
      var column = 0
      for atom in atoms {
        while column + 1 < starts.count, atom.start >= starts[column + 1] { column += 1 }
        if !atom.isSliceable, atom.end - starts[column] > height { return false }
      }
      return true
    }
    var low = max(Int32(1), (total / max(1, count)).raw), high = max(low, atoms.reduce(total) { max($0, $1.end) }.raw)
    while low < high {
      let middle = low + (high - low) / 2
      if fits(LayoutUnit(raw: middle)) { high = middle } else { low = middle + 1 }
    }
    return LayoutUnit(raw: low)
  }

  /// The part of a fragment between two block offsets of its parent; `column` is where the column ends.
  static func slice(
    _ link: FragmentLink, from start: LayoutUnit, to end: LayoutUnit, column: LayoutUnit, _ engine: LayoutEngine, depth: Int = 0
  ) -> FragmentLink? {
    let fragment = engine.fragments[link.fragment]
    let top = link.offset.y, bottom = top + fragment.size.height
    let isWhole = fragment.kind != .box || isMonolithic(fragment, engine) || depth >= 512
    if isWhole || (top >= start && bottom <= end) || bottom <= top { return top >= start && top < end ? link : nil }
    guard top < end, bottom > start else { return nil }
    let from = max(top, start), to = bottom > end ? max(from, min(end, max(column, from))) : bottom
    var children: [FragmentLink] = []
    for child in engine.fragments.children(of: link.fragment) {
      let inner = { (value: LayoutUnit) in value == .max || value == .min ? value : value - top }
      if var piece = slice(child, from: inner(start), to: inner(end), column: inner(column), engine, depth: depth + 1) {
        piece.offset.y += top - from
        children.append(piece)
      }
    }
    var part = fragment
    part.size.height = to - from
    if top < start {
      part.border.top = .zero
      part.padding.top = .zero
    }
    if bottom > end {
      part.border.bottom = .zero
      part.padding.bottom = .zero
    }
    part.overflow = LayoutRect(origin: .zero, size: part.size)
    return FragmentLink(fragment: engine.append(part, children: children), offset: LayoutPoint(x: link.offset.x, y: from))
  }
}
