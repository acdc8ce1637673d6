import ArgumentParser
import OffprintCoreTypes
import Glibc
import Offprint
import OffprintRemote
import Synchronization

/// A flag set once, by a signal.
final class StopSignal: Sendable {
  private let flag = Atomic(false)
  func set() { flag.store(true, ordering: .relaxed) }
  var isSet: Bool { flag.load(ordering: .relaxed) }
}

/// Counts of a queue worker's jobs.
struct QueueTally: Sendable {
  var rendered = 0, cached = 0, degraded = 0, failed = 0
  /// Failed permanently, after the maximum number of attempts.
  var dead = 0
  /// Returned to the queue for another attempt.
  var putBack = 0

  var text: String {
    var parts = ["\(rendered) rendered", cached.counted("hit")]
    for (count, name) in [(degraded, "degraded"), (failed, "failed"), (dead, "abandoned"), (putBack, "to be retried")] where count > 0 {
      parts.append("\(count) \(name)")
    }
    return parts.joined(separator: ", ")
  }
}

/// Takes jobs from a queue and renders them, on as many threads as there are workers, each with its own connection.
final class QueueRun: Sendable {
  struct Policy: Sendable {
    var tries: Int
    /// How long a worker may be silent before another one claims its jobs.
    var claimMilliseconds: Int
    var untilEmpty: Bool
    var output: String?
    var cache: CachePolicy
    /// A configuration with the allowed hosts.
    var network: RendererConfiguration
  }

  private struct State {
    var tally = QueueTally()
    /// Entries in progress in this process.
    var held: Set<String> = []
    var isLost = false
    /// The parsed options of the last job.
    var options: (words: [String], page: PageOptions)?
  }

  private let address: QueueAddress
  private let renderer: Renderer
  private let stop: StopSignal
  private let policy: Policy
  /// Its unique consumer name.
  private let consumer: String
  private let state = Mutex(State())
  private let ended = StopSignal()
  private static let waitMilliseconds = 500
  /// Errors that may be temporary, or specific to this machine.
  private static let passing: Set<OffprintError.Code> = [
    .timedOut, .resourceMissing, .resourceDamaged, .queueFull, .cacheUnusable, .outputUnwritable, .workerCrashed, .workerTimedOut,
    .workerMemory, .workerUnavailable, .shutDown, .cancelled, .inputNotFound, .inputUnreadable,
  ]

  init(address: QueueAddress, renderer: Renderer, stop: StopSignal, policy: Policy) {
    self.address = address; self.renderer = renderer; self.stop = stop; self.policy = policy
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The random part is needed because all processes of containers can have the same process ID.
    consumer = "\(host)-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
  }

  /// - Throws: `queueUnavailable` if the queue was never reachable.
  func perform(workers: Int) throws(OffprintError) -> QueueTally {
    let first = WorkQueue(address)
    try first.prepare()
    first.close()
    Threads.detach { self.holdOn() }
    Threads.run(workers) { self.work() }
    ended.set()
    let queue = WorkQueue(address)
    try? queue.leave(consumer)
    return state.withLock { $0.tally }
  }

  // MARK: Taking jobs

  private func work() {
    let queue = WorkQueue(address)
    var claims = ContinuousClock.now
    var pause: UInt32 = 100
    while !stop.isSet {
      do throws(OffprintError) {
        guard let job = try next(queue, &claims) else {
          let left = policy.untilEmpty ? try queue.left() : nil
          isBack()
          if left == 0 { break }
          continue
        }
        isBack()
        pause = 100
        handle(job, queue)
      } catch {
        isLost(error)
        sleep(milliseconds: pause)
        pause = min(pause * 2, 5000)
      }
    }
  }

  /// Claims jobs of dead workers first, because they have waited longest.
  private func next(_ queue: WorkQueue, _ claims: inout ContinuousClock.Instant) throws(OffprintError) -> QueuedJob? {
    if ContinuousClock.now >= claims {
      if let job = try queue.claim(consumer, idle: policy.claimMilliseconds) { return job }
      claims = .now + .milliseconds(max(50, policy.claimMilliseconds / 4))
    }
    return try queue.take(consumer, waiting: min(Self.waitMilliseconds, max(50, policy.claimMilliseconds / 4)))
  }

  /// Renews the claims of jobs in progress periodically.
  private func holdOn() {
    let queue = WorkQueue(address)
    while !ended.isSet {
      sleep(milliseconds: UInt32(max(20, policy.claimMilliseconds / 4)))
      let held = state.withLock { $0.held.sorted() }
      // The other threads report a lost connection.
      try? queue.hold(held, consumer)
    }
  }

  private func sleep(milliseconds: UInt32) {
    var left = milliseconds
    while left > 0, !stop.isSet || !ended.isSet {
      usleep(min(left, 50) * 1000)
      left -= min(left, 50)
      if stop.isSet { return }
    }
  }

  // MARK: Running one job

  private func handle(_ job: QueuedJob, _ queue: WorkQueue) {
    state.withLock { _ = $0.held.insert(job.entry) }
    defer { state.withLock { _ = $0.held.remove(job.entry) } }
    let start = ContinuousClock.now
    guard job.deliveries <= policy.tries else {
      let error = OffprintError(
        .jobAbandoned, "The job was started \(job.deliveries - 1) times without finishing: its worker ended each time.")
      return finish(job, ReportFields.failed(error, job.deliveries - 1), .dead, since: start, queue)
    }
    do throws(OffprintError) {
      let (fields, result) = try draw(job)
      finish(job, fields, result.isDegraded ? .degraded : result.wasCached ? .cached : .rendered, since: start, queue)
    } catch {
      let isPassing = Self.passing.contains(error.code)
      if isPassing && job.deliveries < policy.tries {
        Output.error("offprint: \(Sentence.fit(job.id)): \(error.sentence) The job will be retried.")
        return state.withLock { $0.tally.putBack += 1 }
      }
      Output.failure(error, job: job.id)
      finish(job, ReportFields.failed(error, job.deliveries), isPassing ? .dead : .failed, since: start, queue)
    }
  }

  private func draw(_ queued: QueuedJob) throws(OffprintError) -> (String, RenderResult) {
    let letter = try JobLetter(queued)
    let job = try letter.job(try page(letter.options), policy.cache, policy.network)
    let result = try renderer.renderAndWait(job.request)
    if let problem = result.diagnostics.first(where: { $0.code.rawValue == "cacheUnusable" }) {
      throw OffprintError(.cacheUnusable, problem.message)
    }
    // Ensures that other machines can get an image that was already cached locally.
    if result.wasCached { try renderer.share(result) }
    if let folder = policy.output {
      let path = try JobLetter.path(letter.output, in: folder)
      try Files.makeFolder(Files.folder(of: path))
      try Files.write(result.image, to: path)
    }
    return (ReportFields.done(result, notes: job.notes, letter.output, queued.deliveries), result)
  }

  private func page(_ options: [String]) throws(OffprintError) -> PageOptions {
    if let cached = state.withLock({ $0.options }), cached.words == options { return cached.page }
    do {
      let page = try PageOptions.parse(options)
      state.withLock { $0.options = (options, page) }
      return page
    } catch {
      throw OffprintError(.dataInvalid, "This version does not know the options of the job: \(PageOptions.message(for: error)).")
    }
  }

  private enum End { case rendered, cached, degraded, failed, dead }

  /// Reports a job as done, retrying as long as necessary: otherwise it would be rendered again.
  private func finish(_ job: QueuedJob, _ fields: String, _ end: End, since start: ContinuousClock.Instant, _ queue: WorkQueue) {
    let report = Array(ReportFields.line(job.id, fields + ",\"worker\":\(JSONText.string(consumer))", since: start).utf8)
    var pause: UInt32 = 50
    var lastTry: ContinuousClock.Instant?
    while true {
      do throws(OffprintError) {
        // If another worker was faster, its result is kept.
        guard try queue.finish(job, report: report, isDead: end == .dead) else { return }
        return state.withLock { state in
          switch end {
          case .rendered: state.tally.rendered += 1
          case .cached: state.tally.cached += 1
          case .degraded: state.tally.degraded += 1
          case .failed: state.tally.failed += 1
          case .dead: state.tally.dead += 1
          }
        }
      } catch {
        isLost(error)
        if stop.isSet {
          let end = lastTry ?? .now + .seconds(10)
          lastTry = end
          if ContinuousClock.now > end { return }
        }
        usleep(pause * 1000)
        pause = min(pause * 2, 2000)
      }
    }
  }

  // MARK: Queue availability

  private func isLost(_ error: OffprintError) {
    let isNew = state.withLock { state in
      defer { state.isLost = true }
      return !state.isLost
    }
    if isNew { Output.failure(error) }
  }

  private func isBack() {
    let isNew = state.withLock { state in
      defer { state.isLost = false }
      return state.isLost
    }
    if isNew { Output.error("offprint: reconnected to the queue \(address.description)") }
  }
}
