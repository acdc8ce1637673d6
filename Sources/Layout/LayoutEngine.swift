public import CSS
public import CoreTypes
public import Typography

/// One layout run: the box tree it reads, the fragments it makes, and the results it remembers. Used by one thread.
///
/// Layout is a function of (box, input): formatting contexts call `layout` and `intrinsicSizes` for their children, as often as they
/// need, and put the fragments they keep into their own. Nothing else is written.
public final class LayoutEngine {
  public let tree: BoxTree
  public let fonts: FontContext
  public let viewport: LayoutSize
  public var fragments = FragmentTree()
  public var diagnostics = DiagnosticLog()
  let deadline: Deadline
  var cache: LayoutCache
  /// How often a measurement has left something out that a fragment to be painted needs.
  var omissions = 0
  var inlineCache = InlineCache()
  var subgridTracks = SubgridTracksTable()
  var gridPasses: [BoxID: Int] = [:]

  public init(tree: BoxTree, fonts: FontContext, viewport: LayoutSize, deadline: Deadline) {
    self.tree = tree; self.fonts = fonts; self.viewport = viewport; self.deadline = deadline
    cache = LayoutCache(boxCount: tree.boxes.count)
  }

  @inlinable func style(_ box: BoxID) -> ComputedStyle { tree.boxes[box.index].style }

  /// Adds a fragment with its children.
  func append(_ fragment: Fragment, children: [FragmentLink]) -> FragmentID {
    var fragment = fragment
    let start = fragments.links.count
    fragments.links.append(contentsOf: children)
    fragment.children = start..<fragments.links.count
    for child in children where fragment.style.box.overflowX == .visible || fragment.kind == .line {
      fragment.overflow = fragment.overflow.union(fragments[child.fragment].overflow.offset(by: child.offset))
    }
    fragments.fragments.append(fragment)
    return FragmentID(fragments.fragments.count - 1)
  }

  /// Lays out `box` as the root of an independent formatting context. https://drafts.csswg.org/css-display-3/#formatting-context
  ///
  /// - Throws: `DeadlineExceeded`.
  func layout(_ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    // Measurements that leave nothing out are as good as layouts.
    var key = input
    key.isMeasure = false
    if let known = cache.result(box, key, needsAll: !input.isMeasure) {
      if !known.isComplete { omissions += 1 }
      return known.result
    }
    try deadline.check()
    let before = omissions
    let result = try layoutUncached(box, input)
    cache.store(result, box, key, isComplete: !input.isMeasure || omissions == before)
    return result
  }

  private func layoutUncached(_ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    if let block = input.fixedBlock, isTextLeaf(box) { return try layoutTextLeaf(box, input, block: block) }
    return switch tree[box].kind {
    case .flexContainer: try FlexFormattingContext.layout(self, box, input)
    case .gridContainer: try GridFormattingContext.layout(self, box, input)
    case .tableWrapper: try TableFormattingContext.layout(self, box, input)
    case .replaced: try ReplacedLayout.layout(self, box, input)
    default:
      if tree[box].isRubyColumn {
        try RubyLayout.layout(self, box, input)
      } else if tree[box].isCombinedText {
        try TextCombineLayout.layout(self, box, input)
      } else {
        try BlockFormattingContext.layout(self, box, input)
      }
    }
  }

  /// The min-content and max-content sizes of `box` in its own inline axis: border box, from its content and edges alone, its `width`,
  /// `min-width` and `max-width` not applied (see `contribution` in Sizing/ for those).
  func intrinsicSizes(_ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    if let known = cache.intrinsic(box, input) { return known }
    try deadline.check()
    let sizes =
      switch tree[box].kind {
      case .flexContainer: try FlexFormattingContext.intrinsicSizes(self, box, input)
      case .gridContainer: try GridFormattingContext.intrinsicSizes(self, box, input)
      case .tableWrapper: try TableFormattingContext.intrinsicSizes(self, box, input)
      case .replaced: try ReplacedLayout.intrinsicSizes(self, box, input)
      default:
        if tree[box].isRubyColumn {
          try RubyLayout.intrinsicSizes(self, box, input)
        } else if tree[box].isCombinedText {
          TextCombineLayout.intrinsicSizes(self, box)
        } else {
          try BlockFormattingContext.intrinsicSizes(self, box, input)
        }
      }
    cache.store(sizes, box, input)
    return sizes
  }
}
