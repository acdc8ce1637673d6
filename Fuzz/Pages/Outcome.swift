/// The result of rendering a page.
enum Outcome: Equatable {
  /// Rendered, or failed with an error code.
  case answered(String, milliseconds: Int, peakKiB: Int)
  /// The process was terminated by a signal.
  case crashed(signal: Int32, at: String)
  /// More than half a second after the deadline.
  case late(milliseconds: Int, at: String)
  case memory(kiB: Int)
  /// Two renders have different bytes.
  case differs

  var isFailure: Bool { if case .answered = self { false } else { true } }

  /// Identifies failures with the same cause: only the first of each kind is minimized.
  var kind: String {
    switch self {
    case .answered: "answered"
    case .crashed(let signal, let place): "signal \(signal) \(place)"
    case .late(_, let place): "late \(place)"
    case .memory: "memory"
    case .differs: "differs"
    }
  }

  /// Whether a smaller page fails in the same way. The stack of a late page is ignored, because it depends on when the page was interrupted.
  func isSame(as other: Outcome) -> Bool {
    switch (self, other) {
    case (.late, .late), (.memory, .memory), (.differs, .differs): true
    case (.crashed(let signal, let place), .crashed(let otherSignal, let otherPlace)): signal == otherSignal && place == otherPlace
    default: false
    }
  }

  var text: String {
    switch self {
    case .answered(let code, let milliseconds, let peak): "\(code) in \(milliseconds) ms, \(peak >> 10) MiB"
    case .crashed(let signal, let place): "signal \(signal) at \(place)"
    case .late(let milliseconds, let place): "late: \(milliseconds) ms, at \(place)"
    case .memory(let kiB): "\(kiB >> 10) MiB"
    case .differs: "two renders differ"
    }
  }
}
