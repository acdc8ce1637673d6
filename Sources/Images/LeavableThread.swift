import CoreTypes
import Glibc
import Synchronization

/// Work of a library that cannot be interrupted, on a thread of its own: what takes too long is left to end by itself, its result unused.
final class LeavableThread: @unchecked Sendable {
  /// Threads that were left and still run.
  private static let left = Atomic<Int>(0)
  private static let mostLeft = 8
  private static let stackBytes = 16 << 20

  private let body: () -> Void
  private let isDone: UnsafeMutablePointer<sem_t>
  private let wasLeft = Atomic<Bool>(false)

  private init(_ body: @escaping () -> Void) {
    self.body = body
    isDone = .allocate(capacity: 1)
    sem_init(isDone, 0, 0)
  }

  deinit {
    sem_destroy(isDone)
    isDone.deallocate()
  }

  /// Runs `body`, which shares nothing with others but what it keeps alive.
  ///
  /// - Returns: whether it ended in time; nil, and nothing was done, where too many others that were left still run.
  static func run(for duration: Duration, _ body: @escaping () -> Void) -> Bool? {
    guard left.load(ordering: .relaxed) < mostLeft else { return nil }
    let thread = LeavableThread(body)
    guard thread.start() else { return nil }
    guard !thread.wait(duration) else { return true }
    // It may have ended just now: then nobody is left to count it out.
    left.add(1, ordering: .relaxed)
    if thread.wasLeft.exchange(true, ordering: .acquiringAndReleasing) { left.subtract(1, ordering: .relaxed) }
    return false
  }

  private func start() -> Bool {
    var id = pthread_t(), attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    let retained = Unmanaged.passRetained(self)
    let status = pthread_create(
      &id, &attributes,
      { argument in
        if let argument { Unmanaged<LeavableThread>.fromOpaque(argument).takeRetainedValue().work() }
        return nil
      }, retained.toOpaque())
    if status != 0 { retained.release() }
    return status == 0
  }

  private func work() {
    body()
    if wasLeft.exchange(true, ordering: .acquiringAndReleasing) { Self.left.subtract(1, ordering: .relaxed) }
    sem_post(isDone)
  }

  /// False when the time is up.
  private func wait(_ duration: Duration) -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let wait = max(.zero, duration).components
    let nanoseconds = time.tv_nsec + Int(wait.attoseconds / 1_000_000_000)
    time.tv_sec += Int(wait.seconds) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    while sem_timedwait(isDone, &time) != 0 { if errno != EINTR { return false } }
    return true
  }
}

/// What a thread that may be left answers: read only when it has ended in time.
final class LeftResult<Value>: @unchecked Sendable {
  var value: Value?
}
