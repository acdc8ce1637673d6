internal import Glibc

/// A value that threads change under a lock and wait for; a clock that is set neither shortens nor lengthens the waiting.
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

  /// Changes the value; whoever waits looks again.
  package func with<R>(_ body: (inout State) -> R) -> R {
    quietly { state in
      defer { pthread_cond_broadcast(changed) }
      return body(&state)
    }
  }

  /// Looks at the value, or changes what nobody waits for: wakes nobody.
  package func quietly<R>(_ body: (inout State) -> R) -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&state.pointee)
  }

  /// `body`'s answer, asked anew after each change until there is one. What `body` itself changes wakes nobody.
  ///
  /// - Parameter milliseconds: nil is returned after that time; nil: never.
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

/// Opens once.
package final class Gate: Sendable {
  private let isOpen = Monitor(false)

  package init() {}
  package func open() { isOpen.with { $0 = true } }
  package func wait() { isOpen.wait { $0 ? true : nil } }
  /// - Returns: whether it opened in time.
  package func wait(milliseconds: Int) -> Bool { isOpen.wait(milliseconds: milliseconds) { $0 ? true : nil } ?? false }
}
