internal import COffprintIsolation
internal import Glibc

/// Which threads of a service go first where there are fewer processors than threads that have something to do. Where the system knows nothing
/// of that, nothing changes.
package enum ThreadTurns {
  /// The thread that calls this has little to do at a time and is waited for: it runs as soon as it wakes.
  package static func beFirst() { _ = cisolation_run_promptly() }

  /// The thread that calls this lets others go first. Threads that it starts do so as well.
  ///
  /// - Parameter isBatch: nobody waits for it by the millisecond.
  package static func stepBack(niceness: Int, isBatch: Bool) {
    cisolation_step_back(0, Int32(clamping: min(max(0, niceness), 19)), isBatch ? 1 : 0)
  }
}

/// Threads of Swift's pool that have stepped back: the pool sets their niceness when it starts them, so they do it when they first work.
package enum PoolThreads {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : pthread_key_t.max
  }()

  package static func stepBack(niceness: Int) {
    guard key != .max, pthread_getspecific(key) == nil else { return }
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    ThreadTurns.stepBack(niceness: niceness, isBatch: false)
  }
}
