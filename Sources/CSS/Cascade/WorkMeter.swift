import OffprintCoreTypes

/// Counts potentially long work and checks the deadline every few thousand steps. Used by a single thread.
///
/// Once the deadline has passed, nested computations return arbitrary results; the outermost caller calls `check` and discards them.
final class WorkMeter {
  private struct State {
    var stepsLeft: Int
    var hasPassed = false
  }
  /// Steps between checks: about 10 µs of selector matching.
  private static let interval = 2048

  private let deadline: Deadline
  // Separately allocated memory avoids exclusivity checks on every step.
  private let state: UnsafeMutablePointer<State>

  init(deadline: Deadline) {
    self.deadline = deadline
    state = .allocate(capacity: 1)
    state.initialize(to: State(stepsLeft: Self.interval))
  }

  deinit { state.deallocate() }

  /// - Returns: Whether time remains.
  @discardableResult @inline(__always) func spend(_ steps: Int = 1) -> Bool {
    state.pointee.stepsLeft &-= steps
    if state.pointee.stepsLeft < 0 { checkClock() }
    return !state.pointee.hasPassed
  }

  /// Whether the deadline had passed at the last check.
  @inline(__always) var hasPassed: Bool { state.pointee.hasPassed }

  @inline(never) private func checkClock() {
    state.pointee.stepsLeft = Self.interval
    if !state.pointee.hasPassed { state.pointee.hasPassed = deadline.hasPassed }
  }

  /// - Throws: `DeadlineExceeded` after the deadline, `RenderCancelled` if the render was cancelled.
  func check(_ steps: Int = 1) throws {
    guard !spend(steps) else { return }
    try deadline.check()
    throw DeadlineExceeded()
  }
}
