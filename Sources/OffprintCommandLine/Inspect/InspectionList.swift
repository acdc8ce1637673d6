import Offprint

/// `inspect --batch`: one line of output per page, in the order of the list, each written before the next page is read.
struct InspectionList {
  let renderer: Renderer
  let aspect: Inspection.Aspect
  let defaults: JobDefaults

  /// - Returns: How many pages failed.
  func inspect(_ path: String) throws(OffprintError) -> Int {
    let source = try ListSource(linesOf: path)
    var lines = try source.stream(limit: defaults.lineLimit)
    var failures = 0
    while !Output.hasFailed, let record = try lines.next() {
      if record.text.allSatisfy({ $0 <= 0x20 }) && !record.isTooLong { continue }
      let line = JobLine(source: source, number: record.number, line: record.line, text: record.text, isTooLong: record.isTooLong)
      let head = JobHead(line)
      let id = JSONText.string(head.id)
      do {
        let job = try Job(head, line, defaults)
        let inspection = try renderer.inspect(job.request, aspect)
        Output.diagnostics(job.notes.map { $0.inJob(job.id) }, quiet: false)
        Output.line("{\"id\":\(id),\(inspection.member)}")
      } catch {
        failures += 1
        Output.line("{\"id\":\(id),\"error\":\(error.json)}")
      }
    }
    return failures
  }
}
