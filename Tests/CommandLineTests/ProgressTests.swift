import Foundation
import Glibc
import Testing

/// A pseudoterminal. Whatever is written to `handle` is returned by `text()`.
final class PseudoTerminal {
  private let primary: Int32
  let handle: FileHandle

  init?(columns: UInt16 = 60) {
    primary = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (locked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK (0x40045431) unlocks the terminal, TIOCGPTN (0x80045430) returns its number.
    // https://man7.org/linux/man-pages/man2/TIOCSPTLCK.2const.html
    guard primary >= 0, ioctl(primary, 0x4004_5431, &locked) == 0, ioctl(primary, 0x8004_5430, &number) == 0 else { return nil }
    let replica = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard replica >= 0 else { return nil }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(replica, UInt(TIOCSWINSZ), &size)
    handle = FileHandle(fileDescriptor: replica, closeOnDealloc: true)
  }

  /// Reads all output until every descriptor of the terminal is closed. Call it once.
  func text() -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(primary, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    close(primary)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The lines on the screen after `text`, applying carriage returns with "erase in line".
  static func screen(_ text: String) -> [String] {
    var lines = [""]
    for part in text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r\u{1B}[K", with: "\u{0}") {
      if part == "\n" {
        lines.append("")
      } else if part == "\u{0}" {
        lines[lines.count - 1] = ""
      } else {
        lines[lines.count - 1].append(part)
      }
    }
    return lines
  }
}

@Suite("Progress", .serialized) struct ProgressTests {
  private func process(_ arguments: [String], in scratch: Scratch, errors: FileHandle) throws -> Process {
    let process = Process()
    process.executableURL = Program.url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["TERM": "xterm"]) { $1 }
    process.currentDirectoryURL = scratch.url
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    return process
  }

  @Test("On a terminal, a status line shows progress, errors appear above it, and a summary follows")
  func line() throws {
    let scratch = try Scratch()
    let rows = (1...60).map { $0 % 20 == 0 ? "{\"id\":\"bad\($0)\",\"html\":1}" : "{\"html\":\"<p>\($0)\"}" }
    try scratch.write("l.ndjson", rows.joined(separator: "\n"))
    let terminal = try #require(PseudoTerminal(columns: 40))
    let process = try process(["batch", "l.ndjson", "--no-cache", "--keep-going", "--output", "out"], in: scratch, errors: terminal.handle)
    try process.run()
    try terminal.handle.close()
    let text = terminal.text()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(text.contains("/60 ") && text.contains("0 hits"), "\(text)")
    for part in text.components(separatedBy: "\r\u{1B}[K") where part.contains("/60 ") {
      #expect((part.split(separator: "\r\n").last ?? "").count < 40, "the status line wraps: \(part)")
    }
    let screen = PseudoTerminal.screen(text)
    #expect(screen.count { $0.hasPrefix("offprint: bad") } == 3, "\(screen)")
    #expect(screen.dropLast().last?.hasPrefix("60 of 60 jobs: 57 rendered, 0 hits, 3 failed") == true && screen.last == "", "\(screen)")
    #expect(!screen.dropLast(2).contains { $0.contains("/60 ") })
  }

  @Test("In a pipe only the summary is printed, --progress json prints JSON, and --progress none and --json print nothing")
  func pipes() throws {
    let scratch = try Scratch()
    try scratch.write("l.ndjson", "{\"html\":\"1\"}\n{\"html\":\"2\"}")
    let arguments = ["batch", "l.ndjson", "--no-cache", "--output", "out"]
    let summary = try Program.run(arguments, folder: scratch.url).errors
    #expect(
      summary.hasPrefix("2 of 2 jobs: 2 rendered, 0 hits; ") && summary.hasSuffix(" jobs/s\n") && summary.split(separator: "\n").count == 1)
    let single = try Program.run(
      ["batch", "-", "--cache", "cache", "--output", "out"], input: Data("{\"html\":\"1\"}".utf8), folder: scratch.url)
    #expect(single.errors.hasPrefix("1 of 1 job: "), "\(single.errors)")
    #expect(try Program.run(arguments + ["--json"], folder: scratch.url).errors.isEmpty)
    #expect(try Program.run(arguments + ["--dry-run"], folder: scratch.url).errors == "0 hits, 2 misses; nothing was rendered\n")
    #expect(try Program.run(arguments + ["--progress", "none"], folder: scratch.url).errors.isEmpty)
    let lines = try Program.run(arguments + ["--progress", "json"], folder: scratch.url).errors.split(separator: "\n")
    let events = lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    #expect(events.count == lines.count && events.last?["event"] as? String == "summary" && events.last?["rendered"] as? Int == 2)
    #expect(try Program.run(arguments + ["--progress", "bar"], folder: scratch.url).status == 64)
  }

  /// Waits for a condition, or for the process to end.
  private func wait(_ process: Process, until condition: () -> Bool) { while !condition() && process.isRunning { usleep(20_000) } }

  /// Writes a job list whose second job blocks on a named pipe.
  private func writeJobs(_ scratch: Scratch, count: Int) throws {
    #expect(mkfifo(scratch.path("later.html"), 0o600) == 0)
    let jobs = (1...count).map { number in
      let page = number == 2 ? "\"input\":\"later.html\"" : "\"html\":\"<p>\(number)\""
      return "{\"id\":\"\(number)\",\(page),\"width\":30,\"timeout\":\"600s\"}"
    }
    try scratch.write("l.ndjson", jobs.joined(separator: "\n"))
    try scratch.write("err", "")
  }

  /// Starts a batch, waits until the first job is reported, and interrupts it.
  private func startAndInterrupt(_ arguments: [String], _ scratch: Scratch) throws -> Process {
    let process = try process(arguments, in: scratch, errors: try #require(FileHandle(forWritingAtPath: scratch.path("err"))))
    try process.run()
    wait(process) { ((try? scratch.data("r.ndjson").count) ?? 0) > 0 }
    process.interrupt()
    wait(process) { ((try? scratch.data("err").count) ?? 0) > 0 }
    return process
  }

  @Test(
    "The first SIGINT finishes running jobs, prints a summary and exits with code 1; --resume renders the remaining jobs",
    .timeLimit(.minutes(5))
  )
  func interrupted() throws {
    let scratch = try Scratch()
    try writeJobs(scratch, count: 50)
    let arguments = ["batch", "l.ndjson", "--no-cache", "--output", "out", "--report", "r.ndjson", "-j", "1"]
    let process = try startAndInterrupt(arguments, scratch)
    try scratch.write("later.html", "<p>late")
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 1)
    let errors = String(decoding: try scratch.data("err"), as: UTF8.self)
    #expect(errors.contains("stopping") && errors.contains(" of 50 jobs: ") && errors.contains(" left"), "\(errors)")
    let lines = String(decoding: try scratch.data("r.ndjson"), as: UTF8.self).split(separator: "\n")
    let images = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out"))
    #expect(lines.count == 2 && images.sorted() == ["1.png", "2.png"])
    let rest = try Program.run(arguments + ["--resume"], folder: scratch.url)
    #expect(rest.status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).count == 50)
  }

  @Test("The second SIGINT terminates the process immediately", .timeLimit(.minutes(5)))
  func terminates() throws {
    let scratch = try Scratch()
    try writeJobs(scratch, count: 3)
    let process = try startAndInterrupt(["batch", "l.ndjson", "--no-cache", "--output", "out", "-j", "1", "--report", "r.ndjson"], scratch)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
    #expect(!scratch.exists("out/2.png"))
  }
}
