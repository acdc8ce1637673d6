internal import OffprintCSS
internal import OffprintCoreTypes

// Boxes below each other: captions and the grid, sections, rows.
extension TableFragmentation {
  struct Child {
    let box: BoxID
    /// nil: that of the table.
    var input: LayoutInput?
    var margin = LogicalEdges()
    /// The space between it and what is before it in the fragment.
    var gap = LayoutUnit.zero
    /// The next child has no gap to it.
    var takesNoGap = false
    /// Of the section or row.
    var number = 0
    var inline = LayoutUnit.zero
    /// Of `position: relative`.
    var shift = LayoutPoint.zero
    let layout: (LayoutInput) throws -> LayoutResult
  }

  struct Placed {
    let child: Child
    let result: LayoutResult
    /// From the fragment's border edge.
    let offset: LayoutUnit
  }

  struct Stack {
    var placed: [Placed] = []
    /// Where the contents end.
    var end: LayoutUnit
    /// Where the last child ends.
    var childrenEnd = LayoutUnit.zero
    /// Whether a break before a child leaves the rest of the fragmentainer to the box. In Chromium sections end with the gap behind their last row.
    var consumesFragmentainer = true
    /// Something that takes a gap is in the fragment.
    var isBegun = false
  }

  /// - Returns: nil: the box is to be laid out again.
  func stack(_ children: [Child], in builder: FragmentBuilder, consumesFragmentainer: Bool = true) throws -> Stack? {
    var stack = Stack(end: builder.startEdge)
    stack.consumesFragmentainer = consumesFragmentainer
    guard try add(children, to: &stack, in: builder) else { return nil }
    return stack
  }

  /// - Returns: False: the box is to be laid out again.
  func add(_ children: [Child], to stack: inout Stack, in builder: FragmentBuilder) throws -> Bool {
    defer { builder.childToken = nil }
    for (index, token) in resumed(children, builder) {
      try engine.tick()
      guard try place(children[index], token, in: &stack, builder) else { return false }
      if builder.state.contains(.brokeInFlow) {
        consumeFragmentainer(&stack, builder)
        return true
      }
    }
    builder.state.insert(.hasSeenAllChildren)
    return true
  }

  /// The children that are in a fragment: those that go on, and those behind them.
  private func resumed(_ children: [Child], _ builder: FragmentBuilder) -> [(index: Int, token: BreakToken?)] {
    guard builder.isResuming, let previous = builder.previous else { return children.indices.map { ($0, nil) } }
    let tokens = Dictionary(previous.children.map { ($0.box, $0) }, uniquingKeysWith: { first, _ in first })
    var result: [(index: Int, token: BreakToken?)] = []
    for index in children.indices {
      if let token = tokens[children[index].box] { result.append((index, token)) }
    }
    guard !previous.state.contains(.hasSeenAllChildren) else { return result }
    let next = result.last.map { $0.index + 1 } ?? 0
    return result + children.indices[next...].map { ($0, nil) }
  }

  /// - Returns: False: the box is to be laid out again.
  private func place(_ child: Child, _ token: BreakToken?, in stack: inout Stack, _ builder: FragmentBuilder) throws -> Bool {
    if token == nil, builder.early?.isBefore(child.box) == true {
      builder.breakBefore(child.box, forced: false)
      if stack.isBegun, !stack.consumesFragmentainer { stack.end += child.gap }
      return true
    }
    builder.childToken = token
    let goesOn = token?.isInside == true
    var offset = stack.end
    if !goesOn { offset += child.margin.blockStart }
    if stack.isBegun { offset += child.gap }
    let result = try layingOut(child, at: offset, builder)
    let candidate = BreakChild(engine, child.box, result, direction)
    let isSeparated = builder.state.contains(.hasOpportunity)
    switch builder.considerBreak(before: candidate, at: builder.fragmentainerOffset(offset), isSeparated: isSeparated) {
    case .needsEarlierBreak: return false
    case .brokeBefore: if !stack.consumesFragmentainer { stack.end = offset }
    case .proceed:
      builder.take(candidate, at: offset)
      stack.placed.append(Placed(child: child, result: result, offset: offset))
      if !child.takesNoGap { stack.isBegun = true }
      guard token?.isAtBlockEnd != true else { return true }
      builder.state.insert(.hasOpportunity)
      stack.end = offset + direction.logical(result.size).block
      stack.childrenEnd = stack.end
      if !candidate.breaksFlow { stack.end += child.margin.blockEnd }
    }
    return true
  }

  private func layingOut(_ child: Child, at offset: LayoutUnit, _ builder: FragmentBuilder) throws -> LayoutResult {
    if let input = child.input { return try builder.layingOut(child.box, input, formattingContextAt: offset, child.layout) }
    let fragmentation = FragmentationInput(
      space: builder.childSpace(formattingContextAt: offset), token: builder.childToken, early: builder.early?.inside(child.box))
    return try engine.fragmenting(fragmentation, input, child.layout)
  }

  /// Where something in it breaks, a box takes what is left of the fragmentainer. https://drafts.csswg.org/css-break-3/#box-splitting
  private func consumeFragmentainer(_ stack: inout Stack, _ builder: FragmentBuilder) {
    if stack.consumesFragmentainer, let left = builder.spaceLeftForChildren { stack.end = max(stack.end, left) }
  }
}
