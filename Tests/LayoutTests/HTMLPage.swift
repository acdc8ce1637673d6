import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Testing
import OffprintTypography

@testable import OffprintLayout

/// A page parsed from HTML, laid out at 400 × 300 px, with boxes found by their elements' `id`.
struct HTMLPage {
  let engine: LayoutEngine
  /// The fragments of each element.
  private(set) var fragments: [String: [[Double]]] = [:]

  private struct Metrics: FontMetricsProvider {
    func metrics(for font: OffprintCSS.FontStyle) -> FontRelativeMetrics {
      FontRelativeMetrics(
        xHeight: font.size / 2, capHeight: font.size, zeroAdvance: font.size / 2, icAdvance: font.size, normalLineHeight: font.size)
    }
  }

  private static let folder = String(#filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }) + "/Fonts"
  private static let registry = FontRegistry(folders: [folder])

  /// - Parameter pages: The heights of pages, which are 400 px wide; nil: the document is not paged.
  init(
    _ body: String, css: String = "", pages: PageAreas? = nil, stopsBelowViewport: Bool = false, deadline: Deadline = .never,
    limits: Limits = Limits()
  ) throws {
    let html = "<!DOCTYPE html><style>body{margin:0;font:16px/20px 'Liberation Sans'}\(css)</style><body>" + body
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &log)
    let options = StyleEngine.Options(media: MediaEnvironment(width: 400, height: 300))
    let styled = try StyleEngine.style(document, options: options, fontMetrics: Metrics())
    engine = LayoutEngine(
      tree: try BoxTreeBuilder.build(styled, images: ImageStore(), limits: limits),
      fonts: FontContext(fonts: FontSet(registry: Self.registry)),
      viewport: LayoutSize(width: LayoutUnit(400), height: LayoutUnit(300)), deadline: deadline, limits: limits)
    engine.pageAreas = pages
    engine.stopsBelowViewport = stopsBelowViewport
    let fragments = try engine.layoutPage()
    visit(fragments.root, .zero, fragments)
  }

  private mutating func visit(_ id: FragmentID, _ origin: LayoutPoint, _ tree: FragmentTree) {
    let fragment = tree[id]
    let box = engine.tree[fragment.box], document = engine.tree.styled.document
    if fragment.kind == .box, !box.node.isNone, let name = document.attribute(.id, of: box.node) {
      fragments[String(decoding: name, as: UTF8.self), default: []].append([
        origin.x.double, origin.y.double, fragment.size.width.double, fragment.size.height.double,
      ])
    }
    for link in tree.children(of: id) { visit(link.fragment, origin + link.offset, tree) }
  }

  /// [x, y, width, height] of the last fragment of the element.
  subscript(id: String) -> [Double]? { fragments[id]?.last }
}
