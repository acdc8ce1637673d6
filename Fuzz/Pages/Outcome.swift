/// What became of a page.
enum Outcome: Equatable {
  /// Drawn, or refused with a code.
  case answered(String, milliseconds: Int, peakKiB: Int)
  /// The process ended.
  case crashed(signal: Int32, at: String)
  /// Later than the deadline and half a second.
  case late(milliseconds: Int, at: String)
  case memory(kiB: Int)
  /// Drawn twice, with different bytes.
  case differs

  var isFailure: Bool { if case .answered = self { false } else { true } }

  /// What tells failures apart: two of the same are taken for one.
  var kind: String {
    switch self {
    case .answered: "answered"
    case .crashed(let signal, let place): "signal \(signal) \(place)"
    case .late(_, let place): "late \(place)"
    case .memory: "memory"
    case .differs: "differs"
    }
  }

  /// Whether a smaller page fails as this one did; where a late page was caught is chance.
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
