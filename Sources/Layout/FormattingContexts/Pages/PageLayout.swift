internal import OffprintCSS
internal import OffprintCoreTypes

/// Lays out a document on pages: each page area is a fragmentainer of the flow of the initial containing block, and resumes where the
/// previous page ended. https://drafts.csswg.org/css-page-3/#page-model, https://drafts.csswg.org/css-break-3/
///
/// In the coordinates of the document, pages are adjacent, so that content that is too tall for a page and cannot be
/// broken extends into the following pages.
struct PageLayout {
  struct Page {
    /// The contents of the page area, as tall as it.
    var layout: LayoutResult
    var extent: PageExtent
  }

  private static let maximumPages = 5000

  let engine: LayoutEngine
  let areas: PageAreas
  let input: LayoutInput
  var pages: [Page] = []
  /// The start of the next page's content in the document: after the previous page, or after content that overflows into the next page.
  private var contentStart = LayoutUnit.zero

  init(_ engine: LayoutEngine, _ areas: PageAreas, _ input: LayoutInput) {
    self.engine = engine; self.areas = areas; self.input = input
  }

  /// The initial containing block.
  var box: BoxID { BoxID(0) }
  var end: LayoutUnit { pages.last?.extent.end ?? .zero }

  /// The fragment of the initial containing block: its height is that of all pages.
  ///
  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  mutating func layout() throws -> FragmentID {
    guard WritingDirection(engine.style(box)).isHorizontal else { return try layoutUnfragmented() }
    var token: BreakToken?
    repeat { token = try layoutPage(from: token) } while token != nil
    while end < contentStart { try addEmptyPage(name: pages.last?.extent.name) }
    let fixed = try layoutOutOfFlow()
    engine.pageExtents = pages.map(\.extent)
    return appendRoot(children: pages.indices.flatMap { links(of: pages[$0], fixed[$0]) })
  }

  /// Documents with a vertical writing mode are laid out on one page.
  private func layoutUnfragmented() throws -> FragmentID {
    engine.pageExtents = [PageExtent(start: .zero, end: areas.sizes.first)]
    return try engine.layout(box, input).fragment
  }

  private func links(of page: Page, _ fixed: [FragmentLink]) -> [FragmentLink] {
    (engine.fragments.children(of: page.layout.fragment) + fixed).map {
      FragmentLink(fragment: $0.fragment, offset: $0.offset + LayoutPoint(x: .zero, y: page.extent.start))
    }
  }

  private func appendRoot(children: [FragmentLink]) -> FragmentID {
    let size = LayoutSize(width: engine.viewport.width, height: end)
    return engine.append(Fragment(kind: .box, box: box, style: engine.style(box), size: size), children: children)
  }

  // MARK: Pages

  /// - Returns: The position at which the next page resumes.
  private mutating func layoutPage(from token: BreakToken?) throws -> BreakToken? {
    let first = token.map { $0.firstOnPage(engine) }
    let name = first.map(\.name) ?? PageNames.start(engine, box)
    if let parity = first?.breakBefore.pageParity, pages.count % 2 != parity { try addEmptyPage(name: name, isBlank: true) }
    while contentStart >= end + areas.size(pages.count, name: name) { try addEmptyPage(name: name) }
    let start = max(contentStart, end), size = end + areas.size(pages.count, name: name) - start
    var space = FragmentainerSpace()
    space.kind = .page
    space.blockSize = FragmentainerSpace.capacity(size)
    let result = try engine.fragmenting(FragmentationInput(space: space, token: token), input) {
      try BlockLayout.layoutFragmentainer(engine, box, $0, percentageBlock: engine.viewport.height)
    }
    contentStart = start + (result.breaking?.blockSize ?? .zero)
    try add(result, name: name, shift: start - end)
    return result.breaking?.token
  }

  private mutating func addEmptyPage(name: ByteString?, isBlank: Bool = false) throws {
    let size = LayoutSize(width: engine.viewport.width, height: areas.size(pages.count, name: name))
    let fragment = engine.append(Fragment(kind: .box, box: box, style: engine.style(box), size: size), children: [])
    try add(LayoutResult(fragment: fragment, size: size), name: name, isBlank: isBlank)
  }

  /// - Parameter shift: The offset of the content from the start of the page.
  mutating func add(_ layout: LayoutResult, name: ByteString?, shift: LayoutUnit = .zero, isBlank: Bool = false) throws {
    try engine.check()
    guard pages.count < Self.maximumPages else { throw LimitExceeded(limit: "fragments", allowed: Self.maximumPages) }
    let size = areas.size(pages.count, name: name), extent = PageExtent(start: end, end: end + size, name: name, isBlank: isBlank)
    pages.append(Page(layout: shift > .zero ? moved(layout, by: shift) : layout, extent: extent))
  }

  private func moved(_ layout: LayoutResult, by shift: LayoutUnit) -> LayoutResult {
    let offset = LayoutPoint(x: .zero, y: shift)
    var fragment = engine.fragments[layout.fragment], result = layout
    fragment.size.height += shift
    result.size = fragment.size
    result.fragment = engine.append(
      fragment,
      children: engine.fragments.children(of: layout.fragment).map { FragmentLink(fragment: $0.fragment, offset: $0.offset + offset) })
    for index in result.outOfFlow.indices { result.outOfFlow[index].staticPosition += offset }
    return result
  }
}

extension BreakToken {
  /// The name of the page that starts here, and the value that forced the break before its first box.
  fileprivate func firstOnPage(_ engine: LayoutEngine) -> (name: ByteString?, breakBefore: BreakBetween) {
    var token = self
    while token.isInside, let child = token.children.first(where: { engine.tree[$0.box].isInFlow && !$0.isAtBlockEnd }) {
      token = child
    }
    guard token.isInside else { return (PageNames.start(engine, token.box), token.breakBefore) }
    return (PageNames.used(engine, token.box), .auto)
  }
}
