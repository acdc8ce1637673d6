import Glibc
import Offprint
import Synchronization

/// Renders jobs on as many threads as there are workers; each takes the next job when its last one is done. The number of jobs in progress
/// is therefore bounded, and memory and stack use do not depend on the length of the list.
final class JobRunner: Sendable {
  struct Policy: Sendable {
    var keepsGoing: Bool
    var retries: Int
    /// Whether missing folders of outputs are created.
    var makesFolders: Bool
    /// Jobs that are already done.
    var earlier: EarlierReport?
    /// The merged PDF, if any.
    var merger: PDFMerger?
  }

  private let feed: JobFeed
  private let defaults: JobDefaults
  private let naming: OutputNaming?
  private let renderer: Renderer
  private let reporter: Reporter
  private let progress: Progress
  private let policy: Policy
  private let madeFolders = Mutex<Set<String>>([])
  private let diagnostics = SharedDiagnostics()

  init(
    feed: JobFeed, defaults: JobDefaults, naming: OutputNaming?, renderer: Renderer, reporter: Reporter, progress: Progress, policy: Policy
  ) {
    self.feed = feed; self.defaults = defaults; self.naming = naming; self.renderer = renderer
    self.reporter = reporter; self.progress = progress; self.policy = policy
  }

  /// - Throws: Errors of reading the list.
  func run(workers: Int) throws(OffprintError) {
    Threads.run(workers) { while let (line, position) = self.feed.next() { self.draw(line, position) } }
    progress.finish()
    diagnostics.summarize()
    if let error = feed.error { throw error }
  }

  private func draw(_ line: JobLine, _ position: Int) {
    let start = ContinuousClock.now
    let head = JobHead(line, defaults.rules)
    var attempts = 1
    do throws(OffprintError) {
      try policy.merger?.check(head, line)
      let output = try naming?.path(head, line)
      if policy.earlier?.contains(head.id) == true, output.map({ Files.kind($0) != nil }) ?? true {
        return progress.count { $0.skipped += 1 }
      }
      let job = try Job(head, line, defaults, output: output)
      let result = try render(job, &attempts)
      if let merger = policy.merger {
        try merger.add(result.image, title: job.id, at: position)
      } else if let output {
        try write(result, to: output)
      } else if result.wasCached {
        // Warming the cache also fills the shared tier. Its failure was reported already.
        try? renderer.share(result)
      }
      finish(job, result, output, attempts, since: start)
    } catch {
      policy.merger?.skip(position)
      fail(head.id, error, attempts, since: start)
    }
  }

  /// Retries failures that may be temporary, such as a busy machine or a file that does not exist yet.
  private func render(_ job: Job, _ attempts: inout Int) throws(OffprintError) -> RenderResult {
    while true {
      do throws(OffprintError) {
        return try naming == nil && policy.merger == nil ? renderer.keepAndWait(job.request) : renderer.renderAndWait(job.request)
      } catch {
        guard attempts <= policy.retries, [.timedOut, .resourceMissing, .resourceDamaged, .queueFull].contains(error.code), !feed.isClosed
        else { throw error }
        usleep(UInt32(min(2_000, 50 << min(attempts, 10)) * 1_000))
        attempts += 1
      }
    }
  }

  private func write(_ result: RenderResult, to output: String) throws(OffprintError) {
    if policy.makesFolders {
      let folder = Files.folder(of: output)
      if madeFolders.withLock({ !$0.contains(folder) }) {
        try Files.makeFolder(folder)
        madeFolders.withLock { folders in if folders.count < 4096 { folders.insert(folder) } }
      }
    }
    try Files.write(result.image, to: output)
  }

  private func finish(_ job: Job, _ result: RenderResult, _ output: String?, _ attempts: Int, since start: ContinuousClock.Instant) {
    diagnostics.report(job.notes, job: job.id, quiet: false)
    diagnostics.report(result.diagnostics, job: job.id, quiet: true)
    if let problem = result.diagnostics.first(where: { $0.code.rawValue == "cacheUnusable" }) { note(problem) }
    reporter.report(id: job.id, fields: ReportFields.done(result, notes: job.notes, output, attempts), since: start)
    progress.count { tally in
      tally.count(JobState(result))
      tally.bytes += result.byteCount
    }
  }

  /// Reports once that the cache cannot store images. If warming is the only purpose, the run ends.
  private func note(_ problem: Diagnostic) {
    let isFirst = progress.note { tally in
      defer { tally.cacheProblem = tally.cacheProblem ?? problem.message }
      return tally.cacheProblem == nil
    }
    guard isFirst else { return }
    Output.note(problem)
    if naming == nil && !policy.keepsGoing { feed.close() }
  }

  private func fail(_ id: String, _ error: OffprintError, _ attempts: Int, since start: ContinuousClock.Instant) {
    if !policy.keepsGoing { feed.close() }
    if !reporter.isActive || progress.style == .line {
      Output.failure(error, job: id)
    }
    reporter.report(id: id, fields: ReportFields.failed(error, attempts), since: start)
    progress.count { $0.count(.failed) }
  }
}
