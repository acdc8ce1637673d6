import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting
import OffprintResources
import OffprintTypography

/// The state shared by all nested documents of a page.
final class FrameContext {
  private static let deepest = 4
  private static let maximumDocuments = 64

  /// The nesting depth of the document that is being rendered.
  private(set) var depth = 0
  private var count = 0
  /// The diagnostics of nested documents.
  private(set) var log = DiagnosticLog()

  /// Limits the nesting of documents that contain themselves.
  var mayLoad: Bool { depth < Self.deepest }

  /// Runs `body` one level deeper.
  ///
  /// - Throws: `limitExceeded` if the nesting is too deep, or too many documents were rendered.
  func descend<Value>(_ body: () throws -> Value) throws -> Value {
    guard mayLoad, count < Self.maximumDocuments else {
      throw ImageError(
        .limitExceeded, "Frames are rendered at most \(Self.deepest) deep, and at most \(Self.maximumDocuments) of them.")
    }
    (depth, count) = (depth + 1, count + 1)
    defer { depth -= 1 }
    return try body()
  }

  func report(_ entries: [Diagnostic]) { entries.forEach { log.report($0) } }
}

/// A nested document: styled, laid out and painted for the size of its frame.
///
/// It shares the page's loader, deadline, limits and images; it has its own style sheets, fonts and viewport.
/// https://html.spec.whatwg.org/multipage/rendering.html#embedded-content-rendering-rules
final class FrameDrawing: VectorDrawing, @unchecked Sendable {
  private let source: FrameSource
  private let request: RenderRequest
  private let parent: PageResources
  private let registry: FontRegistry
  /// The size of the box in CSS px.
  private let size: (width: Double, height: Double)?

  init(
    _ source: FrameSource, request: RenderRequest, parent: PageResources, registry: FontRegistry,
    size: (width: Double, height: Double)? = nil
  ) {
    (self.source, self.request, self.parent, self.registry, self.size) = (source, request, parent, registry, size)
  }

  func filling(width: Double, height: Double) -> (any VectorDrawing)? {
    FrameDrawing(source, request: request, parent: parent, registry: registry, size: (width, height))
  }

  func bitmap(width: Int, height: Int, isStretched: Bool, limits: Limits, deadline: Deadline) throws(ImageError) -> Bitmap {
    guard let size, size.width >= 1, size.height >= 1, width > 0, height > 0, width <= 32_767, height <= 32_767,
      width * height <= limits.decodedPixels, let bitmap = Bitmap(width: width, height: height)
    else { throw ImageError(.imageTooLarge, "The document in a frame cannot be rendered at \(width) × \(height) pixels.") }
    do {
      return try parent.frames.descend { try drawn(onto: bitmap, size, limits, deadline) }
    } catch let error as ImageError {
      throw error
    } catch let error as LimitExceeded {
      throw ImageError(.limitExceeded, "The document in a frame exceeds the limit of \(error.allowed) (\(error.limit)).")
    } catch {
      throw ImageError(.timedOut, "Rendering the document in a frame exceeded the time limit.")
    }
  }

  private func drawn(
    onto empty: Bitmap, _ size: (width: Double, height: Double), _ limits: Limits, _ deadline: Deadline
  ) throws -> Bitmap {
    let inner = innerRequest(size, scale: Double(empty.width) / size.width)
    let resources = PageResources(in: parent, inner, base: source.base, registry: registry)
    let (page, log) = try laidOut(inner, resources, deadline)
    parent.frames.report(log.entries)
    var bitmap = empty
    let width = empty.width
    try parent.svg.withPainter { painter in
      var options = PaintOptions(width: width, height: empty.height, scale: inner.scale, background: canvas(of: page))
      options.limits = limits
      options.hasWholeGlyphPositions = inner.hasWholeGlyphPositions
      var first = 0
      try painter.paint(fragments: page.fragments, tree: page.tree, images: page.images, options: options, deadline: deadline) {
        rows, count in
        guard let source = rows.baseAddress else { return }
        bitmap.withUnsafeMutablePixels { pixels in
          guard let base = pixels.baseAddress, (first + count) * width <= pixels.count else { return }
          (base + first * width).update(from: source, count: count * width)
        }
        first += count
      }
      let problems = (painter.problems + resources.svg.problems).map {
        Diagnostic(.init(rawValue: $0.code.rawValue), .degraded, $0.message)
      }
      parent.frames.report(problems)
      parent.frames.report(MissingGlyphReport.diagnostics(painter.missingCharacters + resources.svg.missingCharacters))
    }
    return bitmap
  }

  private func innerRequest(_ size: (width: Double, height: Double), scale: Double) -> RenderRequest {
    var inner = request
    (inner.width, inner.height, inner.scale) = (.px(size.width), .px(size.height), scale)
    (inner.selector, inner.clip, inner.styleSheets) = (nil, nil, [])
    inner.colorScheme = source.isDark ? .dark : .light
    // https://html.spec.whatwg.org/multipage/rendering.html#the-page: presentational hints of the frame for its document's body.
    var margins = ""
    if let width = source.margins.width { margins += "margin-left:\(width)px;margin-right:\(width)px;" }
    if let height = source.margins.height { margins += "margin-top:\(height)px;margin-bottom:\(height)px;" }
    // https://svgwg.org/svg2-draft/geometry.html#Sizing: an outermost `svg` element without a size fills its container.
    if source.isDrawing {
      let fill = ":where(:root:not([width])){width:100%}:where(:root:not([height])){height:100%}"
      inner.styleSheets = [.init(name: "frame", css: Array(fill.utf8))]
    }
    if !margins.isEmpty, !source.isDrawing { inner.styleSheets = [.init(name: "frame", css: Array(":where(body){\(margins)}".utf8))] }
    return inner
  }

  private func laidOut(
    _ inner: RenderRequest, _ resources: PageResources, _ deadline: Deadline
  ) throws -> (page: LaidOutPage, log: DiagnosticLog) {
    var log = DiagnosticLog()
    let options = HTMLParserOptions(limits: inner.limits)
    var document =
      source.isXML
      ? try XMLDocumentParser.parse(source.bytes, options: options, diagnostics: &log)
      : try HTMLParser.parse(source.bytes, options: options, diagnostics: &log)
    document.animate(to: inner.time)
    let fonts = FontContext(fonts: FontSet(registry: registry))
    let pass = LayoutPass(request: inner, resources: resources, fonts: fonts, registry: registry, deadline: deadline)
    var clock = StageClock()
    let result = try LayoutLoop(document, source: source.bytes, pass: pass).run(&clock)
    return (result.page, result.log)
  }

  /// A frame's canvas is transparent unless its color scheme differs from that of the embedding document.
  /// https://drafts.csswg.org/css-color-adjust-1/#color-scheme-effect
  private func canvas(of page: LaidOutPage) -> Color? {
    let root = page.tree.boxes.isEmpty ? nil : page.tree.children(of: BoxID(0)).first { page.tree[$0].isRoot }
    let isDark = root.map { page.tree[$0].style.text.isDarkScheme } ?? false
    guard isDark != source.isDark else { return nil }
    return isDark ? Color(r: 0x12, g: 0x12, b: 0x12) : .white
  }
}
