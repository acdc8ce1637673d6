import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting
import OffprintRenderCache
import OffprintResources
import OffprintTypography

/// Per-thread rendering state. Fonts, shaped runs and rasterized glyphs are reused by later renders.
final class RenderWorker {
  let registry: FontRegistry
  /// Creates the loader for a page's resources.
  private let makeLoader: (RenderRequest, Deadline) -> ResourceLoader
  lazy var fonts = FontContext(fonts: FontSet(registry: registry))
  lazy var painter = Painter()
  /// Reusable memory of encoders.
  let workspace: PNGWorkspace
  /// Shared with the renderer's other workers.
  private let threads: HelperThreads
  /// Shared with the renderer's other workers.
  private let decodedImages: DecodedImageCache

  init(
    registry: FontRegistry, decodedImages: DecodedImageCache = DecodedImageCache(), threads: HelperThreads,
    makeLoader: @escaping (RenderRequest, Deadline) -> ResourceLoader
  ) {
    self.registry = registry
    self.decodedImages = decodedImages
    self.makeLoader = makeLoader
    self.threads = threads
    workspace = PNGWorkspace(threads: threads)
  }

  /// A page in the pipeline.
  struct Page {
    let request: RenderRequest
    let html: [UInt8]
    let isXML: Bool
    let resources: PageResources
    let deadline: Deadline
    var log = DiagnosticLog()
    var clock: StageClock
  }

  // MARK: Operations

  /// Renders the image as a file.
  func render(_ job: RenderJob, _ prepared: PreparedRequest) throws(OffprintError) -> RenderResult {
    try run(job, prepared) { page in
      let document = try self.document(&page)
      let laidOut = try layOut(document, at: page.request.time, &page, stopsBelowImage: true)
      let image = try page.request.encoding.isAnimated ? animate(laidOut, document, &page) : encode(laidOut, &page)
      try checkStrictness(page)
      var result = RenderResult(
        image: image.bytes, identifier: prepared.request.identifier, wasCached: false, width: image.width, height: image.height,
        diagnostics: page.log.entries, faces: facesUsed(laidOut), key: "\(prepared.key)")
      result.timings = page.clock.timings
      result.milliseconds = page.clock.workMilliseconds
      result.dependencies = page.resources.loader.dependencies.map(CacheDependency.init)
      return result
    }
  }

  /// Renders the image as pixels.
  func pixels(_ job: RenderJob, _ prepared: PreparedRequest) throws(OffprintError) -> PixelResult {
    try run(job, prepared) { page in
      let document = try self.document(&page)
      let laidOut = try layOut(document, at: page.request.time, &page, stopsBelowImage: true)
      let image = try pixels(laidOut, &page)
      try checkStrictness(page)
      return PixelResult(
        pixels: image.bytes, width: image.width, height: image.height, diagnostics: page.log.entries, faces: facesUsed(laidOut),
        timings: page.clock.timings)
    }
  }

  /// Lays out the page without painting.
  func layout(_ job: RenderJob, _ prepared: PreparedRequest) throws(OffprintError) -> PageLayout {
    try run(job, prepared) { page in
      let laidOut = try layOut(&page)
      try checkStrictness(page)
      page.clock.end()
      return try PageLayout(laidOut, page)
    }
  }

  func run<Value>(
    _ job: RenderJob, _ prepared: PreparedRequest, _ body: (inout Page) throws -> Value
  ) throws(OffprintError) -> Value {
    threads.enter()
    defer { threads.leave() }
    do {
      try job.deadline.check()
      var page = self.page(job, prepared)
      return try body(&page)
    } catch {
      throw job.error(error)
    }
  }

  private func page(_ job: RenderJob, _ prepared: PreparedRequest) -> Page {
    let resources = PageResources(
      prepared.request, loader: makeLoader(prepared.request, job.deadline), registry: registry, decodedImages: decodedImages,
      deadline: job.deadline)
    var page = Page(
      request: prepared.request, html: prepared.html, isXML: prepared.isXML, resources: resources, deadline: job.deadline, clock: job.clock)
    for problem in registry.problems {
      page.log.report(Diagnostic("fontUnreadable", .note, "A font file or folder is skipped: \(problem)."))
    }
    if registry.faces.isEmpty {
      page.log.report(
        Diagnostic(
          "fontUnreadable", .degraded,
          "The bundled fonts were not found and there are no others, so text is not rendered. Reinstall Offprint, set their folder with "
            + "OFFPRINT_FONTS, or add a folder of fonts with \(OptionName.fonts.text)."))
    }
    return page
  }

  private func checkStrictness(_ page: Page) throws(OffprintError) {
    try checkFatalDiagnostics(page)
    guard page.request.isStrict, let problem = page.log.entries.first(where: { $0.severity == .degraded || $0.code == .textClipped })
    else { return }
    throw OffprintError(failing: problem)
  }

  private func checkFatalDiagnostics(_ page: Page) throws(OffprintError) {
    guard !page.request.fatalDiagnostics.isEmpty,
      let problem = page.log.entries.first(where: { entry in
        RenderRequest.FatalDiagnostic(rawValue: entry.code.rawValue).map { page.request.fatalDiagnostics.contains($0) } ?? false
      })
    else { return }
    throw OffprintError(failing: problem)
  }

  // MARK: Stages

  /// bytes → document → fragments; the latter by `LayoutLoop`.
  ///
  /// - Parameter reportsAllProperties: Also computes properties without effect.
  func layOut(_ page: inout Page, reportsAllProperties: Bool = false) throws -> LaidOutPage {
    let document = try document(&page)
    return try layOut(document, at: page.request.time, &page, reportsAllProperties: reportsAllProperties)
  }

  /// bytes → document, before animations.
  private func document(_ page: inout Page) throws -> Document {
    fonts.use(FontSet(registry: registry))
    fonts.hasWholeAdvances = page.request.hasWholeGlyphPositions
    page.clock.begin(.parse)
    return try parse(&page)
  }

  /// document → fragments, at a time.
  ///
  /// - Parameter stopsBelowImage: Leaves out fragments that cannot be visible in the image.
  func layOut(
    _ document: Document, at time: AnimationTime, _ page: inout Page, reportsAllProperties: Bool = false, stopsBelowImage: Bool = false
  ) throws -> LaidOutPage {
    var document = document, request = page.request
    request.time = time
    document.animate(to: time)
    try page.resources.graftUsedDocuments(into: &document, &page.log)
    try page.deadline.check()
    var pass = LayoutPass(
      request: request, resources: page.resources, fonts: fonts, registry: registry, deadline: page.deadline)
    pass.reportsAllProperties = reportsAllProperties
    pass.stopsBelowImage = stopsBelowImage
    let result = try LayoutLoop(document, source: page.html, pass: pass).run(&page.clock)
    page.log.append(contentsOf: result.log)
    result.page.familyFallbacks(fonts.fonts).forEach { page.log.report($0) }
    if let clipping = result.page.textClipping { page.log.report(clipping) }
    return result.page
  }

  func parse(_ page: inout Page) throws -> Document {
    let options = HTMLParserOptions(limits: page.request.limits)
    let document =
      page.isXML
      ? try XMLDocumentParser.parse(page.html, options: options, diagnostics: &page.log)
      : try HTMLParser.parse(page.html, options: options, diagnostics: &page.log)
    if let problem = ScriptReport.diagnostic(document) { page.log.report(problem) }
    // Before the work of the later stages.
    try checkFatalDiagnostics(page)
    return document
  }
}

/// A page after layout.
struct LaidOutPage {
  var time = AnimationTime.start
  var styled: StyledDocument
  var tree: BoxTree
  var fragments: FragmentTree
  var images: ImageStore
  var viewport: Viewport
  /// The scrollable overflow area of the page from its origin, in CSS px.
  var contentSize: LayoutSize
  /// Nil for a single image.
  var pages: PageSequence?
  /// The contents of the page margins; nil if empty.
  var margins: PageMargins?
}

extension CacheDependency {
  init(_ dependency: ResourceDependency) {
    switch dependency.state {
    case .present(let digest, let size, let modified):
      self.init(location: dependency.location, isFile: dependency.isFile, digest: digest, size: Int64(size), modified: modified)
    case .absent, .failed:
      self.init(location: dependency.location, isFile: dependency.isFile, digest: nil)
    }
  }
}
