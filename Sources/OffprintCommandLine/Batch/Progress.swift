import ArgumentParser
import Glibc
import Offprint
import Synchronization

/// The progress of a run.
final class Progress: Sendable {
  enum Style: String, ExpressibleByArgument, CaseIterable, Sendable { case auto, line, json, none }

  private struct State: Sendable {
    var tally: Tally
    var shown: ContinuousClock.Instant?
    /// How many jobs were done at some times in the last seconds.
    var samples: [(time: ContinuousClock.Instant, done: Int)] = []
  }

  /// The resolved style if `auto`.
  let style: Style
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  /// Whether a summary is printed at the end also if no progress was shown.
  private let summarizes: Bool
  private let isDryRun: Bool

  init(_ style: Style, total: Int, summarizes: Bool, isDryRun: Bool = false) {
    self.summarizes = summarizes && style != .none
    self.isDryRun = isDryRun
    self.style = style != .auto ? style : StatusLine.isPossible ? .line : .none
    var tally = Tally()
    tally.total = total
    state = Mutex(State(tally: tally))
  }

  var tally: Tally { state.withLock { $0.tally } }
  var seconds: Double { (ContinuousClock.now - start).seconds }

  /// Updates the counts. Redraws are rate-limited.
  func count(_ change: (inout Tally) -> Void) {
    let text = state.withLock { state -> String? in
      change(&state.tally)
      guard style == .line || style == .json else { return nil }
      let now = ContinuousClock.now
      let pause: Duration = style == .line ? .milliseconds(80) : .seconds(1)
      if let shown = state.shown, now - shown < pause { return nil }
      state.shown = now
      Self.note(now, &state)
      return style == .line ? line(state) : event("progress", state)
    }
    guard let text else { return }
    if style == .line { StatusLine.show(text) } else { Output.error(text) }
  }

  /// Changes something that is only reported at the end.
  func note<Result: Sendable>(_ change: (inout Tally) -> Result) -> Result { state.withLock { change(&$0.tally) } }

  /// Ends the status line, and prints a summary.
  func finish() {
    if style == .line { StatusLine.show(nil) }
    let (tally, last) = state.withLock { ($0.tally, style == .json ? event("summary", $0) : "") }
    if style == .json { return Output.error(last) }
    guard style == .line || summarizes || tally.isInterrupted else { return }
    Output.error(isDryRun ? tally.preview : tally.summary(seconds: seconds))
  }

  /// Keeps samples of the last ten seconds, because the current rate can differ from the initial one.
  private static func note(_ now: ContinuousClock.Instant, _ state: inout State) {
    if let last = state.samples.last, now - last.time < .milliseconds(500) { return }
    state.samples.append((now, state.tally.done))
    if state.samples.count > 21 { state.samples.removeFirst() }
  }

  private func rate(_ state: State) -> Double? {
    let first = state.samples.first ?? (start, 0)
    let seconds = (ContinuousClock.now - first.time).seconds
    let (since, from) = seconds > 0.2 ? (seconds, first.done) : (self.seconds, 0)
    return since > 0.05 && state.tally.done > from ? Double(state.tally.done - from) / since : nil
  }

  private func line(_ state: State) -> String {
    let tally = state.tally
    let percent = tally.total > 0 ? 100 * tally.done / tally.total : 100
    var parts = ["\(tally.done)/\(tally.total) \(percent)%"]
    let rate = rate(state)
    if let rate { parts.append("\(rate.rounded(places: rate < 10 ? 1 : 0))/s") }
    parts += [tally.cached.counted("hit"), "\(tally.failed) failed"]
    if tally.degraded > 0 { parts.append("\(tally.degraded) degraded") }
    if let rate { parts.append("\(Self.time(Double(max(0, tally.total - tally.done)) / rate)) left") }
    // A line that wraps cannot be cleared.
    return String(parts.joined(separator: " · ").prefix(max(10, StatusLine.width - 1)))
  }

  private static func time(_ seconds: Double) -> String {
    let all = Int(min(seconds.rounded(.up), 359_999))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return all < 3600 ? "\(all / 60):\(two(all % 60))" : "\(all / 3600):\(two(all / 60 % 60)):\(two(all % 60))"
  }

  private func event(_ name: String, _ state: State) -> String {
    let rate = rate(state)
    let left = rate.map { (Double(max(0, state.tally.total - state.tally.done)) / $0).rounded(places: 1) } ?? "null"
    return "{\"event\":\"\(name)\",\"done\":\(state.tally.done),\"rate\":\(rate?.rounded(places: 1) ?? "null"),\"secondsLeft\":\(left),"
      + state.tally.json(seconds: seconds).dropFirst()
  }
}
