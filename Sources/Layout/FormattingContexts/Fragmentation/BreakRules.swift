internal import OffprintCSS
internal import OffprintCoreTypes

/// What styles and box types say about breaks. https://drafts.csswg.org/css-break-3/#breaking-rules
struct BreakRules {
  let engine: LayoutEngine
  let direction: WritingDirection
  /// Fragmentainers are pages.
  var isPaged = false
  var pages = PageNames()

  func isForced(_ value: BreakBetween) -> Bool {
    switch value {
    case .always, .all: true
    case .column: !isPaged
    case .page, .left, .right, .recto, .verso: isPaged
    case .auto, .avoid, .avoidColumn, .avoidPage: false
    }
  }
  func avoids(_ value: BreakBetween) -> Bool { value == .avoid || value == (isPaged ? .avoidPage : .avoidColumn) }

  /// Of a page that a forced break goes on at: 0 are the first and all right ones, 1 left ones; nil: the next.
  static func parity(_ value: BreakBetween) -> Int? {
    switch value {
    case .right, .recto: 0
    case .left, .verso: 1
    default: nil
    }
  }

  /// Of two values that meet, a forced break wins, then an avoided one.
  func joined(_ a: BreakBetween, _ b: BreakBetween) -> BreakBetween {
    isForced(a) || (avoids(a) && !isForced(b)) ? a : b
  }

  func avoidsInside(_ fragment: Fragment) -> Bool {
    guard fragment.kind == .box else { return false }
    return fragment.style.box.breakInside == .avoid || fragment.style.box.breakInside == (isPaged ? .avoidPage : .avoidColumn)
  }

  /// https://drafts.csswg.org/css-break-3/#possible-breaks
  func isMonolithic(_ fragment: Fragment) -> Bool {
    guard fragment.kind == .box else { return true }
    let box = engine.tree[fragment.box]
    switch box.kind {
    case .replaced, .inline, .text, .lineBreak, .tableColumn, .tableColumnGroup: return true
    default: break
    }
    guard fragment.style.text.writingMode == direction.mode, fragment.payload < 0 else { return true }
    // Edges are not broken, only between those at both ends there is an opportunity.
    let size = direction.logical(fragment.size).block, edges = direction.logical(fragment.border + fragment.padding)
    if fragment.children.isEmpty, size > .zero, size <= max(edges.blockStart, edges.blockEnd) { return true }
    return box.isInlineLevel && !box.isFloating && !box.isOutOfFlow || Sizing.isScrollContainer(fragment.style) || box.isOutsideMarker
      || box.specialLayout != nil || Sizing.containedBlock(fragment.style) != nil
      || (fragment.collapsedBorders >= 0 && !(isPaged && direction.isHorizontal))
      || engine.tree.isControl(fragment.box) || fragment.style.effects.lineClamp != nil
  }

  /// A multi-column container without contents is not broken between its edges.
  func isEmptyContainer(_ fragment: Fragment) -> Bool {
    direction.logical(fragment.size).block <= direction.logical(fragment.border + fragment.padding).blockSum
  }

  /// A spanning element of the flow's multi-column container, not of one in it.
  func isSpanner(_ fragment: Fragment) -> Bool {
    fragment.kind == .box && fragment.style.align.columnSpan == .all && MultiColumnLayout.isSpanner(fragment.box, engine)
  }

  /// What reaches over the end of the box is not shown.
  func clips(_ fragment: Fragment) -> Bool {
    guard fragment.kind == .box else { return false }
    return (direction.isHorizontal ? fragment.style.box.overflowY : fragment.style.box.overflowX) == .clip
  }

  /// Children side by side are broken each for itself.
  func isParallel(_ fragment: Fragment) -> Bool {
    switch engine.tree[fragment.box].kind {
    case .flexContainer, .gridContainer, .tableRow: true
    default: false
    }
  }

  /// Its children are rows of a table, or groups of them.
  func isOfRows(_ fragment: Fragment) -> Bool {
    switch engine.tree[fragment.box].kind {
    case .tableGrid, .tableRowGroup: true
    default: false
    }
  }

  func inFlow(_ id: FragmentID) -> [FragmentLink] {
    engine.fragments.children(of: id).filter { link in
      let fragment = engine.fragments[link.fragment]
      return fragment.kind == .line || (engine.tree[fragment.box].isInFlow && !engine.tree[fragment.box].isOutsideMarker)
    }
  }

  /// `break-before`, and that of the first child, which is the parent's. https://drafts.csswg.org/css-break-3/#break-propagation
  func before(_ id: FragmentID, depth: Int = 0) -> BreakBetween { edge(id, depth: depth, \.breakBefore) { $0.first } }

  func after(_ id: FragmentID, depth: Int = 0) -> BreakBetween { edge(id, depth: depth, \.breakAfter) { $0.last } }

  private func edge(
    _ id: FragmentID, depth: Int, _ property: KeyPath<BoxStyle, BreakBetween>, _ outermost: ([FragmentLink]) -> FragmentLink?
  ) -> BreakBetween {
    let fragment = engine.fragments[id]
    guard fragment.kind == .box else { return .auto }
    let own = fragment.style.box[keyPath: property]
    guard depth < 512, !isMonolithic(fragment) else { return own }
    // What is in columns of its own says nothing of a break before them.
    guard engine.multiColumnFlows[id] == nil else { return own }
    let children = inFlow(id)
    if engine.tree[fragment.box].kind == .tableRow || isRowFlex(fragment) {
      return children.reduce(own) { joined($0, edge($1.fragment, depth: depth + 1, property, outermost)) }
    }
    guard let child = outermost(children) else { return own }
    return joined(edge(child.fragment, depth: depth + 1, property, outermost), own)
  }

  func isRowFlex(_ fragment: Fragment) -> Bool {
    guard engine.tree[fragment.box].kind == .flexContainer, fragment.style.align.flexWrap == .nowrap else { return false }
    return fragment.style.align.flexDirection == .row || fragment.style.align.flexDirection == .rowReverse
  }

  /// The margin that a forced break before the box leaves: its own, collapsed with those of the first boxes inside.
  func startMargin(_ id: FragmentID, basis: LayoutUnit, depth: Int = 0) -> LayoutUnit {
    let fragment = engine.fragments[id]
    guard fragment.kind == .box, depth < 512 else { return .zero }
    let own = Sizing.logicalMargin(fragment.style, percentageBasis: basis, in: direction).blockStart
    guard engine.tree[fragment.box].kind == .blockContainer, !isMonolithic(fragment), let first = inFlow(id).first else { return own }
    let child = engine.fragments[first.fragment]
    let offset = direction.logical(first.offset, outer: fragment.size, inner: child.size).block
    guard child.kind == .box, offset == .zero else { return own }
    let inner = startMargin(first.fragment, basis: direction.logical(fragment.size).inline, depth: depth + 1)
    if own < .zero, inner < .zero { return min(own, inner) }
    return own < .zero || inner < .zero ? own + inner : max(own, inner)
  }

  /// The margin behind a box, collapsed with those of the last boxes inside. To be asked for before forced breaks only: it is a walk of its own.
  func endMargin(_ id: FragmentID, basis: LayoutUnit, depth: Int = 0) -> LayoutUnit {
    let fragment = engine.fragments[id]
    guard fragment.kind == .box, depth < 512 else { return .zero }
    let own = Sizing.logicalMargin(fragment.style, percentageBasis: basis, in: direction).blockEnd
    guard engine.tree[fragment.box].kind == .blockContainer, !isMonolithic(fragment), let last = inFlow(id).last else { return own }
    let child = engine.fragments[last.fragment], size = direction.logical(child.size).block
    let offset = direction.logical(last.offset, outer: fragment.size, inner: child.size).block
    guard child.kind == .box, offset + size == direction.logical(fragment.size).block else { return own }
    let inner = endMargin(last.fragment, basis: direction.logical(fragment.size).inline, depth: depth + 1)
    if own < .zero, inner < .zero { return min(own, inner) }
    return own < .zero || inner < .zero ? own + inner : max(own, inner)
  }
}
