internal import CoreTypes
internal import Glibc

/// One production of a value that several threads wait for.
final class Flight: @unchecked Sendable {
  // Condition variables must not move: both live on the heap for as long as the flight.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isDone = false
  private var outcome: CacheOutcome?

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Waits until the value is made; nil when making it failed.
  /// - Throws: what `deadline` throws.
  func wait(_ deadline: Deadline) throws -> CacheOutcome? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isDone {
      try deadline.check()
      var next = timespec()
      clock_gettime(CLOCK_REALTIME, &next)
      next.tv_nsec += 10_000_000
      if next.tv_nsec >= 1_000_000_000 {
        next.tv_nsec -= 1_000_000_000
        next.tv_sec += 1
      }
      pthread_cond_timedwait(condition, mutex, &next)
    }
    return outcome
  }

  func finish(_ outcome: CacheOutcome?) {
    pthread_mutex_lock(mutex)
    self.outcome = outcome
    isDone = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
