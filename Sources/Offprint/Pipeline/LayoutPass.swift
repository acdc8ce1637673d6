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
  /// The pages the document is fragmented into; nil for a single image.
  var sheets: PageSequence?
  /// The page's computed values are reported, those without effect included.
  var reportsAllProperties = false
  /// The diagnostics of this pass.
  var log = DiagnosticLog()

  mutating func run(
    _ document: Document, source: [UInt8], viewport: Viewport, answers: LayoutFeedback, _ clock: inout StageClock
  ) throws -> LaidOutPage {
    clock.begin(.style)
    let styled = try style(document, source: source, viewport: viewport, answers: answers)
    try deadline.check()
    return try layOut(styled, viewport: viewport, answers: answers, &clock)
  }

  /// styled document → fragments.
  mutating func layOut(
    _ styled: StyledDocument, viewport: Viewport, answers: LayoutFeedback, _ clock: inout StageClock
  ) throws -> LaidOutPage {
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
      time: request.time, styled: styled, tree: engine.tree, fragments: fragments, images: images, viewport: viewport,
      contentSize: engine.pageSize)
    if var sheets {
      sheets.extents = engine.pageExtents
      page.sheets = sheets
      page.margins = try layOutMargins(sheets, of: styled)
    }
    return page
  }
}

/// The results of layout that styles depend on.
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

/// Repeats layout as often as container queries, scroll timelines and a width of `auto` require. The result and the diagnostics are those
/// of the last pass.
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

  /// The page size from style sheets and the request; nil if there is none, or only a part of the page is rendered.
  private func sheets(_ viewport: Viewport, _ clock: inout StageClock) throws -> PageSequence? {
    guard pass.request.selector == nil, pass.request.clip == nil else { return nil }
    clock.begin(.style)
    var pass = pass
    let styled = try pass.style(document, source: source, viewport: viewport, answers: LayoutFeedback())
    let styler = PageStyler(styled, fontMetrics: LoadedFontMetrics(fonts: pass.fonts), deadline: pass.deadline)
    return PageSequence(styled, pass.request.sheet, styler)
  }

  /// Styles can depend on the sizes of containers and the positions of boxes on scroll timelines, which layout determines. Both are
  /// repeated until the results are stable. Each pass settles at least the outermost unsettled containers, so few are needed.
  ///
  /// https://drafts.csswg.org/css-conditional-5/#container-queries, https://drafts.csswg.org/scroll-animations-1/#html-processing
  private func settle(_ viewport: Viewport, _ clock: inout StageClock) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var answers = LayoutFeedback(), first: TimelineResults?
    for _ in 0..<Self.maximumPasses {
      let result = try run(viewport, answers, &clock)
      let found = try LayoutFeedback(result.page, pass.deadline)
      if found == answers { return result }
      if found.timelines != answers.timelines, first == nil { first = found.timelines }
      answers = found
    }
    // An animation that moves its own box along its timeline never becomes stable: its first position is used.
    if let first { answers.timelines = first }
    return try run(viewport, answers, &clock)
  }

  private static let maximumPasses = 6

  private func run(
    _ viewport: Viewport, _ answers: LayoutFeedback, _ clock: inout StageClock
  ) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var pass = pass
    let page = try pass.run(document, source: source, viewport: viewport, answers: answers, &clock)
    return (page, pass.log)
  }

  /// The fit-content width of the root element (https://drafts.csswg.org/css-sizing-3/#fit-content-size), at most `maxWidth`.
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
  /// Whether the image is as high as its contents. `height` then only affects viewport units, media queries and the containing block of
  /// fixed boxes.
  var isHeightAuto = false

  init(width: Double, height: Double) { self.width = width; self.height = height }

  /// The initial viewport, before the contents are known.
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
