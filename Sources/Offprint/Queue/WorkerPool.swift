import OffprintCoreTypes
import Glibc

/// Threads that render. Each owns its state (Pango, FreeType, caches), created by `makeState` on the thread itself. Jobs never run on
/// Swift's cooperative pool, unless the system cannot create any thread.
final class WorkerPool<State>: Sendable {
  typealias Job = @Sendable (State) -> Void

  enum Submission: Equatable {
    /// The job waits under this number.
    case accepted(UInt64)
    /// The queue is full.
    case full
    /// The job will not run.
    case closed
  }

  private struct Shared {
    var jobs = JobQueue<Job>()
    var isSuspended = false
    var isClosed = false
    var threads: [pthread_t] = []
    var starting = 0
    var idle = 0
  }

  private let shared = Monitor(Shared())
  private let size: Int
  private let capacity: Int
  private let makeState: @Sendable () -> State
  /// Deeply nested pages recurse deeply. Reserved address space costs nothing until it is used.
  private static var stackBytes: Int { 512 << 20 }

  /// - Parameters:
  ///   - size: The maximum number of threads; each is started when needed.
  ///   - capacity: The maximum number of waiting jobs.
  init(size: Int, capacity: Int, makeState: @escaping @Sendable () -> State) {
    self.size = max(1, size)
    self.capacity = max(1, capacity)
    self.makeState = makeState
  }

  // MARK: Jobs

  /// - Parameter isBounded: Whether the job is refused if the queue is full.
  func submit(_ priority: RenderPriority = .interactive, isBounded: Bool = true, _ job: @escaping Job) -> Submission {
    let (submission, startsThread) = shared.with { shared -> (Submission, Bool) in
      guard !shared.isClosed else { return (.closed, false) }
      guard !isBounded || shared.jobs.count < capacity else { return (.full, false) }
      let id = shared.jobs.add(job, priority)
      let starts = shared.jobs.count > shared.idle && shared.threads.count + shared.starting < size
      if starts { shared.starting += 1 }
      return (.accepted(id), starts)
    }
    if startsThread { startThread() }
    return submission
  }

  /// Removes a waiting job.
  ///
  /// - Returns: False if it is running or has ended.
  func withdraw(_ id: UInt64) -> Bool { shared.quietly { $0.jobs.remove(id) } }

  /// The number of waiting jobs.
  var waitingCount: Int { shared.quietly { $0.jobs.count } }

  func suspend() { shared.quietly { $0.isSuspended = true } }

  func resume() { shared.with { $0.isSuspended = false } }

  /// Accepts no more jobs and waits until the accepted ones are done. Does not wait when called from one of its own threads.
  func close() {
    shared.with { shared in
      shared.isClosed = true
      shared.isSuspended = false
    }
    let own = pthread_self()
    shared.wait { shared in
      shared.threads.contains { pthread_equal($0, own) != 0 } || shared.threads.isEmpty && shared.starting == 0 ? () : nil
    }
  }

  // MARK: Threads

  private func startThread() {
    if SystemThread.start(stackBytes: Self.stackBytes, isDetached: true, { self.run() }) == nil {
      // No thread could be created, so the jobs run here, one after another.
      run(untilEmpty: true)
    }
  }

  private func run(untilEmpty: Bool = false) {
    let own = pthread_self()
    shared.quietly { shared in
      shared.starting -= 1
      shared.threads.append(own)
    }
    let state = makeState()
    while let job = next(untilEmpty: untilEmpty) { job(state) }
    shared.with { shared in
      if let index = shared.threads.firstIndex(where: { pthread_equal($0, own) != 0 }) { shared.threads.remove(at: index) }
    }
  }

  private enum Next {
    case job(Job)
    case end
  }

  private func next(untilEmpty: Bool) -> Job? {
    shared.quietly { $0.idle += 1 }
    let next = shared.wait { shared in
      let next = Self.take(from: &shared, untilEmpty: untilEmpty)
      if next != nil { shared.idle -= 1 }
      return next
    }
    guard case .job(let job) = next else { return nil }
    return job
  }

  /// Nil if there is nothing to do at the moment.
  private static func take(from shared: inout Shared, untilEmpty: Bool) -> Next? {
    if shared.jobs.isEmpty { return shared.isClosed || untilEmpty ? .end : nil }
    guard !shared.isSuspended else { return nil }
    return shared.jobs.take().map { .job($0) }
  }
}
