internal import Glibc
import Synchronization

/// The threads that a renderer's workers may use beside their own: one for each processor that they leave idle, to code parts of an image, and
/// few for what a library does not let interrupt.
package final class SpareThreads: Sendable {
  /// Those that are switched on, at least one.
  private static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  private let busy = Atomic<Int>(0)
  /// Threads that were left and still run.
  let left = Atomic<Int>(0)
  private let sharesProcessors: Bool

  /// - Parameter sharesProcessors: other processes render beside this one: nobody here knows what is idle, and each thread does its own work.
  package init(sharesProcessors: Bool = false) { self.sharesProcessors = sharesProcessors }

  /// A worker begins to render; it calls `leave` at the end.
  package func enter() { busy.add(1, ordering: .relaxed) }
  package func leave() { busy.subtract(1, ordering: .relaxed) }

  /// Reserves up to `most` idle processors. The caller must release them.
  func takeIdle(_ most: Int) -> Int {
    guard !sharesProcessors else { return 0 }
    var known = busy.load(ordering: .relaxed)
    while true {
      let taken = min(most, Self.processors - known)
      guard taken > 0 else { return 0 }
      let (isDone, now) = busy.weakCompareExchange(expected: known, desired: known + taken, ordering: .relaxed)
      if isDone { return taken }
      known = now
    }
  }

  func giveBack(_ taken: Int) { busy.subtract(taken, ordering: .relaxed) }
}
