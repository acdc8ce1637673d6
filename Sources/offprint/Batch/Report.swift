import Glibc
import Offprint
import Synchronization

/// A line of JSON a job, as it ends.
final class Reporter: Sendable {
  private let descriptor: Int32?
  /// `errno` of the first write that failed.
  private let failure = Mutex<Int32>(0)
  let isActive: Bool

  /// - Parameter path: `-` for standard output; nil: no report.
  init(path: String?) throws(OffprintError) {
    isActive = path != nil
    switch path {
    case nil: descriptor = nil
    case "-"?: descriptor = STDOUT_FILENO
    case let path?:
      let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o644)
      guard opened >= 0 else { throw OffprintError(.outputUnwritable, "The report '\(path)' cannot be written: \(errorText()).") }
      descriptor = opened
    }
  }

  func report(id: String, status: String, fields: String, since start: ContinuousClock.Instant) {
    guard let descriptor else { return }
    let milliseconds = ((ContinuousClock.now - start).seconds * 1000).rounded(places: 3)
    let line = Array("{\"id\":\(JSONText.string(id)),\"status\":\"\(status)\"\(fields),\"milliseconds\":\(milliseconds)}\n".utf8)
    failure.withLock { failure in if failure == 0 { failure = Descriptor.write(line, to: descriptor) } }
  }

  /// - Throws: `outputUnwritable` where a line did not arrive.
  func finish() throws(OffprintError) {
    let closing = descriptor.map { $0 == STDOUT_FILENO || close($0) == 0 ? 0 : errno } ?? 0
    let code = failure.withLock { $0 == 0 ? closing : $0 }
    if code != 0 { throw OffprintError(.outputUnwritable, "The report could not be written in full: \(errorText(code)).") }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Double {
  func rounded(places: Int) -> String {
    let factor = [1.0, 10, 100, 1000][min(max(places, 0), 3)]
    return JSONText.number((self * factor).rounded() / factor)
  }
}
