/// Whether something that failed may be tried: after a failure not before a pause, which doubles with each further one, and then once.
struct Breaker {
  private var failures = 0
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

  mutating func succeed() { (failures, until) = (0, nil) }

  mutating func fail(_ now: ContinuousClock.Instant) {
    failures += 1
    until = now.advanced(by: pause)
  }

  /// How long it is not tried.
  var pause: Duration { min(longest, first * (1 << min(max(failures - 1, 0), 10))) }
}
