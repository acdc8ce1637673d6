import OffprintCoreTypes
import OffprintLayout
import OffprintTypography

/// What painters know of the page: its fragments, and how they lie on the picture's pixels.
final class PaintContext {
  let fragments: FragmentTree
  let tree: BoxTree
  let images: ImageStore
  let glyphs: GlyphRasterizer?
  /// Device pixels a CSS px.
  let scale: Double
  /// Device pixels of the page left of and above the picture.
  private let originX: Int
  private let originY: Int
  private let deadline: Deadline
  let recorder: DisplayListRecorder

  /// The box whose background the canvas shows instead of the box.
  var canvasBox = BoxID.none
  /// Where the line begins whose text is painted.
  var lineOrigin: LayoutPoint?
  /// Boxes with `transform` around what is painted.
  var openTransforms = 0
  private var steps = 0
  /// Elements inside of drawings are blended with what is below them.
  private(set) lazy var blendsInDrawings: Bool = {
    guard !fragments.drawings.isEmpty else { return false }
    let document = tree.styled.document
    return document.nodes.indices.contains { index in
      let node = document.nodes[index]
      return node.namespace == .svg && node.name != .svg && tree.styled.styles[index].effects.mixBlendMode != .normal
    }
  }()
  private let budget: PaintBudget
  /// How deep boxes are painted: the same everywhere, or what the stack has room for where that is less.
  private static let maximumDepth = 6000
  private let stack = StackBounds.ofThisThread()
  /// Of inline boxes broken across lines: the pieces' sizes in order, and how many have been painted.
  private var inlinePieces: [BoxID: [LayoutUnit]]?
  private var paintedPieces: [BoxID: Int] = [:]
  /// The piece that is painted, as part of the whole.
  private var unbroken: UnbrokenLine?

  /// A piece of an inline box on one line, as if all pieces stood beside each other, in device pixels.
  struct UnbrokenLine {
    /// From the piece's start to the first one's: 0 or below.
    var before: Double
    /// Of all pieces.
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

  /// The same page, painted into another list.
  func with(_ recorder: DisplayListRecorder) -> PaintContext {
    (recorder.glyphs, recorder.missing, recorder.recordsText) = (self.recorder.glyphs, self.recorder.missing, self.recorder.recordsText)
    return PaintContext(
      fragments: fragments, tree: tree, images: images, scale: scale, origin: (originX, originY), glyphs: glyphs, deadline: deadline,
      recorder: recorder, budget: budget)
  }

  /// The same list, in the user space of SVG, where a CSS px is 1.
  func inUserSpace() -> PaintContext {
    PaintContext(
      fragments: fragments, tree: tree, images: images, scale: 1, origin: (0, 0), glyphs: glyphs, deadline: deadline, recorder: recorder,
      budget: budget)
  }

  /// The same list, of fragments that do not lie on the page.
  func atOrigin() -> PaintContext {
    PaintContext(
      fragments: fragments, tree: tree, images: images, scale: scale, origin: (0, 0), glyphs: glyphs, deadline: deadline,
      recorder: recorder, budget: budget)
  }

  /// Called once a fragment: asks for the time now and then.
  func step() throws {
    try checkFailure()
    steps += 1
    if steps & 255 == 0 { try deadline.check() }
  }

  /// Whether a box that is `depth` boxes deep can be painted. Where it cannot, the page ends at the next step with `LimitExceeded`.
  func mayGo(to depth: Int) -> Bool {
    if depth < Self.maximumDepth, !stack.isNearEnd { return true }
    budget.note(LimitExceeded(limit: "layoutDepth", allowed: depth))
    return false
  }

  /// Runs `body` for what is in a line.
  func inLine(at origin: LayoutPoint, _ body: () throws -> Void) rethrows {
    let outer = lineOrigin
    lineOrigin = origin
    defer { lineOrigin = outer }
    try body()
  }

  /// For painters that cannot throw: what goes wrong ends the page at the next step.
  @discardableResult
  func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      budget.note(error)
      return nil
    }
  }

  /// - Throws: what a painter that cannot throw came upon, here or where the same page is painted into another list.
  func checkFailure() throws { if let error = budget.failure { throw error } }

  /// Whether something went wrong, so that nothing of what is painted will be used: loops over lists of a style end here.
  var hasFailed: Bool { budget.failure != nil }

  // MARK: Device pixels

  func x(_ value: LayoutUnit) -> Double { value.double * scale - Double(originX) }
  func y(_ value: LayoutUnit) -> Double { value.double * scale - Double(originY) }
  func length(_ value: Float) -> Double { value.isFinite ? Double(value) * scale : 0 }

  /// Edges go to the nearest whole pixel, halves upward, so that boxes that touch still do.
  func snap(_ rect: LayoutRect) -> PixelRect {
    func round(_ v: Double) -> Int { clampedPixel((v + 0.5).rounded(.down)) }
    let left = round(rect.minX.double * scale), top = round(rect.minY.double * scale)
    return PixelRect(
      left: left - originX, top: top - originY, right: max(left, round(rect.maxX.double * scale)) - originX,
      bottom: max(top, round(rect.maxY.double * scale)) - originY)
  }

  /// A border's width: whole pixels, at least one.
  func borderWidth(_ width: LayoutUnit) -> Int {
    guard width > .zero else { return 0 }
    return max(1, clampedPixel((width.double * scale + 1e-6).rounded(.down)))
  }

  // MARK: Broken inline boxes

  /// Where the piece that is painted stands in its unbroken box; nil for boxes that are not broken.
  func unbrokenLine(_ fragment: Fragment) -> UnbrokenLine? { fragment.hasStartEdge && fragment.hasEndEdge ? nil : unbroken }

  /// Called before each piece of an inline box is painted. https://drafts.csswg.org/css-break-3/#break-decoration
  func beginPiece(_ fragment: Fragment) {
    unbroken = nil
    guard tree[fragment.box].kind == .inline, !fragment.hasStartEdge || !fragment.hasEndEdge,
      fragment.style.box.boxDecorationBreak == .slice, fragment.style.text.writingMode == .horizontalTb,
      fragment.style.background.layers.contains(where: { $0.image != .none })
    else { return }
    let sizes = pieces(of: fragment.box), number = paintedPieces[fragment.box, default: 0]
    paintedPieces[fragment.box] = number + 1
    guard sizes.indices.contains(number) else { return }
    let isRTL = fragment.style.text.direction == .rtl
    let sum = { (sizes: ArraySlice<LayoutUnit>) in sizes.reduce(0) { $0 + $1.double } * self.scale }
    unbroken = UnbrokenLine(before: -sum(isRTL ? sizes[(number + 1)...] : sizes[..<number]), width: sum(sizes[...]))
  }

  private func pieces(of box: BoxID) -> [LayoutUnit] {
    if let inlinePieces { return inlinePieces[box] ?? [] }
    var found: [BoxID: [LayoutUnit]] = [:]
    // What was laid out anew is still among the fragments, but under no root.
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
