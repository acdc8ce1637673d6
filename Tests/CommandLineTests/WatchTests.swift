import Foundation
import Testing

/// A running `watch`, and the lines it has printed.
private final class WatchProcess {
  let process = Process()
  private let log: URL

  init(_ arguments: [String], _ scratch: Scratch) throws {
    log = scratch.url.appendingPathComponent("log-\(UUID().uuidString)")
    try Data().write(to: log)
    process.executableURL = Program.url
    process.arguments = ["watch", "--json"] + arguments
    process.currentDirectoryURL = scratch.url
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  var lines: [[String: Any]] {
    String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self).split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// Waits for a matching line after the first `count` lines. The timeout of one minute only detects hangs.
  func line(after count: Int, where matches: ([String: Any]) -> Bool) throws -> [String: Any] {
    for _ in 0..<6000 {
      if let found = lines.dropFirst(count).last(where: matches) { return found }
      usleep(10_000)
    }
    return try #require(nil, "no matching line in \(lines)")
  }

  func stop() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}

private func height(_ pixels: Int) -> ([String: Any]) -> Bool { { $0["height"] as? Int == pixels } }

@Suite("watch") struct WatchTests {
  private func page(_ height: Int) -> String { "<!DOCTYPE html><body style='margin:0'><div style='height:\(height)px'></div>" }

  @Test("A page that is replaced by a named pipe is reported as an error; watch does not block and still exits on SIGINT")
  func pipe() throws {
    let scratch = try Scratch()
    try scratch.write("p.html", page(10))
    let watching = try WatchProcess(["p.html", "-o", "o.png", "--width", "20"], scratch)
    _ = try watching.line(after: 0, where: height(10))
    #expect(unlink(scratch.path("p.html")) == 0 && mkfifo(scratch.path("p.html"), 0o600) == 0)
    _ = try watching.line(after: 1) { ($0["error"] as? [String: Any])?["code"] as? String == "inputUnreadable" }
    #expect(unlink(scratch.path("p.html")) == 0)
    try scratch.write("p.html", page(40))
    _ = try watching.line(after: 2, where: height(40))
    #expect(watching.stop() == 0)
  }

  @Test("The page is rendered again when it is written, replaced or re-created; errors are reported; SIGINT exits with code 0")
  func page() throws {
    let scratch = try Scratch()
    try scratch.write("p.html", page(10))
    let watching = try WatchProcess(["p.html", "-o", "o.png", "--width", "20"], scratch)
    _ = try watching.line(after: 0, where: height(10))
    try Data(page(20).utf8).write(to: scratch.url.appendingPathComponent("p.html"))
    _ = try watching.line(after: 1, where: height(20))
    #expect(pngSize(try scratch.data("o.png")) == [20, 20])
    // Editors save atomically: they rename a new file over the page.
    try scratch.write("p.html~", page(30))
    #expect(rename(scratch.path("p.html~"), scratch.path("p.html")) == 0)
    _ = try watching.line(after: 2, where: height(30))
    let count = watching.lines.count
    try FileManager.default.removeItem(atPath: scratch.path("p.html"))
    let failed = try watching.line(after: count) { $0["status"] as? String == "failed" }
    #expect((failed["error"] as? [String: Any])?["code"] as? String == "inputNotFound")
    try scratch.write("p.html", page(40))
    _ = try watching.line(after: count, where: height(40))
    #expect(watching.stop() == 0)
  }

  @Test("Style sheets and images are watched, including files and folders that do not exist yet")
  func resources() throws {
    let scratch = try Scratch()
    try scratch.write("p.html", "<link rel=stylesheet href=s.css><body><img src=new/deep/a.svg style='display:block'>")
    try scratch.write("s.css", "body{margin:0;padding-top:5px} img{height:1px}")
    let watching = try WatchProcess(["p.html", "-o", "o.png"], scratch)
    _ = try watching.line(after: 0) { $0["height"] as? Int == 6 || ($0["diagnostics"] as? [Any])?.isEmpty == false }
    var count = watching.lines.count
    try scratch.write("s.css", "body{margin:0;padding-top:50px} img{height:1px}")
    _ = try watching.line(after: count) { ($0["height"] as? Int ?? 0) >= 50 }
    count = watching.lines.count
    try scratch.write("new/deep/a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
    _ = try watching.line(after: count) { ($0["diagnostics"] as? [Any])?.isEmpty == true }
    #expect(watching.stop() == 0)
  }

  @Test("The template, its partials and the data are watched")
  func templates() throws {
    let scratch = try Scratch()
    try scratch.write("t.mustache", "<!DOCTYPE html><body style='margin:0'>{{> part}}")
    try scratch.write("part.mustache", "<div style='height:{{h}}px'>")
    try scratch.write("d.json", "{\"h\":10}")
    let watching = try WatchProcess(["--template", "t.mustache", "--data", "d.json", "-o", "o.png"], scratch)
    _ = try watching.line(after: 0, where: height(10))
    try scratch.write("d.json", "{\"h\":11}")
    _ = try watching.line(after: 1, where: height(11))
    try scratch.write("part.mustache", "<div style='height:1{{h}}px'>")
    _ = try watching.line(after: 2, where: height(111))
    try scratch.write("t.mustache", "<!DOCTYPE html><body style='margin:0;padding-top:9px'>{{> part}}")
    _ = try watching.line(after: 3, where: height(120))
    #expect(watching.stop() == 0)
  }

  @Test(
    "--terminal shows the image with the graphics protocol",
    arguments: [("kitty", "\u{1B}_Ga=T,f=100"), ("iterm2", "\u{1B}]1337;File=inline=1"), ("sixel", "\u{1B}P0;1q")])
  func terminal(_ name: String, _ start: String) throws {
    let scratch = try Scratch()
    try scratch.write("p.html", page(10))
    let process = Process()
    process.executableURL = Program.url
    process.arguments = ["watch", "p.html", "-o", "o.png", "--terminal", name]
    process.currentDirectoryURL = scratch.url
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    var output = Data()
    while !output.contains(0x0A) {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { break }
      output.append(more)
    }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: output, as: UTF8.self).hasPrefix(start))
  }

  @Test(
    "Invalid arguments and a missing page are reported immediately",
    arguments: [(["watch", "-"], 64), (["watch"], 64), (["watch", "none.html"], 66), (["watch", "p.html", "-o", "-"], 64)])
  func invalidArguments(_ arguments: [String], _ status: Int) throws { #expect(try Program.run(arguments).status == Int32(status)) }
}
