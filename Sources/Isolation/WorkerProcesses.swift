internal import OffprintCoreTypes
internal import Glibc
internal import Offprint

/// The worker processes of a renderer: started on demand, kept warm, watched, and replaced.
final class WorkerProcesses: PageDrawing {
  /// The state of the workers.
  struct State {
    /// Idle workers. The most recently used is taken first, because its caches are warm.
    var idle: [WorkerProcess] = []
    /// Process IDs of workers that are idle or rendering.
    var ids: Set<pid_t> = []
    /// The number of workers to start, and the number of those that are starting.
    var wanted = 0, starting = 0
    /// How many pages wait for a worker.
    var waiting = 0
    var isClosed = false
    /// Consecutive failed starts, the time of the next attempt, and the reason of the last failure.
    var failures = 0
    var nextStart = ContinuousClock.now
    var lastFailure = ""
    var supervisor: pthread_t?
    var report: IsolationReport?
    var statistics = WorkerStatistics()
    var hasSupervisor = false
  }

  let isolation: IsolationConfiguration
  private let configuration: Configuration
  private let size: Int
  let state = Monitor(State())
  /// This many consecutive failures are not reported to pages.
  private static let toleratedFailures = 3

  /// Starts no processes yet.
  init(_ isolation: IsolationConfiguration, _ configuration: Configuration, size: Int) {
    self.isolation = isolation; self.configuration = configuration; self.size = max(1, size)
  }

  var unavailability: OffprintError? { state.with { Self.failure($0) } }

  var statistics: WorkerStatistics {
    state.with { state in
      var statistics = state.statistics
      statistics.alive = state.ids.count
      return statistics
    }
  }

  // MARK: Pages

  func draw(_ page: RemotePage) throws(OffprintError) -> RenderResult {
    var attempts = 0
    while true {
      attempts += 1
      var page = page
      let start = ContinuousClock.now
      let worker = try acquire(page.deadline)
      // The time a process needs to start does not count toward the page's deadline.
      page.deadline = page.deadline.extended(by: start.duration(to: .now))
      guard worker.greeting?.fontsDigest == page.fontsDigest else {
        release(worker)
        throw OffprintError(
          .workerUnavailable, "The fonts have changed since this program started; restart it.")
      }
      let exchange = PageExchange(worker, page, isolation)
      do throws(PageExchange.Failure) {
        let result = try exchange.run()
        release(worker)
        return result
      } catch {
        switch error {
        case .answered(let failure):
          release(worker)
          throw failure
        // It ended while it was idle, so the page is not the cause: another worker renders it.
        case .worker(.ended) where !exchange.hasBegun && attempts < 3: lose(worker)
        case .worker(let reason): throw bury(worker, reason, page)
        }
      }
    }
  }

  private func acquire(_ deadline: Deadline) throws(OffprintError) -> WorkerProcess {
    state.with { $0.waiting += 1 }
    defer { state.with { $0.waiting -= 1 } }
    while true {
      if deadline.isCancelled { throw OffprintError(.cancelled, "The render was canceled: no caller is waiting for it.") }
      let answer = state.with { state -> Result<WorkerProcess, OffprintError>? in
        if let answer = Self.answer(&state) { return answer }
        request(min(state.waiting, size - state.ids.count) - state.wanted - state.starting, &state)
        return nil
      }
      guard let worker = try answer?.get() else {
        // The body of `wait` only checks, because changes in it would wake no other threads.
        _ = state.wait(milliseconds: 50) { $0.isClosed || !$0.idle.isEmpty || Self.failure($0) != nil ? () : nil }
        continue
      }
      if worker.isFit { return worker }
      lose(worker)
    }
  }

  private static func answer(_ state: inout State) -> Result<WorkerProcess, OffprintError>? {
    if state.isClosed { return .failure(OffprintError(.shutDown, "The renderer was shut down.")) }
    if let worker = state.idle.popLast() { return .success(worker) }
    return failure(state).map { .failure($0) }
  }

  /// The error if no worker is running and starts failed repeatedly.
  private static func failure(_ state: State) -> OffprintError? {
    guard state.failures >= toleratedFailures, state.ids.isEmpty else { return nil }
    let seconds = max(0, ContinuousClock.now.duration(to: state.nextStart).seconds)
    guard seconds > 0 else { return nil }
    return OffprintError(
      .workerUnavailable,
      "No worker process can be started after \(state.failures) attempts: \(state.lastFailure); the next attempt is in \(seconds.rounded(.up)) s."
    )
  }

  /// Returns a worker after a page.
  private func release(_ worker: WorkerProcess) {
    worker.renders += 1
    let isSpent =
      worker.renders >= isolation.retiresAfterRenders
      || (worker.process.memoryUse?.resident ?? 0) > min(isolation.retiresAboveBytes, isolation.memoryBytes)
    let isKept = state.with { state in
      guard !isSpent, !state.isClosed else { return false }
      state.idle.append(worker)
      return true
    }
    if isKept { return }
    worker.process.end()
    remove(worker) { $0.retired += 1 }
  }

  /// Removes a worker that ended, or sent data, while it was idle.
  private func lose(_ worker: WorkerProcess) {
    worker.process.end()
    remove(worker) { $0.lost += 1 }
  }

  /// Kills a worker that cannot be used any more.
  ///
  /// - Returns: The error for its page.
  private func bury(_ worker: WorkerProcess, _ reason: PageExchange.Reason, _ page: RemotePage) -> OffprintError {
    let ending = worker.process.end()
    let error = Self.error(reason, ending, page, isolation)
    remove(worker) { statistics in
      switch error.code {
      case .workerTimedOut, .cancelled: statistics.timedOut += 1
      case .workerMemory: statistics.outOfMemory += 1
      default: statistics.crashed += 1
      }
    }
    return error
  }

  /// Removes a worker and requests a replacement.
  private func remove(_ worker: WorkerProcess, _ count: (inout WorkerStatistics) -> Void) {
    state.with { state in
      count(&state.statistics)
      state.ids.remove(worker.process.id)
      request(1, &state)
    }
  }

  private func request(_ count: Int, _ state: inout State) {
    guard count > 0, !state.isClosed else { return }
    state.wanted += count
    guard !state.hasSupervisor else { return }
    state.hasSupervisor = true
    state.supervisor = SystemThread.start(stackBytes: 1 << 20) { self.supervise() }
    if state.supervisor == nil {
      state.hasSupervisor = false
      state.wanted = 0
      state.failures = Self.toleratedFailures
      state.nextStart = .now.advanced(by: .seconds(1))
      state.lastFailure = "no thread can be started"
    }
  }

  // MARK: Starting workers

  /// Starts all processes before the first page.
  func start() {
    state.with { state in request(size - state.ids.count - state.wanted - state.starting, &state) }
  }

  /// - Throws: `workerUnavailable`.
  func startAndWait() throws(OffprintError) {
    start()
    while true {
      let outcome = state.wait(milliseconds: 50) { state -> Result<Void, OffprintError>? in
        if state.isClosed || !state.ids.isEmpty { return .success(()) }
        return Self.failure(state).map { .failure($0) }
      }
      if let outcome { return try outcome.get() }
    }
  }

  /// Runs on a dedicated thread that lives as long as the workers, because the kernel ends a worker with the thread that started it.
  private func supervise() {
    while let count = nextStarts() {
      // All are started before waiting for the first.
      let started = (0..<count).map { _ in begin() }
      for start in started { finish(start) }
    }
  }

  /// - Returns: Nil when no more processes will be started.
  private func nextStarts() -> Int? {
    while true {
      let pause = state.with { state in max(0, ContinuousClock.now.duration(to: state.nextStart).seconds) }
      let answer: Int? = state.wait(milliseconds: pause > 0 ? Int(pause * 1000) + 1 : nil) { state -> Int? in
        if state.isClosed { return 0 }
        guard state.wanted > 0, ContinuousClock.now >= state.nextStart else { return nil }
        // After a failure, only one is tried.
        let count = state.failures > 0 ? 1 : state.wanted
        state.wanted -= count
        state.starting += count
        return count
      }
      guard let answer else { continue }
      return answer == 0 ? nil : answer
    }
  }

  private func begin() -> Result<WorkerProcess, StartFailure> {
    do throws(StartFailure) { return .success(try WorkerProcess.start(isolation, configuration)) } catch { return .failure(error) }
  }

  private func finish(_ start: Result<WorkerProcess, StartFailure>) {
    do throws(StartFailure) {
      let worker = try start.get()
      try worker.awaitReadiness(isolation) { !state.with { $0.isClosed } }
      // Called before its first page is answered.
      if let report = worker.greeting?.report, state.with({ $0.report == nil }) { isolation.onFirstReport?(report) }
      let isWanted = state.with { state in
        state.starting -= 1
        state.failures = 0
        state.statistics.started += 1
        guard !state.isClosed else { return false }
        state.report = worker.greeting?.report
        state.ids.insert(worker.process.id)
        state.idle.append(worker)
        return true
      }
      if !isWanted { worker.process.end() }
    } catch {
      note(error)
    }
  }

  /// Delays the next attempt longer with each consecutive failure: 0.1 s, 0.2 s, … 10 s.
  private func note(_ failure: StartFailure) {
    state.with { state in
      state.starting -= 1
      state.statistics.failedStarts += 1
      state.failures += 1
      state.lastFailure = failure.reason
      state.nextStart = .now.advanced(by: .seconds(min(10, 0.1 * Double(1 << min(state.failures - 1, 10)))))
      state.wanted += 1
    }
  }

  // MARK: Shutdown

  /// Ends all workers; those that are rendering end after their page.
  func close() {
    let (idle, supervisor) = state.with { state -> ([WorkerProcess], pthread_t?) in
      state.isClosed = true
      defer {
        state.ids.subtract(state.idle.map(\.process.id))
        state.idle = []
        state.supervisor = nil
      }
      return (state.idle, state.supervisor)
    }
    for worker in idle { worker.process.end() }
    if let supervisor { pthread_join(supervisor, nil) }
  }
}
