public import OffprintCoreTypes
internal import OffprintCSS

/// The areas of sheets that a page is broken into, in CSS px.
public struct PageAreas: Hashable, Sendable {
  /// Heights.
  public struct Sizes: Hashable, Sendable {
    /// Of the first sheet.
    public var first: LayoutUnit
    /// Of even sheets (the second is one) and of odd ones.
    public var even: LayoutUnit
    public var odd: LayoutUnit

    public init(first: LayoutUnit, even: LayoutUnit, odd: LayoutUnit) { self.first = first; self.even = even; self.odd = odd }

    func size(_ index: Int) -> LayoutUnit { index == 0 ? first : index % 2 == 0 ? odd : even }
  }

  public var sizes: Sizes
  /// Of sheets with names.
  public var named: [ByteString: Sizes]
  /// By how much those with names are wider than others, where they are not as wide.
  public var widening: [ByteString: LayoutUnit]

  public init(_ sizes: Sizes, named: [ByteString: Sizes] = [:], widening: [ByteString: LayoutUnit] = [:]) {
    self.sizes = sizes; self.named = named; self.widening = widening
  }
}

/// A sheet in what is laid out.
public struct PageExtent: Sendable {
  public var start: LayoutUnit
  public var end: LayoutUnit
  /// https://drafts.csswg.org/css-page-3/#using-named-pages
  public var name: ByteString?
  /// Nothing is on it: it is there for what goes on at a right or left page.
  public var isBlank = false
}

// Pages are fragmentainers like columns. They lie one below the other, so that what is higher than one goes on over the next.
// https://drafts.csswg.org/css-break-3/
extension LayoutEngine {
  private static let mostPages = 5000

  /// The page as it is broken into sheets, its root as high as all of them.
  ///
  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  func brokenIntoPages(_ root: FragmentID) throws -> FragmentID {
    guard let areas = pageAreas else { return root }
    var whole = fragments[root]
    let direction = WritingDirection(whole.style)
    // Vertical text is not broken.
    guard direction.isHorizontal else {
      pageExtents = [PageExtent(start: .zero, end: areas.sizes.first)]
      return root
    }
    let children = fragments.children(of: root)
    let fixed = children.filter { isFixed($0.fragment) }
    let flow = append(whole, children: children.filter { !isFixed($0.fragment) })
    var fragmenter = Fragmenter(self, direction)
    fragmenter.rules.isPaged = true
    fragmenter.rules.pages = pageNames()
    fragmenter.pageSizes = fragmenter.rules.pages.names.map { $0.flatMap { areas.named[$0] } ?? areas.sizes }
    try fragmenter.run(flow, [], watched: 0, count: 1)
    let count = fragmenter.lastContent + 1
    guard count <= Self.mostPages else { throw LimitExceeded(limit: "fragments", allowed: Self.mostPages) }
    var links: [FragmentLink] = []
    for number in 0..<count {
      try check()
      let start = fragmenter.columns.start(number), end = fragmenter.columns.end(number)
      let page = fragmenter.columns.page(number)
      pageExtents.append(
        PageExtent(start: start, end: end, name: fragmenter.rules.pages.names[Int(page.name)], isBlank: page.isBlank))
      whole.size.height = end
      links += try fragmenter.pieces(in: number).map { fragmenter.link($0, in: whole.size, by: LogicalOffset()) }
      // On each page. https://drafts.csswg.org/css-position-3/#fixed-positioning-containing-block
      links += fixed.map { link in
        // Those that keep to the end of the page do so on lower ones, too.
        let inset = fragments[link.fragment].style.box.inset
        let lower = inset.top.isAuto && !inset.bottom.isAuto ? end - start - viewport.height : .zero
        return FragmentLink(fragment: link.fragment, offset: LayoutPoint(x: link.offset.x, y: link.offset.y + start + lower))
      }
    }
    return append(whole, children: links)
  }

  /// By how much the pages of a box are wider than those of its parent. The boxes around it are as wide as ever.
  @inline(__always)
  func pageWidening(of box: BoxID) -> LayoutUnit {
    widensPages && tree[box].style.box.page != nil ? pageWidening(of: tree[box].style.box.page, in: tree[box].parent) : .zero
  }

  private func pageWidening(of name: ByteString?, in parent: BoxID) -> LayoutUnit {
    var outer = parent
    while !outer.isNone, tree[outer].style.box.page == nil { outer = tree[outer].parent }
    func width(_ name: ByteString?) -> LayoutUnit { name.flatMap { pageAreas?.widening[$0] } ?? .zero }
    return width(name) - (outer.isNone ? .zero : width(tree[outer].style.box.page))
  }

  private func pageNames() -> PageNames {
    var pages = PageNames()
    for box in tree.boxes { if let name = box.style.box.page { pages.add(name) } }
    return pages
  }

  private func isFixed(_ id: FragmentID) -> Bool {
    let fragment = fragments[id]
    return fragment.kind == .box && fragment.style.box.position == .fixed && tree[fragment.box].isOutOfFlow
  }
}

extension Fragmenter {
  /// The last fragmentainer with anything in it.
  var lastContent: Int {
    nodes.indices.reduce(0) { nodes[$1].size > .zero && $1 != root ? max($0, nodes[$1].last) : $0 }
  }
}
