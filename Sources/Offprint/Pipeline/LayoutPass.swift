import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout
import OffprintTypography

/// One pass over a page: document → styles → images → boxes → fragments. Each arrow is one function with an immutable result.
struct LayoutPass {
  let request: RenderRequest
  let resources: PageResources
  let fonts: FontContext
  let registry: FontRegistry
  let deadline: Deadline
  /// The pages that the document is fragmented into; nil for a single image.
  var pages: PageSequence?
  /// Whether to also compute properties that have no effect on the image, for `inspect --computed`.
  var reportsAllProperties = false
  /// Whether only fragments that can be visible in the image are needed.
  var stopsBelowImage = false
  /// The diagnostics of this pass.
  var log = DiagnosticLog()

  mutating func run(
    _ document: Document, source: [UInt8], viewport: Viewport, feedback: LayoutFeedback, _ clock: inout StageClock
  ) throws -> LaidOutPage {
    clock.begin(.style)
    let styled = try style(document, source: source, viewport: viewport, feedback: feedback)
    try deadline.check()
    return try layOut(styled, viewport: viewport, feedback: feedback, &clock)
  }

  /// Runs the stages from the styled document to the fragments.
  mutating func layOut(
    _ styled: StyledDocument, viewport: Viewport, feedback: LayoutFeedback, _ clock: inout StageClock
  ) throws -> LaidOutPage {
    clock.begin(.images)
    let images = try loadImages(styled)
    try deadline.check()
    clock.begin(.boxes)
    let tree = try BoxTreeBuilder.build(
      styled, images: images, limits: request.limits, deadline: deadline, scrollStates: feedback.scrollParts.states)
    try deadline.check()
    clock.begin(.layout)
    let engine = LayoutEngine(tree: tree, fonts: fonts, viewport: viewport.size, deadline: deadline, limits: request.limits)
    engine.pageAreas = pages?.areas
    engine.isViewportHeightAuto = viewport.isHeightAuto
    engine.stopsBelowViewport = stopsBelowImage && mayStopBelowImage
    let fragments = try engine.layoutPage()
    log.append(contentsOf: engine.diagnostics)
    var page = LaidOutPage(
      time: request.time, styled: styled, tree: engine.tree, fragments: fragments, images: images, viewport: viewport,
      contentSize: engine.pageSize)
    if var pages {
      pages.extents = engine.pageExtents
      page.pages = pages
      page.margins = try layOutMargins(pages, of: styled)
    }
    return page
  }
}

extension LayoutPass {
  /// Whether the image has the size of the viewport and is made of this layout only. Later frames of an animation can move other contents
  /// into the image, and drawings in vector formats include what is outside.
  private var mayStopBelowImage: Bool {
    guard request.selector == nil, request.clip == nil, !request.encoding.isAnimated else { return false }
    return request.encoding.format != .svg && request.encoding.format != .pdf
  }
}

/// Results of layout that the styles of the next pass depend on.
struct LayoutFeedback: Equatable {
  var containers = ContainerSizes()
  var timelines = TimelineResults()
  var scrollParts = ScrollPartResults()

  init() {}

  init(_ page: LaidOutPage, _ deadline: Deadline) throws {
    containers = ContainerSizes(page)
    timelines = try TimelineResults(page, deadline)
    scrollParts = ScrollPartResults(page)
  }
}

/// Repeats style and layout as often as container queries, scroll timelines and a width of `auto` require. The result and the diagnostics are
/// those of the last pass.
struct LayoutLoop {
  private let document: Document
  private let source: [UInt8]
  private var pass: LayoutPass

  /// - Parameter pass: The initial state of each pass.
  init(_ document: Document, source: [UInt8], pass: LayoutPass) {
    self.document = document
    self.source = source
    self.pass = pass
  }

  func run(_ clock: inout StageClock) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var viewport = Viewport(pass.request)
    if pass.request.encoding.format == .pdf, let pages = try pages(viewport, &clock) {
      var paged = self
      paged.pass.pages = pages
      return try paged.runUntilStable(pages.viewport, &clock)
    }
    let result = try runUntilStable(viewport, &clock)
    guard case .auto = pass.request.width else { return result }
    viewport.width = try shrinkToFit(result.page)
    return try runUntilStable(viewport, &clock)
  }

  /// The page boxes that style sheets and the request specify; nil if neither does, or if `selector` or `clip` renders a part of the document.
  private func pages(_ viewport: Viewport, _ clock: inout StageClock) throws -> PageSequence? {
    guard pass.request.selector == nil, pass.request.clip == nil else { return nil }
    clock.begin(.style)
    var pass = pass
    let styled = try pass.style(document, source: source, viewport: viewport, feedback: LayoutFeedback())
    let styler = PageStyler(styled, fontMetrics: LoadedFontMetrics(fonts: pass.fonts), deadline: pass.deadline)
    return PageSequence(styled, pass.request.pageSetup, styler)
  }

  /// Styles can depend on results of layout: the sizes of containers and the positions of scroll timelines. Style and layout are repeated
  /// until these are stable. Each pass fixes at least the outermost containers that still changed, so few passes are needed.
  ///
  /// https://drafts.csswg.org/css-conditional-5/#container-queries, https://drafts.csswg.org/scroll-animations-1/#html-processing
  private func runUntilStable(_ viewport: Viewport, _ clock: inout StageClock) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var feedback = LayoutFeedback(), firstTimelines: TimelineResults?
    for _ in 0..<Self.maximumPasses {
      let result = try run(viewport, feedback, &clock)
      let newFeedback = try LayoutFeedback(result.page, pass.deadline)
      if newFeedback == feedback { return result }
      if newFeedback.timelines != feedback.timelines, firstTimelines == nil { firstTimelines = newFeedback.timelines }
      feedback = newFeedback
    }
    // An animation that moves the box that its timeline tracks may never become stable: its first position is used.
    if let firstTimelines { feedback.timelines = firstTimelines }
    return try run(viewport, feedback, &clock)
  }

  /// One more pass follows if the results are not stable.
  private static let maximumPasses = 6

  private func run(
    _ viewport: Viewport, _ feedback: LayoutFeedback, _ clock: inout StageClock
  ) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var pass = pass
    let page = try pass.run(document, source: source, viewport: viewport, feedback: feedback, &clock)
    return (page, pass.log)
  }

  /// The fit-content width of the root element (https://drafts.csswg.org/css-sizing-3/#fit-content-size), at most `maxWidth`.
  private func shrinkToFit(_ page: LaidOutPage) throws -> Double {
    let request = pass.request
    let engine = LayoutEngine(
      tree: page.tree, fonts: pass.fonts, viewport: page.viewport.size, deadline: pass.deadline, limits: request.limits)
    let contentWidth = try engine.contentWidth(of: page.fragments).double
    return min(max(1, contentWidth.rounded(.up)), request.maxWidth ?? Double(request.limits.imageSide) / request.scale)
  }
}

/// The size of the initial containing block in CSS px.
struct Viewport {
  var width: Double
  var height: Double
  /// Whether the height of the image is that of its contents. `height` then only affects viewport units, media queries and the containing
  /// block of fixed boxes.
  var isHeightAuto = false

  init(width: Double, height: Double) { self.width = width; self.height = height }

  /// The initial viewport, before the contents are known.
  init(_ request: RenderRequest) {
    switch request.width {
    case .px(let width): self.width = width
    case .auto: width = request.maxWidth ?? Self.defaultMaximumWidth
    }
    switch request.height {
    case .px(let height): self.height = height
    case .auto:
      height = request.viewportHeight
      isHeightAuto = true
    }
  }

  var size: LayoutSize { LayoutSize(width: LayoutUnit(width), height: LayoutUnit(height)) }

  /// The width of the first pass for `width: auto` without `maxWidth`, in CSS px.
  private static let defaultMaximumWidth = 16_384.0
}
