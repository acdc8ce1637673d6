/// A circuit breaker. After a failure, the operation is blocked for a pause, which doubles with each further failure; then it is tried
/// once.
struct Breaker {
  private var failures = 0
  private var refusals = 0
  /// This many refusals in a row without a success count as a failure: a wrong password is refused for every object, while a single object
  /// can be refused for reasons of its own.
  private static let maximumRefusals = 8
  private var until: ContinuousClock.Instant?
  let first: Duration
  let longest: Duration

  init(first: Duration, longest: Duration = .seconds(30)) {
    self.first = first
    self.longest = longest
  }

  var isOpen: Bool { until != nil }

  /// Whether the operation may be tried now. After a pause, it is allowed once until that attempt has ended.
  mutating func allows(_ now: ContinuousClock.Instant) -> Bool {
    guard let until else { return true }
    guard now >= until else { return false }
    self.until = now.advanced(by: pause)
    return true
  }

  mutating func succeed() { (failures, refusals, until) = (0, 0, nil) }

  /// - Parameter isRefusal: Whether the store was reached but refused the request.
  mutating func fail(_ now: ContinuousClock.Instant, isRefusal: Bool) {
    if isRefusal, until == nil, refusals < Self.maximumRefusals - 1 { return refusals += 1 }
    failures += 1
    until = now.advanced(by: pause)
  }

  /// How long the operation is blocked.
  var pause: Duration { min(longest, first * (1 << min(max(failures - 1, 0), 10))) }
}
