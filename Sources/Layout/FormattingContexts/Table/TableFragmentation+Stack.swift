internal import OffprintCSS
internal import OffprintCoreTypes

// Stacked children: captions and the grid, sections, rows.
extension TableFragmentation {
  struct Child {
    let box: BoxID
    /// nil for the input of the table.
    var input: LayoutInput?
    var margin = LogicalEdges()
    /// The space between this child and the previous one in the fragment.
    var gap = LayoutUnit.zero
    /// Whether there is no gap between this child and the next.
    var takesNoGap = false
    /// The index of the section or row.
    var number = 0
    var inline = LayoutUnit.zero
    /// The offset by `position: relative`.
    var shift = LayoutPoint.zero
    let layout: (LayoutInput) throws -> LayoutResult
  }

  struct Placed {
    let child: Child
    let result: LayoutResult
    /// Relative to the fragment's border edge.
    let offset: LayoutUnit
  }

  struct Stack {
    var placed: [Placed] = []
    /// The end of the contents.
    var end: LayoutUnit
    /// The end of the last child.
    var childrenEnd = LayoutUnit.zero
    /// Whether a break before a child extends the box to the end of the fragmentainer. In Chromium sections end with the gap after their
    /// last row instead.
    var consumesFragmentainer = true
    /// Whether the fragment contains anything that is followed by a gap.
    var isBegun = false
    /// The section for which other children leave room, since it is repeated.
    var footer: Int?
  }

  /// The children of a box, created on demand because a fragment contains only some of them.
  struct Children {
    let numbers: Range<Int>
    let number: (BoxID) -> Int?
    let child: (Int) -> Child
  }

  /// - Returns: nil if the box must be laid out again.
  func stack(_ children: Children, in builder: FragmentBuilder) throws -> Stack? {
    var stack = Stack(end: builder.startEdge)
    stack.consumesFragmentainer = false
    guard try add(children, to: &stack, in: builder) else { return nil }
    return stack
  }

  /// - Returns: False if the box must be laid out again.
  func add(_ children: Children, to stack: inout Stack, in builder: FragmentBuilder) throws -> Bool {
    defer { builder.childToken = nil }
    let (resumed, following) = remaining(children, builder)
    for (number, token) in resumed {
      guard try place(children.child(number), token, in: &stack, builder) else { return false }
      if builder.state.contains(.hasInFlowBreak) { break }
    }
    for number in following {
      if builder.state.contains(.hasInFlowBreak) { break }
      try engine.tick()
      guard try place(children.child(number), nil, in: &stack, builder) else { return false }
    }
    if builder.state.contains(.hasInFlowBreak) { consumeFragmentainer(&stack, builder) } else { builder.state.insert(.hasSeenAllChildren) }
    return true
  }

  /// The children that continue in this fragment, and those that start in it or later.
  private func remaining(_ children: Children, _ builder: FragmentBuilder) -> ([(Int, BreakToken)], Range<Int>) {
    guard builder.isResuming, let previous = builder.previous else { return ([], children.numbers) }
    let resumed = previous.children.compactMap { token in children.number(token.box).map { ($0, token) } }.sorted { $0.0 < $1.0 }
    let end = children.numbers.upperBound
    guard !previous.hasSeenAllChildren else { return (resumed, end..<end) }
    return (resumed, (resumed.last.map { $0.0 + 1 } ?? children.numbers.lowerBound)..<end)
  }

  /// - Returns: False if the box must be laid out again.
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
      if !candidate.continuesInParentFlow { stack.end += child.margin.blockEnd }
    }
    return true
  }

  private func layingOut(_ child: Child, at offset: LayoutUnit, _ builder: FragmentBuilder) throws -> LayoutResult {
    if let input = child.input { return try builder.layingOut(child.box, input, formattingContextAt: offset, child.layout) }
    let fragmentation = FragmentationInput(
      space: builder.childSpace(formattingContextAt: offset), token: builder.childToken, early: builder.early?.inside(child.box))
    return try engine.fragmenting(fragmentation, input, child.layout)
  }

  /// Extends the box to the end of the fragmentainer, because its contents break. https://drafts.csswg.org/css-break-3/#box-splitting
  private func consumeFragmentainer(_ stack: inout Stack, _ builder: FragmentBuilder) {
    if stack.consumesFragmentainer, let left = builder.spaceLeftForChildren { stack.end = max(stack.end, left) }
  }
}
