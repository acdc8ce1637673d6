import OffprintCoreTypes
import Glibc
import Offprint
import Synchronization

/// Standard output for results, standard error for everything else.
enum Output {
  /// The `errno` of the first failed write to standard output; 0 if absent.
  private static let failure = Mutex<Int32>(0)

  static func error(_ line: String) {
    // In a library, standard error belongs to the host.
    guard Program.role == .program else { return }
    StatusLine.above { _ = FileDescriptorIO.write(Array((Credentials.hidden(in: line) + "\n").utf8), to: STDERR_FILENO) }
  }

  /// Whether errors are printed as JSON (`--json`).
  static var speaksJSON: Bool {
    get { jsonMode.withLock { $0 } }
    set { jsonMode.withLock { $0 = newValue } }
  }
  private static let jsonMode = Mutex(false)

  /// Prints why a command, or one of its jobs, failed.
  static func failure(_ failure: OffprintError, job: String? = nil) {
    guard speaksJSON else {
      return error("offprint: " + (job.map { "\(Sentence.fit($0).prefix(bytes: 100)): " } ?? "") + failure.sentence)
    }
    let id = job.map { ",\"id\":\(JSONText.string($0))" } ?? ""
    error("{\"error\":\(failure.json.dropLast()),\"exit\":\(failure.code.exitCode)\(id)}}")
  }

  /// Prints one line of a result. A failure is reported by `finish`, so that printing needs no `try`.
  static func line(_ line: String) { text(line + "\n") }

  static func text(_ text: String) {
    guard !hasFailed else { return }
    let code = results(Array(text.utf8))
    if code != 0 { failure.withLock { $0 = code } }
  }

  /// - Returns: 0, or the `errno` of the failed write.
  static func results(_ bytes: [UInt8]) -> Int32 {
    guard StatusLine.resultsAreShown else { return FileDescriptorIO.write(bytes, to: STDOUT_FILENO) }
    return StatusLine.above { FileDescriptorIO.write(bytes, to: STDOUT_FILENO) }
  }

  /// Whether printing should stop because nobody reads the output.
  static var hasFailed: Bool { failure.withLock { $0 != 0 } }

  /// Whether the reader of a pipe at standard output has closed it.
  static var isClosedPipe: Bool { failure.withLock { $0 == EPIPE } }

  static func bytes(_ bytes: [UInt8]) throws(OffprintError) {
    let code = FileDescriptorIO.write(bytes, to: STDOUT_FILENO)
    if code != 0 { throw unwritable(code) }
  }

  /// - Throws: `outputUnwritable` if a write failed.
  static func finish() throws(OffprintError) {
    let code = failure.withLock { $0 }
    if code != 0 { throw unwritable(code) }
  }

  private static func unwritable(_ code: Int32) -> OffprintError {
    OffprintError(.outputUnwritable, "Standard output cannot be written: \(errorText(code)).")
  }

  /// - Throws: `usage` if an image would be written to a terminal.
  static func checkImageTarget(_ target: String) throws(OffprintError) {
    if target == "-" && isatty(STDOUT_FILENO) == 1 {
      throw OffprintError(.usage, "An image cannot be written to a terminal; specify a file with -o FILE, or redirect standard output.")
    }
  }

  /// Prints the diagnostics of a render, one per line.
  static func diagnostics(_ diagnostics: [Diagnostic], quiet: Bool) {
    for diagnostic in diagnostics where !quiet || diagnostic.severity == .degraded { note(diagnostic) }
  }

  static func note(_ diagnostic: Diagnostic) {
    error(speaksJSON ? "{\"diagnostic\":\(diagnostic.json)}" : "offprint: \(diagnostic.sentence)")
  }
}
