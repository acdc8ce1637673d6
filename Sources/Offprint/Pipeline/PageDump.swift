import OffprintCoreTypes
import OffprintLayout
import OffprintPainting

extension RenderWorker {
  /// What each stage made of the page: box tree, fragments, display list and diagnostics, each under a line `== name`.
  func dump(_ laidOut: LaidOutPage, _ page: inout Page) throws -> String {
    let options = try paintOptions(laidOut, page.request, page.deadline)
    let list = try painter.displayList(
      fragments: laidOut.fragments, tree: laidOut.tree, images: laidOut.images, options: options, deadline: page.deadline)
    reportPainting(&page)
    let diagnostics = page.log.entries.map { "\($0)\n" }.joined()
    return "== boxes\n\(laidOut.tree.dump())== fragments\n\(laidOut.fragments.dump(laidOut.tree))== display list\n\(list)"
      + "== diagnostics\n\(diagnostics)"
  }
}
