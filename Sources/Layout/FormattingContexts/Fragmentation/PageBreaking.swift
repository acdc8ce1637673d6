public import CoreTypes
internal import CSS

/// The areas of sheets that a page is broken into, in CSS px.
public struct PageAreas: Hashable, Sendable {
  /// Of the first sheet.
  public var first: LayoutUnit
  /// Of even sheets (the second is one) and of odd ones.
  public var even: LayoutUnit
  public var odd: LayoutUnit

  public init(first: LayoutUnit, even: LayoutUnit, odd: LayoutUnit) { self.first = first; self.even = even; self.odd = odd }

  private static let mostOfTwoSizes = 1000

  var segment: Fragmentainers.Segment {
    var segment = Fragmentainers.Segment(sizes: [first], rest: odd)
    if even != odd { segment.sizes += (1..<Self.mostOfTwoSizes).map { $0 % 2 == 0 ? odd : even } }
    return segment
  }
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
      pageExtents = [(.zero, areas.first)]
      return root
    }
    let children = fragments.children(of: root)
    let fixed = children.filter { isFixed($0.fragment) }
    let flow = append(whole, children: children.filter { !isFixed($0.fragment) })
    var fragmenter = Fragmenter(self, direction)
    fragmenter.rules.isPaged = true
    try fragmenter.run(flow, [areas.segment], watched: 0, count: 1)
    let count = fragmenter.lastContent + 1
    guard count <= Self.mostPages else { throw LimitExceeded(limit: "fragments", allowed: Self.mostPages) }
    var links: [FragmentLink] = []
    for number in 0..<count {
      try check()
      let start = fragmenter.columns.start(number), end = fragmenter.columns.end(number)
      pageExtents.append((start, end))
      whole.size.height = end
      links += fragmenter.pieces(in: number).map { fragmenter.link($0, in: whole.size, by: LogicalOffset()) }
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
