import Glibc
import Offprint
import Synchronization

/// What became of a list.
struct Tally: Sendable {
  var rendered = 0
  var cached = 0
  var failed = 0
  /// Of all pictures.
  var bytes = 0
  /// Why the cache did not keep a picture.
  var cacheProblem: String?
}

/// A run of a list, from its first reading to its report.
struct JobRun {
  var page: PageOptions
  var engine: EngineOptions
  var options: JobOptions
  /// Where pictures go that no job names a file for; nil: pictures are not written at all.
  var folder: String?

  /// - Throws: what is wrong with the list as a whole, before anything is drawn. Failed jobs are counted.
  func perform(_ path: String, reportPath: String?) throws(OffprintError) -> Tally {
    let list = try JobList(path, lineLimit: options.lines.limit)
    let shard = options.shard ?? Shard.fromEnvironment
    let summary = try JobCheck(folder: folder, shard: shard).run(list)
    if let folder, summary.usesFolder { try Files.makeFolder(folder) }
    let reporter = try Reporter(path: reportPath)
    summary.folders.forEach { Leftovers.collect(in: $0) }
    let workers = min(options.workers ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), max(1, summary.count))
    let renderer = try Renderer(engine.configuration(workers: workers))
    defer { renderer.shutdown(isExiting: true) }
    let runner = JobRunner(
      feed: JobFeed(list.lines(), shard: shard),
      defaults: JobDefaults(page: page, policy: engine.policy, lineLimit: options.lines.limit),
      renderer: renderer, folder: folder, keepsGoing: options.keepGoing, reporter: reporter, progress: Progress(total: summary.count))
    let tally = try runner.run(workers: workers)
    try reporter.finish()
    return tally
  }
}

/// Hands out the lines of a shard, one at a time, to any thread.
final class JobFeed: Sendable {
  private struct State {
    var lines: LineReader
    var index = 0
    var isClosed = false
    var error: OffprintError?
  }

  private let state: Mutex<State>
  private let shard: Shard?

  init(_ lines: LineReader, shard: Shard?) {
    state = Mutex(State(lines: lines))
    self.shard = shard
  }

  func next() -> JobLine? {
    state.withLock { state in
      do throws(OffprintError) {
        while !state.isClosed, let line = try state.lines.next() {
          defer { state.index += 1 }
          if shard?.takes(state.index) ?? true { return line }
        }
      } catch {
        state.error = error
        state.isClosed = true
      }
      return nil
    }
  }

  /// Hands out no more.
  func close() { state.withLock { $0.isClosed = true } }

  /// Why reading ended early.
  var error: OffprintError? { state.withLock { $0.error } }
}

/// Draws jobs: as many threads as there are workers, each taking the next job when its last one is done. So no more are under way than
/// that, and a list of any length, cached or not, takes no more memory and no deeper stack than a short one.
final class JobRunner: Sendable {
  private let feed: JobFeed
  private let defaults: JobDefaults
  private let renderer: Renderer
  private let folder: String?
  private let keepsGoing: Bool
  private let reporter: Reporter
  private let progress: Progress
  private let tally = Mutex(Tally())

  init(
    feed: JobFeed, defaults: JobDefaults, renderer: Renderer, folder: String?, keepsGoing: Bool, reporter: Reporter, progress: Progress
  ) {
    self.feed = feed; self.defaults = defaults; self.renderer = renderer; self.folder = folder
    self.keepsGoing = keepsGoing; self.reporter = reporter; self.progress = progress
  }

  /// - Throws: what reading the list throws.
  func run(workers: Int) throws(OffprintError) -> Tally {
    Threads.run(workers) {
      while let line = self.feed.next() {
        self.draw(line)
        self.progress.step()
      }
    }
    progress.finish()
    if let error = feed.error { throw error }
    return tally.withLock { $0 }
  }

  private func draw(_ line: JobLine) {
    let start = ContinuousClock.now
    let head = JobHead(line)
    do {
      let job = try Job(head, line, defaults)
      let result = try renderer.renderAndWait(job.request)
      let output = try write(result, job)
      finish(job, result, output, since: start)
    } catch {
      fail(head.id, error, since: start)
    }
  }

  /// - Returns: where it was written.
  private func write(_ result: RenderResult, _ job: Job) throws(OffprintError) -> String? {
    guard let folder else { return nil }
    let path = OutputNaming.path(id: job.id, output: job.output, folder: folder)
    try Files.write(result.image, to: path)
    return path
  }

  private func finish(_ job: Job, _ result: RenderResult, _ output: String?, since start: ContinuousClock.Instant) {
    Output.diagnostics(job.notes.map { $0.inJob(job.id) }, quiet: false)
    Output.diagnostics(result.diagnostics.map { $0.inJob(job.id) }, quiet: true)
    tally.withLock { tally in
      if result.wasCached { tally.cached += 1 } else { tally.rendered += 1 }
      tally.bytes += result.image.count
    }
    if let problem = result.diagnostics.first(where: { $0.code.rawValue == "cacheUnusable" }) { note(problem) }
    let place = output.map { ",\"output\":\(JSONText.string($0))" } ?? ""
    reporter.report(
      id: job.id, status: result.wasCached ? "cached" : "rendered",
      fields: "\(place),\"width\":\(result.width),\"height\":\(result.height),\"bytes\":\(result.image.count)", since: start)
  }

  /// A cache that keeps nothing is told of once. Where nothing else is wanted than to fill it, going on makes no sense.
  private func note(_ problem: Diagnostic) {
    let isFirst = tally.withLock { tally in
      defer { tally.cacheProblem = tally.cacheProblem ?? problem.message }
      return tally.cacheProblem == nil
    }
    guard isFirst else { return }
    Output.error("offprint: \(problem.sentence)")
    if folder == nil && !keepsGoing { feed.close() }
  }

  private func fail(_ id: String, _ error: OffprintError, since start: ContinuousClock.Instant) {
    tally.withLock { $0.failed += 1 }
    if !keepsGoing { feed.close() }
    if !reporter.isActive { Output.error("offprint: \(Sentence.fit(id).prefix(bytes: 100)): \(error.sentence)") }
    reporter.report(id: id, status: "failed", fields: ",\"error\":\(error.json)", since: start)
  }
}
