internal import Glibc
import Synchronization

/// The processors that this process's drawing leaves idle, so that work on one picture may use them.
package enum Processors {
  /// Those that are switched on, at least one.
  package static let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  private static let busy = Atomic<Int>(0)
  private static let areShared = Atomic<Bool>(false)

  /// Other processes draw beside this one: nobody here knows what is idle, and each thread does its own work.
  package static func shareWithOthers() { areShared.store(true, ordering: .relaxed) }

  /// A thread begins to draw; it says `leave` at its end.
  package static func enter() { busy.add(1, ordering: .relaxed) }
  package static func leave() { busy.subtract(1, ordering: .relaxed) }

  /// Takes up to `most` idle ones; whoever takes some gives them back.
  package static func takeIdle(_ most: Int) -> Int {
    guard !areShared.load(ordering: .relaxed) else { return 0 }
    var known = busy.load(ordering: .relaxed)
    while true {
      let taken = min(most, count - known)
      guard taken > 0 else { return 0 }
      let (isDone, now) = busy.weakCompareExchange(expected: known, desired: known + taken, ordering: .relaxed)
      if isDone { return taken }
      known = now
    }
  }

  package static func giveBack(_ taken: Int) { busy.subtract(taken, ordering: .relaxed) }
}
