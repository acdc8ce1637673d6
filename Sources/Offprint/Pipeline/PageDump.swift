import OffprintCoreTypes
import OffprintLayout
import OffprintPainting

extension RenderWorker {
  /// The results of the stages: box tree, fragments, display list and diagnostics, each after a line `== name`.
  func dump(_ laidOut: LaidOutPage, _ page: inout Page) throws -> String {
    let options = try paintOptions(laidOut, page.request, page.deadline)
    let list = try painter.displayList(
      fragments: laidOut.fragments, tree: laidOut.tree, images: laidOut.images, options: options, deadline: page.deadline)
    reportPainting(&page)
    let diagnostics = page.log.entries.map { "\($0)\n" }.joined()
    var budget = ReportBudget(page.deadline)
    let boxes = try laidOut.tree.dump { try budget.spend($0) }
    let fragments = try laidOut.fragments.dump(laidOut.tree) { try budget.spend($0) }
    let commands = try list.dump { try budget.spend($0) }
    return "== boxes\n\(boxes)== fragments\n\(fragments)== display list\n\(commands)== diagnostics\n\(diagnostics)"
  }
}
