import OffprintCoreTypes
import Glibc
import Offprint
import Synchronization

/// Writes one line of JSON per job as it ends.
final class Reporter: Sendable {
  private let descriptor: Int32?
  /// The `errno` of the first failed write.
  private let failure = Mutex<Int32>(0)
  let isActive: Bool

  /// - Parameters:
  ///   - path: `-` for standard output; nil for no report.
  ///   - goesOn: Whether to append to an existing report.
  init(path: String?, goesOn: Bool = false) throws(OffprintError) {
    isActive = path != nil
    switch path {
    case nil: descriptor = nil
    case "-"?: descriptor = STDOUT_FILENO
    case let path?:
      let opened = open(path, (goesOn ? O_RDWR | O_APPEND : O_WRONLY | O_TRUNC) | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o644)
      guard opened >= 0 else { throw OffprintError(.outputUnwritable, "The report '\(path)' cannot be written: \(errorText()).") }
      descriptor = opened
      if goesOn { Self.endLine(opened) }
    }
  }

  /// Ends an incomplete line left by a killed run.
  private static func endLine(_ descriptor: Int32) {
    var status = stat()
    var last: UInt8 = 0x0A
    guard fstat(descriptor, &status) == 0, status.st_size > 0, pread(descriptor, &last, 1, status.st_size - 1) == 1 else { return }
    if last != 0x0A { _ = FileDescriptorIO.write([0x0A], to: descriptor) }
  }

  /// - Parameter fields: Members in addition to `id` and `milliseconds`, each preceded by a comma.
  func report(id: String, fields: @autoclosure () -> String, since start: ContinuousClock.Instant) {
    guard let descriptor else { return }
    write(Array((ReportFields.line(id, fields(), since: start) + "\n").utf8), to: descriptor)
  }

  /// Appends a complete line.
  func report(line: [UInt8]) {
    if let descriptor { write(line + [0x0A], to: descriptor) }
  }

  private func write(_ line: [UInt8], to descriptor: Int32) {
    failure.withLock { failure in
      guard failure == 0 else { return }
      failure = descriptor == STDOUT_FILENO ? Output.results(line) : FileDescriptorIO.write(line, to: descriptor)
    }
  }

  /// Whether all lines were written so far.
  var isWhole: Bool { failure.withLock { $0 == 0 } }

  /// - Throws: `outputUnwritable` if a line could not be written.
  func finish() throws(OffprintError) {
    let closing = descriptor.map { $0 == STDOUT_FILENO || close($0) == 0 ? 0 : errno } ?? 0
    let code = failure.withLock { $0 == 0 ? closing : $0 }
    if code != 0 { throw OffprintError(.outputUnwritable, "The report could not be written completely: \(errorText(code)).") }
  }
}

/// The members that describe a job in a report, each preceded by a comma.
enum ReportFields {
  static func done(_ result: RenderResult, notes: [Diagnostic], _ output: String?, _ attempts: Int) -> String {
    let place = output.map { ",\"output\":\(JSONText.string($0))" } ?? ""
    return ",\"status\":\"\(result.wasCached ? "cached" : "rendered")\",\"state\":\"\(JobState(result).rawValue)\"\(place)"
      + ",\"width\":\(result.width),\"height\":\(result.height),\"bytes\":\(result.byteCount),\"key\":\"\(result.key)\""
      + ",\"diagnostics\":\(result.diagnosticsJSON(adding: notes)),\"faces\":\(result.facesJSON),\"timings\":\(result.timingsJSON)"
      + tried(attempts)
  }

  static func failed(_ error: OffprintError, _ attempts: Int) -> String {
    ",\"status\":\"failed\",\"state\":\"failed\",\"error\":\(error.json)" + tried(attempts)
  }

  private static func tried(_ attempts: Int) -> String { attempts > 1 ? ",\"attempts\":\(attempts)" : "" }

  static func line(_ id: String, _ fields: String, since start: ContinuousClock.Instant) -> String {
    let milliseconds = ((ContinuousClock.now - start).seconds * 1000).rounded(places: 3)
    return "{\"id\":\(JSONText.string(id))\(fields),\"milliseconds\":\(milliseconds)}"
  }
}

/// Jobs that are done according to the report of an earlier run, with 16 bytes per job.
struct EarlierReport: Sendable {
  /// Sorted.
  private var done: [Digest] = []

  /// - Throws: Errors of opening, unless the report does not exist yet.
  init(_ path: String?, lineLimit: Int) throws(OffprintError) {
    guard let path, Files.kind(path) != nil else { return }
    let source = OpenedList(try Files.open(path), isOwned: true)
    var records = RecordReader(source, name: "'\(path)'", limit: lineLimit, splitter: LineSplitter())
    while let record = try records.next() {
      // The last line of a killed run may be incomplete.
      guard case .object(let fields)? = JSONValue(parsing: record.text), let id = fields["id"]?.string else { continue }
      let state = fields["state"]?.string ?? fields["status"]?.string
      if state == "failed" || state == nil { continue }
      done.append(Digest(id))
    }
    done.sort()
  }

  var isEmpty: Bool { done.isEmpty }

  func contains(_ id: String) -> Bool {
    let wanted = Digest(id)
    var (low, high) = (0, done.count)
    while low < high {
      let middle = (low + high) / 2
      if done[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < done.count && done[low] == wanted
  }
}

extension Double {
  func rounded(places: Int) -> String {
    let factor = [1.0, 10, 100, 1000][min(max(places, 0), 3)]
    return JSONText.number((self * factor).rounded() / factor)
  }
}
