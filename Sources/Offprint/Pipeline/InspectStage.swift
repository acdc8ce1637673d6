import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintPainting

extension RenderWorker {
  func inspect(_ job: RenderJob, _ prepared: PreparedRequest, _ aspect: Inspection.Aspect) throws(OffprintError) -> Inspection {
    try run(job, prepared) { page in
      var budget = ReportBudget(page.deadline)
      if aspect == .dom { return .text(String(decoding: try parse(&page).html5libDumpBytes { try budget.spend($0) }, as: UTF8.self)) }
      let laidOut = try layOut(&page, reportsAllProperties: aspect.reportsProperties)
      switch aspect {
      case .dom, .boxes:
        page.clock.end()
        return .boxes(try PageLayout(laidOut, page))
      case .displayList:
        let options = try paintOptions(laidOut, page.request, page.deadline)
        let list = try painter.displayList(
          fragments: laidOut.fragments, tree: laidOut.tree, images: laidOut.images, options: options,
          deadline: page.deadline)
        return .text(try list.dump { try budget.spend($0) })
      case .dump: return .text(try dump(laidOut, &page))
      case .diagnostics: return .diagnostics(page.log.entries)
      case .computed(let selector): return .elements(try computedElements(selector, laidOut.styled, page.deadline))
      case .timings:
        _ = try encode(laidOut, &page)
        return .timings(page.clock.timings)
      }
    }
  }
}

extension Inspection.Aspect {
  fileprivate var reportsProperties: Bool { if case .computed = self { true } else { false } }
}
