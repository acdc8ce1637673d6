internal import OffprintCSS
internal import OffprintCoreTypes

// The fragment of a flex or grid container.
extension RowFragmentation {
  /// Lays out a container in its fragmentainer.
  ///
  /// - Parameter unfragmented: Returns the container's rows in the unfragmented layout, for its first fragment.
  static func layout(
    _ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges, inlineSize: LayoutUnit,
    unfragmented: () throws -> FragmentedRows
  ) throws -> LayoutResult {
    guard let builder = FragmentBuilder(engine, box, input, FlowSpace(), edges: edges, inlineSize: inlineSize) else {
      var input = input
      input.fragmentation = -1
      return try engine.layout(box, input)
    }
    var fragmentation = RowFragmentation(
      engine, builder, try builder.isResuming ? builder.previous?.rows ?? RowProgress(unfragmented()) : RowProgress(unfragmented()))
    if try fragmentation.run(), let result = try fragmentation.result(input, edges: edges, inlineSize: inlineSize) { return result }
    return try engine.fragmenting(builder.inputForRepetition, input) { input in
      let result = try layout(engine, box, input, edges: edges, inlineSize: inlineSize, unfragmented: unfragmented)
      result.breaking?.note(shortage: builder.shortage)
      return result
    }
  }

  /// Nil if the layout must be repeated, for the reason in `builder.status`.
  private mutating func result(_ input: LayoutInput, edges: LogicalEdges, inlineSize: LayoutUnit) throws -> LayoutResult? {
    let box = builder.box
    let endsWithItems = rows.container == .flex && builder.isResuming && !builder.hasChildBreak
    let contentEnd = endsWithItems ? itemsEnd : fragmentOffset(progress.ends.max() ?? edges.blockStart)
    let contentSize =
      rows.containedBlock.map { $0 + builder.sizingEdges.blockSum } ?? builder.consumedBefore + contentEnd + edges.blockEnd
    let total = builder.totalSize(input, contents: contentSize, inlineSize: inlineSize)
    let endEdge = builder.includesEndEdge(isNewFormattingContext: true) ? edges.blockEnd : .zero
    var intrinsic = self.contentEnd + endEdge
    if builder.state.contains(.hasInFlowBreak), let left = builder.spaceLeftForChildren { intrinsic = max(intrinsic, left) }
    let block = builder.finish(total: total, intrinsic: intrinsic, endEdge: endEdge, floatsBroke: false)
    guard builder.status == .proceeds else { return nil }
    let logical = LogicalSize(inline: inlineSize, block: block), size = builder.direction.physical(logical)
    let (inFlowLinks, pending) = contents(in: size)
    var links = inFlowLinks
    let border = Sizing.usedBorder(engine, box, input)
    var fragment = Fragment(kind: .box, box: box, style: builder.style, size: size)
    let remaining = try OutOfFlowLayout.finish(engine, box, input, &fragment, border: border, links: &links, pending: pending)
    builder.measureOutOfFlow(links.dropFirst(inFlowLinks.count), in: size)
    fragment.border = border
    fragment.padding = Sizing.padding(builder.style, percentageBasis: input.percentageMargin)
    builder.cut(&fragment)
    Sizing.moveGutter(of: &fragment, engine, box)
    if !builder.isResuming { fragment.baseline = rows.firstBaseline }
    var result = LayoutResult(fragment: engine.append(fragment, children: links), size: size, intrinsicBlock: contentSize)
    engine.record(gapSegments(in: size), of: result.fragment)
    if !builder.isResuming { (result.firstBaseline, result.lastBaseline) = (rows.firstBaseline, rows.lastBaseline) }
    result.outOfFlow = remaining
    advance(by: block)
    result.breaking = try builder.result(size: block) {
      builder.direction.logical(try engine.layoutUnfragmented(box, input, inlineSize: inlineSize).size).block
    }
    return result
  }

  /// Where the margins of the items in this fragment end.
  private var itemsEnd: LayoutUnit {
    placed.reduce(builder.startEdge) { end, part in
      max(end, part.offset.block + builder.direction.logical(part.layout.size).block + rows.items[part.item].marginEnd)
    }
  }

  private func contents(in size: LayoutSize) -> ([FragmentLink], [OutOfFlowCandidate]) {
    var links: [FragmentLink] = [], pending: [OutOfFlowCandidate] = []
    for part in placed {
      let point =
        builder.direction.physical(part.offset, outer: size, inner: part.layout.size) + rows.items[part.item].shift
      links.append(FragmentLink(fragment: part.layout.fragment, offset: point))
      for var candidate in part.layout.outOfFlow {
        candidate.staticPosition += point
        pending.append(candidate)
      }
    }
    let blockSize = builder.direction.logical(size).block
    for child in rows.outOfFlow {
      var offset = child.offset
      offset.block = fragmentOffset(offset.block)
      let isHere = offset.block < blockSize || !builder.isBroken || builder.state.contains(.hasSeenAllChildren)
      guard isHere, offset.block >= .zero || !builder.isResuming else { continue }
      var candidate = child.candidate
      candidate.staticPosition = builder.direction.physical(offset, outer: size, inner: .zero)
      pending.append(candidate)
    }
    return (links, pending)
  }
}
