import CoreTypes
import Glibc
import Synchronization

/// Threads that render. Each owns its state (Pango, FreeType, caches), made by `makeState` on the thread itself; jobs never run on
/// Swift's cooperative pool.
final class WorkerPool<State>: @unchecked Sendable {
  typealias Job = @Sendable (State) -> Void

  private struct Queue {
    var jobs: [Job] = []
    var head = 0
    var isSuspended = false
    var isClosed = false
    var threads = 0
    var idle = 0
  }

  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let queue: UnsafeMutablePointer<Queue>
  private let size: Int
  private let makeState: @Sendable () -> State
  /// Deep pages recurse deeply; reserved address space costs nothing until used.
  private static var stackBytes: Int { 512 << 20 }

  init(size: Int, makeState: @escaping @Sendable () -> State) {
    self.size = max(1, size)
    self.makeState = makeState
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    queue = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
    queue.initialize(to: Queue())
  }

  /// `body` never waits: while it holds the queue exclusively, the compiler may keep what it read of it.
  private func locked<R>(_ body: (inout Queue) -> R) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&queue.pointee)
  }

  /// `body`'s answer, asked anew after each change until there is one; between the questions the queue is others'.
  private func waiting<R>(_ body: (inout Queue) -> R?) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&queue.pointee) { return answer }
      pthread_cond_wait(changed, lock)
    }
  }

  /// - Returns: false after `close()`: the job will not run.
  func submit(_ job: @escaping Job) -> Bool {
    let (accepted, startsThread) = locked { queue in
      guard !queue.isClosed else { return (false, false) }
      queue.jobs.append(job)
      let starts = queue.jobs.count - queue.head > queue.idle && queue.threads < size
      if starts { queue.threads += 1 }
      pthread_cond_broadcast(changed)
      return (true, starts)
    }
    if startsThread { startThread() }
    return accepted
  }

  func suspend() { locked { $0.isSuspended = true } }

  func resume() {
    locked { queue in
      queue.isSuspended = false
      pthread_cond_broadcast(changed)
    }
  }

  /// Takes no more jobs and waits until those taken are done.
  func close() {
    locked { queue in
      queue.isClosed = true
      queue.isSuspended = false
      pthread_cond_broadcast(changed)
    }
    waiting { $0.threads == 0 ? () : nil }
  }

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
    let state = makeState()
    while let job = next(untilEmpty: untilEmpty) { job(state) }
    locked { queue in
      queue.threads -= 1
      pthread_cond_broadcast(changed)
    }
  }

  private enum Next {
    case job(Job)
    case end
  }

  private func next(untilEmpty: Bool) -> Job? {
    locked { $0.idle += 1 }
    let next = waiting { queue in
      let next = Self.take(from: &queue, untilEmpty: untilEmpty)
      if next != nil { queue.idle -= 1 }
      return next
    }
    guard case .job(let job) = next else { return nil }
    return job
  }

  /// nil: nothing to do yet.
  private static func take(from queue: inout Queue, untilEmpty: Bool) -> Next? {
    if queue.head == queue.jobs.count { return queue.isClosed || untilEmpty ? .end : nil }
    guard !queue.isSuspended else { return nil }
    let job = queue.jobs[queue.head]
    queue.head += 1
    if queue.head > 64 && queue.head * 2 > queue.jobs.count {
      queue.jobs.removeFirst(queue.head)
      queue.head = 0
    }
    return .job(job)
  }

  deinit {
    // Threads hold the pool until they end, so that none uses it any more.
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    queue.deinitialize(count: 1)
    queue.deallocate()
    changed.deallocate()
    lock.deallocate()
  }
}

/// A closure to hand to a C thread.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
