import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting

/// Renders the frames of an animated page incrementally. Styles are recomputed for animated elements and their descendants, layout runs only
/// if a style change affects it, and only the area that can differ is repainted.
struct AnimationFrames {
  private let worker: RenderWorker
  private let document: Document
  private let options: PaintOptions
  private var page: LaidOutPage
  private var lastFrame: (list: DisplayList, bitmap: Bitmap)?
  /// The number of incremental style updates since the last full one. Each update allocates styles that are only freed by a full one.
  private var advanceCount = 0
  private let supportsIncrementalUpdates: Bool
  private static let maximumAdvances = 128

  init(_ worker: RenderWorker, _ first: LaidOutPage, _ document: Document, _ options: PaintOptions) {
    (self.worker, self.document, self.options, page) = (worker, document, options, first)
    supportsIncrementalUpdates = first.styled.canAdvance && first.pages == nil && !Self.hasEmbeddedDocuments(document)
  }

  /// Whether the page embeds other documents. Such pages are always rendered in full.
  private static func hasEmbeddedDocuments(_ document: Document) -> Bool {
    document.nodes.contains { $0.kind == .element && [.iframe, .object, .embed].contains($0.name) }
  }

  mutating func bitmap(at time: AnimationTime, _ state: inout RenderWorker.Page) throws -> Bitmap {
    if time != page.time {
      // With animated images, layout runs in full, because they are decoded again. Read before `advance`, which clears the list of them.
      let hasOnlyStaticImages = !state.resources.hasAnimatedImages
      state.resources.advance(to: time)
      page = try (hasOnlyStaticImages ? advanced(to: time, &state) : nil) ?? worker.layOut(document, at: time, &state)
      page.time = time
    }
    return try paint(&state)
  }

  // MARK: Layout

  /// The page at `time`, updated incrementally from the current frame; nil if style and layout have to run in full.
  private mutating func advanced(to time: AnimationTime, _ state: inout RenderWorker.Page) throws -> LaidOutPage? {
    guard supportsIncrementalUpdates, advanceCount < Self.maximumAdvances else {
      advanceCount = 0
      return nil
    }
    advanceCount += 1
    var request = state.request
    request.time = time
    var pass = LayoutPass(
      request: request, resources: state.resources, fonts: worker.fonts, registry: worker.registry, deadline: state.deadline)
    state.clock.begin(.style)
    var styled = try pass.style(document, source: state.html, viewport: page.viewport, feedback: LayoutFeedback(), advancing: page.styled)
    try state.deadline.check()
    if let changes = StyleChanges(from: page.styled, to: &styled), let restyled = page.restyled(changes, styled) { return restyled }
    // With `width: auto`, a layout change may change the width of the page.
    guard case .px = request.width else { return nil }
    let result = try pass.layOut(styled, viewport: page.viewport, feedback: LayoutFeedback(), &state.clock)
    state.log.append(contentsOf: pass.log)
    return result.styled.canAdvance ? result : nil
  }

  // MARK: Painting

  private mutating func paint(_ state: inout RenderWorker.Page) throws -> Bitmap {
    state.clock.begin(.paint)
    let list = try worker.painter.displayList(
      fragments: page.fragments, tree: page.tree, images: page.images, options: options, deadline: state.deadline)
    let damage = lastFrame.map { list.difference(from: $0.list) } ?? list.bounds
    var bitmap = lastFrame?.bitmap
    if bitmap == nil { bitmap = Bitmap(width: options.width, height: options.height) }
    guard var bitmap else {
      throw ImageError(.imageTooLarge, "There is not enough memory for an animation frame of \(options.width) × \(options.height) px.")
    }
    // Release this reference, so that painting does not copy the bitmap.
    lastFrame = nil
    if !damage.isEmpty { try paint(list, damage, into: &bitmap, state.deadline) }
    worker.reportPainting(&state)
    try state.deadline.check()
    lastFrame = (list, bitmap)
    return bitmap
  }

  private func paint(_ list: DisplayList, _ damage: PixelRect, into bitmap: inout Bitmap, _ deadline: Deadline) throws {
    var damagedList = list, y = damage.top
    damagedList.bounds = damage
    let width = bitmap.width
    try worker.painter.draw(damagedList, background: options.background, limits: options.limits, deadline: deadline) { rows, count in
      bitmap.withUnsafeMutablePixels { pixels in
        guard let source = rows.baseAddress, let base = pixels.baseAddress, (y + count) * width <= pixels.count else { return }
        for row in 0..<count { (base + (y + row) * width + damage.left).update(from: source + row * damage.width, count: damage.width) }
      }
      y += count
    }
  }
}
