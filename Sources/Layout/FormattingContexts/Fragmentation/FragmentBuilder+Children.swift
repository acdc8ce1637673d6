internal import OffprintCSS
internal import OffprintCoreTypes

extension FragmentBuilder {
  /// A builder for a box in the fragmentainers of `input`. Its offset is an estimate until its margins are resolved.
  convenience init?(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, _ flow: FlowSpace, edges: LogicalEdges, inlineSize: LayoutUnit
  ) {
    guard let fragmentation = engine.fragmentation(input) else { return nil }
    let expected = flow.forcedOffset ?? flow.blockOffset + flow.strut.sum
    self.init(engine, box, fragmentation, offset: flow.isNewFormattingContext ? .zero : expected, edges: edges)
    let largest = Sizing.blockSize(engine, box, input, edges: sizingEdges, contentBlock: .max, inlineSize: inlineSize)
    begin(largest: growsWithContents ? .max : largest)
  }

  /// The edges that the size of the box includes: cloned edges once for each fragment. https://drafts.csswg.org/css-break-3/#break-decoration
  var sizingEdges: LogicalEdges {
    guard isResuming, style.box.boxDecorationBreak == .clone, let previous, !previous.isAtBlockEnd else { return edges }
    var sizing = edges
    sizing.blockStart = edges.blockStart * (previous.sequence + 2)
    sizing.blockEnd = edges.blockEnd * (previous.sequence + 2)
    return sizing
  }

  /// Whether margins adjoin an unforced break. https://drafts.csswg.org/css-break-3/#break-margins
  var discardsMargins: Bool {
    guard let previous, previous.isInside else { return false }
    return previous.cause == .unforced
  }

  var inputForRepetition: FragmentationInput {
    FragmentationInput(
      space: status == .disablesFragmentation ? nil : space, token: previous,
      early: status == .needsEarlierBreak ? earlyBreak : nil, spanner: spanner, split: split, growsWithContents: growsWithContents)
  }

  /// Only the first fragment of a box has a start margin, and only the one in which it ends has an end margin.
  func adjustMargins(_ margin: inout LogicalEdges, _ strut: inout MarginStrut) {
    guard let token = childToken else { return }
    if token.isInside || !token.isForced { margin.blockStart = .zero }
    if token.isAtBlockEnd { margin.blockEnd = .zero }
    if token.isForced { strut = MarginStrut() }
  }

  /// Lays out a child in the fragmentainer, if it can be broken.
  ///
  /// - Parameters:
  ///   - offset: The offset of a child that establishes a block formatting context, in the context of the box.
  ///   - grows: See `FragmentationInput.growsWithContents`.
  func layingOut<Value>(
    _ child: BoxID, _ input: LayoutInput, formattingContextAt offset: LayoutUnit? = nil, grows: Bool = false,
    _ layout: (LayoutInput) throws -> Value
  ) rethrows -> Value {
    let space = childSpace(formattingContextAt: offset)
    guard space != nil || childToken != nil, !isMonolithic(child) else { return try layout(input) }
    let fragmentation = FragmentationInput(
      space: space, token: childToken, early: early?.inside(child), spanner: offset == nil ? spanner : .none,
      split: childSplit, growsWithContents: grows)
    return try engine.fragmenting(fragmentation, input, layout)
  }

  /// https://drafts.csswg.org/css-break-3/#monolithic
  func isMonolithic(_ child: BoxID) -> Bool { Monolithic.contains(engine, child, direction) }

  /// While columns are measured, out-of-flow boxes in the box count as contents.
  ///
  /// - Parameter size: The size of the box.
  func measureOutOfFlow(_ links: ArraySlice<FragmentLink>, in size: LayoutSize) {
    guard space?.isMeasuringColumns == true else { return }
    for link in links {
      let overflow = engine.fragments[link.fragment].overflow
      let start = direction.logical(link.offset + overflow.origin, outer: size, inner: overflow.size).block
      let end = start + direction.logical(overflow.size).block
      overflowEnd = max(overflowEnd, end)
      if isMonolithic(engine.fragments[link.fragment].box) {
        // The part above the start of the column takes no space in it.
        note(unbreakable: end - max(start, -offset))
      }
    }
  }

  /// Sets the offset of the box, after its margins are resolved.
  func resolve(_ offset: LayoutUnit) { self.offset = (space?.offset ?? .zero) + offset }

  var isBroken: Bool { isResuming || hasChildBreak || state.contains(.splitsSize) }

  /// Removes lines after `end`, which were only counted, from the overflow.
  func cutLines(at end: LayoutUnit) { overflowEnd = min(overflowEnd, end) }

  /// - Parameter unfragmented: The block size of the unfragmented box.
  func result(size: LayoutUnit, unfragmented: () throws -> LayoutUnit) rethrows -> BreakResult {
    let result = result(size: size, clips: clipsBlockAxis)
    // A box that is broken despite `break-inside` requests space for the whole box, and only in its first fragment: the shortages of its contents
    // would stretch columns little by little (`BoxFragmentBuilder::ToBoxFragment`).
    guard let space, space.isBalanced, let left = spaceLeft, let token = result.token, !token.isAtBlockEnd,
      !state.contains(.isFragmentainer), style.box.breakInside.isAvoided(kind), !isInsideAvoid
    else { return result }
    result.shortage = nil
    if !isResuming { result.note(shortage: try unfragmented() - left) }
    return result
  }

  /// Whether an ancestor in the same columns avoids breaks.
  private var isInsideAvoid: Bool {
    var parent = engine.tree[box].parent
    while !parent.isNone {
      if engine.style(parent).box.breakInside.isAvoided(kind) { return true }
      if MultiColumnLayout.applies(to: parent, engine) { return false }
      parent = engine.tree[parent].parent
    }
    return false
  }

  /// Removes the edges that belong to other fragments of the box. https://drafts.csswg.org/css-break-3/#break-decoration
  func cut(_ fragment: inout Fragment) {
    guard isBroken, !state.contains(.isFragmentainer) else { return }
    var border = direction.logical(fragment.border), padding = direction.logical(fragment.padding)
    let isSliced = style.box.boxDecorationBreak == .slice
    if isSliced {
      fragment.slice = FragmentSlice(before: consumedBefore, after: .zero, border: fragment.border, padding: fragment.padding)
      engine.hasBrokenBoxes = true
    }
    if isResuming, isSliced || isPastEnd { (border.blockStart, padding.blockStart) = (.zero, .zero) }
    let goesOn = state.contains(.splitsSize) || hasChildBreak && breakPosition != .pastEnd
    if isPastEnd || goesOn && !clonesEnd { (border.blockEnd, padding.blockEnd) = (.zero, .zero) }
    fragment.border = direction.physical(border)
    fragment.padding = direction.physical(padding)
  }
}

/// Boxes that are never broken. https://drafts.csswg.org/css-break-3/#monolithic
///
/// Scroll containers are monolithic, except in paged media: Chromium breaks them on pages, and in columns on pages
/// (`LayoutBox::HasUnsplittableScrollingOverflow`).
enum Monolithic {
  static func contains(_ engine: LayoutEngine, _ id: BoxID, _ flow: WritingDirection) -> Bool {
    let box = engine.tree[id]
    switch box.kind {
    case .replaced, .inline, .text, .lineBreak, .tableColumn, .tableColumnGroup: return true
    default: break
    }
    return box.style.text.writingMode != flow.mode || box.isInlineLevel && box.isInFlow || box.isOutsideMarker
      || engine.pageAreas == nil && scrolls(engine, id) || box.specialLayout != nil || Sizing.containedBlock(box.style) != nil
      || engine.tree.isControl(id) || box.style.effects.lineClamp != nil
  }

  /// `overflow` of a table applies to its grid.
  private static func scrolls(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard engine.tree[box].kind == .tableWrapper else { return Sizing.isScrollContainer(engine.style(box)) }
    return engine.tree.children(of: box).contains { engine.tree[$0].kind == .tableGrid && Sizing.isScrollContainer(engine.style($0)) }
  }
}
