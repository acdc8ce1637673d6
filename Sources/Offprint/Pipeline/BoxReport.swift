import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout

/// The border box of each element, computed from fragments. `inspect --json` prints it.
struct BoxReport {
  let page: LaidOutPage
  private var rects: [LayoutRect?]
  private(set) var texts: [(fragment: FragmentID, origin: LayoutPoint)] = []

  init(_ page: LaidOutPage) {
    self.page = page
    rects = Array(repeating: nil, count: page.styled.document.nodes.count)
    if !page.fragments.root.isNone { visit(page.fragments.root, at: .zero, in: nil) }
  }

  /// The union of an element's fragments; nil if it has none.
  func box(of node: NodeID) -> LayoutRect? { rects[node.index] }

  /// - Parameter parent: The enclosing fragment's box and content box.
  private mutating func visit(_ id: FragmentID, at origin: LayoutPoint, in parent: (box: BoxID, content: LayoutRect)?) {
    let fragment = page.fragments[id]
    if fragment.kind == .text {
      texts.append((id, origin))
      addEllipsis(fragment, at: origin)
    }
    if fragment.kind == .box, !fragment.isFirstLine {
      let box = page.tree[fragment.box]
      if !box.node.isNone, box.pseudo == nil, page.styled.document[box.node].kind == .element {
        let rect = culledRect(id, box, at: origin) ?? LayoutRect(origin: origin, size: fragment.size)
        if let parent { addToInlines(around: box, rect, parent.box, parent.content) }
        add(rect, to: box.node)
      }
    }
    var content = LayoutRect(origin: origin, size: fragment.size)
    content.origin.x += fragment.border.left + fragment.padding.left
    content.origin.y += fragment.border.top + fragment.padding.top
    content.size.width -= fragment.border.horizontal + fragment.padding.horizontal
    content.size.height -= fragment.border.vertical + fragment.padding.vertical
    let isBlock = fragment.kind == .box && page.tree[fragment.box].kind == .blockContainer
    for link in page.fragments.children(of: id) {
      visit(link.fragment, at: origin + link.offset, in: isBlock ? (fragment.box, content) : nil)
    }
  }

  private mutating func add(_ rect: LayoutRect, to node: NodeID) {
    rects[node.index] = rects[node.index].map { union($0, rect) } ?? rect
  }

  /// An ellipsis extends the inline boxes it follows if these have no fragments in Chromium.
  private mutating func addEllipsis(_ fragment: Fragment, at origin: LayoutPoint) {
    let number = Int(fragment.payload)
    guard page.fragments.texts.indices.contains(number), page.fragments.texts[number].isEllipsis else { return }
    var parent = page.fragments.texts[number].ellipsisParent
    while !parent.isNone, isCulled(page.tree[parent]) {
      if !page.tree[parent].node.isNone { add(LayoutRect(origin: origin, size: fragment.size), to: page.tree[parent].node) }
      parent = page.tree[parent].parent
    }
  }

  /// Whether Chromium would cull the inline box because only its contents are visible.
  private func isCulled(_ box: Box) -> Bool {
    let style = box.style
    guard box.kind == .inline, box.pseudo == nil, style.box.position == .static, style.box.textBoxTrim.isEmpty else { return false }
    return style.box.margin == PhysicalSides(all: .zero) && style.box.padding == PhysicalSides(all: .zero)
      && style.border.width == PhysicalSides(all: 0) && style.background.color.resolve(style.text.color).isTransparent
      && !style.background.layers.contains { $0.image != .none }
  }

  /// An inline box that contains a block-level box has a part around it that is as wide as its containing block.
  private mutating func addToInlines(around box: Box, _ rect: LayoutRect, _ parent: BoxID, _ content: LayoutRect) {
    guard box.isInFlow, !box.isInlineLevel else { return }
    let document = page.styled.document
    var end = page.tree[parent]
    while end.node.isNone, !end.parent.isNone { end = page.tree[end.parent] }
    var node = document[box.node].parent
    guard node != end.node else { return }
    var part = rect
    if page.tree[parent].style.text.writingMode == .horizontalTb {
      (part.origin.x, part.size.width) = (content.minX, content.size.width)
    } else {
      (part.origin.y, part.size.height) = (content.minY, content.size.height)
    }
    for _ in 0..<1024 {
      guard !node.isNone, node != end.node, document[node].kind == .element else { return }
      switch page.styled.style(of: node).box.display {
      case .inline, .inlineListItem: add(part, to: node)
      case .contents: break
      default: return
      }
      node = document[node].parent
    }
  }

  /// Chromium creates no fragments for culled inline boxes, which paint nothing: their geometry is that of their texts and inner inline
  /// boxes, including the padding of these. For an inner inline box with margins it creates a fragment. Nil for other boxes, and where the
  /// result would be the same.
  private func culledRect(_ id: FragmentID, _ box: Box, at origin: LayoutPoint) -> LayoutRect? {
    guard isCulled(box) else { return nil }
    var result: LayoutRect?
    var hasOther = false
    for link in page.fragments.children(of: id) {
      let child = page.fragments[link.fragment]
      var counts = child.kind == .text
      if child.kind == .box {
        let inner = page.tree[child.box]
        // A ruby column is an inline box of its own in Chromium, around the base.
        if inner.isRubyColumn { return nil }
        let isInitialLetter = inner.pseudo == .firstLetter && inner.isAtomicInline
        if inner.kind == .inline, inner.style.box.margin != PhysicalSides(all: .zero) { return nil }
        let isPlain = inner.kind == .inline && inner.style.box.verticalAlign == .baseline && inner.style.font == box.style.font
        counts = isInitialLetter || isPlain
        if counts { hasOther = true }
      }
      guard counts else { continue }
      let rect = LayoutRect(origin: origin + link.offset, size: child.size)
      result = result.map { union($0, rect) } ?? rect
    }
    return hasOther && result?.isEmpty == false ? result : nil
  }

  /// Like `getBoundingClientRect`: an empty rectangle is ignored beside a nonempty one, and if all are empty the last one is used.
  private func union(_ a: LayoutRect, _ b: LayoutRect) -> LayoutRect {
    if a.size.width == .zero || a.size.height == .zero { return b }
    if b.size.width == .zero || b.size.height == .zero { return a }
    return a.union(b)
  }

  /// In document order.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func boxes(_ budget: inout ReportBudget) throws -> [PageLayout.Box] {
    var found: [PageLayout.Box] = []
    let document = page.styled.nodeTree
    var path: [Int] = []
    var node = document.documentElement
    var index = 0
    // Iterative, because elements can be nested up to the depth limit.
    while !node.isNone {
      path.append(index)
      if let rect = rects[node.index] {
        let box = PageLayout.Box(path, String(document, nameOf: node), rect)
        try budget.spend(box.path.count * 8 + box.name.utf8.count + 64)
        found.append(box)
      }
      if let child = document.firstChildElement(of: node) {
        (node, index) = (child, 0)
        continue
      }
      while !node.isNone {
        index = path.popLast() ?? 0
        if path.isEmpty { return found }
        if let sibling = document.nextSiblingElement(of: node) {
          (node, index) = (sibling, index + 1)
          break
        }
        node = document[node].parent
      }
    }
    return found
  }
}

extension PageLayout {
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  init(_ laidOut: LaidOutPage, _ page: RenderWorker.Page) throws {
    let report = BoxReport(laidOut)
    var budget = ReportBudget(page.deadline)
    self.init(
      width: laidOut.viewport.width, height: laidOut.contentSize.height.double, boxes: try report.boxes(&budget),
      lines: try report.lines(&budget), diagnostics: page.log.entries, timings: page.clock.timings)
  }
}

extension PageLayout.Box {
  fileprivate init(_ path: [Int], _ name: String, _ rect: LayoutRect) {
    self.init(
      path: path, name: name, x: rect.minX.double, y: rect.minY.double, width: rect.size.width.double, height: rect.size.height.double)
  }
}

extension String {
  fileprivate init(_ document: Document, nameOf node: NodeID) { self.init(decoding: document.names[document[node].name], as: UTF8.self) }
}

extension Document {
  fileprivate func firstChildElement(of node: NodeID) -> NodeID? { element(from: self[node].firstChild) }
  fileprivate func nextSiblingElement(of node: NodeID) -> NodeID? { element(from: self[node].nextSibling) }

  private func element(from node: NodeID) -> NodeID? {
    var node = node
    while !node.isNone, self[node].kind != .element { node = self[node].nextSibling }
    return node.isNone ? nil : node
  }
}
