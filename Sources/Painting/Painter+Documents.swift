package import CoreTypes
import Images
package import Layout

extension Painter {
  package enum DocumentFormat: Sendable { case pdf, svg }

  /// Paints a page as a document of vectors.
  ///
  /// - Parameters:
  ///   - options: of the whole display list, all sheets one below the other.
  ///   - document: the sheets, and what readers show of them.
  /// - Throws: `DeadlineExceeded`, `LimitExceeded`, `ImageError`.
  package func document(
    _ format: DocumentFormat, fragments: FragmentTree, tree: BoxTree, images: ImageStore, options: PaintOptions, document: VectorDocument,
    deadline: Deadline
  ) throws -> [UInt8] {
    var options = options
    options.recordsText = format == .pdf
    let list = try displayList(fragments: fragments, tree: tree, images: images, options: options, deadline: deadline)
    let plan = VectorPlan(list, blends: format == .pdf)
    let fonts = documentFonts()
    func canvas(_ context: OpaquePointer) -> VectorCanvas {
      VectorCanvas(
        context, list, plan: plan, rasterizer: rasterizer, fonts: fonts, pictures: VectorCanvas.Pictures(),
        background: options.background, limits: options.limits, deadline: deadline)
    }
    let written =
      switch format {
      case .pdf: try PDFWriter(document, deadline: deadline).write(options.background, canvas)
      case .svg: try SVGWriter(document, deadline: deadline).write(options.background, canvas)
      }
    documentProblems = written.problems
    return written.bytes
  }
}
