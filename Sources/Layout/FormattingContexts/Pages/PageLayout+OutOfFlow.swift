internal import OffprintCSS
internal import OffprintCoreTypes

// Positioned boxes on pages. https://drafts.csswg.org/css-position-3/#abspos-breaking
extension PageLayout {
  /// Lays out absolutely positioned boxes across the pages, adding pages if necessary, and fixed boxes for each page.
  ///
  /// - Returns: Fixed boxes by page, at offsets from the page area.
  mutating func layoutOutOfFlow() throws -> [[FragmentLink]] {
    var fixed: [OutOfFlowCandidate] = []
    for number in pages.indices { fixed += takeFixed(from: &pages[number].layout.outOfFlow) }
    if pages.contains(where: { !$0.layout.outOfFlow.isEmpty }) {
      var absolute = FragmentedOutOfFlow(engine, box, WritingDirection(engine.style(box)), inlineSize: engine.viewport.width)
      absolute.initialContainingBlock = engine.viewport
      let name = pages.last?.extent.name
      absolute.sizeOfNext = { [areas] in areas.size($0, name: name) }
      for page in pages { absolute.add(fragmentainer: page.layout, except: []) }
      fixed += try absolute.layout().map(\.candidate)
      absolute.addPieces()
      for layout in absolute.added { try add(layout, name: name) }
    }
    return try layoutFixed(fixed)
  }

  /// Removes and returns the fixed boxes. The other boxes are in the initial containing block, which is the area of the first page.
  private func takeFixed(from candidates: inout [OutOfFlowCandidate]) -> [OutOfFlowCandidate] {
    var fixed: [OutOfFlowCandidate] = [], others: [OutOfFlowCandidate] = []
    for var candidate in candidates {
      if candidate.fragmentedContainer.isNone, engine.style(candidate.box).box.position == .fixed {
        fixed.append(candidate)
      } else {
        if candidate.fragmentedContainer.isNone { candidate.fragmentedContainer = box }
        others.append(candidate)
      }
    }
    candidates = others
    return fixed
  }

  /// The containing block of fixed boxes is each page area. https://drafts.csswg.org/css-position-3/#fixed-positioning-containing-block
  private func layoutFixed(_ candidates: [OutOfFlowCandidate]) throws -> [[FragmentLink]] {
    guard !candidates.isEmpty else { return pages.map { _ in [] } }
    var known: [LayoutUnit: [FragmentLink]] = [:]
    return try pages.map { page in
      let height = page.extent.end - page.extent.start
      if let links = known[height] { return links }
      let links = try layoutFixed(candidates, in: LayoutSize(width: engine.viewport.width, height: height))
      known[height] = links
      return links
    }
  }

  private func layoutFixed(_ candidates: [OutOfFlowCandidate], in area: LayoutSize) throws -> [FragmentLink] {
    var queue = candidates, links: [FragmentLink] = [], next = 0
    while next < queue.count {
      try engine.tick()
      let placed = try OutOfFlowLayout.layout(
        engine, queue[next], in: LayoutRect(origin: .zero, size: area), direction: WritingDirection(engine.style(box)), links: links
      ).placed
      next += 1
      links.append(placed.link)
      for var nested in placed.outOfFlow {
        nested.staticPosition += placed.link.offset
        queue.append(nested)
      }
    }
    return links
  }
}
