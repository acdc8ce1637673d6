import CoreTypes
import Glibc

/// Threads that render. Each owns its state (Pango, FreeType, caches), made by `makeState` on the thread itself; jobs never run on
/// Swift's cooperative pool.
final class WorkerPool<State>: @unchecked Sendable {
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

  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let shared: UnsafeMutablePointer<Shared>
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
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    shared = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
    shared.initialize(to: Shared())
  }

  deinit {
    // Threads hold the pool until they end, so that none uses it any more.
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    shared.deinitialize(count: 1)
    shared.deallocate()
    changed.deallocate()
    lock.deallocate()
  }

  /// `body` never waits: while it holds the state exclusively, the compiler may keep what it read of it.
  private func locked<R>(_ body: (inout Shared) -> R) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&shared.pointee)
  }

  /// `body`'s answer, asked anew after each change until there is one; between the questions the state is others'.
  private func waiting<R>(_ body: (inout Shared) -> R?) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&shared.pointee) { return answer }
      pthread_cond_wait(changed, lock)
    }
  }

  // MARK: Jobs

  /// - Parameter isBounded: whether it is refused where as many wait as may.
  func submit(_ priority: RenderPriority = .interactive, isBounded: Bool = true, _ job: @escaping Job) -> Submission {
    let (submission, startsThread) = locked { shared -> (Submission, Bool) in
      guard !shared.isClosed else { return (.closed, false) }
      guard !isBounded || shared.jobs.count < capacity else { return (.full, false) }
      let id = shared.jobs.add(job, priority)
      let starts = shared.jobs.count > shared.idle && shared.threads.count + shared.starting < size
      if starts { shared.starting += 1 }
      pthread_cond_broadcast(changed)
      return (.accepted(id), starts)
    }
    if startsThread { startThread() }
    return submission
  }

  /// Takes a job back.
  ///
  /// - Returns: false where it runs already, or ran.
  func withdraw(_ id: UInt64) -> Bool { locked { $0.jobs.remove(id) } }

  /// How many wait.
  var waitingCount: Int { locked { $0.jobs.count } }

  func suspend() { locked { $0.isSuspended = true } }

  func resume() {
    locked { shared in
      shared.isSuspended = false
      pthread_cond_broadcast(changed)
    }
  }

  /// Takes no more jobs and waits until those taken are done; from one of its own threads it does not wait.
  func close() {
    locked { shared in
      shared.isClosed = true
      shared.isSuspended = false
      pthread_cond_broadcast(changed)
    }
    let own = pthread_self()
    waiting { shared in
      shared.threads.contains { pthread_equal($0, own) != 0 } || shared.threads.isEmpty && shared.starting == 0 ? () : nil
    }
  }

  // MARK: Threads

  private func startThread() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(ThreadBody { self.run() })
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, context.toOpaque())
    if status != 0 {
      // No thread to be had: the jobs run here, one after the other.
      context.release()
      run(untilEmpty: true)
    }
  }

  private func run(untilEmpty: Bool = false) {
    let own = pthread_self()
    locked { shared in
      shared.starting -= 1
      shared.threads.append(own)
    }
    let state = makeState()
    while let job = next(untilEmpty: untilEmpty) { job(state) }
    locked { shared in
      if let index = shared.threads.firstIndex(where: { pthread_equal($0, own) != 0 }) { shared.threads.remove(at: index) }
      pthread_cond_broadcast(changed)
    }
  }

  private enum Next {
    case job(Job)
    case end
  }

  private func next(untilEmpty: Bool) -> Job? {
    locked { $0.idle += 1 }
    let next = waiting { shared in
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

/// A closure to hand to a C thread.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
