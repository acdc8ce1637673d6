internal import Synchronization

/// Thrown by `Deadline.check()` after the deadline has passed.
public struct DeadlineExceeded: Error, Hashable, Sendable {
  public init() {}
}

/// Thrown by `Deadline.check()` after the render was canceled.
public struct RenderCancelled: Error, Hashable, Sendable {
  public init() {}
}

/// Signals cancellation. It can be set by any thread and is never reset.
public final class CancellationFlag: Sendable {
  private let flag = Atomic(false)
  public init() {}
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }
  public func cancel() { flag.store(true, ordering: .relaxed) }
}

/// The time by which a render must finish, with an optional cancellation flag. Checking is cheap; loops check every few hundred steps.
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

  /// A deadline later by `duration`. Used when a render waits for a worker, since that time does not count.
  public func extended(by duration: Duration) -> Deadline {
    Deadline(end: end?.advanced(by: duration), cancellation: cancellation)
  }

  /// The earlier of this deadline and `duration` from now.
  public func orEarlier(after duration: Duration) -> Deadline {
    let other = ContinuousClock.now.advanced(by: duration)
    return Deadline(end: end.map { min($0, other) } ?? other, cancellation: cancellation)
  }

  public var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// Whether work should stop: canceled or past the deadline.
  public var hasPassed: Bool { isCancelled || end.map { ContinuousClock.now >= $0 } ?? false }

  /// The remaining time, at least zero; nil without a deadline.
  public var remaining: Duration? { end.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  /// - Throws: `RenderCancelled` after cancellation, `DeadlineExceeded` after the deadline.
  public func check() throws {
    if isCancelled { throw RenderCancelled() }
    if let end, ContinuousClock.now >= end { throw DeadlineExceeded() }
  }

  /// Called before an uninterruptible step that takes about `seconds`, so that it is not started if it would end too late.
  ///
  /// - Throws: See `check()`.
  public func check(leaving seconds: Double) throws {
    if isCancelled { throw RenderCancelled() }
    // Clamped because a `Double` can exceed the range of `Duration`.
    if let end, ContinuousClock.now.advanced(by: .seconds(min(max(seconds, 0), 1e6))) >= end { throw DeadlineExceeded() }
  }
}
