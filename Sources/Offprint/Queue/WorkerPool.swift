import OffprintCoreTypes
import Glibc

/// Threads that render. Each owns its state (Pango, FreeType, caches), made by `makeState` on the thread itself; jobs never run on
/// Swift's cooperative pool, unless the system gives no thread at all.
final class WorkerPool<State>: Sendable {
  typealias Job = @Sendable (State) -> Void

  enum Submission: Equatable {
    /// It waits under this number.
    case accepted(UInt64)
    /// As many wait as may.
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
  /// Deep pages recurse deeply; reserved address space costs nothing until used.
  private static var stackBytes: Int { 512 << 20 }

  /// - Parameters:
  ///   - size: threads at most; each is started when there is something to do for it.
  ///   - capacity: how many jobs may wait.
  init(size: Int, capacity: Int, makeState: @escaping @Sendable () -> State) {
    self.size = max(1, size)
    self.capacity = max(1, capacity)
    self.makeState = makeState
  }

  // MARK: Jobs

  /// - Parameter isBounded: whether it is refused where as many wait as may.
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

  /// Takes a job back.
  ///
  /// - Returns: false where it runs already, or ran.
  func withdraw(_ id: UInt64) -> Bool { shared.quietly { $0.jobs.remove(id) } }

  /// How many wait.
  var waitingCount: Int { shared.quietly { $0.jobs.count } }

  func suspend() { shared.quietly { $0.isSuspended = true } }

  func resume() { shared.with { $0.isSuspended = false } }

  /// Takes no more jobs and waits until those taken are done; from one of its own threads it does not wait.
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
      // No thread to be had: the jobs run here, one after the other.
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

  /// nil: nothing to do yet.
  private static func take(from shared: inout Shared, untilEmpty: Bool) -> Next? {
    if shared.jobs.isEmpty { return shared.isClosed || untilEmpty ? .end : nil }
    guard !shared.isSuspended else { return nil }
    return shared.jobs.take().map { .job($0) }
  }
}
