import CoreTypes
import Layout
import Typography

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
  /// Boxes with `transform` around what is painted.
  var openTransforms = 0
  private var steps = 0
  /// What a painter that cannot throw came upon.
  var failure: (any Error)?

  init(
    fragments: FragmentTree, tree: BoxTree, images: ImageStore, scale: Double, origin: (x: Int, y: Int), glyphs: GlyphRasterizer?,
    deadline: Deadline, recorder: DisplayListRecorder
  ) {
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
    PaintContext(
      fragments: fragments, tree: tree, images: images, scale: scale, origin: (originX, originY), glyphs: glyphs, deadline: deadline,
      recorder: recorder)
  }

  /// The same list, of fragments that do not lie on the page.
  func atOrigin() -> PaintContext {
    PaintContext(
      fragments: fragments, tree: tree, images: images, scale: scale, origin: (0, 0), glyphs: glyphs, deadline: deadline,
      recorder: recorder)
  }

  /// Called once a fragment: asks for the time now and then.
  func step() throws {
    if let failure { throw failure }
    steps += 1
    if steps & 255 == 0 { try deadline.check() }
  }

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
}
