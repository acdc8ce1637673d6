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
    /// The section for which other children leave room, since it is repeated.
    var footer: Int?
  }

  /// The children of a box, of which a fragment needs few.
  struct Children {
    let numbers: Range<Int>
    let number: (BoxID) -> Int?
    let child: (Int) -> Child
  }

  /// - Returns: nil: the box is to be laid out again.
  func stack(_ children: Children, in builder: FragmentBuilder) throws -> Stack? {
    var stack = Stack(end: builder.startEdge)
    stack.consumesFragmentainer = false
    guard try add(children, to: &stack, in: builder) else { return nil }
    return stack
  }

  /// - Returns: False: the box is to be laid out again.
  func add(_ children: Children, to stack: inout Stack, in builder: FragmentBuilder) throws -> Bool {
    defer { builder.childToken = nil }
    let (resumed, following) = remaining(children, builder)
    for (number, token) in resumed {
      guard try place(children.child(number), token, in: &stack, builder) else { return false }
      if builder.state.contains(.brokeInFlow) { break }
    }
    for number in following {
      if builder.state.contains(.brokeInFlow) { break }
      try engine.tick()
      guard try place(children.child(number), nil, in: &stack, builder) else { return false }
    }
    if builder.state.contains(.brokeInFlow) { consumeFragmentainer(&stack, builder) } else { builder.state.insert(.hasSeenAllChildren) }
    return true
  }

  /// The children that continue in a fragment, and those that begin in it or after it.
  private func remaining(_ children: Children, _ builder: FragmentBuilder) -> ([(Int, BreakToken)], Range<Int>) {
    guard builder.isResuming, let previous = builder.previous else { return ([], children.numbers) }
    let resumed = previous.children.compactMap { token in children.number(token.box).map { ($0, token) } }.sorted { $0.0 < $1.0 }
    let end = children.numbers.upperBound
    guard !previous.state.contains(.hasSeenAllChildren) else { return (resumed, end..<end) }
    return (resumed, (resumed.last.map { $0.0 + 1 } ?? children.numbers.lowerBound)..<end)
  }

  /// - Returns: False: the box is to be laid out again.
  private func place(_ child: Child, _ token: BreakToken?, in stack: inout Stack, _ builder: FragmentBuilder) throws -> Bool {
    if token == nil, builder.early?.isBefore(child.box) == true {
      builder.breakBefore(child.box, forced: false)
      if stack.isBegun, !stack.consumesFragmentainer { stack.end += child.gap }
      return true
    }
    if child.number == stack.footer { builder.repeated.end = .zero }
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
