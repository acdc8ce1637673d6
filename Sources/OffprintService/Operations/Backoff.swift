/// The time before another attempt.
enum Backoff {
  private static let first = 1.0
  private static let longest = 300.0

  /// Exponential backoff with jitter, and at least `Retry-After` within limits.
  ///
  /// - Parameters:
  ///   - tries: The number of attempts so far.
  ///   - retryAfter: The seconds in `Retry-After`.
  static func seconds(_ tries: Int, _ retryAfter: Int?) -> Double {
    let backoff = min(longest, first * Double(1 << min(max(0, tries - 1), 16))) * Double.random(in: 0.5...1)
    return max(backoff, min(Double(retryAfter ?? 0), longest))
  }
}
