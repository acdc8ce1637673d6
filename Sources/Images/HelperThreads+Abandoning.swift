import OffprintCoreTypes
import Synchronization

// Runs uninterruptible work of a library on a dedicated thread: if it takes too long, the caller continues, and the thread finishes with
// its result unused.
extension HelperThreads {
  private static let maximumAbandoned = 8
  private static let stackBytes = 16 << 20

  /// The state shared by the thread and its caller.
  private final class Work: Sendable {
    let isDone = Gate()
    let isAbandoned = Atomic<Bool>(false)
  }

  /// Runs `body`, which must not share mutable state, and must retain everything it uses.
  ///
  /// - Returns: Whether it ended in time; nil if too many abandoned threads are still running, in which case nothing was done.
  func run(for duration: Duration, _ body: @escaping @Sendable () -> Void) -> Bool? {
    guard abandonedCount.load(ordering: .relaxed) < Self.maximumAbandoned else { return nil }
    let work = Work()
    let thread = SystemThread.start(stackBytes: Self.stackBytes, isDetached: true) {
      body()
      if work.isAbandoned.exchange(true, ordering: .acquiringAndReleasing) { self.abandonedCount.subtract(1, ordering: .relaxed) }
      work.isDone.open()
    }
    guard thread != nil else { return nil }
    guard !work.isDone.wait(milliseconds: duration.wholeMilliseconds) else { return true }
    // If the thread ended just now, it did not see that it was abandoned and did not decrement the count.
    abandonedCount.add(1, ordering: .relaxed)
    if work.isAbandoned.exchange(true, ordering: .acquiringAndReleasing) { abandonedCount.subtract(1, ordering: .relaxed) }
    return false
  }
}

/// The result of a thread that may be abandoned; read only if it has ended in time.
final class AbandonableResult<Value>: @unchecked Sendable {
  var value: Value?
}
