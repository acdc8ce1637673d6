import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintLayout
import OffprintTypography

/// One pass over a page: document → styles → pictures → boxes → fragments. Each arrow is one function; its result is never changed.
struct LayoutPass {
  let request: RenderRequest
  let resources: PageResources
  let fonts: FontContext
  let registry: FontRegistry
  let deadline: Deadline
  /// What the page is broken into; nil: it is one picture.
  var sheets: PageSheets?
  /// What this pass noticed.
  var log = DiagnosticLog()

  mutating func run(
    _ document: Document, source: [UInt8], viewport: Viewport, answers: LayoutAnswers, _ clock: inout StageClock
  ) throws -> LaidOutPage {
    clock.begin(.style)
    let styled = try style(document, source: source, viewport: viewport, answers: answers)
    try deadline.check()
    clock.begin(.images)
    let images = try loadImages(styled)
    try deadline.check()
    clock.begin(.boxes)
    let tree = try BoxTreeBuilder.build(
      styled, images: images, limits: request.limits, deadline: deadline, scrollStates: answers.scrollParts.states)
    try deadline.check()
    clock.begin(.layout)
    let engine = LayoutEngine(tree: tree, fonts: fonts, viewport: viewport.size, deadline: deadline, limits: request.limits)
    engine.pageAreas = sheets?.areas
    engine.isViewportHeightAuto = viewport.isHeightAuto
    let fragments = try engine.layoutPage()
    log.append(contentsOf: engine.diagnostics)
    var page = LaidOutPage(
      styled: styled, tree: engine.tree, fragments: fragments, images: images, viewport: viewport, contentSize: engine.pageSize)
    if var sheets {
      sheets.extents = engine.pageExtents
      page.sheets = sheets
      page.margins = try layOutMargins(sheets, of: styled)
    }
    return page
  }
}

/// What styles ask of layout, and layout found.
struct LayoutAnswers: Equatable {
  var containers = ContainerSizes()
  var timelines = TimelineAnswers()
  var scrollParts = ScrollPartAnswers()

  init() {}

  init(_ page: LaidOutPage, _ deadline: Deadline) throws {
    containers = ContainerSizes(page)
    timelines = try TimelineAnswers(page, deadline)
    scrollParts = ScrollPartAnswers(page)
  }
}

/// Lays a page out as often as its container queries, its scroll timelines and a width of `auto` ask for. The last pass is the result, and what it noticed
/// is what is told.
struct LayoutPasses {
  private let document: Document
  private let source: [UInt8]
  private var pass: LayoutPass

  /// - Parameter pass: where each begins.
  init(_ document: Document, source: [UInt8], pass: LayoutPass) {
    self.document = document
    self.source = source
    self.pass = pass
  }

  func run(_ clock: inout StageClock) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var viewport = Viewport(pass.request)
    if pass.request.encoding.format == .pdf, let sheets = try sheets(viewport, &clock) {
      var paged = self
      paged.pass.sheets = sheets
      return try paged.settle(sheets.viewport, &clock)
    }
    let result = try settle(viewport, &clock)
    guard case .auto = pass.request.width else { return result }
    viewport.width = try shrinkToFit(result.page)
    return try settle(viewport, &clock)
  }

  /// What the style sheets and the request say of paper; nil: nothing, or only a part of the page is asked for.
  private func sheets(_ viewport: Viewport, _ clock: inout StageClock) throws -> PageSheets? {
    guard pass.request.selector == nil, pass.request.clip == nil else { return nil }
    clock.begin(.style)
    var pass = pass
    let styled = try pass.style(document, source: source, viewport: viewport, answers: LayoutAnswers())
    let styler = PageStyler(styled, fontMetrics: FontMetricsAnswer(fonts: pass.fonts), deadline: pass.deadline)
    return PageSheets(styled, pass.request.sheet, styler)
  }

  /// Styles may ask for the sizes of containers and the places of boxes on scroll timelines, which layout finds: both are done again until
  /// these stay the same. Each pass settles at least the outermost containers that were not settled before, so that few are needed.
  ///
  /// https://drafts.csswg.org/css-conditional-5/#container-queries, https://drafts.csswg.org/scroll-animations-1/#html-processing
  private func settle(_ viewport: Viewport, _ clock: inout StageClock) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var answers = LayoutAnswers(), first: TimelineAnswers?
    for _ in 0..<Self.mostPasses {
      let result = try run(viewport, answers, &clock)
      let found = try LayoutAnswers(result.page, pass.deadline)
      if found == answers { return result }
      if found.timelines != answers.timelines, first == nil { first = found.timelines }
      answers = found
    }
    // An animation that moves its own box along its timeline never comes to rest: its first place counts.
    if let first { answers.timelines = first }
    return try run(viewport, answers, &clock)
  }

  private static let mostPasses = 6

  private func run(
    _ viewport: Viewport, _ answers: LayoutAnswers, _ clock: inout StageClock
  ) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var pass = pass
    let page = try pass.run(document, source: source, viewport: viewport, answers: answers, &clock)
    return (page, pass.log)
  }

  /// The width that fits the root element (https://drafts.csswg.org/css-sizing-3/#fit-content-size), at most `maxWidth`.
  private func shrinkToFit(_ page: LaidOutPage) throws -> Double {
    let request = pass.request
    let engine = LayoutEngine(
      tree: page.tree, fonts: pass.fonts, viewport: page.viewport.size, deadline: pass.deadline, limits: request.limits)
    let widest = try engine.contentWidth(of: page.fragments).double
    return min(max(1, widest.rounded(.up)), request.maxWidth ?? Double(request.limits.pictureSide) / request.scale)
  }
}

/// The size of the initial containing block in CSS px.
struct Viewport {
  var width: Double
  var height: Double
  /// The image is as high as its content: `height` defines viewport units, media queries and the containing block of fixed boxes, and nothing
  /// else.
  var isHeightAuto = false

  init(width: Double, height: Double) { self.width = width; self.height = height }

  /// The viewport before the content is known.
  init(_ request: RenderRequest) {
    switch request.width {
    case .px(let width): self.width = width
    case .auto: width = request.maxWidth ?? Self.widest
    }
    switch request.height {
    case .px(let height): self.height = height
    case .auto:
      height = request.viewportHeight
      isHeightAuto = true
    }
  }

  var size: LayoutSize { LayoutSize(width: LayoutUnit(width), height: LayoutUnit(height)) }

  private static let widest = 16_384.0
}
