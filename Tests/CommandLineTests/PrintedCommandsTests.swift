import Foundation
import Testing

/// A command in README or a page of `docs`.
private struct PrintedCommand {
  var page: String
  var text: String

  /// Files and folders that it creates according to its text.
  var outputs: [String] {
    let words = text.split(separator: " ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
    let named = zip(words, words.dropFirst()).filter { ["-o", "--output", "--report", ">"].contains($0.0) }.map(\.1)
    return named.filter { $0 != "-" }
  }
}

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

private func pages() throws -> [(name: String, text: String)] {
  let folder = root.appendingPathComponent("docs")
  let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }.sorted()
  return try (["README.md"] + names.map { "docs/\($0)" }).map {
    ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
  }
}

/// Lines of shell blocks, and inline code that is a whole command, without placeholders and alternatives.
private func commands() throws -> [PrintedCommand] {
  var found: [PrintedCommand] = []
  for page in try pages() {
    var isShell = false
    for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isShell = line == "```sh"
      } else if isShell {
        let text = line.replacing(/\s#\s.*$/, with: "").trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("#") { continue }
        if text.contains("offprint") || text.hasPrefix("echo") || text.hasPrefix("printf") {
          found.append(PrintedCommand(page: page.name, text: text))
        }
      } else if !line.hasPrefix("    ") {
        for match in line.matches(of: /`(offprint [^`]*)`/) where match.1.firstMatch(of: /\b[A-Z]+\b|[…\[\]|\\]/) == nil {
          let text = String(match.1)
          // Names of commands are not run.
          if text.split(separator: " ").count > 2 || text.contains("<") { found.append(PrintedCommand(page: page.name, text: text)) }
        }
      }
    }
  }
  return found
}

/// Commands that are not run here, and where they are tested.
private let elsewhere: [(start: String, reason: String)] = [
  ("tar ", "it needs an archive: Distribution/check"),
  ("offprint-*/bin/offprint", "it needs an archive: Distribution/check"),
  ("apt install", "it needs a package: Distribution/check"),
  ("pip install", "it needs the Python package: Distribution/check"),
  ("python3 -c", "it needs the Python package: Distribution/check"),
  ("systemctl", "it needs a system with systemd"),
  ("podman", "it needs an image: Distribution/image"),
  ("offprint watch", "it runs until it is interrupted: WatchTests"),
  ("offprint serve", "it runs until it is interrupted: ServiceTests"),
  ("offprint enqueue", "it needs a queue: RemoteTests"),
  ("offprint work", "it needs a queue: RemoteTests"),
  ("offprint collect", "it needs a queue: RemoteTests"),
  ("offprint fonts add", "it needs the packages of fonts: FontsTests"),
  ("offprint render https://example.org", "it needs that host: RemoteTests"),
]

@Suite("Commands in README and docs")
struct PrintedCommandsTests {
  private static let boxes = "<div class=button style='width:90px;padding:9px;border-radius:9px;background:teal;color:white'>Go</div>"

  /// Creates the files that the pages assume.
  private func prepare(_ scratch: Scratch) throws {
    try FileManager.default.createDirectory(at: scratch.url.appendingPathComponent("docs"), withIntermediateDirectories: true)
    for folder in ["docs/examples", "docs/card.png"] {
      try FileManager.default.copyItem(at: root.appendingPathComponent(folder), to: scratch.url.appendingPathComponent(folder))
    }
    for name in ["page.html", "button.html", "card.html", "in.html", "pages/a.html", "pages/b.html"] { try scratch.write(name, Self.boxes) }
    try scratch.write("jobs.ndjson", "{\"id\":\"hello\",\"html\":\"<h1>Hello</h1>\",\"width\":300}\n")
    try scratch.write("keys", "main 0123456789abcdef-main\n")
    try FileManager.default.createDirectory(at: scratch.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: scratch.url.appendingPathComponent("bin/offprint"), withDestinationURL: Program.url)
  }

  private func run(_ text: String, _ scratch: Scratch) throws -> (status: Int32, output: Data, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; { \(text)\n} >out.log 2>err.log </dev/null"]
    process.currentDirectoryURL = scratch.url
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    process.environment = ProcessInfo.processInfo.environment.merging([
      "PATH": "\(scratch.path("bin")):\(path)", "OFFPRINT_CACHE": scratch.path("cache"), "HOME": scratch.url.path,
    ]) { $1 }
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try scratch.data("out.log"), String(decoding: try scratch.data("err.log"), as: UTF8.self))
  }

  /// Commands that print nothing if there is nothing to report.
  private static let quiet = ["offprint background", "offprint batch", "--diagnostics", "--duplicates", ">"]

  @Test("Every command succeeds without a warning, and creates its outputs")
  func all() throws {
    let commands = try commands()
    #expect(commands.count > 60)
    for (start, reason) in elsewhere {
      #expect(commands.contains { $0.text.hasPrefix(start) }, "No page prints '\(start)' (\(reason))")
    }
    for page in Set(commands.map(\.page)) {
      let scratch = try Scratch()
      try prepare(scratch)
      // A cache with contents.
      #expect(try run("offprint render in.html -o in.png", scratch).status == 0)
      for command in commands where command.page == page {
        if !elsewhere.contains(where: { command.text.hasPrefix($0.start) }) { try check(command, scratch) }
      }
    }
  }

  private func check(_ command: PrintedCommand, _ scratch: Scratch) throws {
    let label = "\(command.page): \(command.text)"
    command.outputs.forEach { try? FileManager.default.removeItem(at: scratch.url.appendingPathComponent($0)) }
    let outcome = try run(command.text, scratch)
    #expect(outcome.status == 0, "\(label)\n\(outcome.errors)")
    #expect(!outcome.errors.contains("warning") && !outcome.errors.contains("error"), "\(label)\n\(outcome.errors)")
    for output in command.outputs { try check(output, scratch, label) }
    let isQuiet = !command.outputs.isEmpty || Self.quiet.contains { command.text.contains($0) }
    #expect(isQuiet || !outcome.output.isEmpty || !outcome.errors.isEmpty, "\(label) says nothing")
    if command.text.contains("--json") { #expect((try? JSONSerialization.jsonObject(with: outcome.output)) != nil, "\(label)") }
  }

  /// Checks that a file is of the type its name indicates, and that a folder contains such files.
  private func check(_ name: String, _ scratch: Scratch, _ label: String) throws {
    var isFolder: ObjCBool = false
    let url = scratch.url.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      Issue.record("\(label) does not make \(name)")
      return
    }
    let files =
      isFolder.boolValue ? FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? [] : [url]
    let plain = files.filter { !$0.hasDirectoryPath }
    #expect(!plain.isEmpty, "\(label): \(name) is empty")
    let starts: [String: [UInt8]] = [
      "png": [0x89, 0x50, 0x4E, 0x47], "webp": Array("RIFF".utf8), "jpeg": [0xFF, 0xD8, 0xFF], "pdf": Array("%PDF-".utf8),
      "json": Array("{".utf8), "ndjson": Array("{".utf8), "csv": Array("name,".utf8),
    ]
    for file in plain {
      let data = try Data(contentsOf: file)
      let start = starts[file.pathExtension] ?? []
      #expect(data.count > 20 && data.starts(with: start), "\(label): \(file.lastPathComponent) has \(data.count) bytes")
    }
  }
}
