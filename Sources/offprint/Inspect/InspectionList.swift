import Offprint

/// `inspect --batch`: an answer a line, in the order of the list, each before the next page is read.
struct InspectionList {
  let renderer: Renderer
  let aspect: Inspection.Aspect
  let defaults: JobDefaults

  /// - Returns: how many pages failed.
  func inspect(_ path: String) throws(OffprintError) -> Int {
    let descriptor = try Files.open(path)
    var lines = LineReader(descriptor, name: Files.displayName(path), limit: defaults.lineLimit)
    var failures = 0
    while !Output.hasFailed, let line = try lines.next() {
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
