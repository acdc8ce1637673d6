import CSS
import CoreTypes
import DOM
import Images
import Layout
import Painting
import RenderCache
import Resources
import Typography

/// What one thread renders with. Kept from render to render: the fonts it resolved and the runs and glyphs it shaped and drew.
final class RenderWorker {
  let registry: FontRegistry
  lazy var fonts = FontContext(fonts: FontSet(registry: registry))
  lazy var painter = Painter()

  init(registry: FontRegistry) { self.registry = registry }

  /// A page on its way through the stages.
  struct Page {
    var request: RenderRequest
    var html: [UInt8]
    var loader: ResourceLoader
    var deadline: Deadline
    var diagnostics = DiagnosticLog()
    var clock = StageClock()
  }

  // MARK: Rendering

  func render(_ prepared: PreparedRequest) throws(OffprintError) -> RenderResult {
    let start = ContinuousClock.now
    do {
      var page = self.page(prepared)
      let laidOut = try layOut(&page)
      let picture = try paint(laidOut, &page)
      if page.request.isStrict, let problem = page.diagnostics.entries.first(where: { $0.severity == .degraded }) {
        throw OffprintError(strict: problem)
      }
      var result = RenderResult(
        image: picture.bytes, identifier: prepared.request.identifier, wasCached: false, width: picture.width, height: picture.height,
        diagnostics: page.diagnostics.entries, faces: facesUsed(laidOut), key: "\(prepared.key)")
      result.milliseconds = (ContinuousClock.now - start).milliseconds
      result.dependencies = page.loader.dependencies.map(CacheDependency.init)
      return result
    } catch {
      throw OffprintError(error, seconds: prepared.request.limits.seconds)
    }
  }

  func page(_ prepared: PreparedRequest) -> Page {
    var page = Page(
      request: prepared.request, html: prepared.html,
      loader: ResourceLoader(allowedFolders: prepared.request.allowedFolders, limits: prepared.request.limits),
      deadline: Deadline(after: .seconds(prepared.request.limits.seconds)))
    for problem in registry.problems { page.diagnostics.report(Diagnostic("fontUnreadable", .note, problem)) }
    if registry.faces.isEmpty {
      page.diagnostics.report(
        Diagnostic("fontUnreadable", .degraded, "There are no fonts: no text is drawn. Name a folder with --fonts or OFFPRINT_FONTS."))
    }
    return page
  }

  // MARK: The stages

  /// bytes → document → styles → boxes → fragments. Each arrow is one function; its result is never changed.
  func layOut(_ page: inout Page) throws -> LaidOutPage {
    fonts.use(FontSet(registry: registry))
    let document = try parse(&page)
    page.clock.mark("parse")
    try page.deadline.check()
    var viewport = self.viewport(page.request)
    var result = try layOut(document, viewport: viewport, &page)
    if case .auto = page.request.width {
      viewport.width = shrinkToFit(result, page.request)
      result = try layOut(document, viewport: viewport, &page)
    }
    return result
  }

  /// Styles may ask for the sizes of containers, which layout finds: both are done again until the sizes stay the same. Each pass settles
  /// at least the outermost containers that were not settled before, so that few are needed.
  private func layOut(_ document: Document, viewport: Viewport, _ page: inout Page) throws -> LaidOutPage {
    let diagnostics = page.diagnostics
    var sizes = ContainerSizes()
    var result = try layOut(document, viewport: viewport, containers: sizes, &page)
    for _ in 0..<Self.containerPasses {
      let found = ContainerSizes(result)
      if found == sizes { break }
      sizes = found
      page.diagnostics = diagnostics
      result = try layOut(document, viewport: viewport, containers: sizes, &page)
    }
    return result
  }

  private static let containerPasses = 6

  private func layOut(
    _ document: Document, viewport: Viewport, containers: ContainerSizes, _ page: inout Page
  ) throws -> LaidOutPage {
    let styled = try style(document, viewport: viewport, containers: containers, &page)
    page.clock.mark("style")
    try page.deadline.check()
    let images = try loadImages(styled, &page)
    page.clock.mark("images")
    let tree = try BoxTreeBuilder.build(styled, images: images, limits: page.request.limits, deadline: page.deadline)
    page.clock.mark("boxes")
    try page.deadline.check()
    let size = LayoutSize(width: LayoutUnit(viewport.width), height: LayoutUnit(viewport.height))
    let engine = LayoutEngine(tree: tree, fonts: fonts, viewport: size, deadline: page.deadline, limits: page.request.limits)
    let fragments = try engine.layoutPage()
    page.diagnostics.append(contentsOf: engine.diagnostics)
    page.clock.mark("layout")
    return LaidOutPage(styled: styled, tree: tree, fragments: fragments, images: images, viewport: viewport, contentSize: engine.pageSize)
  }

  func parse(_ page: inout Page) throws -> Document {
    if XMLDocumentParser.looksLikeXML(page.html) || page.request.sourceName.isXHTMLFileName {
      return try XMLDocumentParser.parse(page.html, options: HTMLParserOptions(limits: page.request.limits), diagnostics: &page.diagnostics)
    }
    return try HTMLParser.parse(page.html, options: HTMLParserOptions(limits: page.request.limits), diagnostics: &page.diagnostics)
  }

  /// The viewport before the content is known. Where the height is the content's, a viewport of next to no height stands in for it, so
  /// that nothing is as high as a window that is not there.
  private func viewport(_ request: RenderRequest) -> Viewport {
    let width: Double =
      switch request.width {
      case .px(let width): width
      case .auto: request.maxWidth ?? Viewport.widest
      }
    let height: Double =
      switch request.height {
      case .px(let height): height
      case .auto: Viewport.autoHeight
      }
    return Viewport(width: width, height: height)
  }

  private func shrinkToFit(_ page: LaidOutPage, _ request: RenderRequest) -> Double {
    let engine = LayoutEngine(
      tree: page.tree, fonts: fonts, viewport: LayoutSize(width: LayoutUnit(page.viewport.width), height: LayoutUnit(page.viewport.height)),
      deadline: .never)
    let widest = (try? engine.maxContentWidth().double) ?? page.viewport.width
    return min(max(1, widest.rounded(.up)), request.maxWidth ?? Double(request.limits.pictureSide) / request.scale)
  }
}

/// The size of the initial containing block in CSS px.
struct Viewport {
  var width: Double
  var height: Double
  static let widest = 16_384.0
  static let autoHeight = 16.0
}

/// A page after layout.
struct LaidOutPage {
  var styled: StyledDocument
  var tree: BoxTree
  var fragments: FragmentTree
  var images: ImageStore
  var viewport: Viewport
  /// The scrollable overflow area of the page from its origin, CSS px.
  var contentSize: LayoutSize
}

/// Milliseconds by stage.
struct StageClock {
  private(set) var stages: [(name: String, milliseconds: Double)] = []
  private var last = ContinuousClock.now

  mutating func mark(_ name: String) {
    let now = ContinuousClock.now
    stages.append((name, (now - last).milliseconds))
    last = now
  }
}

extension Duration {
  var milliseconds: Double { Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15 }
}

extension String {
  fileprivate var isXHTMLFileName: Bool {
    let name = lowercased()
    return name.hasSuffix(".xht") || name.hasSuffix(".xhtml") || name.hasSuffix(".xml")
  }
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
