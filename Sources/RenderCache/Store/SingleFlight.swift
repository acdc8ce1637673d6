internal import CoreTypes
internal import Glibc

/// One production of a value that several threads wait for.
final class Flight: @unchecked Sendable {
  // Condition variables must not move: both live on the heap for as long as the flight.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isDone = false
  private var outcome: CacheOutcome?

  /// What waiting came to.
  enum Landing {
    case made(CacheOutcome)
    case failed
    /// The deadline passed before.
    case late
  }

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Waits until the value is made, and no longer than `deadline`.
  func wait(_ deadline: Deadline) -> Landing {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isDone {
      if deadline.hasPassed { return .late }
      // Nobody wakes this thread when the request is cancelled: look now and then.
      var end = Self.moment(after: min(deadline.remaining ?? Self.pause, Self.pause))
      pthread_cond_timedwait(condition, mutex, &end)
    }
    return outcome.map { .made($0) } ?? .failed
  }

  private static let pause = Duration.milliseconds(20)

  private static func moment(after duration: Duration) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let milliseconds = duration.milliseconds + 1
    let nanoseconds = Int(time.tv_nsec) + Int(milliseconds % 1000) * 1_000_000
    time.tv_sec += Int(milliseconds / 1000) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }

  func finish(_ outcome: CacheOutcome?) {
    pthread_mutex_lock(mutex)
    self.outcome = outcome
    isDone = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
