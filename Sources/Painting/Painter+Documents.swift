package import OffprintCoreTypes
import OffprintImages
package import OffprintLayout

extension Painter {
  package enum DocumentFormat: Sendable { case pdf, svg }

  /// Content painted below the contents of all pages, such as margin boxes.
  package struct DocumentLayer {
    let fragments: FragmentTree
    let tree: BoxTree
    let images: ImageStore
    var options: PaintOptions

    package init(fragments: FragmentTree, tree: BoxTree, images: ImageStore, options: PaintOptions) {
      self.fragments = fragments; self.tree = tree; self.images = images; self.options = options
    }
  }

  /// Paints a page as a vector document.
  ///
  /// - Parameters:
  ///   - options: of the whole display list, with all pages stacked vertically.
  ///   - document: The pages and the metadata, outline and links that readers show.
  ///   - margins: Content of the page margins.
  /// - Returns: The bytes of the file.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`, `ImageError`.
  package func document(
    _ format: DocumentFormat, fragments: FragmentTree, tree: BoxTree, images: ImageStore, options: PaintOptions, document: VectorDocument,
    margins: DocumentLayer? = nil, deadline: Deadline
  ) throws -> [UInt8] {
    var options = options
    options.recordsText = format == .pdf
    let list = try displayList(fragments: fragments, tree: tree, images: images, options: options, deadline: deadline)
    let outer = try margins.map { layer in
      var options = layer.options
      options.recordsText = true
      return try displayList(fragments: layer.fragments, tree: layer.tree, images: layer.images, options: options, deadline: deadline)
    }
    let fonts = documentFonts()
    func canvas(_ context: OpaquePointer, _ list: DisplayList) -> VectorCanvas {
      VectorCanvas(
        context, list, format, rasterizer: rasterizer, fonts: fonts,
        rasterImages: VectorCanvas.RasterImages(),
        background: options.background, limits: options.limits, deadline: deadline)
    }
    let written =
      switch format {
      case .pdf:
        try PDFWriter(document, deadline: deadline).write(options.background) { context in
          (canvas(context, list), outer.map { canvas(context, $0) })
        }
      case .svg: try SVGWriter(document, deadline: deadline).write(options.background) { canvas($0, list) }
      }
    documentProblems = written.problems
    return written.bytes
  }
}
