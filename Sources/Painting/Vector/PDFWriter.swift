internal import COffprintCairo
import OffprintCoreTypes
import OffprintImages

/// Writes a display list as the pages of a PDF file. The same list and document give the same bytes: no date or identifier is written.
/// https://www.iso.org/standard/75839.html
struct PDFWriter {
  private let document: VectorDocument
  private let deadline: Deadline
  private let linksOfPages: [Int: [VectorDocument.Link]]

  /// Points per CSS px.
  private static let pointsPerPx = 0.75
  /// The maximum side length of a page. https://www.iso.org/standard/75839.html, Annex C
  static let maximumPoints = 14_400.0

  init(_ document: VectorDocument, deadline: Deadline) {
    self.document = document
    self.deadline = deadline
    var links: [Int: [VectorDocument.Link]] = [:]
    for link in document.links {
      var number = Self.page(at: Double(link.rect.top), of: document) ?? 0
      while document.pages.indices.contains(number), document.pages[number].area.top < link.rect.bottom {
        links[number, default: []].append(link)
        number += 1
      }
    }
    linksOfPages = links
  }

  /// The index of the page that contains a position of the list.
  private static func page(at y: Double, of document: VectorDocument) -> Int? {
    var low = 0, high = document.pages.count
    while low < high {
      let middle = (low + high) / 2
      if Double(document.pages[middle].area.top) <= y { low = middle + 1 } else { high = middle }
    }
    return document.pages.isEmpty ? nil : max(0, low - 1)
  }

  /// - Parameter makeCanvases: Creates the canvases for a cairo context: one for the contents of pages, and one for their margins.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`; `imageTooLarge` if out of memory.
  func write(_ background: Color?, _ makeCanvases: (OpaquePointer) -> (VectorCanvas, VectorCanvas?)) throws -> (
    bytes: [UInt8], problems: [ImageError]
  ) {
    let file = VectorFile(deadline: deadline)
    let canvases = try file.write({ take, pointer in cairo_pdf_surface_create_for_stream(take, pointer, 1, 1) }) { surface, context in
      describe(surface)
      let canvases = makeCanvases(context)
      for page in document.pages { try draw(page, background, surface, canvases) }
      addOutline(surface)
      return canvases
    }
    return (
      PDFUpdate.adding(annotations(), language: document.language, to: file.bytes), canvases.0.problems + (canvases.1?.problems ?? [])
    )
  }

  private func describe(_ surface: OpaquePointer) {
    // From 1.5 on, cairo 1.18 compresses objects and the cross-reference table into streams, which `PDFUpdate` cannot extend.
    cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "")
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Offprint")
    func set(_ kind: cairo_pdf_metadata_t, _ text: String) {
      if !text.isEmpty { cairo_pdf_surface_set_metadata(surface, kind, Self.plain(text)) }
    }
    set(CAIRO_PDF_METADATA_TITLE, document.title)
    set(CAIRO_PDF_METADATA_AUTHOR, document.author)
    set(CAIRO_PDF_METADATA_SUBJECT, document.subject)
    set(CAIRO_PDF_METADATA_KEYWORDS, document.keywords)
  }

  /// Removes control characters, since cairo takes C strings, and limits the length.
  private static func plain(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.prefix(1000).map(Character.init))
  }

  private func draw(
    _ page: VectorDocument.Page, _ background: Color?, _ surface: OpaquePointer, _ canvases: (VectorCanvas, VectorCanvas?)
  ) throws {
    let canvas = canvases.0
    let points = Self.pointsPerPx, context = canvas.context
    cairo_pdf_surface_set_size(surface, page.width * points, page.height * points)
    cairo_save(context)
    if let background, background != .white {
      canvas.setSource(background)
      cairo_paint(context)
    }
    let factor = points / document.scale, transform = transform(of: page)
    if let area = page.margins, let outer = canvases.1 {
      outer.rasterImages.beginPage()
      let size = points / document.scale
      try outer.draw(area, by: AffineTransform(a: size, b: 0, c: 0, d: size, e: 0, f: -Double(area.top) * size))
    }
    // Content that overflows the sides of the page area is visible in the margins of the page.
    cairo_rectangle(context, 0, page.top * points, page.width * points, Double(page.area.height) * factor)
    cairo_clip(context)
    canvas.rasterImages.beginPage()
    let sides = Int((max(page.left, page.width - page.left) * document.scale).rounded(.up))
    try canvas.draw(
      PixelRect(
        left: page.area.left - sides, top: page.area.top, right: page.area.right + sides, bottom: page.area.bottom), by: transform)
    cairo_restore(context)
    cairo_show_page(context)
    try deadline.check()
  }

  /// From pixels of the list to points of the page.
  private func transform(of page: VectorDocument.Page) -> AffineTransform {
    let points = Self.pointsPerPx, factor = points / document.scale
    return AffineTransform(
      a: factor, b: 0, c: 0, d: factor, e: page.left * points - Double(page.area.left) * factor,
      f: page.top * points - Double(page.area.top) * factor)
  }

  // MARK: Links and outline

  /// Link annotations by page index.
  private func annotations() -> [Int: [PDFUpdate.Annotation]] {
    linksOfPages.reduce(into: [:]) { result, entry in
      let page = document.pages[entry.key], transform = transform(of: page)
      result[entry.key] = entry.value.compactMap { link in
        let part = link.rect.intersection(page.area)
        guard !part.isEmpty, let target = target(link.target) else { return nil }
        let from = transform.map(DisplayPoint(Double(part.left), Double(part.top)))
        let to = transform.map(DisplayPoint(Double(part.right), Double(part.bottom)))
        let height = page.height * Self.pointsPerPx
        return PDFUpdate.Annotation(rect: [from.x, height - to.y, to.x, height - from.y].map(Self.number), target: target)
      }
    }
  }

  private func target(_ target: VectorDocument.Target) -> PDFUpdate.Target? {
    switch target {
    case .address(let address): return .address(address)
    case .point(let point):
      guard let place = position(point) else { return nil }
      let height = document.pages[place.number].height * Self.pointsPerPx
      return .page(place.number, x: Self.number(place.x), y: Self.number(height - place.y))
    }
  }

  /// A point of the list as a destination in cairo's syntax.
  private func place(_ point: DisplayPoint) -> String? {
    position(point).map { "page=\($0.number + 1) pos=[\(Self.number($0.x)) \(Self.number($0.y))]" }
  }

  /// The page index and the position in points from the top left corner of the page.
  private func position(_ point: DisplayPoint) -> (number: Int, x: Double, y: Double)? {
    guard let number = Self.page(at: point.y, of: document) else { return nil }
    let page = document.pages[number], factor = Self.pointsPerPx / document.scale
    let x = max(0, page.left * Self.pointsPerPx + (point.x - Double(page.area.left)) * factor)
    let y = max(0, page.top * Self.pointsPerPx + (point.y - Double(page.area.top)) * factor)
    return (number, x, y)
  }

  /// Formats a number with two decimals, independent of the locale.
  private static func number(_ value: Double) -> String {
    let value = min(max(value, -1e6), 1e6)
    let hundredths = Int((abs(value) * 100).rounded())
    let rest = hundredths % 100
    return "\(value < 0 ? "-" : "")\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Adds the headings as an outline, nested by their levels.
  private func addOutline(_ surface: OpaquePointer) {
    var open: [(level: Int, number: Int32)] = []
    for heading in document.headings {
      open.removeAll { $0.level >= heading.level }
      guard let place = place(heading.point) else { continue }
      let title = Self.plain(heading.title)
      guard !title.isEmpty else { continue }
      let flags = open.isEmpty ? CAIRO_PDF_OUTLINE_FLAG_OPEN : cairo_pdf_outline_flags_t(0)
      let number = cairo_pdf_surface_add_outline(surface, open.last?.number ?? 0, title, place, flags)
      open.append((heading.level, number))
    }
  }
}
