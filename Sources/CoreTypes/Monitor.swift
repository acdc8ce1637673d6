internal import Glibc

/// A value protected by a lock, with a condition variable to wait for changes. Waiting uses the monotonic clock, so setting the system
/// clock does not affect it.
package final class Monitor<State>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private let state: UnsafeMutablePointer<State>

  package init(_ value: State) {
    lock = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    state = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
    state.initialize(to: value)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    state.deinitialize(count: 1)
    state.deallocate()
    changed.deallocate()
    lock.deallocate()
  }

  /// Changes the value and wakes all waiting threads.
  package func with<R>(_ body: (inout State) -> R) -> R {
    quietly { state in
      defer { pthread_cond_broadcast(changed) }
      return body(&state)
    }
  }

  /// Reads the value, or makes a change that no thread waits for: wakes no thread.
  package func quietly<R>(_ body: (inout State) -> R) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&state.pointee)
  }

  /// Waits until `body` returns a value. It is called again after each change; its own changes wake no thread.
  ///
  /// - Parameter milliseconds: The time after which nil is returned; nil waits without a limit.
  @discardableResult
  package func wait<R>(milliseconds: Int? = nil, _ body: (inout State) -> R?) -> R? {
    var end = timespec()
    if let milliseconds {
      clock_gettime(CLOCK_MONOTONIC, &end)
      let nanoseconds = end.tv_nsec + max(0, milliseconds) % 1000 * 1_000_000
      end.tv_sec += max(0, milliseconds) / 1000 + nanoseconds / 1_000_000_000
      end.tv_nsec = nanoseconds % 1_000_000_000
    }
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let answer = body(&state.pointee) { return answer }
      let status = milliseconds == nil ? pthread_cond_wait(changed, lock) : pthread_cond_timedwait(changed, lock, &end)
      if status != 0 { return body(&state.pointee) }
    }
  }
}

/// A latch: opens once and stays open.
package final class Gate: Sendable {
  private let isOpen = Monitor(false)

  package init() {}
  package func open() { isOpen.with { $0 = true } }
  package func wait() { isOpen.wait { $0 ? true : nil } }
  /// - Returns: Whether it opened in time.
  package func wait(milliseconds: Int) -> Bool { isOpen.wait(milliseconds: milliseconds) { $0 ? true : nil } ?? false }
}
