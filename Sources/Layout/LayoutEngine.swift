public import OffprintCSS
public import OffprintCoreTypes
public import OffprintTypography

/// A layout run: the box tree, the fragments it generates, and the caches. Used by one thread.
///
/// Layout is a function of (box, input). Formatting contexts call `layout` and `intrinsicSizes` for their children any number of times, and
/// link the final fragments. There are no other side effects, except for `restyle`, which changes the styles of boxes with position
/// fallbacks.
public final class LayoutEngine {
  /// The box tree with the final styles of anchor-positioned boxes. Painting must use it instead of the original tree.
  ///
  /// Unchecked because dynamic exclusivity checks cost more than most of the accesses. Only `restyle` mutates it, and is never called
  /// during an access: readers copy what they iterate over.
  @exclusivity(unchecked) public private(set) var tree: BoxTree
  public let fonts: FontContext
  public let viewport: LayoutSize
  /// Whether the height of the image is that of its content, see `layoutPage`.
  public var isViewportHeightAuto = false
  /// Whether contents that cannot be visible in the viewport may be left out of the layout, see `LayoutCutoff`.
  public var stopsBelowViewport = false
  var cutoff: LayoutCutoff?
  @exclusivity(unchecked) public var fragments: FragmentTree
  public var diagnostics = DiagnosticLog()
  let deadline: Deadline
  let limits: Limits
  @exclusivity(unchecked) private var recursion: RecursionBudget
  @exclusivity(unchecked) private var ticks = 0

  // Caches. None of them affects results: all are memoized functions.
  @exclusivity(unchecked) private var cache: LayoutCache
  @exclusivity(unchecked) var inlineCache: InlineCache
  var subgridTracks = SubgridTracksTable()
  var gridNesting = GridNesting()
  var tableStructures = TableStructureCache()
  /// The fragmentation inputs of the layouts in progress.
  var fragmentationInputs: [FragmentationInput] = []
  var paragraphs = ParagraphCache()
  /// Whether any fragment is sliced.
  var hasBrokenBoxes = false
  /// `break-before` and `break-after`, including values propagated from descendants.
  var breaksBefore: [BoxID: BreakBetween] = [:]
  var breaksAfter: [BoxID: BreakBetween] = [:]
  /// The page areas into which the document is fragmented; nil for a single image.
  public var pageAreas: PageAreas? {
    didSet {
      widensPages = pageAreas?.widening.isEmpty == false
      namesPages = pageAreas != nil && tree.boxes.contains { $0.style.box.page != nil }
    }
  }
  /// Some boxes have a value of `page`.
  private(set) var namesPages = false
  /// Some pages have another width.
  private(set) var widensPages = false
  /// The starts and ends of pages in the laid-out content, after pagination.
  public internal(set) var pageExtents: [PageExtent] = []
  /// Whether any box of the page has a transform.
  @exclusivity(unchecked) private var hasTransforms: Bool
  /// Whether the page has any `::first-line`.
  let hasFirstLines: Bool
  private(set) lazy var hasColumns =
    pageAreas != nil
    || tree.boxes.contains { $0.style.align.isMultiColumn }
  var mathOperators = MathOperatorTable()

  /// Creates an engine for the calling thread.
  public init(tree: BoxTree, fonts: FontContext, viewport: LayoutSize, deadline: Deadline, limits: Limits = Limits()) {
    self.tree = tree; self.fonts = fonts; self.viewport = viewport; self.deadline = deadline; self.limits = limits
    fragments = FragmentTree(of: tree)
    fragments.reserve(boxCount: tree.boxes.count)
    hasTransforms = Self.hasTransforms(tree)
    hasFirstLines = tree.styled.pseudoStyles.keys.contains { $0.pseudo == .firstLine || $0.pseudo == .detailsFirstLine }
    cache = LayoutCache(boxCount: tree.boxes.count)
    inlineCache = InlineCache(boxCount: tree.boxes.count)
    recursion = RecursionBudget(limit: "layoutDepth", allowed: limits.layoutDepth)
  }

  @inlinable func style(_ box: BoxID) -> ComputedStyle { tree.boxes[box.index].style }

  /// Changes the style of a box for subsequent layout. Existing fragments keep the previous style.
  ///
  /// Equal styles are ignored, because a mutation during an iteration copies all boxes.
  func restyle(_ box: BoxID, as style: ComputedStyle) {
    guard tree.boxes[box.index].style != style else { return }
    tree.boxes[box.index].style = style
    if style.effects.hasTransform { hasTransforms = true }
    cache.forget(box)
  }

  private static func hasTransforms(_ tree: BoxTree) -> Bool {
    // Adjacent boxes usually share the storage of properties that neither sets.
    var last: UnsafePointer<EffectStyle>?
    for index in tree.boxes.indices {
      let effects = tree.boxes[index].style.record.pointee.effects
      if effects == last { continue }
      if effects.pointee.hasTransform { return true }
      last = effects
    }
    return false
  }

  // MARK: Budgets

  /// The maximum number of column layouts, including measurements, of which nested balanced columns need many. After that, balancing stops at
  /// the current height, which is reported.
  private static let maximumColumnLayouts = 20_000
  private(set) var columnLayouts = 0
  var mayStretchColumns: Bool { columnLayouts <= Self.maximumColumnLayouts }

  func countColumnLayout() {
    columnLayouts += 1
    guard columnLayouts == Self.maximumColumnLayouts + 1 else { return }
    diagnostics.report(Diagnostic("limitExceeded", .note, "Some nested columns are not balanced, because the page has too many."))
  }

  /// Checks the limits. Must be called in every potentially long loop.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func check() throws {
    try deadline.check()
    guard fragments.fragments.count <= limits.fragments else { throw LimitExceeded(limit: "fragments", allowed: limits.fragments) }
  }

  /// Like `check`, for loops of short steps: only every 256th call checks.
  @inline(__always)
  func tick() throws {
    ticks &+= 1
    if ticks & 255 == 0 { try check() }
  }

  /// Runs `body` one level deeper in the nesting of boxes.
  func descending<Value>(_ body: () throws -> Value) throws -> Value {
    try check()
    try recursion.enter()
    defer { recursion.leave() }
    return try body()
  }

  // MARK: Fragments

  /// Stores the gap segments of a container.
  func record(_ gaps: [GapSegment]?, of fragment: FragmentID) {
    if let gaps, !gaps.isEmpty { fragments.gaps[fragment] = gaps }
  }

  /// Stores the collapsed borders of a table, and returns their index in the fragment tree.
  func record(_ borders: CollapsedBorders) -> Int32 {
    fragments.collapsedBorders.append(borders)
    return Int32(clamping: fragments.collapsedBorders.count - 1)
  }

  /// Adds a fragment with its children.
  func append(_ fragment: Fragment, children: [FragmentLink]) -> FragmentID {
    var fragment = fragment
    let start = fragments.links.count
    fragments.links.append(contentsOf: children)
    fragment.children = start..<fragments.links.count
    let isOverflowing = fragment.style.box.overflowX == .visible || fragment.kind == .line
    for child in children {
      if isOverflowing {
        fragment.overflow = fragment.overflow.union(overflow(of: child.fragment).offset(by: child.offset))
      }
      if !fragments[child.fragment].isComplete { fragment.isComplete = false }
    }
    fragments.fragments.append(fragment)
    return FragmentID(fragments.fragments.count - 1)
  }

  private func overflow(of fragment: FragmentID) -> LayoutRect {
    guard hasTransforms else { return fragments[fragment].overflow }
    return TransformedOverflow.rect(of: fragments[fragment], tree)
  }

  /// Lays out `box` as the root of an independent formatting context. https://drafts.csswg.org/css-display-3/#formatting-context
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func layout(_ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    guard input.fragmentation < 0 else { return try layoutInFragmentainer(box, input) }
    if let cached = cache.result(box, input) { return cached }
    var result = try descending { try layoutUncached(box, input) }
    result.isComplete = fragments[result.fragment].isComplete
    cache.store(result, box, input)
    return result
  }

  /// Lays out a box in a fragmentainer. The result is not cached, because breaks depend on more than the input.
  private func layoutInFragmentainer(_ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    var result = try descending { try layoutUncached(box, input) }
    result.isComplete = fragments[result.fragment].isComplete
    return result
  }

  /// The size and the baselines of `box`, from the cache or from a layout. The fragment may lack glyphs.
  func measured(_ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    var measure = input
    measure.isMeasure = true
    if input.fragmentation < 0, let known = cache.result(box, measure) { return known }
    return try layout(box, input)
  }

  private func layoutUncached(_ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    var input = input
    if input.fragmentation < 0, input.fixedBlock != nil || input.isMeasure && input.fixedInline != nil, isTextLeaf(box) {
      if let block = input.fixedBlock { return try layoutTextLeaf(box, input, block: block) }
      // A width that is already known is usually the final one, so lay out instead of measuring.
      input.isMeasure = false
    }
    return switch tree[box].formattingContext {
    case .block: try BlockFormattingContext.layout(self, box, input)
    case .flex: try FlexFormattingContext.layout(self, box, input)
    case .grid: try GridFormattingContext.layout(self, box, input)
    case .table: try TableFormattingContext.layout(self, box, input)
    case .replaced: try ReplacedLayout.layout(self, box, input)
    case .rubyColumn: try RubyLayout.layout(self, box, input)
    case .combinedText: try TextCombineLayout.layout(self, box, input)
    case .initialLetter: try InitialLetterLayout.layout(self, box, input)
    case .math(let kind): try MathFormattingContext.layout(self, box, kind, input)
    }
  }

  /// The border-box min-content and max-content sizes of `box` in its own inline axis, without applying its `width`, `min-width` and
  /// `max-width` (see `contribution` in Sizing/ for these).
  func intrinsicSizes(_ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let key = IntrinsicKey(input, tree[box])
    if let cached = cache.intrinsic(box, key) { return cached }
    let sizes = try descending { try intrinsicSizesUncached(box, input) }
    cache.store(sizes, box, key)
    return sizes
  }

  private func intrinsicSizesUncached(_ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    switch tree[box].formattingContext {
    case .block: try BlockFormattingContext.intrinsicSizes(self, box, input)
    case .flex: try FlexFormattingContext.intrinsicSizes(self, box, input)
    case .grid: try GridFormattingContext.intrinsicSizes(self, box, input)
    case .table: try TableFormattingContext.intrinsicSizes(self, box, input)
    case .replaced: try ReplacedLayout.intrinsicSizes(self, box, input)
    case .rubyColumn: try RubyLayout.intrinsicSizes(self, box, input)
    case .combinedText: TextCombineLayout.intrinsicSizes(self, box)
    case .initialLetter: try InitialLetterLayout.intrinsicSizes(self, box, input)
    case .math(let kind): try MathFormattingContext.intrinsicSizes(self, box, kind, input)
    }
  }
}
