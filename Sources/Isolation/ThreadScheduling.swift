internal import COffprintIsolation
internal import Glibc

/// Scheduling priorities of a service's threads, for when there are more runnable threads than processors. Has no effect if the system does
/// not support it.
package enum ThreadScheduling {
  /// Raises the priority of the calling thread, so that it is scheduled as soon as it wakes. For threads that do little work at a time while
  /// clients wait for it.
  package static func raisePriority() { _ = cisolation_run_promptly() }

  /// Lowers the priority of the calling thread, and of threads it starts.
  ///
  /// - Parameter isBatch: Whether to use the batch scheduling policy, for work that is not latency-sensitive.
  package static func lowerPriority(niceness: Int, isBatch: Bool) {
    cisolation_lower_priority(0, Int32(clamping: min(max(0, niceness), 19)), isBatch ? 1 : 0)
  }
}

/// Lowers the priority of threads in Swift's pool. The pool sets the niceness when it starts a thread, so each thread lowers it when it
/// first runs.
package enum PoolThreads {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : pthread_key_t.max
  }()

  package static func lowerPriority(niceness: Int) {
    guard key != .max, pthread_getspecific(key) == nil else { return }
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    ThreadScheduling.lowerPriority(niceness: niceness, isBatch: false)
  }
}
