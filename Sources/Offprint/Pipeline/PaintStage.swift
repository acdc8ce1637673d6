import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting
import OffprintTypography

extension RenderWorker {
  struct EncodedImage {
    var bytes: [UInt8]
    var width: Int
    var height: Int
  }

  /// fragments → display list → bands of pixels → a file.
  /// - Parameter encoding: Nil for the request's.
  func encode(_ page: LaidOutPage, _ state: inout Page, as encoding: ImageEncoding? = nil) throws -> EncodedImage {
    let encoding = encoding ?? state.request.encoding
    if encoding.format.isVector { return try document(page, &state, encoding.format) }
    let options = try paintOptions(page, state.request, state.deadline)
    let deadline = state.deadline
    var encoder = try ImageEncoder(
      width: options.width, height: options.height, encoding: encoding, scale: options.scale, workspace: workspace)
    try paint(page, options, &state, into: encoder.pixels) { rows in try encoder.append(rows: rows, deadline: deadline) }
    state.clock.begin(.encode)
    let bytes: [UInt8]
    do { bytes = try encoder.finish(deadline: state.deadline) } catch {
      try state.deadline.check()
      throw error
    }
    state.clock.end()
    return EncodedImage(bytes: bytes, width: options.width, height: options.height)
  }

  /// fragments → display list → bands of pixels → RGBA, 8 bits per component, not premultiplied.
  func pixels(_ page: LaidOutPage, _ state: inout Page) throws -> EncodedImage {
    try encode(page, &state, as: ImageEncoding(.raw))
  }

  func paint(
    _ page: LaidOutPage, _ options: PaintOptions, _ state: inout Page, into imageBuffer: UnsafeMutablePointer<UInt32>? = nil,
    _ sink: (UnsafeBufferPointer<UInt32>) throws -> Void
  ) throws {
    state.clock.begin(.paint)
    try painter.paint(
      fragments: page.fragments, tree: page.tree, images: page.images, options: options, deadline: state.deadline,
      into: imageBuffer
    ) { rows, _ in try sink(rows) }
    reportPainting(&state)
    try state.deadline.check()
  }

  /// Reports diagnostics from painting.
  func reportPainting(_ state: inout Page) {
    for problem in painter.problems + state.resources.svg.problems {
      state.log.report(Diagnostic(.init(rawValue: problem.code.rawValue), .degraded, problem.message))
    }
    state.log.append(contentsOf: state.resources.frames.log)
    let inSVGImages = state.resources.svg.missingCharacters.filter { !painter.missingCharacters.contains($0) }
    MissingGlyphReport.diagnostics(painter.missingCharacters + inSVGImages).forEach { state.log.report($0) }
  }

  /// The painted area of the page, and the size of the image.
  ///
  /// - Throws: `usage` and `limitExceeded` for sizes that no image can have.
  func paintOptions(_ page: LaidOutPage, _ request: RenderRequest, _ deadline: Deadline) throws -> PaintOptions {
    let area = try imageArea(page, request, deadline)
    let scale = request.scale
    guard [area.x, area.y, area.width, area.height, scale].allSatisfy({ $0.isFinite && abs($0) < 1e9 }) else {
      throw OffprintError(.usage, "The rectangle and the scale of an image must be finite numbers.")
    }
    // The tolerance keeps a size that is whole except for a rounding error from being rounded up.
    let width = max(1, Int((area.width * scale - 1e-6).rounded(.up))), height = max(1, Int((area.height * scale - 1e-6).rounded(.up)))
    guard width <= request.limits.imageSide && height <= request.limits.imageSide else {
      throw OffprintError(
        .limitExceeded,
        "The image would be \(width)×\(height) px; a side can have at most \(request.limits.imageSide) px (limit 'imageSide').")
    }
    let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
    guard !isTooMany, pixels <= request.limits.imagePixels else {
      throw OffprintError(
        .limitExceeded,
        "The image would have \(width) × \(height) px, more than the limit 'imagePixels' (\(request.limits.imagePixels)) allows.")
    }
    var options = PaintOptions(
      width: width, height: height, scale: scale, background: background(page, request))
    options.originX = Int((area.x * scale).rounded())
    options.originY = Int((area.y * scale).rounded())
    options.limits = request.limits
    options.hasWholeGlyphPositions = request.hasWholeGlyphPositions
    return options
  }

  /// The canvas behind the page. A page with a dark color scheme has a dark canvas unless the request sets another color.
  /// https://drafts.csswg.org/css-color-adjust-1/#color-scheme-effect
  func background(_ page: LaidOutPage, _ request: RenderRequest) -> Color? {
    if request.background.isTransparent { return nil }
    let isDark = rootBox(page).map { page.tree[$0].style.text.isDarkScheme } ?? false
    return isDark && request.background == .white ? Color(r: 0x12, g: 0x12, b: 0x12) : request.background
  }

  func rootBox(_ page: LaidOutPage) -> BoxID? {
    page.tree.boxes.isEmpty ? nil : page.tree.children(of: BoxID(0)).first { page.tree[$0].isRoot }
  }

  /// The part of the page that is painted, in CSS px from the start of the initial containing block. An image shows the page at its initial
  /// scroll position: content that overflows to the left of the viewport is not included, even though right-to-left pages can be scrolled
  /// there.
  /// https://drafts.csswg.org/css-overflow-3/#initial-scroll-position
  func imageArea(_ page: LaidOutPage, _ request: RenderRequest, _ deadline: Deadline) throws -> RenderRequest.Clip {
    if let selector = request.selector { return try area(of: selector, page, deadline) }
    if let clip = request.clip { return clip }
    let height: Double =
      switch request.height {
      case .px(let height): height
      // Box edges are snapped to device pixels, so nothing is painted in less than half a pixel at the end.
      case .auto: max(1, (page.contentSize.height.double * request.scale).rounded() / request.scale)
      }
    return RenderRequest.Clip(x: 0, y: 0, width: page.viewport.width, height: height)
  }

  /// The bounding box of the first matching element after transforms, enlarged to whole CSS px.
  private func area(of selector: String, _ page: LaidOutPage, _ deadline: Deadline) throws -> RenderRequest.Clip {
    guard let matches = try StyleEngine.querySelector(selector, in: page.styled.nodeTree, deadline: deadline) else {
      throw OffprintError(.selectorInvalid, "'\(selector)' is not a CSS selector.")
    }
    guard let node = matches.first else { throw OffprintError(.selectorUnmatched, "No element matches '\(selector)'.") }
    let isOutsideBoxes = BoundingClientRect.hasTransforms(page.tree) || BoxReport(page).box(of: node) == nil
    let rect: DisplayRect? =
      isOutsideBoxes
      ? try BoundingClientRect.of(node, fragments: page.fragments, tree: page.tree, images: page.images, deadline: deadline)
      : BoxReport(page).box(of: node).map { DisplayRect($0) }
    guard let rect, rect.width > 0, rect.height > 0 else {
      throw OffprintError(.selectorUnmatched, "The element that matches '\(selector)' has no box: it is hidden or empty.")
    }
    return isOutsideBoxes ? Self.enclosing(rect) : Self.snapped(rect)
  }

  /// Edges are snapped to the nearest px, as in painting boxes.
  private static func snapped(_ rect: DisplayRect) -> RenderRequest.Clip {
    let left = (rect.x + 0.5).rounded(.down), top = (rect.y + 0.5).rounded(.down)
    return .init(
      x: left, y: top, width: max(1, (rect.maxX + 0.5).rounded(.down) - left), height: max(1, (rect.maxY + 0.5).rounded(.down) - top))
  }

  /// The smallest rectangle of whole px around a transformed box, with a tolerance for rounding errors.
  private static func enclosing(_ rect: DisplayRect) -> RenderRequest.Clip {
    let left = (rect.x + 1e-3).rounded(.down), top = (rect.y + 1e-3).rounded(.down)
    return .init(
      x: left, y: top, width: max(1, (rect.maxX - 1e-3).rounded(.up) - left), height: max(1, (rect.maxY - 1e-3).rounded(.up) - top))
  }

  /// The faces used by the page's text, in order of first use.
  func facesUsed(_ page: LaidOutPage) -> [FaceUsed] {
    var seen: Set<UInt64> = []
    var faces: [FaceUsed] = []
    func add(_ face: FaceInstance) {
      guard seen.insert(face.identifier).inserted else { return }
      let used = FaceUsed(family: face.face.info.family, postScriptName: face.face.info.postScriptName)
      if !faces.contains(used) { faces.append(used) }
    }
    // Most text is in the face of the text before it.
    var last: UInt64?
    func add(of texts: [TextFragment]) {
      for index in texts.indices {
        for run in texts[index].glyphs.indices where texts[index].glyphs[run].face.identifier != last {
          last = texts[index].glyphs[run].face.identifier
          add(texts[index].glyphs[run].face)
        }
      }
    }
    add(of: page.fragments.texts)
    if let margins = page.margins { add(of: margins.fragments.texts) }
    page.drawnRuns.forEach { add($0.face) }
    return faces
  }
}
