public import OffprintCSS
public import OffprintCoreTypes

/// A page whose margin boxes are laid out.
public struct PageMarginInput: Sendable {
  /// The distance from the top of the first page. Pages are stacked.
  public var top: LayoutUnit
  public var size: LayoutSize
  public var margin: LayoutEdges
  public var boxes: [PageMarginBox]

  public init(top: LayoutUnit, size: LayoutSize, margin: LayoutEdges, boxes: [PageMarginBox]) {
    self.top = top; self.size = size; self.margin = margin; self.boxes = boxes
  }
}

extension LayoutEngine {
  /// Lays out the margins of pages. The root element has a child for each page, which has a child for the border around the page area and one
  /// for each margin box.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  public func layoutPageMargins(_ pages: [PageMarginInput]) throws -> FragmentTree {
    guard !tree.boxes.isEmpty, let root = Array(tree.children(of: BoxID(0))).first else { return fragments }
    var links: [FragmentLink] = []
    for (box, page) in zip(tree.children(of: root), pages) {
      try check()
      let fragment = try PageMarginLayout(engine: self, page: page).layout(box)
      links.append(FragmentLink(fragment: fragment, offset: LayoutPoint(x: .zero, y: page.top)))
    }
    let element = append(Fragment(kind: .box, box: root, style: style(root), size: viewport), children: links)
    fragments.root = append(
      Fragment(kind: .box, box: BoxID(0), style: style(BoxID(0)), size: viewport),
      children: [FragmentLink(fragment: element, offset: .zero)])
    fragments.fonts = FragmentFonts(fragments, tree, fonts)
    return fragments
  }
}

/// The layout of one page's margins. https://drafts.csswg.org/css-page-3/#margin-dimension
private struct PageMarginLayout {
  let engine: LayoutEngine
  let page: PageMarginInput

  func layout(_ box: BoxID) throws -> FragmentID {
    let children = Array(engine.tree.children(of: box))
    guard let frame = children.first else { throw LimitExceeded(limit: "boxes", allowed: 0) }
    var links = [frameLink(frame)]
    let boxes = Array(zip(page.boxes, children.dropFirst()))
    for edge in PageMarginBox.Edge.allCases {
      let items = boxes.compactMap { box, id in box.place.flatMap { $0.edge == edge ? ($0.index, id) : nil } }
      if !items.isEmpty { links += try PageMarginEdge(engine: engine, edge: edge, area: area(of: edge)).layout(items) }
    }
    for (box, id) in boxes where box.place == nil { links.append(try corner(box, id)) }
    return engine.append(Fragment(kind: .box, box: box, style: engine.style(box), size: page.size), children: links)
  }

  private var inner: LayoutSize {
    LayoutSize(
      width: (page.size.width - page.margin.horizontal).clampedToZero, height: (page.size.height - page.margin.vertical).clampedToZero)
  }

  private func frameLink(_ box: BoxID) -> FragmentLink {
    var fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: inner)
    fragment.border = Sizing.border(fragment.style)
    fragment.padding = Sizing.padding(fragment.style, percentageBasis: page.size.width)
    return FragmentLink(
      fragment: engine.append(fragment, children: []), offset: LayoutPoint(x: page.margin.left, y: page.margin.top))
  }

  private func area(of edge: PageMarginBox.Edge) -> LayoutRect {
    let margin = page.margin, right = margin.left + inner.width, bottom = margin.top + inner.height
    return switch edge {
    case .top: LayoutRect(x: margin.left, y: .zero, width: inner.width, height: margin.top)
    case .bottom: LayoutRect(x: margin.left, y: bottom, width: inner.width, height: margin.bottom)
    case .left: LayoutRect(x: .zero, y: margin.top, width: margin.left, height: inner.height)
    case .right: LayoutRect(x: right, y: margin.top, width: margin.right, height: inner.height)
    }
  }

  private func corner(_ box: PageMarginBox, _ id: BoxID) throws -> FragmentLink {
    let isTop = box == .topLeftCorner || box == .topRightCorner, isLeft = box == .topLeftCorner || box == .bottomLeftCorner
    let across = area(of: isLeft ? .left : .right), along = area(of: isTop ? .top : .bottom)
    let area = LayoutRect(x: across.origin.x, y: along.origin.y, width: across.size.width, height: along.size.height)
    let item = PageMarginItem(engine: engine, box: id, area: area)
    return try item.link(item.fill(.horizontal, keepsToEnd: isLeft), item.fill(.vertical, keepsToEnd: isTop))
  }
}

/// The boxes along one edge of the page. https://drafts.csswg.org/css-page-3/#variable-sizing
private struct PageMarginEdge {
  let engine: LayoutEngine
  let edge: PageMarginBox.Edge
  let area: LayoutRect

  private var axis: PageMarginItem.Axis { edge == .top || edge == .bottom ? .horizontal : .vertical }

  func layout(_ boxes: [(index: Int, id: BoxID)]) throws -> [FragmentLink] {
    let keepsToEnd = edge == .top || edge == .left
    let items = boxes.map { ($0.index, PageMarginItem(engine: engine, box: $0.id, area: area)) }
    let across = items.map { $0.1.fill(axis == .horizontal ? .vertical : .horizontal, keepsToEnd: keepsToEnd) }
    var measured: [PageMarginItem.Length?] = [nil, nil, nil]
    for (item, span) in zip(items, across) { measured[item.0] = try item.1.length(axis, across: span.size) }
    let available = axis == .horizontal ? area.size.width : area.size.height
    var sizes = PageMarginSizes(available: available).sizes(measured)
    // https://drafts.csswg.org/css-page-3/#min-max-margin
    for isMaximum in [true, false] {
      var isChanged = false
      for index in measured.indices {
        guard let length = measured[index] else { continue }
        let bounded = isMaximum ? min(sizes[index], length.maximum) : max(sizes[index], length.minimum)
        guard bounded != sizes[index] else { continue }
        measured[index]?.definite = bounded
        isChanged = true
      }
      if isChanged { sizes = PageMarginSizes(available: available).sizes(measured) }
    }
    return try zip(items, across).map { item, span in
      let size = sizes[item.0]
      let offset = item.0 == 0 ? LayoutUnit.zero : item.0 == 1 ? (available - size) / 2 : available - size
      let along = item.1.span(axis, offset: offset, outer: size)
      return try axis == .horizontal ? item.1.link(along, span) : item.1.link(span, along)
    }
  }
}

/// The outer sizes of the boxes at the start, center and end of an edge.
struct PageMarginSizes {
  let available: LayoutUnit

  func sizes(_ lengths: [PageMarginItem.Length?]) -> [LayoutUnit] {
    guard lengths.count == 3 else { return [.zero, .zero, .zero] }
    let (start, middle, end) = (lengths[0], lengths[1], lengths[2])
    guard let middle else {
      let (a, c) = fit(start, end)
      return [a, .zero, c]
    }
    // Both sides of the center box have the size of the larger side.
    var sides: PageMarginItem.Length?
    if start != nil || end != nil {
      let both = [start, end].compactMap(\.self)
      var length = PageMarginItem.Length(
        minContent: both.reduce(.zero) { max($0, $1.definite ?? $1.minContent) } * 2,
        maxContent: both.reduce(.zero) { max($0, $1.definite ?? $1.maxContent) } * 2
      )
      if both.count == 2, both.allSatisfy({ $0.definite != nil }) { length.definite = length.maxContent }
      sides = length
    }
    let (size, _) = fit(middle, sides)
    let side = ((available - size) / 2).clampedToZero
    return [start.map { $0.definite ?? side } ?? .zero, size, end.map { $0.definite ?? side } ?? .zero]
  }

  /// Distributes the available size to two boxes. https://drafts.csswg.org/css-page-3/#flex-fit
  private func fit(_ a: PageMarginItem.Length?, _ b: PageMarginItem.Length?) -> (LayoutUnit, LayoutUnit) {
    guard let a else { return (.zero, b.map { $0.definite ?? available } ?? .zero) }
    guard let b else { return (a.definite ?? available, .zero) }
    if let size = a.definite { return (size, b.definite ?? (available - size).clampedToZero) }
    if let size = b.definite { return ((available - size).clampedToZero, size) }
    if a.maxContent + b.maxContent <= available { return share((a.maxContent, b.maxContent), (a.maxContent, b.maxContent)) }
    if a.minContent + b.minContent <= available {
      return share((a.minContent, b.minContent), (a.maxContent - a.minContent, b.maxContent - b.minContent))
    }
    return share((a.minContent, b.minContent), (a.minContent, b.minContent))
  }

  private func share(_ sizes: (LayoutUnit, LayoutUnit), _ factors: (LayoutUnit, LayoutUnit)) -> (LayoutUnit, LayoutUnit) {
    let rest = available - sizes.0 - sizes.1, sum = (factors.0 + factors.1).double
    let part = sum > 0 ? factors.0.double / sum : 0.5
    let first = sizes.0 + LayoutUnit(rest.double * part)
    return (first.clampedToZero, (available - first).clampedToZero)
  }
}
