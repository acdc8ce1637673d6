import Synchronization

/// How often requests are tried again: where most of them fail, trying each again helps nobody.
final class RetryBudget: Sendable {
  /// Of one request, besides the first.
  static let mostTries = 2
  private static let capacity = 10.0
  private let left = Mutex(capacity)

  /// Whether one more may be tried.
  func take() -> Bool {
    left.withLock { left in
      guard left >= 1 else { return false }
      left -= 1
      return true
    }
  }

  /// A request that went well brings a fifth of a try back.
  func give() { left.withLock { $0 = min($0 + 0.2, Self.capacity) } }

  private static let longestPause = 5000

  /// Milliseconds before the next try: what `Retry-After` says within bounds, or longer each time.
  static func pause(_ tries: Int, _ answer: HTTPConnections.Answer) -> Int {
    let fields = HTTPFields(head: answer.head)
    if let said = fields.first("retry-after").flatMap({ Int($0) }), said >= 0 { return min(said, longestPause / 1000) * 1000 }
    return tries <= 1 ? 100 : 400
  }
}
