import Foundation
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

@Suite("Installed programs")
struct InstallationTests {
  /// Installs the program in `bin` of a folder with `lib/offprint`, which contains links to some of the system's libraries.
  private func bundle(_ scratch: Scratch, without missing: [String] = []) throws -> URL {
    let manager = FileManager.default
    let libraries = scratch.url.appendingPathComponent("lib/offprint"), program = scratch.url.appendingPathComponent("bin/offprint")
    for folder in [libraries, program.deletingLastPathComponent()] {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    do { try manager.linkItem(at: Program.url, to: program) } catch { try manager.copyItem(at: Program.url, to: program) }
    for library in try report(Program.url, ["OFFPRINT_LIBRARIES": "system"])["libraries"] as? [[String: Any]] ?? [] {
      guard let path = library["file"] as? String, !missing.contains(library["name"] as? String ?? "") else { continue }
      let url = URL(fileURLWithPath: path)
      try manager.createSymbolicLink(at: libraries.appendingPathComponent("offprint-" + url.lastPathComponent), withDestinationURL: url)
    }
    return program
  }

  private func run(_ program: URL, _ arguments: [String], _ environment: [String: String] = [:]) throws -> (
    status: Int32, output: Data, errors: String
  ) {
    let process = Process(), output = Pipe(), errors = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, data, text)
  }

  private func report(_ program: URL, _ environment: [String: String] = [:]) throws -> [String: Any] {
    let outcome = try run(program, ["--version", "--json"], environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
  }

  @Test("The version lists the release, the rendering revision, the formats and the libraries with their digests")
  func version() throws {
    let report = try report(Program.url, ["OFFPRINT_LIBRARIES": "system"])
    let release = try String(contentsOf: root.appendingPathComponent("VERSION"), encoding: .utf8).trimmingCharacters(in: .newlines)
    #expect(report["version"] as? String == release)
    #expect((report["revision"] as? Int ?? 0) > 0)
    #expect((report["formats"] as? [String])?.contains("png") == true)
    let libraries = try #require(report["libraries"] as? [[String: Any]])
    #expect(
      Set(libraries.compactMap { $0["name"] as? String }).isSuperset(of: [
        "glib", "freetype", "harfbuzz", "pango", "cairo", "png", "jpeg", "webp",
      ]))
    for library in libraries {
      #expect(
        (library["digest"] as? String ?? "").count >= 16 && (library["version"] as? String ?? "").first?.isNumber == true, "\(library)")
    }
    let text = try Program.run(["--version"]).text
    #expect(text.hasPrefix("offprint \(release)\n") && text.contains("cairo"))
    let changes = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    #expect(changes.contains("## [\(release)]"))
  }

  @Test("Libraries beside the program are the ones that are opened, and affect the key like others")
  func bundled() throws {
    let scratch = try Scratch(), smaller = try Scratch()
    let program = try bundle(scratch)
    let own = try report(program), system = try report(program, ["OFFPRINT_LIBRARIES": "system"])
    #expect(own["bundled"] as? Bool == true && system["bundled"] as? Bool == false)
    let files = (own["libraries"] as? [[String: Any]] ?? []).compactMap { $0["file"] as? String }
    #expect(!files.isEmpty && files.allSatisfy { $0.contains("/lib/offprint/") })
    #expect(own["librariesDigest"] as? String == system["librariesDigest"] as? String, "the libraries are the same files")
    #expect(try report(try bundle(smaller, without: ["icu"]))["librariesDigest"] as? String != own["librariesDigest"] as? String)
  }

  @Test("Libraries missing in a bundle are not taken from the system, and all are named with their packages")
  func missing() throws {
    let scratch = try Scratch()
    let program = try bundle(scratch, without: ["glib", "cairo", "png"])
    let page = try scratch.write("a.html", "<p>x")
    let outcome = try run(program, ["render", page, "-o", scratch.path("a.png"), "--no-cache"])
    #expect(outcome.status == 127)
    for name in ["libraryMissing", "libglib-2.0.so.0", "libcairo.so.2", "libpng16.so.16", "apt-get install", "libcairo2"] {
      #expect(outcome.errors.contains(name), "\(name): \(outcome.errors)")
    }
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test("Pages of the documentation are help topics, also those with the name of a command, and an unknown topic has the nearest name")
  func topics() throws {
    #expect(try Program.run(["help", "formats"]).text.contains("--format"))
    let topics = try Program.run(["help", "topics"]).text
    #expect(topics.contains("configuration") && topics.contains("install"))
    let unknown = try Program.run(["help", "nothing-like-that"])
    #expect(unknown.status == 64 && unknown.errors.contains("'offprint help topics'"), "\(unknown.errors)")
    #expect(try Program.run(["help", "formatz"]).errors.contains("did you mean 'formats'?"))
    #expect(try Program.run(["help", "topics", "cache"]).text.hasPrefix("# The cache"))
    #expect(try Program.run(["help", "topics", "render"]).status == 64)
    #expect(try Program.run(["help", "render"]).text.contains("USAGE: offprint render"))
  }
}
