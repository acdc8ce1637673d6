internal import Glibc
import Synchronization

/// Threads that a renderer's workers may use in addition to their own: one for each idle processor, to encode parts of an image, and a few
/// for uninterruptible library calls.
package final class HelperThreads: Sendable {
  /// The number of online processors, at least one.
  private static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  private let busy = Atomic<Int>(0)
  /// The number of abandoned threads that are still running.
  let abandonedCount = Atomic<Int>(0)
  private let sharesProcessors: Bool

  /// - Parameter sharesProcessors: Whether other processes render as well, so that the number of idle processors is unknown and each thread
  ///   works alone.
  package init(sharesProcessors: Bool = false) { self.sharesProcessors = sharesProcessors }

  /// Called when a worker begins to render; it must call `leave` at the end.
  package func enter() { busy.add(1, ordering: .relaxed) }
  package func leave() { busy.subtract(1, ordering: .relaxed) }

  /// Reserves up to `maximum` idle processors. The caller must `release` them.
  func takeIdle(_ maximum: Int) -> Int {
    guard !sharesProcessors else { return 0 }
    var current = busy.load(ordering: .relaxed)
    while true {
      let taken = min(maximum, Self.processors - current)
      guard taken > 0 else { return 0 }
      let (isDone, now) = busy.weakCompareExchange(expected: current, desired: current + taken, ordering: .relaxed)
      if isDone { return taken }
      current = now
    }
  }

  func release(_ taken: Int) { busy.subtract(taken, ordering: .relaxed) }
}
