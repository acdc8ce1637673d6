internal import CSS
internal import CoreTypes

/// Finds where a continuous flow can be cut into columns. https://drafts.csswg.org/css-break-3/
///
/// Block offsets count from the flow's block-start edge.
struct FlowBreaker {
  let engine: LayoutEngine
  let direction: WritingDirection

  /// What is not cut: lines, a picture; or, where `isSliceable`, an empty stretch of a box that may be cut anywhere.
  struct Atom {
    /// The block-start edge of the outermost box that begins with it.
    var start: LayoutUnit
    var end: LayoutUnit
    var isSliceable = false
    var isForced = false
    var avoidsBreakBefore = false
    /// The margin that is kept at a forced break.
    var margin = LayoutUnit.zero
    /// Lines kept together by `orphans` and `widows`, which part where there is no other way.
    var lines: [LayoutUnit] = []
    /// What a column must have room for: as many of the first lines as `orphans` asks for.
    var least = LayoutUnit.zero
    /// Those of them that only `widows` keeps to the first lines: columns are not made longer for it.
    var widows: [LayoutUnit] = []
  }

  /// An element that spans all columns.
  struct Spanner {
    var fragment: FragmentID
    var box: BoxID
    var inline: LayoutUnit
    var start: LayoutUnit
    var end: LayoutUnit
    var shift: LayoutPoint
  }

  struct Content {
    var atoms: [Atom] = []
    /// Number of the atom with the first line of the block container whose lines are being added.
    var firstLine = 0
    var spanners: [Spanner] = []
  }

  init(_ engine: LayoutEngine, _ direction: WritingDirection) { self.engine = engine; self.direction = direction }

  // MARK: Geometry

  /// A child's offset in its parent, relative positioning undone, and that.
  func place(_ link: FragmentLink, in parent: Fragment) -> (offset: LogicalOffset, shift: LayoutPoint) {
    let child = engine.fragments[link.fragment]
    var shift = LayoutPoint.zero
    if child.kind == .box, child.style.box.position == .relative, !engine.tree[child.box].isTextual {
      shift = Sizing.relativeOffset(
        engine, child.box, width: parent.size.width, height: nil, direction: WritingDirection(parent.style))
    }
    let point = LayoutPoint(x: link.offset.x - shift.x, y: link.offset.y - shift.y)
    return (direction.logical(point, outer: parent.size, inner: child.size), shift)
  }

  func isMonolithic(_ fragment: Fragment) -> Bool {
    let box = engine.tree[fragment.box]
    switch fragment.style.box.breakInside {
    case .avoid, .avoidColumn: return true
    default: break
    }
    guard fragment.kind == .box, box.kind == .blockContainer else { return true }
    guard fragment.style.text.writingMode == direction.mode else { return true }
    return box.isFloating || box.isInlineLevel || Sizing.isScrollContainer(fragment.style) || box.isOutsideMarker
      || Sizing.containedBlock(fragment.style) != nil
  }

  /// A spanning element of this container, not of one in it.
  func isSpanner(_ fragment: Fragment) -> Bool {
    fragment.kind == .box && fragment.style.align.columnSpan == .all && MultiColumnLayout.isSpanner(fragment.box, engine)
  }

  // MARK: Atoms

  func content(of flow: FragmentID) -> Content {
    var content = Content()
    _ = collectChildren(flow, at: .zero, into: &content, depth: 0)
    content.atoms = content.atoms.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    content.spanners.sort { $0.start < $1.start }
    return content
  }

  private struct Link {
    var link: FragmentLink
    var top: LayoutUnit
    var inline: LayoutUnit
    var shift: LayoutPoint
  }

  /// - Returns: what the last child says about a break behind it.
  private func collectChildren(_ parent: FragmentID, at origin: LayoutUnit, into content: inout Content, depth: Int) -> BreakBetween {
    let fragment = engine.fragments[parent]
    let children = engine.fragments.children(of: parent).map { link -> Link in
      let place = place(link, in: fragment)
      return Link(link: link, top: origin + place.offset.block, inline: place.offset.inline, shift: place.shift)
    }
    let lineCount = children.reduce(0) { $0 + (engine.fragments[$1.link.fragment].kind == .line ? 1 : 0) }
    var lineIndex = 0
    var behind = BreakBetween.auto
    for child in children {
      let piece = engine.fragments[child.link.fragment]
      if piece.kind == .line {
        addLine(child, lineIndex, of: lineCount, fragment.style.text, into: &content)
        lineIndex += 1
        behind = .auto
        continue
      }
      guard piece.kind != .box || !engine.tree[piece.box].isOutOfFlow else { continue }
      let first = content.atoms.count
      let inner = collect(child, into: &content, depth: depth)
      if content.atoms.indices.contains(first) {
        let before = piece.style.box.breakBefore
        if Self.isForced(behind) || Self.isForced(before) { content.atoms[first].isForced = true }
        if Self.avoids(behind) || Self.avoids(before) { content.atoms[first].avoidsBreakBefore = true }
        if content.atoms[first].start == child.top {
          let margin = Sizing.logicalMargin(piece.style, percentageBasis: fragment.size.width, in: direction).blockStart
          content.atoms[first].margin = max(content.atoms[first].margin, margin)
        }
      }
      if engine.tree[piece.box].isInFlow { behind = Self.joined(inner, piece.style.box.breakAfter) }
    }
    return behind
  }

  private static func joined(_ inner: BreakBetween, _ outer: BreakBetween) -> BreakBetween {
    isForced(inner) || (avoids(inner) && !isForced(outer)) ? inner : outer
  }

  private func addLine(_ child: Link, _ index: Int, of count: Int, _ style: TextStyle, into content: inout Content) {
    let end = child.top + direction.logical(engine.fragments[child.link.fragment].size).block
    if index == 0 {
      content.firstLine = content.atoms.count
    } else if index < style.orphans, content.atoms.indices.contains(content.firstLine) {
      content.atoms[content.firstLine].least = end - content.atoms[content.firstLine].start
    }
    let isGlued = index > 0 && (index < style.orphans || index > count - style.widows)
    if isGlued, let last = content.atoms.indices.last {
      content.atoms[last].end = max(content.atoms[last].end, end)
      content.atoms[last].lines.append(child.top)
      if index >= style.orphans, last == content.firstLine { content.atoms[last].widows.append(child.top) }
    } else {
      content.atoms.append(Atom(start: child.top, end: end))
    }
  }

  private static func isForced(_ value: BreakBetween) -> Bool { value == .column || value == .always || value == .all }
  private static func avoids(_ value: BreakBetween) -> Bool { value == .avoid || value == .avoidColumn }

  private func collect(_ child: Link, into content: inout Content, depth: Int) -> BreakBetween {
    let fragment = engine.fragments[child.link.fragment]
    let top = child.top, bottom = top + direction.logical(fragment.size).block
    if isSpanner(fragment) {
      content.spanners.append(
        Spanner(fragment: child.link.fragment, box: fragment.box, inline: child.inline, start: top, end: bottom, shift: child.shift))
      return .auto
    }
    guard !isMonolithic(fragment), depth < 512 else {
      content.atoms.append(Atom(start: top, end: bottom))
      return .auto
    }
    let first = content.atoms.count, firstSpanner = content.spanners.count
    let behind = collectChildren(child.link.fragment, at: top, into: &content, depth: depth + 1)
    let hasSpanner = content.spanners.count > firstSpanner
    guard content.atoms.indices.contains(first) else {
      // Between the edges of an empty box is nothing to cut.
      let hasContent = bottom - top > direction.logical(fragment.border + fragment.padding).blockSum
      if !hasSpanner { content.atoms.append(Atom(start: top, end: bottom, isSliceable: hasContent)) }
      return behind
    }
    if !hasSpanner || content.spanners[firstSpanner].start > content.atoms[first].start {
      content.atoms[first].start = min(content.atoms[first].start, top)
    }
    let reached = content.atoms[first...].reduce(top) { max($0, $1.end) }
    let edges = direction.logical(fragment.border + fragment.padding)
    let isSpannerLast = (content.spanners.last?.end ?? .min) > reached
    if isSpannerLast { return behind }
    if bottom - edges.blockEnd > reached {
      content.atoms.append(Atom(start: reached, end: bottom, isSliceable: true))
    } else if bottom > reached, let last = content.atoms.indices.last {
      content.atoms[last].end = max(content.atoms[last].end, bottom)
    }
    return behind
  }

  // MARK: Breaks

  /// The block offsets at which columns of `height` begin.
  func breaks(_ atoms: [Atom], from origin: LayoutUnit, height: LayoutUnit) throws -> [LayoutUnit] {
    guard let first = atoms.first else { return [] }
    var result: [LayoutUnit] = [min(first.start, origin)]
    var start = result[0]
    var index = 0
    var lastForced = -1
    while index < atoms.count, result.count < 10_000 {
      try engine.tick()
      let atom = atoms[index]
      if atom.isForced, index > 0, atom.start > start, lastForced != index {
        // The margin before a forced break is dropped, the one behind it stays.
        start = max(atoms[index - 1].end, atom.start - atom.margin.clampedToZero)
        result.append(start)
        lastForced = index
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
      if atoms[target].start > start, target > 0 {
        start = atoms[target].start
        result.append(start)
        index = target
      } else if let line = atom.lines.last(where: { $0 > start && $0 <= start + height }) {
        start = line
        result.append(start)
      } else {
        index += 1
      }
    }
    return result
  }

  /// The least column height with which the content takes at most `count` columns. https://drafts.csswg.org/css-multicol-1/#filling-columns
  func balanced(_ atoms: [Atom], from origin: LayoutUnit, total: LayoutUnit, count: Int) throws -> LayoutUnit {
    let forced = atoms.dropFirst().filter(\.isForced).count
    let allowed = max(count, forced + 1)
    func fits(_ height: LayoutUnit) throws -> Bool {
      try engine.check()
      let starts = try breaks(atoms, from: origin, height: height)
      guard starts.count <= allowed else { return false }
      // Nothing sticks out of its column, and no break is where it is to be avoided.
      var column = 0
      for (number, atom) in atoms.enumerated() {
        let isBreak = column + 1 < starts.count && atom.start == starts[column + 1]
        if number > 0, isBreak, atom.avoidsBreakBefore, !atom.isForced { return false }
        for (index, start) in ([atom.start] + atom.widows).enumerated() {
          let end = atom.widows.indices.contains(index) ? atom.widows[index] : atom.end
          while column + 1 < starts.count, start >= starts[column + 1] { column += 1 }
          if !atom.isSliceable, end - starts[column] > height { return false }
        }
      }
      return true
    }
    let reached = atoms.reduce(total) { max($0, $1.end - origin) }
    let least = atoms.reduce(LayoutUnit.zero) { max($0, $1.least) }
    var low = max(Int32(1), (total / max(1, count)).raw, least.raw), high = max(low, reached.raw)
    while low < high {
      let middle = low + (high - low) / 2
      if try fits(LayoutUnit(raw: middle)) { high = middle } else { low = middle + 1 }
    }
    return LayoutUnit(raw: low)
  }
}
