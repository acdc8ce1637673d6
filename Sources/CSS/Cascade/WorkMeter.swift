import OffprintCoreTypes

/// Counts the steps of work that a page can make long, and asks the deadline every few thousand of them. Used by one thread.
///
/// What counts steps deep inside a question answers anything once the time has passed; whoever asked calls `check` and drops the answer.
final class WorkMeter {
  private struct State {
    var stepsLeft: Int
    var hasPassed = false
  }
  /// Some ten microseconds of matching.
  private static let interval = 2048

  private let deadline: Deadline
  // Memory of its own: what is written at each step pays for no checks of exclusive access.
  private let state: UnsafeMutablePointer<State>

  init(deadline: Deadline) {
    self.deadline = deadline
    state = .allocate(capacity: 1)
    state.initialize(to: State(stepsLeft: Self.interval))
  }

  deinit { state.deallocate() }

  /// - Returns: whether there is time left.
  @discardableResult @inline(__always) func spend(_ steps: Int = 1) -> Bool {
    state.pointee.stepsLeft &-= steps
    if state.pointee.stepsLeft < 0 { ask() }
    return !state.pointee.hasPassed
  }

  /// Whether the deadline had passed when it was asked last.
  @inline(__always) var hasPassed: Bool { state.pointee.hasPassed }

  @inline(never) private func ask() {
    state.pointee.stepsLeft = Self.interval
    if !state.pointee.hasPassed { state.pointee.hasPassed = deadline.hasPassed }
  }

  /// - Throws: `DeadlineExceeded` once the moment has passed, `RenderCancelled` where nobody waits any more.
  func check(_ steps: Int = 1) throws {
    guard !spend(steps) else { return }
    try deadline.check()
    throw DeadlineExceeded()
  }
}
