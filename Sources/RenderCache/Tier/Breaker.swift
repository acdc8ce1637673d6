/// Whether something that failed may be tried: after a failure not before a pause, which doubles with each further one, and then once.
struct Breaker {
  private var failures = 0
  private var refusals = 0
  /// So many refusals in a row, without a success, are taken for a failure: a wrong password is refused for every object, while one object may
  /// be refused for its own sake.
  private static let mostRefusals = 8
  private var until: ContinuousClock.Instant?
  let first: Duration
  let longest: Duration

  init(first: Duration, longest: Duration = .seconds(30)) {
    self.first = first
    self.longest = longest
  }

  var isOpen: Bool { until != nil }

  /// Whether it may be tried now; then nobody else may until that ended.
  mutating func allows(_ now: ContinuousClock.Instant) -> Bool {
    guard let until else { return true }
    guard now >= until else { return false }
    self.until = now.advanced(by: pause)
    return true
  }

  mutating func succeed() { (failures, refusals, until) = (0, 0, nil) }

  /// - Parameter isRefusal: it was reached, and refused what it was asked.
  mutating func fail(_ now: ContinuousClock.Instant, isRefusal: Bool) {
    if isRefusal, until == nil, refusals < Self.mostRefusals - 1 { return refusals += 1 }
    failures += 1
    until = now.advanced(by: pause)
  }

  /// How long it is not tried.
  var pause: Duration { min(longest, first * (1 << min(max(failures - 1, 0), 10))) }
}
