import Glibc
import Synchronization

/// How far a batch is: drawn on a terminal only.
final class Progress: Sendable {
  private struct State {
    var done = 0
    var shown: ContinuousClock.Instant?
  }

  private let total: Int
  private let isShown: Bool
  private let state = Mutex(State())

  init(total: Int) {
    self.total = total
    isShown = total > 1 && isatty(STDERR_FILENO) == 1
  }

  /// A million steps draw no more often than an eye sees.
  func step() {
    guard isShown else { return }
    state.withLock { state in
      state.done += 1
      let now = ContinuousClock.now
      if let shown = state.shown, now - shown < .milliseconds(50), state.done < total { return }
      state.shown = now
      let filled = min(30, 30 * state.done / max(1, total))
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
      _ = Descriptor.write(Array("\r\(bar) \(state.done)/\(total)".utf8), to: STDERR_FILENO)
    }
  }

  func finish() { if isShown { Output.error("") } }
}
