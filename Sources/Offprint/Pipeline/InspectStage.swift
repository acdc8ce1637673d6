import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import OffprintPainting

extension RenderWorker {
  func inspect(_ job: RenderJob, _ prepared: PreparedRequest, _ aspect: Inspection.Aspect) throws(OffprintError) -> Inspection {
    try run(job, prepared) { page in
      if aspect == .dom { return .text(try parse(&page).html5libDump()) }
      let laidOut = try layOut(&page)
      switch aspect {
      case .dom, .boxes:
        page.clock.end()
        let report = BoxReport(laidOut)
        return .boxes(
          PageLayout(
            width: laidOut.viewport.width, height: laidOut.contentSize.height.double, boxes: report.boxes, lines: report.lines,
            diagnostics: page.log.entries, timings: page.clock.timings))
      case .displayList:
        let options = try paintOptions(laidOut, page.request, page.deadline)
        let list = try painter.displayList(
          fragments: laidOut.fragments, tree: laidOut.tree, images: laidOut.images, options: options,
          deadline: page.deadline)
        return .text(list.description)
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
