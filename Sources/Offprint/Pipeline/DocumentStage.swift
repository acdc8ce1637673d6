import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintImages
import OffprintLayout
import OffprintPainting

// fragments → display list → a vector file.
extension RenderWorker {
  /// - Throws: `usage` and `limitExceeded` for sizes that no page can have.
  func document(_ page: LaidOutPage, _ state: inout Page, _ format: EncodedImageFormat) throws -> EncodedImage {
    let request = state.request
    let options: PaintOptions
    var document: VectorDocument
    if let pages = page.pages, format == .pdf {
      (options, document) = try pagedOptions(page, pages, request)
    } else {
      options = try paintOptions(page, request, state.deadline)
      document = try Self.single(options, format)
    }
    state.clock.begin(.paint)
    if format == .pdf { PageContents(page, options, base: state.resources.base).describe(&document) }
    let bytes = try painter.document(
      format == .pdf ? .pdf : .svg, fragments: page.fragments, tree: page.tree, images: page.images, options: options,
      document: document, margins: layer(page, options), deadline: state.deadline)
    reportPainting(&state)
    try state.deadline.check()
    state.clock.end()
    guard let first = document.pages.first else { return EncodedImage(bytes: bytes, width: options.width, height: options.height) }
    return EncodedImage(
      bytes: bytes, width: Int((first.width * request.scale).rounded()), height: Int((first.height * request.scale).rounded()))
  }

  /// A document of one page with the same content as an image.
  private static func single(_ options: PaintOptions, _ format: EncodedImageFormat) throws -> VectorDocument {
    let width = Double(options.width) / options.scale, height = Double(options.height) / options.scale
    guard format != .pdf || max(width, height) <= 19_200 else {
      throw OffprintError(
        .limitExceeded,
        "A PDF page can have at most 19200 px (200 in) a side, but this one would be \(Int(width)) × \(Int(height)); "
          + "set \(OptionName.pageSize.text) or @page to break it into pages."
      )
    }
    let area = PixelRect(x: 0, y: 0, width: options.width, height: options.height)
    return VectorDocument(pages: [.init(width: width, height: height, area: area)], scale: options.scale)
  }

  private func pagedOptions(
    _ page: LaidOutPage, _ sequence: PageSequence, _ request: RenderRequest
  ) throws -> (PaintOptions, VectorDocument) {
    let scale = request.scale, limits = request.limits
    let width = Int((page.viewport.width * scale).rounded(.up))
    func pixel(_ place: LayoutUnit) -> Int { clampedPixel((place.double * scale).rounded()) }
    let total = pixel(sequence.extents.last?.end ?? LayoutUnit(1))
    let largest = sequence.extents.reduce(0) { max($0, pixel($1.end) - pixel($1.start)) }
    guard max(width, largest) <= limits.imageSide else {
      throw OffprintError(
        .limitExceeded, "A page would be \(width)×\(largest) px; a side can have at most \(limits.imageSide) px (limit 'imageSide').")
    }
    guard width * largest <= limits.imagePixels else {
      throw OffprintError(
        .limitExceeded,
        "A page would have \(width) × \(largest) px, more than the limit 'imagePixels' (\(limits.imagePixels)) allows.")
    }
    var options = PaintOptions(width: max(1, width), height: max(1, total), scale: scale, background: background(page, request))
    options.limits = limits
    let pages = sequence.extents.enumerated().map { number, extent in
      let pageBox = sequence.pageBox(of: number), origin = pageBox.origin
      var outputPage = VectorDocument.Page(
        width: pageBox.width, height: pageBox.height,
        area: PixelRect(
          left: 0, top: pixel(extent.start), right: max(1, Int((pageBox.areaWidth * scale).rounded(.up))), bottom: pixel(extent.end)),
        left: origin.left, top: origin.top)
      if let margins = page.margins, number + 1 < margins.tops.count {
        outputPage.margins = PixelRect(
          left: 0, top: pixel(margins.tops[number]), right: pixel(LayoutUnit(pageBox.width.rounded(.up))),
          bottom: pixel(margins.tops[number + 1]))
      }
      return outputPage
    }
    return (options, VectorDocument(pages: pages, scale: scale))
  }

  /// The page margins, with everything outside of the page areas.
  private func layer(_ page: LaidOutPage, _ options: PaintOptions) -> Painter.DocumentLayer? {
    guard let margins = page.margins, let end = margins.tops.last else { return nil }
    func pixels(_ length: LayoutUnit) -> Int { max(1, clampedPixel((length.double * options.scale).rounded(.up))) }
    var own = PaintOptions(width: pixels(margins.width), height: pixels(end), scale: options.scale, background: nil)
    own.limits = options.limits
    return Painter.DocumentLayer(fragments: margins.fragments, tree: margins.tree, images: margins.images, options: own)
  }
}
