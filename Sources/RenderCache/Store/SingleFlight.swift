internal import OffprintCoreTypes

/// One production of a value that several threads wait for.
final class Flight: Sendable {
  /// The result of waiting.
  enum Landing {
    case made(CacheOutcome)
    case failed
    /// The deadline passed first.
    case late
  }

  private let landing = Monitor<Landing?>(nil)
  /// Cancellation does not wake waiting threads, so they poll for it.
  private static let pause = Duration.milliseconds(20)

  /// Waits until the value is made, but not past `deadline`.
  func wait(_ deadline: Deadline) -> Landing {
    while true {
      let pause = min(deadline.remaining ?? Self.pause, Self.pause)
      if let landing = landing.wait(milliseconds: pause.wholeMilliseconds + 1, { $0 }) { return landing }
      if deadline.hasPassed { return .late }
    }
  }

  func finish(_ outcome: CacheOutcome?) { landing.with { $0 = outcome.map { .made($0) } ?? .failed } }
}
