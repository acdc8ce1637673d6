import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting

/// The frames of an animated page, one after the other. What costs time is only done again for what changes: styles are computed for
/// animated elements and their descendants, layout runs if a change affects it, and only pixels that can differ are painted.
struct AnimationFrames {
  private let worker: RenderWorker
  private let document: Document
  private let options: PaintOptions
  private var page: LaidOutPage
  private var painted: (list: DisplayList, bitmap: Bitmap)?
  /// How often styles were advanced since all were computed. Each time adds styles to the memory of the page.
  private var advances = 0
  private let mayAdvance: Bool
  private static let maximumAdvances = 128

  init(_ worker: RenderWorker, _ first: LaidOutPage, _ document: Document, _ options: PaintOptions) {
    (self.worker, self.document, self.options, page) = (worker, document, options, first)
    mayAdvance = first.styled.canAdvance && first.sheets == nil && !Self.hasFrames(document)
  }

  /// Whether it contains other documents.
  private static func hasFrames(_ document: Document) -> Bool {
    document.nodes.contains { $0.kind == .element && [.iframe, .object, .embed].contains($0.name) }
  }

  mutating func bitmap(at time: AnimationTime, _ state: inout RenderWorker.Page) throws -> Bitmap {
    if time != page.time {
      // Images that move can appear at any time.
      let hasStillPictures = !state.resources.hasAnimatedPictures
      state.resources.advance(to: time)
      page = try (hasStillPictures ? advanced(to: time, &state) : nil) ?? worker.layOut(document, at: time, &state)
      page.time = time
    }
    return try paint(&state)
  }

  // MARK: Layout

  /// Nil if everything has to be computed.
  private mutating func advanced(to time: AnimationTime, _ state: inout RenderWorker.Page) throws -> LaidOutPage? {
    guard mayAdvance, advances < Self.maximumAdvances else {
      advances = 0
      return nil
    }
    advances += 1
    var request = state.request
    request.time = time
    var pass = LayoutPass(
      request: request, resources: state.resources, fonts: worker.fonts, registry: worker.registry, deadline: state.deadline)
    state.clock.begin(.style)
    var styled = try pass.style(document, source: state.html, viewport: page.viewport, answers: LayoutFeedback(), advancing: page.styled)
    try state.deadline.check()
    if let changes = StyleChanges(from: page.styled, to: &styled), let restyled = page.restyled(changes, styled) { return restyled }
    // The width depends on the contents.
    guard case .px = request.width else { return nil }
    let result = try pass.layOut(styled, viewport: page.viewport, answers: LayoutFeedback(), &state.clock)
    state.log.append(contentsOf: pass.log)
    return result.styled.canAdvance ? result : nil
  }

  // MARK: Painting

  private mutating func paint(_ state: inout RenderWorker.Page) throws -> Bitmap {
    state.clock.begin(.paint)
    let list = try worker.painter.displayList(
      fragments: page.fragments, tree: page.tree, images: page.images, options: options, deadline: state.deadline)
    let changed = painted.map { list.difference(from: $0.list) } ?? list.bounds
    var bitmap = painted?.bitmap
    if bitmap == nil { bitmap = Bitmap(width: options.width, height: options.height) }
    guard var bitmap else { throw ImageError(.imageTooLarge, "There is not enough memory for a frame.") }
    painted = nil
    if !changed.isEmpty { try paint(list, changed, into: &bitmap, state.deadline) }
    worker.reportPainting(&state)
    try state.deadline.check()
    painted = (list, bitmap)
    return bitmap
  }

  private func paint(_ list: DisplayList, _ area: PixelRect, into bitmap: inout Bitmap, _ deadline: Deadline) throws {
    var part = list, y = area.top
    part.bounds = area
    let width = bitmap.width
    try worker.painter.draw(part, background: options.background, limits: options.limits, deadline: deadline) { rows, count in
      bitmap.withUnsafeMutablePixels { pixels in
        guard let source = rows.baseAddress, let base = pixels.baseAddress, (y + count) * width <= pixels.count else { return }
        for row in 0..<count { (base + (y + row) * width + area.left).update(from: source + row * area.width, count: area.width) }
      }
      y += count
    }
  }
}
