import Offprint

/// `--dry-run`: reports each job's key and whether its image is cached. Nothing is rendered, stored or counted as used.
struct DryRun {
  var feed: JobFeed
  var defaults: JobDefaults
  var naming: OutputNaming?
  var progress: Progress

  /// - Throws: Errors of reading the list, or `outputUnwritable` for the report.
  func run(_ engine: EngineOptions, reportPath: String?) throws(OffprintError) {
    let reporter = try Reporter(path: reportPath)
    var configuration = try engine.configuration()
    // A dry run must not create a cache.
    if let folder = configuration.cacheFolder, Files.kind("\(folder)/index.sqlite") == nil { configuration.cacheFolder = nil }
    let renderer = try Renderer(configuration)
    defer { renderer.shutdown(isExiting: true) }
    while !Output.hasFailed, let (line, _) = feed.next() {
      let start = ContinuousClock.now
      let head = JobHead(line, defaults.rules)
      do throws(OffprintError) {
        let output = try naming?.path(head, line)
        let job = try Job(head, line, defaults, output: output)
        let preview = try renderer.preview(job.request)
        tell(reporter, head.id, output, preview, since: start)
      } catch {
        if !reporter.isActive { Output.failure(error, job: head.id) }
        reporter.report(id: head.id, fields: ",\"state\":\"failed\",\"error\":\(error.json)", since: start)
        progress.count { $0.count(.failed) }
      }
    }
    progress.finish()
    try reporter.finish()
    if let error = feed.error { throw error }
  }

  private func tell(
    _ reporter: Reporter, _ id: String, _ output: String?, _ preview: CachePreview, since start: ContinuousClock.Instant
  ) {
    let state = preview.isHit ? "hit" : "miss"
    if reporter.isActive {
      let place = output.map { ",\"output\":\(JSONText.string($0))" } ?? ""
      reporter.report(id: id, fields: ",\"state\":\"\(state)\",\"key\":\"\(preview.key)\"\(place)", since: start)
    } else {
      Output.line(
        "\(state == "hit" ? "hit " : "miss")  \(preview.key)  \(Sentence.fit(id))" + (output.map { "  \(Sentence.printable($0))" } ?? ""))
    }
    progress.count { $0.count(preview.isHit ? .hit : .rendered) }
  }
}
