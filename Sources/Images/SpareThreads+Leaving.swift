import OffprintCoreTypes
import Synchronization

// Work of a library that cannot be interrupted, on a thread of its own: what takes too long is left to end by itself, its result unused.
extension SpareThreads {
  private static let mostLeft = 8
  private static let stackBytes = 16 << 20

  /// What the thread and who waits for it know of each other.
  private final class Work: Sendable {
    let isDone = Gate()
    let wasLeft = Atomic<Bool>(false)
  }

  /// Runs `body`, which shares nothing with others but what it keeps alive.
  ///
  /// - Returns: whether it ended in time; nil, and nothing was done, where too many others that were left still run.
  func run(for duration: Duration, _ body: @escaping @Sendable () -> Void) -> Bool? {
    guard left.load(ordering: .relaxed) < Self.mostLeft else { return nil }
    let work = Work()
    let thread = SystemThread.start(stackBytes: Self.stackBytes, isDetached: true) {
      body()
      if work.wasLeft.exchange(true, ordering: .acquiringAndReleasing) { self.left.subtract(1, ordering: .relaxed) }
      work.isDone.open()
    }
    guard thread != nil else { return nil }
    guard !work.isDone.wait(milliseconds: duration.wholeMilliseconds) else { return true }
    // It may have ended just now: then nobody is left to count it out.
    left.add(1, ordering: .relaxed)
    if work.wasLeft.exchange(true, ordering: .acquiringAndReleasing) { left.subtract(1, ordering: .relaxed) }
    return false
  }
}

/// What a thread that may be left answers: read only when it has ended in time.
final class LeftResult<Value>: @unchecked Sendable {
  var value: Value?
}
