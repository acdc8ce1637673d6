internal import Synchronization

/// Thrown by `Deadline.check()` once the moment has passed.
public struct DeadlineExceeded: Error, Hashable, Sendable {
  public init() {}
}

/// Thrown by `Deadline.check()` where nobody waits for the result any more.
public struct RenderCancelled: Error, Hashable, Sendable {
  public init() {}
}

/// Says that nobody waits for a result any more: set once, by any thread.
public final class CancellationFlag: Sendable {
  private let flag = Atomic(false)
  public init() {}
  /// Whether nobody waits for the result any more.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
  public func cancel() { flag.store(true, ordering: .relaxed) }
}

/// The moment a render must be done by, and whether it is still wanted. Cheap to ask: loops ask every few hundred steps.
public struct Deadline: Sendable {
  private let end: ContinuousClock.Instant?
  private let cancellation: CancellationFlag?

  /// No deadline.
  public static var never: Deadline { Deadline(end: nil, cancellation: nil) }

  public init(after duration: Duration, cancellation: CancellationFlag? = nil) {
    self.init(end: ContinuousClock.now.advanced(by: duration), cancellation: cancellation)
  }

  private init(end: ContinuousClock.Instant?, cancellation: CancellationFlag?) {
    self.end = end
    self.cancellation = cancellation
  }

  /// Later by `duration`: time spent waiting for a turn is not the render's.
  public func extended(by duration: Duration) -> Deadline {
    Deadline(end: end?.advanced(by: duration), cancellation: cancellation)
  }

  /// This moment, or `duration` from now where that is earlier.
  public func orEarlier(after duration: Duration) -> Deadline {
    let other = ContinuousClock.now.advanced(by: duration)
    return Deadline(end: end.map { min($0, other) } ?? other, cancellation: cancellation)
  }

  /// Whether nobody waits for the result any more.
  public var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// Whether work for it should stop.
  public var hasPassed: Bool { isCancelled || end.map { ContinuousClock.now >= $0 } ?? false }

  /// What is left, zero when nothing is; nil without a deadline.
  public var remaining: Duration? { end.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  /// - Throws: `RenderCancelled` where the result is not wanted any more, `DeadlineExceeded` once the moment has passed.
  public func check() throws {
    if isCancelled { throw RenderCancelled() }
    if let end, ContinuousClock.now >= end { throw DeadlineExceeded() }
  }

  /// Called before what takes so long and cannot be stopped: what would be done too late is not begun.
  ///
  /// - Throws: like `check()`.
  public func check(leaving seconds: Double) throws {
    if isCancelled { throw RenderCancelled() }
    // A double of many seconds is no `Duration`.
    if let end, ContinuousClock.now.advanced(by: .seconds(min(max(seconds, 0), 1e6))) >= end { throw DeadlineExceeded() }
  }
}
