import OffprintCoreTypes
import Glibc
import Synchronization

/// The last line of a terminal, which shows the progress of a run. All other output is written above it.
enum StatusLine {
  private static let shown = Mutex<String?>(nil)
  /// Whether results are written to the terminal as well.
  static let resultsAreShown = isatty(STDOUT_FILENO) == 1

  /// Replaces the line; nil removes it.
  static func show(_ text: String?) {
    shown.withLock { shown in
      shown = text
      _ = FileDescriptorIO.write(Array((clear + (text ?? "")).utf8), to: STDERR_FILENO)
    }
  }

  /// Writes whole lines above it.
  static func above<Result>(_ write: () -> Result) -> Result {
    shown.withLock { shown in
      guard let text = shown else { return write() }
      _ = FileDescriptorIO.write(Array(clear.utf8), to: STDERR_FILENO)
      defer { _ = FileDescriptorIO.write(Array(text.utf8), to: STDERR_FILENO) }
      return write()
    }
  }

  /// Moves to the beginning of the line, and clears it to its end.
  private static let clear = "\r\u{1B}[K"

  /// The number of columns; 80 if the terminal does not provide it.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Whether standard error is a terminal that can clear a line.
  static var isPossible: Bool {
    isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } != "dumb"
  }
}
