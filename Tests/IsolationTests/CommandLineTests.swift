import Foundation
import Testing

@Suite("--isolate")
struct IsolateOptionTests {
  private func start(_ arguments: [String]) throws -> (Process, Folder) {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Programs.offprint)
    process.arguments = arguments.map { $0.replacingOccurrences(of: "@", with: folder.path("") + "/") }
    process.environment = ["OFFPRINT_FONTS": root.appendingPathComponent("Fonts").path]
    try folder.write("errors", "")
    process.standardError = FileHandle(forWritingAtPath: folder.path("errors"))
    process.standardInput = FileHandle.nullDevice
    return (process, folder)
  }

  private func run(_ process: Process) throws -> Int32 {
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test("With --isolate the image is the same as without it")
  func render() throws {
    let page = root.appendingPathComponent("docs/examples/card.html").path
    let (plain, plainFolder) = try start(["render", page, "--no-cache", "-o", "@out.png"])
    let (isolated, isolatedFolder) = try start(["render", page, "--cache", "@cache", "--isolate", "-o", "@out.png"])
    #expect(try run(plain) == 0)
    #expect(try run(isolated) == 0)
    let image = try Data(contentsOf: URL(fileURLWithPath: isolatedFolder.path("out.png")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: plainFolder.path("out.png"))) == image)
  }

  @Test("Only the job of a killed worker fails")
  func batch() throws {
    // Takes much longer than any test; the worker is killed before it ends.
    let slow = String(repeating: "<div style='filter:blur(9px);height:3000px;margin-top:-3000px;background:red'>x</div>", count: 3000)
    let (process, folder) = try start([
      "batch", "@jobs", "--output", "@out", "--no-cache", "--isolate", "--jobs", "1", "--keep-going", "--report", "@report", "--timeout",
      "3000", "--width", "3000", "--height", "3000",
    ])
    let jobs = [("a", "<p>a", 100), ("b", slow, 3000), ("c", "<p>c", 100)].map {
      "{\"id\":\"\($0.0)\",\"html\":\"\($0.1)\",\"width\":\($0.2),\"height\":\($0.2)}"
    }
    try folder.write("jobs", jobs.joined(separator: "\n"))
    try process.run()
    func report() -> [String] {
      ((try? String(contentsOfFile: folder.path("report"), encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }
    // The second job ends only when its worker is killed; if the worker is killed before it has the page, another takes the job.
    while process.isRunning, report().count < 2 {
      if report().count == 1, let worker = children(of: process.processIdentifier).first { kill(worker, SIGKILL) }
      for _ in 0..<100 where report().count < 2 { usleep(10_000) }
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    let lines = report()
    #expect(lines.count == 3)
    #expect(lines.first?.contains("\"id\":\"a\",\"status\":\"rendered\"") == true)
    let second = lines.dropFirst().first
    #expect(second?.contains("\"id\":\"b\",\"status\":\"failed\"") == true && second?.contains("\"code\":\"workerCrashed\"") == true)
    #expect(lines.last?.contains("\"id\":\"c\",\"status\":\"rendered\"") == true)
  }

  @Test("A page that exceeds --worker-memory fails with that reason, and a slow one fails in time")
  func bounds() throws {
    let (process, folder) = try start(["render", "@page.html", "--no-cache", "--isolate", "--worker-memory", "32", "-o", "@out.png"])
    let page = (0..<60_000).map { "<p style='margin:\($0)px;float:left'>text \($0)" }.joined()
    try folder.write("page.html", page)
    #expect(try run(process) == 69)
    #expect(try String(contentsOfFile: folder.path("errors"), encoding: .utf8).hasPrefix("offprint: workerMemory: "))
  }

  @Test(
    "Options of workers require --isolate, and worker alone is not a command for users",
    arguments: [
      (["render", "-", "--worker-memory", "64"], "--isolate"), (["worker"], "started only by other commands"),
      (["render", "-", "--isolate", "--worker-memory", "1"], "32"),
    ])
  func usage(arguments: [String], words: String) throws {
    let (process, folder) = try start(arguments)
    #expect(try run(process) == 64)
    #expect(try String(contentsOfFile: folder.path("errors"), encoding: .utf8).contains(words))
  }
}
