public import OffprintCSS
public import OffprintCoreTypes
public import OffprintTypography

/// One layout run: the box tree it reads, the fragments it makes, and the results it remembers. Used by one thread.
///
/// Layout is a function of (box, input): formatting contexts call `layout` and `intrinsicSizes` for their children, as often as they
/// need, and put the fragments they keep into their own. Nothing else is written, but for the
/// styles of boxes whose positions are tried (`restyle`).
public final class LayoutEngine {
  /// With the styles that boxes beside anchors have at the end: painting needs this tree, not the one that layout was given.
  ///
  /// Layout reads it at every step, and a check of exclusive access costs more than most reads. Only `restyle` writes, which nothing calls during a
  /// read: readers copy what they iterate over.
  @exclusivity(unchecked) public private(set) var tree: BoxTree
  public let fonts: FontContext
  public let viewport: LayoutSize
  /// The image is as high as its content; see `layoutPage`.
  public var isViewportHeightAuto = false
  @exclusivity(unchecked) public var fragments: FragmentTree
  public var diagnostics = DiagnosticLog()
  let deadline: Deadline
  let limits: Limits
  @exclusivity(unchecked) private var recursion: RecursionBudget
  @exclusivity(unchecked) private var ticks = 0

  // What is remembered. None of it changes a result: each is a function's value by its arguments.
  @exclusivity(unchecked) private var cache: LayoutCache
  @exclusivity(unchecked) var inlineCache: InlineCache
  var subgridTracks = SubgridTracksTable()
  var gridNesting = GridNesting()
  var tableStructures = TableStructures()
  /// Of the layouts under way that take part in fragmentation.
  var fragmentationInputs: [FragmentationInput] = []
  var paragraphs = ParagraphCache()
  /// Some fragments are sliced.
  var hasBrokenBoxes = false
  /// `break-before` and `break-after` with what boxes inside propagate.
  var breaksBefore: [BoxID: BreakBetween] = [:]
  var breaksAfter: [BoxID: BreakBetween] = [:]
  /// What the page is broken into; nil: it is one.
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
  /// Where sheets begin and end in what is laid out, once it is broken.
  public internal(set) var pageExtents: [PageExtent] = []
  /// Whether any box of the page has a transform.
  @exclusivity(unchecked) private var hasTransforms: Bool
  /// Whether the page has any `::first-line`.
  let hasFirstLines: Bool
  private(set) lazy var hasColumns =
    pageAreas != nil
    || tree.boxes.contains { $0.style.align.isMultiColumn }
  var mathOperators = MathOperatorTable()

  /// For the thread that calls this.
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

  /// Gives a box another style, for what is laid out from now on. Its fragments so far keep the style that they were laid out with.
  ///
  /// The boxes are copied where an iteration over them is under way, which is why nothing is written where nothing changes.
  func restyle(_ box: BoxID, as style: ComputedStyle) {
    guard tree.boxes[box.index].style != style else { return }
    tree.boxes[box.index].style = style
    if style.effects.hasTransform { hasTransforms = true }
    cache.forget(box)
  }

  private static func hasTransforms(_ tree: BoxTree) -> Bool {
    // Neighbors mostly share what they have no values of their own for.
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

  /// How often flows may be walked to break them: balanced columns in columns ask for many. Past it any break is taken and columns in columns
  /// are not broken, which is told of.
  private static let mostFragmentationWalks = 20_000
  private(set) var fragmentationWalks = 0
  var mayWalkFlows: Bool { fragmentationWalks <= Self.mostFragmentationWalks }

  func countFragmentationWalk() {
    fragmentationWalks += 1
    guard fragmentationWalks == Self.mostFragmentationWalks + 1 else { return }
    diagnostics.report(Diagnostic("limitExceeded", .note, "Some nested columns are not balanced, because the page has too many."))
  }

  /// For every loop that can be long.
  ///
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  func check() throws {
    try deadline.check()
    guard fragments.fragments.count <= limits.fragments else { throw LimitExceeded(limit: "fragments", allowed: limits.fragments) }
  }

  /// The same for loops of short steps: looks at the clock now and then.
  @inline(__always)
  func tick() throws {
    ticks &+= 1
    if ticks & 255 == 0 { try check() }
  }

  /// Runs `body` one step deeper in the nesting of boxes.
  func descending<Value>(_ body: () throws -> Value) throws -> Value {
    try check()
    try recursion.enter()
    defer { recursion.leave() }
    return try body()
  }

  // MARK: Fragments

  /// Keeps the gaps with rules of a container.
  func record(_ gaps: [GapSegment]?, of fragment: FragmentID) {
    if let gaps, !gaps.isEmpty { fragments.gaps[fragment] = gaps }
  }

  /// Keeps the shared borders of a table, and returns their number in the fragment tree.
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
    if let known = cache.result(box, input) { return known }
    var result = try descending { try layoutUncached(box, input) }
    result.isComplete = fragments[result.fragment].isComplete
    cache.store(result, box, input)
    return result
  }

  /// Where breaks are depends on more than the input: the result is not kept.
  private func layoutInFragmentainer(_ box: BoxID, _ input: LayoutInput) throws -> LayoutResult {
    var result = try descending { try layoutUncached(box, input) }
    result.isComplete = fragments[result.fragment].isComplete
    return result
  }

  /// The size and the baselines of `box`: those of a measurement or layout that is known, else of a layout. The fragment may lack glyphs.
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
      // The lines at a width that is known already are most often the ones that are kept.
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

  /// The min-content and max-content sizes of `box` in its own inline axis: border box, from its content and edges alone, its `width`,
  /// `min-width` and `max-width` not applied (see `contribution` in Sizing/ for those).
  func intrinsicSizes(_ box: BoxID, _ input: LayoutInput) throws -> MinMaxSizes {
    let key = IntrinsicKey(input, tree[box])
    if let known = cache.intrinsic(box, key) { return known }
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
