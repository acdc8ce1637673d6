import Synchronization

/// Limits retries over all requests: if most requests fail, retrying each of them only adds load.
final class RetryBudget: Sendable {
  /// The maximum number of retries of one request.
  static let maximumAttempts = 2
  private static let capacity = 10.0
  private let left = Mutex(capacity)

  /// Takes one retry from the budget, if there is any.
  func take() -> Bool {
    left.withLock { left in
      guard left >= 1 else { return false }
      left -= 1
      return true
    }
  }

  /// A successful request returns a fifth of a retry to the budget.
  func give() { left.withLock { $0 = min($0 + 0.2, Self.capacity) } }

  private static let longestPause = 5000

  /// Milliseconds before the next attempt: `Retry-After` up to a limit, otherwise increasing with each attempt.
  static func pause(_ tries: Int, _ answer: HTTPConnections.Answer) -> Int {
    let fields = HTTPFields(head: answer.head)
    if let said = fields.first("retry-after").flatMap({ Int($0) }), said >= 0 { return min(said, longestPause / 1000) * 1000 }
    return tries <= 1 ? 100 : 400
  }
}
