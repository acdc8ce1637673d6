import OffprintCSS
public import OffprintCoreTypes
internal import OffprintDOM

extension LayoutEngine {
  /// Lays out the page. The root of the tree is the fragment of the initial containing block, which has the size of the viewport. Content
  /// outside is in its `overflow`.
  ///
  /// If the height of the image is that of its content, percentage heights of the root element behave as `auto`, the initial containing
  /// block has a minimal height, so that boxes positioned from its end do not increase the height of the image, and a root element in a
  /// vertical writing mode is at most as high as its content.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  public func layoutPage() throws -> FragmentTree {
    guard !tree.boxes.isEmpty else { return fragments }
    let box = BoxID(0)
    let direction = WritingDirection(style(box))
    var size = direction.logical(viewport)
    if isViewportHeightAuto {
      if direction.isHorizontal {
        size.block = min(size.block, RootLayout.autoHeight)
      } else {
        size.inline = min(size.inline, try maxContentInlineSize())
      }
    }
    var input = LayoutInput(availableInline: size.inline, availableBlock: size.block)
    input.fixedInline = size.inline
    input.fixedBlock = size.block
    input.fixedBlockIsDefinite = !isViewportHeightAuto || !direction.isHorizontal
    if stopsBelowViewport, !isViewportHeightAuto, pageAreas == nil, direction.isHorizontal {
      cutoff = LayoutCutoff(tree, height: viewport.height)
      input.cutoff = cutoff?.offset
    }
    fragments.root = try layoutRoot(box, input)
    completeSlices()
    if StickyPositioning.isNeeded(tree) {
      try StickyPositioning(engine: self, hasViewportEnd: pageSize.height <= viewport.height).run(fragments.root)
    }
    if ScrollSnapping.isNeeded(tree) { try ScrollSnapping(engine: self).run(fragments.root) }
    try layoutDrawings()
    fragments.fonts = FragmentFonts(fragments, tree, fonts)
    return fragments
  }

  private func layoutRoot(_ box: BoxID, _ input: LayoutInput) throws -> FragmentID {
    if let pageAreas {
      var pages = PageLayout(self, pageAreas, input)
      return try pages.layout()
    }
    let result = try layout(box, input)
    try check()
    return result.fragment
  }

  /// The scrollable overflow of the page: its width is at least that of the viewport, its height is `scrollHeight` of the root element in a
  /// viewport with a height of 0.
  ///
  /// https://drafts.csswg.org/cssom-view/#dom-element-scrollheight
  public var pageSize: LayoutSize {
    guard !fragments.root.isNone else { return viewport }
    var extent = LayoutSize(width: viewport.width)
    RootLayout.extend(&extent, self, FragmentLink(fragment: fragments.root, offset: .zero), depth: 0)
    return extent
  }
}

enum RootLayout {
  /// The height of the initial containing block if the height of the image is that of its content.
  static let autoHeight = LayoutUnit(16)

  /// Whether the `overflow` of a box is propagated to the viewport: that of the root element, or of `body` if the root's is visible.
  ///
  /// https://drafts.csswg.org/css-overflow-3/#overflow-propagation
  static func passesOverflowToViewport(_ engine: LayoutEngine, _ box: BoxID) -> Bool { passesOverflowToViewport(engine.tree, box) }

  static func passesOverflowToViewport(_ tree: BoxTree, _ box: BoxID) -> Bool {
    let item = tree[box]
    if item.isRoot { return true }
    guard !item.parent.isNone, tree[item.parent].isRoot, tree.isElement(box, .body) else { return false }
    let root = tree[item.parent].style.box
    return root.overflowX == .visible && root.overflowY == .visible && root.containment.isEmpty && item.style.box.containment.isEmpty
  }

  /// Adds the overflow of boxes that propagate it, and the margins of the root element.
  static func extend(_ extent: inout LayoutSize, _ engine: LayoutEngine, _ link: FragmentLink, depth: Int) {
    let fragment = engine.fragments[link.fragment]
    func include(_ rect: LayoutRect) {
      extent.width = max(extent.width, rect.maxX)
      extent.height = max(extent.height, rect.maxY)
    }
    if fragment.box.index != 0 { include(TransformedOverflow.rect(of: fragment, engine.tree).offset(by: link.offset)) }
    let box = engine.tree[fragment.box]
    if box.isRoot {
      let margin = Sizing.margin(box.style, percentageBasis: engine.viewport.width)
      include(LayoutRect(origin: link.offset, size: fragment.size).outset(by: margin))
    }
    guard depth < 2, fragment.box.index == 0 || passesOverflowToViewport(engine, fragment.box) else { return }
    for child in engine.fragments.children(of: link.fragment) {
      extend(&extent, engine, FragmentLink(fragment: child.fragment, offset: link.offset + child.offset), depth: depth + 1)
    }
  }
}

extension LayoutEngine {
  /// The width of the page's content: the root element's max-content size or, in a vertical writing mode, the block size of its margin box
  /// as laid out in `fragments`.
  public func contentWidth(of fragments: FragmentTree) throws -> LayoutUnit {
    guard !tree.boxes.isEmpty, !WritingDirection(style(BoxID(0))).isHorizontal else { return try maxContentInlineSize() }
    let root = fragments.root.isNone ? nil : fragments.children(of: fragments.root).first { tree[fragments[$0.fragment].box].isRoot }
    guard let root else { return viewport.width }
    let fragment = fragments[root.fragment]
    let margin = Sizing.margin(tree[fragment.box].style, percentageBasis: viewport.height)
    return fragment.size.width + margin.left + margin.right
  }

  private func maxContentInlineSize() throws -> LayoutUnit {
    try intrinsicSizes(BoxID(0), LayoutInput(availableInline: nil)).max
  }
}
