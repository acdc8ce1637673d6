import OffprintCoreTypes
import OffprintLayout
import OffprintTypography

/// State shared by the painters of a page: its fragments, and the mapping of layout coordinates to pixels of the image.
final class PaintContext {
  let fragments: FragmentTree
  let tree: BoxTree
  let images: ImageStore
  let glyphs: GlyphRasterizer?
  /// Device pixels per CSS px.
  let scale: Double
  /// The top left corner of the image on the page, in device pixels.
  private let originX: Int
  private let originY: Int
  private let deadline: Deadline
  let recorder: DisplayListRecorder

  /// The box whose background propagates to the canvas. The box itself does not paint it.
  var canvasBox = BoxID.none
  /// Origin of the line whose text is being painted.
  var lineOrigin: LayoutPoint?
  /// Number of transformed boxes around the content being painted.
  var openTransforms = 0
  private var steps = 0
  /// Whether an element inside an inline SVG has `mix-blend-mode`, which blends it with the content below the drawing.
  private(set) lazy var blendsInDrawings: Bool = {
    guard !fragments.drawings.isEmpty else { return false }
    let document = tree.styled.document
    return document.nodes.indices.contains { index in
      let node = document.nodes[index]
      return node.namespace == .svg && node.name != .svg && tree.styled.styles[index].effects.mixBlendMode != .normal
    }
  }()
  private let budget: PaintBudget
  /// Maximum nesting depth of painted boxes. It is the same on all platforms; threads with small stacks stop earlier.
  private static let maximumDepth = 6000
  private let stack = StackBounds.ofThisThread()
  /// For inline boxes broken across lines: the sizes of their fragments in order, and the number of fragments painted so far.
  private var inlinePieces: [BoxID: [LayoutUnit]]?
  private var paintedPieces: [BoxID: Int] = [:]
  /// The fragment being painted, relative to the unfragmented box.
  private var unfragmented: UnfragmentedLine?

  /// A fragment of an inline box, relative to the box with all fragments placed side by side. In device pixels.
  struct UnfragmentedLine {
    /// Offset of the first fragment from this one: 0 or negative.
    var before: Double
    /// Total width of all fragments.
    var width: Double
  }

  init(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, scale: Double, origin: (x: Int, y: Int), glyphs: GlyphRasterizer?,
    deadline: Deadline, recorder: DisplayListRecorder, budget: PaintBudget? = nil
  ) {
    self.budget = budget ?? PaintBudget(deadline)
    recorder.budget = self.budget
    self.fragments = fragments
    self.tree = tree
    self.images = images
    self.scale = scale.isFinite && scale > 0 ? min(scale, 1000) : 1
    originX = max(-100_000_000, min(100_000_000, origin.x))
    originY = max(-100_000_000, min(100_000_000, origin.y))
    self.glyphs = glyphs
    self.deadline = deadline
    self.recorder = recorder
  }

  /// A context that paints the same page into another list.
  func with(_ recorder: DisplayListRecorder) -> PaintContext {
    (recorder.glyphs, recorder.missing, recorder.recordsText) = (self.recorder.glyphs, self.recorder.missing, self.recorder.recordsText)
    return PaintContext(
      fragments: fragments, tree: tree, images: images, scale: scale, origin: (originX, originY), glyphs: glyphs, deadline: deadline,
      recorder: recorder, budget: budget)
  }

  /// A context for the same list in SVG user space, in which one CSS px is one unit.
  func inUserSpace() -> PaintContext {
    PaintContext(
      fragments: fragments, tree: tree, images: images, scale: 1, origin: (0, 0), glyphs: glyphs, deadline: deadline, recorder: recorder,
      budget: budget)
  }

  /// A context for the same list, for fragments positioned independently of the page.
  func atOrigin() -> PaintContext {
    PaintContext(
      fragments: fragments, tree: tree, images: images, scale: scale, origin: (0, 0), glyphs: glyphs, deadline: deadline,
      recorder: recorder, budget: budget)
  }

  /// Called once per fragment; checks the deadline every 256 calls.
  func step() throws {
    try checkFailure()
    steps += 1
    if steps & 255 == 0 { try deadline.check() }
  }

  /// Whether boxes at this depth can be painted. If not, painting fails with `LimitExceeded` at the next step.
  func mayGo(to depth: Int) -> Bool {
    if depth < Self.maximumDepth, !stack.isNearEnd { return true }
    budget.note(LimitExceeded(limit: "layoutDepth", allowed: depth))
    return false
  }

  /// Runs `body` for the content of a line.
  func inLine(at origin: LayoutPoint, _ body: () throws -> Void) rethrows {
    let outer = lineOrigin
    lineOrigin = origin
    defer { lineOrigin = outer }
    try body()
  }

  /// Runs `body` for painters that cannot throw. An error ends the painting of the page at the next step.
  @discardableResult
  func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      budget.note(error)
      return nil
    }
  }

  /// - Throws: The first error that a painter recorded, in this list or in another list of the same page.
  func checkFailure() throws { if let error = budget.failure { throw error } }

  /// Whether an error was recorded, so that the result will be discarded. Loops over lists of style values stop here.
  var hasFailed: Bool { budget.failure != nil }

  // MARK: Device pixels

  func x(_ value: LayoutUnit) -> Double { value.double * scale - Double(originX) }
  func y(_ value: LayoutUnit) -> Double { value.double * scale - Double(originY) }
  func length(_ value: Float) -> Double { value.isFinite ? Double(value) * scale : 0 }

  /// Rounds edges to the nearest whole pixel, halves up, so that adjacent boxes stay adjacent.
  func snap(_ rect: LayoutRect) -> PixelRect {
    func round(_ v: Double) -> Int { clampedPixel((v + 0.5).rounded(.down)) }
    let left = round(rect.minX.double * scale), top = round(rect.minY.double * scale)
    return PixelRect(
      left: left - originX, top: top - originY, right: max(left, round(rect.maxX.double * scale)) - originX,
      bottom: max(top, round(rect.maxY.double * scale)) - originY)
  }

  /// Border width in whole pixels: rounded down, at least one.
  func borderWidth(_ width: LayoutUnit) -> Int {
    guard width > .zero else { return 0 }
    return max(1, clampedPixel((width.double * scale + 1e-6).rounded(.down)))
  }

  // MARK: Fragmented inline boxes

  /// The position of the painted fragment in its unfragmented box; nil if the box is not broken.
  func unfragmentedLine(_ fragment: Fragment) -> UnfragmentedLine? { fragment.hasStartEdge && fragment.hasEndEdge ? nil : unfragmented }

  /// Called before each fragment of an inline box is painted. https://drafts.csswg.org/css-break-3/#break-decoration
  func beginPiece(_ fragment: Fragment) {
    unfragmented = nil
    guard tree[fragment.box].kind == .inline, !fragment.hasStartEdge || !fragment.hasEndEdge,
      fragment.style.box.boxDecorationBreak == .slice, fragment.style.text.writingMode == .horizontalTb,
      fragment.style.background.layers.contains(where: { $0.image != .none })
    else { return }
    let sizes = pieces(of: fragment.box), number = paintedPieces[fragment.box, default: 0]
    paintedPieces[fragment.box] = number + 1
    guard sizes.indices.contains(number) else { return }
    let isRTL = fragment.style.text.direction == .rtl
    let sum = { (sizes: ArraySlice<LayoutUnit>) in sizes.reduce(0) { $0 + $1.double } * self.scale }
    unfragmented = UnfragmentedLine(before: -sum(isRTL ? sizes[(number + 1)...] : sizes[..<number]), width: sum(sizes[...]))
  }

  private func pieces(of box: BoxID) -> [LayoutUnit] {
    if let inlinePieces { return inlinePieces[box] ?? [] }
    var found: [BoxID: [LayoutUnit]] = [:]
    // Fragments superseded by a relayout are still in the array, but unreachable from any root.
    var waiting = [fragments.root] + (fragments.scene?.foreignContent.values.map { $0 } ?? [])
    while let id = waiting.popLast(), fragments.fragments.indices.contains(id.index) {
      let fragment = fragments[id]
      if fragment.kind == .box, tree[fragment.box].kind == .inline { found[fragment.box, default: []].append(fragment.size.width) }
      waiting += fragments.links[fragment.children].reversed().map(\.fragment)
    }
    inlinePieces = found
    return found[box] ?? []
  }
}
