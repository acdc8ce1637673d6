import Synchronization

/// Cancels blocking renders. One instance can be used for many renders; renders started after `cancel` fail immediately.
public final class RenderCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var next = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }
  private let state = Mutex(State())

  public init() {}

  /// Whether `cancel` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Makes the renders fail with `cancelled`. Can be called from any thread, and repeatedly.
  public func cancel() {
    let pending = state.withLock { state in
      defer { state.actions = [:] }
      state.isCancelled = true
      return state.actions.sorted { $0.key < $1.key }.map(\.value)
    }
    for action in pending { action() }
  }

  /// Runs `action` on cancellation, or immediately if already canceled.
  ///
  /// - Returns: A number for `remove`.
  func onCancel(_ action: @escaping @Sendable () -> Void) -> Int {
    let (number, isCancelled) = state.withLock { state in
      state.next += 1
      if !state.isCancelled { state.actions[state.next] = action }
      return (state.next, state.isCancelled)
    }
    if isCancelled { action() }
    return number
  }

  func remove(_ number: Int) { state.withLock { _ = $0.actions.removeValue(forKey: number) } }
}
